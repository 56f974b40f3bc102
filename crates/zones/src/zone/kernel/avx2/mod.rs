//! The kernels with AVX2 instructions, eight bounds at a time. All `unsafe` code of the crate is in this folder.
//!
//! Rows are not padded, so a row of `n ≥ 8` bounds is taken as chunks of eight of which the last ends where the row
//! ends and may overlap the one before: the operations give the same in both, and both are loaded before either is
//! stored. A row of `4 ≤ n < 8` is one chunk, loaded under a mask and stored as two overlapping halves.

mod abstracting;
mod closing;
mod comparing;
mod rows;
mod subset;
mod wide;

use super::{Raised, scalar};
use crate::bound::Bound;
use crate::zone::rows::{MOST_ROWS, RowSet, RowSets};
use crate::zone::storage::narrow::Narrow;
use crate::zone::storage::subset::{LANES, Subset};
use abstracting::{alu_core, alu_violated, raise_lu, raise_lu_plus};
use closing::{
    close_constraint, close_in_registers, implied_columns, minimum, relax_rows_in_copy,
    relax_rows_in_place,
};
use comparing::{
    any_greater, any_greater_mixed, any_greater_narrow, compare, find_greater, maximum, pack,
    saturate, sum_clamped, unpack,
};
use rows::Rows;

/// Proof that the processor has AVX2.
#[derive(Clone, Copy)]
pub(super) struct Avx2(());

/// Calls the kernel with the layout for dimension `n`, or the plain one for dimensions beyond the layouts.
macro_rules! by_dimension {
    ($n:expr, $name:ident($($argument:expr),*)) => {
        // SAFETY: `Avx2` exists only where the processor has AVX2; the callers assert the lengths.
        unsafe {
            match $n.div_ceil(8) {
                1 if $n < 8 => $name(Rows::<1, true>::new($n), $($argument),*),
                1 => $name(Rows::<1, false>::new($n), $($argument),*),
                2 => $name(Rows::<2, false>::new($n), $($argument),*),
                3 => $name(Rows::<3, false>::new($n), $($argument),*),
                4 => $name(Rows::<4, false>::new($n), $($argument),*),
                5 => $name(Rows::<5, false>::new($n), $($argument),*),
                6 => $name(Rows::<6, false>::new($n), $($argument),*),
                7 => $name(Rows::<7, false>::new($n), $($argument),*),
                _ => $name(Rows::<8, false>::new($n), $($argument),*),
            }
        }
    };
}

impl Avx2 {
    #[inline(always)]
    pub fn detect() -> Option<Self> {
        is_x86_feature_detected!("avx2").then_some(Avx2(()))
    }

    #[inline]
    pub fn close(self, zone: &mut [Bound], n: usize) {
        assert!(n >= 4 && zone.len() == n * n);
        let entries = zone.as_mut_ptr();
        // SAFETY: as in `by_dimension`.
        unsafe {
            match n {
                4 => close_in_registers::<4, true>(entries),
                5 => close_in_registers::<5, true>(entries),
                6 => close_in_registers::<6, true>(entries),
                7 => close_in_registers::<7, true>(entries),
                8 => close_in_registers::<8, false>(entries),
                9..=RowSet::CAPACITY => self.relax_rows(zone, n, RowSet::all(n), RowSet::all(n)),
                _ => wide::relax_rows(zone, n, 0..n, 0..n),
            }
        }
    }

    #[inline]
    pub fn compare_lanes(self, words: &[u64], word: u64) -> (u64, u64) {
        assert!((4..=64).contains(&words.len()));
        // SAFETY: the processor has AVX2; the length is as required.
        unsafe { comparing::compare_lanes(words.as_ptr(), words.len(), word) }
    }

    #[inline]
    pub fn relax_rows<const W: usize>(
        self,
        zone: &mut [Bound],
        n: usize,
        pivots: RowSets<W>,
        rows: RowSets<W>,
    ) {
        assert!((4..=RowSets::<W>::CAPACITY).contains(&n) && zone.len() == n * n);
        let all = RowSets::all(n);
        assert!(pivots.without(all).is_empty() && rows.without(all).is_empty());
        if W > 1 && n > RowSet::CAPACITY {
            // SAFETY: as in `by_dimension`.
            return unsafe { wide::relax_rows(zone, n, pivots, rows) };
        }
        let (pivots, rows) = (pivots.first_word(), rows.first_word());
        let entries = zone.as_mut_ptr();
        if n.is_multiple_of(8) || pivots.len() <= 2 {
            by_dimension!(n, relax_rows_in_place(entries, pivots, rows))
        } else {
            by_dimension!(n, relax_rows_in_copy(entries, pivots, rows))
        }
    }

