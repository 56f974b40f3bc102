//! The estimates by name.

use merkhet_heuristics::causal::CausalGraphHeuristic;
use merkhet_heuristics::distance::{Combination, Distance};
use merkhet_heuristics::pa::{self, PredicateAbstraction};
use merkhet_heuristics::{DEAD_END, Goal, atg};
use merkhet_network::{Formula, Network};
use merkhet_search::{Blind, Estimate, Heuristic, HeuristicFacts};
use merkhet_semantics::State;

/// Makes the heuristic of this name for a goal. Names were validated; an unknown one is blind.
pub(crate) fn make(name: &str, network: &Network, goal: &Formula) -> Box<dyn Heuristic> {
    if let Some(Ok(options)) = pa::Options::parse(name) {
        let abstraction = PredicateAbstraction::new(network, goal, options);
        let admissible = options.is_admissible();
        return Box::new(ByAbstraction(abstraction, admissible));
    }
    let goal = Goal::of(network, goal);
    match name {
        "dl" => Box::new(ByDistance(
            Distance::new(network, &goal, Combination::Maximum),
            true,
        )),
        "du" => Box::new(ByDistance(
            Distance::new(network, &goal, Combination::Sum),
            false,
        )),
        "hl" => Box::new(ByGraph {
            graph: atg::Graph::new(network, &goal),
            upper: false,
        }),
        "hu" => Box::new(ByGraph {
            graph: atg::Graph::new(network, &goal),
            upper: true,
        }),
        "hcg" => Box::new(ByCausalGraph(CausalGraphHeuristic::new(network, &goal))),
        _ => Box::new(Blind),
    }
}

fn estimate(value: u32) -> Estimate {
    if value == DEAD_END {
        Estimate::DeadEnd
    } else {
        Estimate::Finite(value)
    }
}

struct ByDistance(Distance, bool);

impl Heuristic for ByDistance {
    fn facts(&self) -> HeuristicFacts {
        HeuristicFacts {
            admissible: self.1,
            consistent: self.1,
            safe_dead_ends: true,
        }
    }

    fn estimate(&mut self, state: State<'_>) -> Estimate {
        estimate(self.0.estimate(state.memory))
    }
}

struct ByCausalGraph(CausalGraphHeuristic);

impl Heuristic for ByCausalGraph {
    /// Nothing is guaranteed: a way may be missed, so that an infinite estimate proves nothing.
    fn facts(&self) -> HeuristicFacts {
        HeuristicFacts::default()
    }

    fn estimate(&mut self, state: State<'_>) -> Estimate {
        estimate(self.0.estimate(state.memory))
    }
}

struct ByGraph {
    graph: atg::Graph,
    upper: bool,
}

impl Heuristic for ByGraph {
    fn facts(&self) -> HeuristicFacts {
        HeuristicFacts {
            admissible: !self.upper,
            consistent: false,
            safe_dead_ends: true,
        }
    }

    fn estimate(&mut self, state: State<'_>) -> Estimate {
        let value = if self.upper {
            self.graph.upper(state.memory)
        } else {
            self.graph.lower(state.memory)
        };
        estimate(value)
    }
}

struct ByAbstraction(PredicateAbstraction, bool);

impl Heuristic for ByAbstraction {
    fn facts(&self) -> HeuristicFacts {
        HeuristicFacts {
            admissible: self.1,
            consistent: false,
            safe_dead_ends: true,
        }
    }

    fn estimate(&mut self, state: State<'_>) -> Estimate {
        estimate(self.0.estimate(state.memory, state.zone))
    }
}
