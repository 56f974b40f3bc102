//! The moves that time forces, for a state.

use merkhet_network::{Network, ProcessId};
use merkhet_zones::bound::Bound;

use super::compile::ClockCell;
use super::horizon::{Horizon, groups};
use crate::atg::layers::Layers;
use crate::atg::model::Model;

/// What the estimates know of clocks.
pub(in crate::atg) struct Clocks {
    /// The rows of a zone.
    pub rows: usize,
    /// The cells of clocks.
    pub cells: Vec<ClockCell>,
    horizons: Vec<Horizon>,
    /// By table, its group; the moves of different groups add up.
    groups: Vec<usize>,
    /// By table, the moves that the last state forces.
    moves: Vec<u32>,
    /// By group, the most of them.
    most: Vec<u32>,
}

impl Clocks {
    pub fn new(network: &Network, cells: Vec<ClockCell>, horizons: Vec<Horizon>) -> Clocks {
        Clocks {
            rows: network.dimension(),
            cells,
            groups: groups(network, &horizons),
            moves: vec![0; horizons.len()],
            most: vec![0; horizons.len()],
            horizons,
        }
    }

    /// The moves that time forces before the goal can be met; `None` if some process never lets enough time pass, or the goal
    /// cannot be met at all.
    pub fn force(
        &mut self,
        model: &Model,
        layers: &mut Layers,
        memory: &[i32],
        zone: &[Bound],
    ) -> Option<u32> {
        self.moves.fill(0);
        self.most.fill(0);
        if model.time.is_empty() {
            return Some(0);
        }
        for (at, horizon) in self.horizons.iter().enumerate() {
            // Measured by the table's own clock: its age and those of the clocks that are waited for belong together.
            let time = layers.earliest(model, memory, zone, self.rows, horizon.row)?;
            let moves = horizon.moves(memory, time)?;
            self.moves[at] = moves;
            let most = &mut self.most[self.groups[at]];
            *most = moves.max(*most);
        }
        Some(
            self.most
                .iter()
                .fold(0, |sum, most| sum.saturating_add(*most)),
        )
    }

    /// The number of words that hold what [`Clocks::force`] reads of a zone.
    pub fn words(&self, model: &Model) -> usize {
        self.cells.len() + self.horizons.len() * (model.time.clocks() + 1)
    }

    /// Writes them: what the zone permits of each clock's thresholds, and for each table the ages of its clock and of those
    /// that are waited for.
    pub fn key(&self, model: &Model, zone: &[Bound], words: &mut [u64]) {
        let (thresholds, ages) = words.split_at_mut(self.cells.len().min(words.len()));
        for (word, cell) in thresholds.iter_mut().zip(&self.cells) {
            *word = cell.permitted(zone);
        }
        let each = model.time.clocks() + 1;
        for (horizon, words) in self.horizons.iter().zip(ages.chunks_exact_mut(each)) {
            words[0] = zone[horizon.row] as u32 as u64;
            (model.time).ages(zone, self.rows, horizon.row, &mut words[1..]);
        }
    }

    /// Whether the tables depend on this cell of a state's memory.
    pub fn reads(&self, cell: usize) -> bool {
        self.horizons.iter().any(|horizon| horizon.reads(cell))
    }

    /// The processes with the moves that time forces on each, for the last state.
    pub fn moves(&self) -> impl Iterator<Item = (ProcessId, u32)> + '_ {
        let processes = self.horizons.iter().map(|horizon| horizon.process);
        processes.zip(self.moves.iter().copied())
    }
}
