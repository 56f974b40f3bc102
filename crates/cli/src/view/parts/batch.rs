//! What a run over many models reports.

use std::path::Path;

use anstyle::{AnsiColor, Style};
use serde::Serialize;

use crate::diagnostics::{DiagnosticView, SeverityView};
use crate::view::quantity::{plural, seconds};
use crate::view::table::{Align, layout};
use crate::view::{ReportView, SCHEMA_VERSION, Verdict};

/// A run over many models.
#[derive(Debug, Serialize)]
pub struct BatchView {
    /// [`SCHEMA_VERSION`].
    pub schema_version: u32,
    /// The models, in the order of their names.
    pub models: Vec<ReportView>,
    /// All of them together.
    pub summary: SummaryView,
}

/// Numbers of queries and models.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct SummaryView {
    /// Models.
    pub models: usize,
    /// Models that could not be used at all.
    pub unusable: usize,
    /// Models that were not begun because the run was interrupted.
    pub not_begun: usize,
    /// Satisfied queries.
    pub satisfied: usize,
    /// Violated queries.
    pub violated: usize,
    /// Undecided queries.
    pub unknown: usize,
    /// The time of the whole run, in seconds.
    pub time_s: f64,
}

impl BatchView {
    /// Adds up the models.
    pub fn new(models: Vec<ReportView>, time_s: f64) -> BatchView {
        let mut summary = SummaryView {
            models: models.len(),
            time_s,
            ..SummaryView::default()
        };
        for model in &models {
            let begun = !is_not_begun(model);
            summary.unusable += usize::from(begun && model.results.is_empty());
            summary.not_begun += usize::from(!begun);
            summary.satisfied += number(model, Verdict::Satisfied);
            summary.violated += number(model, Verdict::Violated);
            summary.unknown += number(model, Verdict::Unknown);
        }
        BatchView {
            schema_version: SCHEMA_VERSION,
            models,
            summary,
        }
    }

    /// The table for people, and what is not satisfied.
    pub fn text(&self) -> String {
        let columns = [
            ("model", Align::Left),
            ("queries", Align::Right),
            ("satisfied", Align::Right),
            ("violated", Align::Right),
            ("unknown", Align::Right),
            ("time", Align::Right),
            ("", Align::Left),
        ];
        let rows: Vec<Vec<String>> = self.models.iter().map(row).collect();
        let mut text = layout(0, &columns, &rows);
        let mut gap = "\n";
        for model in &self.models {
            for result in &model.results {
                let color = match result.verdict {
                    Verdict::Satisfied => continue,
                    Verdict::Violated => AnsiColor::Red,
                    Verdict::Unknown => AnsiColor::Yellow,
                };
                let style = Style::new().bold().fg_color(Some(color.into()));
                let query = result
                    .query
                    .split_whitespace()
                    .collect::<Vec<_>>()
                    .join(" ");
                let reason = result.reason.as_ref().map(|reason| format!(" ({reason})"));
                text += &format!(
                    "{gap}{style}{:9}{style:#}  {}: {query}{}\n",
                    result.verdict.word(),
                    model.model,
                    reason.unwrap_or_default()
                );
                gap = "";
            }
        }
        let SummaryView {
            models,
            unusable,
            not_begun,
            satisfied,
            violated,
            unknown,
            time_s,
        } = self.summary;
        let not_begun = match not_begun {
            0 => String::new(),
            some => format!(", {some} not begun"),
        };
        text + &format!(
            "\n{}, {unusable} unusable{not_begun}; {satisfied} satisfied, {violated} violated, {unknown} unknown; {}\n",
            plural(models as u64, "model", "models"),
            seconds(time_s),
        )
    }
}

/// The name of the note on a model that was not begun.
const NOT_BEGUN: &str = "not-begun";

/// The report on a model that was not begun.
pub fn not_begun(model: &Path) -> ReportView {
    let note = "not begun: the run was interrupted";
    let note = DiagnosticView::plain(SeverityView::Note, NOT_BEGUN, note);
    ReportView::new(model.display().to_string(), vec![note])
}

/// Whether a report is one of these.
pub fn is_not_begun(report: &ReportView) -> bool {
    report.diagnostics.iter().any(|one| one.code == NOT_BEGUN)
}

fn number(model: &ReportView, verdict: Verdict) -> usize {
    model
        .results
        .iter()
        .filter(|result| result.verdict == verdict)
        .count()
}

fn row(model: &ReportView) -> Vec<String> {
    // Why a model is unusable is a message on standard error, with its place.
    let not_begun = model.diagnostics.iter().find(|one| one.code == NOT_BEGUN);
    let remark = match not_begun {
        Some(one) => Some(one.message.clone()),
        None => model.results.is_empty().then(|| "unusable".to_owned()),
    };
    let count = |verdict| match number(model, verdict) {
        0 => String::new(),
        some => some.to_string(),
    };
    let time = model.results.iter().map(|result| result.time_s).sum();
    vec![
        model.model.clone(),
        model.results.len().to_string(),
        count(Verdict::Satisfied),
        count(Verdict::Violated),
        count(Verdict::Unknown),
        seconds(time),
        remark.unwrap_or_default(),
    ]
}
