//! Reachability: `E<>`, `A[]` and full exploration.

use std::time::Instant;

use merkhet_analysis::Demand;
use merkhet_explore::{
    self as search, Blind, Heuristic, Inclusion, Queue, Store, Strategy, SymbolicTrace, Verdict,
};
use merkhet_heuristics::{HeuristicSpec, Preparation, Prepared, Stop, atg};
use merkhet_network::{Formula, Network};
use merkhet_replay::Certificate;
use merkhet_semantics::{Extrapolation, GoalId, Options, System};

use super::Task;
use super::evidence::{self, Evidence};
use super::restarts::Restarts;
use crate::config::{Config, Order, Phase, TraceKind};
use crate::failure::Failure;
use crate::memory::{for_states, peak_bytes};
use crate::report::{Answer, Databases, Figures, Report};
use crate::why::Remark;

/// The table of bit-state hashing: 2^30 bits are 128 MiB.
const BITSTATE_LOG_BITS: u32 = 30;

/// The search that is to be run, with the names that the report gives.
pub(crate) struct Plan {
    pub strategy: Strategy,
    pub search: String,
    pub heuristic: Option<HeuristicSpec>,
}

/// The result of a search with any number of threads.
pub(super) struct Outcome {
    pub verdict: Verdict,
    pub statistics: search::Statistics,
    /// The states seen, by thread.
    pub stores: Vec<Store>,
    pub databases: Option<Databases>,
    /// The last of several runs, in words.
    pub run: Option<String>,
}

impl Plan {
    pub fn new(config: &Config, goal: Option<&Formula>) -> Plan {
        let order = config.order();
        let guided = goal.is_some().then(|| config.heuristic.clone()).flatten();
        let name = |name: &str| name.to_string();
        match order {
            Order::Fixed(strategy) => {
                let heuristic = match strategy {
                    Strategy::Greedy(_) | Strategy::Preferred(_) | Strategy::Auto(_) => {
                        guided.or_else(|| Some(HeuristicSpec::of(&atg::UPPER)))
                    }
                    Strategy::AStar | Strategy::WeightedAStar { .. } => {
                        guided.or_else(|| Some(HeuristicSpec::of(&atg::LOWER)))
                    }
                    _ => None,
                };
                let search = config.search.unwrap_or_default().to_string();
                Plan {
                    strategy,
                    search,
                    heuristic: heuristic.filter(|_| goal.is_some()),
                }
            }
            // Walks are made before anybody plans a search.
            Order::Auto | Order::Walk(_) => match guided {
                Some(heuristic) if config.trace == TraceKind::Shortest => Plan {
                    strategy: Strategy::AStar,
                    search: name("astar"),
                    heuristic: Some(heuristic),
                },
                Some(heuristic) => {
                    let strategy = Strategy::Greedy(config.tie_break());
                    Plan {
                        strategy,
                        search: name("greedy"),
                        heuristic: Some(heuristic),
                    }
                }
                None if goal.is_none() => Plan {
                    strategy: Strategy::LargestFirst,
                    search: name("largest"),
                    heuristic: None,
                },
                // Only greedy search puts transitions off.
                None if config.prune.is_some() => Plan {
                    strategy: Strategy::Greedy(config.tie_break()),
                    search: name("greedy"),
                    heuristic: Some(HeuristicSpec::of(&atg::UPPER)),
                },
                None if config.permits_guidance() => Plan {
                    strategy: Strategy::Auto(config.tie.unwrap_or_default()),
                    search: name("auto"),
                    heuristic: Some(HeuristicSpec::of(&atg::UPPER)),
                },
                None => Plan {
                    strategy: Strategy::BreadthFirst,
                    search: name("bfs"),
                    heuristic: None,
                },
            },
        }
    }
}

/// What several threads take besides their states: buffers, batches under way, and states that were stored since they told
/// last.
fn beside_states(threads: usize) -> u64 {
    match threads {
        0 | 1 => 0,
        several => several as u64 * (4 << 20),
    }
}

