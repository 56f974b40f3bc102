//! Estimates of the distance to the goal, as the search sees them.
//!
//! A heuristic has four sides, each a trait of its own: [`Estimates`] (the value), [`Guides`] (preferred transitions),
//! [`Ranks`] (what is put off), and [`Keyed`] (what a table of values in front of it needs to know). The search uses the first three
//! together as a [`Heuristic`]. Their methods have no defaults: whatever is built around a heuristic either passes a
//! side on, whole, or says that it has none.

use merkhet_semantics::{EdgeIndex, State, Successor};
use merkhet_zones::bound::Bound;

/// How far the goal is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Estimate {
    /// The number of transitions, about.
    Finite(u32),
    /// The goal cannot be reached, as far as the heuristic can tell.
    DeadEnd,
}

/// What is known of a heuristic. A search that needs a fact that is not declared does without it or refuses.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct HeuristicFacts {
    /// It never over-estimates: A* finds shortest traces.
    pub admissible: bool,
    /// It never falls by more than one along a transition: A* never has to open a state again.
    pub consistent: bool,
    /// From a dead end the goal really cannot be reached: such states may be pruned and a proof stays a proof.
    pub safe_dead_ends: bool,
}

/// What a heuristic thinks of a transition of the state that is being expanded.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum Preference {
    /// Nothing.
    #[default]
    None,
    /// The way to the goal that it sees needs a part of it, now or later.
    Planned,
    /// The way to the goal that it sees begins with it.
    First,
}

/// The estimate itself.
pub trait Estimates {
    /// What is known of it.
    fn facts(&self) -> HeuristicFacts;

    /// The estimate for a state.
    fn estimate(&mut self, state: State<'_>) -> Estimate;

    /// A measure of what the last estimate cost: about the number of edges that it looked at, at least 1.
    fn size(&self) -> usize;
}

/// Which transitions look like the way to the goal.
pub trait Guides {
    /// A state is about to be expanded: [`Guides::preference`] is about its transitions from now on.
    fn prepare(&mut self, state: State<'_>);

    /// Whether the transition with these edges looks like the way to the goal.
    fn preference(&self, edges: &[EdgeIndex]) -> Preference;

    /// A measure of what [`Guides::prepare`] costs, as [`Estimates::size`].
    fn preparation(&self) -> usize;
}

/// A heuristic that prefers no transitions.
pub trait Unguided: Estimates {}

impl<H: Unguided> Guides for H {
    fn prepare(&mut self, _: State<'_>) {}

    fn preference(&self, _: &[EdgeIndex]) -> Preference {
        Preference::None
    }

    fn preparation(&self) -> usize {
        self.size()
    }
}

/// Which successors are put off, by greedy search.
pub trait Ranks {
    /// The successors of this state are estimated next; `reached_by` tells the edges that led to it. Several threads that
    /// share the work do not say so.
    fn expanding(&mut self, state: State<'_>, reached_by: &dyn Fn() -> Vec<EdgeIndex>);

    /// How much later than its estimate says a successor is to be expanded, because the transition that leads to it does
    /// not help.
    fn penalty(&mut self, successor: &Successor<'_>, estimate: u32) -> u32;
}

/// A heuristic that puts nothing off.
pub trait Unranked {}

impl<H: Unranked> Ranks for H {
    fn expanding(&mut self, _: State<'_>, _: &dyn Fn() -> Vec<EdgeIndex>) {}

    fn penalty(&mut self, _: &Successor<'_>, _: u32) -> u32 {
        0
    }
}

/// What an estimate depends on: a table of values in front of it tells states apart by that.
pub trait Keyed {
    /// Whether estimates depend on this cell of a state's memory.
    fn reads(&self, cell: usize) -> bool;

    /// The number of words that hold what estimates depend on in a zone.
    fn zone_words(&self) -> usize;

    /// Writes these words.
    fn zone_key(&self, zone: &[Bound], words: &mut [u64]);
}

/// Everything that a search asks of a heuristic.
pub trait Heuristic: Estimates + Guides + Ranks {}

impl<H: Estimates + Guides + Ranks> Heuristic for H {}

/// Knows nothing: 0 everywhere.
#[derive(Clone, Copy, Default, Debug)]
pub struct Blind;

impl Estimates for Blind {
    fn facts(&self) -> HeuristicFacts {
        HeuristicFacts {
            admissible: true,
            consistent: true,
            safe_dead_ends: true,
        }
    }

    fn estimate(&mut self, _: State<'_>) -> Estimate {
        Estimate::Finite(0)
    }

    fn size(&self) -> usize {
        1
    }
}

impl Unguided for Blind {}

impl Unranked for Blind {}
