//! Floyd–Warshall, in whole and in part.

use super::rows::{Chunks, Rows, all, bits, select};
use crate::bound::{Bound, INFINITY, SMALLEST};
use crate::zone::rows::RowSet;
use std::arch::x86_64::*;

/// What a sum with these bounds may not fall below: infinity where they are infinite, else the smallest bound.
#[inline]
#[target_feature(enable = "avx2")]
fn floor(pivot: __m256i) -> __m256i {
    select(
        _mm256_cmpeq_epi32(pivot, all(INFINITY)),
        all(INFINITY),
        all(SMALLEST),
    )
}

/// A row through which others are relaxed, in registers.
#[derive(Clone, Copy)]
struct Pivot<const C: usize> {
    values: Chunks<C>,
    floors: Chunks<C>,
}

impl<const C: usize> Pivot<C> {
    #[inline]
    #[target_feature(enable = "avx2")]
    fn new(values: Chunks<C>) -> Self {
        let mut floors = values;
        for value in &mut floors {
            *value = floor(*value);
        }
        Pivot { values, floors }
    }

    /// The row's minimum with `first + pivot`; `first` is finite. See the plain form for the strictness.
    #[inline]
    #[target_feature(enable = "avx2")]
    fn relax(&self, row: Chunks<C>, first: Bound) -> Chunks<C> {
        let (base, keep) = (all(first & !1), all(first | !1));
        let mut result = row;
        for (chunk, entry) in result.iter_mut().enumerate() {
            let sum = _mm256_add_epi32(base, _mm256_and_si256(self.values[chunk], keep));
            *entry = _mm256_min_epi32(*entry, _mm256_max_epi32(sum, self.floors[chunk]));
        }
        result
    }
}

/// Floyd–Warshall on a zone of dimension 4 to 8 that stays in registers all the while.
///
/// SAFETY: `zone` must be valid for `N * N` bounds.
#[target_feature(enable = "avx2")]
pub(super) unsafe fn close_in_registers<const N: usize, const SMALL: bool>(zone: *mut Bound) {
    let layout = Rows::<1, SMALL>::new(N);
    let mut rows = [all(0); N];
    for (i, row) in rows.iter_mut().enumerate() {
        // SAFETY: row i is within the zone.
        *row = unsafe { layout.load(zone.add(i * N)) }[0];
    }
    let strict_part = all(!1);
    for k in 0..N {
        let pivot = rows[k];
        let floor = floor(pivot);
        for (i, row) in rows.iter_mut().enumerate() {
            if i == k {
                continue;
            }
            let first = _mm256_permutevar8x32_epi32(*row, all(k as i32));
            let base = _mm256_and_si256(first, strict_part);
            let keep = _mm256_or_si256(first, strict_part);
            let sum = _mm256_add_epi32(base, _mm256_and_si256(pivot, keep));
            let relaxed = _mm256_min_epi32(*row, _mm256_max_epi32(sum, floor));
            *row = select(_mm256_cmpeq_epi32(first, all(INFINITY)), *row, relaxed);
        }
    }
    for (i, &row) in rows.iter().enumerate() {
        // SAFETY: row i is within the zone.
        unsafe { layout.store(zone.add(i * N), [row]) }
    }
}

/// SAFETY: `zone` must be valid for `n * n` bounds, the sets within `0..n`.
#[target_feature(enable = "avx2")]
pub(super) unsafe fn relax_rows_in_place<const C: usize, const SMALL: bool>(
    layout: Rows<C, SMALL>,
    zone: *mut Bound,
    pivots: RowSet,
    rows: RowSet,
) {
    let n = layout.n;
    for k in pivots {
        // SAFETY: rows k and i are within the zone.
        let pivot = Pivot::new(unsafe { layout.load(zone.add(k * n)) });
        for i in rows {
            // SAFETY: as above.
            unsafe {
                let row = zone.add(i * n);
                let first = *row.add(k);
                if first != INFINITY && i != k {
                    layout.store(row, pivot.relax(layout.load(row), first));
                }
            }
        }
    }
}

