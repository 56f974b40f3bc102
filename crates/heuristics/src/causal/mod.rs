//! The causal graph heuristic h^CG.
//!
//! Wehrle, Helmert: The causal graph revisited for directed model checking (SPIN 2009), sections 4.2 and 4.3. Every
//! automaton and every variable is a small graph of its own. What it costs to get from one value to another is found by
//! Dijkstra's algorithm on that graph, where a step also costs what its causal predecessors need to be brought to where
//! they allow it; each value remembers where the predecessors are when it is reached (the *context*). The estimate is the
//! sum over the parts that the goal constrains. Cycles of the causal graph are cut by a total order
//! ([`merkhet_analysis::causal`]). Clocks are ignored.
//!
//! Beyond the paper: goals with disjunctions (the minimum) and conditions over several variables (the cheapest
//! combination); variables in arrays, functions and arithmetic, by trying values when the model is compiled; broadcast
//! and n-ary synchronisation.
//!
//! The algorithm chooses the cheapest way for each step without looking ahead, so that it may miss every way there is:
//! an infinite estimate proves nothing.
//!
//! * `model`: the small graphs; `compile`: from transitions to small graphs, by trying values, and the total order;
//! * `costs`: the costs of all parts, top-down and memoised, those of one (figure 4), those without an order, and what the way
//!   to the goal begins with;
//! * `goal`: what the goal asks of each part; `explain`: what the value is made of;
//! * `options`, `guide`: names, and what the search asks.

mod compile;
mod costs;
mod explain;
mod goal;
mod guide;
mod model;
mod options;
#[cfg(test)]
mod tests;

use compile::{assemble, labels, order, read, steps, trial};
use costs::{dynamic, local};

use merkhet_network::tuning::Tuning;
use merkhet_network::{EdgeId, Network, ProcessId};

use crate::tuning::CAUSAL_ENTRIES;
use crate::{DEAD_END, Goal};
use costs::Costs;
use dynamic::Dynamic;
use goal::{Alternative, Target};
use model::Model;
pub use options::{ENTRY, ORDERS, Options, Order};

/// The heuristic for one goal.
pub struct CausalGraphHeuristic {
    model: Model,
    solver: Solver,
}

enum Solver {
    /// Along a total order.
    Ordered(Vec<Target>, Box<Costs>),
    /// Without one.
    Dynamic(Vec<Alternative>, Box<Dynamic>),
}

impl CausalGraphHeuristic {
    /// Compiles the small graphs of a network and the goal.
    pub fn new(
        network: &Network,
        goal: &Goal,
        options: Options,
        tuning: &Tuning,
    ) -> CausalGraphHeuristic {
        let model = compile::compile(network, goal, options, tuning);
        let targets = goal
            .disjuncts
            .iter()
            .map(|conjunct| Target::new(network, &model, conjunct));
        let solver = match options.order {
            Order::Fewest | Order::Goal | Order::Depth => Solver::Ordered(
                targets.collect(),
                Box::new(Costs::new(
                    &model,
                    options.contexts,
                    tuning.count(&CAUSAL_ENTRIES),
                )),
            ),
            Order::Dynamic => {
                let alternatives = targets.flat_map(|target| target.alternatives());
                Solver::Dynamic(alternatives.collect(), Box::new(Dynamic::new(&model)))
            }
        };
        CausalGraphHeuristic { model, solver }
    }

    /// The estimate for a state whose memory starts with the processes' locations.
    pub fn estimate(&mut self, memory: &[i32]) -> u32 {
        match &mut self.solver {
            Solver::Dynamic(goal, problems) => problems.estimate(&self.model, memory, goal),
            Solver::Ordered(targets, costs) => {
                costs.begin(&self.model, memory);
                let mut best = DEAD_END;
                for target in targets {
                    best = best.min(target.cost(&self.model, costs));
                }
                best
            }
        }
    }

    /// The edges of the transitions that the way to the goal begins with, as the heuristic sees it from a state.
    pub fn first_edges(&mut self, memory: &[i32]) -> Vec<(ProcessId, EdgeId)> {
        let mut steps = Vec::new();
        match &mut self.solver {
            Solver::Dynamic(goal, problems) => {
                problems.first_steps(&self.model, memory, goal, &mut steps);
            }
            Solver::Ordered(targets, costs) => {
                costs.begin(&self.model, memory);
                for wanted in goal::wanted(&self.model, targets, costs) {
                    costs.first_steps(&self.model, wanted.vertex, wanted.to, &mut steps);
                }
            }
        }
        let edges = steps.iter().flat_map(|step| self.model.edges_of(*step));
        edges.collect()
    }

    /// The costs of getting a part (a process's number, or the number of processes plus a cell's number) from its value in
    /// a state to each of its values.
    pub fn costs(&mut self, memory: &[i32], part: usize) -> Vec<u32> {
        match &mut self.solver {
            Solver::Dynamic(_, problems) => problems.costs(&self.model, memory, part as u32),
            Solver::Ordered(_, costs) => {
                costs.begin(&self.model, memory);
                let from = costs.value(part as u32);
                let size = self.model.vertices[part].size as usize;
                let row = costs.row(&self.model, part as u32, from);
                (0..size).map(|to| costs.at(row, to as u16)).collect()
            }
        }
    }
}
