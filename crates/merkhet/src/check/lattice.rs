//! Models with lattice variables: reachability by covering, joining and refinement; `lattice_range` has suprema.
//!
//! Covering and joining are used where it is proved ([`merkhet_lattices::proof`]) that larger elements can do what smaller
//! ones can and keep the goal; anything else is explored explicitly, with a remark that names what stands in the way. Who
//! asks for covering or joining all the same has to say that the model is assumed to be monotone, and then a "no" is no
//! verdict. What needs no lattices (liveness, infima) is explored explicitly: elements are part of states.

use std::time::Instant;

use merkhet_analysis::Demand;
use merkhet_explore::{Blind, Heuristic, Strategy};
use merkhet_heuristics::HeuristicSpec;
use merkhet_lattices::proof;
use merkhet_lattices::{self as cegar, Update, Verdict};
use merkhet_network::Formula;
use merkhet_replay::Replayed;
use merkhet_semantics::{Extrapolation, GoalId, Options, System};

use super::Task;
use super::evidence::{self, Evidence};
use super::reach::{Plan, figures, limits, prepare};
use crate::config::TraceKind;
use crate::failure::Failure;
use crate::report::{Answer, Figures, Report};
use crate::search::SearchSpec;
use crate::why::{Explicit, Remark, Why};

/// What covering and joining may do to a query.
pub(super) enum Choice {
    /// Use this update. If something stands against a proof that it is right, its "no" is for this reason no verdict.
    Lattice(Update, Option<Why>),
    /// Explore explicitly, for this reason where there is one to tell.
    Explicit(Option<Explicit>),
}

