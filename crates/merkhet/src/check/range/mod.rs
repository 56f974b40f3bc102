//! Ranges of values: `sup`, `inf` and `bounds`.
//!
//! Integer expressions are read off every reachable discrete state. A clock is measured in zones that keep its value
//! exactly up to a horizon K: K is entered into the clock bounds as if the model compared the clock with it. Ends of the
//! range that lie below K are exact. If a state lets time pass for ever, or a cycle of states lets the clock grow
//! (`unbounded`), the supremum is infinite. Otherwise the horizon is doubled, until the ends that are asked for lie
//! below it. Differences of clocks are asked for one bound after the other (`difference`).

mod certificate;
mod difference;
mod ends;
mod reading;
mod unbounded;

use std::time::Instant;

use merkhet_network::{ClockId, Expr, Extremum, Formula, Measure};

use self::difference::{Questions, Stop};
use self::ends::Range;
use self::reading::{Ends, Reading};
use super::Task;
use crate::failure::Failure;
use crate::report::{Answer, Figures, Report, Value};
use crate::why::Remark;

/// How a measure is found.
enum Way<'m> {
    /// By a reading, possibly negated.
    Read(Reading<'m>, bool),
    /// By questions about `left − right`.
    Ask(ClockId, ClockId),
}

fn way(measure: &Measure) -> Way<'_> {
    match measure {
        Measure::Data(expr) => Way::Read(Reading::Data(expr), false),
        Measure::Clock { left, right } => match (left, right) {
            (Some(left), Some(right)) if left != right => Way::Ask(*left, *right),
            (Some(clock), None) => Way::Read(Reading::Clock(*clock), false),
            (None, Some(clock)) => Way::Read(Reading::Clock(*clock), true),
            _ => Way::Read(Reading::Data(&Expr::Const(0)), false),
        },
    }
}

impl Task<'_> {
    pub(super) fn range(
        &mut self,
        extremum: Extremum,
        predicate: &Formula,
        measures: &[(Measure, String)],
    ) -> Result<Report, Failure> {
        let remark = match self.lattice_range(extremum, predicate, measures)? {
            Ok(report) => return Ok(report),
            Err(remark) => remark,
        };
        let mut report = self.explicit_range(extremum, predicate, measures)?;
        report.or_else_remark(remark);
        Ok(report)
    }

    fn explicit_range(
        &mut self,
        extremum: Extremum,
        predicate: &Formula,
        measures: &[(Measure, String)],
    ) -> Result<Report, Failure> {
        let start = Instant::now();
        let mut report = Report::new(Answer::Satisfied, "bfs");
        let ranges = self.ranges(extremum, predicate, measures, start, &mut report.figures);
        match ranges {
            Ok(ranges) => {
                report.values = values(extremum, measures, &ranges);
                if self.config.certificate {
                    let explored = report.figures.explored;
                    match self.proof_of_values(&report.values, explored, start)? {
                        Ok(certificate) => report.certificate = Some(certificate),
                        Err(why) => report.remarks.push(Remark::Unproved(why)),
                    }
                }
                let empty = |range: &Range| range.low.is_none() && range.high.is_none();
                if ranges.iter().all(empty) {
                    report.remarks.push(Remark::NoState);
                }
            }
            Err(Stop::Why(why)) => report.answer = Answer::Unknown(why),
            Err(Stop::Failure(failure)) => return Err(failure),
        }
        Ok(report)
    }

    /// The ranges of all measures, each by its way; at least in the ends that are asked for.
    fn ranges(
        &mut self,
        extremum: Extremum,
        predicate: &Formula,
        measures: &[(Measure, String)],
        start: Instant,
        figures: &mut Figures,
    ) -> Result<Vec<Range>, Stop> {
        let ways: Vec<Way<'_>> = measures.iter().map(|(measure, _)| way(measure)).collect();
        let mut readings = Vec::new();
        let mut ends = Ends {
            low: extremum != Extremum::Supremum,
            high: extremum != Extremum::Infimum,
        };
        for way in &ways {
            if let Way::Read(reading, negated) = way {
                readings.push(*reading);
                ends = Ends {
                    low: ends.low || *negated && ends.high,
                    high: ends.high || *negated && ends.low,
                };
            }
        }
        let mut read = Vec::new();
        if !readings.is_empty() {
            read = self.read(ends, predicate, &readings, start, figures)?;
        }
        let mut read = read.into_iter();
        let mut ranges = Vec::with_capacity(ways.len());
        for way in ways {
            ranges.push(match way {
                Way::Read(_, negated) => {
                    let range: Range = read.next().unwrap_or_default();
                    if negated { range.negated() } else { range }
                }
                Way::Ask(left, right) => {
                    let mut questions = Questions {
                        predicate,
                        start,
                        figures,
                    };
                    questions.range(self, extremum, left, right)?
                }
            });
        }
        Ok(ranges)
    }
}

fn values(extremum: Extremum, measures: &[(Measure, String)], ranges: &[Range]) -> Vec<Value> {
    let both = extremum == Extremum::Both;
    measures
        .iter()
        .zip(ranges)
        .map(|((_, text), range)| Value {
            expression: text.clone(),
            infimum: range.low.filter(|_| both || extremum == Extremum::Infimum),
            supremum: range
                .high
                .filter(|_| both || extremum == Extremum::Supremum),
        })
        .collect()
}
