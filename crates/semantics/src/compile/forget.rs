//! Giving variables that are not read any more a fixed value.

use merkhet_analysis::LiveCells;
use merkhet_network::code::Layout;

/// Where variables are live, in the form that a step needs.
#[derive(Clone, Debug, Default)]
pub(crate) struct Forgetting {
    /// The slots of the cells that are dead somewhere, with the value that they get there.
    cells: Vec<(u32, i32)>,
    /// The processes at whose locations some of them are live.
    processes: Vec<Lives>,
}

#[derive(Clone, Debug)]
struct Lives {
    process: u32,
    /// By location, `words` each: a bit for each of the cells.
    bits: Vec<u64>,
}

impl Forgetting {
    /// The dead cells get their initial values, which are within their ranges.
    pub fn new(live: &LiveCells, layout: &Layout, initial: &[i32]) -> Forgetting {
        let slot = |cell: &u32| layout.state.start + *cell as usize;
        let cells = live.cells().iter().map(slot);
        let processes = (live.live().iter().enumerate())
            .map(|(process, locations)| Lives {
                process: process as u32,
                bits: locations
                    .iter()
                    .flat_map(|bits| bits.iter().copied())
                    .collect(),
            })
            .filter(|lives| lives.bits.iter().any(|word| *word != 0));
        Forgetting {
            processes: processes.collect(),
            cells: cells.map(|slot| (slot as u32, initial[slot])).collect(),
        }
    }

    /// Gives a dead cell another value, where `choose` has one for its slot.
    pub fn change(&mut self, choose: impl Fn(u32, i32) -> Option<i32>) {
        for (slot, value) in &mut self.cells {
            *value = choose(*slot, *value).unwrap_or(*value);
        }
    }

    /// Forgets what is dead at the locations in this memory.
    #[inline]
    pub fn apply(&self, memory: &mut [i32]) {
        let words = self.cells.len().div_ceil(64);
        for (word, cells) in self.cells.chunks(64).enumerate() {
            let mut live = 0;
            for lives in &self.processes {
                let location = memory[lives.process as usize] as usize;
                live |= lives.bits[location * words + word];
            }
            let all = u64::MAX >> (64 - cells.len());
            let mut dead = all & !live;
            while dead != 0 {
                let (slot, value) = cells[dead.trailing_zeros() as usize];
                memory[slot as usize] = value;
                dead &= dead - 1;
            }
        }
    }
}
