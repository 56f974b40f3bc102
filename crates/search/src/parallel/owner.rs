//! Which thread a discrete state belongs to.
//!
//! The hash that decides is taken of a part of the state only, the locations of every other process: a transition in
//! which none of those takes part leads to a state of the same thread, and nothing has to travel. F. Lerda and R. Sisto
//! ("Distributed-Memory Model Checking with SPIN", SPIN 1999) do so with a single process. Models with few processes are
//! divided by the whole state, lest one thread owns nearly everything.

use merkhet_semantics::System;

use crate::key::{Packer, hash};

/// The part of the state that decides has so many bits at least.
const LEAST: u32 = 10;

/// Says which of some threads owns a state.
pub(super) struct Owners {
    threads: usize,
    /// The bits of the packed key that decide.
    mask: Vec<u64>,
    masked: Vec<u64>,
}

impl Owners {
    pub fn new(system: &System, threads: usize) -> Owners {
        let packer = Packer::new(system);
        let mut mask = packer.mask(|cell| cell < system.processes() && cell.is_multiple_of(2));
        let bits: u32 = mask.iter().map(|word| word.count_ones()).sum();
        if bits < LEAST + threads.ilog2() {
            mask.fill(u64::MAX);
        }
        Owners {
            threads,
            masked: vec![0; mask.len()],
            mask,
        }
    }

    /// The thread that owns the state with this packed key.
    #[inline]
    pub fn of(&mut self, key: &[u64]) -> usize {
        for ((masked, word), mask) in self.masked.iter_mut().zip(key).zip(&self.mask) {
            *masked = word & mask;
        }
        // Not the bits that hash tables look at first.
        let bits = (hash(&self.masked) >> 16) & 0xffff;
        (bits as usize * self.threads) >> 16
    }
}
