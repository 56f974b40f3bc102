//! What `merkhet check` reports, as plain data of this program's own, and its forms: for people, JSON and JUnit.
//!
//! The fields' names are the JSON interface; they stay as they are when the library changes.

mod forms;
mod parts;

#[cfg(test)]
pub(crate) mod samples;

use std::collections::BTreeMap;

use merkhet::StopReason;
use merkhet::network::QueryKind;
use serde::{Deserialize, Serialize};

use databases::DatabasesView;
use reductions::ReductionsView;

use crate::diagnostics::DiagnosticView;
pub use diagrams::DiagramsView;
pub use forms::{advice, chart, diagram, human, json, junit, sarif, splits, svg, table};
pub use parts::{
    batch, databases, diagrams, path, processes, quantity, reductions, results, stage, trace,
};
pub use path::PathView;
pub use stage::StageView;

/// The version of the form of [`ReportView`]; it grows when a field changes its meaning or goes.
pub const SCHEMA_VERSION: u32 = 1;

/// A whole run.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ReportView {
    /// [`SCHEMA_VERSION`].
    pub schema_version: u32,
    /// The model's file.
    pub model: String,
    /// One for each query, in order.
    pub results: Vec<ResultView>,
    /// What there is to say about the model's text.
    pub diagnostics: Vec<DiagnosticView>,
    /// Of a model that is one of many: the options that had no effect on it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub without_effect: Vec<String>,
}

impl ReportView {
    /// A report without any result.
    pub fn new(model: String, diagnostics: Vec<DiagnosticView>) -> ReportView {
        ReportView {
            schema_version: SCHEMA_VERSION,
            model,
            results: Vec::new(),
            diagnostics,
            without_effect: Vec::new(),
        }
    }
}

/// The answer to a query.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
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

/// The sorts of queries that advice differs for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Question {
    /// Whether a state can be reached.
    #[default]
    Reachability,
    /// Which states there are.
    Explore,
    /// What maximal runs do.
    Liveness,
    /// Which values there are.
    Range,
}

impl From<&QueryKind> for Question {
    fn from(kind: &QueryKind) -> Question {
        match kind {
            QueryKind::Possibly(_) | QueryKind::Invariantly(_) => Question::Reachability,
            QueryKind::Explore => Question::Explore,
            QueryKind::PotentiallyAlways(_) | QueryKind::Eventually(_) | QueryKind::LeadsTo(..) => {
                Question::Liveness
            }
            QueryKind::Bounds { .. } => Question::Range,
        }
    }
}

/// A path that joined lattice elements only have.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct SplitView {
    /// The transitions, the last being the one that cannot be taken, or after which the goal does not hold.
    pub path: Vec<String>,
    /// The number of transitions before the join.
    pub after: usize,
    /// The locations at which elements were joined.
    pub at: String,
    /// What the join gave.
    pub element: String,
}

/// What is known about a query.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ResultView {
    /// The query's text.
    pub query: String,
    /// The author's comment.
    pub comment: Option<String>,
    /// The answer.
    pub verdict: Verdict,
    /// The answer that the model's file records, where it is compared.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expected: Option<Verdict>,
    /// Why it is unknown, or what else there is to say about the answer.
    pub reason: Option<String>,
    /// The limit that ended the search, where one did.
    #[serde(skip)]
    pub limit: Option<StopReason>,
    /// What sort of query it is.
    #[serde(skip)]
    pub question: Question,
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
    /// Paths that joined lattice elements only have, each with the join to blame.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub splits: Vec<SplitView>,
    /// The pattern databases that guided the search.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub databases: Option<DatabasesView>,
    /// What was left out of the network that was searched, where something could be or was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reductions: Option<ReductionsView>,
    /// For a search with several parts: the one that found the goal.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub found_by: Option<String>,
    /// The searches that were made, one after the other.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub schedule: Vec<StageView>,
    /// What each process did, where several decided together.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub processes: Vec<processes::ProcessView>,
    /// The run that shows the answer, where there is one.
    pub trace: Option<TraceView>,
    /// Further runs that show it, where they were asked for.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub more_traces: Vec<TraceView>,
    /// The path that shows the answer in a finite system.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path: Option<PathView>,
    /// Figures about decision diagrams, where they were used.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub diagrams: Option<DiagramsView>,
}

/// A value that a query asked for.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ValueView {
    /// What was measured.
    pub expression: String,
    /// The smallest value, as `3` or `> 3` (not reached) or `-infinite`; absent if it was not asked for.
    pub inf: Option<String>,
    /// The largest value, as `33` or `< 33` (not reached) or `infinite`; absent if it was not asked for.
    pub sup: Option<String>,
}

/// A run from the initial state, with exact times.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct TraceView {
    /// The number of transitions.
    pub length: usize,
    /// The time at its end, an exact number such as `7/2`.
    pub duration: String,
    /// The first state, in full traces.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub initial: Option<StateView>,
    /// The transitions in order.
    pub steps: Vec<StepView>,
    /// A delay after the last step, if there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_delay: Option<String>,
    /// How it goes on after the last step.
    pub ending: EndingView,
    /// What cannot be evaluated then, in a run to a fault. The reason of the result says it with its place.
    #[serde(skip)]
    pub fault: FaultView,
}

/// The part of a model or query in which a fault lies.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FaultView {
    /// There is none, or something that edges and queries share, such as a function.
    #[default]
    Shared,
    /// A guard, an invariant, an update.
    Move,
    /// The query.
    Query,
}

/// What follows the last step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
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
#[derive(Clone, Debug, Serialize, Deserialize)]
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
    /// The state afterwards, in full traces.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub after: Option<StateView>,
}

/// A concrete state.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct StateView {
    /// The location of each process.
    pub locations: BTreeMap<String, String>,
    /// The value of each variable.
    pub variables: BTreeMap<String, i64>,
    /// The value of each clock, an exact number.
    pub clocks: BTreeMap<String, String>,
}

/// A process that moves.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct MoveView {
    /// Its name.
    pub process: String,
    /// Where it was.
    pub source: String,
    /// Where it is then.
    pub target: String,
    /// The edge's guard as it was written.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub guard: Option<String>,
    /// The edge's update as it was written.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub update: Option<String>,
    /// The values of its select variables, as `i = 3`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub select: Vec<String>,
    /// The edge's number among those of the process, from 0; only where whole states are wanted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub edge: Option<u32>,
    /// Its number among the edges of the template, from 0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub origin: Option<u32>,
}

/// A variable that changes.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ChangeView {
    /// Its name.
    pub variable: String,
    /// Its value before.
    pub before: i64,
    /// Its value after.
    pub after: i64,
}
