//! Words of four 15-bit numbers each, compared with one another in all four at once.
//!
//! A store keeps such a word for each zone: four sums of bounds. If one zone includes another, none of its sums is
//! smaller, so that most of a long list of zones is ruled out without looking at the zones.

use super::kernel;

/// The words of a list, compared with one word; bit `i` speaks of the `i`-th.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Compared {
    /// None of its numbers is smaller.
    pub no_smaller: u64,
    /// None of its numbers is larger.
    pub no_larger: u64,
}

/// Compares up to 64 words with one. The top bit of each 16-bit lane must be 0 everywhere.
#[inline]
pub fn compare(words: &[u64], word: u64) -> Compared {
    assert!(words.len() <= 64);
    let (no_smaller, no_larger) = kernel::compare_lanes(words, word);
    Compared {
        no_smaller,
        no_larger,
    }
}
