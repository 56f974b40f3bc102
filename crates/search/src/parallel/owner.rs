//! Which thread a discrete state belongs to.
//!
//! The hash that decides is taken of a part of the state only, the locations of some of the processes: a transition in
//! which none of those takes part leads to a state of the same thread, and nothing has to travel. F. Lerda and R. Sisto
//! ("Distributed-Memory Model Checking with SPIN", SPIN 1999) do so with a single process. With too few, some thread would
//! own much more than another; models with few processes are divided by the whole state.

use merkhet_semantics::System;

use crate::key::Packer;

/// The part of the state that decides has so many bits at least, and one more for each doubling of the threads.
const LEAST: u32 = 8;

/// Says which of some threads owns a state.
pub(super) struct Owners {
    threads: u64,
    /// The bits of the packed key that decide.
    mask: Vec<u64>,
}

impl Owners {
    pub fn new(system: &System, threads: usize) -> Owners {
        let packer = Packer::new(system);
        let all = || vec![u64::MAX; packer.words()];
        Owners {
            threads: threads as u64,
            mask: deciding(system, &packer, LEAST + threads.ilog2()).unwrap_or_else(all),
        }
    }

    /// The thread that owns the state with this packed key.
    #[inline]
    pub fn of(&self, key: &[u64]) -> usize {
        let mut mixed = 0u64;
        for (word, mask) in key.iter().zip(&self.mask) {
            mixed = (mixed ^ (word & mask)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
            mixed ^= mixed >> 32;
        }
        let district = mixed.wrapping_mul(0xd6e8_feb8_6659_fd93) >> 48;
        ((district * self.threads) >> 16) as usize
    }
}

/// The bits of the locations of as few processes, evenly spread, as have so many bits.
fn deciding(system: &System, packer: &Packer, bits: u32) -> Option<Vec<u64>> {
    let processes = system.processes();
    (2..=processes).rev().find_map(|distance| {
        let mask = packer.mask(|cell| cell < processes && cell.is_multiple_of(distance));
        let enough = mask.iter().map(|word| word.count_ones()).sum::<u32>() >= bits;
        enough.then_some(mask)
    })
}
