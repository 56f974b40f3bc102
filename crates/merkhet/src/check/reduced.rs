//! Carrying evidence from a reduced network back to the network as it is.

use merkhet_analysis::reduce::Reduction;
use merkhet_network::{Network, Query, QueryKind, SiteId, Step, Trace, Transition};
use merkhet_replay::{Replayed, judge_trace};

use crate::failure::Failure;
use crate::report::{Reduced, Report};

/// What was found in the reduced network, as it is in the whole one.
pub(super) fn carried_back(
    network: &Network,
    query: &Query,
    reduction: &Reduction,
    result: Result<Report, Failure>,
) -> Result<Report, Failure> {
    match result {
        Ok(mut report) => {
            let trace_length = report.trace.as_ref().map(|run| run.steps.len());
            if let Some(run) = report.trace.take() {
                report.trace = Some(carry_back(network, query, reduction, &run)?);
            }
            report.reduced = Some(Reduced {
                removed: reduction.removed.clone(),
                remark: None,
                trace_length,
            });
            // Validation refuses it; a proof about another network must not get out.
            debug_assert!(report.certificate.is_none() || report.answer.is_unknown());
            report.certificate = None;
            Ok(report)
        }
        Err(Failure::Fault {
            message,
            site,
            trace,
            figures,
            limit,
        }) => {
            let any = Query {
                kind: QueryKind::Explore,
                site: SiteId::NONE,
                ..query.clone()
            };
            let trace = match trace {
                Some(run) => Some(Box::new(carry_back(network, &any, reduction, &run)?)),
                None => None,
            };
            Err(Failure::Fault {
                message,
                site,
                trace,
                figures,
                limit,
            })
        }
        Err(failure) => Err(failure),
    }
}

/// The run in the network as it is, accepted by the judge there.
fn carry_back(
    network: &Network,
    query: &Query,
    reduction: &Reduction,
    run: &Replayed,
) -> Result<Replayed, Failure> {
    let internal = |reason: String| {
        Failure::Internal(format!(
            "a run of the reduced network cannot be carried back: {reason}"
        ))
    };
    let trace = plain(run).ok_or_else(|| internal("its times are too large".to_string()))?;
    let lifted = reduction
        .lift(&trace)
        .map_err(|error| internal(error.to_string()))?;
    judge_trace(network, query, &lifted).map_err(|rejection| internal(rejection.to_string()))
}

/// The run without what the judge adds to it.
pub(super) fn plain(run: &Replayed) -> Option<Trace> {
    let mut steps = Vec::with_capacity(run.steps.len());
    for step in &run.steps {
        let edges = step
            .edges
            .iter()
            .map(|taken| (taken.process, taken.edge))
            .collect();
        steps.push(Step {
            delay: i64::try_from(step.delay).ok()?,
            transition: Transition { edges },
        });
    }
    Some(Trace {
        scale: run.scale,
        steps,
        last_delay: i64::try_from(run.last_delay).ok()?,
        ending: run.ending,
    })
}
