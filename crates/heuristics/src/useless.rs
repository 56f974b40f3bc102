//! Useless transitions.
//!
//! Wehrle, Kupferschmid, Podelski: Transition-based directed model checking (TACAS 2009). A transition is useless in a
//! state if the goal is no nearer after it, as far as the estimate can tell when the transition cannot be taken again.
//! The states that useless transitions lead to wait behind all others, so that the search stays complete.

use merkhet_explore::{Estimate, Estimates, Guides, Heuristic, HeuristicFacts, Preference, Ranks};
use merkhet_semantics::{EdgeIndex, State, Successor};

/// More than any estimate: a second queue behind the first one.
const BEHIND: u32 = 1 << 24;

/// A heuristic that may be able to do without a transition.
pub trait Without: Estimates + Guides {
    /// The estimate for a successor if the transition that led to it could not be taken again; `None` if that cannot be
    /// told apart.
    fn without(&mut self, successor: &Successor<'_>) -> Option<Estimate>;
}

/// A heuristic that puts off useless transitions.
pub struct ByTransition<G> {
    guide: G,
    /// The estimate of the state that is being expanded.
    before: Option<u32>,
}

impl<G: Without> ByTransition<G> {
    /// Puts off what a guide finds useless.
    pub fn new(guide: G) -> ByTransition<G> {
        ByTransition {
            guide,
            before: None,
        }
    }
}

impl<G: Without> Estimates for ByTransition<G> {
    fn facts(&self) -> HeuristicFacts {
        self.guide.facts()
    }

    fn estimate(&mut self, state: State<'_>) -> Estimate {
        self.guide.estimate(state)
    }

    fn size(&self) -> usize {
        self.guide.size()
    }
}

impl<G: Without> Guides for ByTransition<G> {
    fn prepare(&mut self, state: State<'_>) {
        self.guide.prepare(state);
    }

    fn preference(&self, edges: &[EdgeIndex]) -> Preference {
        self.guide.preference(edges)
    }

    fn preparation(&self) -> usize {
        self.guide.preparation()
    }
}

impl<G: Without> Ranks for ByTransition<G> {
    fn expanding(&mut self, state: State<'_>, _reached_by: &dyn Fn() -> Vec<EdgeIndex>) {
        self.before = match self.guide.estimate(state) {
            Estimate::Finite(before) => Some(before),
            Estimate::DeadEnd => None,
        };
    }

    fn penalty(&mut self, successor: &Successor<'_>, estimate: u32) -> u32 {
        let Some(before) = self.before else {
            return 0;
        };
        // Doing without a transition only makes the way longer: no need to look where it is too long already.
        let useless = estimate >= before
            || match self.guide.without(successor) {
                Some(Estimate::Finite(without)) => without >= before,
                Some(Estimate::DeadEnd) => true,
                None => false,
            };
        if useless { BEHIND } else { 0 }
    }
}

/// A heuristic that cannot do without a transition.
pub struct Whole(pub Box<dyn Heuristic>);

impl Estimates for Whole {
    fn facts(&self) -> HeuristicFacts {
        self.0.facts()
    }

    fn estimate(&mut self, state: State<'_>) -> Estimate {
        self.0.estimate(state)
    }

    fn size(&self) -> usize {
        self.0.size()
    }
}

impl Guides for Whole {
    fn prepare(&mut self, state: State<'_>) {
        self.0.prepare(state);
    }

    fn preference(&self, edges: &[EdgeIndex]) -> Preference {
        self.0.preference(edges)
    }

    fn preparation(&self) -> usize {
        self.0.preparation()
    }
}

impl Without for Whole {
    fn without(&mut self, _: &Successor<'_>) -> Option<Estimate> {
        None
    }
}
