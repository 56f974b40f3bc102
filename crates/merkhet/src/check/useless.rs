//! Useless transitions.
//!
//! Wehrle, Kupferschmid, Podelski: Transition-based directed model checking (TACAS 2009). A transition is useless in a
//! state if the goal is no nearer after it, as far as the estimate can tell when the transition cannot be taken again.
//! The states that useless transitions lead to wait behind all others, so that the search stays complete.

use merkhet_explore::{Estimate, Heuristic, HeuristicFacts};
use merkhet_semantics::{EdgeIndex, State, Successor};

use super::heuristic::Guide;

/// More than any estimate: a second queue behind the first one.
const BEHIND: u32 = 1 << 24;

/// A heuristic that puts off useless transitions.
pub(crate) struct ByTransition {
    guide: Box<dyn Guide>,
    /// The estimate of the state that is being expanded.
    before: Option<u32>,
}

impl ByTransition {
    pub fn new(guide: Box<dyn Guide>) -> ByTransition {
        ByTransition {
            guide,
            before: None,
        }
    }
}

impl Heuristic for ByTransition {
    fn facts(&self) -> HeuristicFacts {
        self.guide.facts()
    }

    fn estimate(&mut self, state: State<'_>) -> Estimate {
        self.guide.estimate(state)
    }

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
