//! Deciding a query.
//!
//! Reachability (`reach`), maximal runs (`maximal`) and ranges of values (`range`) are three searches over the same
//! transition system, of the network as it is or of a smaller one (`reduced`). What they find is made concrete and judged (`evidence`) before it is reported.

mod abreast;
mod again;
mod alone;
mod declared;
pub(crate) mod evidence;
pub mod explain;
mod kept;
mod lattice;
mod lattice_range;
mod many;
mod maximal;
mod range;
mod reach;
mod reduced;
mod remarks;
mod restarts;
mod separate;
mod unbounded;
mod walk;

use std::time::Instant;

use merkhet_explore::{Keeper, Progress};
use merkhet_network::{Formula, Network, OutOfRange, Query, QueryKind};
use merkhet_replay as replay;

pub use kept::{check_kept, fingerprint};
pub use many::{Traces, all_traces};

use crate::config::{Config, Order, Phase};
use crate::failure::Failure;
use crate::report::Report;

/// Decides a query. `observe` is called now and then while the search runs.
pub fn check(
    network: &Network,
    query: &Query,
    config: &Config,
    observe: &mut dyn FnMut(&Progress),
) -> Result<Report, Failure> {
    if let Order::Walk(spec) = config.order() {
        return walk::check(network, query, config, spec, observe);
    }
    let start = Instant::now();
    if let Some(alone) = alone::settings(query, config) {
        let first = check(network, query, &alone, observe);
        return alone::or_with_threads(network, query, config, observe, first, start);
    }
    match decide(network, query, config, observe, None) {
        Err(fault) => again::breadth_first(network, query, config, observe, fault, start),
        decided => decided,
    }
}

/// Decides a query by search, and what no search has decided by the declarations, if they do; says what the answer does not
/// show.
fn decide<'a>(
    network: &'a Network,
    query: &'a Query,
    config: &'a Config,
    observe: &'a mut dyn FnMut(&Progress),
    keeper: Option<&'a mut (dyn Keeper + 'a)>,
) -> Result<Report, Failure> {
    let grounds = declared::foresee(network, query, config.limits.timeout);
    let report = match explore(network, query, config, observe, keeper) {
        Err(failure) => remarks::unconfirmed(network, config, failure)?,
        Ok(report) => report,
    };
    let report = remarks::without_meta(network, query, report);
    let report = declared::settle(query, grounds, report);
    Ok(remarks::without_end(network, query, report))
}

fn explore<'a>(
    network: &'a Network,
    query: &'a Query,
    config: &'a Config,
    observe: &'a mut dyn FnMut(&Progress),
    keeper: Option<&'a mut (dyn Keeper + 'a)>,
) -> Result<Report, Failure> {
    config
        .validate()
        .map_err(|error| Failure::NotPermitted(error.to_string()))?;
    config.limits.phase.enter(Phase::Preparing);
    initial_state(network)?;
    if let Some(result) = reduced::check(network, query, config, observe) {
        return result;
    }
    let mut task = Task {
        network,
        query,
        config,
        observe,
        keeper,
    };
    match &query.kind {
        QueryKind::Possibly(goal) => task.reach(Some(goal), true),
        QueryKind::Invariantly(formula) => task.reach(Some(&not(formula)), false),
        QueryKind::Explore => task.reach(None, false),
        QueryKind::PotentiallyAlways(keep) => task.maximal_run(None, keep, true),
        QueryKind::Eventually(formula) => task.maximal_run(None, &not(formula), false),
        QueryKind::LeadsTo(from, to) => {
            let keep = not(to);
            let trigger = Formula::And(vec![from.clone(), keep.clone()]);
            task.maximal_run(Some(&trigger), &keep, false)
        }
        QueryKind::Bounds {
            extremum,
            predicate,
            measures,
        } => task.range(*extremum, predicate, measures),
    }
}

/// Refuses a model whose initial state its own invariants forbid: it has no run at all, and every answer would be empty.
/// In flat models (TChecker's) that is a system without states and no error.
fn initial_state(network: &Network) -> Result<(), Failure> {
    if network.out_of_range == OutOfRange::Disable {
        return Ok(());
    }
    let Some(id) = replay::forbids_initial_state(network) else {
        return Ok(());
    };
    let process = network.process(id);
    let location = &process.locations[process.initial.index()];
    let (name, at) = (&process.name, &location.name);
    Err(Failure::Fault {
        message: format!(
            "the invariant of {name}.{at} does not hold in the initial state, so that the model has no run"
        ),
        site: None,
        trace: None,
        figures: None,
        limit: false,
    })
}

pub(crate) fn not(formula: &Formula) -> Formula {
    Formula::Not(Box::new(formula.clone()))
}

impl Task<'_> {
    /// Says what is being done.
    pub(crate) fn enter(&self, phase: Phase) {
        self.config.limits.phase.enter(phase);
    }
}

/// A query being decided.
pub(crate) struct Task<'a> {
    pub network: &'a Network,
    pub query: &'a Query,
    pub config: &'a Config,
    pub observe: &'a mut dyn FnMut(&Progress),
    /// Keeps the search, where that was asked for.
    pub keeper: Option<&'a mut (dyn Keeper + 'a)>,
}
