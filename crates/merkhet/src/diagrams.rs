//! Networks of automata as finite systems, checked with decision diagrams.
//!
//! Every trace is translated back into a run of the network and replayed by the ordinary judge.

use merkhet_finite::replay::{Situation, possible_values};
use merkhet_interop::finite::{Meaning, Translated, translate};
use merkhet_network::{Ending, Network, Query, QueryKind, Step, Trace};
use merkhet_replay::{Replayed, judge_trace};
use merkhet_symbolic::check::{
    Options, SpecResult, Statistics, TraceKind as PathKind, Verdict, check_system,
};
use merkhet_symbolic::limits::{Progress, Stop};
use std::sync::Arc;

use crate::config::TraceKind;
use crate::failure::Failure;
use crate::memory::peak_bytes;
use crate::report::{Answer, Figures, Report};
use crate::smv::SmvOptions;
use crate::why::{Remark, Why};

/// Decides `E<>` and `A[]` queries of a network. The figures about the diagrams come with the report.
pub fn check(
    network: &Network,
    query: &Query,
    options: &SmvOptions,
    progress: &Arc<Progress>,
) -> Result<(Report, Statistics), Failure> {
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
    let resolved = options
        .resolve(progress)
        .map_err(|error| Failure::NotPermitted(error.to_string()))?;
    // The path tells a goal from a fault, also where nobody wants to see it.
    let trace = match options.trace {
        TraceKind::Shortest | TraceKind::Fastest => PathKind::Shortest,
        TraceKind::None | TraceKind::Some => PathKind::Some,
    };
    let resolved = Options { trace, ..resolved };
    let mut results = check_system(&translated.system, &resolved);
    let Some(result) = results.pop() else {
        return Err(Failure::Internal("no answer".into()));
    };
    let mut report = Report {
        remarks: result.notes.iter().cloned().map(Remark::Note).collect(),
        figures: Figures {
            time: result.statistics.time,
            peak_memory: peak_bytes(),
            ..Figures::default()
        },
        heuristic: guided(&result).then(|| "pdb".into()),
        ..Report::new(Answer::of(!wanted), options.search_name())
    };
    match &result.verdict {
        Verdict::Holds => {}
        Verdict::Fails => match confirmed(network, query, &translated, &result)? {
            Some(run) => {
                report.answer = Answer::of(wanted);
                report.trace = (options.trace != TraceKind::None).then_some(run);
            }
            None => report.be_unknown(Why::FaultReached),
        },
        Verdict::Unknown(Stop::Internal(message)) => {
            return Err(Failure::Internal(message.clone()));
        }
        Verdict::Unknown(Stop::Options(message)) => {
            return Err(Failure::NotPermitted(message.clone()));
        }
        Verdict::Unknown(stop) => report.be_unknown(stop.into()),
        Verdict::Length(_) => return Err(Failure::Internal("not an answer to this query".into())),
    }
    Ok((report, result.statistics))
}

fn guided(result: &SpecResult) -> bool {
    let report = result.statistics.guided.as_ref();
    report.is_some_and(|report| !report.databases.is_empty())
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
    if reached.as_deref() != Ok(&[merkhet_finite::Value::Boolean(true)]) {
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
