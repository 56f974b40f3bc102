//! What lies ahead of one concrete state if nothing but time passes.
//!
//! Along a delay every constraint on clocks changes its truth at most once or twice, at moments that are known
//! exactly. Between two neighbouring moments nothing changes. So the whole future under delay is decided by finitely
//! many samples: each such moment, one point in each gap between two of them, and one point after the last.

use std::collections::BTreeSet;

use crate::condition::Condition;
use crate::fault::Fault;
use crate::moves::{After, Move, after, moves, ready, urgent};
use crate::rules::{Atom, Discrete, Rules, all_hold};

/// A concrete state: values have row 0 (always 0) in front, in units of 1/scale.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Point {
    pub discrete: Discrete,
    pub values: Vec<i128>,
}

/// A moment, or an open interval between two moments, of the time ahead.
#[derive(Clone, Debug)]
struct Sample {
    /// Delay in half units, so that the middle between two moments is a number.
    at: i128,
    gap: bool,
    values: Vec<i128>,
}

/// The time ahead of a state.
pub(crate) struct Outlook {
    /// Twice the trace's scale: the unit of the samples.
    scale: i128,
    samples: Vec<Sample>,
    /// How many of the samples, from the first, can be reached by delay.
    reachable: usize,
    /// For each sample, whether a transition is possible there; only if it was asked for.
    active: Vec<bool>,
    endless: bool,
}

impl Outlook {
    /// Looks ahead of a state. The conditions' truth and the moments `delays` are resolved by the samples; whether
    /// transitions are possible is found out only if `actions` is set.
    pub(crate) fn new(
        rules: Rules<'_>,
        point: &Point,
        scale: i64,
        conditions: &[&Condition],
        delays: &[i64],
        actions: bool,
    ) -> Result<Outlook, Fault> {
        let state = &point.discrete;
        let running = rules.running(state)?;
        let invariant = rules.invariant(state)?.unwrap_or_default();
        let frozen = rules.frozen(state);
        let ready = ready_if(rules, state, actions || has_urgent(rules))?;
        let urgent = urgent(rules, &ready);
        let mut atoms = invariant.clone();
        conditions.iter().for_each(|c| c.atoms(&mut atoms));
        atoms.extend(urgent.iter().flatten());

        let mut line = Line {
            values: point.values.iter().map(|value| value * 2).collect(),
            scale: i128::from(scale) * 2,
            running,
            moments: delays.iter().map(|d| i128::from(*d) * 2).collect(),
        };
        let mut candidates = if actions {
            moves(rules, state, &ready)?
        } else {
            Vec::new()
        };
        // The highest priority first: it decides where the others are executed.
        candidates.sort_by_key(|candidate| std::cmp::Reverse(candidate.priority));
        for candidate in &candidates {
            atoms.extend(&candidate.guard);
            atoms.extend(candidate.excluded.iter().flatten());
        }
        line.add(&atoms);
        let mut samples = line.samples(frozen);
        let mut reachable = reach(&samples, line.scale, &invariant, &urgent);

        let mut options = Vec::new();
        for wanted in &candidates {
            let here = |sample: &Sample| {
                guarded(wanted, &sample.values, line.scale)
                    && !exists(&options, sample, line.scale, Some(wanted.priority))
            };
            // Only what can be met is executed: an update that nothing leads to must not cause a fault.
            if samples[..reachable].iter().any(here)
                && let Some(next) = after(rules, state, &wanted.edges)?
            {
                line.add(&next.entry);
                options.push((wanted, next));
                samples = line.samples(frozen);
                reachable = reach(&samples, line.scale, &invariant, &urgent);
            }
        }
        let active = samples
            .iter()
            .map(|sample| exists(&options, sample, line.scale, None))
            .collect();
        Ok(Outlook {
            scale: line.scale,
            endless: reachable == samples.len() && !frozen,
            samples,
            reachable,
            active,
        })
    }

    /// Whether the network allows this delay.
    pub(crate) fn allows(&self, delay: i64) -> bool {
        self.index(delay).is_some()
    }

    fn index(&self, delay: i64) -> Option<usize> {
        let at = i128::from(delay) * 2;
        self.samples[..self.reachable]
            .iter()
            .position(|sample| sample.at == at && !sample.gap)
    }

