//! The kernels with AVX2 instructions, eight bounds at a time. All `unsafe` code of the crate is in this file.
//!
//! Rows are not padded, so a row of `n ≥ 8` bounds is taken as chunks of eight of which the last ends where the row
//! ends and may overlap the one before: the operations give the same in both, and both are loaded before either is
//! stored. A row of `4 ≤ n < 8` is one chunk, loaded under a mask and stored as two overlapping halves.

use super::{Raised, scalar};
use crate::bound::{Bound, INFINITY, LE_ZERO, NO_BOUND, SMALLEST, le, lt};
use crate::zone::rows::RowSet;
use std::arch::x86_64::*;

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
                _ => scalar::close(zone, n),
            }
        }
    }

    #[inline]
    pub fn relax_rows(self, zone: &mut [Bound], n: usize, pivots: RowSet, rows: RowSet) {
        assert!((4..=RowSet::CAPACITY).contains(&n) && zone.len() == n * n);
        let all = RowSet::all(n);
        assert!(pivots.without(all).is_empty() && rows.without(all).is_empty());
        let entries = zone.as_mut_ptr();
        if n.is_multiple_of(8) || pivots.len() <= 2 {
            by_dimension!(n, relax_rows_in_place(entries, pivots, rows))
        } else {
            by_dimension!(n, relax_rows_in_copy(entries, pivots, rows))
        }
    }

    #[inline]
    pub fn close_constraint(self, zone: &mut [Bound], n: usize, i: usize, j: usize, bound: Bound) {
        if n > RowSet::CAPACITY {
            return scalar::close_constraint(zone, n, i, j, bound);
        }
        assert!(n >= 4 && zone.len() == n * n && i < n && j < n);
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
    pub fn raise_lu_plus(
        self,
        zone: &mut [Bound],
        n: usize,
        lower: &[i32],
        upper: &[i32],
    ) -> Raised {
        assert!((4..=RowSet::CAPACITY).contains(&n) && zone.len() == n * n && upper.len() >= n);
        let entries = zone.as_mut_ptr();
        by_dimension!(n, raise_lu_plus(entries, &lower[..n], upper.as_ptr()))
    }
}

/// How a row of `n` bounds is cut into `C` chunks; `SMALL` if it is shorter than one.
#[derive(Clone, Copy)]
struct Rows<const C: usize, const SMALL: bool> {
    n: usize,
    /// For small rows: the lanes in use, and the permutation that brings the last four of them to the front.
    mask: __m256i,
    last_four: __m256i,
}

type Chunks<const C: usize> = [__m256i; C];

impl<const C: usize, const SMALL: bool> Rows<C, SMALL> {
    #[inline]
    #[target_feature(enable = "avx2")]
    fn new(n: usize) -> Self {
        debug_assert!(if SMALL {
            (4..8).contains(&n)
        } else {
            n.div_ceil(8) == C
        });
        let lanes = lane_numbers();
        let mask = _mm256_cmpgt_epi32(_mm256_set1_epi32(n as i32), lanes);
        let last_four = _mm256_add_epi32(lanes, _mm256_set1_epi32(n as i32 - 4));
        Rows { n, mask, last_four }
    }

    #[inline(always)]
    fn offset(self, chunk: usize) -> usize {
        if SMALL {
            0
        } else if chunk + 1 == C {
            self.n - 8
        } else {
            8 * chunk
        }
    }

    /// SAFETY: `row` must be valid for reading `n` bounds.
    #[inline]
    #[target_feature(enable = "avx2")]
    unsafe fn load(self, row: *const Bound) -> Chunks<C> {
        std::array::from_fn(|chunk| {
            if SMALL {
                // SAFETY: only the first n lanes are read.
                unsafe { _mm256_maskload_epi32(row, self.mask) }
            } else {
                // SAFETY: the chunk ends at or before the row's end.
                unsafe { _mm256_loadu_si256(row.add(self.offset(chunk)).cast()) }
            }
        })
    }

    /// SAFETY: `row` must be valid for writing `n` bounds.
    #[inline]
    #[target_feature(enable = "avx2")]
    unsafe fn store(self, row: *mut Bound, chunks: Chunks<C>) {
        for (chunk, &values) in chunks.iter().enumerate() {
            if SMALL {
                let end = _mm256_permutevar8x32_epi32(values, self.last_four);
                // SAFETY: n ≥ 4, so both halves lie within the row. (A masked store is slow on some processors.)
                unsafe {
                    _mm_storeu_si128(row.cast(), _mm256_castsi256_si128(values));
                    _mm_storeu_si128(row.add(self.n - 4).cast(), _mm256_castsi256_si128(end));
                }
            } else {
                // SAFETY: the chunk ends at or before the row's end.
                unsafe { _mm256_storeu_si256(row.add(self.offset(chunk)).cast(), values) }
            }
        }
    }
}

#[inline]
#[target_feature(enable = "avx2")]
fn lane_numbers() -> __m256i {
    _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7)
}

#[inline]
#[target_feature(enable = "avx2")]
fn all(value: i32) -> __m256i {
    _mm256_set1_epi32(value)
}

