//! The discrete part of a state, packed into as few bits as the ranges of its cells need.

use merkhet_semantics::System;

/// Where a cell is within the packed words.
#[derive(Clone, Copy, Debug)]
struct Field {
    cell: u32,
    word: u32,
    shift: u32,
    mask: u64,
    low: i32,
}

/// Packs and unpacks discrete parts. Exact: different parts have different words.
#[derive(Clone, Debug)]
pub struct Packer {
    fields: Vec<Field>,
    /// The cells with only one value, which need no bits.
    fixed: Vec<(u32, i32)>,
    words: usize,
}

impl Packer {
    /// A packer for the cells of a system that make up a state's identity.
    pub fn new(system: &System) -> Packer {
        Packer::among(system, |_| true)
    }

    /// The same for some of the cells: different parts have the same words if they differ in others only.
    pub fn among(system: &System, wanted: impl Fn(usize) -> bool) -> Packer {
        let mut packer = Packer {
            fields: Vec::new(),
            fixed: Vec::new(),
            words: 1,
        };
        let mut used = 0;
        let cells = system.cells()[..system.key_cells()].iter().enumerate();
        for (cell, range) in cells.filter(|(cell, _)| wanted(*cell)) {
            let largest = range.high.wrapping_sub(range.low) as u32;
            let bits = u32::BITS - largest.leading_zeros();
            if bits == 0 {
                packer.fixed.push((cell as u32, range.low));
                continue;
            }
            if used + bits > u64::BITS {
                packer.words += 1;
                used = 0;
            }
            packer.fields.push(Field {
                cell: cell as u32,
                word: packer.words as u32 - 1,
                shift: used,
                mask: u64::MAX >> (u64::BITS - bits),
                low: range.low,
            });
            used += bits;
        }
        packer
    }

    /// The number of words of a packed part.
    pub fn words(&self) -> usize {
        self.words
    }

    /// Where some cells are within the packed words: a bit is set for each of theirs.
    pub fn mask(&self, cells: impl Fn(usize) -> bool) -> Vec<u64> {
        let mut mask = vec![0; self.words];
        for field in self.fields.iter().filter(|f| cells(f.cell as usize)) {
            mask[field.word as usize] |= field.mask << field.shift;
        }
        mask
    }

    /// Packs a discrete part into `words`, which must be of the right length.
    #[inline]
    pub fn pack(&self, memory: &[i32], words: &mut [u64]) {
        words.fill(0);
        for field in &self.fields {
            let value = memory[field.cell as usize].wrapping_sub(field.low) as u32;
            words[field.word as usize] |= u64::from(value) << field.shift;
        }
    }

    /// The inverse of [`Packer::pack`].
    #[inline]
    pub fn unpack(&self, words: &[u64], memory: &mut [i32]) {
        for field in &self.fields {
            let value = (words[field.word as usize] >> field.shift) & field.mask;
            memory[field.cell as usize] = (value as u32 as i32).wrapping_add(field.low);
        }
        for (cell, value) in &self.fixed {
            memory[*cell as usize] = *value;
        }
    }
}

/// A hash of packed words: folded multiplications, as in wyhash.
#[inline]
pub fn hash(words: &[u64]) -> u64 {
    const FIRST: u64 = 0xa076_1d64_78bd_642f;
    const SECOND: u64 = 0xe703_7ed1_a0b4_28db;
    let mut state = FIRST ^ words.len() as u64;
    for word in words {
        let product = u128::from(state ^ word) * u128::from(SECOND ^ word.rotate_left(32));
        state = (product as u64) ^ ((product >> 64) as u64) ^ FIRST.rotate_left(state as u32 & 31);
    }
    let product = u128::from(state ^ SECOND) * u128::from(FIRST);
    (product as u64) ^ ((product >> 64) as u64)
}
