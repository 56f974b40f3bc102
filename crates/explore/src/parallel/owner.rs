//! Which thread a discrete state belongs to.
//!
//! The hash that decides is taken of a part of the state only, the locations of some of the processes: a transition in
//! which none of those takes part leads to a state of the same thread, and nothing has to travel. F. Lerda and R. Sisto
//! ("Distributed-Memory Model Checking with SPIN", SPIN 1999) do so with a single process. With too few, some thread would
//! own much more than another; models with few processes are divided by the whole state. Where one thread has seen some
//! states before, they tell better divisions ([`super::cuts`]).

use merkhet_semantics::System;

use super::cuts::{Ways, cuts};
use crate::key::Packer;
use crate::search::Config;
use crate::store::Store;
use crate::tuning;

/// Says which of some threads owns a state.
pub(super) struct Owners {
    threads: u64,
    way: Way,
}

/// How the district of a state is found.
enum Way {
    /// By a hash of these bits of the packed key.
    Hash(Vec<u64>),
    /// By the parities of these bits, each as long as the key.
    Parities(Vec<Vec<u64>>),
}

impl Owners {
    /// Divides states by what has been `seen` of them, if that is enough to tell.
    pub fn new(
        system: &System,
        config: &Config<'_>,
        threads: usize,
        seen: Option<&Store>,
    ) -> Owners {
        // Districts are halves of halves.
        let districts = match threads.is_power_of_two() {
            true => threads,
            false => (threads * config.count(&tuning::DISTRICTS) as usize).next_power_of_two(),
        };
        let ways = Ways::of(config);
        let cuts = seen.and_then(|store| cuts(system, store, districts.ilog2() as usize, &ways));
        let least = config.count(&tuning::OWNER_BITS) as u32;
        Owners {
            threads: threads as u64,
            way: match cuts {
                Some(cuts) => Way::Parities(cuts),
                None => Way::Hash(hashed(system, least + threads.ilog2())),
            },
        }
    }

    /// The number of owners.
    pub fn count(&self) -> usize {
        self.threads as usize
    }

    /// The division as numbers.
    pub fn words(&self) -> Vec<u64> {
        let (parities, masks) = match &self.way {
            Way::Hash(mask) => (0, std::slice::from_ref(mask)),
            Way::Parities(cuts) => (1, &cuts[..]),
        };
        let mut words = vec![parities, masks.len() as u64];
        words.extend(masks.iter().flatten());
        words
    }

    /// The division that was written as numbers, for as many owners as then.
    pub fn of_words(owners: usize, words: &[u64]) -> Option<Owners> {
        let [parities, count, masks @ ..] = words else {
            return None;
        };
        let length = masks.len().checked_div(usize::try_from(*count).ok()?)?;
        let mut masks = masks.chunks(length.max(1)).map(<[u64]>::to_vec);
        Some(Owners {
            threads: owners as u64,
            way: match parities {
                0 => Way::Hash(masks.next()?),
                _ => Way::Parities(masks.collect()),
            },
        })
    }

    /// The thread that owns the state with this packed key.
    #[inline]
    pub fn of(&self, key: &[u64]) -> usize {
        match &self.way {
            Way::Parities(cuts) => {
                let mut district = 0;
                for mask in cuts {
                    let kept = key.iter().zip(mask).map(|(word, mask)| word & mask);
                    let parity = kept.fold(0, |sum, word| sum ^ word).count_ones() & 1;
                    district = district << 1 | u64::from(parity);
                }
                ((district * self.threads) >> cuts.len()) as usize
            }
            Way::Hash(mask) => {
                let mut mixed = 0u64;
                for (word, mask) in key.iter().zip(mask) {
                    mixed = (mixed ^ (word & mask)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
                    mixed ^= mixed >> 32;
                }
                let district = mixed.wrapping_mul(0xd6e8_feb8_6659_fd93) >> 48;
                ((district * self.threads) >> 16) as usize
            }
        }
    }
}

/// The bits of the packed key that decide where nothing is known.
fn hashed(system: &System, least: u32) -> Vec<u64> {
    let packer = Packer::new(system);
    let all = || vec![u64::MAX; packer.words()];
    deciding(system, &packer, least).unwrap_or_else(all)
}

/// The bits of the locations of as few processes, evenly spread, as have the given number of bits.
fn deciding(system: &System, packer: &Packer, bits: u32) -> Option<Vec<u64>> {
    let processes = system.processes();
    (2..=processes).rev().find_map(|distance| {
        let mask = packer.mask(|cell| cell < processes && cell.is_multiple_of(distance));
        let enough = mask.iter().map(|word| word.count_ones()).sum::<u32>() >= bits;
        enough.then_some(mask)
    })
}