impl Task<'_> {
    /// Reachability by covering or joining, where the model has lattices or the user asks for it. Nothing: the ordinary
    /// search is to be used, with this remark.
    pub(super) fn lattice_reach(
        &mut self,
        goal: Option<&Formula>,
        wanted: bool,
    ) -> Result<Result<Report, Option<Remark>>, Failure> {
        let joins = self
            .config
            .lattice
            .is_some_and(|update| update != Update::Simple);
        if joins && goal.is_some_and(merkhet_analysis::mentions_deadlock) {
            return Err(Failure::NotPermitted(
                "deadlocks are not kept by larger elements, which can do more; use --lattice simple".into(),
            ));
        }
        let (update, assumed) = match self.choose(goal)? {
            Choice::Lattice(update, assumed) => (update, assumed),
            Choice::Explicit(why) => return Ok(Err(why.map(Remark::Explicit))),
        };
        if self.keeper.is_some() {
            let message = "checkpoints are not for searches that cover or join lattice elements";
            return Err(Failure::NotPermitted(message.into()));
        }
        let test = self.config.check_monotone;
        let start = Instant::now();
        let formulas: Vec<&Formula> = goal.into_iter().collect();
        let options = Options {
            extrapolation: self.lattice_extrapolation(test),
            demand: Demand {
                formulas: &formulas,
                ..Demand::default()
            },
            ..Options::default()
        };
        let system = self.system(&options)?;
        let plan = self.lattice_plan(goal, update);
        let mut guide: Box<dyn Heuristic> = match (&plan.heuristic, goal) {
            (Some(spec), Some(goal)) => {
                prepare(spec, self.network, goal, self.config)?.make(&system, 0)
            }
            _ => Box::new(Blind),
        };
        let has_goal = goal.is_some();
        let outcome = self.explore(&system, &plan, update, has_goal, test, guide.as_mut())?;
        let mut report = empty(&plan, update);
        report.figures = lattice_figures(&outcome, start);
        report.answer = Answer::of(!wanted);
        report.remarks.extend(self.unused());
        match &outcome.verdict {
            Verdict::Reachable(trace) => {
                match evidence::concrete(self.network, self.query, &system, trace)? {
                    Evidence::Accepted(run) => {
                        // It was judged with its exact elements: it rests on no assumption.
                        report.answer = Answer::of(wanted);
                        report.trace = (self.config.trace != TraceKind::None).then_some(*run);
                    }
                    Evidence::Unconfirmed(why) => report.be_unknown(why),
                }
            }
            Verdict::Unreachable => {
                if let Some(why) = assumed {
                    report.be_unknown(why);
                }
            }
            Verdict::Inconclusive(blame) => {
                if let Some(run) = self.confirm(&system, outcome.statistics.explored)? {
                    report.answer = Answer::of(wanted);
                    report.trace = (self.config.trace != TraceKind::None).then_some(run);
                    return Ok(Ok(report));
                }
                report.be_unknown(Why::Inconclusive {
                    blame: blame.clone(),
                    hint: true,
                });
            }
            Verdict::Unknown(reason) => report.be_unknown((*reason).into()),
        }
        Ok(Ok(report))
    }

    /// Looks for a goal that the abstraction reaches without abstraction, about as long as the abstraction took: joins
    /// may forget the way to what can be reached all the same.
    fn confirm(&mut self, system: &System, explored: u64) -> Result<Option<Replayed>, Failure> {
        let mut limits = limits(self.config);
        let most = explored.saturating_mul(2).saturating_add(1000);
        limits.states = Some(limits.states.map_or(most, |limit| limit.min(most)));
        let options = cegar::Options {
            update: Update::Cover,
            strategy: Strategy::DepthFirst,
            goal: Some(GoalId(0)),
            limits,
            ..cegar::Options::default()
        };
        let outcome = cegar::explore(self.network, system, &options, &mut Blind, self.observe);
        let Ok(cegar::Outcome {
            verdict: Verdict::Reachable(trace),
            ..
        }) = outcome
        else {
            return Ok(None);
        };
        match evidence::concrete(self.network, self.query, system, &trace)? {
            Evidence::Accepted(run) => Ok(Some(*run)),
            Evidence::Unconfirmed(_) => Ok(None),
        }
    }

    /// The update for a goal (or for all states).
    pub(super) fn choose(&self, goal: Option<&Formula>) -> Result<Choice, Failure> {
        let has_lattices = !self.network.lattice_variables.is_empty();
        let needs_explicit = self.config.bitstate
            || self.config.certificate
            || matches!(self.config.trace, TraceKind::Fastest | TraceKind::Shortest);
        let update = match self.config.lattice {
            Some(Update::Simple) if self.config.check_monotone => {
                return Ok(Choice::Lattice(Update::Simple, None));
            }
            Some(Update::Simple) => return Ok(Choice::Explicit(None)),
            None if !has_lattices || needs_explicit => return Ok(Choice::Explicit(None)),
            // A covered configuration may be nearer to the goal than the one that covers it.
            Some(_) if needs_explicit => {
                return Err(Failure::NotPermitted(
                    "certificates, shortest and fastest traces and --bitstate need explicit exploration; \
                     use --lattice simple"
                        .into(),
                ));
            }
            asked => asked,
        };
        let Some(obstacle) = self.not_proved(goal) else {
            return Ok(Choice::Lattice(update.unwrap_or(Update::Cover), None));
        };
        match update {
            None => Ok(Choice::Explicit(Some(Explicit::NotProved(obstacle)))),
            Some(update) if self.config.assume_monotone => Ok(Choice::Lattice(
                update,
                Some(Why::AssumedMonotone(obstacle)),
            )),
            Some(_) => Err(Failure::NotPermitted(format!(
                "larger elements are not proved to allow more, because of {obstacle}; use --lattice simple, \
                 or --assume-monotone, with which \"not found\" is no verdict"
            ))),
        }
    }

    /// What stands in the way of a proof that covering and joining are right.
    fn not_proved(&self, goal: Option<&Formula>) -> Option<String> {
        let network = self.network;
        if let Err(obstacle) = proof::prove(network) {
            return Some(obstacle.describe(network));
        }
        let lost = proof::lost_by_larger(network, goal?)?;
        Some(format!("{} in the query", lost.what))
    }

    /// What was asked for and only explicit exploration has.
    pub(super) fn unused(&self) -> Option<Remark> {
        let config = self.config;
        let largest = config.search == Some(SearchSpec::LargestFirst);
        let parts: Vec<&'static str> = [
            (config.threads > 1, "--threads"),
            (config.prune.is_some(), "--prune"),
            (largest, "--search largest"),
        ]
        .into_iter()
        .filter_map(|(given, name)| given.then_some(name))
        .collect();
        (!parts.is_empty()).then_some(Remark::Without(parts))
    }

    /// Covering is best when large elements come early, joining when many elements wait at once.
    pub(super) fn lattice_plan(&self, goal: Option<&Formula>, update: Update) -> Plan {
        let chosen = self.config.search.is_some() || self.config.heuristic.is_some();
        let mut plan = Plan::new(self.config, goal);
        if plan.strategy == Strategy::LargestFirst {
            (plan.strategy, plan.search) = (Strategy::BreadthFirst, "bfs".into());
        }
        if !chosen || matches!(plan.strategy, Strategy::Auto(_)) {
            (plan.strategy, plan.search) = match update == Update::Cover {
                true => (Strategy::DepthFirst, "dfs".into()),
                false => (Strategy::BreadthFirst, "bfs".into()),
            };
            plan.heuristic = None;
        }
        plan
    }

    /// ExtraLU+ may enlarge a smaller zone more than a larger one, which would look like a model that is not monotone.
    pub(super) fn lattice_extrapolation(&self, test: bool) -> Extrapolation {
        let usual = match test {
            true => Extrapolation::Lu,
            false => Extrapolation::LuPlus,
        };
        self.config.extrapolation.unwrap_or(usual)
    }

    pub(super) fn explore(
        &mut self,
        system: &System,
        plan: &Plan,
        update: Update,
        has_goal: bool,
        check_monotone: bool,
        guide: &mut dyn Heuristic,
    ) -> Result<cegar::Outcome, Failure> {
        let options = cegar::Options {
            update,
            joining: self.config.joining,
            strategy: plan.strategy,
            goal: has_goal.then_some(GoalId(0)),
            seed: self.config.seed,
            limits: limits(self.config),
            check_monotone,
        };
        let outcome = cegar::explore(self.network, system, &options, guide, self.observe);
        outcome.map_err(|failure| match *failure {
            cegar::Failure::Broken(broken) => Failure::Fault {
                site: self.network.site(broken.site).cloned().map(Box::new),
                message: broken.message,
                trace: None,
                figures: None,
                limit: false,
            },
            cegar::Failure::Fault { fault, trace } => Failure::Fault {
                message: fault.to_string(),
                site: self.network.site(fault.site).cloned().map(Box::new),
                trace: evidence::to_fault(self.network, system, &trace).map(Box::new),
                figures: None,
                limit: fault.kind.is_limit(),
            },
        })
    }
}

pub(super) fn lattice_figures(outcome: &cegar::Outcome, start: Instant) -> Figures {
    Figures {
        joins: Some(outcome.joins),
        refinements: Some(outcome.refinements),
        ..figures(&outcome.statistics, start)
    }
}

pub(super) fn empty(plan: &Plan, update: Update) -> Report {
    let name = merkhet_lattices::UPDATES
        .iter()
        .find(|(_, known, _)| *known == update);
    let name = name.map_or("", |(name, ..)| name);
    Report {
        heuristic: plan.heuristic.as_ref().map(HeuristicSpec::to_string),
        ..Report::new(Answer::Satisfied, format!("{}, {name}", plan.search))
    }
}
