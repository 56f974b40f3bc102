//! Traces of a part of the system, completed to traces of all of it.
//!
//! Variables outside the cone of influence have their values from assignments alone (see
//! [`crate::cone`]), so values can be chosen step by step.

use crate::system::replay::{Situation, possible_values};
use crate::system::trace::Trace;
use crate::system::{AssignmentTime, Role, System, Value, VariableId};
use std::collections::BTreeSet;

/// How often a loop is unrolled until the other variables repeat, too.
const MAX_UNROLLING: usize = 256;

/// The trace with values for the variables outside the cone.
pub(super) fn complete(
    system: &System,
    cone: &BTreeSet<VariableId>,
    mut trace: Trace,
) -> Result<Trace, String> {
    let outside: Vec<VariableId> = system
        .variable_ids()
        .filter(|id| !cone.contains(id) && system.variable(*id).role != Role::Input)
        .collect();
    if outside.is_empty() {
        return Ok(trace);
    }
    let order = dependency_order(system, &outside)?;
    for position in 0..trace.states.len() {
        complete_state(system, &order, &mut trace.states, position)?;
    }
    let Some(start) = trace.loop_start else {
        return Ok(trace);
    };
    let length = trace.states.len() - 1 - start;
    for round in 0..MAX_UNROLLING {
        let end = trace.states.len() - 1;
        let starts = (0..=round).map(|round| start + round * length);
        for begin in starts.filter(|&begin| begin < end) {
            if outside
                .iter()
                .all(|id| trace.states[begin][id.index()] == trace.states[end][id.index()])
            {
                trace.loop_start = Some(begin);
                return Ok(trace);
            }
        }
        // Once more around, with the inputs of the first round.
        for id in system
            .variable_ids()
            .filter(|id| system.variable(*id).role == Role::Input)
        {
            let value = trace.states[start][id.index()];
            trace.states[end][id.index()] = value;
        }
        for step in 1..=length {
            let copy = trace.states[start + step].clone();
            trace.states.push(copy);
            let position = trace.states.len() - 1;
            complete_state(system, &order, &mut trace.states, position)?;
        }
    }
    Err("no trace: variables that do not matter take long to repeat".into())
}

/// Variables after those that they need at the same moment.
fn dependency_order(system: &System, outside: &[VariableId]) -> Result<Vec<VariableId>, String> {
    let mut left: BTreeSet<VariableId> = outside.iter().copied().collect();
    let mut order = Vec::with_capacity(outside.len());
    while !left.is_empty() {
        let ready: Vec<VariableId> = left
            .iter()
            .filter(|id| {
                let mut own = system.assignments.iter().filter(|a| a.variable == **id);
                own.all(|assignment| {
                    let support = system.support(&[assignment.value]);
                    let needed = match assignment.time {
                        AssignmentTime::Next(_) => support.next,
                        _ => support.current,
                    };
                    needed.is_disjoint(&left)
                })
            })
            .copied()
            .collect();
        if ready.is_empty() {
            return Err("no trace: assignments depend on each other in a circle".into());
        }
        for id in ready {
            left.remove(&id);
            order.push(id);
        }
    }
    Ok(order)
}

/// Chooses the values at one position; those before it are complete.
fn complete_state(
    system: &System,
    order: &[VariableId],
    states: &mut [Vec<Value>],
    position: usize,
) -> Result<(), String> {
    let event = match position.checked_sub(1) {
        Some(before) => Some(event_of(system, &states[before])?),
        None => None,
    };
    for &id in order {
        let assigned = |time: AssignmentTime| {
            let mut own = system.assignments.iter().filter(|a| a.variable == id);
            own.find(|assignment| assignment.time == time)
                .map(|assignment| assignment.value)
        };
        let value = if let Some(expression) = assigned(AssignmentTime::Always) {
            let situation = Situation {
                now: &states[position],
                after: None,
            };
            first(possible_values(system, expression, situation)?)
        } else if let Some((number, before)) = event.zip(position.checked_sub(1)) {
            let situation = Situation {
                now: &states[before],
                after: Some(&states[position]),
            };
            match assigned(AssignmentTime::Next(number)) {
                Some(expression) => first(possible_values(system, expression, situation)?),
                None => Some(states[before][id.index()]),
            }
        } else if let Some(expression) = assigned(AssignmentTime::Initial) {
            let situation = Situation {
                now: &states[position],
                after: None,
            };
            first(possible_values(system, expression, situation)?)
        } else {
            system.variable(id).domain.value(0)
        };
        states[position][id.index()] = value.ok_or("no trace: an empty set of values")?;
    }
    Ok(())
}

fn first(values: Vec<Value>) -> Option<Value> {
    values.into_iter().next()
}

/// The number of the event that the inputs of a state choose.
fn event_of(system: &System, state: &[Value]) -> Result<usize, String> {
    let chosen = system.events.iter().position(|event| match event.choice {
        Some((input, code)) => {
            system.variable(input).domain.code(state[input.index()]) == Some(code)
        }
        None => true,
    });
    chosen.ok_or_else(|| "no trace: no event is chosen".into())
}
