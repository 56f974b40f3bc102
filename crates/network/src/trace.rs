//! Runs of a network as plain data: what the engine claims and the judge checks.

use crate::ids::{EdgeId, ProcessId};

/// One transition: the edges taken together.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Transition {
    /// The edges, in the order in which their updates are run: alone, or the sender first and then the receivers (a
    /// broadcast's in the order of the processes), or a vector's participants in its order.
    pub edges: Vec<(ProcessId, EdgeId)>,
}

/// A delay followed by a transition.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Step {
    /// Time spent before the transition, in units of 1/[`Trace::scale`].
    pub delay: i64,
    /// What is taken then.
    pub transition: Transition,
}

/// A concrete run from the initial state.
///
/// All times are integers over one common denominator, so that they are exact: strict bounds only ever need times of
/// the form n + k·ε, and one ε small enough for the whole trace exists.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Trace {
    /// The number of units in one time unit of the model; positive.
    pub scale: i64,
    /// The delays and transitions.
    pub steps: Vec<Step>,
    /// A delay after the last transition, into the state of interest (a goal on clocks), in units.
    pub last_delay: i64,
    /// How an infinite or maximal run (liveness) goes on after the steps.
    pub ending: Ending,
}

/// What follows the last step of a trace.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ending {
    /// Nothing more is claimed: the last state is the one of interest.
    State,
    /// The transitions from this step on can be repeated for ever (a lasso of symbolic states).
    Loop(usize),
    /// No transition is possible any more, now or later.
    Deadlock,
    /// Time can pass without end in the last state.
    Diverges,
}
