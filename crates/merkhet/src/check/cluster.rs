//! Deciding a query together with other processes.
//!
//! Every process is told the same and does the same until states are divided; the first one reports. What several processes do not
//! do is refused with a sentence, before anything begins.

use std::time::Instant;

use merkhet_explore::{
    self as search, ClusterFailure, Exchange, PartKeeper, ProcessShare, Progress, Strategy, Verdict,
};
use merkhet_lattices::Update;
use merkhet_network::{Formula, Network, Query, QueryKind};

use super::reach::{Outcome, prepare as prepare_guide, search_config};
use super::schedule::{Budget, Engine, Guide, Ran, Stage, Subject, When};
use super::{Goal, Task, goal_of, prepare, remarks};
use crate::config::{Config, Order, Phase, TraceKind};
use crate::failure::Failure;
use crate::report::Report;

/// The other processes, and what is written down beside them.
pub struct Cluster<'a> {
    /// The way to them.
    pub exchange: &'a mut dyn Exchange,
    /// Keeps the parts of the search, where that was asked for.
    pub keeper: Option<&'a mut dyn PartKeeper>,
    /// The number of this search, larger than those of the searches before.
    pub search: u64,
}

/// What came of a query in one of several processes.
pub struct ClusterReport {
    /// The report, in the first process.
    pub report: Option<Report>,
    /// What each process did, in the first one.
    pub processes: Vec<ProcessShare>,
}

/// A sentence about what several processes do not do; nothing if they decide such a query.
pub fn not_in_cluster(
    network: &Network,
    query: &Query,
    config: &Config,
    written_down: bool,
) -> Option<&'static str> {
    let order = config.order();
    let reduces = (config.reduce.as_ref()).is_some_and(|kinds| !kinds.is_empty());
    let lattice = config
        .lattice
        .is_some_and(|update| update != Update::Simple)
        || (!network.lattice_variables.is_empty() && config.lattice.is_none());
    let restarts = |goal: Option<&Formula>| Guide::new(config, order, 2, goal).restart(config);
    let goal = match &query.kind {
        QueryKind::Possibly(goal) => Some(goal),
        QueryKind::Invariantly(formula) => Some(formula),
        _ => None,
    };
    let complaints = [
        (
            matches!(
                query.kind,
                QueryKind::PotentiallyAlways(_) | QueryKind::Eventually(_) | QueryKind::LeadsTo(..)
            ),
            "several processes decide E<>, A[] and exploration; A<>, E[] and --> are for one process",
        ),
        (
            matches!(query.kind, QueryKind::Bounds { .. }),
            "several processes decide E<>, A[] and exploration; sup, inf and bounds are for one process",
        ),
        (
            config.diagrams.is_some(),
            "decision diagrams are for one process",
        ),
        (
            lattice,
            "covering and joining lattice elements is for one process; --lattice simple explores them one by one",
        ),
        (config.check_monotone, "--check-monotone is for one process"),
        (
            config.threads > 1,
            "a process of a cluster searches with one thread; start more processes instead of giving --threads",
        ),
        (config.bitstate, "--bitstate is for one process"),
        (reduces, "--reduce is for one process"),
        (
            config.certificate,
            "certificates are written by one process; leave --certificate or --hosts out",
        ),
        (
            matches!(order, Order::Walk(_)),
            "walks need no cluster: start them with different seeds",
        ),
        (
            matches!(order, Order::Fixed(Strategy::Preferred(_))),
            "preferred transitions belong to one order, which several processes do not keep; use greedy",
        ),
        (
            config.trace == TraceKind::Fastest,
            "runs that take the least time are found by one process",
        ),
        (
            config.trace == TraceKind::Short,
            "runs are made shorter by one process; --trace shortest finds shortest ones",
        ),
        (restarts(goal).is_some(), "restarts are for one process"),
        (config.databases_out, "--pdb-out is for one process"),
        (
            written_down && matches!(order, Order::Fixed(Strategy::Novelty(_))),
            "what is new is not written down; checkpoints are not for novelty",
        ),
    ];
    let found = complaints.into_iter().find(|(true_of, _)| *true_of);
    found.map(|(_, complaint)| complaint)
}

