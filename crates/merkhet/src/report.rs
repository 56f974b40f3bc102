//! What came of a query, as plain data.

pub use merkhet_lattices::Split;
use std::time::Duration;

use merkhet_analysis::reduce::Removed;
use merkhet_finite::trace::Trace as Path;
pub use merkhet_heuristics::pa::{Databases, Summary};
use merkhet_replay::{Certificate, Replayed};
use merkhet_symbolic::check::{PathLength, Statistics as DiagramStatistics};

use crate::check::Ran;
pub use crate::diagrams::SystemProof;
use crate::why::{Remark, Why};

/// The answer to a query.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Answer {
    /// It holds.
    Satisfied,
    /// It does not hold.
    Violated,
    /// Not decided.
    Unknown(Why),
}

impl Answer {
    /// The answer that a truth value is.
    pub fn of(holds: bool) -> Answer {
        match holds {
            true => Answer::Satisfied,
            false => Answer::Violated,
        }
    }

    /// Whether the query holds, where it was decided.
    pub fn holds(&self) -> Option<bool> {
        match self {
            Answer::Satisfied => Some(true),
            Answer::Violated => Some(false),
            Answer::Unknown(_) => None,
        }
    }

    /// Whether the query was not decided.
    pub fn is_unknown(&self) -> bool {
        matches!(self, Answer::Unknown(_))
    }
}

/// An end of a range of values.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Bound {
    /// Reached.
    Reached(i64),
    /// Approached, but not reached.
    NotReached(i64),
    /// There is none.
    Infinite,
}

/// The answer to `sup`, `inf` or `bounds` for one expression.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Value {
    /// What was measured.
    pub expression: String,
    /// The smallest value, if it was asked for.
    pub infimum: Option<Bound>,
    /// The largest value, if it was asked for.
    pub supremum: Option<Bound>,
}

/// The answer to a question for the length of paths.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Length {
    /// Of the longest paths, instead of the shortest ones.
    pub longest: bool,
    /// The number of steps.
    pub steps: PathLength,
}

/// What a search did, in numbers.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Figures {
    /// States expanded.
    pub explored: u64,
    /// States stored at the end.
    pub stored: u64,
    /// Successors computed.
    pub transitions: u64,
    /// The work of searches and walks, counted and not measured: in steps of walks, about a microsecond each.
    pub work: u64,
    /// Different discrete parts of states.
    pub discrete: u64,
    /// Time taken.
    pub time: Duration,
    /// The largest memory of the process so far, in bytes.
    pub peak_memory: u64,
    /// Joins of lattice elements, where the search covers or joins them.
    pub joins: Option<u64>,
    /// Refinements of the joining strategy, likewise.
    pub refinements: Option<u32>,
}

/// What came of a query.
#[derive(Clone, Debug)]
pub struct Report {
    /// The answer.
    pub answer: Answer,
    /// What else there is to say of it.
    pub remarks: Vec<Remark>,
    /// Values that were asked for.
    pub values: Vec<Value>,
    /// The length of paths, if it was asked for.
    pub path_length: Option<Length>,
    /// Figures.
    pub figures: Figures,
    /// The name of the search that was used.
    pub search: String,
    /// The name of the heuristic that guided it.
    pub heuristic: Option<String>,
    /// For a search with several parts: the one that found the goal.
    pub found_by: Option<String>,
    /// The run that shows the answer, accepted by the judge.
    pub trace: Option<Replayed>,
    /// The path of a finite system that shows the answer, accepted by the judge.
    pub path: Option<Path>,
    /// The proof, where one was asked for and there is one.
    pub certificate: Option<Certificate>,
    /// The proof about a finite system, where one was asked for and there is one.
    pub proof: Option<SystemProof>,
    /// What was left out of the network that was searched, if that was asked for.
    pub reduced: Option<Reduced>,
    /// Paths that joined lattice elements only have, each with the join that was to blame and was split.
    pub splits: Vec<Split>,
    /// The pattern databases that guided the search.
    pub databases: Option<Databases>,
    /// The stages that were run.
    pub schedule: Vec<Ran>,
    /// Figures about the decision diagrams, where they were used.
    pub diagrams: Option<DiagramStatistics>,
}

impl Report {
    /// A report of an answer by this search, without anything else.
    pub(crate) fn new(answer: Answer, search: impl Into<String>) -> Report {
        Report {
            answer,
            remarks: Vec::new(),
            values: Vec::new(),
            path_length: None,
            figures: Figures::default(),
            search: search.into(),
            heuristic: None,
            found_by: None,
            trace: None,
            path: None,
            certificate: None,
            proof: None,
            reduced: None,
            splits: Vec::new(),
            databases: None,
            schedule: Vec::new(),
            diagrams: None,
        }
    }

    /// Takes the answer back.
    pub(crate) fn be_unknown(&mut self, why: Why) {
        self.answer = Answer::Unknown(why);
        self.remarks.clear();
    }

    /// Adds a remark where there is nothing else to say of the answer.
    pub(crate) fn or_else_remark(&mut self, remark: Option<Remark>) {
        if self.remarks.is_empty() && !self.answer.is_unknown() {
            self.remarks.extend(remark);
        }
    }

    /// Why the answer is unknown, and the remarks on it, in words.
    pub fn reason(&self) -> Option<String> {
        let mut parts: Vec<String> = self.remarks.iter().map(Remark::to_string).collect();
        if let Answer::Unknown(why) = &self.answer {
            parts.insert(0, why.to_string());
        }
        (!parts.is_empty()).then(|| parts.join("; "))
    }
}

/// What was left out of a network before it was searched. Traces are of the whole network all the same.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Reduced {
    /// The parts, each with the reason.
    pub removed: Vec<Removed>,
    /// Why nothing was left out.
    pub remark: Option<String>,
    /// The number of transitions of the run before it was carried back to the whole network.
    pub trace_length: Option<usize>,
}
