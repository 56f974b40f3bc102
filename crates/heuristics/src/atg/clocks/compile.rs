//! From facts about clocks to conditions, effects and waits of abstract edges.

use merkhet_network::{ClockId, Edge, Network, ProcessId};
use merkhet_zones::bound::{Bound, LE_ZERO, add, le};

use super::facts::ClockFacts;
use crate::atg::model::{Action, CellModel, Condition, DENSE, Effect};
use crate::goal::{Conjunct, Goal};

/// How an edge depends on time.
#[derive(Clone, Debug, Default, PartialEq)]
pub(in crate::atg) struct Timing {
    /// The values that clocks must have grown to: clock and value, ascending.
    pub waits: Vec<(u32, i32)>,
    /// The clocks that it sets, ascending.
    pub resets: Vec<(u32, i32)>,
}

impl Timing {
    /// Whether an edge with this timing can be taken whenever one with the other can.
    pub fn waits_no_longer(&self, other: &Timing) -> bool {
        self.waits.iter().all(|(clock, value)| {
            let there = other.waits.iter().find(|(known, _)| known == clock);
            there.is_some_and(|(_, longer)| longer >= value)
        })
    }
}

/// The additional cell of a clock: value i stands for "at most the i-th threshold".
#[derive(Clone, Debug)]
pub(in crate::atg) struct ClockCell {
    pub cell: u32,
    /// The clock's row in zones.
    pub row: usize,
    pub thresholds: Vec<Bound>,
}

impl ClockCell {
    /// The values that a zone permits, as bits: those thresholds that its smallest valuation does not exceed.
    pub fn permitted(&self, zone: &[Bound]) -> u64 {
        let lowest = zone[self.row];
        let permits = |threshold: &Bound| add(lowest, *threshold) >= LE_ZERO;
        // Whatever is below a threshold is below the next ones.
        let first = self.thresholds.partition_point(|one| !permits(one));
        ((1u64 << self.thresholds.len()) - 1) & !((1u64 << first) - 1)
    }
}

/// The clock part of compiling.
pub(in crate::atg) struct ClockCompiler<'n> {
    pub facts: ClockFacts<'n>,
    pub cells: Vec<ClockCell>,
    /// By clock, its place among the cells.
    place: Vec<Option<usize>>,
}

impl<'n> ClockCompiler<'n> {
    /// Adds a cell for each clock that has thresholds.
    pub fn new(network: &'n Network, goal: &Goal, cells: &mut Vec<CellModel>) -> Self {
        let facts = ClockFacts::new(network, goal);
        let mut compiler = ClockCompiler {
            cells: Vec::new(),
            place: vec![None; network.clocks.len()],
            facts,
        };
        for clock in network.clock_ids() {
            let thresholds = compiler.facts.thresholds[clock.index()].clone();
            if thresholds.is_empty() {
                continue;
            }
            compiler.place[clock.index()] = Some(compiler.cells.len());
            compiler.cells.push(ClockCell {
                cell: cells.len() as u32,
                row: clock.index() + 1,
                thresholds: thresholds.clone(),
            });
            cells.push(CellModel {
                low: 0,
                // One value more than there are, which never comes: a condition that any value would satisfy is dropped.
                high: thresholds.len() as i32,
                wide: DENSE,
                atoms: 0,
            });
        }
        compiler
    }

    /// The conditions for an edge to be taken at all.
    pub fn of_edge(&self, process: ProcessId, edge: &Edge) -> Vec<Condition> {
        let uppers = self.facts.uppers(process, edge);
        uppers
            .into_iter()
            .filter_map(|upper| self.condition(upper))
            .collect()
    }

    /// The conditions of a goal on the upper bounds of clocks, each clock's tightest.
    pub fn of_goal(&self, goal: &Conjunct) -> Vec<Condition> {
        let mut uppers: Vec<(ClockId, Bound)> = self.facts.upper_of(&goal.clocks).collect();
        uppers.sort_unstable();
        uppers.dedup_by_key(|(clock, _)| *clock);
        uppers
            .into_iter()
            .filter_map(|upper| self.condition(upper))
            .collect()
    }

    fn condition(&self, (clock, bound): (ClockId, Bound)) -> Option<Condition> {
        let at = self.facts.threshold(clock, bound)?;
        let cell = &self.cells[self.place[clock.index()]?];
        Some(Condition::Mask {
            cell: cell.cell,
            mask: 1 << at,
        })
    }

    /// What an edge does to the cells of clocks.
    pub fn effects(&self, number: u32, edge: &Edge) -> Vec<Effect> {
        let mut effects = Vec::new();
        for (clock, value) in self.facts.resets(edge) {
            let Some(place) = self.place[clock.index()] else {
                continue;
            };
            let ClockCell {
                cell, thresholds, ..
            } = &self.cells[place];
            let met = thresholds.partition_point(|threshold| le(value) > *threshold);
            effects.extend((met..thresholds.len()).map(|at| Effect {
                edge: number,
                cell: *cell,
                action: Action::Set(at as i32),
                late: false,
            }));
        }
        effects
    }

    /// What an edge waits for and sets.
    pub fn timing(&self, process: ProcessId, edge: &Edge) -> Timing {
        let number = |(clock, value): (ClockId, i32)| (clock.0, value);
        Timing {
            waits: self.waits(Some(process), self.facts.waits(edge)),
            resets: self.facts.resets(edge).into_iter().map(number).collect(),
        }
    }

    /// What a goal waits for.
    pub fn goal_waits(&self, goal: &Conjunct) -> Vec<(u32, i32)> {
        self.waits(None, self.facts.lower_of(&goal.clocks).collect())
    }

    /// What there is to wait for. Others may set the clock to more than 0: then it has less to grow.
    fn waits(&self, process: Option<ProcessId>, waits: Vec<(ClockId, i32)>) -> Vec<(u32, i32)> {
        let left = |(clock, value): (ClockId, i32)| {
            let value = value.saturating_sub(self.facts.set_by_others(process, clock));
            (value > 0).then_some((clock.0, value))
        };
        waits.into_iter().filter_map(left).collect()
    }
}