    #[inline]
    pub fn close_constraint(self, zone: &mut [Bound], n: usize, i: usize, j: usize, bound: Bound) {
        assert!(n >= 4 && zone.len() == n * n && i < n && j < n);
        if n > RowSet::CAPACITY {
            // SAFETY: as in `by_dimension`.
            return unsafe { wide::close_constraint(zone, n, i, j, bound) };
        }
        let entries = zone.as_mut_ptr();
        by_dimension!(n, close_constraint(entries, i, j, bound))
    }

    #[inline]
    pub fn any_greater(self, left: &[Bound], right: &[Bound]) -> bool {
        assert!(left.len() == right.len() && left.len() >= 8);
        // SAFETY: as in `by_dimension`.
        unsafe { any_greater(left.as_ptr(), right.as_ptr(), left.len()) }
    }

    #[inline]
    pub fn find_greater(self, left: &[Bound], right: &[Bound]) -> Option<usize> {
        assert!(left.len() == right.len() && left.len() >= 8);
        // SAFETY: as in `by_dimension`.
        unsafe { find_greater(left.as_ptr(), right.as_ptr(), left.len()) }
    }

    #[inline]
    pub fn sum_clamped(self, entries: &[Bound], limit: Bound) -> i32 {
        // SAFETY: as in `by_dimension`.
        unsafe { sum_clamped(entries, limit) }
    }

    #[inline]
    pub fn pack<T: Narrow>(self, zone: &[Bound], packed: &mut [T]) -> bool {
        assert!(zone.len() >= 8 && packed.len() == zone.len());
        // SAFETY: the processor has AVX2; the lengths are as required.
        unsafe { pack(zone.as_ptr(), packed.as_mut_ptr(), zone.len()) }
    }

    #[inline]
    pub fn sum_lanes(self, zone: &[Bound], n: usize, limit: Bound) -> [u32; 4] {
        assert_eq!(zone.len(), n * n);
        // SAFETY: the processor has AVX2; the length is as required.
        unsafe { comparing::sum_lanes(zone.as_ptr(), n, limit) }
    }

    #[inline]
    pub fn choose(self, zone: &[Bound], n: usize, rows: &[u16], k: usize, part: &mut [Bound]) {
        assert!(0 < n && n.max(k) <= LANES && zone.len() == n * n && rows.len() >= LANES);
        assert!(part.len() >= k * k + Subset::PADDING);
        // SAFETY: the processor has AVX2; the lengths are as required.
        unsafe { subset::choose(zone.as_ptr(), n, rows.as_ptr(), k, part.as_mut_ptr()) }
    }

    #[inline]
    pub fn spread<T: Narrow>(self, subset: &Subset, part: &[T], zone: &mut [Bound]) {
        let (n, k) = (subset.positions().len(), subset.rows().len());
        assert!((4..=16).contains(&n) && zone.len() == n * n && part.len() == k * k);
        // SAFETY: the processor has AVX2; the lengths are as required.
        unsafe { subset::spread(subset, part, zone.as_mut_ptr()) }
    }

    #[inline]
    pub fn unpack<T: Narrow>(self, packed: &[T], zone: &mut [Bound]) {
        // SAFETY: as in `by_dimension`.
        unsafe { unpack(packed, zone) }
    }

    #[inline]
    pub fn compare(self, left: &[Bound], right: &[Bound]) -> (bool, bool) {
        assert!(left.len() == right.len() && left.len() >= 8);
        // SAFETY: as in `by_dimension`.
        unsafe { compare(left.as_ptr(), right.as_ptr(), left.len()) }
    }

    #[inline]
    pub fn maximum(self, left: &mut [Bound], right: &[Bound]) -> bool {
        assert!(left.len() == right.len() && left.len() >= 8);
        // SAFETY: as in `by_dimension`.
        unsafe { maximum(left.as_mut_ptr(), right.as_ptr(), left.len()) }
    }

