//! Models with lattice variables: reachability by covering, joining and refinement; `lattice_range` has suprema.
//!
//! Without a word from the user, covering is used where it is certain that larger elements keep the goal, with the
//! monotonicity of the model tested along the way, and explicit exploration otherwise. What needs no lattices (liveness, infima) is explored explicitly: elements are part of states.

use std::time::Instant;

use merkhet_analysis::Demand;
use merkhet_explore::{Blind, Heuristic, Strategy};
use merkhet_heuristics::HeuristicSpec;
use merkhet_lattices::polarity::{self, Polarity};
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
use crate::why::{Explicit, Kept, Remark, Why};

/// What covering and joining may do to a query.
pub(super) enum Choice {
    /// Use this update, with what it assumes.
    Lattice(Update, Vec<Remark>),
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
        let polarity = goal.map_or(Polarity::Fixed, |goal| {
            polarity::of_formula(self.network, goal)
        });
        let joins = self
            .config
            .lattice
            .is_some_and(|update| update != Update::Simple);
        if joins && goal.is_some_and(merkhet_analysis::mentions_deadlock) {
            return Err(Failure::NotPermitted(
                "deadlocks are not kept by larger elements, which can do more; use --lattice simple".into(),
            ));
        }
        let (update, assumed) = match self.choose(polarity, Kept::Query)? {
            Choice::Lattice(update, assumed) => (update, assumed),
            Choice::Explicit(why) => return Ok(Err(why.map(Remark::Explicit))),
        };
        if self.keeper.is_some() {
            let message = "checkpoints are not for searches that cover or join lattice elements";
            return Err(Failure::NotPermitted(message.into()));
        }
        // What is assumed is tested along the way.
        let test = self.config.check_monotone || !assumed.is_empty();
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
                report.remarks.splice(0..0, assumed);
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

    /// The update for a query of this polarity.
    pub(super) fn choose(&self, polarity: Polarity, what: Kept) -> Result<Choice, Failure> {
        let has_lattices = !self.network.lattice_variables.is_empty();
        let monotone = matches!(polarity, Polarity::Fixed | Polarity::Rises);
        let asked = self.config.lattice;
        let needs_explicit = self.config.bitstate
            || self.config.certificate
            || matches!(self.config.trace, TraceKind::Fastest | TraceKind::Shortest);
        if !matches!(asked, None | Some(Update::Simple)) {
            // A covered configuration may be nearer to the goal than the one that covers it.
            if needs_explicit {
                return Err(Failure::NotPermitted(
                    "certificates, shortest and fastest traces and --bitstate need explicit exploration; \
                     use --lattice simple"
                        .into(),
                ));
            }
        }
        let obstacle = merkhet_lattices::obstacle(self.network);
        let doubt = obstacle.clone().map(Remark::MonotoneDespite);
        Ok(match asked {
            None if !has_lattices => Choice::Explicit(None),
            None if needs_explicit => Choice::Explicit(None),
            None if obstacle.is_some() => Choice::Explicit(obstacle.map(Explicit::Obstacle)),
            None if monotone => Choice::Lattice(Update::Cover, vec![Remark::Monotone]),
            None => Choice::Explicit(Some(Explicit::NotKept(what))),
            Some(Update::Simple) if !self.config.check_monotone => Choice::Explicit(None),
            Some(Update::Simple) => Choice::Lattice(Update::Simple, Vec::new()),
            Some(update) => match polarity {
                Polarity::Falls => {
                    return Err(Failure::NotPermitted(format!(
                        "larger elements do not keep the {what}, so that covering and joining would miss it; \
                         use --lattice simple"
                    )));
                }
                Polarity::Unknown => {
                    let assumed = std::iter::once(Remark::Keeps(what)).chain(doubt);
                    Choice::Lattice(update, assumed.collect())
                }
                // Zones alone need no test: what a smaller zone can do, a larger one can do too.
                _ if !has_lattices => Choice::Lattice(update, Vec::new()),
                _ => Choice::Lattice(update, vec![doubt.unwrap_or(Remark::Monotone)]),
            },
        })
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
