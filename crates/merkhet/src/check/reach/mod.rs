//! Reachability: `E<>`, `A[]` and full exploration.

mod company;
pub mod many;
mod portfolio;
mod side;
pub(super) mod walk;

use std::time::Instant;

use merkhet_analysis::Demand;
use merkhet_explore::{
    self as search, Blind, Heuristic, Inclusion, Queue, StopReason, Store, SymbolicTrace, Verdict,
};
use merkhet_heuristics::{HeuristicSpec, Preparation, Prepared, Stop};
use merkhet_network::{Formula, Network, Trace};
use merkhet_semantics::{Extrapolation, GoalId, Options, System};
use merkhet_walks::Model;

use self::company::{Company, Found};
use super::Task;
use super::evidence::{self, Evidence};
use super::remarks;
use super::schedule::{Engine, Restart, Stage};
use super::shorten;
use crate::config::{Config, Limits, Order, Phase, TraceKind};
use crate::failure::Failure;
use crate::memory::{for_states, peak_bytes};
use crate::report::{Answer, Databases, Figures, Report};
use crate::tuning;
use crate::why::Remark;

/// The result of a search with any number of threads.
pub(super) struct Outcome {
    pub verdict: Verdict,
    pub statistics: search::Statistics,
    /// The states seen, by thread.
    pub stores: Vec<Store>,
    pub databases: Option<Databases>,
    /// The last of several runs, in words.
    pub run: Option<String>,
    /// A run to the goal that walks beside the search have found.
    pub walked: Option<Trace>,
    /// The steps of these walks.
    pub steps: u64,
}

impl Outcome {
    /// Of a search with one thread.
    pub fn of<E>(outcome: Result<search::Outcome, E>) -> Result<Outcome, E> {
        outcome.map(|outcome| Outcome {
            verdict: outcome.verdict,
            statistics: outcome.statistics,
            stores: vec![outcome.store],
            databases: None,
            run: None,
            walked: None,
            steps: 0,
        })
    }
}

impl Outcome {
    /// Of a search with several threads.
    fn of_threads(outcome: search::ParallelOutcome) -> Outcome {
        Outcome {
            verdict: outcome.verdict,
            statistics: outcome.statistics,
            stores: outcome.stores,
            databases: None,
            run: None,
            walked: None,
            steps: 0,
        }
    }

    /// Of a search that others have ended.
    fn none() -> Outcome {
        Outcome {
            verdict: Verdict::Unknown(StopReason::Cancelled),
            statistics: search::Statistics::default(),
            stores: Vec::new(),
            databases: None,
            run: None,
            walked: None,
            steps: 0,
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

/// Limits as the search counts them, from now on.
pub(crate) fn limits(limits: &Limits, threads: usize) -> search::Limits<'_> {
    search::Limits {
        timeout: limits.timeout,
        memory: limits
            .memory
            .map(|bytes| bytes - beside_states(threads).min(bytes / 4))
            .map(|bytes| usize::try_from(for_states(bytes)).unwrap_or(usize::MAX)),
        states: limits.states,
        cancel: Some(&limits.cancel),
    }
}

/// Prepares a heuristic as the configuration says: half of the time is for the search.
pub(super) fn prepare<'t>(
    spec: &HeuristicSpec,
    network: &'t Network,
    goal: &'t Formula,
    config: &Config,
    limits: &Limits,
) -> Result<Prepared<'t>, Failure> {
    let preparation = Preparation {
        stop: Stop {
            deadline: (limits.timeout).map(|limit| Instant::now() + limit / 2),
            cancel: Some(&limits.cancel),
        },
        prune: config.prune,
        databases_in: config.databases_in.as_deref(),
        keep_text: config.databases_out,
        tuning: config.tuning.clone(),
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
        work: 0,
        time: start.elapsed(),
        peak_memory: peak_bytes(),
        joins: None,
        refinements: None,
    }
}

/// When states are superfluous. Simulation keeps what can be reached, and no more: not that nothing can be done any more.
fn inclusion(config: &Config, goal: Option<&Formula>) -> Inclusion {
    let default = match goal.is_some_and(merkhet_analysis::mentions_deadlock) {
        true => Inclusion::Zone,
        false => Inclusion::Adaptive,
    };
    config.inclusion.unwrap_or(default)
}