    /// Whether no transition is possible at a sample nor at a later one.
    fn deadlock(&self, from: usize) -> bool {
        from >= self.reachable || !self.active[from..self.reachable].contains(&true)
    }

    /// Whether the state is a deadlock. Needs `actions`.
    pub(crate) fn is_deadlock(&self) -> bool {
        self.deadlock(0)
    }

    /// Whether time can pass without end.
    pub(crate) fn diverges(&self) -> bool {
        self.endless
    }

    /// The truth of a condition at every sample up to a delay (`None`: all that can be reached).
    pub(crate) fn truth(
        &self,
        condition: &Condition,
        until: Option<i64>,
    ) -> Result<Vec<bool>, Fault> {
        let end = match until {
            Some(delay) => self.index(delay).map_or(0, |index| index + 1),
            None => self.reachable,
        };
        let deadlock = condition.asks_deadlock();
        (0..end)
            .map(|index| {
                let values = &self.samples[index].values;
                condition.holds(values, self.scale, deadlock && self.deadlock(index))
            })
            .collect()
    }
}

fn has_urgent(rules: Rules<'_>) -> bool {
    rules.network.channels.iter().any(|channel| channel.urgent)
}

fn ready_if(
    rules: Rules<'_>,
    state: &Discrete,
    wanted: bool,
) -> Result<Vec<crate::moves::Ready>, Fault> {
    if wanted {
        ready(rules, state)
    } else {
        Ok(Vec::new())
    }
}

/// Whether a move's guard holds and none of its exclusions does.
pub(crate) fn guarded(candidate: &Move, values: &[i128], scale: i128) -> bool {
    all_hold(&candidate.guard, values, scale)
        && !candidate
            .excluded
            .iter()
            .any(|conjunction| all_hold(conjunction, values, scale))
}

struct Line {
    values: Vec<i128>,
    scale: i128,
    running: Vec<bool>,
    moments: BTreeSet<i128>,
}

impl Line {
    /// Adds the moments at which constraints change.
    fn add(&mut self, atoms: &[Atom]) {
        for atom in atoms {
            let missing = i128::from(atom.bound) * self.scale
                - (self.values[atom.left] - self.values[atom.right]);
            let moment = match (self.running[atom.left], self.running[atom.right]) {
                (true, false) => missing,
                (false, true) => -missing,
                _ => continue,
            };
            if moment > 0 {
                self.moments.insert(moment);
            }
        }
    }

    fn sample(&self, at: i128, gap: bool) -> Sample {
        let grow = |(value, running): (&i128, &bool)| value + if *running { at } else { 0 };
        Sample {
            at,
            gap,
            values: self.values.iter().zip(&self.running).map(grow).collect(),
        }
    }

    fn samples(&self, frozen: bool) -> Vec<Sample> {
        let mut samples = vec![self.sample(0, false)];
        if frozen {
            return samples;
        }
        let mut last = 0;
        for &moment in self.moments.range(1..) {
            samples.push(self.sample((last + moment) / 2, true));
            samples.push(self.sample(moment, false));
            last = moment;
        }
        samples.push(self.sample(last + 1, true));
        samples
    }
}

/// Whether one of the moves is there at a moment: one of higher priority than the given one, or any.
fn exists(
    options: &[(&Move, After)],
    sample: &Sample,
    scale: i128,
    above: Option<(i32, i32)>,
) -> bool {
    options.iter().any(|(option, next)| {
        above.is_none_or(|priority| option.priority > priority)
            && guarded(option, &sample.values, scale)
            && all_hold(&next.entry, &sample.values, scale)
    })
}

/// How many samples can be reached: invariants hold up to there, and nothing urgent is possible before.
fn reach(samples: &[Sample], scale: i128, invariant: &[Atom], urgent: &[Vec<Atom>]) -> usize {
    let hurried = |sample: &Sample| {
        urgent
            .iter()
            .any(|conjunction| all_hold(conjunction, &sample.values, scale))
    };
    let mut reached = 1;
    while let Some(next) = samples.get(reached) {
        // Whoever is inside a gap has been inside it before: a gap with something urgent cannot be entered.
        if !all_hold(invariant, &next.values, scale)
            || hurried(&samples[reached - 1])
            || (next.gap && hurried(next))
        {
            break;
        }
        reached += 1;
    }
    reached
}
