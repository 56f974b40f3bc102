//! Lassos without idle detours.
//!
//! The product with a tableau makes paths longer than they need to be: steps that change nothing but the tableau, rounds of a
//! loop that differ only there. A shorter lasso through the same states is kept if it shows the same, which the judge
//! decides anew: leaving steps out changes what formulas of linear time say of a path.

use crate::system::Value;
use crate::system::trace::Trace;

/// Most states that are judged in looking for a shorter lasso; a count, so that the result is always the same.
const MOST_STATES: usize = 40_000;

/// Longer ones stay as they are: nobody reads them.
const LONGEST: usize = 500;

/// A lasso in the variables that matter, and what it becomes with all others: these may have to go round often until they
/// repeat, too.
pub(super) struct Lasso {
    pub(super) part: Trace,
    pub(super) whole: Trace,
}

/// The shortest lasso among those tried that `shown` accepts; a path without a loop stays as it is. `matters`: the
/// variables by which states are told apart.
pub(super) fn shorten(
    mut lasso: Lasso,
    matters: &[bool],
    shown: impl Fn(Trace) -> Option<Trace>,
) -> Trace {
    let mut left = MOST_STATES;
    while let Some(shorter) = shorter(&lasso, matters, &mut left, &shown) {
        lasso = shorter;
    }
    lasso.whole
}

fn shorter(
    lasso: &Lasso,
    matters: &[bool],
    left: &mut usize,
    shown: &impl Fn(Trace) -> Option<Trace>,
) -> Option<Lasso> {
    let trace = &lasso.part;
    let start = trace.loop_start?;
    let mut accepted = |part: Trace| {
        *left = left.checked_sub(part.states.len())?;
        let whole = shown(part.clone())?;
        *left = left.saturating_sub(whole.states.len());
        let shorter = whole.states.len() < lasso.whole.states.len();
        shorter.then_some(Lasso { part, whole })
    };
    let pairs = repetitions(trace, matters);
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

/// Pairs of positions with the same state, by the second position.
fn repetitions(trace: &Trace, matters: &[bool]) -> Vec<(usize, usize)> {
    let same = |one: &[Value], other: &[Value]| {
        let cells = matters.iter().zip(one.iter().zip(other));
        cells
            .filter(|(matters, _)| **matters)
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
    use super::{Lasso, shorten};
    use crate::system::Value;
    use crate::system::trace::Trace;

    fn lasso(values: &[i64], loop_start: usize) -> Trace {
        Trace {
            states: values.iter().map(|v| vec![Value::Integer(*v)]).collect(),
            loop_start: Some(loop_start),
        }
    }

    #[test]
    fn detours_go_where_the_judge_agrees() {
        let check = |from: Trace, judge: &dyn Fn(&Trace) -> bool, expected: Trace| {
            let lasso = Lasso {
                part: from.clone(),
                whole: from,
            };
            let shown = |trace: Trace| judge(&trace).then_some(trace);
            assert_eq!(shorten(lasso, &[true], shown), expected);
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
