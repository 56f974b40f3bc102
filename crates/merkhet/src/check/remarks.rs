//! What an answer does not show, and why there may be none.

use merkhet_analysis::symmetry::Family;
use merkhet_explore::StopReason;
use merkhet_heuristics::HeuristicSpec;
use merkhet_network::footprint::Footprints;
use merkhet_network::{ClockId, Formula, Network, ProcessId, Query, QueryKind, Region};
use merkhet_semantics::System;

use super::schedule::Guide;
use crate::failure::Failure;
use crate::report::{Answer, Report};
use crate::why::{Remark, Why};

/// What was permuted; if that was asked for, also why nothing was.
pub(super) fn permuted(network: &Network, system: &System, asked: bool) -> Option<Remark> {
    let name = |process: &ProcessId| network.process(*process).name.clone();
    let symmetry = system.symmetry();
    if system.is_symmetric() {
        let family = |family: &Family| {
            let lanes = family.processes.iter();
            let lanes = lanes.map(|lane| lane.iter().map(name).collect());
            lanes.collect::<Vec<Vec<String>>>()
        };
        let all = symmetry.families.iter().flat_map(family).collect();
        return Some(Remark::Permuted(all));
    }
    asked.then(|| {
        let obstacle = symmetry.obstacles.first().map(|obstacle| {
            let (first, second) = (name(&obstacle.first), name(&obstacle.second));
            format!("{first} and {second}: {}", obstacle.reason)
        });
        Remark::NotPermuted(obstacle)
    })
}

/// A query that reads a `meta` variable: states that differ in it only were taken for one, so that what was not found may
/// exist. (Models are read so that this is left to queries that did not come with them.)
pub(super) fn without_meta(network: &Network, query: &Query, report: Report) -> Report {
    let certain = match &query.kind {
        QueryKind::Possibly(_) | QueryKind::PotentiallyAlways(_) => {
            report.answer == Answer::Satisfied
        }
        QueryKind::Bounds { .. } => false,
        _ => report.answer == Answer::Violated,
    };
    if certain || report.answer.is_unknown() {
        return report;
    }
    let read = merkhet_analysis::reads_meta(network, query);
    let Some(variable) = read.first() else {
        return report;
    };
    let name = network.variables[variable.index()].name.clone();
    Report {
        answer: Answer::Unknown(Why::ReadsMeta(name)),
        remarks: Vec::new(),
        values: Vec::new(),
        certificate: None,
        ..report
    }
}

/// A fault that no run leads to, in a model whose stopwatches are over-approximated, need not exist: nothing is known.
pub(super) fn unconfirmed(
    network: &Network,
    guide: &Guide,
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
            let place = site.map(|site| format!("{}:{}:{}", site.file, site.line, site.column));
            let why = Why::MayGoWrong {
                fault: message,
                place,
            };
            Ok(Report {
                figures: *figures,
                heuristic: guide.heuristic.as_ref().map(HeuristicSpec::to_string),
                ..Report::new(Answer::Unknown(why), guide.search.clone())
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
    let Answer::Unknown(Why::Limit(
        limit @ (StopReason::Timeout | StopReason::Memory | StopReason::States),
    )) = report.answer
    else {
        return report;
    };
    let formulas = formulas(query);
    let Some(constraint) = merkhet_analysis::endless_difference(network, &formulas) else {
        return report;
    };
    let clock = |clock: Option<ClockId>| {
        clock.map_or("0".into(), |clock| {
            network.clocks[clock.index()].name.clone()
        })
    };
    let reads = Footprints::new(network).expr(&constraint.bound).reads;
    let mut variables: Vec<String> = Vec::new();
    for cell in reads.iter().filter(|cell| cell.region == Region::State) {
        let variable = network.state_cells[cell.offset as usize].variable;
        let name = &network.variables[variable.index()].name;
        if !variables.contains(name) {
            variables.push(name.clone());
        }
    }
    report.answer = Answer::Unknown(Why::NoEnd {
        difference: [clock(constraint.left), clock(constraint.right)],
        variables,
        limit,
    });
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
