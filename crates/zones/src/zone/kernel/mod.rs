//! The loops in which the time goes. Each has a plain form and, where it pays, one with vector instructions that
//! runs where the processor has them; both compute the same.

#[cfg(target_arch = "x86_64")]
mod avx2;
pub(crate) mod scalar;

use super::narrow::Narrow;
use super::rows::{RowSet, RowSets};
use super::subset::{LANES, Subset};
use crate::bound::Bound;

/// Runs the vector form if the processor has AVX2 and the condition on the size holds, else the plain one.
macro_rules! dispatch {
    ($large_enough:expr, $name:ident($($argument:expr),*)) => {{
        #[cfg(target_arch = "x86_64")]
        if $large_enough && let Some(avx2) = avx2::Avx2::detect() {
            return avx2.$name($($argument),*);
        }
        scalar::$name($($argument),*)
    }};
}

/// Floyd–Warshall over all pivots.
#[inline]
pub(crate) fn close(zone: &mut [Bound], n: usize) {
    dispatch!(n >= 4, close(zone, n))
}

/// Floyd–Warshall over some pivots in ascending order, and over some rows; the others stay as they are.
#[inline]
pub(crate) fn relax_rows<const W: usize>(
    zone: &mut [Bound],
    n: usize,
    pivots: RowSets<W>,
    rows: RowSets<W>,
) {
    dispatch!(n >= 4, relax_rows(zone, n, pivots, rows))
}

/// Closes after the entry `(i, j)` of a closed zone has been tightened to `bound` without making it empty.
#[inline]
pub(crate) fn close_constraint(zone: &mut [Bound], n: usize, i: usize, j: usize, bound: Bound) {
    dispatch!(n >= 4, close_constraint(zone, n, i, j, bound))
}

/// Whether some entry of `left` is larger than that of `right`.
#[inline]
pub(crate) fn any_greater(left: &[Bound], right: &[Bound]) -> bool {
    dispatch!(left.len() >= 8, any_greater(left, right))
}

/// The first position at which `left` is larger than `right`.
#[inline]
pub(crate) fn find_greater(left: &[Bound], right: &[Bound]) -> Option<usize> {
    dispatch!(left.len() >= 8, find_greater(left, right))
}

/// Whether some entry of `left` is smaller than, and whether some is larger than that of `right`.
#[inline]
pub(crate) fn compare(left: &[Bound], right: &[Bound]) -> (bool, bool) {
    dispatch!(left.len() >= 8, compare(left, right))
}

/// The entries' maximum, into `left`; says whether `left` changed.
#[inline]
pub(crate) fn maximum(left: &mut [Bound], right: &[Bound]) -> bool {
    dispatch!(left.len() >= 8, maximum(left, right))
}

/// [`any_greater`] on packed entries.
#[inline]
pub(crate) fn any_greater_narrow<T: Narrow>(left: &[T], right: &[T]) -> bool {
    dispatch!(left.len() >= 16, any_greater_narrow(left, right))
}

/// [`any_greater`] with packed entries on the right.
#[inline]
pub(crate) fn any_greater_mixed<T: Narrow>(left: &[Bound], right: &[T]) -> bool {
    dispatch!(left.len() >= 8, any_greater_mixed(left, right))
}

/// The sum of the entries, each taken as at most `limit` and at least `-limit`; it must not overflow.
#[inline]
pub(crate) fn sum_clamped(entries: &[Bound], limit: Bound) -> i32 {
    dispatch!(entries.len() >= 8, sum_clamped(entries, limit))
}

/// For each of at most 64 words, as bits: whether none of its four 16-bit lanes is smaller than that of `word`, and
/// whether none is larger. The top bit of each lane is 0.
#[inline]
pub(crate) fn compare_lanes(words: &[u64], word: u64) -> (u64, u64) {
    dispatch!(words.len() >= 4, compare_lanes(words, word))
}

/// The sums of the entries of row 0 and of every third of the other rows, each entry taken as at most `limit` and at least
/// `-limit`. Sums that are negative wrap around.
#[inline]
pub(crate) fn sum_lanes(zone: &[Bound], n: usize, limit: Bound) -> [u32; 4] {
    dispatch!(n >= 4, sum_lanes(zone, n, limit))
}

