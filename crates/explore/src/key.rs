//! The discrete part of a state, packed into as few bits as the ranges of its cells need.

use merkhet_semantics::System;
use merkhet_zones::bound::Bound;

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

/// A discrete part that was unpacked lately, next to which others are packed and unpacked.
///
/// A transition changes few of a large state's cells, and states that are expanded one after the other have much in common:
/// what is the same need not be shifted and masked again. In a model with 450 cells this took a third of the time.
#[derive(Clone, Debug)]
pub struct Neighbour {
    memory: Vec<i32>,
    words: Vec<u64>,
    /// By cell, the index of its field, or [`NO_FIELD`].
    by_cell: Vec<u32>,
    /// By word, where its fields start; one more at the end.
    starts: Vec<u32>,
}

/// The number of fields from which a [`Neighbour`] pays: with fewer, finding what differs costs as much as packing. Tests have small
/// models, and are to go this way too; optimised builds (`cargo xtask random`) go the plain way with them.
const MANY_FIELDS: usize = if cfg!(debug_assertions) { 1 } else { 48 };

/// Cells that are compared at once.
const CHUNK: usize = 16;

const NO_FIELD: u32 = u32::MAX;

impl Packer {
    /// A packer for the cells of a system that make up a state's identity.
    pub fn new(system: &System) -> Packer {
        Packer::among(system, |_| true)
    }

    /// A packer of some of the cells: different parts have the same words if they differ in others only.
    pub fn among(system: &System, wanted: impl Fn(usize) -> bool) -> Packer {
        let cells = system.cells()[..system.key_cells()].iter().enumerate();
        let wanted = cells.filter(|(cell, _)| wanted(*cell));
        Packer::of(wanted.map(|(cell, range)| (cell as u32, range.low, range.high)))
    }

