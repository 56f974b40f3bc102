//! The causal graph heuristic as the search sees it.

use merkhet_explore::{Cached, Estimate, Estimates, Guides, Heuristic, HeuristicFacts};
use merkhet_explore::{Keyed, Preference, Unranked};
use merkhet_network::EdgeId;
use merkhet_semantics::{EdgeIndex, State, System};
use merkhet_zones::bound::Bound;

use super::{CausalGraphHeuristic, Options};
use crate::as_estimate;
use crate::choice::{Make, Problem};
use crate::explanation::{Explained, SUM};
use crate::tuning::CAUSAL_SIZE;

/// h^CG for one search.
pub struct ByCausalGraph {
    heuristic: CausalGraphHeuristic,
    /// What an estimate costs: as much as that of an abstract transition graph with this number of edges.
    size: usize,
    /// By process, the index of its first edge.
    first_edge: Vec<u32>,
    /// Whether the way to the goal from the state that is being expanded begins with an edge.
    begins: Vec<bool>,
    /// The edges that it begins with.
    marked: Vec<u32>,
}

impl ByCausalGraph {
    fn new(problem: &Problem<'_>, system: &System, options: Options) -> ByCausalGraph {
        let network = problem.network;
        let first_edge = network
            .process_ids()
            .map(|process| system.edge_index(process, EdgeId(0)).0);
        ByCausalGraph {
            heuristic: options.heuristic(problem),
            size: problem.tuning.count(&CAUSAL_SIZE),
            first_edge: first_edge.collect(),
            begins: vec![false; system.edge_count()],
            marked: Vec::new(),
        }
    }
}

impl Options {
    fn heuristic(self, problem: &Problem<'_>) -> CausalGraphHeuristic {
        let goal = problem.disjunctive_goal();
        CausalGraphHeuristic::new(problem.network, &goal, self, problem.tuning)
    }
}

impl Make for Options {
    fn make(&self, problem: &Problem<'_>, system: &System, cache: usize) -> Box<dyn Heuristic> {
        let heuristic = ByCausalGraph::new(problem, system, *self);
        match cache {
            0 => Box::new(heuristic),
            entries => Box::new(Cached::new(system, heuristic, entries)),
        }
    }

    /// The costs of the parts that the goal constrains.
    fn explain(&self, problem: &Problem<'_>, state: State<'_>) -> Explained {
        let mut heuristic = self.heuristic(problem);
        Explained {
            rule: SUM,
            parts: heuristic.parts(problem.network, state.memory),
            ..Explained::default()
        }
    }
}

impl Estimates for ByCausalGraph {
    /// Nothing is guaranteed: a way may be missed, so that an infinite estimate proves nothing.
    fn facts(&self) -> HeuristicFacts {
        super::ENTRY.facts
    }

    fn estimate(&mut self, state: State<'_>) -> Estimate {
        as_estimate(self.heuristic.estimate(state.memory))
    }

    fn size(&self) -> usize {
        self.size
    }
}

impl Guides for ByCausalGraph {
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

    fn preparation(&self) -> usize {
        self.size
    }
}

impl Unranked for ByCausalGraph {}

/// It may read every cell, and no zone.
impl Keyed for ByCausalGraph {
    fn reads(&self, _: usize) -> bool {
        true
    }

    fn zone_words(&self) -> usize {
        0
    }

    fn zone_key(&self, _: &[Bound], _: &mut [u64]) {}
}
