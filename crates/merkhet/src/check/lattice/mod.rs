//! Models with lattice variables: reachability by covering, joining and refinement; `range` has suprema.
//!
//! Covering and joining, in turns where nobody asked for one of them, are used where it is proved ([`merkhet_lattices::proof`]) that larger elements can do what smaller
//! ones can and keep the goal; anything else is explored explicitly, with a remark that names what stands in the way. Who
//! asks for covering or joining all the same has to say that the model is assumed to be monotone, and then a "no" is no
//! verdict. What needs no lattices (liveness, infima) is explored explicitly: elements are part of states.

mod range;

use std::time::Instant;

use merkhet_analysis::Demand;
use merkhet_explore::{Blind, Heuristic, MakeHeuristic, StopReason, Strategy};
use merkhet_heuristics::HeuristicSpec;
use merkhet_lattices::proof;
use merkhet_lattices::{self as cegar, Beside, Rules, Update, Verdict};
use merkhet_network::{Expr, Formula, Network};
use merkhet_semantics::{Extrapolation, GoalId, Options, System};

use super::Task;
use super::evidence::{self, Evidence};
use super::reach::{figures, limits, prepare};
use super::schedule::{Elements, Guide};
use crate::config::{Config, TraceKind};
use crate::failure::Failure;
use crate::joining::JoiningRule;
use crate::report::{Answer, Figures, Report};
use crate::search::SearchSpec;
use crate::why::{Explicit, Remark, Why};

/// What covering and joining may do to a query.
pub(super) enum Choice {
    /// Cover or join.
    Lattice(Elements),
    /// Explore explicitly, for this reason where there is one to tell.
    Explicit(Option<Explicit>),
}

/// How a goal (or all states) is searched for: by covering or joining, where the model has lattices or the user asks for it.
pub(super) fn choose(
    network: &Network,
    goal: Option<&Formula>,
    config: &Config,
    asked: Option<Update>,
) -> Result<Choice, Failure> {
    let joins = asked.is_some_and(|update| update != Update::Simple);
    if joins && goal.is_some_and(merkhet_analysis::mentions_deadlock) {
        return Err(Failure::NotPermitted(
            "deadlocks are not kept by larger elements, which can do more; use --lattice simple"
                .into(),
        ));
    }
    let has_lattices = !network.lattice_variables.is_empty();
    let needs_explicit =
        config.bitstate || matches!(config.trace, TraceKind::Fastest | TraceKind::Shortest);
    let unguided = config.search.is_none() && config.heuristic.is_none();
    let turns = asked.is_none() && goal.is_some() && unguided && !config.check_monotone;
    let lattice = |update, assumed| {
        Ok(Choice::Lattice(Elements {
            update,
            turns,
            assumed,
            test: config.check_monotone,
        }))
    };
    let update = match asked {
        Some(Update::Simple) if config.check_monotone => return lattice(Update::Simple, None),
        Some(Update::Simple) => return Ok(Choice::Explicit(None)),
        None if !has_lattices || needs_explicit => return Ok(Choice::Explicit(None)),
        // A covered configuration may be nearer to the goal than the one that covers it.
        Some(_) if needs_explicit => {
            return Err(Failure::NotPermitted(
                "shortest and fastest traces and --bitstate need explicit exploration; use --lattice simple"
                    .into(),
            ));
        }
        asked => asked,
    };
    let Some(obstacle) = not_proved(network, goal) else {
        return lattice(update.unwrap_or(Update::Cover), None);
    };
    match update {
        None => Ok(Choice::Explicit(Some(Explicit::NotProved(obstacle)))),
        Some(update) if config.assume_monotone => {
            lattice(update, Some(Why::AssumedMonotone(obstacle)))
        }
        Some(_) => Err(Failure::NotPermitted(format!(
            "larger elements are not proved to allow more, because of {obstacle}; use --lattice simple, \
             or --assume-monotone, with which \"not found\" is no verdict"
        ))),
    }
}

/// What stands in the way of a proof that covering and joining are right.
fn not_proved(network: &Network, goal: Option<&Formula>) -> Option<String> {
    if let Err(obstacle) = proof::prove(network) {
        return Some(obstacle.describe(network));
    }
    let lost = proof::lost_by_larger(network, goal?)?;
    Some(format!("{} in the query", lost.what))
}

