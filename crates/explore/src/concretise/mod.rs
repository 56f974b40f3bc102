//! From a symbolic trace to a run with exact times.
//!
//! What transitions ask of clocks are differences of their times t₀ ≤ t₁ ≤ …, since a clock's value is the present time less
//! that of its last update. `events` collects these and finds the earliest times that satisfy them (`times`): a step costs
//! what it changes. Where something is a choice (urgent or broadcast guards on clocks, priorities, deadlock, what must
//! hold all along) the transitions are followed with exact zones instead. With K + 2 times
//! a system of difference constraints that has a solution has one in multiples of 1/N for any N ≥ K + 2, even if `< c`
//! is taken as `≤ c − 1/N`: a cycle of constraints passes each time at most once. So everything is multiplied by N
//! and computed in integers: zones forwards (`forward`), then one valuation after the other backwards (`backward`).
//!
//! With stopwatches the constraints are no differences, zones are over-approximated and the backward pass may fail:
//! then nothing is claimed.

mod backward;
mod events;
mod forward;
mod grid;
mod times;

use merkhet_network::{Ending, Step, Trace};
use merkhet_semantics::{EdgeIndex, Fault, GoalId, System};
use merkhet_zones::Federation;

use crate::trace::SymbolicTrace;

/// Why there is no concrete run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NotConcrete {
    /// An evaluation failed.
    Fault(Fault),
    /// The transitions cannot be followed. Without stopwatches that is an error of the engine.
    Infeasible,
    /// A clock stands still on the way, and no times were found; they may exist.
    Unconfirmed,
    /// The zones on the way fall into too many parts to try them all.
    TooManyParts,
}

impl From<Fault> for NotConcrete {
    fn from(fault: Fault) -> NotConcrete {
        NotConcrete::Fault(fault)
    }
}

/// What must hold after the last transition and the last delay.
#[derive(Clone, Copy, Debug, Default)]
pub struct Target<'a> {
    /// A formula.
    pub goal: Option<GoalId>,
    /// Zones of which one must hold, for states of interest that no formula describes.
    pub zones: Option<&'a Federation>,
    /// The row of a clock whose final value is to be as small as possible (least time).
    pub smallest: Option<usize>,
    /// What must hold along the way.
    pub throughout: Option<Throughout>,
}

/// A formula that holds at every moment from some state on (maximal runs).
#[derive(Clone, Copy, Debug)]
pub struct Throughout {
    /// The formula.
    pub keep: GoalId,
    /// The number of transitions after which it holds.
    pub from: usize,
    /// There it needs to hold only from a moment on at which this formula holds.
    pub trigger: Option<GoalId>,
}

/// Finds times for a symbolic trace.
pub fn concretise(system: &System, trace: &SymbolicTrace) -> Result<Trace, NotConcrete> {
    let target = Target {
        goal: trace.goal,
        ..Target::default()
    };
    concretise_to(system, &trace.transitions, target)
}

/// Finds times for a sequence of transitions such that the target holds in the end.
pub fn concretise_to(
    system: &System,
    transitions: &[Vec<EdgeIndex>],
    target: Target<'_>,
) -> Result<Trace, NotConcrete> {
    if let Some(trace) = events::concretise(system, transitions, target) {
        return Ok(trace);
    }
    with_zones(system, transitions, target)
}

/// Finds times with a matrix for each step.
fn with_zones(
    system: &System,
    transitions: &[Vec<EdgeIndex>],
    target: Target<'_>,
) -> Result<Trace, NotConcrete> {
    let scale = transitions.len() as i64 + 4;
    let path = forward::follow(system, transitions, target)?;
    let zones = forward::on_grid(&path, system.dimension(), scale).ok_or(failure(system))?;
    let delays = backward::delays(&path, &zones, system.dimension(), scale, target.smallest)
        .ok_or(failure(system))?;
    // What passes within one state is one delay.
    let mut merged: Vec<i64> = Vec::with_capacity(delays.len());
    for (leg, delay) in path.iter().zip(delays) {
        match merged.last_mut() {
            Some(before) if leg.continues => *before += delay,
            _ => merged.push(delay),
        }
    }
    Ok(assemble(system, transitions, scale, &merged))
}

fn failure(system: &System) -> NotConcrete {
    match system.over_approximate() {
        true => NotConcrete::Unconfirmed,
        false => NotConcrete::Infeasible,
    }
}

