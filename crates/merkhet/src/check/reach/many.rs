//! Several different runs that show the same answer, short ones first.
//!
//! Breadth first over paths rather than states: a symbolic state may be expanded as often as runs are asked for, since
//! the k shortest paths to a goal pass through any state at most k times. A run ends at the first goal on its way.

use std::time::Instant;

use merkhet_analysis::Demand;
use merkhet_explore::{
    Blind, Budget, Config as SearchConfig, Plain, Search, Status, SymbolicTrace, Watch,
};
use merkhet_network::{Formula, Network, Query, QueryKind};
use merkhet_replay::Replayed;
use merkhet_semantics::{Explorer, GoalId, Options, System};

use super::limits;
use crate::check::evidence::{self, Evidence};
use crate::config::{Config, Phase};
use crate::failure::Failure;
use crate::tuning;
use crate::why::Why;

/// Runs that show the same answer.
#[derive(Clone, Debug)]
pub struct Traces {
    /// They differ in their transitions, short ones first.
    pub runs: Vec<Replayed>,
    /// Why there may be more, if there may: a limit.
    pub ended: Option<Why>,
}

/// Up to `number` runs that differ in their transitions, for `E<>` and `A[]`; fewer where there are fewer, or where a
/// limit is reached. The limits count from now on.
pub fn all_traces(
    network: &Network,
    query: &Query,
    config: &Config,
    number: usize,
) -> Result<Traces, Failure> {
    let goal = match &query.kind {
        QueryKind::Possibly(goal) => goal.clone(),
        QueryKind::Invariantly(formula) => Formula::Not(Box::new(formula.clone())),
        _ => {
            let message = "several traces can be had for E<> and A[] only";
            return Err(Failure::NotPermitted(message.into()));
        }
    };
    let start = Instant::now();
    config.limits.phase.enter(Phase::Traces);
    let demand = Demand {
        formulas: &[&goal],
        ..Demand::default()
    };
    let options = Options {
        demand,
        tuning: Some(&config.tuning),
        ..Options::default()
    };
    let system = System::new(network, &options).map_err(Failure::too_large)?;
    let watch = Watch::since(start, limits(&config.limits, 1));
    let explorer = Explorer::new(&system).cancelled_by(watch.cancellation());
    let times = u32::try_from(number).unwrap_or(u32::MAX);
    let paths = Plain::new(&system)
        .paths(times)
        .at_most(config.tuning.count(&tuning::PATHS));
    let breadth_first = SearchConfig {
        goal: Some(GoalId(0)),
        limits: limits(&config.limits, 1),
        ..SearchConfig::default()
    };
    let mut guide = Blind;
    let mut search = Search::of(
        &system,
        explorer,
        paths,
        watch.clone(),
        &breadth_first,
        &mut guide,
    )
    .collecting(number);
    let mut ended = match search.advance(Budget::UNLIMITED, &mut |_| {}) {
        Status::Limit(reason) => Some(Why::Limit(reason)),
        Status::Refused => Some(Why::TooManyPaths),
        Status::Found | Status::Exhausted | Status::BudgetSpent | Status::Fault => None,
    };
    if let Some((fault, _)) = search.fault() {
        return Err(Failure::of(network, fault));
    }
    let mut runs = Vec::new();
    for goal in search.goals() {
        // The first run was asked for anyway; each of the others takes its time.
        if let (false, Some(reason)) = (runs.is_empty(), watch.ended()) {
            ended = Some(Why::Limit(reason));
            break;
        }
        let trace = SymbolicTrace::to(search.passed(), *goal, Some(GoalId(0)));
        if let Evidence::Accepted(run) = evidence::concrete(network, query, &system, &trace)? {
            runs.push(*run);
        }
    }
    Ok(Traces { runs, ended })
}
