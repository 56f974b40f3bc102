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
use crate::report::{Bound, Value};

impl Task<'_> {
    /// The certificate for these values; nothing where a range has no end, or a limit is reached.
    pub(super) fn proof_of_values(
        &mut self,
        values: &[Value],
        start: Instant,
    ) -> Result<Option<Certificate>, Failure> {
        let Some(ends) = ends(values) else {
            return Ok(None);
        };
        let Some(claims) = merkhet_replay::claims(self.query, &ends) else {
            return Ok(None);
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
        let limits = self.limits_after(start, 0);
        let made = self
            .about(&bound, &stage, &limits)
            .certify(&claims.beyond)?;
        let Some(mut certificate) = made.certificate else {
            return Ok(None);
        };
        certificate.ends = ends;
        for goal in &claims.witnesses {
            let (query, stage) = (self.on_the_way(goal), self.part(Some(goal)));
            let limits = self.limits_after(start, 0);
            let mut task = Task {
                config: &config,
                ..self.about(&query, &stage, &limits)
            };
            let report = task.reach(Some(goal), true)?;
            let Some(run) = report.trace.as_ref().and_then(plain) else {
                return Ok(None);
            };
            certificate.runs.push(run);
        }
        Ok(Some(certificate))
    }

    fn on_the_way(&self, goal: &Formula) -> Query {
        Query {
            kind: QueryKind::Possibly(goal.clone()),
            ..self.query.clone()
        }
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
