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
//! * `labels`: the transitions of the network;
//! * `model`: the small graphs;
//! * `compile`: from transitions to small graphs; `trial` evaluates code for given values;
//! * `costs`: figure 4, top-down and memoised, without allocation for each state;
//! * `goal`: what the goal asks of each part.

mod compile;
mod costs;
mod goal;
mod labels;
mod model;
#[cfg(test)]
mod tests;
mod trial;

use merkhet_network::Network;

use crate::{DEAD_END, Goal};
use costs::Costs;
use goal::Target;
use model::Model;

/// The heuristic for one goal.
pub struct CausalGraphHeuristic {
    model: Model,
    targets: Vec<Target>,
    costs: Costs,
}

impl CausalGraphHeuristic {
    /// Compiles the small graphs of a network and the goal.
    pub fn new(network: &Network, goal: &Goal) -> CausalGraphHeuristic {
        let model = compile::compile(network, goal);
        let targets = goal
            .disjuncts
            .iter()
            .map(|conjunct| Target::new(network, &model, conjunct))
            .collect();
        CausalGraphHeuristic {
            costs: Costs::new(&model),
            model,
            targets,
        }
    }

    /// The estimate for a state whose memory starts with the processes' locations.
    pub fn estimate(&mut self, memory: &[i32]) -> u32 {
        self.costs.begin(&self.model, memory);
        let mut best = DEAD_END;
        for target in &self.targets {
            best = best.min(target.cost(&self.model, &mut self.costs));
        }
        best
    }

    /// The costs of getting a part (a process's number, or the number of processes plus a cell's number) from its value in
    /// a state to each of its values.
    pub fn costs(&mut self, memory: &[i32], part: usize) -> Vec<u32> {
        self.costs.begin(&self.model, memory);
        let from = self.costs.value(part as u32);
        let size = self.model.vertices[part].size as usize;
        let row = self.costs.row(&self.model, part as u32, from);
        (0..size).map(|to| self.costs.at(row, to as u16)).collect()
    }
}
