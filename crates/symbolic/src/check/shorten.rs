//! Lassos without idle detours.
//!
//! The product with a tableau makes paths longer than they need to be: steps that change nothing but the tableau, rounds of a
//! loop that differ only there. A shorter lasso through the same states is kept if it shows the same, which the judge
//! decides anew: leaving steps out changes what formulas of linear time say of a path.

use crate::system::trace::Trace;
use crate::system::{Role, System, Value};

/// Most states that are judged in looking for a shorter lasso; a count, so that the result is always the same.
const MOST_STATES: usize = 4_000;

/// Longer ones stay as they are: nobody reads them.
const LONGEST: usize = 500;

/// The shortest lasso among those tried for which the judge stays with the verdict; a path without a loop stays as it is.
pub(super) fn shorten(
    system: &System,
    mut trace: Trace,
    shows_the_same: impl Fn(&Trace) -> bool,
) -> Trace {
    let mut left = MOST_STATES;
    while let Some(shorter) = shorter(system, &trace, &mut left, &shows_the_same) {
        trace = shorter;
    }
    trace
}

fn shorter(
    system: &System,
    trace: &Trace,
    left: &mut usize,
    shows_the_same: &impl Fn(&Trace) -> bool,
) -> Option<Trace> {
    let start = trace.loop_start?;
    let mut accepted = |candidate: Trace| {
        *left = left.checked_sub(candidate.states.len())?;
        shows_the_same(&candidate).then_some(candidate)
    };
    let pairs = repetitions(system, trace);
    // The loop closes earlier.
    for &(first, again) in &pairs {
        if again < trace.states.len() - 1 {
            let closed = Trace {
                states: trace.states[..=again].to_vec(),
                loop_start: Some(first),
            };
            if let Some(found) = accepted(closed) {
                return Some(found);
            }
        }
    }
    // A way back to a state that was there before is left out, before the loop or inside.
    for &(first, again) in &pairs {
        let whole = first == start && again == trace.states.len() - 1;
        if whole || (first < start && again > start) {
            continue;
        }
        let mut states = trace.states.clone();
        states.drain(first..again);
        let cut = Trace {
            states,
            loop_start: Some(match again <= start {
                true => start - (again - first),
                false => start,
            }),
        };
        if let Some(found) = accepted(cut) {
            return Some(found);
        }
    }
    None
}

/// Pairs of positions with the same state, by the second position; inputs belong to the step that follows.
fn repetitions(system: &System, trace: &Trace) -> Vec<(usize, usize)> {
    let same = |one: &[Value], other: &[Value]| {
        let cells = system.variables.iter().zip(one.iter().zip(other));
        cells
            .filter(|(variable, _)| variable.role != Role::Input)
            .all(|(_, (one, other))| one == other)
    };
    let mut pairs = Vec::new();
    if trace.states.len() > LONGEST {
        return pairs;
    }
    for again in 1..trace.states.len() {
        for first in 0..again {
            if same(&trace.states[first], &trace.states[again]) {
                pairs.push((first, again));
            }
        }
    }
    pairs
}

#[cfg(test)]
mod tests {
    use super::shorten;
    use crate::system::trace::Trace;
    use crate::system::{Domain, Role, System, Value, Variable};

    fn lasso(values: &[i64], loop_start: usize) -> Trace {
        Trace {
            states: values.iter().map(|v| vec![Value::Integer(*v)]).collect(),
            loop_start: Some(loop_start),
        }
    }

    fn system() -> System {
        System {
            variables: vec![Variable {
                name: "x".into(),
                domain: Domain::Values((0..9).map(Value::Integer).collect()),
                role: Role::State,
            }],
            ..System::default()
        }
    }

    #[test]
    fn detours_go_where_the_judge_agrees() {
        let check = |from: Trace, judge: &dyn Fn(&Trace) -> bool, expected: Trace| {
            assert_eq!(shorten(&system(), from, judge), expected);
        };
        let any = |_: &Trace| true;
        // Idle steps before the loop and in it.
        check(lasso(&[0, 0, 1, 1, 1, 1], 4), &any, lasso(&[0, 0], 0));
        let meets = |wanted: i64| {
            move |trace: &Trace| {
                let start = trace.loop_start.unwrap_or(0);
                trace.states[start..].contains(&vec![Value::Integer(wanted)])
            }
        };
        check(
            lasso(&[0, 0, 1, 1, 1, 1], 4),
            &meets(1),
            lasso(&[0, 1, 1], 1),
        );
        check(
            lasso(&[0, 1, 2, 1, 2, 3, 1], 3),
            &meets(3),
            lasso(&[0, 1, 2, 3, 1], 1),
        );
        // Nothing else shows it.
        let long = lasso(&[0, 0, 1, 1, 1], 3);
        let same = long.clone();
        check(long.clone(), &move |trace| *trace == same, long);
        let path = Trace {
            loop_start: None,
            ..lasso(&[0, 0, 1], 0)
        };
        check(path.clone(), &any, path);
    }
}
