//! From the library's reports to this program's views.

use merkhet::symbolic::check::PathLength;
use merkhet::{Answer, Bound, Failure, Length, Model, ModelQuery, Report, Why};

use crate::guard::Overrun;
use crate::view::databases::DatabasesView;
use crate::view::reductions::ReductionsView;
use crate::view::trace::TraceSource;
use crate::view::{
    DiagramsView, PathView, Question, ResultView, SplitView, StageView, ValueView, Verdict,
};

/// The view of a report. `source` has the words for runs of networks.
pub fn view(
    query: &ModelQuery,
    report: &Report,
    model: &Model,
    source: Option<&TraceSource<'_>>,
) -> ResultView {
    let figures = &report.figures;
    ResultView {
        expected: None,
        verdict: match report.answer {
            Answer::Satisfied => Verdict::Satisfied,
            Answer::Violated => Verdict::Violated,
            Answer::Unknown(_) => Verdict::Unknown,
        },
        reason: report.reason(),
        limit: match report.answer {
            Answer::Unknown(Why::Limit(reason)) => Some(reason),
            _ => None,
        },
        values: (report.values.iter().map(value))
            .chain(report.path_length.map(steps))
            .collect(),
        explored: figures.explored,
        stored: figures.stored,
        transitions: figures.transitions,
        time_s: figures.time.as_secs_f64(),
        peak_memory_bytes: figures.peak_memory,
        search: report.search.clone(),
        heuristic: report.heuristic.clone(),
        joins: figures.joins,
        refinements: figures.refinements,
        splits: (report.splits.iter())
            .map(|split| SplitView {
                path: split.path.clone(),
                after: split.after,
                at: split.at.clone(),
                element: split.element.clone(),
            })
            .collect(),
        databases: report.databases.as_ref().map(DatabasesView::of),
        reductions: report.reduced.as_ref().map(ReductionsView::of),
        found_by: report.found_by.clone(),
        schedule: report.schedule.iter().map(StageView::of).collect(),
        trace: (source.zip(report.trace.as_ref())).map(|(source, run)| source.view(run)),
        path: (model.system().zip(report.path.as_ref()))
            .map(|(system, path)| PathView::new(system, path)),
        diagrams: report.diagrams.as_ref().map(DiagramsView::new),
        ..unknown(query, "")
    }
}

/// The view of a query that was not decided.
pub fn unknown(query: &ModelQuery, reason: &str) -> ResultView {
    ResultView {
        expected: None,
        query: query.text.clone(),
        comment: query.comment.clone(),
        verdict: Verdict::Unknown,
        reason: Some(reason.to_string()),
        limit: None,
        question: (query.query.as_ref()).map_or(Question::default(), |query| (&query.kind).into()),
        values: Vec::new(),
        explored: 0,
        stored: 0,
        transitions: 0,
        time_s: 0.0,
        peak_memory_bytes: 0,
        search: String::new(),
        heuristic: None,
        joins: None,
        refinements: None,
        splits: Vec::new(),
        databases: None,
        reductions: None,
        found_by: None,
        schedule: Vec::new(),
        processes: Vec::new(),
        trace: None,
        more_traces: Vec::new(),
        path: None,
        diagrams: None,
    }
}

/// Fills in what is known of a query in the middle of which the program is ended.
pub fn overrun(view: &mut ResultView, overrun: &Overrun) {
    view.reason = Some(overrun.reason());
    view.limit = Some(overrun.limit);
    view.explored = overrun.progress.explored;
    view.stored = overrun.progress.stored;
    if overrun.progress.allocated_nodes > 0 {
        view.diagrams = Some(DiagramsView::overrun(&overrun.progress));
    }
    view.time_s = overrun.time.as_secs_f64();
    view.peak_memory_bytes = merkhet::peak_memory();
}

/// The view of a query that could not be checked; with the run to a fault if there is a source for its words.
pub fn failed(
    query: &ModelQuery,
    failure: &Failure,
    message: &str,
    source: Option<&TraceSource<'_>>,
) -> ResultView {
    let mut view = unknown(query, message);
    if let Failure::Fault {
        trace,
        figures,
        site,
        ..
    } = failure
    {
        if let (Some(run), Some(source)) = (trace, source) {
            view.trace = Some(match site {
                Some(site) => source.view_to_fault(run, site),
                None => source.view(run),
            });
        }
        if let Some(figures) = figures {
            view.explored = figures.explored;
            view.stored = figures.stored;
            view.transitions = figures.transitions;
            view.time_s = figures.time.as_secs_f64();
            view.peak_memory_bytes = figures.peak_memory;
        }
    }
    view
}

fn value(value: &merkhet::Value) -> ValueView {
    ValueView {
        expression: value.expression.clone(),
        inf: value.infimum.map(|bound| end(bound, "> ", "-infinite")),
        sup: value.supremum.map(|bound| end(bound, "< ", "infinite")),
    }
}

/// The length of paths. An infimum and what has no end never look alike.
fn steps(length: Length) -> ValueView {
    let shown = match length.steps {
        PathLength::Steps(steps) => steps.to_string(),
        PathLength::Infinite => "infinite".into(),
        PathLength::Undefined => "undefined".into(),
    };
    ValueView {
        expression: "steps".into(),
        inf: (!length.longest).then(|| shown.clone()),
        sup: length.longest.then_some(shown),
    }
}

fn end(bound: Bound, not_reached: &str, infinite: &str) -> String {
    match bound {
        Bound::Reached(value) => value.to_string(),
        Bound::NotReached(value) => format!("{not_reached}{value}"),
        Bound::Infinite => infinite.to_string(),
    }
}

/// An exact number of time units, such as `7/2`.
pub(crate) fn ratio(numerator: i128, denominator: i64) -> String {
    let denominator = i128::from(denominator.max(1));
    let (mut a, mut b) = (numerator.abs(), denominator);
    while b != 0 {
        (a, b) = (b, a % b);
    }
    let divisor = a.max(1);
    match denominator / divisor {
        1 => (numerator / divisor).to_string(),
        rest => format!("{}/{rest}", numerator / divisor),
    }
}

#[cfg(test)]
mod tests {
    use super::ratio;

    #[test]
    fn times_are_exact_and_in_lowest_terms() {
        assert_eq!(
            [(0, 7), (6, 3), (7, 2), (10, 4)].map(|(n, d)| ratio(n, d)),
            ["0", "2", "7/2", "5/2"]
        );
    }
}
