//! Least time: a trace that reaches the goal as early as possible.
//!
//! A clock is added that is never reset. States are taken in the order of its lower bound, and the search ends when no
//! waiting state has a smaller one than the best goal found. A trace that is known already gives a bound T on the time:
//! the goal must be met by then, so that the added clock has finitely many values that matter, and no state after T is
//! expanded. T is a part of the goal and no invariant, which would make deadlocks of its own.
//!
//! The infimum may not be reached: with `x > 5` on the way it is 5, but every run takes longer.

use merkhet_analysis::Demand;
use merkhet_network::{
    Clock, ClockConstraint, ClockId, Expr, Formula, MAX_CLOCK_CONSTANT, Network, SiteId, Trace,
};
use merkhet_semantics::{CompileError, GoalId, Options, System};

use crate::concretise::{NotConcrete, Target, concretise_to};
use crate::heuristic::Blind;
use crate::limits::Progress;
use crate::search::{Config, Failure, search};
use crate::statistics::Statistics;
use crate::strategy::Strategy;
use crate::trace::SymbolicTrace;
use crate::verdict::{StopReason, Verdict};

/// The earliest moment at which the goal can be reached.
#[derive(Clone, PartialEq, Debug)]
pub struct Fastest {
    /// The infimum of the times.
    pub time: u64,
    /// The infimum itself is not reached: every run takes longer.
    pub exceeded: bool,
    /// A run that takes no longer, or as little longer as its steps permit.
    pub trace: Trace,
    /// What the search did.
    pub statistics: Statistics,
}

/// Why least time is not known.
#[derive(Clone, PartialEq, Debug)]
pub enum NotFastest {
    /// The network with one more clock is too large.
    Compile(CompileError),
    /// An evaluation failed.
    Failure(Box<Failure>),
    /// A limit was reached.
    Stopped(StopReason),
    /// The run could not be made concrete.
    NotConcrete(NotConcrete),
    /// The known trace takes longer than clocks can measure.
    TooLong,
    /// The known trace does not exist: an error of the engine.
    Contradiction,
}

/// Looks for the least time in which a formula can be made true, given a run that makes it true.
pub fn fastest(
    network: &Network,
    goal: &Formula,
    known: &Trace,
    config: &Config<'_>,
    observe: &mut dyn FnMut(&Progress),
) -> Result<Fastest, NotFastest> {
    let limit = duration(known).ok_or(NotFastest::TooLong)?;
    let (timed, deadline) = with_deadline(network, limit);
    let goal = Formula::And(vec![goal.clone(), deadline]);
    let formulas = [&goal];
    let options = Options {
        demand: Demand {
            formulas: &formulas,
            ..Demand::default()
        },
        ..Options::default()
    };
    let system = System::new(&timed, &options).map_err(NotFastest::Compile)?;
    let row = timed.clocks.len();
    let config = Config {
        strategy: Strategy::LeastTime(row),
        goal: Some(GoalId(0)),
        bitstate: None,
        ..*config
    };
    let outcome = search(&system, &config, &mut Blind, observe).map_err(NotFastest::Failure)?;
    let trace = match outcome.verdict {
        Verdict::Reachable(trace) => trace,
        Verdict::Unreachable(_) => return Err(NotFastest::Contradiction),
        Verdict::Unknown(reason) => return Err(NotFastest::Stopped(reason)),
    };
    finish(&system, row, &trace, outcome.statistics)
}

fn finish(
    system: &System,
    row: usize,
    trace: &SymbolicTrace,
    statistics: Statistics,
) -> Result<Fastest, NotFastest> {
    let target = Target {
        goal: trace.goal,
        smallest: Some(row),
        ..Target::default()
    };
    let trace =
        concretise_to(system, &trace.transitions, target).map_err(NotFastest::NotConcrete)?;
    let total: i64 = trace.steps.iter().map(|step| step.delay).sum::<i64>() + trace.last_delay;
    Ok(Fastest {
        time: total.div_euclid(trace.scale) as u64,
        exceeded: total.rem_euclid(trace.scale) != 0,
        trace,
        statistics,
    })
}

/// The whole time units that a run takes, rounded up.
fn duration(trace: &Trace) -> Option<i32> {
    let delays = trace.steps.iter().map(|step| i128::from(step.delay));
    let total: i128 = delays.sum::<i128>() + i128::from(trace.last_delay);
    let units = total.div_euclid(trace.scale.into())
        + i128::from(total.rem_euclid(trace.scale.into()) != 0);
    i32::try_from(units)
        .ok()
        .filter(|units| *units <= MAX_CLOCK_CONSTANT)
}

/// The network with a clock that is never reset, and that it does not exceed the limit.
fn with_deadline(network: &Network, limit: i32) -> (Network, Formula) {
    let mut network = network.clone();
    let clock = ClockId::from(network.clocks.len());
    network.clocks.push(Clock {
        name: "time".into(),
        owner: None,
    });
    let deadline = ClockConstraint {
        condition: None,
        left: Some(clock),
        right: None,
        strict: false,
        bound: Expr::Const(limit),
        site: SiteId::NONE,
    };
    (network, Formula::Clock(deadline))
}