/// Puts the delays (one before each transition, one at the end) into a trace, in lowest terms.
fn assemble(system: &System, transitions: &[Vec<EdgeIndex>], scale: i64, delays: &[i64]) -> Trace {
    let divisor = delays.iter().fold(scale, |divisor, delay| {
        greatest_common_divisor(divisor, *delay)
    });
    let steps = (transitions.iter().zip(delays))
        .map(|(edges, delay)| Step {
            delay: delay / divisor,
            transition: system.transition(edges),
        })
        .collect();
    Trace {
        scale: scale / divisor,
        steps,
        last_delay: delays.last().map_or(0, |delay| delay / divisor),
        ending: Ending::State,
    }
}

fn greatest_common_divisor(mut a: i64, mut b: i64) -> i64 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

#[cfg(test)]
mod tests {
    use std::ops::ControlFlow;

    use merkhet_analysis::Demand;
    use merkhet_network::{Formula, Network, Query, QueryKind, SiteId};
    use merkhet_semantics::{
        Course, EdgeIndex, Explorer, GoalId, NoCourse, Options, State, System,
    };
    use merkhet_testing::{Profile, Random, generate};

    use super::{Target, events, with_zones};

    /// A random path, as far as it goes.
    fn path(system: &System, random: &mut Random, most: usize) -> Vec<Vec<EdgeIndex>> {
        let mut explorer = Explorer::exact(system);
        let mut path = Vec::new();
        let mut at = None;
        let _ = explorer.initial(&mut |state| {
            at = Some((state.state.memory.to_vec(), state.state.zone.to_vec()));
            ControlFlow::Break(())
        });
        while let Some((memory, zone)) = at.take().filter(|_| path.len() < most) {
            let mut next = Vec::new();
            let state = State {
                memory: &memory,
                zone: &zone,
            };
            let result = explorer.successors(state, &mut |found| {
                let target = (found.state.memory.to_vec(), found.state.zone.to_vec());
                next.push((found.edges.to_vec(), target));
                ControlFlow::Continue(())
            });
            if result.is_err() || next.is_empty() {
                break;
            }
            let (edges, target) = next.swap_remove(random.below(next.len()));
            path.push(edges);
            at = Some(target);
        }
        path
    }

    /// Whether the times of a path's transitions are differences, as far as its course is concerned.
    fn has_course(system: &System, path: &[Vec<EdgeIndex>]) -> bool {
        let follow = || {
            let (mut course, _) = Course::new(system)?;
            path.iter()
                .try_for_each(|edges| course.take(edges).map(drop))?;
            course.ways(GoalId(0), 1).map(drop)
        };
        follow() != Err(NoCourse::Zones)
    }

    fn goal(network: &Network, queries: &[Query], seed: u64) -> Formula {
        let formula = queries.iter().find_map(|query| match &query.kind {
            QueryKind::Possibly(formula) => Some(formula.clone()),
            QueryKind::Invariantly(formula) => Some(Formula::Not(Box::new(formula.clone()))),
            _ => None,
        });
        assert!(!network.processes.is_empty(), "seed {seed}");
        formula.unwrap_or(Formula::And(Vec::new()))
    }

    #[test]
    fn times_are_found_without_zones_exactly_where_they_are_with_them() {
        let (mut with, mut without) = (0, 0);
        for (name, profile) in Profile::named() {
            for seed in 0..150 {
                let (network, queries) = generate(seed, &profile);
                let formula = goal(&network, &queries, seed);
                let options = Options {
                    demand: Demand {
                        formulas: &[&formula],
                        ..Demand::default()
                    },
                    ..Options::default()
                };
                let system = System::new(&network, &options).expect("a system");
                let path = path(&system, &mut Random::new(seed), 8);
                for goal in [None, Some(GoalId(0))] {
                    let target = Target {
                        goal,
                        ..Target::default()
                    };
                    let found = events::concretise(&system, &path, target);
                    let expected = with_zones(&system, &path, target);
                    let context = format!("{name} {seed} {path:?}");
                    match (&found, &expected) {
                        (Some(_), Ok(_)) => with += 1,
                        (Some(found), Err(why)) => panic!("{context}: {why:?}, but {found:?}"),
                        (None, Ok(run)) if has_course(&system, &path) => {
                            panic!("{context}: not found: {run:?}")
                        }
                        (None, _) => without += 1,
                    }
                    let query = Query {
                        text: String::new(),
                        comment: String::new(),
                        kind: match goal {
                            Some(_) => QueryKind::Possibly(formula.clone()),
                            None => QueryKind::Explore,
                        },
                        site: SiteId::NONE,
                    };
                    if let Some(run) = &found {
                        merkhet_replay::judge_trace(&network, &query, run)
                            .unwrap_or_else(|rejection| panic!("{context}: {rejection}: {run:?}"));
                    }
                }
            }
        }
        assert!(
            with > 500 && without > 100,
            "{with} with, {without} without"
        );
    }
}
