//! h^L and h^U as the search sees them.

use std::iter;

use merkhet_explore::{Cached, Estimate, Estimates, Guides, Heuristic, HeuristicFacts};
use merkhet_explore::{Keyed, Preference, Unranked};
use merkhet_network::Network;
use merkhet_semantics::{EdgeIndex, State, Successor, System};
use merkhet_zones::bound::Bound;

use super::forced::{Forced, WithClocks};
use super::{EdgeRef, Graph, Options, Step};
use crate::choice::{Choice, Make, Problem};
use crate::explanation::{ClockPart, Explained, SolutionStep};
use crate::preferences::Preferences;
use crate::useless::{ByTransition, Whole, Without};
use crate::{DEAD_END, Goal, as_estimate};

/// h^L or h^U; with clocks, what the layers say.
pub struct ByGraph {
    graph: Graph,
    options: Options,
    /// By index, the edge.
    edges: Vec<EdgeRef>,
    preferences: Preferences,
}

impl ByGraph {
    fn new(network: &Network, system: &System, graph: Graph, options: Options) -> ByGraph {
        ByGraph {
            graph,
            options,
            edges: (0..system.edge_count())
                .map(|index| system.edge(EdgeIndex(index as u32)))
                .map(|(process, edge)| EdgeRef { process, edge })
                .collect(),
            preferences: Preferences::new(network, system),
        }
    }
}

impl Options {
    /// The graph of an estimate.
    fn graph(&self, problem: &Problem<'_>) -> Graph {
        let Problem { network, goal, .. } = *problem;
        let goal = match self.clocks {
            true => Goal::with_clocks(network, goal),
            false => Goal::of(network, goal),
        };
        Graph::made(network, &goal, (true, self.clocks), problem.tuning)
    }
}

impl Make for Options {
    fn make(&self, problem: &Problem<'_>, system: &System, cache: usize) -> Box<dyn Heuristic> {
        let layers = ByGraph::new(problem.network, system, self.graph(problem), *self);
        if !self.clocks {
            return match cache {
                0 => Box::new(layers),
                entries => Box::new(Cached::new(system, layers, entries)),
            };
        }
        let forced = Forced(self.graph(problem));
        match cache {
            0 => Box::new(WithClocks { layers, forced }),
            entries => Box::new(WithClocks {
                layers: Cached::new(system, layers, entries),
                forced: Cached::new(system, forced, entries),
            }),
        }
    }

    /// The abstract solution of h^U, whose layers h^L counts.
    fn explain(&self, problem: &Problem<'_>, state: State<'_>) -> Explained {
        let mut graph = self.graph(problem);
        let length = graph.upper_in(state.memory, state.zone);
        let moves = graph.forced().filter(|(_, moves)| *moves > 0).collect();
        let step = |step: Step| SolutionStep {
            layer: step.layer,
            times: step.times,
            edges: iter::once(step.edge).chain(step.partners).collect(),
        };
        let mut solution = Vec::new();
        if length != DEAD_END {
            solution.extend(graph.solution().map(step));
            solution.reverse();
        }
        Explained {
            solution,
            clocks: self.clocks.then(|| ClockPart {
                time: graph.time_in(state.memory, state.zone),
                moves,
            }),
            ..Explained::default()
        }
    }

    fn without_useless(&self, problem: &Problem<'_>, system: &System) -> Box<dyn Heuristic> {
        if self.clocks {
            return Box::new(ByTransition::new(Whole(self.make(problem, system, 0))));
        }
        let goal = problem.disjunctive_goal();
        let graph = Graph::made(problem.network, &goal, (false, false), problem.tuning);
        let guide = ByGraph::new(problem.network, system, graph, *self);
        Box::new(ByTransition::new(guide))
    }
}

impl Estimates for ByGraph {
    fn facts(&self) -> HeuristicFacts {
        self.options.facts()
    }

    fn estimate(&mut self, state: State<'_>) -> Estimate {
        as_estimate(match self.options.upper {
            true => self.graph.length_in(state.memory, state.zone),
            false => self.graph.layer_in(state.memory, state.zone),
        })
    }

    fn size(&self) -> usize {
        self.graph.size().max(2)
    }
}

impl Guides for ByGraph {
    fn prepare(&mut self, state: State<'_>) {
        self.preferences.clear();
        if self.graph.length_in(state.memory, state.zone) == DEAD_END {
            return;
        }
        for (first, edge) in self.graph.planned() {
            self.preferences.mark(first, edge.process, edge.edge);
        }
    }

    fn preference(&self, edges: &[EdgeIndex]) -> Preference {
        self.preferences.of(edges)
    }

    fn preparation(&self) -> usize {
        self.size()
    }
}

impl Unranked for ByGraph {}

impl Keyed for ByGraph {
    fn reads(&self, cell: usize) -> bool {
        self.graph.reads(cell)
    }

    fn zone_words(&self) -> usize {
        self.graph.threshold_words()
    }

    fn zone_key(&self, zone: &[Bound], words: &mut [u64]) {
        self.graph.zone_key(zone, words);
    }
}

impl Without for ByGraph {
    fn without(&mut self, successor: &Successor<'_>) -> Option<Estimate> {
        let edge = |edge: &EdgeIndex| self.edges[edge.index()];
        let edges: Vec<EdgeRef> = successor.edges.iter().map(edge).collect();
        let memory = successor.state.memory;
        Some(as_estimate(match self.options.upper {
            true => self.graph.upper_without(memory, &edges),
            false => self.graph.lower_without(memory, &edges),
        }))
    }
}