/// Packs entries; whether all of them fit.
#[inline]
pub(crate) fn pack<T: Narrow>(zone: &[Bound], packed: &mut [T]) -> bool {
    dispatch!(zone.len() >= 8, pack(zone, packed))
}

/// Unpacks entries.
#[inline]
pub(crate) fn unpack<T: Narrow>(packed: &[T], zone: &mut [Bound]) {
    dispatch!(zone.len() >= 8, unpack(packed, zone))
}

/// See [`choose`](super::subset::choose).
#[inline]
pub(crate) fn choose(zone: &[Bound], n: usize, rows: &[u16], k: usize, part: &mut [Bound]) {
    dispatch!(n.max(k) <= LANES, choose(zone, n, rows, k, part))
}

/// See [`Subset::spread`].
#[inline]
pub(crate) fn spread<T: Narrow>(subset: &Subset, part: &[T], zone: &mut [Bound]) {
    let n = subset.positions().len();
    dispatch!((4..=16).contains(&n), spread(subset, part, zone))
}

/// The entries' minimum, into `zone`; the rows and columns of those that changed. The dimension is at most
/// [`RowSet::CAPACITY`].
#[inline]
pub(crate) fn minimum(zone: &mut [Bound], other: &[Bound], n: usize) -> RowSet {
    dispatch!(n >= 4, minimum(zone, other, n))
}

/// The columns `j` for which some `k` of `through`, other than `i` and `j`, has `(i, k) + (k, j) ≤ (i, j)`. The
/// dimension is at most [`RowSet::CAPACITY`].
#[inline]
pub(crate) fn implied_columns(zone: &[Bound], n: usize, i: usize, through: RowSet) -> RowSet {
    dispatch!(n >= 4, implied_columns(zone, n, i, through))
}

/// The test of `included_in_alu`: whether some pair of clocks shows that it fails.
#[inline]
pub(crate) fn alu_violated(
    small: &[Bound],
    large: &[Bound],
    n: usize,
    lower: &[i32],
    upper: &[i32],
) -> bool {
    dispatch!(n >= 4, alu_violated(small, large, n, lower, upper))
}

/// See [`alu_core`](super::alu_core).
#[inline]
pub(crate) fn alu_core(zone: &[Bound], n: usize, lower: &[i32], upper: &[i32], core: &mut [Bound]) {
    dispatch!(n >= 4, alu_core(zone, n, lower, upper, core))
}

/// Packs the entries of a core: what is below or above the finite bounds of the type becomes the smallest or infinity.
#[inline]
pub(crate) fn saturate<T: Narrow>(core: &[Bound], packed: &mut [T]) {
    dispatch!(core.len() >= 8, saturate(core, packed))
}

/// Raises the entries of a zone as ExtraLU says, without closing; the rows that changed. The dimension is at most
/// [`RowSets::CAPACITY`].
#[inline]
pub(crate) fn raise_lu<const W: usize>(
    zone: &mut [Bound],
    n: usize,
    lower: &[i32],
    upper: &[i32],
) -> RowSets<W> {
    dispatch!(n >= 4, raise_lu(zone, n, lower, upper))
}

/// Raises the entries of a closed zone as ExtraLU+ says, without closing. The dimension is at most
/// [`RowSets::CAPACITY`].
#[inline]
pub(crate) fn raise_lu_plus<const W: usize>(
    zone: &mut [Bound],
    n: usize,
    lower: &[i32],
    upper: &[i32],
) -> Raised<W> {
    dispatch!(n >= 4, raise_lu_plus(zone, n, lower, upper))
}

/// What ExtraLU+ has raised.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Raised<const W: usize = 1> {
    /// Whether any entry is larger than before.
    pub changed: bool,
    /// The clocks above their U in the whole zone: their columns are gone but for row 0.
    pub above_upper: RowSets<W>,
    /// The clocks above their L in the whole zone: their rows are gone.
    pub above_lower: RowSets<W>,
    /// The other rows that lost an entry outside the columns `above_upper`.
    pub lost: RowSets<W>,
    /// Such an entry may lie outside column 0. In zones of up to 64 rows nobody looks.
    pub beyond_zero: bool,
}

#[cfg(test)]
mod tests;
