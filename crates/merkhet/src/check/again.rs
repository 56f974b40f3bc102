//! Looking again, breadth first, where the automatic search meets a fault of the model.
//!
//! An evaluation that fails (a value outside its range, an index outside its array) ends a search without a verdict. The
//! automatic search goes deep, to where counters overflow that nobody would count so far; breadth first may decide the
//! query before it gets there.

use std::time::Instant;

use merkhet_explore::Progress;
use merkhet_network::{Network, Query, QueryKind};

use crate::config::{Config, Order};
use crate::failure::Failure;
use crate::report::Report;
use crate::search::SearchSpec;

/// What a search breadth first makes of a query on which the automatic one met a fault since `start`; the fault, if that
/// does not decide it either.
pub(super) fn breadth_first(
    network: &Network,
    query: &Query,
    config: &Config,
    observe: &mut dyn FnMut(&Progress),
    fault: Failure,
    start: Instant,
) -> Result<Report, Failure> {
    let explored = match &fault {
        Failure::Fault {
            figures: Some(figures),
            ..
        } if was_automatic(query, config) => figures.explored,
        _ => return Err(fault),
    };
    let mut again = config.clone();
    again.search = Some(SearchSpec::BreadthFirst);
    again.reduce = Some(Vec::new());
    if let Some(limit) = &mut again.limits.timeout {
        *limit = limit.saturating_sub(start.elapsed());
    }
    if let Some(limit) = &mut again.limits.states {
        *limit = limit.saturating_sub(explored);
    }
    match super::check(network, query, &again, observe) {
        Ok(mut report) if !report.answer.is_unknown() => {
            report.figures.explored += explored;
            Ok(report)
        }
        Ok(report) => Err(with_more(fault, report.figures.explored)),
        // Its way to a fault is shorter.
        Err(second @ Failure::Fault { .. }) => Err(with_more(second, explored)),
        Err(_) => Err(fault),
    }
}

/// The fault, with states that were explored besides: whoever looks once more must not take them for left.
pub(super) fn with_more(mut fault: Failure, explored: u64) -> Failure {
    if let Failure::Fault {
        figures: Some(figures),
        ..
    } = &mut fault
    {
        figures.explored += explored;
    }
    fault
}

fn was_automatic(query: &Query, config: &Config) -> bool {
    is_automatic(query, config) && config.permits_guidance()
}

/// Whether the search for an answer is the program's own choice.
pub(super) fn is_automatic(query: &Query, config: &Config) -> bool {
    let reachability = matches!(
        query.kind,
        QueryKind::Possibly(_) | QueryKind::Invariantly(_)
    );
    reachability
        && config.order() == Order::Auto
        && config.heuristic.is_none()
        && config.lattice.is_none()
}
