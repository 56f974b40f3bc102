//! Enumeration of value combinations for conditions and effects that are more than a comparison.

use merkhet_network::code::CodeId;

use super::graph::Graph;
use super::model::{DENSE, Dimension, Span};

/// More combinations than this are not tried: the caller over-approximates.
pub(super) const MAX_COMBINATIONS: usize = 2048;

/// What came of an enumeration.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Enumerated {
    /// The visitor stopped it.
    Stopped,
    /// All combinations were tried.
    All,
    /// There are too many.
    TooMany,
}

impl Graph {
    /// Evaluates the code for every combination of values that were there before layer `before`, until the visitor
    /// returns true. Combinations for which the evaluation faults are skipped: no run gets past them.
    pub(super) fn enumerate(
        &mut self,
        code: CodeId,
        dimensions: Span,
        before: u16,
        mut visit: impl FnMut(i32) -> bool,
    ) -> Enumerated {
        let all = std::mem::take(&mut self.model.dimensions);
        let dimensions = &all[dimensions.0 as usize..dimensions.1 as usize];
        let mut pool = std::mem::take(&mut self.pool);
        let mut starts = std::mem::take(&mut self.pool_starts);
        let complete = self.collect(dimensions, before, &mut pool, &mut starts);
        let outcome = if complete {
            self.odometer(code, dimensions, &pool, &starts, &mut visit)
        } else {
            Enumerated::TooMany
        };
        self.model.dimensions = all;
        self.pool = pool;
        self.pool_starts = starts;
        outcome
    }

    /// Lists the values of each dimension; false if the combinations are too many.
    fn collect(
        &self,
        dimensions: &[Dimension],
        before: u16,
        pool: &mut Vec<i32>,
        starts: &mut Vec<usize>,
    ) -> bool {
        pool.clear();
        starts.clear();
        let mut combinations = 1usize;
        for dimension in dimensions {
            starts.push(pool.len());
            match *dimension {
                Dimension::Cell(cell) => {
                    if !self.list_values(cell, before, pool) {
                        return false;
                    }
                }
                Dimension::Process(process) => {
                    let first = self.model.first_fact[process as usize];
                    let end = self
                        .model
                        .first_fact
                        .get(process as usize + 1)
                        .map_or(self.model.facts as u32, |e| *e);
                    pool.extend(
                        (first..end)
                            .filter(|fact| self.fact_layer[*fact as usize] < before)
                            .map(|f| (f - first) as i32),
                    );
                }
            }
            combinations = combinations.saturating_mul(pool.len() - starts[starts.len() - 1]);
            if combinations > MAX_COMBINATIONS {
                return false;
            }
        }
        starts.push(pool.len());
        true
    }

    /// Appends the values of a cell; false if there are too many.
    fn list_values(&self, cell: u32, before: u16, pool: &mut Vec<i32>) -> bool {
        let model = &self.model.cells[cell as usize];
        if model.wide == DENSE {
            let size = (model.high - model.low) as usize + 1;
            let entries = &self.entries[model.entries as usize..model.entries as usize + size];
            for (bit, entry) in entries.iter().enumerate() {
                if entry.layer < before {
                    pool.push(model.low + bit as i32);
                }
            }
            return true;
        }
        let wide = &self.wides[model.wide as usize];
        let span = |from: i32, to: i32| (i64::from(to) - i64::from(from) + 1) as usize;
        let up = wide.up.filter(|(_, entry)| entry.layer < before);
        let down = wide.down.filter(|(_, entry)| entry.layer < before);
        let open = up.map_or(0, |(from, _)| span(from, model.high))
            + down.map_or(0, |(from, _)| span(model.low, from));
        if open > MAX_COMBINATIONS || wide.listed.len() > MAX_COMBINATIONS {
            return false;
        }
        pool.extend(
            wide.listed
                .iter()
                .filter(|(_, entry)| entry.layer < before)
                .map(|(value, _)| *value),
        );
        if let Some((from, _)) = up {
            pool.extend(from..=model.high);
        }
        if let Some((from, _)) = down {
            pool.extend(model.low..=from);
        }
        true
    }

    fn odometer(
        &mut self,
        code: CodeId,
        dimensions: &[Dimension],
        pool: &[i32],
        starts: &[usize],
        visit: &mut impl FnMut(i32) -> bool,
    ) -> Enumerated {
        if (0..dimensions.len()).any(|at| starts[at] == starts[at + 1]) {
            return Enumerated::All;
        }
        let mut position = std::mem::take(&mut self.position);
        position.clear();
        position.extend_from_slice(&starts[..dimensions.len()]);
        let outcome = loop {
            for (dimension, at) in dimensions.iter().zip(&position) {
                let slot = match *dimension {
                    Dimension::Cell(cell) => self.layout.state.start + cell as usize,
                    Dimension::Process(process) => process as usize,
                };
                self.machine.memory[slot] = pool[*at];
            }
            if let Ok(value) = self.machine.evaluate(&self.program, code)
                && visit(value)
            {
                break Enumerated::Stopped;
            }
            let Some(turn) = (0..position.len()).find(|at| position[*at] + 1 < starts[*at + 1])
            else {
                break Enumerated::All;
            };
            position[turn] += 1;
            position[..turn].copy_from_slice(&starts[..turn]);
        };
        self.position = position;
        outcome
    }

    /// The combination of values at which the last enumeration stopped.
    pub(super) fn stopped_at(&self, dimension: Dimension) -> i32 {
        match dimension {
            Dimension::Cell(cell) => self.machine.memory[self.layout.state.start + cell as usize],
            Dimension::Process(process) => self.machine.memory[process as usize],
        }
    }
}
