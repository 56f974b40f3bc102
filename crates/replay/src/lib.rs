//! The independent judge: replays traces and checks certificates with plain, exact code.
//!
//! It knows the network only. It shares no code with the engine that it judges: it has its own interpreter of the
//! trees, its own successor rules and its own zones, all written for being obviously right.
//!
//! - [`judge_trace`] replays a [`merkhet_network::Trace`] with exact integer arithmetic, step by step, and checks that
//!   the run shows what the query asks for.
//! - [`certify`] checks that a [`Certificate`] is an inductive set of symbolic states without a bad one.

#![forbid(unsafe_code)]

mod certificates;
mod condition;
mod fault;
mod interpreter;
mod moves;
mod rules;
mod traces;

pub use certificates::accept::{certify, certify_owned, certify_reading};
pub use certificates::certificate::{
    Certificate, ClockBounds, EXACT, End, Ends, Entry, INFINITY, UNCOMPARED,
};
pub use certificates::certify::Refusal;
pub use certificates::file::{
    CertificateReader, MAGIC as CERTIFICATE_MAGIC, ReadError, read, write,
};
pub use certificates::fingerprint::fingerprint;
pub use certificates::values::{Claims, claims};
pub use fault::{Fault, FaultKind, Stop};
pub use interpreter::ClockValue;
pub use traces::judge::{forbids_initial_state, judge_trace};
pub use traces::report::{Change, ConcreteState, Rejection, Replayed, ReplayedStep, TakenEdge};

#[cfg(test)]
mod tests;
