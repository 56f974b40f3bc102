//! Models with lattice variables: reachability and suprema by covering, joining and refinement.
//!
//! Without a word from the user, covering is used where it is certain that larger elements keep the goal, and explicit
//! exploration otherwise. What needs no lattices (liveness, infima) is explored explicitly: elements are part of states.

use std::time::Instant;

use merkhet_analysis::Demand;
use merkhet_cegar::polarity::{self, Polarity};
use merkhet_cegar::{self as cegar, Update, Verdict};
use merkhet_network::{Expr, Extremum, Formula, Measure};
use merkhet_replay::Replayed;
use merkhet_search::{Blind, Heuristic, Strategy};
use merkhet_semantics::{Explorer, Extrapolation, GoalId, Options, System};

use super::Task;
use super::evidence::{self, Evidence};
use super::heuristic::Prepared;
use super::reach::{Plan, figures, limits, stopped};
use crate::config::TraceKind;
use crate::report::{Answer, Bound, Failure, Figures, Report, Value};

/// What covering and joining may do to a query.
enum Choice {
    /// Use this update, with a remark for the report.
    Lattice(Update, Option<String>),
    /// Explore explicitly, with a remark for the report.
    Explicit(Option<String>),
}

impl Task<'_> {
    /// Reachability by covering or joining, where the model has lattices or the user asks for it. Nothing: the ordinary
    /// search is to be used, with this remark.
    pub(super) fn lattice_reach(
        &mut self,
        goal: Option<&Formula>,
        wanted: bool,
    ) -> Result<Result<Report, Option<String>>, Failure> {
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
        let (update, remark) = match self.choose(polarity, "query")? {
            Choice::Lattice(update, remark) => (update, remark),
            Choice::Explicit(remark) => return Ok(Err(remark)),
        };
        if self.keeper.is_some() {
            let message = "checkpoints are not for searches that cover or join lattice elements";
            return Err(Failure::NotPermitted(message.into()));
        }
        let start = Instant::now();
        let formulas: Vec<&Formula> = goal.into_iter().collect();
        let options = Options {
            extrapolation: self.config.extrapolation.unwrap_or(Extrapolation::LuPlus),
            demand: Demand {
                formulas: &formulas,
                ..Demand::default()
            },
            ..Options::default()
        };
        let system = self.system(&options)?;
        let plan = self.lattice_plan(goal, update);
        let mut guide: Box<dyn Heuristic> = match (&plan.heuristic, goal) {
            (Some(name), Some(goal)) => {
                Prepared::new(name, self.network, goal, self.config)?.make(&system, 0)
            }
            _ => Box::new(Blind),
        };
        let outcome = self.explore(&system, &plan, update, goal.is_some(), guide.as_mut())?;
        let mut report = empty(&plan, update);
        report.figures = lattice_figures(&outcome, start);
        report.reason = remark;
        let (found, absent) = match wanted {
            true => (Answer::Satisfied, Answer::Violated),
            false => (Answer::Violated, Answer::Satisfied),
        };
        match &outcome.verdict {
            Verdict::Reachable(trace) => {
                match evidence::concrete(self.network, self.query, &system, trace)? {
                    Evidence::Accepted(run) => {
                        report.answer = found;
                        report.trace = (self.config.trace != TraceKind::None).then_some(*run);
                    }
                    Evidence::Unconfirmed(reason) => report.reason = Some(reason),
                }
            }
            Verdict::Unreachable => report.answer = absent,
            Verdict::Inconclusive(blame) => {
                if let Some(run) = self.confirm(&system, outcome.statistics.explored)? {
                    report.answer = found;
                    report.trace = (self.config.trace != TraceKind::None).then_some(run);
                    return Ok(Ok(report));
                }
                let hint = "--lattice cegar refines, --lattice cover is exact";
                report.reason = Some(format!("inconclusive: {blame} ({hint})"));
            }
            Verdict::Unknown(reason) => report.reason = Some(stopped(*reason).to_string()),
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

    /// Suprema and infima by covering or joining; nothing: explicit exploration is to be used, with this remark.
    pub(super) fn lattice_range(
        &mut self,
        extremum: Extremum,
        predicate: &Formula,
        measures: &[(Measure, String)],
    ) -> Result<Result<Report, Option<String>>, Failure> {
        let expressions: Vec<&Expr> = measures
            .iter()
            .filter_map(|(measure, _)| match measure {
                Measure::Data(expr) => Some(expr),
                Measure::Clock { .. } => None,
            })
            .collect();
        let wanted = match extremum {
            Extremum::Supremum => Polarity::Rises,
            Extremum::Infimum => Polarity::Falls,
            Extremum::Both => Polarity::Fixed,
        };
        let fits = |polarity| polarity == Polarity::Fixed || polarity == wanted;
        let all = expressions.len() == measures.len()
            && (expressions.iter()).all(|expr| fits(polarity::of_expr(self.network, expr)));
        let kept = matches!(
            polarity::of_formula(self.network, predicate),
            Polarity::Fixed | Polarity::Rises
        );
        let polarity = match all && kept {
            true => Polarity::Fixed,
            false => Polarity::Falls,
        };
        if polarity == Polarity::Falls && self.config.lattice.is_some_and(|u| u != Update::Simple) {
            let remark = "explored explicitly: larger elements need not have the extreme values";
            return Ok(Err(Some(remark.into())));
        }
        let (update, remark) = match self.choose(polarity, "measure")? {
            Choice::Lattice(update, remark) => (update, remark),
            Choice::Explicit(remark) => return Ok(Err(remark)),
        };
        let start = Instant::now();
        let formulas = [predicate];
        let options = Options {
            extrapolation: self.config.extrapolation.unwrap_or(Extrapolation::LuPlus),
            demand: Demand {
                formulas: &formulas,
                ..Demand::default()
            },
            expressions: &expressions,
            ..Options::default()
        };
        let system = self.system(&options)?;
        let plan = self.lattice_plan(None, update);
        let outcome = self.explore(&system, &plan, update, false, &mut Blind)?;
        let mut report = empty(&plan, update);
        report.figures = lattice_figures(&outcome, start);
        report.reason = remark;
        if let Verdict::Unknown(reason) = &outcome.verdict {
            report.reason = Some(stopped(*reason).to_string());
            return Ok(Ok(report));
        }
        report.answer = Answer::Satisfied;
        report.values = self.measured(&system, &outcome, extremum, measures)?;
        if outcome.joins > 0 {
            let remark = format!(
                "a safe bound: {} joins may have made it larger than it is",
                outcome.joins
            );
            report.reason = Some(remark);
        }
        Ok(Ok(report))
    }

    fn measured(
        &self,
        system: &System,
        outcome: &cegar::Outcome,
        extremum: Extremum,
        measures: &[(Measure, String)],
    ) -> Result<Vec<Value>, Failure> {
        let mut explorer = Explorer::new(system);
        let mut ranges: Vec<Option<(i32, i32)>> = vec![None; measures.len()];
        let mut fault = None;
        outcome.for_each(
            &mut |state| match explorer.satisfies(GoalId(0), state, None) {
                Ok(false) => {}
                Err(found) => fault = Some(found),
                Ok(true) => {
                    for (index, range) in ranges.iter_mut().enumerate() {
                        match explorer.value(state, index) {
                            Ok(value) => {
                                let (low, high) = range.unwrap_or((value, value));
                                *range = Some((low.min(value), high.max(value)));
                            }
                            Err(found) => fault = Some(found),
                        }
                    }
                }
            },
        );
        if let Some(fault) = fault {
            let site = self.network.site(fault.site).cloned().map(Box::new);
            return Err(Failure::Fault {
                message: fault.to_string(),
                site,
                trace: None,
            });
        }
        let end = |asked: bool, value: Option<i32>| {
            let value = value.filter(|_| asked)?;
            Some(Bound::Reached(value.into()))
        };
        let values = measures
            .iter()
            .zip(&ranges)
            .map(|((_, text), range)| Value {
                expression: text.clone(),
                infimum: end(extremum != Extremum::Supremum, range.map(|(low, _)| low)),
                supremum: end(extremum != Extremum::Infimum, range.map(|(_, high)| high)),
            });
        Ok(values.collect())
    }

    /// The update for a query of this polarity.
    fn choose(&self, polarity: Polarity, what: &str) -> Result<Choice, Failure> {
        let has_lattices = !self.network.lattice_variables.is_empty();
        let monotone = matches!(polarity, Polarity::Fixed | Polarity::Rises);
        let asked = self.config.lattice;
        let needs_explicit = self.config.bitstate
            || self.config.certificate
            || self.config.trace == TraceKind::Fastest;
        if let (Some(update), true) = (asked, asked != Some(Update::Simple)) {
            let refused = match self.config.trace {
                _ if needs_explicit => Some("certificates, fastest traces and --bitstate"),
                TraceKind::Shortest if update != Update::Cover => Some("shortest traces"),
                _ => None,
            };
            if let Some(what) = refused {
                return Err(Failure::NotPermitted(format!(
                    "{what} need explicit exploration; use --lattice simple"
                )));
            }
        }
        let obstacle = merkhet_cegar::obstacle(self.network);
        Ok(match asked {
            None if !has_lattices => Choice::Explicit(None),
            None if needs_explicit => Choice::Explicit(None),
            None if obstacle.is_some() => Choice::Explicit(
                obstacle.map(|obstacle| format!("explored explicitly: {obstacle}")),
            ),
            None if monotone => Choice::Lattice(Update::Cover, None),
            None => Choice::Explicit(Some(format!(
                "explored explicitly: it is not certain that larger elements keep the {what}"
            ))),
            Some(Update::Simple) if !self.config.check_monotone => Choice::Explicit(None),
            Some(Update::Simple) => Choice::Lattice(Update::Simple, None),
            Some(update) => match polarity {
                Polarity::Falls => {
                    return Err(Failure::NotPermitted(format!(
                        "larger elements do not keep the {what}, so that covering and joining would miss it; \
                         use --lattice simple"
                    )));
                }
                Polarity::Unknown => Choice::Lattice(
                    update,
                    Some(format!(
                        "under the assumption that larger elements keep the {what}"
                    )),
                ),
                _ => {
                    let remark = obstacle.map(|obstacle| {
                        format!("under the assumption that the model is monotone: {obstacle}")
                    });
                    Choice::Lattice(update, remark)
                }
            },
        })
    }

    /// Covering is best when large elements come early, joining when many elements wait at once.
    fn lattice_plan(&self, goal: Option<&Formula>, update: Update) -> Plan {
        let chosen = self.config.search.is_some() || self.config.heuristic.is_some();
        let mut plan = Plan::new(self.config, goal);
        if let Strategy::Preferred(tie) = plan.strategy {
            plan.strategy = Strategy::Greedy(tie);
        }
        if !chosen || matches!(plan.strategy, Strategy::Auto(_)) {
            let deep = update == Update::Cover && self.config.trace != TraceKind::Shortest;
            (plan.strategy, plan.search) = match deep {
                true => (Strategy::DepthFirst, "dfs".into()),
                false => (Strategy::BreadthFirst, "bfs".into()),
            };
            plan.heuristic = None;
        }
        plan
    }

    fn explore(
        &mut self,
        system: &System,
        plan: &Plan,
        update: Update,
        has_goal: bool,
        guide: &mut dyn Heuristic,
    ) -> Result<cegar::Outcome, Failure> {
        let options = cegar::Options {
            update,
            joining: self.config.joining,
            strategy: plan.strategy,
            goal: has_goal.then_some(GoalId(0)),
            seed: self.config.seed,
            limits: limits(self.config),
            check_monotone: self.config.check_monotone,
        };
        let outcome = cegar::explore(self.network, system, &options, guide, self.observe);
        outcome.map_err(|failure| match *failure {
            cegar::Failure::Broken(broken) => Failure::Fault {
                site: self.network.site(broken.site).cloned().map(Box::new),
                message: broken.message,
                trace: None,
            },
            cegar::Failure::Fault { fault, trace } => Failure::Fault {
                message: fault.to_string(),
                site: self.network.site(fault.site).cloned().map(Box::new),
                trace: evidence::to_fault(self.network, system, &trace).map(Box::new),
            },
        })
    }
}

fn lattice_figures(outcome: &cegar::Outcome, start: Instant) -> Figures {
    Figures {
        joins: Some(outcome.joins),
        refinements: Some(outcome.refinements),
        ..figures(&outcome.statistics, start)
    }
}

fn empty(plan: &Plan, update: Update) -> Report {
    let name = merkhet_cegar::UPDATES
        .iter()
        .find(|(_, known, _)| *known == update);
    Report {
        answer: Answer::Unknown,
        reason: None,
        values: Vec::new(),
        figures: Figures::default(),
        search: format!("{}, {}", plan.search, name.map_or("", |(name, ..)| name)),
        heuristic: plan.heuristic.clone(),
        found_by: None,
        trace: None,
        certificate: None,
        reduced: None,
        databases: None,
    }
}
