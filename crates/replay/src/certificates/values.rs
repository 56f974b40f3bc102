//! Checking a certificate for `sup`, `inf` and `bounds`: the ends of the range of each measure.
//!
//! The certificate claims ends, and has an inductive set and runs. Let p be the predicate of the query and m a measure.
//! Checked is, for each measure:
//!
//! 1. *Bound.* No state of the inductive set (its rules: [`crate::certificates::certify`]) satisfies p and lies beyond a
//!    claimed end: m > v for a largest value v that is reached, m ≥ v for one that is not reached; the same for smallest
//!    values. If no end is claimed, no state satisfies p.
//! 2. *Value.* For an end v that is reached, the judge accepts one of the runs as one to a state with p and m ≥ v (m ≤ v).
//!    For an end v that is not reached, one to a state with p and m > v − 1 (m < v + 1).
//!
//! *Then the ends are those of the range.* By 1 nothing lies beyond them, and by 2 and 1 a reached end is the value of a
//! state. Let v be a largest value that is not reached, and s the state of 2: v − 1 < m < v in s. Call two valuations alike
//! if their clocks have the same integer parts and the same order of fractional parts, 0 included. All constants being
//! integers, p holds in all of a class or in none, and a delay or a move from a class reaches classes as a whole (as regions
//! do, Alur and Dill 1994; the classes are regions without a largest constant, which also copies of clocks keep whole). The
//! initial state is a class by itself, so that with s all of its class can be reached. There the fractional parts, in their
//! order, may be as close to 0 or to 1 as one likes, and so m, a clock or a difference of two, comes as close to v as one
//! likes. Where clocks stand still this does not hold, and ends that are not reached are refused.
//!
//! There are no certificates for ranges without an end.

use merkhet_network::{
    BinaryOp, ClockConstraint, EdgeId, Expr, Extremum, Formula, Measure, ProcessId, Query,
    QueryKind, SiteId,
};

use crate::certificates::certificate::{Certificate, End, Ends};
use crate::certificates::certify::{Checker, Refusal, refuse};
use crate::traces::judge::judge_trace;

/// A question about values.
#[derive(Clone, Copy)]
pub(crate) struct Question<'n> {
    pub extremum: Extremum,
    pub predicate: &'n Formula,
    pub measures: &'n [(Measure, String)],
}

/// Where a measure is beyond a value, or at it.
struct Side<'m> {
    measure: &'m Measure,
    /// Above the value, rather than below.
    above: bool,
}

impl Side<'_> {
    /// `m > value`, or `m ≥ value`; below likewise.
    fn formula(&self, value: i64, strict: bool) -> Result<Formula, Refusal> {
        let value = i32::try_from(value).map_err(|_| refuse("an end that is no number"))?;
        Ok(match self.measure {
            Measure::Data(expr) => {
                let op = match (self.above, strict) {
                    (true, true) => BinaryOp::Greater,
                    (true, false) => BinaryOp::GreaterEqual,
                    (false, true) => BinaryOp::Less,
                    (false, false) => BinaryOp::LessEqual,
                };
                Formula::Data(Expr::binary(op, expr.clone(), Expr::Const(value)))
            }
            Measure::Clock { left, right } => {
                let minus = value.checked_neg();
                let minus = minus.ok_or_else(|| refuse("an end that is no number"))?;
                let (left, right, bound) = match self.above {
                    true => (*right, *left, minus),
                    false => (*left, *right, value),
                };
                Formula::Clock(ClockConstraint {
                    condition: None,
                    left,
                    right,
                    strict,
                    bound: Expr::Const(bound),
                    site: SiteId::NONE,
                })
            }
        })
    }

    /// Where the measure is beyond a claimed end.
    fn beyond(&self, end: End) -> Result<Formula, Refusal> {
        match end {
            End::Reached(value) => self.formula(value, true),
            End::NotReached(value) => self.formula(value, false),
        }
    }

    /// What a run must reach for a claimed end.
    fn witness(&self, end: End) -> Result<Formula, Refusal> {
        match end {
            End::Reached(value) => self.formula(value, false),
            End::NotReached(value) => {
                let before = match self.above {
                    true => value.saturating_sub(1),
                    false => value.saturating_add(1),
                };
                self.formula(before, true)
            }
        }
    }
}