    /// A packer for cells with these ranges.
    fn of(cells: impl Iterator<Item = (u32, i32, i32)>) -> Packer {
        let mut packer = Packer {
            fields: Vec::new(),
            fixed: Vec::new(),
            words: 1,
        };
        let mut used = 0;
        for (cell, low, high) in cells {
            let largest = high.wrapping_sub(low) as u32;
            let bits = u32::BITS - largest.leading_zeros();
            if bits == 0 {
                packer.fixed.push((cell, low));
                continue;
            }
            if used + bits > u64::BITS {
                packer.words += 1;
                used = 0;
            }
            packer.fields.push(Field {
                cell,
                word: packer.words as u32 - 1,
                shift: used,
                mask: u64::MAX >> (u64::BITS - bits),
                low,
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

    /// Something to pack and unpack next to, where parts are large enough to make it pay; for a packer of all cells.
    pub fn neighbour(&self, cells: usize) -> Option<Neighbour> {
        if self.fields.len() < MANY_FIELDS {
            return None;
        }
        let mut by_cell = vec![NO_FIELD; cells];
        let mut starts = vec![0; self.words + 1];
        for (index, field) in self.fields.iter().enumerate() {
            by_cell[field.cell as usize] = index as u32;
            starts[field.word as usize + 1] = index as u32 + 1;
        }
        let mut memory = vec![0; cells];
        let words = vec![0; self.words];
        self.unpack(&words, &mut memory);
        Some(Neighbour {
            memory,
            words,
            by_cell,
            starts,
        })
    }

    /// As [`Packer::pack`], looking only at what differs from a neighbour.
    #[inline]
    pub fn pack_near(&self, neighbour: &Neighbour, memory: &[i32], words: &mut [u64]) {
        words.copy_from_slice(&neighbour.words);
        let before = &neighbour.memory[..];
        let memory = &memory[..before.len()];
        let (chunks, rest) = memory.as_chunks::<CHUNK>();
        let (chunks_before, rest_before) = before.as_chunks::<CHUNK>();
        let mut start = 0;
        for (now, before) in chunks.iter().zip(chunks_before) {
            if now != before {
                self.repack(neighbour, start, now, before, words);
            }
            start += CHUNK;
        }
        self.repack(neighbour, start, rest, rest_before, words);
    }

    /// Mends the fields of those cells, from `start` on, that have changed.
    fn repack(
        &self,
        neighbour: &Neighbour,
        start: usize,
        now: &[i32],
        before: &[i32],
        words: &mut [u64],
    ) {
        for (index, (now, before)) in now.iter().zip(before).enumerate() {
            let number = neighbour.by_cell[start + index];
            if now != before && number != NO_FIELD {
                let field = &self.fields[number as usize];
                let packed = |value: &i32| value.wrapping_sub(field.low) as u32;
                let changed = u64::from(packed(now) ^ packed(before));
                words[field.word as usize] ^= changed << field.shift;
            }
        }
    }

    /// As [`Packer::unpack`], looking only at words that differ from the neighbour's, which becomes what was unpacked.
    #[inline]
    pub fn unpack_near(&self, neighbour: &mut Neighbour, words: &[u64], memory: &mut [i32]) {
        for (word, (now, before)) in words.iter().zip(&mut neighbour.words).enumerate() {
            if now == before {
                continue;
            }
            *before = *now;
            let (start, end) = (neighbour.starts[word], neighbour.starts[word + 1]);
            for field in &self.fields[start as usize..end as usize] {
                let value = (now >> field.shift) & field.mask;
                neighbour.memory[field.cell as usize] =
                    (value as u32 as i32).wrapping_add(field.low);
            }
        }
        memory[..neighbour.memory.len()].copy_from_slice(&neighbour.memory);
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

/// A hash of a state, given that of its discrete part.
pub fn with_zone(key: u64, zone: &[Bound]) -> u64 {
    zone.chunks(2).fold(key, |state, entries| {
        let low = entries[0] as u32;
        let high = entries.get(1).map_or(0, |entry| *entry as u32);
        hash(&[state, u64::from(low) | u64::from(high) << 32])
    })
}

#[cfg(test)]
mod tests {
    use super::{CHUNK, MANY_FIELDS, Packer};

    /// Numbers without a pattern (xorshift).
    fn random(state: &mut u64) -> u64 {
        *state ^= *state << 13;
        *state ^= *state >> 7;
        *state ^= *state << 17;
        *state
    }

    fn within(state: &mut u64, low: i32, high: i32) -> i32 {
        let values = (i64::from(high) - i64::from(low) + 1) as u64;
        (i64::from(low) + (random(state) % values) as i64) as i32
    }

    #[test]
    fn packing_next_to_a_neighbour_is_packing() {
        let state = &mut 0x9e37_79b9_7f4a_7c15;
        for cells in [MANY_FIELDS, CHUNK, CHUNK + 1, 3 * CHUNK, 100, 450] {
            let kinds = [
                (0, 1),
                (-1, 3),
                (7, 7),
                (-32768, 32767),
                (i32::MIN, i32::MAX),
            ];
            let ranges: Vec<(i32, i32)> = (0..cells)
                .map(|_| kinds[random(state) as usize % kinds.len()])
                .collect();
            let numbered = || {
                (0..)
                    .zip(&ranges)
                    .map(|(cell, (low, high))| (cell, *low, *high))
            };
            let packer = Packer::of(numbered());
            let Some(mut neighbour) = packer.neighbour(cells) else {
                assert!(packer.fields.len() < MANY_FIELDS);
                continue;
            };
            let mut memory: Vec<i32> = ranges.iter().map(|(low, _)| *low).collect();
            let (mut plain, mut near) = (vec![0; packer.words()], vec![0; packer.words()]);
            for round in 0..200 {
                // Few cells change, sometimes all.
                let changes = if round % 50 == 49 { cells } else { round % 4 };
                for _ in 0..changes {
                    let cell = random(state) as usize % cells;
                    let (low, high) = ranges[cell];
                    memory[cell] = within(state, low, high);
                }
                packer.pack(&memory, &mut plain);
                packer.pack_near(&neighbour, &memory, &mut near);
                assert_eq!(plain, near, "{cells} cells, round {round}");
                if round % 3 == 0 {
                    let mut unpacked = vec![0; cells];
                    packer.unpack_near(&mut neighbour, &plain, &mut unpacked);
                    assert_eq!(unpacked, memory, "{cells} cells, round {round}");
                }
            }
        }
    }
}
