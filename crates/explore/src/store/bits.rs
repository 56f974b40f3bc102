//! Bit-state hashing: states are remembered by a few bits each.

use merkhet_zones::bound::Bound;

use crate::key::{hash, with_zone};

/// Bits for each state: more make a single mistake rarer but fill the table sooner.
const BITS: u32 = 3;

pub(super) struct BitTable {
    words: Vec<u64>,
    mask: u64,
}

impl BitTable {
    pub fn new(log_bits: u32) -> BitTable {
        let log_bits = log_bits.clamp(6, 40);
        BitTable {
            words: vec![0; 1 << (log_bits - 6)],
            mask: (1 << log_bits) - 1,
        }
    }

    /// Remembers a state, given the hash of its discrete part; says whether it is certainly new.
    pub fn insert(&mut self, key: u64, zone: &[Bound]) -> bool {
        let mut state = with_zone(key, zone);
        let mut new = false;
        for _ in 0..BITS {
            state = hash(&[state]);
            let bit = state & self.mask;
            let word = &mut self.words[(bit >> 6) as usize];
            new |= *word & (1 << (bit & 63)) == 0;
            *word |= 1 << (bit & 63);
        }
        new
    }

    pub fn bytes(&self) -> usize {
        self.words.len() * size_of::<u64>()
    }
}