/// The formulas that a claim leads to.
pub struct Claims {
    /// What no state may satisfy.
    pub beyond: Formula,
    /// What runs must reach, one after the other.
    pub witnesses: Vec<Formula>,
}

impl<'n> Question<'n> {
    pub(crate) fn of(kind: &'n QueryKind) -> Option<Question<'n>> {
        match kind {
            QueryKind::Bounds {
                extremum,
                predicate,
                measures,
            } => Some(Question {
                extremum: *extremum,
                predicate,
                measures,
            }),
            _ => None,
        }
    }

    /// What is to be shown for these ends.
    fn claims(&self, ends: &[Ends]) -> Result<Claims, Refusal> {
        if ends.is_empty() {
            return Err(refuse("no measure, and so nothing to prove"));
        }
        if ends.len() != self.measures.len() {
            return Err(refuse("ends for another number of measures"));
        }
        let there = |formula| Formula::And(vec![self.predicate.clone(), formula]);
        let (mut beyond, mut witnesses) = (Vec::new(), Vec::new());
        if ends
            .iter()
            .all(|ends| ends.low.is_none() && ends.high.is_none())
        {
            return Ok(Claims {
                beyond: self.predicate.clone(),
                witnesses,
            });
        }
        let asked = [
            self.extremum != Extremum::Supremum,
            self.extremum != Extremum::Infimum,
        ];
        for ((measure, _), ends) in self.measures.iter().zip(ends) {
            for (above, end, asked) in [(false, ends.low, asked[0]), (true, ends.high, asked[1])] {
                if end.is_some() != asked {
                    return Err(refuse("other ends than are asked for"));
                }
                let Some(end) = end else { continue };
                if matches!((end, measure), (End::NotReached(_), Measure::Data(_))) {
                    return Err(refuse("an end of integers that is not reached"));
                }
                let side = Side { measure, above };
                beyond.push(there(side.beyond(end)?));
                witnesses.push(there(side.witness(end)?));
            }
        }
        Ok(Claims {
            beyond: Formula::Or(beyond),
            witnesses,
        })
    }
}

/// What a certificate with these ends has to show: for those who make it.
pub fn claims(query: &Query, ends: &[Ends]) -> Option<Claims> {
    Question::of(&query.kind)?.claims(ends).ok()
}

/// Accepts the certificate as a proof of the ends that it claims, or refuses it.
pub(crate) fn check(
    checker: Checker<'_>,
    query: &Query,
    question: Question<'_>,
    certificate: &Certificate,
    threads: usize,
) -> Result<(), Refusal> {
    let network = checker.network();
    let claims = question.claims(&certificate.ends)?;
    let stopped = || {
        let mut locations = network.processes.iter().flat_map(|one| &one.locations);
        locations.any(|location| !location.invariant.rates.is_empty())
    };
    let mut ends = (certificate.ends.iter()).flat_map(|ends| [ends.low, ends.high]);
    if ends.any(|end| matches!(end, Some(End::NotReached(_)))) && stopped() {
        return Err(refuse(
            "not supported: an end that is not reached where clocks stand still",
        ));
    }
    checker.without(claims.beyond).check(threads)?;
    if certificate.runs.len() != claims.witnesses.len() {
        return Err(refuse("another number of runs than of ends"));
    }
    let known = |&(process, edge): &(ProcessId, EdgeId)| {
        let process = network.processes.get(process.index());
        process.is_some_and(|process| edge.index() < process.edges.len())
    };
    let mut steps = certificate.runs.iter().flat_map(|run| &run.steps);
    if !steps.all(|step| step.transition.edges.iter().all(known)) {
        return Err(refuse("a run with edges that the model does not have"));
    }
    for (goal, run) in claims.witnesses.into_iter().zip(&certificate.runs) {
        let reaches = Query {
            kind: QueryKind::Possibly(goal),
            ..query.clone()
        };
        judge_trace(network, &reaches, run)
            .map_err(|rejection| refuse(format!("a run to an end: {rejection}")))?;
    }
    Ok(())
}
