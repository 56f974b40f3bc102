//! h^L and h^U with clocks: what the layers say and what time forces, each with a table of its own.
//!
//! The layers read of a zone only which thresholds it permits, so that most zones of a discrete state share their value; the
//! moves that time forces depend on the ages of some clocks.

use merkhet_explore::{Cached, Estimate, Heuristic, HeuristicFacts, Preference};
use merkhet_heuristics::atg::Graph;
use merkhet_network::{Formula, Network};
use merkhet_semantics::{EdgeIndex, State, System};
use merkhet_zones::bound::Bound;

use super::heuristic::{ByGraph, estimate, graph};

/// The larger of the two.
pub(super) struct WithClocks {
    layers: Box<dyn Heuristic>,
    forced: Box<dyn Heuristic>,
}

impl WithClocks {
    /// `cache` is the number of entries of each table; 0 for none.
    pub fn new(
        network: &Network,
        system: &System,
        goal: &Formula,
        options: merkhet_heuristics::atg::Options,
        cache: usize,
    ) -> WithClocks {
        let cached = |heuristic: Box<dyn Heuristic>| -> Box<dyn Heuristic> {
            match cache {
                0 => heuristic,
                entries => Box::new(Cached::new(system, heuristic, entries)),
            }
        };
        let layers = ByGraph::new(network, system, graph(network, goal, options), options);
        WithClocks {
            layers: cached(Box::new(layers)),
            forced: cached(Box::new(Forced(graph(network, goal, options)))),
        }
    }
}

impl Heuristic for WithClocks {
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

    fn prepare(&mut self, state: State<'_>) {
        self.layers.prepare(state);
    }

    fn preference(&self, edges: &[EdgeIndex]) -> Preference {
        self.layers.preference(edges)
    }

    fn size(&self) -> usize {
        self.layers.size() + self.forced.size()
    }

    fn preparation(&self) -> usize {
        self.layers.preparation()
    }
}

/// The moves that time forces.
struct Forced(Graph);

impl Heuristic for Forced {
    fn facts(&self) -> HeuristicFacts {
        HeuristicFacts {
            admissible: true,
            consistent: false,
            safe_dead_ends: true,
        }
    }

    fn estimate(&mut self, state: State<'_>) -> Estimate {
        estimate(self.0.forced_in(state.memory, state.zone))
    }

    fn size(&self) -> usize {
        self.0.size().max(2)
    }

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
