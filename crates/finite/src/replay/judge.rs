//! Accepts or rejects traces.

use super::evaluate::{Situation, possible_values};
use crate::trace::Trace;
use crate::{ExpressionId, Role, System, Value};

/// What a trace must show, beyond being a path of the system.
#[derive(Clone, Copy, Debug)]
pub enum Judgement {
    /// Nothing more.
    Path,
    /// The condition is true in the last state.
    EndsIn(ExpressionId),
    /// The condition is false in the last state.
    Violates(ExpressionId),
}

/// Accepts a trace if it starts in an initial state, every step is a transition of the system, a
/// loop closes and is fair, and the end is as it must be. Otherwise says what is wrong.
pub fn judge(system: &System, trace: &Trace, judgement: Judgement) -> Result<(), String> {
    let first = trace.states.first().ok_or("the trace is empty")?;
    for (position, state) in trace.states.iter().enumerate() {
        check_state(system, state).map_err(|error| format!("state {position}: {error}"))?;
    }
    for &id in &system.initial {
        if !holds(
            system,
            id,
            Situation {
                now: first,
                after: None,
            },
        )? {
            return Err("the first state is not initial".into());
        }
    }
    for (position, pair) in trace.states.windows(2).enumerate() {
        check_step(system, &pair[0], &pair[1])
            .map_err(|error| format!("step {position}: {error}"))?;
    }
    if let Some(start) = trace.loop_start {
        check_loop(system, trace, start)?;
    }
    let last = &trace.states[trace.states.len() - 1];
    let end = |id| {
        holds(
            system,
            id,
            Situation {
                now: last,
                after: None,
            },
        )
    };
    match judgement {
        Judgement::Path => Ok(()),
        Judgement::EndsIn(id) if end(id)? => Ok(()),
        Judgement::EndsIn(_) => Err("the last state does not satisfy the goal".into()),
        Judgement::Violates(id) if end(id)? => Err("the last state violates nothing".into()),
        Judgement::Violates(_) => Ok(()),
    }
}

fn holds(system: &System, id: ExpressionId, situation: Situation<'_>) -> Result<bool, String> {
    Ok(possible_values(system, id, situation)? == [Value::Boolean(true)])
}

fn check_state(system: &System, state: &[Value]) -> Result<(), String> {
    if state.len() != system.variables.len() {
        return Err("a state has a value for each variable".into());
    }
    for (variable, value) in system.variables.iter().zip(state) {
        if variable.domain.code(*value).is_none() {
            return Err(format!("`{}` is outside its domain", variable.name));
        }
    }
    for &id in &system.invariants {
        if !holds(
            system,
            id,
            Situation {
                now: state,
                after: None,
            },
        )? {
            return Err("an invariant does not hold".into());
        }
    }
    Ok(())
}

/// Some event allows the step with the inputs of the state before it.
fn check_step(system: &System, now: &[Value], after: &[Value]) -> Result<(), String> {
    let situation = Situation {
        now,
        after: Some(after),
    };
    'events: for event in &system.events {
        if let Some((input, code)) = event.choice
            && system.variable(input).domain.code(now[input.index()]) != Some(code)
        {
            continue;
        }
        let kept = |id: &crate::VariableId| now[id.index()] == after[id.index()];
        if !event.unchanged.iter().all(kept) {
            continue;
        }
        for &id in &event.relation {
            if !holds(system, id, situation)? {
                continue 'events;
            }
        }
        return Ok(());
    }
    Err("no event allows the step".into())
}

fn check_loop(system: &System, trace: &Trace, start: usize) -> Result<(), String> {
    let repeated = trace
        .states
        .get(start)
        .ok_or("the loop starts after the end")?;
    let last = &trace.states[trace.states.len() - 1];
    if start + 1 >= trace.states.len() {
        return Err("the loop has no step".into());
    }
    // The last state is the first of the loop again; its inputs are chosen anew.
    for (id, variable) in system.variables.iter().enumerate() {
        if variable.role != Role::Input && repeated[id] != last[id] {
            return Err(format!(
                "the loop does not close: `{}` differs",
                variable.name
            ));
        }
    }
    for &condition in &system.justice {
        let mut states = trace.states[start..trace.states.len() - 1].iter();
        let fair = states
            .any(|now| holds(system, condition, Situation { now, after: None }).unwrap_or(false));
        if !fair {
            return Err("a fairness condition never holds in the loop".into());
        }
    }
    let somewhere = |condition| {
        let mut states = trace.states[start..trace.states.len() - 1].iter();
        states.any(|now| holds(system, condition, Situation { now, after: None }).unwrap_or(false))
    };
    for &(premise, conclusion) in &system.compassion {
        if somewhere(premise) && !somewhere(conclusion) {
            return Err("a condition of strong fairness fails in the loop".into());
        }
    }
    Ok(())
}
