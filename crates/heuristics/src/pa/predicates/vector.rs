//! T/U/F vectors, packed: one bit for true and one for false of each predicate; unknown has neither.
//!
//! A vector of m predicates is a slice of `2 · words(m)` words: first the true bits, then the false bits.

use std::collections::hash_map::Entry;
use std::fmt;

use rustc_hash::FxHashMap;

use crate::pa::decide::Truth;

/// Remembered predecessors: by the number of a step and the part of the vector that it reads; `None` if there is none.
#[derive(Clone, Debug, Default)]
pub struct Answers(FxHashMap<(u32, Part), Option<Predecessor>>);

/// The words of a vector that a step reads.
type Part = Box<[u64]>;

/// A vector.
type Predecessor = Box<[u64]>;

impl Answers {
    /// Adds the predecessor of a vector by a step that reads what is in `mask` to `into`; false if there is none.
    pub fn add(
        &mut self,
        step: u32,
        mask: &[u64],
        vector: &[u64],
        into: &mut [u64],
        compute: impl FnOnce(&[u64]) -> Option<Predecessor>,
    ) -> bool {
        let read = vector.iter().zip(mask).map(|(word, mask)| word & mask);
        let answer = match self.0.entry((step, read.collect())) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(new) => {
                let answer = compute(&new.key().1);
                new.insert(answer)
            }
        };
        let Some(answer) = answer else {
            return false;
        };
        into.iter_mut().zip(answer).for_each(|(a, b)| *a |= *b);
        true
    }
}

/// The words that m bits take.
pub const fn words(predicates: usize) -> usize {
    if predicates == 0 {
        1
    } else {
        predicates.div_ceil(64)
    }
}

/// The value of a predicate.
pub fn get(vector: &[u64], predicate: usize) -> Truth {
    let half = vector.len() / 2;
    let bit = |word: u64| word >> (predicate % 64) & 1 == 1;
    match (
        bit(vector[predicate / 64]),
        bit(vector[half + predicate / 64]),
    ) {
        (true, _) => Truth::True,
        (false, true) => Truth::False,
        (false, false) => Truth::Open,
    }
}

/// Sets the value of a predicate that is still unknown.
pub fn set(vector: &mut [u64], predicate: usize, value: Truth) {
    let half = vector.len() / 2;
    match value {
        Truth::True => vector[predicate / 64] |= 1 << (predicate % 64),
        Truth::False => vector[half + predicate / 64] |= 1 << (predicate % 64),
        Truth::Open => {}
    }
}

/// Whether every state of `small` is one of `large`: `large` says nothing that `small` does not say.
pub fn subsumes(large: &[u64], small: &[u64]) -> bool {
    large
        .iter()
        .zip(small)
        .all(|(large, small)| large & !small == 0)
}

/// Whether no predicate is true in one and false in the other.
pub fn compatible(left: &[u64], right: &[u64]) -> bool {
    let half = left.len() / 2;
    let (left, right) = (left.split_at(half), right.split_at(half));
    let clash = |a: &[u64], b: &[u64]| a.iter().zip(b).any(|(a, b)| a & b != 0);
    !clash(left.0, right.1) && !clash(left.1, right.0)
}

/// A vector as letters: `TUF`.
pub struct Letters<'a>(pub &'a [u64], pub usize);

impl fmt::Display for Letters<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for predicate in 0..self.1 {
            let letter = match get(self.0, predicate) {
                Truth::True => 'T',
                Truth::Open => 'U',
                Truth::False => 'F',
            };
            write!(f, "{letter}")?;
        }
        Ok(())
    }
}
