//! Update strategies and joining strategies, by name.

use std::ops::Range;

/// How a new configuration is added to those that were seen (algorithms 2 to 5).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Update {
    /// It is left out if it was seen before.
    Simple,
    /// It is left out if a larger one was seen before. Exact, for monotone systems.
    #[default]
    Cover,
    /// It is joined with one that was seen before, if the strategy permits. Over-approximates.
    Join,
    /// As join; a join that is to blame for a path that does not exist is taken back.
    Cegar,
}

/// The update strategies: name and summary.
pub const UPDATES: &[(&str, Update, &str)] = &[
    (
        "simple",
        Update::Simple,
        "explicit: elements are compared for equality",
    ),
    (
        "cover",
        Update::Cover,
        "a smaller element than one seen before is left out; exact",
    ),
    (
        "join",
        Update::Join,
        "elements of a discrete state are joined; may be inconclusive",
    ),
    (
        "cegar",
        Update::Cegar,
        "as join, and joins that lead astray are taken back until the answer is conclusive",
    ),
];

/// Which configurations may be joined (definition 6).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Joining {
    /// Elements that the model's own functions `joinable` permit; without such functions all.
    #[default]
    Model,
    /// All of a discrete state, whatever the model says; zones are joined to their convex hull.
    All,
    /// Those with equal zones, whatever the model says.
    SameZone,
}

/// Further conditions for a join, of whole states (definition 6 gives a strategy the state and both elements): all of them
/// have to permit it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Rules {
    /// Lattice variables that are not joined: they have to be equal.
    pub apart: Vec<usize>,
    /// Expressions of the system that have to have the same value in both.
    pub alike: Range<usize>,
    /// Goals of the system that have to hold in the result.
    pub holds: Range<u32>,
}

impl Update {
    /// Whether elements are joined.
    pub fn joins(self) -> bool {
        matches!(self, Update::Join | Update::Cegar)
    }
}
