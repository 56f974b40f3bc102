//! The abstract transition graph of one goal: h^L is the first layer that meets it (section 4, figure 1).

use std::collections::HashMap;

use merkhet_network::Network;

use super::compile::compile;
use super::layers::Layers;
use super::model::{DENSE, EdgeRef, Model};
use super::solution::{Extraction, Step};
use crate::goal::Goal;

/// The abstract transition graph of one goal; building it for a state gives h^L, extracting a solution h^U.
pub struct Graph {
    pub(super) model: Model,
    pub(super) layers: Layers,
    pub(super) extraction: Extraction,
    /// The abstract edges that stand for one edge alone.
    number: HashMap<EdgeRef, u32>,
}

impl Graph {
    /// Compiles the network for the goal.
    pub fn new(network: &Network, goal: &Goal) -> Graph {
        Graph::of(compile(network, goal, true))
    }

    /// The same with an abstract edge for each edge, so that one can do without any of them.
    pub fn edge_by_edge(network: &Network, goal: &Goal) -> Graph {
        Graph::of(compile(network, goal, false))
    }

    fn of(model: Model) -> Graph {
        let mut number = HashMap::new();
        for edge in 0..model.edges.len() as u32 {
            if let [only] = model.origins.get(edge) {
                number.insert(model.network_edges[*only as usize], edge);
            }
        }
        Graph {
            number,
            layers: Layers::new(&model),
            extraction: Extraction::new(&model),
            model,
        }
    }

    /// h^L: the first layer that meets the goal, or [`crate::DEAD_END`].
    pub fn lower(&mut self, memory: &[i32]) -> u32 {
        self.layers.start(&self.model, memory);
        self.layers.build(&self.model)
    }

    /// h^U: the length of an abstract solution, or [`crate::DEAD_END`].
    pub fn upper(&mut self, memory: &[i32]) -> u32 {
        let lower = self.lower(memory);
        self.extraction
            .extract(&self.model, &mut self.layers, lower)
    }

    /// h^L if these edges could not be taken; an edge that is joined with others counts as one that could.
    pub fn lower_without(&mut self, memory: &[i32], edges: &[EdgeRef]) -> u32 {
        self.layers.start(&self.model, memory);
        for number in edges.iter().filter_map(|edge| self.number.get(edge)) {
            self.layers.forbid(*number);
        }
        self.layers.build(&self.model)
    }

    /// h^U if these edges could not be taken.
    pub fn upper_without(&mut self, memory: &[i32], edges: &[EdgeRef]) -> u32 {
        let lower = self.lower_without(memory, edges);
        self.extraction
            .extract(&self.model, &mut self.layers, lower)
    }

    /// The edges of the last extracted solution, and whether each is enabled in the first layer.
    pub fn planned(&self) -> impl Iterator<Item = (bool, EdgeRef)> + '_ {
        let model = &self.model;
        self.extraction.chosen().flat_map(move |chosen| {
            let edges = std::iter::once(&chosen.edge).chain(self.extraction.partners(chosen));
            edges.flat_map(move |edge| {
                let origins = model.origins.get(*edge).iter();
                origins.map(move |at| (chosen.layer == 1, model.network_edges[*at as usize]))
            })
        })
    }

    /// The steps of the last extracted solution, last first.
    pub fn solution(&self) -> impl Iterator<Item = Step> + '_ {
        self.extraction.chosen().map(|chosen| Step {
            layer: chosen.layer,
            times: chosen.times,
            edge: self.representative(chosen.edge),
            partners: self
                .extraction
                .partners(chosen)
                .map(|edge| self.representative(*edge))
                .collect(),
        })
    }

    /// The first of the network's edges that an abstract edge stands for: they do the same as far as is seen here.
    fn representative(&self, edge: u32) -> EdgeRef {
        self.model.network_edges[self.model.origins.get(edge)[0] as usize]
    }

    /// Whether the estimates depend on this cell of a state's memory.
    pub fn reads(&self, cell: usize) -> bool {
        let model = &self.model;
        let (slot, atoms) = match cell.checked_sub(model.processes) {
            None => {
                let facts = model.first_fact[cell]..model.first_fact[cell + 1];
                (model.cells.len() + cell, facts)
            }
            Some(cell) => {
                let compiled = &model.cells[cell];
                let values = match compiled.wide {
                    DENSE => (compiled.high - compiled.low) as u32 + 1,
                    _ => 0,
                };
                (cell, compiled.atoms..compiled.atoms + values)
            }
        };
        let told = |atom: u32| {
            !model.direct.get(atom).is_empty() || !model.satisfying.get(atom).is_empty()
        };
        model.observed[slot] || { atoms }.any(told)
    }

    /// A measure of what the last evaluation did cost: the number of abstract edges and of the combinations of values that
    /// were tried.
    pub fn size(&self) -> usize {
        self.model.edges.len() + self.layers.enumerator.tried
    }
}
