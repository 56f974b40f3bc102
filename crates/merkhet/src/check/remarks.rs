//! What an answer does not show, and why there may be none.

use merkhet_network::footprint::Footprints;
use merkhet_network::{ClockId, Formula, Network, Query, QueryKind, Region};

use crate::config::Config;
use crate::report::{Answer, Failure, Report};

/// A query that reads a `meta` variable: states that differ in it only were taken for one, so that what was not found may
/// exist. (Models are read so that this is left to queries that did not come with them.)
pub(super) fn without_meta(network: &Network, query: &Query, report: Report) -> Report {
    let seen = match &query.kind {
        QueryKind::Possibly(_) | QueryKind::PotentiallyAlways(_) => Answer::Satisfied,
        QueryKind::Bounds { .. } => Answer::Unknown,
        _ => Answer::Violated,
    };
    if report.answer == seen || report.answer == Answer::Unknown {
        return report;
    }
    let read = merkhet_analysis::reads_meta(network, query);
    let Some(variable) = read.first() else {
        return report;
    };
    let name = &network.variables[variable.index()].name;
    Report {
        answer: Answer::Unknown,
        reason: Some(format!(
            "the query reads `{name}`, which is `meta`: states that differ in it only were taken for one; declare it without `meta`"
        )),
        values: Vec::new(),
        certificate: None,
        ..report
    }
}

/// A fault that no run leads to, in a model whose stopwatches are over-approximated, need not exist: nothing is known.
pub(super) fn unconfirmed(
    network: &Network,
    config: &Config,
    failure: Failure,
) -> Result<Report, Failure> {
    match failure {
        Failure::Fault {
            message,
            site,
            trace: None,
            figures: Some(figures),
            ..
        } if has_stopwatches(network) => {
            let place = site.map(|site| format!(" at {}:{}:{}", site.file, site.line, site.column));
            let place = place.unwrap_or_default();
            Ok(Report {
                answer: Answer::Unknown,
                reason: Some(format!(
                    "may go wrong{place} ({message}): stopwatches are over-approximated, and no run to it could be confirmed"
                )),
                values: Vec::new(),
                figures: *figures,
                search: config.search.clone().unwrap_or_else(|| "auto".into()),
                heuristic: (config.heuristic.as_ref()).map(|spec| spec.to_string()),
                found_by: None,
                trace: None,
                certificate: None,
                reduced: None,
                databases: None,
            })
        }
        failure => Err(failure),
    }
}

fn has_stopwatches(network: &Network) -> bool {
    let locations = network
        .processes
        .iter()
        .flat_map(|process| &process.locations);
    let mut rates = locations.flat_map(|location| &location.invariant.rates);
    rates.any(|rate| rate.value.as_const() != Some(1))
}

/// A search that hit a limit and may have no end: a longer one would not help.
pub(super) fn without_end(network: &Network, query: &Query, mut report: Report) -> Report {
    let Some(limit) = report
        .reason
        .as_ref()
        .filter(|reason| report.answer == Answer::Unknown && reason.ends_with("limit reached"))
    else {
        return report;
    };
    let formulas = formulas(query);
    let Some(constraint) = merkhet_analysis::endless_difference(network, &formulas) else {
        return report;
    };
    let clock = |clock: Option<ClockId>| {
        clock.map_or("0", |clock| network.clocks[clock.index()].name.as_str())
    };
    let (left, right) = (clock(constraint.left), clock(constraint.right));
    let reads = Footprints::new(network).expr(&constraint.bound).reads;
    let mut names: Vec<String> = Vec::new();
    for cell in reads.iter().filter(|cell| cell.region == Region::State) {
        let variable = network.state_cells[cell.offset as usize].variable;
        let name = format!("`{}`", network.variables[variable.index()].name);
        if !names.contains(&name) {
            names.push(name);
        }
    }
    let names = match names.is_empty() {
        true => "its bound".to_string(),
        false => names.join(", "),
    };
    report.reason = Some(format!(
        "{left} - {right} is compared with a bound of more than 64 possible values, and the search may have no end: declare \
         {names} with a smaller range, as in `int[0,10]` ({limit})"
    ));
    report
}

/// The formulas of a query.
fn formulas(query: &Query) -> Vec<&Formula> {
    match &query.kind {
        QueryKind::Possibly(p)
        | QueryKind::Invariantly(p)
        | QueryKind::PotentiallyAlways(p)
        | QueryKind::Eventually(p)
        | QueryKind::Bounds { predicate: p, .. } => vec![p],
        QueryKind::LeadsTo(p, q) => vec![p, q],
        QueryKind::Explore => Vec::new(),
    }
}
