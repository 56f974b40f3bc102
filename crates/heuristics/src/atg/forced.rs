//! h^L and h^U with clocks: what the layers say and what time forces, each with a table of its own.
//!
//! The layers read of a zone only which thresholds it permits, so that most zones of a discrete state share their value; the
//! moves that time forces depend on the ages of some clocks.

use merkhet_explore::{Estimate, Estimates, Guides, HeuristicFacts, Keyed, Preference};
use merkhet_explore::{Unguided, Unranked};
use merkhet_semantics::{EdgeIndex, State};
use merkhet_zones::bound::Bound;

use super::Graph;
use crate::as_estimate;

/// The larger of the two.
pub struct WithClocks<L, F> {
    pub layers: L,
    pub forced: F,
}

impl<L: Estimates, F: Estimates> Estimates for WithClocks<L, F> {
    fn facts(&self) -> HeuristicFacts {
        // What time forces is admissible too.
        self.layers.facts()
    }

    fn estimate(&mut self, state: State<'_>) -> Estimate {
        match self.forced.estimate(state) {
            Estimate::DeadEnd => Estimate::DeadEnd,
            forced => self.layers.estimate(state).max(forced),
        }
    }

    fn size(&self) -> usize {
        self.layers.size() + self.forced.size()
    }
}

impl<L: Guides, F> Guides for WithClocks<L, F> {
    fn prepare(&mut self, state: State<'_>) {
        self.layers.prepare(state);
    }

    fn preference(&self, edges: &[EdgeIndex]) -> Preference {
        self.layers.preference(edges)
    }

    fn preparation(&self) -> usize {
        self.layers.preparation()
    }
}

impl<L, F> Unranked for WithClocks<L, F> {}

/// The moves that time forces.
pub struct Forced(pub Graph);

impl Estimates for Forced {
    fn facts(&self) -> HeuristicFacts {
        HeuristicFacts {
            admissible: true,
            consistent: false,
            safe_dead_ends: true,
        }
    }

    fn estimate(&mut self, state: State<'_>) -> Estimate {
        as_estimate(self.0.forced_in(state.memory, state.zone))
    }

    fn size(&self) -> usize {
        self.0.size().max(2)
    }
}

impl Unguided for Forced {}

impl Unranked for Forced {}

impl Keyed for Forced {
    fn reads(&self, cell: usize) -> bool {
        self.0.forces_by(cell)
    }

    fn zone_words(&self) -> usize {
        self.0.zone_words()
    }

    fn zone_key(&self, zone: &[Bound], words: &mut [u64]) {
        self.0.zone_key(zone, words);
    }
}
