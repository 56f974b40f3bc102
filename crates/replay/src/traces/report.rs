//! What the judge hands back: an accepted run in full, or why a trace was rejected.

use std::fmt;

use merkhet_network::{Address, ClockId, EdgeId, Ending, LocationId, ProcessId, Region};

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
    /// The number of that location.
    pub location: LocationId,
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
    /// The clocks whose values afterwards are not those before plus the delay, with these values.
    pub clocks: Vec<(ClockId, i128)>,
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

impl Replayed {
    /// The state after each of the first steps: to be called for one step after the other, with what the last call left
    /// (at the beginning a copy of [`Replayed::initial`]). Whole states of all steps would take memory that grows with the
    /// product of the run and the network.
    pub fn advance(state: &mut ConcreteState, step: &ReplayedStep) {
        for taken in &step.edges {
            state.locations[taken.process.index()] = taken.location;
        }
        for change in &step.changes {
            let offset = change.address.offset as usize;
            match change.address.region {
                Region::State => state.cells[offset] = change.new,
                Region::Meta => state.meta[offset] = change.new,
                Region::Constant | Region::Local => {}
            }
        }
        state
            .clocks
            .iter_mut()
            .for_each(|clock| *clock += step.delay);
        for (clock, value) in &step.clocks {
            state.clocks[clock.index()] = *value;
        }
    }

    /// The states after the steps, in order.
    pub fn states(&self) -> impl Iterator<Item = ConcreteState> {
        self.steps.iter().scan(self.initial.clone(), |state, step| {
            Replayed::advance(state, step);
            Some(state.clone())
        })
    }
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
