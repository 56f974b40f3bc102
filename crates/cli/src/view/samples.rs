//! A report with something of everything, for the snapshot tests of all forms.

use super::{
    ChangeView, EndingView, MoveView, Question, ReportView, ResultView, StepView, TraceView,
    ValueView, Verdict,
};
use crate::diagnostics::{DiagnosticView, SeverityView};

fn result(query: &str, verdict: Verdict) -> ResultView {
    ResultView {
        expected: None,
        query: query.into(),
        comment: None,
        verdict,
        reason: None,
        limit: None,
        question: Question::Reachability,
        values: Vec::new(),
        explored: 1234,
        stored: 1100,
        transitions: 5678,
        time_s: 0.25,
        peak_memory_bytes: 12_900_000,
        search: "bfs".into(),
        heuristic: None,
        joins: None,
        refinements: None,
        splits: Vec::new(),
        databases: None,
        reductions: None,
        found_by: None,
        processes: Vec::new(),
        schedule: Vec::new(),
        trace: None,
        more_traces: Vec::new(),
        path: None,
        diagrams: None,
    }
}

fn step(time: &str, delay: &str, moves: &[(&str, &str, &str)]) -> StepView {
    StepView {
        time: time.into(),
        delay: delay.into(),
        sync: None,
        moves: moves
            .iter()
            .map(|&(process, source, target)| MoveView {
                process: process.into(),
                source: source.into(),
                target: target.into(),
                guard: None,
                update: None,
                select: Vec::new(),
                edge: None,
                origin: None,
            })
            .collect(),
        changes: Vec::new(),
        after: None,
    }
}

fn trace() -> TraceView {
    let mut first = step(
        "1",
        "1",
        &[("Person", "Walking", "Walking"), ("Lamp", "Off", "Lit")],
    );
    first.sync = Some("press".into());
    let mut second = step("7/2", "5/2", &[("Lamp", "Lit", "Off")]);
    second.changes = vec![
        ChangeView {
            variable: "uses".into(),
            before: 0,
            after: 1,
        },
        ChangeView {
            variable: "last[2]".into(),
            before: -3,
            after: 14,
        },
    ];
    TraceView {
        length: 2,
        duration: "7/2".into(),
        initial: None,
        last_delay: None,
        steps: vec![first, second],
        ending: EndingView::Loop { from: 1 },
        fault: super::FaultView::default(),
    }
}

/// Each verdict, with a comment, a reason, values, a trace.
pub(crate) fn report() -> ReportView {
    let mut satisfied = result("A[] not deadlock", Verdict::Satisfied);
    satisfied.comment = Some("The system can always go on.\nReally.".into());
    let mut violated = result("Lamp.Lit -->\n  Lamp.Off && x < 3", Verdict::Violated);
    violated.trace = Some(trace());
    violated.heuristic = Some("hl".into());
    violated.search = "greedy".into();
    let mut unknown = result("E<> Lamp.Broken", Verdict::Unknown);
    unknown.reason = Some("the time limit of 60 s was reached".into());
    unknown.time_s = 60.01;
    unknown.explored = 12_345_678;
    let mut measured = result("bounds{Lamp.Lit}: x", Verdict::Satisfied);
    measured.values = vec![ValueView {
        expression: "x".into(),
        inf: Some("0".into()),
        sup: Some("< 33".into()),
    }];
    ReportView {
        results: vec![satisfied, violated, unknown, measured],
        ..ReportView::new("lamp <&>.xml".into(), Vec::new())
    }
}

/// A model that could not be loaded.
pub(crate) fn broken_report() -> ReportView {
    let diagnostic = DiagnosticView::plain(
        SeverityView::Error,
        "unreadable",
        "cannot read `lamp.xml`: it is a folder",
    );
    ReportView::new("lamp.xml".into(), vec![diagnostic])
}