/// Decides a query together with other processes that are asked the same. `observe` is called now and then in the first one.
pub fn check_in_cluster(
    network: &Network,
    query: &Query,
    config: &Config,
    cluster: Cluster<'_>,
    observe: &mut dyn FnMut(&Progress),
) -> Result<ClusterReport, Failure> {
    if let Some(why) = not_in_cluster(network, query, config, cluster.keeper.is_some()) {
        return Err(Failure::NotPermitted(why.into()));
    }
    prepare(network, config)?;
    let (Goal::State(goal), wanted) = goal_of(query) else {
        let why = "this is no question for several processes";
        return Err(Failure::Internal(why.into()));
    };
    let begun = Instant::now();
    let guide = guide(config, goal.as_deref());
    let stage = Stage {
        name: "search",
        engine: Engine::Zones,
        subject: Subject::Whole,
        guide,
        threads: cluster.exchange.processes(),
        company: false,
        budget: Budget::Rest,
        restart: None,
        when: When::First,
        glance: false,
    };
    let mut task = Task {
        network,
        query,
        config,
        stage: &stage,
        limits: &config.limits,
        observe,
        known: None,
        keeper: None,
    };
    let decided = task.reach_in_cluster(goal.as_deref(), wanted, cluster);
    let (result, processes) = match decided {
        Ok((Some(report), processes)) => (Ok(report), processes),
        Ok((None, processes)) => {
            return Ok(ClusterReport {
                report: None,
                processes,
            });
        }
        Err(failure) => (Err(failure), Vec::new()),
    };
    let mut report = match result {
        Err(failure) => remarks::unconfirmed(network, &stage.guide, failure)?,
        Ok(report) => report,
    };
    report = remarks::without_meta(network, query, report);
    report = remarks::without_end(network, query, report);
    report.figures.time = begun.elapsed();
    report.schedule.push(Ran::of(&stage, &report, begun));
    Ok(ClusterReport {
        report: Some(report),
        processes,
    })
}

/// The order of expansion. Levels are not kept between processes: what is to be shortest is found by A* without estimates, which is
/// breadth first with a proof that nothing shorter is left.
fn guide(config: &Config, goal: Option<&Formula>) -> Guide {
    let guide = Guide::new(config, config.order(), 2, goal);
    match (config.trace, guide.strategy) {
        (TraceKind::Shortest, Strategy::BreadthFirst) => Guide {
            strategy: Strategy::AStar,
            ..guide
        },
        _ => guide,
    }
}

impl Task<'_> {
    fn reach_in_cluster(
        &mut self,
        goal: Option<&Formula>,
        wanted: bool,
        cluster: Cluster<'_>,
    ) -> Result<(Option<Report>, Vec<ProcessShare>), Failure> {
        let start = Instant::now();
        let system = self.system_of(goal)?;
        let (stage, limits) = (self.stage, self.limits);
        let (network, asked) = (self.network, self.config);
        self.enter(Phase::Heuristic);
        let prepared = match (&stage.guide.heuristic, goal) {
            (Some(spec), Some(goal)) => Some(prepare_guide(spec, network, goal, asked, limits)?),
            _ => None,
        };
        let mut config = search_config(asked, stage, limits, goal);
        config.limits.timeout =
            (config.limits.timeout).map(|limit| limit.saturating_sub(start.elapsed()));
        let cache = asked.cache_entries();
        let make = || -> Box<dyn search::Heuristic> {
            match &prepared {
                Some(prepared) => prepared.make(&system, cache),
                None => Box::new(search::Blind),
            }
        };
        self.enter(Phase::Searching);
        let Cluster {
            exchange,
            keeper,
            search,
        } = cluster;
        let outcome = search::search_in_cluster(
            &system,
            &config,
            &make,
            exchange,
            keeper,
            search,
            self.observe,
        );
        let outcome = match outcome {
            Ok(outcome) => outcome,
            Err(ClusterFailure::Fault(Some(failure))) => return Err(self.fault(&system, &failure)),
            Err(ClusterFailure::Fault(None)) => return Ok((None, Vec::new())),
            Err(ClusterFailure::Lost(lost)) => {
                let why = format!("{lost}; nothing is decided");
                return Err(Failure::Undecidable(why));
            }
            Err(ClusterFailure::Unreadable(error)) => {
                return Err(Failure::NotPermitted(error.to_string()));
            }
        };
        let Some(verdict) = outcome.verdict else {
            return Ok((None, Vec::new()));
        };
        self.enter(match verdict {
            Verdict::Unknown(_) => Phase::Ending,
            _ => Phase::Evidence,
        });
        let shares = outcome.shares;
        let outcome = Outcome {
            verdict,
            statistics: outcome.statistics,
            stores: outcome.store.into_iter().collect(),
            databases: None,
            run: None,
            walked: None,
            steps: 0,
        };
        let report = self.report(&system, goal, wanted, outcome, start)?;
        Ok((Some(report), shares))
    }
}
