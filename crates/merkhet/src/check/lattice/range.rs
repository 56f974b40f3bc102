//! Suprema and infima in models with lattice variables, by covering, joining and refinement.
//!
//! Covering is exact and joining gives a safe bound. Refinement goes from that bound to the exact value by asking how far
//! it can be reached: each question is one of reachability, which algorithm 5 of Dalsgaard et al. decides.

use std::time::Instant;

use merkhet_explore::Blind;
use merkhet_lattices::proof::{self, Polarity};
use merkhet_lattices::{self as cegar, Update, Verdict};
use merkhet_network::{BinaryOp, Expr, Extremum, Formula, Measure, Query, QueryKind, SiteId};
use merkhet_semantics::{Explorer, GoalId, System};

use super::{Choice, choose, empty, guide, lattice_figures};
use crate::check::Task;
use crate::check::schedule::Stage;
use crate::failure::Failure;
use crate::report::{Answer, Bound, Figures, Report, Value};
use crate::why::{Explicit, Remark, Why};

impl Task<'_> {
    /// Suprema and infima by covering or joining; nothing: explicit exploration is to be used, with this remark.
    pub(in crate::check) fn lattice_range(
        &mut self,
        extremum: Extremum,
        predicate: &Formula,
        measures: &[(Measure, String)],
    ) -> Result<Result<Report, Option<Remark>>, Failure> {
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
            && (expressions.iter()).all(|expr| fits(proof::of_expr(self.network, expr)));
        let has_lattices = !self.network.lattice_variables.is_empty();
        let asked = self.config.lattice.is_some_and(|u| u != Update::Simple);
        if !all && (asked || has_lattices && self.config.lattice.is_none()) {
            return Ok(Err(Some(Remark::Explicit(Explicit::Extremes))));
        }
        let elements = match choose(
            self.network,
            Some(predicate),
            self.config,
            self.config.lattice,
        )? {
            Choice::Lattice(elements) => elements,
            Choice::Explicit(why) => return Ok(Err(why.map(Remark::Explicit))),
        };
        let update = elements.update;
        let start = Instant::now();
        let system = self.elements_system(&elements, &[predicate], &expressions)?;
        let stage = Stage {
            guide: guide(self.config, None, update),
            ..self.stage.clone()
        };
        let mut task = self.about(self.query, &stage, self.limits);
        let (_, outcome) = task.explore(&system, &elements, (false, expressions.len()), &|| {
            Box::new(Blind)
        })?;
        let mut report = empty(&stage.guide, update);
        report.figures = lattice_figures(&outcome, start);
        report.remarks.extend(self.unused());
        // Only an exploration that came to its end has seen all values.
        match &outcome.verdict {
            Verdict::Unreachable => {}
            Verdict::Unknown(reason) => {
                report.be_unknown((*reason).into());
                return Ok(Ok(report));
            }
            Verdict::Inconclusive(blame) => {
                report.be_unknown(Why::Inconclusive {
                    blame: blame.clone(),
                    hint: false,
                });
                return Ok(Ok(report));
            }
            Verdict::Reachable(_) => {
                let message = "a search without a goal found one";
                return Err(Failure::Internal(message.into()));
            }
        }
        if let Some(why) = elements.assumed {
            // Larger values than those found may have been missed.
            report.be_unknown(why);
            return Ok(Ok(report));
        }
        report.values = self.measured(&system, &outcome, extremum, measures)?;
        if outcome.joins > 0 && update == Update::Cegar {
            self.settle_values(&mut report, extremum, predicate, &expressions, start)?;
        } else if outcome.joins > 0 {
            (report.remarks).insert(0, Remark::SafeBound(outcome.joins));
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
            return Err(Failure::of(self.network, &fault));
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

    /// Replaces safe bounds by exact values; a bound that cannot be settled within the limits is called one.
    fn settle_values(
        &mut self,
        report: &mut Report,
        extremum: Extremum,
        predicate: &Formula,
        measures: &[&Expr],
        start: Instant,
    ) -> Result<(), Failure> {
        let mut open = false;
        for (index, measure) in measures.iter().enumerate() {
            for upper in [true, false] {
                let asked = match upper {
                    true => extremum != Extremum::Infimum,
                    false => extremum != Extremum::Supremum,
                };
                let value = &report.values[index];
                let bound = if upper {
                    &value.supremum
                } else {
                    &value.infimum
                };
                let Some(Bound::Reached(bound)) = bound.filter(|_| asked) else {
                    continue;
                };
                let mut reaches = |limit| {
                    let goal = at_least(predicate, measure, limit, upper);
                    self.reaches(goal, &mut report.figures, start)
                };
                let settled = match settle(bound, upper, &mut reaches)? {
                    Settled::Value(value) => Some(Bound::Reached(value)),
                    Settled::Nowhere => None,
                    Settled::Open => {
                        open = true;
                        continue;
                    }
                };
                match upper {
                    true => report.values[index].supremum = settled,
                    false => report.values[index].infimum = settled,
                }
            }
        }
        if open {
            report.remarks.push(Remark::Unrefined);
        }
        report.figures.time = start.elapsed();
        Ok(())
    }

    /// Whether a goal can be reached; nothing if that cannot be decided within what is left of the limits.
    fn reaches(
        &mut self,
        goal: Formula,
        figures: &mut Figures,
        start: Instant,
    ) -> Result<Option<bool>, Failure> {
        let limits = self.limits_after(start, figures.explored);
        let refined = Some(Update::Cegar);
        let choice = choose(self.network, Some(&goal), self.config, refined)?;
        let query = Query {
            kind: QueryKind::Possibly(goal.clone()),
            ..self.query.clone()
        };
        let mut stage = self.part(Some(&goal));
        let report = match choice {
            Choice::Lattice(elements) => {
                stage.guide = guide(self.config, Some(&goal), elements.update);
                let mut task = self.about(&query, &stage, &limits);
                task.elements(&elements, Some(&goal), true)?
            }
            Choice::Explicit(_) => self
                .about(&query, &stage, &limits)
                .reach(Some(&goal), true)?,
        };
        figures.explored += report.figures.explored;
        figures.transitions += report.figures.transitions;
        figures.stored = figures.stored.max(report.figures.stored);
        figures.discrete = figures.discrete.max(report.figures.discrete);
        figures.peak_memory = figures.peak_memory.max(report.figures.peak_memory);
        figures.joins = sum(figures.joins, report.figures.joins);
        figures.refinements = sum(figures.refinements, report.figures.refinements);
        Ok(match report.answer {
            Answer::Satisfied => Some(true),
            Answer::Violated => Some(false),
            Answer::Unknown(_) => None,
        })
    }
}

fn sum<N: std::ops::Add<Output = N>>(one: Option<N>, other: Option<N>) -> Option<N> {
    Some(one? + other?)
}

/// The states with the predicate in which the measure is at least (or at most) a number.
fn at_least(predicate: &Formula, measure: &Expr, limit: i32, upper: bool) -> Formula {
    let operator = match upper {
        true => BinaryOp::GreaterEqual,
        false => BinaryOp::LessEqual,
    };
    let sides = (Box::new(measure.clone()), Box::new(Expr::Const(limit)));
    let test = Expr::Binary(operator, sides.0, sides.1, SiteId::NONE);
    Formula::And(vec![predicate.clone(), Formula::Data(test)])
}

/// What is known of an extreme value in the end.
#[derive(PartialEq, Eq, Debug)]
enum Settled {
    Value(i64),
    /// The predicate holds in no state.
    Nowhere,
    Open,
}

/// The extreme value that is reached, from a safe bound: first away from it by larger and larger steps, then halving.
fn settle(
    bound: i64,
    upper: bool,
    reaches: &mut dyn FnMut(i32) -> Result<Option<bool>, Failure>,
) -> Result<Settled, Failure> {
    let last = i64::from(if upper { i32::MIN } else { i32::MAX });
    let farthest = (bound - last).abs();
    let mut ask = |distance: i64| {
        let value = if upper {
            bound - distance
        } else {
            bound + distance
        };
        reaches(i32::try_from(value).unwrap_or(last as i32))
    };
    // The smallest distance that is reached lies above `near` and at or below `far`.
    let (mut near, mut far) = (-1, 0);
    loop {
        match ask(far)? {
            None => return Ok(Settled::Open),
            Some(true) => break,
            Some(false) if far == farthest => return Ok(Settled::Nowhere),
            Some(false) => (near, far) = (far, (2 * far).max(1).min(farthest)),
        }
    }
    while far - near > 1 {
        let middle = near + (far - near) / 2;
        match ask(middle)? {
            None => return Ok(Settled::Open),
            Some(true) => far = middle,
            Some(false) => near = middle,
        }
    }
    Ok(Settled::Value(if upper {
        bound - far
    } else {
        bound + far
    }))
}

#[cfg(test)]
mod tests {
    use super::{Settled, settle};

    #[test]
    fn the_extreme_value_is_found_from_any_bound() {
        for value in [i32::MIN + 1000, -7, 0, 5, 99, i32::MAX - 1000] {
            for above in [0, 1, 2, 3, 17, 1000] {
                let mut above_it = |limit| Ok(Some(limit <= value));
                let found = settle(i64::from(value) + above, true, &mut above_it);
                assert_eq!(found.ok(), Some(Settled::Value(value.into())));
                let mut below_it = |limit| Ok(Some(limit >= value));
                let found = settle(i64::from(value) - above, false, &mut below_it);
                assert_eq!(found.ok(), Some(Settled::Value(value.into())));
            }
        }
        let found = settle(12, true, &mut |_| Ok(Some(false)));
        assert_eq!(found.ok(), Some(Settled::Nowhere));
        let found = settle(12, true, &mut |limit| Ok((limit > 9).then_some(false)));
        assert_eq!(found.ok(), Some(Settled::Open));
    }
}