/// The limits of the query as the search counts them, from now on.
pub(crate) fn limits(config: &Config) -> search::Limits<'_> {
    search::Limits {
        timeout: config.limits.timeout,
        memory: config
            .limits
            .memory
            .map(|bytes| bytes - beside_states(config.threads).min(bytes / 4))
            .map(|bytes| usize::try_from(for_states(bytes)).unwrap_or(usize::MAX)),
        states: config.limits.states,
        cancel: Some(&config.limits.cancel),
    }
}

/// Prepares a heuristic as the configuration says: half of the time is for the search.
pub(super) fn prepare<'t>(
    spec: &HeuristicSpec,
    network: &'t Network,
    goal: &'t Formula,
    config: &Config,
) -> Result<Prepared<'t>, Failure> {
    let preparation = Preparation {
        stop: Stop {
            deadline: (config.limits.timeout).map(|limit| Instant::now() + limit / 2),
            cancel: Some(&config.limits.cancel),
        },
        prune: config.prune,
        databases_in: config.databases_in.as_deref(),
        keep_text: config.databases_out,
    };
    spec.prepare(network, goal, &preparation)
        .map_err(|error| Failure::NotPermitted(error.to_string()))
}

pub(crate) fn figures(statistics: &search::Statistics, start: Instant) -> Figures {
    Figures {
        explored: statistics.explored,
        stored: statistics.stored,
        transitions: statistics.generated,
        discrete: statistics.discrete,
        time: start.elapsed(),
        peak_memory: peak_bytes(),
        joins: None,
        refinements: None,
    }
}

