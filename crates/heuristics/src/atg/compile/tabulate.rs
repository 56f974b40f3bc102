//! Conditions over one or two small cells as tables, so that testing one is a few operations on bits.

use merkhet_network::code::{CodeId, Layout, Machine, Program};

use crate::atg::model::{CellModel, Condition, DENSE, Dimension};

/// Evaluates conditions once for all values.
pub(in crate::atg) struct Tabulator<'a> {
    pub program: &'a Program,
    pub layout: &'a Layout,
    pub machine: Machine,
    pub cells: &'a [CellModel],
    pub dimensions: &'a [Dimension],
    pub pairs: Vec<u64>,
}

impl Tabulator<'_> {
    /// The most steps of one evaluation: a table has up to 4096 entries, and there may be one for each guard.
    pub const FUEL: u64 = 1000;

    /// The condition as a mask or as a table of pairs, if it reads one or two dense cells only.
    pub fn tabulate(&mut self, condition: &Condition) -> Option<Condition> {
        let Condition::Code { code, dimensions } = condition else {
            return None;
        };
        let dimensions = &self.dimensions[dimensions.0 as usize..dimensions.1 as usize];
        let dense = |dimension: &Dimension| match dimension {
            Dimension::Cell(cell) if self.cells[*cell as usize].wide == DENSE => Some(*cell),
            _ => None,
        };
        match dimensions {
            [only] => {
                let cell = dense(only)?;
                let mask = self.mask(*code, cell)?;
                Some(Condition::Mask { cell, mask })
            }
            [first, second] => {
                let (left, right) = (dense(first)?, dense(second)?);
                let table = self.pairs.len() as u32;
                let range = self.cells[left as usize].low..=self.cells[left as usize].high;
                for value in range {
                    self.machine.memory[self.layout.state.start + left as usize] = value;
                    let mask = self.mask(*code, right)?;
                    self.pairs.push(mask);
                }
                Some(Condition::Pair { left, right, table })
            }
            _ => None,
        }
    }

    /// The values of a cell for which the code is non-zero; nothing if an evaluation faults or takes long.
    fn mask(&mut self, code: CodeId, cell: u32) -> Option<u64> {
        let model = &self.cells[cell as usize];
        let slot = self.layout.state.start + cell as usize;
        let mut mask = 0;
        for (bit, value) in (model.low..=model.high).enumerate() {
            self.machine.memory[slot] = value;
            if self.machine.evaluate(self.program, code).ok()? != 0 {
                mask |= 1 << bit;
            }
        }
        Some(mask)
    }
}