    #[inline]
    pub fn any_greater_narrow<T: Narrow>(self, left: &[T], right: &[T]) -> bool {
        assert!(left.len() == right.len() && left.len() >= 16);
        // SAFETY: as in `by_dimension`.
        unsafe { any_greater_narrow(left.as_ptr(), right.as_ptr(), left.len()) }
    }

    #[inline]
    pub fn any_greater_mixed<T: Narrow>(self, left: &[Bound], right: &[T]) -> bool {
        assert!(left.len() == right.len() && left.len() >= 8);
        // SAFETY: as in `by_dimension`.
        unsafe { any_greater_mixed(left.as_ptr(), right.as_ptr(), left.len()) }
    }

    #[inline]
    pub fn minimum(self, zone: &mut [Bound], other: &[Bound], n: usize) -> RowSet {
        assert!((4..=RowSet::CAPACITY).contains(&n) && zone.len() == n * n && other.len() == n * n);
        let entries = zone.as_mut_ptr();
        by_dimension!(n, minimum(entries, other.as_ptr()))
    }

    #[inline]
    pub fn implied_columns(self, zone: &[Bound], n: usize, i: usize, through: RowSet) -> RowSet {
        assert!((4..=RowSet::CAPACITY).contains(&n) && zone.len() == n * n && i < n);
        assert!(through.without(RowSet::all(n)).is_empty());
        by_dimension!(n, implied_columns(zone.as_ptr(), i, through))
    }

    #[inline]
    pub fn alu_violated(
        self,
        small: &[Bound],
        large: &[Bound],
        n: usize,
        lower: &[i32],
        upper: &[i32],
    ) -> bool {
        if n > RowSet::CAPACITY {
            return scalar::alu_violated(small, large, n, lower, upper);
        }
        assert!(n >= 4 && small.len() == n * n && large.len() == n * n && upper.len() >= n);
        by_dimension!(
            n,
            alu_violated(small.as_ptr(), large.as_ptr(), &lower[..n], upper.as_ptr())
        )
    }

    #[inline]
    pub fn alu_core(
        self,
        zone: &[Bound],
        n: usize,
        lower: &[i32],
        upper: &[i32],
        core: &mut [Bound],
    ) {
        if n > RowSet::CAPACITY {
            return scalar::alu_core(zone, n, lower, upper, core);
        }
        assert!(n >= 4 && zone.len() == n * n && core.len() == n * n && upper.len() >= n);
        let (zone, core) = (zone.as_ptr(), core.as_mut_ptr());
        by_dimension!(n, alu_core(zone, &lower[..n], upper.as_ptr(), core))
    }

    #[inline]
    pub fn saturate<T: Narrow>(self, core: &[Bound], packed: &mut [T]) {
        // SAFETY: as in `by_dimension`.
        unsafe { saturate(core, packed) }
    }

    #[inline]
    pub fn raise_lu<const W: usize>(
        self,
        zone: &mut [Bound],
        n: usize,
        lower: &[i32],
        upper: &[i32],
    ) -> RowSets<W> {
        assert!((4..=RowSets::<W>::CAPACITY).contains(&n) && zone.len() == n * n);
        assert!(upper.len() >= n && n <= MOST_ROWS);
        if W > 1 {
            // SAFETY: as in `by_dimension`.
            return unsafe { wide::raise_lu(zone, n, &lower[..n], upper) };
        }
        let entries = zone.as_mut_ptr();
        by_dimension!(n, raise_lu(entries, &lower[..n], upper.as_ptr())).widen()
    }

    #[inline]
    pub fn raise_lu_plus<const W: usize>(
        self,
        zone: &mut [Bound],
        n: usize,
        lower: &[i32],
        upper: &[i32],
    ) -> Raised<W> {
        assert!((4..=RowSets::<W>::CAPACITY).contains(&n) && zone.len() == n * n);
        assert!(upper.len() >= n && n <= MOST_ROWS);
        if W > 1 {
            // SAFETY: as in `by_dimension`.
            return unsafe { wide::raise_lu_plus(zone, n, &lower[..n], upper) };
        }
        let entries = zone.as_mut_ptr();
        let raised: Raised = by_dimension!(n, raise_lu_plus(entries, &lower[..n], upper.as_ptr()));
        Raised {
            beyond_zero: false,
            changed: raised.changed,
            above_upper: raised.above_upper.widen(),
            above_lower: raised.above_lower.widen(),
            lost: raised.lost.widen(),
        }
    }
}