/// How a goal is searched for, within these limits.
pub(super) fn search_config<'l>(
    config: &'l Config,
    stage: &Stage,
    left: &'l Limits,
    goal: Option<&Formula>,
) -> search::Config<'l> {
    let bitstate = config.tuning.get(&tuning::BITSTATE) as u32;
    search::Config {
        strategy: stage.guide.strategy,
        inclusion: inclusion(config, goal),
        goal: goal.map(|_| GoalId(0)),
        seed: config.seed,
        bitstate: config.bitstate.then_some(bitstate),
        limits: limits(left, stage.threads),
        tuning: Some(&config.tuning),
    }
}

impl Task<'_> {
    /// Searches for the goal (for nothing: everything is visited). `wanted` tells whether finding it is good.
    pub(super) fn reach(
        &mut self,
        goal: Option<&Formula>,
        wanted: bool,
    ) -> Result<Report, Failure> {
        let start = Instant::now();
        let system = self.system_of(goal)?;
        let left = self.limits_of_search();
        let config = search_config(self.config, self.stage, &left, goal);
        let outcome = self.search(&system, &config, goal)?;
        self.enter(match outcome.verdict {
            Verdict::Unknown(_) if outcome.walked.is_none() => Phase::Ending,
            _ => Phase::Evidence,
        });
        self.report(&system, goal, wanted, outcome, start)
    }

    /// The transition system that is searched for a goal.
    pub(super) fn system_of(&self, goal: Option<&Formula>) -> Result<System, Failure> {
        let formulas: Vec<&Formula> = goal.into_iter().collect();
        let options = Options {
            symmetry: goal.is_some() && self.config.permutes(),
            ..self.options(&formulas)
        };
        let system = self.system(&options)?;
        if goal.is_some_and(merkhet_analysis::mentions_deadlock) && !system.permits_deadlock() {
            return Err(Failure::Undecidable(
                "deadlock cannot be asked of a model with stopwatches".into(),
            ));
        }
        Ok(system)
    }

    /// What the search may use up. Writing a checkpoint takes a list of the states that wait, beside all that are stored.
    fn limits_of_search(&self) -> Limits {
        let mut limits = self.limits.clone();
        if self.keeper.is_some() {
            limits.memory = limits.memory.map(|bytes| bytes - bytes / 10);
        }
        limits
    }

    fn options<'f>(&'f self, formulas: &'f [&'f Formula]) -> Options<'f> {
        Options {
            extrapolation: self.config.extrapolation.unwrap_or(Extrapolation::LuPlus),
            demand: Demand {
                formulas,
                ..Demand::default()
            },
            // Who asks for no goal wants the states themselves.
            forget_dead: !formulas.is_empty() && self.config.forgets_dead(),
            tuning: Some(&self.config.tuning),
            ..Options::default()
        }
    }

    /// Runs the search with as many threads as the stage has.
    fn search(
        &mut self,
        system: &System,
        config: &search::Config<'_>,
        goal: Option<&Formula>,
    ) -> Result<Outcome, Failure> {
        let stage = self.stage;
        let (network, cache) = (self.network, self.config.cache_entries());
        if let (Engine::Portfolio, Some(spec), Some(goal)) =
            (&stage.engine, &stage.guide.heuristic, goal)
        {
            return self.run_portfolio(system, config, goal, spec);
        }
        self.enter(Phase::Heuristic);
        let start = Instant::now();
        let mut config = *config;
        let mut run = None;
        let mut prepared = None;
        let mut varied = None;
        if let Some(Restart { round, .. }) = stage.restart {
            let spec = stage.guide.heuristic.as_ref();
            varied = spec.and_then(|spec| spec.variation(round));
            let number = round + 1;
            run = Some(match varied {
                Some(_) => format!("abstraction {number}"),
                None => {
                    config.seed = config.seed.wrapping_add(u64::from(round));
                    format!("run {number} with seed {}", config.seed)
                }
            });
        }
        if let (Some(spec), Some(goal)) = (&stage.guide.heuristic, goal) {
            let spec = varied.as_ref().unwrap_or(spec);
            prepared = Some(prepare(spec, network, goal, self.config, self.limits)?);
        }
        // The time limit counts from before the preparation.
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
        let (limits, tuning) = (self.limits, &self.config.tuning);
        let make_side = |spec: HeuristicSpec| -> Option<Box<dyn Heuristic>> {
            let preparation = Preparation {
                stop: Stop {
                    deadline: None,
                    cancel: Some(&limits.cancel),
                },
                tuning: tuning.clone(),
                ..Preparation::default()
            };
            let prepared = spec.prepare(network, goal?, &preparation).ok()?;
            Some(prepared.make(system, cache))
        };
        let walks = self.walks(goal);
        let company = Company {
            system,
            config: *config,
            make: &make_side,
            looks: self.has_company(goal),
            walks: walks.as_ref(),
            cancel: &limits.cancel,
        };
        self.enter(Phase::Searching);
        let (outcome, found) = match (self.keeper.as_deref_mut(), stage.threads) {
            (Some(keeper), _) => {
                let kept =
                    search::search_resumable(system, config, make().as_mut(), self.observe, keeper);
                let kept = kept.map_err(|error| Failure::NotPermitted(error.to_string()))?;
                (Outcome::of(kept), (0, None))
            }
            (None, 1) => {
                let policy = self.policy();
                let (outcome, found) = company.in_turns(|others| {
                    let mut guide = make();
                    let guide = guide.as_mut();
                    search::search_under(&policy, system, config, guide, self.observe, others)
                });
                (Outcome::of(outcome), found)
            }
            (None, threads) => {
                let (outcome, found) = company.side_by_side(|config| {
                    search::search_with_threads(system, config, threads, &make, self.observe)
                });
                (outcome.map(Outcome::of_threads), found)
            }
        };
        let (steps, found) = found;
        let mut outcome = match (outcome, &found) {
            (Err(_), Some(_)) => Outcome::none(),
            (Err(failure), None) => return Err(self.fault(system, &failure)),
            (Ok(outcome), _) => outcome,
        };
        match found {
            None => {}
            Some(Found::Run(trace, name)) => {
                outcome.verdict = Verdict::Reachable(trace);
                outcome.statistics.found_by = Some(name);
            }
            Some(Found::Walk(trace)) => outcome.walked = Some(trace),
        }
        Ok(Outcome {
            databases,
            run,
            steps,
            ..outcome
        })
    }

    /// Whether others look beside the search.
    fn has_company(&self, goal: Option<&Formula>) -> bool {
        self.stage.company && goal.is_some() && self.keeper.is_none()
    }

    /// What walks go through beside the automatic search; `None` where there are none. The least time is measured from a
    /// symbolic run, which they do not have.
    fn walks(&self, goal: Option<&Formula>) -> Option<Model> {
        let wanted = self.has_company(goal) && self.config.trace != TraceKind::Fastest;
        // A model that walks cannot take is one for the search alone.
        let goal = goal.filter(|_| wanted)?;
        let model = Model::new(self.network, Some(goal)).ok()?;
        Some(model.tuned(&self.config.tuning))
    }

    /// Sees everything once more for a certificate, without pruning; and with exact zones where clocks are compared with
    /// each other, since the checker covers zones by plain inclusion there. That may be infinite.
    pub(super) fn certify(&mut self, goal: &Formula) -> Result<Report, Failure> {
        let formulas = [goal];
        let mut options = self.options(&formulas);
        let mut system = self.system(&options)?;
        if !system.permits_simulation() {
            options.extrapolation = Extrapolation::None;
            system = self.system(&options)?;
        }
        let config = search::Config {
            strategy: self.stage.guide.strategy,
            goal: Some(GoalId(0)),
            limits: limits(self.limits, 1),
            tuning: Some(&self.config.tuning),
            ..search::Config::default()
        };
        let start = Instant::now();
        let policy = search::Policy::of(&self.config.tuning);
        let blind = &mut Blind;
        let outcome =
            search::search_under(&policy, &system, &config, blind, self.observe, Vec::new());
        let outcome = outcome.map_err(|failure| self.fault(&system, &failure))?;
        let mut report = Report {
            figures: figures(&outcome.statistics, start),
            ..Report::new(Answer::Satisfied, self.stage.guide.search.clone())
        };
        match outcome.verdict {
            Verdict::Unreachable(_) => {
                let stores = &[outcome.store];
                let made = evidence::certificate(self.network, self.query, goal, &system, stores);
                report.certificate = Some(made);
            }
            Verdict::Unknown(reason) => report.be_unknown(reason.into()),
            Verdict::Reachable(_) => {
                let message = "the search for a certificate found the goal";
                return Err(Failure::Internal(message.into()));
            }
        }
        Ok(report)
    }

    /// What happens beside and after the search.
    fn policy(&self) -> search::Policy {
        let policy = search::Policy::of(&self.config.tuning);
        search::Policy {
            // Who names an order wants that one.
            second: policy.second.filter(|_| self.config.order() == Order::Auto),
            ..policy
        }
    }

    pub(super) fn system(&self, options: &Options<'_>) -> Result<System, Failure> {
        self.enter(Phase::Preparing);
        let tuned = Options {
            tuning: Some(&self.config.tuning),
            ..*options
        };
        let system = System::new(self.network, &tuned).map_err(Failure::too_large);
        self.enter(Phase::Searching);
        system
    }

    pub(super) fn report(
        &mut self,
        system: &System,
        goal: Option<&Formula>,
        wanted: bool,
        outcome: Outcome,
        start: Instant,
    ) -> Result<Report, Failure> {
        let guide = &self.stage.guide;
        let mut report = Report {
            heuristic: guide.heuristic.as_ref().map(HeuristicSpec::to_string),
            databases: outcome.databases,
            figures: Figures {
                work: shorten::work(self.network, &outcome.statistics) + outcome.steps,
                ..figures(&outcome.statistics, start)
            },
            ..Report::new(Answer::of(!wanted), guide.search.clone())
        };
        let asked = self.config.symmetry == Some(true) && goal.is_some();
        (report.remarks).extend(remarks::permuted(self.network, system, asked));
        report.found_by = outcome.statistics.found_by.map(|queue| {
            let name = report.heuristic.as_deref().unwrap_or("none");
            match queue {
                Queue::Estimate => format!("greedy search with {name}"),
                Queue::Planned => format!("the steps of {name}'s abstract solution"),
                Queue::First => format!("the first steps of {name}'s abstract solution"),
                Queue::Blind => "blind search, largest zones first".to_string(),
                Queue::Deep => "blind search, depth first".to_string(),
                Queue::Look => "a short blind look, depth first".to_string(),
                Queue::Side(name) => name.to_string(),
                Queue::Levels => "blind search, breadth first".to_string(),
                Queue::Shuffled(seed) => {
                    format!("a short blind look, depth first in random order, seed {seed}")
                }
            }
        });
        let inherited = outcome.statistics.inherited;
        (report.remarks).extend((inherited > 0).then_some(Remark::Inherited(inherited)));
        if let (Some(run), Verdict::Reachable(_)) = (outcome.run, &outcome.verdict) {
            report.found_by = Some(run);
        }
        if let Some(trace) = &outcome.walked {
            let run = evidence::accepted(self.network, self.query, trace)?;
            report.answer = Answer::of(wanted);
            report.found_by = Some(format!("a random walk, seed {}", self.config.seed));
            report.trace = (self.config.trace != TraceKind::None).then_some(run);
            report.figures.time = start.elapsed();
            return Ok(report);
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
                if outcome.statistics.hopeless {
                    let states = outcome.statistics.explored;
                    report.remarks.push(Remark::NoWay(states));
                }
                if outcome.statistics.second {
                    report.remarks.push(Remark::SecondOrder);
                }
                if let (true, Some(goal)) = (self.config.certificate, goal) {
                    if outcome.statistics.pruned == 0 && system.permits_simulation() {
                        let stores = &outcome.stores;
                        let made =
                            evidence::certificate(self.network, self.query, goal, system, stores);
                        report.certificate = Some(made);
                    } else {
                        report.remarks.push(Remark::NoCertificate);
                    }
                }
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
