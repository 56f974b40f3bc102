//! A word for each zone that often shows at once that it does not include another.
//!
//! Four sums of bounds, each over a part of the zone: if one zone includes another, none of its sums is smaller. Zones
//! of one discrete state often differ by a shift of some clocks against others, which makes a difference larger and the
//! opposite one smaller; the parts are rows, so that the two count in different sums.

use merkhet_zones::bound::Bound;
use merkhet_zones::zone::lanes;

/// Four sums of 15 bits each, the top bit of each lane being 0: for [`merkhet_zones::zone::lanes`].
pub(crate) type Signature = u64;

/// How large a zone is, for ordering.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Size {
    /// The number of clocks that do not matter.
    pub free: u32,
    /// The sum of the negated lower bounds of the others: the larger, the lower they are.
    pub lower: u32,
}

/// Computes signatures of zones of one dimension.
pub(super) struct Signer {
    /// Bounds count up to this size, infinity included.
    limit: i32,
    /// Low bits of the sums that are left out.
    shift: u32,
}

impl Signer {
    /// For zones of a dimension in which bounds rarely exceed `2 * largest`.
    pub fn new(n: usize, largest: i32) -> Signer {
        // Sums of all n² bounds, from 0 to 2 · limit each, must not overflow.
        let most = (i32::MAX / 4) / (n * n).min(i32::MAX as usize / 16) as i32;
        let limit = largest
            .saturating_mul(2)
            .saturating_add(2)
            .clamp(2, most.max(2));
        let sum = (n as u64 * n as u64) * 2 * limit as u64;
        Signer {
            limit,
            shift: (sum.ilog2() + 1).saturating_sub(15),
        }
    }

    /// The signature and size of a closed zone of `k` rows, next to which `free` clocks do not matter.
    #[inline]
    pub fn sign(&self, zone: &[Bound], k: usize, free: usize) -> (Signature, Size) {
        let lanes = lanes::sums(zone, k, self.limit);
        let lane = |index: usize| u64::from(lanes[index] >> self.shift) << (16 * index);
        let size = Size {
            free: free as u32,
            lower: lanes[0],
        };
        (lane(0) | lane(1) | lane(2) | lane(3), size)
    }

    /// The size alone, for a zone whose signature is that of its core.
    #[inline]
    pub fn size(&self, zone: &[Bound], k: usize, free: usize) -> Size {
        Size {
            free: free as u32,
            lower: lanes::first_sum(zone, k, self.limit),
        }
    }
}
