//! What `merkhet check` reports, as plain data of this program's own, and its forms: for people, JSON and JUnit.
//!
//! The fields' names are the JSON interface; they stay as they are when the library changes.

pub mod databases;
pub mod diagrams;
pub mod human;
pub mod json;
pub mod junit;
pub mod path;
pub mod quantity;
pub mod reductions;
pub mod results;
pub mod table;

#[cfg(test)]
pub(crate) mod samples;

use serde::Serialize;

use databases::DatabasesView;
use reductions::ReductionsView;

use crate::diagnostics::DiagnosticView;
pub use diagrams::DiagramsView;
pub use path::PathView;

/// A whole run.
#[derive(Clone, Debug, Serialize)]
pub struct ReportView {
    /// The model's file.
    pub model: String,
    /// One for each query, in order.
    pub results: Vec<ResultView>,
    /// What there is to say about the model's text.
    pub diagnostics: Vec<DiagnosticView>,
}

/// The answer to a query.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// It holds.
    Satisfied,
    /// It does not hold.
    Violated,
    /// Not decided; the reason says why.
    Unknown,
}

impl Verdict {
    /// The word for it.
    pub fn word(self) -> &'static str {
        match self {
            Verdict::Satisfied => "satisfied",
            Verdict::Violated => "violated",
            Verdict::Unknown => "unknown",
        }
    }
}

/// What is known about a query.
#[derive(Clone, Debug, Serialize)]
pub struct ResultView {
    /// The query's text.
    pub query: String,
    /// The author's comment.
    pub comment: Option<String>,
    /// The answer.
    pub verdict: Verdict,
    /// Why it is unknown, or what else there is to say about the answer.
    pub reason: Option<String>,
    /// The answer to a query that asks for values, such as `x <= 33`.
    pub values: Vec<ValueView>,
    /// States expanded.
    pub explored: u64,
    /// States stored at the end.
    pub stored: u64,
    /// Transitions taken.
    pub transitions: u64,
    /// Time, in seconds.
    pub time_s: f64,
    /// The most memory that the program had in use.
    pub peak_memory_bytes: u64,
    /// The name of the search.
    pub search: String,
    /// The name of the heuristic that guided it.
    pub heuristic: Option<String>,
    /// Joins of lattice elements, where the search covers or joins them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub joins: Option<u64>,
    /// Refinements of the joining strategy, likewise.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub refinements: Option<u32>,
    /// The pattern databases that guided the search.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub databases: Option<DatabasesView>,
    /// What was left out of the network that was searched, where something could be or was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reductions: Option<ReductionsView>,
    /// The run that shows the answer, where there is one.
    pub trace: Option<TraceView>,
    /// The path that shows the answer in a finite system.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path: Option<PathView>,
    /// Figures about decision diagrams, where they were used.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub diagrams: Option<DiagramsView>,
}

/// A value that a query asked for.
#[derive(Clone, Debug, Serialize)]
pub struct ValueView {
    /// What was measured.
    pub expression: String,
    /// The smallest value, as `3` or `> 3` (not reached) or `-inf`; absent if it was not asked for.
    pub inf: Option<String>,
    /// The largest value, as `33` or `< 33` (not reached) or `inf`; absent if it was not asked for.
    pub sup: Option<String>,
}

/// A run from the initial state, with exact times.
#[derive(Clone, Debug, Serialize)]
pub struct TraceView {
    /// The number of transitions.
    pub length: usize,
    /// The time at its end, an exact number such as `7/2`.
    pub duration: String,
    /// The transitions in order.
    pub steps: Vec<StepView>,
    /// How it goes on after the last step.
    pub ending: EndingView,
}

/// What follows the last step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum EndingView {
    /// The last state is the one that was asked for.
    State,
    /// The steps from this one on (counted from 1) can be repeated for ever.
    Loop {
        /// The first step that is repeated.
        from: usize,
    },
    /// No transition is possible any more.
    Deadlock,
    /// Time can pass without end.
    Diverges,
}

/// A delay and a transition.
#[derive(Clone, Debug, Serialize)]
pub struct StepView {
    /// The time at which the transition is taken.
    pub time: String,
    /// The time since the step before.
    pub delay: String,
    /// The channel, where processes synchronise.
    pub sync: Option<String>,
    /// The edges taken, the sender first.
    pub moves: Vec<MoveView>,
    /// The variables that have another value afterwards.
    pub changes: Vec<ChangeView>,
}

/// A process that moves.
#[derive(Clone, Debug, Serialize)]
pub struct MoveView {
    /// Its name.
    pub process: String,
    /// Where it was.
    pub source: String,
    /// Where it is then.
    pub target: String,
}

/// A variable that changes.
#[derive(Clone, Debug, Serialize)]
pub struct ChangeView {
    /// Its name.
    pub variable: String,
    /// Its value before.
    pub before: i64,
    /// Its value after.
    pub after: i64,
}
