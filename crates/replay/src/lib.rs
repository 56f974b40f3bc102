//! The independent judge: replays traces and checks certificates with plain, exact code.
//!
//! It knows the network only. It shares no code with the engine that it judges: it has its own interpreter of the
//! trees, its own successor rules and its own zones, all written for being obviously right.
//!
//! - [`judge_trace`] replays a [`merkhet_network::Trace`] with exact integer arithmetic, step by step, and checks that
//!   the run shows what the query asks for.
//! - [`certify`] checks that a [`Certificate`] is an inductive set of symbolic states without a bad one.

mod certificate;
mod certify;
mod condition;
mod fault;
mod federation;
mod file;
mod fingerprint;
mod interpreter;
mod judge;
mod lasso;
mod moves;
mod outlook;
mod report;
mod rules;
mod simulation;
mod situation;
mod step;
mod zone;

pub use certificate::{Certificate, ClockBounds, EXACT, Entry, INFINITY, UNCOMPARED};
pub use certify::{Refusal, certify};
pub use fault::{Fault, FaultKind, Stop};
pub use file::{MAGIC as CERTIFICATE_MAGIC, ReadError, read, write};
pub use fingerprint::fingerprint;
pub use interpreter::ClockValue;
pub use judge::{forbids_initial_state, judge_trace};
pub use report::{Change, ConcreteState, Rejection, Replayed, ReplayedStep, TakenEdge};

#[cfg(test)]
mod tests;
