//! Checking a query on a reduced network, and carrying the evidence back to the network as it is.

use std::time::Instant;

use merkhet_analysis::reduce::{Kind, Reduction};
use merkhet_explore::Progress;
use merkhet_network::{Network, Query, QueryKind, SiteId, Step, Trace, Transition};
use merkhet_replay::{Replayed, judge_trace};

use crate::config::{Config, Order, TraceKind};
use crate::failure::Failure;
use crate::report::{Reduced, Report};

/// Checks a query by way of a reduction, if one is wanted; `None` if the query is to be checked as it is.
pub(super) fn check(
    network: &Network,
    query: &Query,
    config: &Config,
    observe: &mut dyn FnMut(&Progress),
) -> Option<Result<Report, Failure>> {
    let kinds = kinds(config);
    if kinds.is_empty() {
        return None;
    }
    // Parts without anything in common come first: what is left of each goal depends on less.
    if kinds.contains(&Kind::Influence)
        && config.trace != TraceKind::Shortest
        && let Some(result) = super::separate::check(network, query, config, observe)
    {
        return Some(result);
    }
    let plain = Config {
        reduce: Some(Vec::new()),
        ..config.clone()
    };
    let remarked = |remark: String, observe: &mut dyn FnMut(&Progress)| {
        let mut result = super::check(network, query, &plain, observe);
        if let Ok(report) = &mut result {
            report.reduced = Some(Reduced {
                removed: Vec::new(),
                remark: Some(remark),
                trace_length: None,
            });
        }
        result
    };
    // Without a word from the user, models with lattices are covered as they are.
    if !network.lattice_variables.is_empty() && config.reduce.is_none() {
        return None;
    }
    let reduction = match Reduction::new(network, query, &kinds) {
        Ok(reduction) => reduction,
        // What nobody asked for needs no remark.
        Err(_) if config.reduce.is_none() => return None,
        Err(reason) => return Some(remarked(format!("not reduced: {reason}"), observe)),
    };
    if reduction.is_trivial() {
        let asked = config.reduce.as_ref();
        return asked.map(|_| remarked("nothing can be removed".to_string(), observe));
    }
    let start = Instant::now();
    let look = match config.reduce {
        None => first_look(network, query, &plain, observe),
        Some(_) => None,
    };
    // The limits are for both together.
    let mut rest = plain;
    let mut explored = 0;
    match look {
        None => {}
        Some(Ok(report)) if report.answer.is_unknown() => {
            explored = report.figures.explored;
            if let Some(limit) = &mut rest.limits.states {
                *limit = limit.saturating_sub(explored);
                if *limit == 0 {
                    return Some(Ok(report));
                }
            }
            if let Some(limit) = &mut rest.limits.timeout {
                *limit = limit.saturating_sub(start.elapsed());
            }
        }
        Some(decided) => return Some(decided),
    }
    Some(
        match on_smaller(network, query, &rest, &reduction, observe) {
            Ok(mut report) => {
                report.figures.explored += explored;
                Ok(report)
            }
            Err(fault) => Err(super::again::with_more(fault, explored)),
        },
    )
}

/// The number of states that a first look expands.
const FIRST_LOOK: u64 = 3000;

/// Follows the heuristic through the network as it is for a moment; nothing where no heuristic is followed.
///
/// What a reduction removes becomes free choice, of which the abstract solution knows less than of the moves that were
/// removed: errors that preferred transitions lead to at once in the whole network can take many states in the reduced
/// one, while a proof needs the reduced one.
fn first_look(
    network: &Network,
    query: &Query,
    config: &Config,
    observe: &mut dyn FnMut(&Progress),
) -> Option<Result<Report, Failure>> {
    let guided = config.permits_guidance()
        && config.heuristic.is_none()
        && config.lattice.is_none()
        && matches!(
            query.kind,
            QueryKind::Possibly(_) | QueryKind::Invariantly(_)
        );
    if !guided {
        return None;
    }
    let mut brief = config.clone();
    let states = brief
        .limits
        .states
        .map_or(FIRST_LOOK, |limit| limit.min(FIRST_LOOK));
    brief.limits.states = Some(states);
    Some(super::check(network, query, &brief, observe))
}

/// What was asked for; where the search is not named, safe abstractions are made if nothing stands against them.
fn kinds(config: &Config) -> Vec<Kind> {
    match &config.reduce {
        Some(kinds) => kinds.clone(),
        None => {
            let automatic = config.order() == Order::Auto
                && !config.certificate
                && config.trace != TraceKind::Shortest;
            if automatic {
                vec![Kind::Safe]
            } else {
                Vec::new()
            }
        }
    }
}

fn on_smaller(
    network: &Network,
    query: &Query,
    config: &Config,
    reduction: &Reduction,
    observe: &mut dyn FnMut(&Progress),
) -> Result<Report, Failure> {
    let result = super::check(&reduction.network, query, config, observe);
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
fn plain(run: &Replayed) -> Option<Trace> {
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
