//! Words of four 15-bit numbers each, compared with one another in all four at once.
//!
//! A store keeps such a word for each zone: four sums of bounds. If one zone includes another, none of its sums is
//! smaller, so that most of a long list of zones is ruled out without looking at the zones.

use crate::bound::Bound;
use crate::zone::kernel;

/// The words of a list, compared with one word; bit `i` speaks of the `i`-th.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Compared {
    /// None of its numbers is smaller.
    pub no_smaller: u64,
    /// None of its numbers is larger.
    pub no_larger: u64,
}

/// The sums of the bounds of a zone in four parts: row 0, and every third of the other rows. Each bound counts from 0
/// (for `-limit` and below) to `2 * limit` (for `limit` and above); the sums must not exceed 31 bits.
///
/// Zones of one discrete state often differ by a shift of some clocks against others, which makes a difference larger
/// and the opposite one smaller; the parts are rows, so that the two count in different sums.
#[inline]
pub fn sums(zone: &[Bound], n: usize, limit: Bound) -> [u32; 4] {
    assert!(n > 0 && zone.len() == n * n && limit > 0);
    let each = (n as u32).wrapping_mul(limit as u32);
    let rows = |lane: usize| if lane == 0 { 1 } else { (n + 2 - lane) / 3 };
    let mut sums = kernel::sum_lanes(zone, n, limit);
    for (lane, sum) in sums.iter_mut().enumerate() {
        *sum = sum.wrapping_add(each.wrapping_mul(rows(lane) as u32));
    }
    sums
}

/// The first of the [`sums`]: that over row 0.
#[inline]
pub fn first_sum(zone: &[Bound], n: usize, limit: Bound) -> u32 {
    assert!(n > 0 && zone.len() == n * n && limit > 0);
    let sum = kernel::sum_clamped(&zone[..n], limit) as u32;
    sum.wrapping_add((n as u32).wrapping_mul(limit as u32))
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
