//! A certificate for the ends of ranges: an inductive set without anything beyond them, and runs to them.

use std::time::Instant;

use merkhet_explore::Strategy;
use merkhet_network::{Formula, Query, QueryKind};
use merkhet_replay::{Certificate, End, Ends};

use super::super::reduced::plain;
use super::super::schedule::{Guide, Stage};
use super::Task;
use crate::config::{Config, TraceKind};
use crate::failure::Failure;
use crate::report::{Answer, Bound, Value};
use crate::tuning;
use crate::why::Unproved;

impl Task<'_> {
    /// The certificate for these values, or why there is none. The searches for it take a multiple of the states that the
    /// values took: where the ends are those of a difference, exact zones may be infinitely many.
    pub(super) fn proof_of_values(
        &mut self,
        values: &[Value],
        explored: u64,
        start: Instant,
    ) -> Result<Result<Certificate, Unproved>, Failure> {
        let Some(ends) = ends(values) else {
            return Ok(Err(Unproved::InfiniteEnd));
        };
        let Some(claims) = merkhet_replay::claims(self.query, &ends) else {
            return Ok(Err(Unproved::Unclaimed));
        };
        let tuning = &self.config.tuning;
        let count = |tunable| tuning.count(tunable) as u64;
        let (factor, plus) = (count(&tuning::PROOF_FACTOR), count(&tuning::PROOF_PLUS));
        let most = explored.saturating_mul(factor).saturating_add(plus);
        let bounded = |task: &Self| {
            let mut limits = task.limits_after(start, 0);
            limits.states = Some(limits.states.map_or(most, |states| states.min(most)));
            limits
        };
        let config = Config {
            certificate: false,
            trace: TraceKind::Some,
            ..self.config.clone()
        };
        let bound = self.on_the_way(&claims.beyond);
        let stage = Stage {
            guide: Guide::named(Strategy::LargestFirst, "largest"),
            ..self.part(Some(&claims.beyond))
        };
        let limits = bounded(self);
        let made = self
            .about(&bound, &stage, &limits)
            .certify(&claims.beyond)?;
        let Some(mut certificate) = made.certificate else {
            return Ok(Err(unproved(made.answer)));
        };
        certificate.ends = ends;
        for goal in &claims.witnesses {
            let (query, stage) = (self.on_the_way(goal), self.part(Some(goal)));
            let limits = bounded(self);
            let mut task = Task {
                config: &config,
                ..self.about(&query, &stage, &limits)
            };
            let report = task.reach(Some(goal), true)?;
            let Some(run) = report.trace.as_ref().and_then(plain) else {
                return Ok(Err(unproved(report.answer)));
            };
            certificate.runs.push(run);
        }
        Ok(Ok(certificate))
    }

    fn on_the_way(&self, goal: &Formula) -> Query {
        Query {
            kind: QueryKind::Possibly(goal.clone()),
            ..self.query.clone()
        }
    }
}

/// Why a search came to no proof.
fn unproved(answer: Answer) -> Unproved {
    match answer {
        Answer::Unknown(why) => Unproved::Undecided(Box::new(why)),
        Answer::Satisfied | Answer::Violated => Unproved::NoRun,
    }
}

/// The ends as a certificate claims them; `None` where there is one that is infinite.
fn ends(values: &[Value]) -> Option<Vec<Ends>> {
    let end = |bound: Option<Bound>| match bound {
        None => Some(None),
        Some(Bound::Reached(value)) => Some(Some(End::Reached(value))),
        Some(Bound::NotReached(value)) => Some(Some(End::NotReached(value))),
        Some(Bound::Infinite) => None,
    };
    let ends = values.iter().map(|value| {
        Some(Ends {
            low: end(value.infimum)?,
            high: end(value.supremum)?,
        })
    });
    ends.collect()
}
