//! When to stop: cancellation, deadline, memory.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
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
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            cancel: Arc::new(AtomicBool::new(false)),
            deadline: None,
            memory_bytes: 1 << 30,
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

/// Why a check ended without a verdict.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stop {
    /// Somebody set the cancel flag.
    Cancelled,
    /// The time is over.
    Deadline,
    /// The diagrams need more memory than is allowed.
    Memory,
    /// The model itself has no meaning, for example an assignment outside a domain.
    Model(String),
    /// Something that the engine cannot do.
    Unsupported(String),
}

impl fmt::Display for Stop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Stop::Cancelled => f.write_str("cancelled"),
            Stop::Deadline => f.write_str("out of time"),
            Stop::Memory => f.write_str("out of memory"),
            Stop::Model(message) => write!(f, "the model is faulty: {message}"),
            Stop::Unsupported(message) => f.write_str(message),
        }
    }
}

impl std::error::Error for Stop {}
