//! When to stop: cancellation, deadline, memory.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Instant;

/// What a check may use.
#[derive(Clone, Debug)]
pub struct Limits {
    /// Set by another thread to end the check soon.
    pub cancel: Arc<AtomicBool>,
    /// The check ends soon after this moment.
    pub deadline: Option<Instant>,
    /// Bytes for the nodes and caches of the decision diagrams.
    pub memory_bytes: usize,
    /// Where the check tells how far it has come.
    pub progress: Arc<Progress>,
}

/// How far a check has come, for another thread to read.
#[derive(Debug, Default)]
pub struct Progress {
    /// Nodes in use.
    pub nodes: AtomicU64,
    /// Nodes that were ever allocated for this model.
    pub allocated: AtomicU64,
    /// The specification that is being checked, counted from 1.
    pub specification: AtomicU64,
    /// Steps from the initial states, where the search goes by steps.
    pub depth: AtomicU64,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            cancel: Arc::new(AtomicBool::new(false)),
            deadline: None,
            memory_bytes: 1 << 30,
            progress: Arc::default(),
        }
    }
}

impl Limits {
    /// An error if the check is to end now.
    pub fn check(&self) -> Result<(), Stop> {
        if self.cancel.load(Ordering::Relaxed) {
            return Err(Stop::Cancelled);
        }
        match self.deadline {
            Some(deadline) if Instant::now() >= deadline => Err(Stop::Deadline),
            _ => Ok(()),
        }
    }
}

/// How far a part of a check may go; the limits of the whole hold as well.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Budget {
    /// Until a moment.
    Until(Instant),
    /// Until the store has done this much work since it was made: the same on every machine.
    Work(u64),
}

/// Why a check ended without a verdict.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stop {
    /// Somebody set the cancel flag.
    Cancelled,
    /// The time is over.
    Deadline,
    /// The diagrams need more memory than is allowed.
    Memory,
    /// A part of the check has used up what it was allowed; the check itself goes on.
    Budget,
    /// The model itself has no meaning, for example an assignment outside a domain.
    Model(String),
    /// Something that the engine cannot do.
    Unsupported(String),
    /// What was asked for does not fit the system.
    Options(String),
    /// The program is wrong: its judge did not accept its trace.
    Internal(String),
}

impl fmt::Display for Stop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Stop::Cancelled => f.write_str("cancelled"),
            Stop::Deadline => f.write_str("out of time"),
            Stop::Memory => f.write_str("out of memory"),
            Stop::Budget => f.write_str("out of what was allowed for this part"),
            Stop::Model(message) => write!(f, "the model is faulty: {message}"),
            Stop::Unsupported(message) | Stop::Options(message) => f.write_str(message),
            Stop::Internal(message) => write!(f, "internal error: {message}"),
        }
    }
}

impl std::error::Error for Stop {}
