//! Goals over parts of a network that have nothing to do with each other: each part is searched alone.

use std::time::Instant;

use merkhet_analysis::causal::Groups;
use merkhet_explore::Progress;
use merkhet_network::{Ending, Formula, Network, Query, QueryKind, Step, Trace, Transition};
use merkhet_replay::judge_trace;

use crate::config::{Config, TraceKind};
use crate::failure::Failure;
use crate::report::{Answer, Report};
use crate::why::Remark;

/// Checks a query group by group; `None` if it is not of that kind.
pub(super) fn check(
    network: &Network,
    query: &Query,
    config: &Config,
    observe: &mut dyn FnMut(&Progress),
) -> Option<Result<Report, Failure>> {
    let (goal, wanted) = match &query.kind {
        QueryKind::Possibly(goal) => (goal.clone(), true),
        QueryKind::Invariantly(formula) => (Formula::Not(Box::new(formula.clone())), false),
        _ => return None,
    };
    let groups = Groups::of(network)?;
    let parts = groups.split(network, &goal)?;
    Some(one_by_one(
        network, query, config, &groups, parts, wanted, observe,
    ))
}

fn one_by_one(
    network: &Network,
    query: &Query,
    config: &Config,
    groups: &Groups,
    parts: Vec<(u32, Formula)>,
    wanted: bool,
    observe: &mut dyn FnMut(&Progress),
) -> Result<Report, Failure> {
    let count = parts.len();
    let mut steps: Vec<Step> = Vec::new();
    let mut whole: Option<Report> = None;
    let start = Instant::now();
    // The limits are for all parts together.
    let mut rest = config.clone();
    for (group, goal) in parts {
        let part = Query {
            kind: QueryKind::Possibly(goal),
            ..query.clone()
        };
        let before = whole.as_ref().map_or(0, |whole| whole.figures.explored);
        let mut report = super::check(network, &part, &rest, observe)
            .map_err(|fault| super::again::with_more(fault, before))?;
        if let Some(limit) = &mut rest.limits.states {
            *limit = limit.saturating_sub(report.figures.explored);
        }
        rest.limits.timeout =
            (config.limits.timeout).map(|limit| limit.saturating_sub(start.elapsed()));
        if let Some(before) = whole.take() {
            let sum = &mut report.figures;
            sum.explored += before.figures.explored;
            sum.stored += before.figures.stored;
            sum.transitions += before.figures.transitions;
            sum.discrete += before.figures.discrete;
            sum.time += before.figures.time;
        }
        let run = report.trace.take();
        for step in run.iter().flat_map(|run| &run.steps) {
            // Others may have moved too; this group does not need them to.
            if step
                .edges
                .iter()
                .all(|taken| groups.processes[taken.process.index()] == group)
            {
                let edges = step.edges.iter().map(|taken| (taken.process, taken.edge));
                let transition = Transition {
                    edges: edges.collect(),
                };
                steps.push(Step {
                    delay: 0,
                    transition,
                });
            }
        }
        let found = report.answer == Answer::Satisfied;
        whole = Some(report);
        if !found {
            break;
        }
    }
    let Some(mut report) = whole else {
        return Err(Failure::Internal("a goal without parts".into()));
    };
    report.or_else_remark(Some(Remark::IndependentParts(count)));
    if report.answer == Answer::Satisfied && config.trace != TraceKind::None {
        let trace = Trace {
            scale: 1,
            steps,
            last_delay: 0,
            ending: Ending::State,
        };
        let run = judge_trace(network, query, &trace);
        report.trace = Some(run.map_err(|rejection| {
            Failure::Internal(format!(
                "runs of independent parts do not fit together: {rejection}"
            ))
        })?);
    }
    report.answer = match (report.answer, wanted) {
        (Answer::Satisfied, false) => Answer::Violated,
        (Answer::Violated, false) => Answer::Satisfied,
        (answer, _) => answer,
    };
    Ok(report)
}
