//! Deciding a query.
//!
//! The `schedule` says which searches are made, one after the other, and the `ladder` makes them until one decides. Two
//! things come before it: walks that are asked for by name, and goals that fall into parts (`separate`), each of which has
//! a ladder of its own.
//! Reachability (`reach`), maximal runs (`maximal`) and ranges of values (`range`) are searches over the same transition
//! system, of the network as it is or of a smaller one (`reduced`). What they find is made concrete and judged
//! (`evidence`) before it is reported.

mod checkpoint;
mod cluster;
mod declared;
pub(crate) mod evidence;
pub mod explain;
mod guided;
mod ladder;
mod lattice;
mod maximal;
mod range;
mod reach;
mod reduced;
mod remarks;
pub(crate) mod schedule;
mod separate;
mod shorten;

use std::time::Instant;

use merkhet_explore::{Keeper, Progress};
use merkhet_network::{Extremum, Formula, Measure, Network, OutOfRange, Query, QueryKind};
use merkhet_replay as replay;

pub use checkpoint::{Identity, check_resumable};
pub use cluster::{Cluster, ClusterReport, check_in_cluster, not_in_cluster};
pub use guided::{check_guided, check_run};
pub use reach::many::{Traces, all_traces};
pub use schedule::Ran;

use self::ladder::Ladder;
use self::reach::walk;
use self::schedule::{Engine, Guide, Stage};
use self::separate::Parts;
use crate::config::{Config, Limits, Order, Phase};
use crate::failure::Failure;
use crate::report::Report;
use crate::search::WalkSpec;

/// Decides a query. `observe` is called now and then while the search runs.
pub fn check(
    network: &Network,
    query: &Query,
    config: &Config,
    observe: &mut dyn FnMut(&Progress),
) -> Result<Report, Failure> {
    prepare(network, config)?;
    if let Order::Walk(spec) = config.order() {
        let mut report = walk::check(network, query, config, &config.limits, spec, observe)?;
        report.schedule.push(Ran::walks(spec, config, &report));
        return shorten::after_walks(network, query, config, report);
    }
    match Parts::of(network, query, config) {
        Some(parts) => parts.one_by_one(network, query, config, observe),
        None => {
            let ladder = Ladder::new(network, query, config, &config.limits, false)?;
            ladder.climb(observe, None)
        }
    }
}

/// Refuses options that contradict each other, and models without any run.
fn prepare(network: &Network, config: &Config) -> Result<(), Failure> {
    (config.validate()).map_err(|error| Failure::NotPermitted(error.to_string()))?;
    config.limits.phase.enter(Phase::Preparing);
    initial_state(network)
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

/// What a query asks to find; `wanted`: finding it is what makes the query true.
enum Goal<'q> {
    /// A state, or nothing: everything is visited.
    State(Option<std::borrow::Cow<'q, Formula>>),
    /// A maximal run with a formula all along, perhaps from a state on that satisfies another one.
    Run {
        trigger: Option<Formula>,
        keep: std::borrow::Cow<'q, Formula>,
    },
    /// Values.
    Range(Extremum, &'q Formula, &'q [(Measure, String)]),
}

fn goal_of(query: &Query) -> (Goal<'_>, bool) {
    use std::borrow::Cow::{Borrowed, Owned};
    match &query.kind {
        QueryKind::Possibly(goal) => (Goal::State(Some(Borrowed(goal))), true),
        QueryKind::Invariantly(formula) => (Goal::State(Some(Owned(not(formula)))), false),
        QueryKind::Explore => (Goal::State(None), false),
        QueryKind::PotentiallyAlways(keep) => (
            Goal::Run {
                trigger: None,
                keep: Borrowed(keep),
            },
            true,
        ),
        QueryKind::Eventually(formula) => (
            Goal::Run {
                trigger: None,
                keep: Owned(not(formula)),
            },
            false,
        ),
        QueryKind::LeadsTo(from, to) => (
            Goal::Run {
                trigger: Some(Formula::And(vec![from.clone(), not(to)])),
                keep: Owned(not(to)),
            },
            false,
        ),
        QueryKind::Bounds {
            extremum,
            predicate,
            measures,
        } => (Goal::Range(*extremum, predicate, measures), true),
    }
}

/// A stage of a query being decided.
pub(crate) struct Task<'a> {
    pub network: &'a Network,
    pub query: &'a Query,
    pub config: &'a Config,
    pub stage: &'a Stage,
    /// What is left for it.
    pub limits: &'a Limits,
    pub observe: &'a mut dyn FnMut(&Progress),
    /// What the stages before have shown.
    pub known: Option<&'a Report>,
    /// Keeps the search, where that was asked for.
    pub keeper: Option<&'a mut dyn Keeper>,
}

impl Task<'_> {
    /// Says what is being done.
    pub(crate) fn enter(&self, phase: Phase) {
        self.limits.phase.enter(phase);
    }

    /// The work on another query that this one leads to.
    fn about<'b>(&'b mut self, query: &'b Query, stage: &'b Stage, limits: &'b Limits) -> Task<'b> {
        Task {
            network: self.network,
            query,
            config: self.config,
            stage,
            limits,
            observe: &mut *self.observe,
            known: None,
            keeper: None,
        }
    }

    /// A search for a goal within this stage.
    fn part(&self, goal: Option<&Formula>) -> Stage {
        Stage {
            engine: Engine::Zones,
            guide: Guide::new(self.config, self.config.order(), 1, goal),
            threads: 1,
            ..self.stage.clone()
        }
    }

    /// What is left since a moment, after a number of states.
    fn limits_after(&self, start: Instant, explored: u64) -> Limits {
        let mut limits = self.limits.clone();
        limits.timeout = (limits.timeout).map(|limit| limit.saturating_sub(start.elapsed()));
        limits.states = (limits.states).map(|limit| limit.saturating_sub(explored));
        limits
    }

    /// Does the work of the stage.
    fn run(&mut self) -> Result<Report, Failure> {
        let stage = self.stage;
        let (goal, wanted) = goal_of(self.query);
        match (&stage.engine, goal) {
            (Engine::Zones | Engine::Portfolio, Goal::State(goal)) => {
                self.reach(goal.as_deref(), wanted)
            }
            (Engine::Certificate, Goal::State(Some(goal))) => self.certify(&goal),
            (Engine::Walks, Goal::State(Some(_))) => {
                let (config, limits) = (self.config, self.limits);
                let spec = WalkSpec::default();
                walk::check(self.network, self.query, config, limits, spec, self.observe)
            }
            (Engine::Shorten, Goal::State(Some(goal))) => self.shorten(&goal),
            (Engine::Elements(elements), Goal::State(goal)) => {
                self.elements(elements, goal.as_deref(), wanted)
            }
            (Engine::Confirm(elements), Goal::State(Some(goal))) => {
                self.confirm(elements, &goal, wanted)
            }
            (Engine::Runs(deepest), Goal::Run { trigger, keep }) => {
                self.maximal_run(trigger.as_ref(), &keep, wanted, *deepest)
            }
            (Engine::Values, Goal::Range(extremum, predicate, measures)) => {
                self.range(extremum, predicate, measures)
            }
            _ => Err(Failure::Internal(format!(
                "{} do not decide this query",
                stage.engine
            ))),
        }
    }
}
