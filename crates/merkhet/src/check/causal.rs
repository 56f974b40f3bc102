//! The causal graph heuristic as the search sees it.

use merkhet_explore::{Estimate, Heuristic, HeuristicFacts, Preference};
use merkhet_heuristics::causal::{CausalGraphHeuristic, Options};
use merkhet_heuristics::{DEAD_END, Goal};
use merkhet_network::{EdgeId, Network};
use merkhet_semantics::{EdgeIndex, State, System};

/// What an estimate costs, next to that of an abstract transition graph with so many edges.
const SIZE: usize = 100;

pub(super) struct ByCausalGraph {
    heuristic: CausalGraphHeuristic,
    /// By process, the index of its first edge.
    first_edge: Vec<u32>,
    /// Whether the way to the goal from the state that is being expanded begins with an edge.
    begins: Vec<bool>,
    /// Those with which it does.
    marked: Vec<u32>,
}

impl ByCausalGraph {
    pub fn new(network: &Network, system: &System, goal: &Goal, options: Options) -> ByCausalGraph {
        let first_edge = network
            .process_ids()
            .map(|process| system.edge_index(process, EdgeId(0)).0);
        ByCausalGraph {
            heuristic: CausalGraphHeuristic::new(network, goal, options),
            first_edge: first_edge.collect(),
            begins: vec![false; system.edge_count()],
            marked: Vec::new(),
        }
    }
}

impl Heuristic for ByCausalGraph {
    /// Nothing is guaranteed: a way may be missed, so that an infinite estimate proves nothing.
    fn facts(&self) -> HeuristicFacts {
        HeuristicFacts::default()
    }

    fn estimate(&mut self, state: State<'_>) -> Estimate {
        match self.heuristic.estimate(state.memory) {
            DEAD_END => Estimate::DeadEnd,
            value => Estimate::Finite(value),
        }
    }

    fn prepare(&mut self, state: State<'_>) {
        for edge in self.marked.drain(..) {
            self.begins[edge as usize] = false;
        }
        for (process, edge) in self.heuristic.first_edges(state.memory) {
            let index = self.first_edge[process.index()] + edge.0;
            self.begins[index as usize] = true;
            self.marked.push(index);
        }
    }

    /// First, if the way begins with all its edges; planned, if with some of them.
    fn preference(&self, edges: &[EdgeIndex]) -> Preference {
        let begins = |edge: &EdgeIndex| self.begins[edge.0 as usize];
        match (edges.iter().all(begins), edges.iter().any(begins)) {
            (true, true) => Preference::First,
            (false, true) => Preference::Planned,
            _ => Preference::None,
        }
    }

    fn size(&self) -> usize {
        SIZE
    }
}
