//! What a trace shows about a formula.
//!
//! A path can refute `AG p` or show `EF p`, but never the truth of `AG p`: answers have three
//! values. Linear-time formulas have one value on an endless path.

use super::evaluate::{Situation, possible_values};
use crate::trace::Trace;
use crate::{Ctl, ExpressionId, Formula, Ltl, System, Value};

/// More rounds of a loop are not looked at.
const MAX_ROUNDS: usize = 64;

/// What the trace shows about the formula in its first state; `None`: nothing.
pub fn shows(system: &System, trace: &Trace, formula: &Formula) -> Result<Option<bool>, String> {
    if trace.states.is_empty() {
        return Err("the trace is empty".into());
    }
    match formula {
        Formula::Ctl(formula) => {
            let values = Branching { system, trace }.values(formula)?;
            Ok(values[0])
        }
        Formula::Invariant(id) => {
            let end = trace.states.len() - 1;
            // A condition on steps is one on the last step.
            let good = match (system.speaks_of_steps(*id), end.checked_sub(1)) {
                (false, _) => holds(system, *id, &trace.states[end])?,
                (true, Some(before)) => {
                    let situation = Situation {
                        now: &trace.states[before],
                        after: Some(&trace.states[end]),
                    };
                    possible_values(system, *id, situation)? == [Value::Boolean(true)]
                }
                (true, None) => return Ok(None),
            };
            Ok((!good).then_some(false))
        }
        Formula::Ltl(formula) => match trace.loop_start {
            Some(start) => {
                let path = Linear::new(system, trace, start, formula)?;
                Ok(Some(path.values(formula)?[0]))
            }
            None => Ok(None),
        },
        Formula::PathLength { .. } => Ok(None),
    }
}

fn holds(system: &System, id: ExpressionId, now: &[Value]) -> Result<bool, String> {
    let situation = Situation { now, after: None };
    Ok(possible_values(system, id, situation)? == [Value::Boolean(true)])
}

struct Branching<'a> {
    system: &'a System,
    trace: &'a Trace,
}

type Known = Vec<Option<bool>>;

impl Branching<'_> {
    fn len(&self) -> usize {
        self.trace.states.len()
    }

    /// The positions from one on, in the order in which the path meets them, each once.
    fn onwards(&self, from: usize) -> impl Iterator<Item = usize> + use<> {
        let again = self.trace.loop_start.map_or(from, |start| start + 1);
        (from..self.len()).chain(again.min(from)..from)
    }

    /// The value at each position of the path.
    fn values(&self, formula: &Ctl) -> Result<Known, String> {
        let values = match formula {
            Ctl::Atom(id) => {
                let value = |state: &Vec<Value>| holds(self.system, *id, state).map(Some);
                self.trace
                    .states
                    .iter()
                    .map(value)
                    .collect::<Result<_, _>>()?
            }
            Ctl::Not(a) => self
                .values(a)?
                .iter()
                .map(|value| value.map(|v| !v))
                .collect(),
            Ctl::And(parts) => self.chain(parts, true)?,
            Ctl::Or(parts) => self.chain(parts, false)?,
            Ctl::Ex(a) => self.next(a, true)?,
            Ctl::Ax(a) => self.next(a, false)?,
            Ctl::Ef(None, a) => self.some_day(a, true)?,
            Ctl::Ag(None, a) => self.some_day(a, false)?,
            Ctl::Eg(None, a) => self.for_ever(a, true)?,
            Ctl::Af(None, a) => self.for_ever(a, false)?,
            Ctl::Eu(None, a, b) => self.until(a, b)?,
            Ctl::Au(None, a, b) => self.not_until(a, b)?,
            _ => vec![None; self.len()], // bounded forms
        };
        Ok(values)
    }

    /// Conjunction (`and`) or disjunction: one part that decides is enough.
    fn chain(&self, parts: &[Ctl], and: bool) -> Result<Known, String> {
        let mut values = vec![Some(and); self.len()];
        for part in parts {
            for (value, new) in values.iter_mut().zip(self.values(part)?) {
                *value = match (*value, new) {
                    (Some(v), _) | (_, Some(v)) if v != and => Some(!and),
                    (Some(_), Some(_)) => Some(and),
                    _ => None,
                };
            }
        }
        Ok(values)
    }

    fn next(&self, a: &Ctl, wanted: bool) -> Result<Known, String> {
        let inner = self.values(a)?;
        let after = |position: usize| match self.trace.loop_start {
            Some(start) if position + 1 == self.len() => inner.get(start + 1),
            _ => inner.get(position + 1),
        };
        let value = |position| after(position).copied().flatten().filter(|v| *v == wanted);
        Ok((0..self.len()).map(value).collect())
    }

    /// `EF a` (wanted true) or `AG a` (false).
    fn some_day(&self, a: &Ctl, wanted: bool) -> Result<Known, String> {
        let inner = self.values(a)?;
        let value = |from| {
            self.onwards(from)
                .any(|at| inner[at] == Some(wanted))
                .then_some(wanted)
        };
        Ok((0..self.len()).map(value).collect())
    }

    /// `EG a` (wanted true) or `AF a` (false): on an endless path.
    fn for_ever(&self, a: &Ctl, wanted: bool) -> Result<Known, String> {
        if self.trace.loop_start.is_none() {
            return Ok(vec![None; self.len()]);
        }
        let inner = self.values(a)?;
        let value = |from| {
            self.onwards(from)
                .all(|at| inner[at] == Some(wanted))
                .then_some(wanted)
        };
        Ok((0..self.len()).map(value).collect())
    }

    fn until(&self, a: &Ctl, b: &Ctl) -> Result<Known, String> {
        let (a, b) = (self.values(a)?, self.values(b)?);
        let value = |from| {
            for at in self.onwards(from) {
                if b[at] == Some(true) {
                    return Some(true);
                }
                if a[at] != Some(true) {
                    return None;
                }
            }
            None
        };
        Ok((0..self.len()).map(value).collect())
    }

    fn not_until(&self, a: &Ctl, b: &Ctl) -> Result<Known, String> {
        let (a, b) = (self.values(a)?, self.values(b)?);
        let value = |from| {
            for at in self.onwards(from) {
                if b[at] != Some(false) {
                    return None;
                }
                if a[at] == Some(false) {
                    return Some(false);
                }
            }
            self.trace.loop_start.map(|_| false)
        };
        Ok((0..self.len()).map(value).collect())
    }
}

