//! Signatures: a word for each zone that often shows at once that it does not include another.

use crate::bound::Bound;
use crate::zone::kernel;

/// Sums of a zone's bounds. If `large ⊇ small`, no sum of `large` is less than that of `small`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Signature {
    /// Over the bounds on single clocks (row 0 and column 0).
    single: i32,
    /// Over all bounds.
    all: i32,
}

/// Bounds count up to this size, so that infinities do not drown the rest and the sum of a part does not overflow.
const LIMIT: i32 = 1 << 16;

/// How many bounds are added up before the sum is made to saturate.
const PART: usize = 1 << 13;

impl Signature {
    /// The signature of a closed zone. O(n²).
    pub fn of(zone: &[Bound], n: usize) -> Self {
        assert!(n > 0 && zone.len() == n * n);
        // Saturation keeps the order of sums as long as all that is added later is the same in each: so everything
        // is shifted to be at least zero before it is added up.
        let sum = |entries: &[Bound]| {
            let parts = entries
                .chunks(PART)
                .map(|part| kernel::sum_clamped(part, LIMIT) + part.len() as i32 * LIMIT);
            parts.fold(0, i32::saturating_add)
        };
        let column: i32 = (1..n)
            .map(|i| zone[i * n].clamp(-LIMIT, LIMIT))
            .fold(0, i32::saturating_add);
        Signature {
            single: sum(&zone[..n]).saturating_add(column),
            all: sum(zone),
        }
    }

    /// Whether a zone with this signature may include one with the other: `false` is certain.
    #[inline(always)]
    pub fn may_include(self, small: Signature) -> bool {
        self.single >= small.single && self.all >= small.all
    }

    /// As one word, for storage.
    #[inline(always)]
    pub fn to_bits(self) -> u64 {
        u64::from(self.single as u32) << 32 | u64::from(self.all as u32)
    }

    /// The signature that [`to_bits`](Self::to_bits) gave.
    #[inline(always)]
    pub fn from_bits(bits: u64) -> Self {
        Signature {
            single: (bits >> 32) as i32,
            all: bits as i32,
        }
    }
}
