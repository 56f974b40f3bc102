//! Enumeration of value combinations for conditions and effects that are more than a comparison.

use merkhet_network::code::{CodeId, DEFAULT_FUEL, Machine};
use merkhet_network::tuning::Tuning;

use crate::atg::layers::Layers;
use crate::atg::model::{DENSE, Dimension, Model, Span};
use crate::tuning::{COMBINATIONS, WORK};

/// The interpreter and the buffers.
pub(in crate::atg) struct Enumerator {
    machine: Machine,
    /// The values of each dimension, one after the other.
    pool: Vec<i32>,
    starts: Vec<usize>,
    position: Vec<usize>,
    /// Whether the combinations of the last enumeration were not too many.
    pub complete: bool,
    /// The work that is left for the present state.
    left: u64,
    /// The most work for one state: steps of the interpreter, and values that are looked at in long lists. Large functions,
    /// and updates that bring a long list one value at a time, would hold up the search otherwise. Beyond it conditions
    /// count as satisfied and effects bring any value, which can only lower an estimate.
    most_work: u64,
    /// More combinations than this are not tried: the caller over-approximates.
    pub most_combinations: usize,
}

impl Enumerator {
    pub fn new(model: &Model) -> Enumerator {
        Enumerator {
            machine: Machine::new(&model.program),
            pool: Vec::new(),
            starts: Vec::new(),
            position: Vec::new(),
            complete: true,
            left: 0,
            most_work: WORK.default as u64,
            most_combinations: COMBINATIONS.default as usize,
        }
    }

    pub fn tune(&mut self, tuning: &Tuning) {
        self.most_work = tuning.count(&WORK) as u64;
        self.most_combinations = tuning.count(&COMBINATIONS);
    }

    /// Another state.
    pub fn reset(&mut self) {
        self.left = self.most_work;
    }

    /// Notes some work.
    #[inline]
    pub fn work(&mut self, pieces: usize) {
        self.left = self.left.saturating_sub(pieces as u64);
    }

    /// The work for the present state so far.
    pub fn spent(&self) -> usize {
        (self.most_work - self.left) as usize
    }

    /// Whether there was too much of it.
    #[inline]
    pub fn is_tired(&self) -> bool {
        self.left == 0
    }

    /// The value at which the last enumeration stopped.
    pub fn stopped_at(&self, model: &Model, dimension: Dimension) -> i32 {
        self.machine.memory[place(model, dimension)]
    }

    /// Whether the visitor stopped at a combination of the values in the pool; also if the work became too much, and the
    /// enumeration is not complete then.
    fn stops(
        &mut self,
        model: &Model,
        code: CodeId,
        dimensions: &[Dimension],
        visit: &mut impl FnMut(i32) -> bool,
    ) -> bool {
        let starts = &self.starts;
        if (0..dimensions.len()).any(|at| starts[at] == starts[at + 1]) {
            return false;
        }
        let position = &mut self.position;
        position.clear();
        position.extend_from_slice(&starts[..dimensions.len()]);
        loop {
            for (dimension, at) in dimensions.iter().zip(position.iter()) {
                self.machine.memory[place(model, *dimension)] = self.pool[*at];
            }
            let fuel = self.left.min(DEFAULT_FUEL);
            self.machine.fuel = fuel;
            let result = self.machine.evaluate(&model.program, code);
            self.left = self.left.saturating_sub(self.machine.used + 1);
            match result {
                Ok(value) if visit(value) => return true,
                Ok(_) => {}
                // With less than usual to go on, this says nothing of what the evaluation would have come to.
                Err(fault) if fault.kind.is_limit() && fuel < DEFAULT_FUEL => self.left = 0,
                Err(_) => {}
            }
            if self.left == 0 {
                self.complete = false;
                return true;
            }
            let Some(turn) = (0..position.len()).find(|at| position[*at] + 1 < starts[*at + 1])
            else {
                return false;
            };
            position[turn] += 1;
            position[..turn].copy_from_slice(&starts[..turn]);
        }
    }
}

/// Where the machine's memory holds a dimension.
fn place(model: &Model, dimension: Dimension) -> usize {
    match dimension {
        Dimension::Cell(cell) => model.layout.state.start + cell as usize,
        Dimension::Process(process) => process as usize,
    }
}

impl Layers {
    /// Evaluates the code for every combination of values that were there before layer `before`: true as soon as the
    /// visitor says so, or if there are too many. Combinations for which the evaluation faults are skipped: no run gets
    /// past them.
    pub(in crate::atg) fn some_combination(
        &mut self,
        model: &Model,
        code: CodeId,
        dimensions: Span,
        before: u16,
        mut visit: impl FnMut(i32) -> bool,
    ) -> bool {
        if self.enumerator.is_tired() {
            self.enumerator.complete = false;
            return true;
        }
        let dimensions = &model.dimensions[dimensions.0 as usize..dimensions.1 as usize];
        let mut pool = std::mem::take(&mut self.enumerator.pool);
        let mut starts = std::mem::take(&mut self.enumerator.starts);
        let complete = self.collect(model, dimensions, before, &mut pool, &mut starts);
        self.enumerator.pool = pool;
        self.enumerator.starts = starts;
        self.enumerator.complete = complete;
        self.enumerator.work(self.enumerator.pool.len());
        !complete || (self.enumerator).stops(model, code, dimensions, &mut visit)
    }

    /// Lists the values of each dimension; false if the combinations are too many.
    fn collect(
        &self,
        model: &Model,
        dimensions: &[Dimension],
        before: u16,
        pool: &mut Vec<i32>,
        starts: &mut Vec<usize>,
    ) -> bool {
        pool.clear();
        starts.clear();
        let mut combinations = 1usize;
        for dimension in dimensions {
            let start = pool.len();
            starts.push(start);
            match *dimension {
                Dimension::Cell(cell) => {
                    if !self.list_values(model, cell, before, pool) {
                        return false;
                    }
                }
                Dimension::Process(process) => {
                    let range = &model.first_fact[process as usize..process as usize + 2];
                    let there = (range[0]..range[1])
                        .filter(|fact| self.layer[*fact as usize] < before)
                        .map(|fact| (fact - range[0]) as i32);
                    pool.extend(there);
                }
            }
            combinations = combinations.saturating_mul(pool.len() - start);
            if combinations > self.enumerator.most_combinations {
                return false;
            }
        }
        starts.push(pool.len());
        true
    }

    /// Appends the values of a cell; false if there are too many.
    fn list_values(&self, model: &Model, cell: u32, before: u16, pool: &mut Vec<i32>) -> bool {
        let model = &model.cells[cell as usize];
        let most = self.enumerator.most_combinations;
        if model.wide == DENSE {
            let mut bits = self.values_before(model, before);
            while bits != 0 {
                pool.push(model.low + bits.trailing_zeros() as i32);
                bits &= bits - 1;
            }
            return true;
        }
        let wide = &self.wides[model.wide as usize];
        let span = |from: i32, to: i32| (i64::from(to) - i64::from(from) + 1) as usize;
        let up = wide.up(before);
        let down = wide.down(before);
        let open = up.map_or(0, |from| span(from, model.high))
            + down.map_or(0, |from| span(model.low, from));
        if open > most || wide.listed.len() > most {
            return false;
        }
        pool.extend(
            wide.listed
                .iter()
                .filter(|(_, entry)| entry.layer < before)
                .map(|(value, _)| *value),
        );
        if let Some(from) = up {
            pool.extend(from..=model.high);
        }
        if let Some(from) = down {
            pool.extend(model.low..=from);
        }
        true
    }
}
