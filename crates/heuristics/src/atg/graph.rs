//! The abstract transition graph of one goal: h^L is the first layer that meets it (section 4, figure 1).

use std::collections::HashMap;

use merkhet_network::tuning::Tuning;
use merkhet_network::{Network, ProcessId};
use merkhet_zones::bound::Bound;

use super::clocks::Clocks;
use super::compile::compile;
use super::layers::Layers;
use super::model::{DENSE, EdgeRef, Model};
use super::solution::{Extraction, Step};
use crate::DEAD_END;
use crate::goal::Goal;

/// The abstract transition graph of one goal; building it for a state gives h^L, extracting a solution h^U.
pub struct Graph {
    pub(super) model: Model,
    pub(super) layers: Layers,
    pub(super) extraction: Extraction,
    /// The abstract edges that stand for one edge alone.
    number: HashMap<EdgeRef, u32>,
    /// What clocks forbid and force, if they count.
    clocks: Option<Clocks>,
}

impl Graph {
    /// Compiles the network for the goal.
    pub fn new(network: &Network, goal: &Goal) -> Graph {
        Graph::made(network, goal, (true, false), &Tuning::default())
    }

    /// A graph that looks at clocks: for [`Graph::layer_in`], [`Graph::forced_in`] and [`Graph::upper_in`].
    pub fn with_clocks(network: &Network, goal: &Goal) -> Graph {
        Graph::made(network, goal, (true, true), &Tuning::default())
    }

    /// A graph with an abstract edge for each edge, so that one can do without any of them.
    pub fn edge_by_edge(network: &Network, goal: &Goal) -> Graph {
        Graph::made(network, goal, (false, false), &Tuning::default())
    }

    /// With tunables that were set. Edges that say the same become one or not, and clocks count or not.
    pub(super) fn made(
        network: &Network,
        goal: &Goal,
        (joined, clocks): (bool, bool),
        tuning: &Tuning,
    ) -> Graph {
        let mut graph = Graph::of(compile(network, goal, joined, clocks, tuning));
        graph.layers.enumerator.tune(tuning);
        graph.extraction.tune(tuning);
        graph
    }

    fn of((model, clocks): (Model, Option<Clocks>)) -> Graph {
        let mut number = HashMap::new();
        for edge in 0..model.edges.len() as u32 {
            if let [only] = model.origins.get(edge) {
                number.insert(model.network_edges[*only as usize], edge);
            }
        }
        Graph {
            number,
            layers: Layers::new(&model, clocks.as_ref()),
            extraction: Extraction::new(&model),
            model,
            clocks,
        }
    }

    /// h^L: the first layer that meets the goal, or [`crate::DEAD_END`].
    pub fn lower(&mut self, memory: &[i32]) -> u32 {
        self.layers.start(&self.model, memory, &[]);
        self.layers.build(&self.model)
    }

    /// h^U with clocks: the length of an abstract solution, or the moves that time forces, whichever is more.
    ///
    /// Adding the forced moves that the solution does not hold was tried: it explores less where everything waits for
    /// time (M, N), and more than twice as much on C1.
    pub fn upper_in(&mut self, memory: &[i32], zone: &[Bound]) -> u32 {
        match self.forced_in(memory, zone) {
            DEAD_END => DEAD_END,
            forced => self.length_in(memory, zone).max(forced),
        }
    }

    /// The moves that time forces alone, or [`DEAD_END`]: what h^L and h^U with clocks are at least.
    pub fn forced_in(&mut self, memory: &[i32], zone: &[Bound]) -> u32 {
        let Some(clocks) = &mut self.clocks else {
            return 0;
        };
        let forced = clocks.force(&self.model, &mut self.layers, memory, zone);
        forced.unwrap_or(DEAD_END)
    }

    /// h^L without the moves that time forces: the first layer that meets the goal.
    pub fn layer_in(&mut self, memory: &[i32], zone: &[Bound]) -> u32 {
        self.layers.start(&self.model, memory, zone);
        self.layers.build(&self.model)
    }

    /// h^U without the moves that time forces: the length of an abstract solution.
    pub fn length_in(&mut self, memory: &[i32], zone: &[Bound]) -> u32 {
        let lower = self.layer_in(memory, zone);
        self.extraction
            .extract(&self.model, &mut self.layers, lower)
    }

    /// The number of words that hold all that [`Graph::forced_in`] depends on in a zone.
    pub fn zone_words(&self) -> usize {
        let clocks = self.clocks.as_ref();
        clocks.map_or(0, |clocks| clocks.words(&self.model))
    }

    /// How many of the words of [`Graph::zone_words`] matter to [`Graph::layer_in`] and [`Graph::length_in`]: the first ones.
    pub fn threshold_words(&self) -> usize {
        self.clocks.as_ref().map_or(0, |clocks| clocks.cells.len())
    }

    /// Writes these words, as many as there is room for.
    pub fn zone_key(&self, zone: &[Bound], words: &mut [u64]) {
        if let Some(clocks) = &self.clocks {
            clocks.key(&self.model, zone, words);
        }
    }

    /// Whether [`Graph::forced_in`] depends on this cell of a state's memory.
    pub fn forces_by(&self, cell: usize) -> bool {
        let clocks = self.clocks.as_ref();
        self.reads(cell)
            || clocks.is_some_and(|clocks| clocks.reads(cell))
            || self
                .model
                .time
                .processes()
                .any(|process| process as usize == cell)
    }

    /// The least time until the goal can be met, as far as the relaxed graph sees; `None` if it cannot, or without clocks.
    pub fn time_in(&mut self, memory: &[i32], zone: &[Bound]) -> Option<u64> {
        let rows = self.clocks.as_ref()?.rows;
        let time = (self.layers).earliest(&self.model, memory, zone, rows, 0)?;
        u64::try_from(time).ok()
    }

    /// The processes on which the last state forces moves because of time, with their number; nothing without clocks.
    pub fn forced(&self) -> impl Iterator<Item = (ProcessId, u32)> + '_ {
        self.clocks.iter().flat_map(Clocks::moves)
    }

    /// h^U: the length of an abstract solution, or [`crate::DEAD_END`].
    pub fn upper(&mut self, memory: &[i32]) -> u32 {
        let lower = self.lower(memory);
        self.extraction
            .extract(&self.model, &mut self.layers, lower)
    }

    /// h^L if these edges could not be taken; an edge that is joined with others counts as one that could.
    pub fn lower_without(&mut self, memory: &[i32], edges: &[EdgeRef]) -> u32 {
        self.layers.start(&self.model, memory, &[]);
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

    /// A measure of what the last evaluation did cost: what the layers and the solution touched, and the combinations of
    /// values that were tried.
    pub fn size(&self) -> usize {
        /// What a step of the interpreter costs next to a touch.
        const STEP: usize = 3;
        let touched = self.layers.touched + self.extraction.touched();
        touched + STEP * self.layers.enumerator.spent()
    }
}
