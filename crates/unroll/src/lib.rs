//! Finite systems as clauses for a SAT solver: bounded model checking with induction, faults of
//! expressions, and a judge of inductive invariants. Knows nothing of decision diagrams.

#![forbid(unsafe_code)]

pub mod certificate;
mod encode;
mod faults;
mod frame;
mod gates;
mod integer;
mod search;
#[cfg(test)]
mod tests;
mod word;

pub use faults::{Fault, first_fault};
pub use search::{Outcome, Proof, Report, Unrolling};

use std::sync::Arc;

/// Asked now and then by everything that may take long: whether to end.
pub type Interrupt = Arc<dyn Fn() -> bool + Send + Sync>;

/// Why something ended without an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stop {
    /// The interrupt said so.
    Interrupted,
    /// The clauses need more memory than is allowed.
    Memory,
    /// What was allowed for this part is used up; it can go on.
    Budget,
    /// The model itself has no meaning.
    Model(String),
    /// Something that clauses cannot say here.
    Unsupported(String),
}
