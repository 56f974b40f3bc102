//! Networks of automata as finite systems.
//!
//! Every trace is translated back into a run of the network and replayed by the ordinary judge.

use merkhet_finite::Value;
use merkhet_finite::replay::{Situation, possible_values};
use merkhet_interop::finite::{Meaning, Translated, translate};
use merkhet_network::{Ending, Network, Query, QueryKind, Step, Trace};
use merkhet_replay::{Replayed, judge_trace};
use merkhet_symbolic::check::{Checker, Options, SpecResult, TraceKind as PathKind, Verdict};
use merkhet_symbolic::limits::Progress;
use std::sync::Arc;

use super::{DiagramOptions, report};
use crate::config::{Config, TraceKind};
use crate::failure::Failure;
use crate::report::{Answer, Report};
use crate::why::Why;

/// Decides `E<>` and `A[]` queries of a network.
pub fn check_with_diagrams(
    network: &Network,
    query: &Query,
    config: &Config,
    options: &DiagramOptions,
    observe: &mut dyn FnMut(&Progress),
) -> Result<Report, Failure> {
    super::permit(config)?;
    if config.certificate {
        let message = "--certificate means nothing to --engine bdd".into();
        return Err(Failure::NotPermitted(message));
    }
    let (goal, wanted) = match &query.kind {
        QueryKind::Possibly(goal) => (goal.clone(), true),
        QueryKind::Invariantly(formula) => (crate::check::not(formula), false),
        _ => {
            return Err(Failure::Undecidable(
                "decision diagrams decide E<> and A[] only".into(),
            ));
        }
    };
    let refuse = |reason: String| Failure::Undecidable(format!("--engine bdd: {reason}"));
    let translated = translate(network, &goal).map_err(refuse)?;
    let resolved = options.resolve(config);
    // The path tells a goal from a fault, also where nobody wants to see it.
    let trace = match resolved.trace {
        PathKind::Shortest => PathKind::Shortest,
        _ => PathKind::Some,
    };
    let resolved = Options { trace, ..resolved };
    let mut checker = Checker::new(Arc::new(translated.system.clone()), resolved);
    let result = checker.check(0, observe);
    let mut report = report(&translated.system, 0, options, &result)?;
    report.path = None;
    match &result.verdict {
        Verdict::Holds => report.answer = Answer::of(!wanted),
        Verdict::Fails => match confirmed(network, query, &translated, &result)? {
            Some(run) => {
                report.answer = Answer::of(wanted);
                report.trace = (config.trace != TraceKind::None).then_some(run);
            }
            None => report.be_unknown(Why::FaultReached),
        },
        Verdict::Unknown(_) => {}
        Verdict::Length(_) => return Err(Failure::Internal("not an answer to this query".into())),
    }
    Ok(report)
}

/// The run that the diagrams found, accepted by the judge; `None` if it ends in a state where an evaluation fails.
fn confirmed(
    network: &Network,
    query: &Query,
    translated: &Translated,
    result: &SpecResult,
) -> Result<Option<Replayed>, Failure> {
    let internal = |message: &str| Failure::Internal(message.to_owned());
    let Some(path) = &result.trace else {
        return Err(internal("an error without a trace"));
    };
    let last = path
        .states
        .last()
        .ok_or_else(|| internal("an empty trace"))?;
    let situation = Situation {
        now: last,
        after: None,
    };
    let reached = possible_values(&translated.system, translated.goal, situation);
    if reached.as_deref() != Ok(&[Value::Boolean(true)]) {
        return Ok(None);
    }
    let (mut steps, mut delay) = (Vec::new(), 0);
    for state in &path.states[..path.states.len() - 1] {
        let selected = translated
            .event_of(state)
            .ok_or_else(|| internal("a step without an event"))?;
        match selected {
            Meaning::Tick => delay += 1,
            Meaning::Take(transition) => {
                steps.push(Step {
                    delay,
                    transition: transition.clone(),
                });
                delay = 0;
            }
        }
    }
    let trace = Trace {
        scale: 1,
        steps,
        last_delay: delay,
        ending: Ending::State,
    };
    let judged = judge_trace(network, query, &trace);
    judged.map(Some).map_err(|rejection| {
        Failure::Internal(format!("the judge does not accept the trace: {rejection}"))
    })
}