/// As in place, on a copy of the rows in which no two chunks overlap: storing a chunk and soon after loading one
/// that overlaps it would make the processor wait.
///
/// SAFETY: as in place.
#[target_feature(enable = "avx2")]
pub(super) unsafe fn relax_rows_in_copy<const C: usize, const SMALL: bool>(
    layout: Rows<C, SMALL>,
    zone: *mut Bound,
    pivots: RowSet,
    rows: RowSet,
) {
    let n = layout.n;
    let mut copy = [[std::mem::MaybeUninit::<__m256i>::uninit(); C]; RowSet::CAPACITY];
    let copy: *mut Chunks<C> = copy.as_mut_ptr().cast();
    for i in rows.union(pivots) {
        // SAFETY: row i is within the zone, and the copy has as many.
        unsafe { copy.add(i).write(layout.load(zone.add(i * n))) }
    }
    for k in pivots {
        let column = if !SMALL && k >= 8 * (C - 1) {
            8 * C + k - n
        } else {
            k
        };
        // SAFETY: rows k and i have been copied; the column is that of clock k in the last chunk that holds it.
        let pivot = Pivot::new(unsafe { *copy.add(k) });
        for i in rows {
            // SAFETY: as above.
            unsafe {
                let row = copy.add(i);
                let first = *row.cast::<Bound>().add(column);
                if first != INFINITY && i != k {
                    *row = pivot.relax(*row, first);
                }
            }
        }
    }
    for i in rows {
        // SAFETY: as above.
        unsafe { layout.store(zone.add(i * n), *copy.add(i)) }
    }
}

/// SAFETY: `zone` must be valid for `n * n` bounds, `i` and `j` below `n`.
#[target_feature(enable = "avx2")]
pub(super) unsafe fn close_constraint<const C: usize, const SMALL: bool>(
    layout: Rows<C, SMALL>,
    zone: *mut Bound,
    i: usize,
    j: usize,
    bound: Bound,
) {
    let n = layout.n;
    // SAFETY: row j is within the zone. It does not change: the way j → i → j is not negative.
    let pivot = Pivot::new(unsafe { layout.load(zone.add(j * n)) });
    for p in 0..n {
        // SAFETY: row p is within the zone, i and j within the row.
        unsafe {
            let row = zone.add(p * n);
            let to_i = *row.add(i);
            let first = (to_i + bound - ((to_i | bound) & 1)).max(SMALLEST);
            if to_i != INFINITY && first < *row.add(j) {
                layout.store(row, pivot.relax(layout.load(row), first));
            }
        }
    }
}

/// SAFETY: both zones must be valid for `n * n` bounds.
#[target_feature(enable = "avx2")]
pub(super) unsafe fn minimum<const C: usize, const SMALL: bool>(
    layout: Rows<C, SMALL>,
    zone: *mut Bound,
    other: *const Bound,
) -> RowSet {
    let n = layout.n;
    let mut touched = RowSet::default();
    for i in 0..n {
        // SAFETY: row i is within both zones.
        let (mut row, theirs) =
            unsafe { (layout.load(zone.add(i * n)), layout.load(other.add(i * n))) };
        let mut columns = 0;
        for (chunk, entry) in row.iter_mut().enumerate() {
            columns |= bits(_mm256_cmpgt_epi32(*entry, theirs[chunk])) << layout.offset(chunk);
            *entry = _mm256_min_epi32(*entry, theirs[chunk]);
        }
        if columns != 0 {
            touched.insert(i);
            touched = touched.union(RowSet::from_bits(columns));
            // SAFETY: row i is within the zone.
            unsafe { layout.store(zone.add(i * n), row) }
        }
    }
    touched
}

/// SAFETY: the zone must be valid for `n * n` bounds, `i` and the rows below `n`.
#[target_feature(enable = "avx2")]
pub(super) unsafe fn implied_columns<const C: usize, const SMALL: bool>(
    layout: Rows<C, SMALL>,
    zone: *const Bound,
    i: usize,
    through: RowSet,
) -> RowSet {
    let n = layout.n;
    // SAFETY: rows i and k are within the zone.
    let row = unsafe { layout.load(zone.add(i * n)) };
    let mut implied = 0;
    for k in through {
        // SAFETY: as above.
        let (first, values) = unsafe { (*zone.add(i * n + k), layout.load(zone.add(k * n))) };
        if first == INFINITY || i == k {
            continue;
        }
        let (base, keep) = (all(first & !1), all(first | !1));
        let mut columns = 0;
        for chunk in 0..C {
            let sum = _mm256_add_epi32(base, _mm256_and_si256(values[chunk], keep));
            let sum = _mm256_max_epi32(sum, floor(values[chunk]));
            let larger = _mm256_cmpgt_epi32(_mm256_min_epi32(sum, all(INFINITY)), row[chunk]);
            columns |= (!bits(larger) & 0xff) << layout.offset(chunk);
        }
        implied |= columns & !(1 << k);
    }
    RowSet::from_bits(implied).without(RowSet::all(64).without(RowSet::all(n)))
}
