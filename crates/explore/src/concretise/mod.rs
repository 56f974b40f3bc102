//! From a symbolic trace to a run with exact times.
//!
//! The transitions are followed once more with exact zones. All their constraints are differences of the times t₀ ≤ t₁ ≤ … of
//! the transitions, since a clock's value is the present time less that of its last update. With K + 2 such times
//! a system of difference constraints that has a solution has one in multiples of 1/N for any N ≥ K + 2, even if `< c`
//! is taken as `≤ c − 1/N`: a cycle of constraints passes each time at most once. So everything is multiplied by N
//! and computed in integers: zones forwards (`forward`), then one valuation after the other backwards (`backward`).
//!
//! With stopwatches the constraints are no differences, zones are over-approximated and the backward pass may fail:
//! then nothing is claimed.

mod backward;
mod forward;
mod grid;

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
