//! Signatures: a word for each zone that often shows at once that it does not include another.

use crate::bound::Bound;

/// Sums of a zone's bounds. If `large ⊇ small`, no sum of `large` is less than that of `small`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Signature {
    /// Over the bounds on single clocks (row 0 and column 0).
    single: i32,
    /// Over the bounds on differences of clocks.
    difference: i32,
}

/// Bounds count up to this size, so that infinities do not drown the rest and a sum of few does not overflow.
const LIMIT: i32 = 1 << 16;

impl Signature {
    /// The signature of a closed zone. O(n²).
    pub fn of(zone: &[Bound], n: usize) -> Self {
        assert_eq!(zone.len(), n * n);
        let weight = |&entry: &Bound| entry.clamp(-LIMIT, LIMIT);
        let mut single = 0i32;
        let mut difference = 0i32;
        for (i, row) in zone.chunks_exact(n).enumerate() {
            // A row's sum fits: dimensions are below 2^15. Sums of rows saturate, which keeps the order.
            let all: i32 = row.iter().map(weight).sum();
            let first = if i == 0 { all } else { weight(&row[0]) };
            single = single.saturating_add(first);
            difference = difference.saturating_add(all - first);
        }
        Signature { single, difference }
    }

    /// Whether a zone with this signature may include one with the other: `false` is certain.
    #[inline(always)]
    pub fn may_include(self, small: Signature) -> bool {
        self.single >= small.single && self.difference >= small.difference
    }

    /// As one word, for storage.
    #[inline(always)]
    pub fn to_bits(self) -> u64 {
        u64::from(self.single as u32) << 32 | u64::from(self.difference as u32)
    }

    /// The signature that [`to_bits`](Self::to_bits) gave.
    #[inline(always)]
    pub fn from_bits(bits: u64) -> Self {
        Signature {
            single: (bits >> 32) as i32,
            difference: bits as i32,
        }
    }
}
