//! Estimates of the distance to the goal, as the search sees them.

use merkhet_semantics::{EdgeIndex, State, Successor};
use merkhet_zones::bound::Bound;

/// How far the goal is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Estimate {
    /// About so many transitions.
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

/// An estimate of the distance to the goal.
pub trait Heuristic {
    /// What is known of it.
    fn facts(&self) -> HeuristicFacts;

    /// The estimate for a state.
    fn estimate(&mut self, state: State<'_>) -> Estimate;

    /// A state is about to be expanded: [`Heuristic::preference`] is about its transitions from now on.
    fn prepare(&mut self, _state: State<'_>) {}

    /// Whether the transition with these edges looks like the way to the goal.
    fn preference(&self, _edges: &[EdgeIndex]) -> Preference {
        Preference::None
    }

    /// A measure of what an estimate costs: about the number of edges that it looks at.
    fn size(&self) -> usize {
        1
    }

    /// The same for [`Heuristic::prepare`].
    fn preparation(&self) -> usize {
        self.size()
    }

    /// Whether estimates depend on this cell of a state's memory.
    fn reads(&self, _cell: usize) -> bool {
        true
    }

    /// The number of words that hold what estimates depend on in a zone; one that reads zones otherwise is not asked.
    fn zone_words(&self) -> usize {
        0
    }

    /// Writes these words.
    fn zone_key(&self, _zone: &[Bound], _words: &mut [u64]) {}

    /// The successors of this state are estimated next; `reached_by` tells the edges that led to it. Several threads that
    /// share the work do not say so.
    fn expanding(&mut self, _state: State<'_>, _reached_by: &dyn Fn() -> Vec<EdgeIndex>) {}

    /// How much later than its estimate says a successor is to be expanded, by greedy search, because the transition
    /// that leads to it does not help.
    fn penalty(&mut self, _successor: &Successor<'_>, _estimate: u32) -> u32 {
        0
    }
}

/// Knows nothing: 0 everywhere.
#[derive(Clone, Copy, Default, Debug)]
pub struct Blind;

impl Heuristic for Blind {
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
}