#[inline]
#[target_feature(enable = "avx2")]
fn any(mask: __m256i) -> bool {
    _mm256_testz_si256(mask, mask) == 0
}

/// One bit for each lane.
#[inline]
#[target_feature(enable = "avx2")]
fn bits(mask: __m256i) -> u64 {
    u64::from(_mm256_movemask_ps(_mm256_castsi256_ps(mask)) as u32)
}

/// Where `condition`, `then`, else `otherwise`.
#[inline]
#[target_feature(enable = "avx2")]
fn select(condition: __m256i, then: __m256i, otherwise: __m256i) -> __m256i {
    _mm256_blendv_epi8(otherwise, then, condition)
}

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
unsafe fn close_in_registers<const N: usize, const SMALL: bool>(zone: *mut Bound) {
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
unsafe fn relax_rows_in_place<const C: usize, const SMALL: bool>(
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
unsafe fn relax_rows_in_copy<const C: usize, const SMALL: bool>(
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
unsafe fn close_constraint<const C: usize, const SMALL: bool>(
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

/// Calls `visit` with the start of each chunk of eight of `length ≥ 8` numbers; the last may overlap.
macro_rules! for_each_chunk {
    ($length:expr, |$start:ident| $body:block) => {
        let mut $start = 0;
        while $start + 8 <= $length {
            $body
            $start += 8;
        }
        if $start < $length {
            $start = $length - 8;
            $body
        }
    };
}

/// SAFETY: both must be valid for reading `start + 8` bounds.
#[inline]
#[target_feature(enable = "avx2")]
unsafe fn greater_at(left: *const Bound, right: *const Bound, start: usize) -> __m256i {
    // SAFETY: as required.
    unsafe {
        _mm256_cmpgt_epi32(
            _mm256_loadu_si256(left.add(start).cast()),
            _mm256_loadu_si256(right.add(start).cast()),
        )
    }
}

/// SAFETY: both must be valid for reading `length ≥ 8` bounds.
#[target_feature(enable = "avx2")]
unsafe fn any_greater(left: *const Bound, right: *const Bound, length: usize) -> bool {
    // SAFETY: no chunk ends beyond the length.
    unsafe {
        let mut start = 0;
        while start + 32 <= length {
            let first = _mm256_or_si256(
                greater_at(left, right, start),
                greater_at(left, right, start + 8),
            );
            let second = _mm256_or_si256(
                greater_at(left, right, start + 16),
                greater_at(left, right, start + 24),
            );
            if any(_mm256_or_si256(first, second)) {
                return true;
            }
            start += 32;
        }
        let mut found = greater_at(left, right, length - 8);
        while start + 8 < length {
            found = _mm256_or_si256(found, greater_at(left, right, start));
            start += 8;
        }
        any(found)
    }
}

/// SAFETY: both must be valid for reading `length ≥ 8` bounds.
#[target_feature(enable = "avx2")]
unsafe fn compare(left: *const Bound, right: *const Bound, length: usize) -> (bool, bool) {
    let (mut smaller, mut larger) = (all(0), all(0));
    for_each_chunk!(length, |start| {
        // SAFETY: the chunk ends at or before the length.
        unsafe {
            smaller = _mm256_or_si256(smaller, greater_at(right, left, start));
            larger = _mm256_or_si256(larger, greater_at(left, right, start));
        }
        if start % 64 == 56 && any(smaller) && any(larger) {
            return (true, true);
        }
    });
    (any(smaller), any(larger))
}

/// SAFETY: both must be valid for `length ≥ 8` bounds.
#[target_feature(enable = "avx2")]
unsafe fn maximum(left: *mut Bound, right: *const Bound, length: usize) -> bool {
    let mut changed = all(0);
    for_each_chunk!(length, |start| {
        // SAFETY: the chunk ends at or before the length.
        unsafe {
            let (l, r) = (left.add(start).cast(), right.add(start).cast());
            let (before, other) = (_mm256_loadu_si256(l), _mm256_loadu_si256(r));
            changed = _mm256_or_si256(changed, _mm256_cmpgt_epi32(other, before));
            _mm256_storeu_si256(l, _mm256_max_epi32(before, other));
        }
    });
    any(changed)
}

/// `lt(-limit)` for each lane, and zero in the lane of the reference clock.
#[inline]
#[target_feature(enable = "avx2")]
fn below_negated(limits: __m256i, is_reference: __m256i) -> __m256i {
    let negated = _mm256_sub_epi32(all(0), _mm256_slli_epi32::<1>(limits));
    _mm256_andnot_si256(is_reference, negated)
}

/// The lane of the reference clock in the chunk at `offset`.
#[inline]
#[target_feature(enable = "avx2")]
fn reference_lane(offset: usize) -> __m256i {
    _mm256_cmpeq_epi32(lane_numbers(), all(-(offset as i32)))
}

/// SAFETY: the zones must be valid for `n * n` bounds, `upper` for `n`; `lower.len()` must be `n`.
#[target_feature(enable = "avx2")]
unsafe fn alu_violated<const C: usize, const SMALL: bool>(
    layout: Rows<C, SMALL>,
    small: *const Bound,
    large: *const Bound,
    lower: &[i32],
    upper: *const i32,
) -> bool {
    let n = layout.n;
    // SAFETY: both are rows of n numbers.
    let (lows, uppers) = unsafe { (layout.load(small), layout.load(upper)) };
    // The lower bounds of small for the clocks that are not above U; the others cannot violate anything.
    let mut lowest = lows;
    for (chunk, low) in lowest.iter_mut().enumerate() {
        let limit = below_negated(uppers[chunk], reference_lane(layout.offset(chunk)));
        *low = select(_mm256_cmpgt_epi32(*low, limit), *low, all(i32::MIN));
    }
    for (y, &lower_y) in lower.iter().enumerate() {
        let lower_y = if y == 0 { 0 } else { lower_y };
        if lower_y == NO_BOUND {
            continue;
        }
        let limit = all(lt(-lower_y));
        // SAFETY: row y is within both zones.
        let (ours, theirs) =
            unsafe { (layout.load(small.add(y * n)), layout.load(large.add(y * n))) };
        let mut violated = all(0);
        for chunk in 0..C {
            let tighter = _mm256_cmpgt_epi32(ours[chunk], theirs[chunk]);
            let sum = _mm256_add_epi32(_mm256_and_si256(theirs[chunk], all(!1)), limit);
            let beyond = _mm256_cmpgt_epi32(lowest[chunk], sum);
            violated = _mm256_or_si256(violated, _mm256_and_si256(tighter, beyond));
        }
        if any(violated) {
            return true;
        }
    }
    false
}

/// SAFETY: the zone must be valid for `n * n` bounds, `upper` for `n`; `lower.len()` must be `n`.
#[target_feature(enable = "avx2")]
unsafe fn raise_lu_plus<const C: usize, const SMALL: bool>(
    layout: Rows<C, SMALL>,
    zone: *mut Bound,
    lower: &[i32],
    upper: *const i32,
) -> Raised {
    let n = layout.n;
    // SAFETY: all three are rows of n numbers.
    let (lows, lowers, uppers) = unsafe {
        (
            layout.load(zone),
            layout.load(lower.as_ptr()),
            layout.load(upper),
        )
    };
    let (mut first_row, mut gone) = (lows, lows);
    let (mut above_lower, mut above_upper, mut changed) = (0, 0, all(0));
    for chunk in 0..C {
        let offset = layout.offset(chunk);
        let reference = reference_lane(offset);
        let clocks = _mm256_andnot_si256(reference, if SMALL { layout.mask } else { all(-1) });
        let low = lows[chunk];
        let not_above = _mm256_cmpgt_epi32(low, below_negated(lowers[chunk], reference));
        above_lower |= bits(_mm256_andnot_si256(not_above, clocks)) << offset;
        let limit = below_negated(uppers[chunk], reference);
        gone[chunk] = _mm256_andnot_si256(_mm256_cmpgt_epi32(low, limit), clocks);
        above_upper |= bits(gone[chunk]) << offset;
        let raised = select(gone[chunk], _mm256_min_epi32(limit, all(LE_ZERO)), low);
        changed = _mm256_or_si256(changed, _mm256_cmpgt_epi32(raised, low));
        first_row[chunk] = raised;
    }
    if any(changed) {
        // SAFETY: the first row.
        unsafe { layout.store(zone, first_row) }
    }
    let above_lower = RowSet::from_bits(above_lower);
    let mut raised = Raised {
        changed: any(changed),
        above_upper: RowSet::from_bits(above_upper),
        above_lower,
        ..Raised::default()
    };
    for (i, &lower_i) in lower.iter().enumerate().skip(1) {
        let dead = above_lower.contains(i);
        let limit = all(if dead { i32::MIN } else { le(lower_i) });
        // SAFETY: row i is within the zone.
        let mut row = unsafe { layout.load(zone.add(i * n)) };
        let (mut changed, mut lost) = (all(0), all(0));
        for chunk in 0..C {
            let entry = row[chunk];
            let diagonal =
                _mm256_cmpeq_epi32(lane_numbers(), all(i as i32 - layout.offset(chunk) as i32));
            let goes = _mm256_or_si256(_mm256_cmpgt_epi32(entry, limit), gone[chunk]);
            let finite = _mm256_andnot_si256(diagonal, _mm256_cmpgt_epi32(all(INFINITY), entry));
            let finite = if SMALL {
                _mm256_and_si256(finite, layout.mask)
            } else {
                finite
            };
            let goes = _mm256_and_si256(goes, finite);
            row[chunk] = select(goes, all(INFINITY), entry);
            changed = _mm256_or_si256(changed, goes);
            lost = _mm256_or_si256(lost, _mm256_andnot_si256(gone[chunk], goes));
        }
        if any(changed) {
            raised.changed = true;
            if !dead && any(lost) {
                raised.lost.insert(i);
            }
            // SAFETY: row i is within the zone.
            unsafe { layout.store(zone.add(i * n), row) }
        }
    }
    raised
}