/// The order in which elements are covered or joined.
///
/// Breadth first, elements meet while most of them still wait, and a smaller one is dropped before it is expanded: depth
/// first expands eight users of a database 768,243 times where 59,049 are left. Where all states are measured by covering,
/// depth first meets the large elements of long programs early.
pub(super) fn guide(config: &Config, goal: Option<&Formula>, update: Update) -> Guide {
    let chosen = config.search.is_some() || config.heuristic.is_some();
    let mut guide = Guide::new(config, config.order(), 1, goal);
    if guide.strategy == Strategy::LargestFirst {
        guide = Guide::named(Strategy::BreadthFirst, "bfs");
    }
    if !chosen || matches!(guide.strategy, Strategy::Auto(_)) {
        guide = match goal.is_none() && update == Update::Cover {
            true => Guide::named(Strategy::DepthFirst, "dfs"),
            false => Guide::named(Strategy::BreadthFirst, "bfs"),
        };
    }
    guide
}

impl Task<'_> {
    /// Reachability by covering or joining.
    pub(super) fn elements(
        &mut self,
        elements: &Elements,
        goal: Option<&Formula>,
        wanted: bool,
    ) -> Result<Report, Failure> {
        let start = Instant::now();
        let formulas: Vec<&Formula> = goal.into_iter().collect();
        let system = self.elements_system(elements, &formulas, &[])?;
        let round = self.stage.restart.map_or(0, |restart| restart.round);
        let prepared = match (&self.stage.guide.heuristic, goal) {
            (Some(spec), Some(goal)) => {
                let varied = self.stage.restart.and_then(|_| spec.variation(round));
                let spec = varied.as_ref().unwrap_or(spec);
                Some(prepare(spec, self.network, goal, self.config, self.limits)?)
            }
            _ => None,
        };
        let make = || -> Box<dyn Heuristic> {
            match &prepared {
                Some(prepared) => prepared.make(&system, 0),
                None => Box::new(Blind),
            }
        };
        let (update, outcome) = self.explore(&system, elements, (goal.is_some(), 0), &make)?;
        let mut report = empty(&self.stage.guide, update);
        report.figures = lattice_figures(&outcome, start);
        report.splits.clone_from(&outcome.splits);
        report.answer = Answer::of(!wanted);
        report.remarks.extend(self.unused());
        match &outcome.verdict {
            // The run was judged with its exact elements: it rests on no assumption.
            Verdict::Reachable(trace) => {
                match evidence::concrete(self.network, self.query, &system, trace)? {
                    Evidence::Accepted(run) => {
                        report.answer = Answer::of(wanted);
                        report.trace = (self.config.trace != TraceKind::None).then_some(*run);
                    }
                    Evidence::Unconfirmed(why) => report.be_unknown(why),
                }
            }
            Verdict::Unreachable => match &elements.assumed {
                Some(why) => report.be_unknown(why.clone()),
                None if self.config.certificate && goal.is_some() => {
                    match evidence::boxes(self.network, self.query, &outcome) {
                        Ok(proof) => report.certificate = Some(proof),
                        Err(reason) => report.remarks.push(Remark::NoBoxes(reason)),
                    }
                }
                None => {}
            },
            Verdict::Inconclusive(blame) => report.be_unknown(Why::Inconclusive {
                blame: blame.clone(),
                hint: true,
            }),
            Verdict::Unknown(reason) => report.be_unknown((*reason).into()),
        }
        Ok(report)
    }

    /// Looks for a goal that the abstraction reaches without abstraction, about as long as the abstraction took: joins
    /// may forget the way to what can be reached all the same.
    pub(super) fn confirm(
        &mut self,
        elements: &Elements,
        goal: &Formula,
        wanted: bool,
    ) -> Result<Report, Failure> {
        let start = Instant::now();
        let system = self.elements_system(elements, &[goal], &[])?;
        let options = cegar::Options {
            update: Update::Cover,
            strategy: self.stage.guide.strategy,
            goal: Some(GoalId(0)),
            limits: limits(self.limits, 1),
            tuning: Some(&self.config.tuning),
            ..cegar::Options::default()
        };
        let outcome = cegar::explore(self.network, &system, &options, &mut Blind, self.observe);
        let mut report = empty(&self.stage.guide, Update::Cover);
        report.be_unknown(StopReason::Incomplete.into());
        let Ok(outcome) = outcome else {
            return Ok(report);
        };
        report.figures = lattice_figures(&outcome, start);
        match &outcome.verdict {
            Verdict::Reachable(trace) => {
                match evidence::concrete(self.network, self.query, &system, trace)? {
                    Evidence::Accepted(run) => {
                        report.answer = Answer::of(wanted);
                        report.remarks.extend(self.unused());
                        report.trace = (self.config.trace != TraceKind::None).then_some(*run);
                    }
                    Evidence::Unconfirmed(why) => report.be_unknown(why),
                }
            }
            Verdict::Unknown(reason) => report.be_unknown((*reason).into()),
            Verdict::Unreachable | Verdict::Inconclusive(_) => {}
        }
        Ok(report)
    }

    /// ExtraLU+ may enlarge a smaller zone more than a larger one, which would look like a model that is not monotone.
    pub(super) fn elements_system(
        &self,
        elements: &Elements,
        formulas: &[&Formula],
        expressions: &[&Expr],
    ) -> Result<System, Failure> {
        let rules = JoiningRule::parts(&self.config.joining_rules);
        let formulas: Vec<&Formula> = formulas.iter().chain(&rules.holds).copied().collect();
        let expressions: Vec<&Expr> = expressions.iter().chain(&rules.alike).copied().collect();
        let usual = match elements.test {
            true => Extrapolation::Lu,
            false => Extrapolation::LuPlus,
        };
        self.system(&Options {
            extrapolation: self.config.extrapolation.unwrap_or(usual),
            demand: Demand {
                formulas: &formulas,
                ..Demand::default()
            },
            expressions: &expressions,
            ..Options::default()
        })
    }

    /// The rules of the joining strategy in a system of [`Task::elements_system`], which has these before them.
    fn rules(&self, formulas: usize, expressions: usize) -> Rules {
        let parts = JoiningRule::parts(&self.config.joining_rules);
        let goals = formulas as u32;
        Rules {
            apart: parts.apart,
            alike: expressions..expressions + parts.alike.len(),
            holds: goals..goals + parts.holds.len() as u32,
        }
    }

    /// What was asked for and only explicit exploration has.
    pub(super) fn unused(&self) -> Option<Remark> {
        let config = self.config;
        let largest = config.search == Some(SearchSpec::LargestFirst);
        let parts: Vec<&'static str> = [
            (config.prune.is_some(), "--prune"),
            (largest, "--search largest"),
        ]
        .into_iter()
        .filter_map(|(given, name)| given.then_some(name))
        .collect();
        (!parts.is_empty()).then_some(Remark::Without(parts))
    }

    pub(super) fn explore(
        &mut self,
        system: &System,
        elements: &Elements,
        (has_goal, expressions): (bool, usize),
        make: &MakeHeuristic<'_>,
    ) -> Result<(Update, cegar::Outcome), Failure> {
        // A predicate stands where a goal would.
        let rules = self.rules(usize::from(has_goal || expressions > 0), expressions);
        let options = cegar::Options {
            update: elements.update,
            joining: self.config.joining,
            rules: Some(&rules),
            strategy: self.stage.guide.strategy,
            goal: has_goal.then_some(GoalId(0)),
            // Runs that start anew break ties in another way.
            seed: (self.config.seed)
                .wrapping_add(self.stage.restart.map_or(0, |restart| restart.round.into())),
            limits: limits(self.limits, 1),
            tuning: Some(&self.config.tuning),
            check_monotone: elements.test,
        };
        let beside = match elements.update {
            _ if !has_goal || elements.test => None,
            _ if elements.turns => Some(Beside::Joins),
            Update::Cegar => Some(Beside::Refinements),
            _ => None,
        };
        let (network, observe) = (self.network, &mut *self.observe);
        let outcome = match (beside, self.stage.threads) {
            _ if self.keeper.is_some() => {
                let Some(keeper) = self.keeper.as_deref_mut() else {
                    return Err(Failure::Internal("a keeper went away".into()));
                };
                let mut guide = make();
                let guide = guide.as_mut();
                cegar::explore_resumable(network, system, &options, guide, observe, keeper)
                    .map_err(|error| Failure::NotPermitted(error.to_string()))?
                    .map(|outcome| (elements.update, outcome))
            }
            (Some(beside), 1) => {
                let mut guide = make();
                cegar::explore_in_turns(network, system, &options, beside, guide.as_mut(), observe)
            }
            (None, 1) => cegar::explore(network, system, &options, make().as_mut(), observe)
                .map(|outcome| (elements.update, outcome)),
            (_, threads) => {
                let options = cegar::Options {
                    // At the same time instead of in turns.
                    update: match elements.turns {
                        true => Update::Cegar,
                        false => elements.update,
                    },
                    ..options
                };
                cegar::explore_with_threads(network, system, &options, threads, make, observe)
            }
        };
        // Who asked for an update is told of that one, whatever it turned into.
        let outcome = outcome.map(|(update, outcome)| match elements.turns {
            true => (update, outcome),
            false => (elements.update, outcome),
        });
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

pub(super) fn empty(guide: &Guide, update: Update) -> Report {
    let name = merkhet_lattices::UPDATES
        .iter()
        .find(|(_, known, _)| *known == update);
    let name = name.map_or("", |(name, ..)| name);
    Report {
        heuristic: guide.heuristic.as_ref().map(HeuristicSpec::to_string),
        ..Report::new(Answer::Satisfied, format!("{}, {name}", guide.search))
    }
}
