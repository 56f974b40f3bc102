//! What came of a query, as plain data.

use std::time::Duration;

use merkhet_analysis::reduce::Removed;
pub use merkhet_heuristics::pa::{Databases, Summary};
use merkhet_network::code::Fault;
use merkhet_network::{Network, Site};
use merkhet_replay::{Certificate, Replayed};
use merkhet_semantics::CompileError;

/// The answer to a query.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Answer {
    /// It holds.
    Satisfied,
    /// It does not hold.
    Violated,
    /// Not decided; the report's reason says why.
    Unknown,
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

/// What a search did, in numbers.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Figures {
    /// States expanded.
    pub explored: u64,
    /// States stored at the end.
    pub stored: u64,
    /// Successors computed.
    pub transitions: u64,
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
    /// Why it is unknown, or a remark on the answer.
    pub reason: Option<String>,
    /// Values that were asked for.
    pub values: Vec<Value>,
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
    /// The proof, where one was asked for and there is one.
    pub certificate: Option<Certificate>,
    /// What was left out of the network that was searched, if that was asked for.
    pub reduced: Option<Reduced>,
    /// The pattern databases that guided the search.
    pub databases: Option<Databases>,
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

/// The query could not be checked because the model goes wrong or the program does.
#[derive(Clone, Debug)]
pub enum Failure {
    /// An evaluation in the model failed at a reachable state.
    Fault {
        /// What happened.
        message: String,
        /// Where it stands in the source.
        site: Option<Box<Site>>,
        /// The run that leads there, if it could be made concrete.
        trace: Option<Box<Replayed>>,
        /// What the search had done until then, if it is known.
        figures: Option<Box<Figures>>,
        /// Nothing is known to be wrong with the model: the evaluation took more steps than it may.
        limit: bool,
    },
    /// What was asked for cannot be done with these options, or not of this model.
    NotPermitted(String),
    /// Nothing is wrong with what was asked, but the methods at hand cannot decide it for this kind of model.
    Undecidable(String),
    /// The program is wrong: its judge did not accept its result.
    Internal(String),
}

impl Failure {
    /// The failure that a fault amounts to, without the run to it.
    pub(crate) fn of(network: &Network, fault: &Fault) -> Failure {
        Failure::Fault {
            message: fault.to_string(),
            site: network.site(fault.site).cloned().map(Box::new),
            trace: None,
            figures: None,
            limit: fault.kind.is_limit(),
        }
    }

    /// The network is larger than what can be explored.
    pub(crate) fn too_large(error: CompileError) -> Failure {
        Failure::Undecidable(error.to_string())
    }
}