/// An endless path, its loop unrolled until the past looks the same in each further round: every
/// operator of the past needs one round more.
struct Linear<'a> {
    system: &'a System,
    states: Vec<&'a [Value]>,
    /// Where the last round starts; the path goes on there after its end.
    start: usize,
}

impl<'a> Linear<'a> {
    fn new(
        system: &'a System,
        trace: &'a Trace,
        start: usize,
        formula: &Ltl,
    ) -> Result<Linear<'a>, String> {
        let rounds = 1 + past_operators(formula);
        let end = trace.states.len() - 1; // the last state is the first of the loop again
        if start >= end || rounds > MAX_ROUNDS {
            return Err(
                "the loop is empty, or the formula has too many operators of the past".into(),
            );
        }
        let mut states: Vec<&[Value]> = trace.states[..end].iter().map(Vec::as_slice).collect();
        for _ in 1..rounds {
            states.extend(trace.states[start..end].iter().map(Vec::as_slice));
        }
        let start = start + (rounds - 1) * (end - start);
        Ok(Linear {
            system,
            states,
            start,
        })
    }

    fn values(&self, formula: &Ltl) -> Result<Vec<bool>, String> {
        let length = self.states.len();
        Ok(match formula {
            Ltl::Atom(id) => {
                let value = |at: usize| {
                    let after = self.states[if at + 1 < length { at + 1 } else { self.start }];
                    let situation = Situation {
                        now: self.states[at],
                        after: Some(after),
                    };
                    let values = possible_values(self.system, *id, situation)?;
                    Ok::<bool, String>(values == [Value::Boolean(true)])
                };
                (0..length).map(value).collect::<Result<_, _>>()?
            }
            Ltl::Not(a) => self.values(a)?.iter().map(|value| !value).collect(),
            Ltl::And(parts) => self.fold(parts, true)?,
            Ltl::Or(parts) => self.fold(parts, false)?,
            Ltl::Next(a) => {
                let inner = self.values(a)?;
                (0..length)
                    .map(|at| inner[if at + 1 < length { at + 1 } else { self.start }])
                    .collect()
            }
            Ltl::Until(a, b) => {
                let (a, b) = (self.values(a)?, self.values(b)?);
                let mut values = vec![false; length];
                // Twice around: the second time, the end knows what the start of the loop says.
                for _ in 0..2 {
                    for at in (0..length).rev() {
                        let after = values[if at + 1 < length { at + 1 } else { self.start }];
                        values[at] = b[at] || (a[at] && after);
                    }
                }
                values
            }
            Ltl::Yesterday(a) => {
                let inner = self.values(a)?;
                (0..length).map(|at| at > 0 && inner[at - 1]).collect()
            }
            Ltl::Since(a, b) => {
                let (a, b) = (self.values(a)?, self.values(b)?);
                let mut before = false;
                (0..length)
                    .map(|at| {
                        before = b[at] || (a[at] && before);
                        before
                    })
                    .collect()
            }
        })
    }

    fn fold(&self, parts: &[Ltl], and: bool) -> Result<Vec<bool>, String> {
        let mut values = vec![and; self.states.len()];
        for part in parts {
            for (value, new) in values.iter_mut().zip(self.values(part)?) {
                *value = if and { *value && new } else { *value || new };
            }
        }
        Ok(values)
    }
}

fn past_operators(formula: &Ltl) -> usize {
    match formula {
        Ltl::Atom(_) => 0,
        Ltl::Not(a) | Ltl::Next(a) => past_operators(a),
        Ltl::Yesterday(a) => 1 + past_operators(a),
        Ltl::And(parts) | Ltl::Or(parts) => parts.iter().map(past_operators).sum(),
        Ltl::Until(a, b) => past_operators(a) + past_operators(b),
        Ltl::Since(a, b) => 1 + past_operators(a) + past_operators(b),
    }
}
