//! What the judge hands back: an accepted run in full, or why a trace was rejected.

use std::fmt;

use merkhet_network::{Address, EdgeId, Ending, LocationId, ProcessId};

/// A concrete state. Times are in units of 1/[`Replayed::scale`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ConcreteState {
    /// The location of each process.
    pub locations: Vec<LocationId>,
    /// The cells of the state.
    pub cells: Vec<i32>,
    /// The `meta` cells.
    pub meta: Vec<i32>,
    /// The value of each clock.
    pub clocks: Vec<i128>,
}

/// One edge that took part in a step.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TakenEdge {
    /// The process.
    pub process: ProcessId,
    /// The edge.
    pub edge: EdgeId,
    /// The process's name.
    pub process_name: String,
    /// The location that it leaves.
    pub source: String,
    /// The location that it enters.
    pub target: String,
}

/// A cell that a step changed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Change {
    /// The cell.
    pub address: Address,
    /// Its name.
    pub name: String,
    /// Before.
    pub old: i32,
    /// After.
    pub new: i32,
}

/// One delay with the transition that follows.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ReplayedStep {
    /// Time since the start, before the delay.
    pub time: i128,
    /// The delay.
    pub delay: i128,
    /// Who moved, in the order of the updates.
    pub edges: Vec<TakenEdge>,
    /// The channel, or the vector's events, if it synchronises.
    pub sync: Option<String>,
    /// The cells that changed.
    pub changes: Vec<Change>,
    /// The state afterwards.
    pub after: ConcreteState,
}

/// An accepted run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Replayed {
    /// The number of units in one time unit of the model.
    pub scale: i64,
    /// The state at the start.
    pub initial: ConcreteState,
    /// The steps.
    pub steps: Vec<ReplayedStep>,
    /// The time since the start when the last step is done.
    pub end_time: i128,
    /// The delay after the last step.
    pub last_delay: i128,
    /// The state after that delay.
    pub last: ConcreteState,
    /// How it goes on.
    pub ending: Ending,
}

/// Why a trace was rejected.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Rejection {
    /// The step that is wrong; the number of steps for what comes after the last one.
    pub step: usize,
    /// What is wrong, in words.
    pub reason: String,
    /// Whether an evaluation fails in the state at the step, rather than that the run is none.
    pub fault: bool,
}

impl Rejection {
    pub(crate) fn new(step: usize, reason: impl Into<String>) -> Rejection {
        Rejection {
            step,
            reason: reason.into(),
            fault: false,
        }
    }
}

impl fmt::Display for Rejection {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "trace rejected at step {}: {}", self.step, self.reason)
    }
}

impl std::error::Error for Rejection {}