impl Task<'_> {
    /// Searches for the goal (for nothing: everything is visited). `wanted` tells whether finding it is good.
    pub(super) fn reach(
        &mut self,
        goal: Option<&Formula>,
        wanted: bool,
    ) -> Result<Report, Failure> {
        let remark = match self.lattice_reach(goal, wanted)? {
            Ok(report) => return Ok(report),
            Err(remark) => remark,
        };
        let mut report = self.explicit_reach(goal, wanted)?;
        report.or_else_remark(remark);
        Ok(report)
    }

    fn explicit_reach(&mut self, goal: Option<&Formula>, wanted: bool) -> Result<Report, Failure> {
        let start = Instant::now();
        let formulas: Vec<&Formula> = goal.into_iter().collect();
        let demand = Demand {
            formulas: &formulas,
            ..Demand::default()
        };
        let extrapolation = self.config.extrapolation.unwrap_or(Extrapolation::LuPlus);
        let options = Options {
            extrapolation,
            demand,
            // Who asks for no goal wants the states themselves.
            forget_dead: goal.is_some() && self.config.forgets_dead(),
            ..Options::default()
        };
        let system = self.system(&options)?;
        if goal.is_some_and(merkhet_analysis::mentions_deadlock) && !system.permits_deadlock() {
            return Err(Failure::Undecidable(
                "deadlock cannot be asked of a model with stopwatches".into(),
            ));
        }
        let plan = Plan::new(self.config, goal);
        let config = search::Config {
            strategy: plan.strategy,
            inclusion: self.config.inclusion.unwrap_or(Inclusion::Zone),
            goal: goal.map(|_| GoalId(0)),
            seed: self.config.seed,
            bitstate: self.config.bitstate.then_some(BITSTATE_LOG_BITS),
            limits: limits(self.config),
        };
        let outcome = self.run(&system, &config, &plan, goal)?;
        self.enter(match outcome.verdict {
            Verdict::Unknown(_) => Phase::Ending,
            _ => Phase::Evidence,
        });
        let mut proof = None;
        if let (true, Verdict::Unreachable(_), Some(goal)) =
            (self.config.certificate, &outcome.verdict, goal)
        {
            proof = if outcome.statistics.pruned == 0 && system.permits_simulation() {
                let stores = &outcome.stores;
                Some(evidence::certificate(
                    self.network,
                    self.query,
                    goal,
                    &system,
                    stores,
                ))
            } else {
                self.proof(&options, goal, outcome.statistics.explored)?
            };
        }
        self.report_reach(&system, goal, wanted, plan, outcome, proof, start)
    }

    /// Runs the search with as many threads as the configuration says.
    fn run(
        &mut self,
        system: &System,
        config: &search::Config<'_>,
        plan: &Plan,
        goal: Option<&Formula>,
    ) -> Result<Outcome, Failure> {
        let (network, cache) = (self.network, self.config.cache_entries());
        if let (Some(spec), Some(goal)) = (&plan.heuristic, goal)
            && let Some(restarts) = Restarts::of(spec, self.config)
        {
            return self.run_with_restarts(system, config, goal, restarts);
        }
        // With saved databases there is one abstraction, for all threads to share.
        if let (Some(spec), Some(goal)) = (&plan.heuristic, goal)
            && spec.variation(0).is_some()
            && self.config.threads > 1
            && self.config.databases_in.is_none()
            && self.keeper.is_none()
        {
            return self.run_side_by_side(system, config, goal, spec);
        }
        self.enter(Phase::Heuristic);
        let start = Instant::now();
        let mut prepared = match (&plan.heuristic, goal) {
            (Some(spec), Some(goal)) => Some(prepare(spec, network, goal, self.config)?),
            _ => None,
        };
        // The time limit counts from before the preparation.
        let mut config = *config;
        config.limits.timeout =
            (config.limits.timeout).map(|limit| limit.saturating_sub(start.elapsed()));
        let config = &config;
        let databases = prepared
            .as_mut()
            .and_then(|prepared| prepared.databases.take());
        let make = || -> Box<dyn Heuristic> {
            match &prepared {
                Some(prepared) => prepared.make(system, cache),
                None => Box::new(Blind),
            }
        };
        if let Some(keeper) = self.keeper.as_deref_mut() {
            let mut guide = make();
            self.config.limits.phase.enter(Phase::Searching);
            let kept = search::search_kept(system, config, guide.as_mut(), self.observe, keeper);
            let outcome = kept.map_err(|error| Failure::NotPermitted(error.to_string()))?;
            let outcome = outcome.map_err(|failure| self.fault(system, &failure))?;
            return Ok(Outcome {
                verdict: outcome.verdict,
                statistics: outcome.statistics,
                stores: vec![outcome.store],
                databases,
                run: None,
            });
        }
        if self.config.threads <= 1 {
            let mut guide = make();
            self.enter(Phase::Searching);
            let outcome = search::search(system, config, guide.as_mut(), self.observe);
            let outcome = outcome.map_err(|failure| self.fault(system, &failure))?;
            return Ok(Outcome {
                verdict: outcome.verdict,
                statistics: outcome.statistics,
                stores: vec![outcome.store],
                databases,
                run: None,
            });
        }
        let threads = self.config.threads;
        self.enter(Phase::Searching);
        let outcome = search::search_with_threads(system, config, threads, &make, self.observe);
        let outcome = outcome.map_err(|failure| self.fault(system, &failure))?;
        Ok(Outcome {
            verdict: outcome.verdict,
            statistics: outcome.statistics,
            stores: outcome.stores,
            databases,
            run: None,
        })
    }

    /// Sees everything once more for a certificate, without pruning; and with exact zones where clocks are compared with
    /// each other, since the checker covers zones by plain inclusion there. That may be infinite: `None` after too many
    /// states.
    fn proof(
        &mut self,
        options: &Options<'_>,
        goal: &Formula,
        explored: u64,
    ) -> Result<Option<Certificate>, Failure> {
        let mut options = *options;
        let mut system = self.system(&options)?;
        if !system.permits_simulation() {
            options.extrapolation = Extrapolation::None;
            system = self.system(&options)?;
        }
        let mut limits = limits(self.config);
        let most = explored.saturating_mul(10).saturating_add(10_000);
        limits.states = Some(limits.states.map_or(most, |limit| limit.min(most)));
        let config = search::Config {
            strategy: Strategy::LargestFirst,
            goal: Some(GoalId(0)),
            limits,
            ..search::Config::default()
        };
        let outcome = search::search(&system, &config, &mut Blind, self.observe);
        let outcome = outcome.map_err(|failure| self.fault(&system, &failure))?;
        let complete = matches!(outcome.verdict, Verdict::Unreachable(_));
        let stores = &[outcome.store];
        Ok(
            complete
                .then(|| evidence::certificate(self.network, self.query, goal, &system, stores)),
        )
    }

    pub(super) fn system(&self, options: &Options<'_>) -> Result<System, Failure> {
        self.enter(Phase::Preparing);
        let system = System::new(self.network, options).map_err(Failure::too_large);
        self.enter(Phase::Searching);
        system
    }

    #[allow(clippy::too_many_arguments)] // the parts of one search's result
    fn report_reach(
        &mut self,
        system: &System,
        goal: Option<&Formula>,
        wanted: bool,
        plan: Plan,
        outcome: Outcome,
        proof: Option<Certificate>,
        start: Instant,
    ) -> Result<Report, Failure> {
        let mut report = Report {
            heuristic: plan.heuristic.map(|spec| spec.to_string()),
            databases: outcome.databases,
            figures: figures(&outcome.statistics, start),
            ..Report::new(Answer::of(!wanted), plan.search)
        };
        report.found_by = outcome.statistics.found_by.map(|queue| {
            let name = report.heuristic.as_deref().unwrap_or("none");
            match queue {
                Queue::Estimate => format!("greedy search with {name}"),
                Queue::Planned => format!("the steps of {name}'s abstract solution"),
                Queue::First => format!("the first steps of {name}'s abstract solution"),
                Queue::Blind => "blind search, largest zones first".to_string(),
                Queue::Deep => "blind search, depth first".to_string(),
                Queue::Look => "a short blind look, depth first".to_string(),
                Queue::Shuffled(seed) => {
                    format!("a short blind look, depth first in random order, seed {seed}")
                }
            }
        });
        if let (Some(run), Verdict::Reachable(_)) = (outcome.run, &outcome.verdict) {
            report.found_by = Some(run);
        }
        match outcome.verdict {
            Verdict::Reachable(trace) => {
                report.answer = Answer::of(wanted);
                let skip = self.config.trace == TraceKind::None && !system.over_approximate();
                if !skip {
                    self.show(system, &trace, goal, &mut report)?;
                }
            }
            Verdict::Unreachable(_) => {
                if self.config.certificate && goal.is_some() && proof.is_none() {
                    report.remarks.push(Remark::NoCertificate);
                }
                report.certificate = proof;
            }
            Verdict::Unknown(reason) => {
                report.answer = Answer::Unknown(reason.into());
                let at_least = outcome.statistics.at_least;
                let at_least = at_least.filter(|length| *length > 0);
                (report.remarks).extend(at_least.map(Remark::TraceAtLeast));
            }
        }
        report.figures.time = start.elapsed();
        Ok(report)
    }

    /// Puts the run that shows the answer into the report; what cannot be confirmed is no answer.
    fn show(
        &mut self,
        system: &System,
        trace: &SymbolicTrace,
        goal: Option<&Formula>,
        report: &mut Report,
    ) -> Result<(), Failure> {
        match evidence::concrete(self.network, self.query, system, trace)? {
            Evidence::Accepted(run) => {
                report.trace = (self.config.trace != TraceKind::None).then_some(*run);
            }
            Evidence::Unconfirmed(why) => {
                report.answer = Answer::Unknown(why);
                return Ok(());
            }
        }
        if let (TraceKind::Fastest, Some(goal)) = (self.config.trace, goal) {
            let (run, remark) = evidence::fastest(self, system, trace, goal)?;
            report.remarks.push(remark);
            if let Some(run) = run {
                report.trace = Some(*run);
            }
        }
        Ok(())
    }

    /// An evaluation failed in a reachable state: say where, and how the state is reached.
    pub(super) fn fault(&self, system: &System, failure: &search::Failure) -> Failure {
        let site = self.network.site(failure.fault.site).cloned().map(Box::new);
        let trace = evidence::to_fault(self.network, system, &failure.trace).map(Box::new);
        Failure::Fault {
            message: failure.fault.to_string(),
            site,
            trace,
            figures: Some(Box::new(Figures {
                time: failure.statistics.elapsed,
                ..figures(&failure.statistics, Instant::now())
            })),
            limit: failure.fault.kind.is_limit(),
        }
    }
}
