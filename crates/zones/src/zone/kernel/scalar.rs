//! The kernels in plain Rust: the reference for the vector forms, and what runs where those cannot.

use super::Raised;
use crate::bound::{Bound, INFINITY, LE_ZERO, NO_BOUND, SMALLEST, add, le, lt};
use crate::zone::rows::{RowSet, RowSets};
use crate::zone::storage::narrow::Narrow;
use crate::zone::storage::subset::Subset;

/// `row[q] = min(row[q], first + pivot[q])` for all q. `first` must be finite.
#[inline(always)]
fn relax_row(row: &mut [Bound], first: Bound, pivot: &[Bound]) {
    // Strictness of a sum with a fixed left side: keep the right side's strictness bit only if the left is `≤`.
    let (base, keep) = (first & !1, first | !1);
    for (entry, &second) in row.iter_mut().zip(pivot) {
        let floor = if second == INFINITY {
            INFINITY
        } else {
            SMALLEST
        };
        let sum = (base + (second & keep)).max(floor);
        *entry = (*entry).min(sum);
    }
}

/// Relaxes row `i` through row `k`: one inner loop of Floyd–Warshall. Does nothing if `i == k`.
#[inline(always)]
fn relax_through(zone: &mut [Bound], n: usize, i: usize, k: usize) {
    let first = zone[i * n + k];
    if first == INFINITY || i == k {
        return;
    }
    let (row, pivot) = two_rows(zone, n, i, k);
    relax_row(row, first, pivot);
}

/// Row `i` for writing and row `k` for reading; `i != k`.
#[inline(always)]
fn two_rows(zone: &mut [Bound], n: usize, i: usize, k: usize) -> (&mut [Bound], &[Bound]) {
    if i < k {
        let (low, high) = zone.split_at_mut(k * n);
        (&mut low[i * n..i * n + n], &high[..n])
    } else {
        let (low, high) = zone.split_at_mut(i * n);
        (&mut high[..n], &low[k * n..k * n + n])
    }
}

/// See [`super::close`].
pub(crate) fn close(zone: &mut [Bound], n: usize) {
    for k in 0..n {
        for i in 0..n {
            relax_through(zone, n, i, k);
        }
    }
}

/// See [`super::relax_rows`].
pub(crate) fn relax_rows<const W: usize>(
    zone: &mut [Bound],
    n: usize,
    pivots: RowSets<W>,
    rows: RowSets<W>,
) {
    for k in pivots {
        for i in rows {
            relax_through(zone, n, i, k);
        }
    }
}

/// See [`super::close_constraint`].
pub(crate) fn close_constraint(zone: &mut [Bound], n: usize, i: usize, j: usize, bound: Bound) {
    for p in 0..n {
        // A shorter path p → i → j → q must already be shorter at q = j, else row p does not change.
        let first = add(zone[p * n + i], bound);
        if first < zone[p * n + j] {
            let (row, pivot) = two_rows(zone, n, p, j);
            relax_row(row, first, pivot);
        }
    }
}

/// See [`super::any_greater`].
pub(crate) fn any_greater(left: &[Bound], right: &[Bound]) -> bool {
    left.iter().zip(right).any(|(l, r)| l > r)
}

/// See [`super::find_greater`].
pub(crate) fn find_greater(left: &[Bound], right: &[Bound]) -> Option<usize> {
    left.iter().zip(right).position(|(l, r)| l > r)
}

/// See [`super::sum_clamped`].
#[inline(always)]
pub(crate) fn sum_clamped(entries: &[Bound], limit: Bound) -> i32 {
    entries
        .iter()
        .map(|entry| (*entry).min(limit).max(-limit))
        .sum()
}

/// See [`super::pack`].
#[inline(always)]
pub(crate) fn pack<T: Narrow>(zone: &[Bound], packed: &mut [T]) -> bool {
    let mut misfits = false;
    for (to, &from) in packed.iter_mut().zip(zone) {
        // Infinity is a number that fits in no narrow type, so it must be looked at first.
        let infinite = from == INFINITY;
        misfits |= !infinite & ((from < T::LOWEST.into()) | (from >= T::INFINITE.into()));
        *to = if infinite {
            T::INFINITE
        } else {
            T::truncate(from)
        };
    }
    !misfits
}

/// See [`super::unpack`].
#[inline(always)]
pub(crate) fn unpack<T: Narrow>(packed: &[T], zone: &mut [Bound]) {
    for (to, &from) in zone.iter_mut().zip(packed) {
        *to = from.widen();
    }
}

/// See [`super::compare`].
pub(crate) fn compare(left: &[Bound], right: &[Bound]) -> (bool, bool) {
    let mut found = (false, false);
    for (l, r) in left.iter().zip(right) {
        found.0 |= l < r;
        found.1 |= l > r;
        if found == (true, true) {
            break;
        }
    }
    found
}

/// See [`super::maximum`].
pub(crate) fn maximum(left: &mut [Bound], right: &[Bound]) -> bool {
    let mut changed = false;
    for (l, &r) in left.iter_mut().zip(right) {
        changed |= *l < r;
        *l = (*l).max(r);
    }
    changed
}

/// See [`super::any_greater_narrow`].
pub(crate) fn any_greater_narrow<T: Narrow>(left: &[T], right: &[T]) -> bool {
    left.iter().zip(right).any(|(l, r)| l > r)
}

/// See [`super::any_greater_mixed`].
pub(crate) fn any_greater_mixed<T: Narrow>(left: &[Bound], right: &[T]) -> bool {
    left.iter().zip(right).any(|(&l, r)| l > r.widen())
}

/// See [`super::minimum`].
pub(crate) fn minimum(zone: &mut [Bound], other: &[Bound], n: usize) -> RowSet {
    let mut touched = RowSet::default();
    for i in 0..n {
        for j in 0..n {
            if other[i * n + j] < zone[i * n + j] {
                zone[i * n + j] = other[i * n + j];
                touched.insert(i);
                touched.insert(j);
            }
        }
    }
    touched
}

/// See [`super::implied_columns`].
pub(crate) fn implied_columns(zone: &[Bound], n: usize, i: usize, through: RowSet) -> RowSet {
    let mut implied = RowSet::default();
    for k in through.filter(|&k| k != i) {
        for j in (0..n).filter(|&j| j != k) {
            if zone[i * n + k] != INFINITY
                && add(zone[i * n + k], zone[k * n + j]) <= zone[i * n + j]
            {
                implied.insert(j);
            }
        }
    }
    implied
}

/// See [`super::alu_violated`].
pub(crate) fn alu_violated(
    small: &[Bound],
    large: &[Bound],
    n: usize,
    lower: &[i32],
    upper: &[i32],
) -> bool {
    for y in 0..n {
        let lower_y = if y == 0 { 0 } else { lower[y] };
        if lower_y == NO_BOUND {
            continue;
        }
        for x in 0..n {
            let upper_x = if x == 0 { 0 } else { upper[x] };
            let (bound, low) = (large[y * n + x], small[x]);
            // The sum is strict; where it could overflow, the bound is infinite and the first test fails.
            if bound < small[y * n + x] && low > lt(-upper_x) && (bound & !1) + lt(-lower_y) < low {
                return true;
            }
        }
    }
    false
}

/// See [`super::alu_core`].
pub(crate) fn alu_core(zone: &[Bound], n: usize, lower: &[i32], upper: &[i32], core: &mut [Bound]) {
    let (lows, _) = zone.split_at(n);
    for (y, (row, core)) in zone
        .chunks_exact(n)
        .zip(core.chunks_exact_mut(n))
        .enumerate()
    {
        let lower_y = if y == 0 { 0 } else { lower[y] };
        for (x, (entry, core)) in row.iter().zip(core).enumerate() {
            let upper_x = if x == 0 { 0 } else { upper[x] };
            // A clock without L has a sum below every bound.
            let most = ((lows[x] + 1) & !1) + 2 * lower_y;
            *core = match lows[x] > lt(-upper_x) {
                true => most.min(*entry).max(SMALLEST),
                false => SMALLEST,
            };
        }
    }
}

/// See [`super::saturate`].
pub(crate) fn saturate<T: Narrow>(core: &[Bound], packed: &mut [T]) {
    for (entry, packed) in core.iter().zip(packed) {
        *packed = T::truncate((*entry).clamp(T::LOWEST.into(), T::INFINITE.into()));
    }
}

/// See [`super::sum_lanes`].
pub(crate) fn sum_lanes(zone: &[Bound], n: usize, limit: Bound) -> [u32; 4] {
    let mut lanes = [0u32; 4];
    for (index, row) in zone.chunks_exact(n).enumerate() {
        let lane = if index == 0 { 0 } else { 1 + (index - 1) % 3 };
        let sum: i32 = row.iter().map(|entry| (*entry).clamp(-limit, limit)).sum();
        lanes[lane] = lanes[lane].wrapping_add(sum as u32);
    }
    lanes
}

/// See [`super::choose`].
pub(crate) fn choose(zone: &[Bound], n: usize, rows: &[u16], k: usize, part: &mut [Bound]) {
    let rows = &rows[..k];
    for (row, part) in rows.iter().zip(part.chunks_exact_mut(k)) {
        let row = &zone[usize::from(*row) * n..][..n];
        for (entry, column) in part.iter_mut().zip(rows) {
            *entry = row[usize::from(*column)];
        }
    }
}

/// See [`super::spread`].
pub(crate) fn spread<T: Narrow>(subset: &Subset, part: &[T], zone: &mut [Bound]) {
    let (positions, k) = (subset.positions(), subset.rows().len());
    let rows = zone.chunks_exact_mut(positions.len());
    for (index, (row, position)) in rows.zip(positions).enumerate() {
        if *position == Subset::FREE {
            row.fill(INFINITY);
            row[index] = LE_ZERO;
            continue;
        }
        let part = &part[usize::from(*position) * k..][..k];
        let first = part[0].widen();
        for (entry, position) in row.iter_mut().zip(positions) {
            let found = part.get(usize::from(*position));
            *entry = found.map_or(first, |entry| entry.widen());
        }
    }
}

/// See [`super::compare_lanes`].
pub(crate) fn compare_lanes(words: &[u64], word: u64) -> (u64, u64) {
    const TOP: u64 = 0x8000_8000_8000_8000;
    // No lane borrows from the next, and its top bit stays where the left one is at least as large.
    let covers = |large: u64, small: u64| ((large | TOP) - small) & TOP == TOP;
    let (mut no_smaller, mut no_larger) = (0, 0);
    for (index, other) in words.iter().enumerate() {
        no_smaller |= u64::from(covers(*other, word)) << index;
        no_larger |= u64::from(covers(word, *other)) << index;
    }
    (no_smaller, no_larger)
}

/// See [`super::raise_lu`].
pub(crate) fn raise_lu<const W: usize>(
    zone: &mut [Bound],
    n: usize,
    lower: &[i32],
    upper: &[i32],
) -> RowSets<W> {
    let mut changed = RowSets::default();
    for i in 0..n {
        let limit = if i == 0 { INFINITY } else { le(lower[i]) };
        for j in (0..n).filter(|&j| j != i) {
            let floor = if j == 0 { lt(0) } else { lt(-upper[j]) };
            let floor = if i == 0 { floor.min(LE_ZERO) } else { floor };
            let entry = &mut zone[i * n + j];
            let raised = if *entry > limit {
                INFINITY
            } else {
                (*entry).max(floor)
            };
            if raised != *entry {
                *entry = raised;
                changed.insert(i);
            }
        }
    }
    changed
}

/// See [`super::raise_lu_plus`].
pub(crate) fn raise_lu_plus<const W: usize>(
    zone: &mut [Bound],
    n: usize,
    lower: &[i32],
    upper: &[i32],
) -> Raised<W> {
    let mut raised = Raised::default();
    for j in 1..n {
        let low = zone[j];
        if low <= lt(-lower[j]) {
            raised.above_lower.insert(j);
        }
        let floor = lt(-upper[j]);
        if low <= floor {
            raised.above_upper.insert(j);
            let floor = floor.min(LE_ZERO);
            raised.changed |= low != floor;
            zone[j] = floor;
        }
    }
    for i in 1..n {
        let above_lower = raised.above_lower.contains(i);
        let limit = le(lower[i]);
        for j in (0..n).filter(|&j| j != i) {
            let entry = &mut zone[i * n + j];
            let column_gone = raised.above_upper.contains(j);
            if *entry != INFINITY && (above_lower || column_gone || *entry > limit) {
                *entry = INFINITY;
                raised.changed = true;
                if !above_lower && !column_gone {
                    raised.lost.insert(i);
                    raised.beyond_zero |= W > 1 && j != 0;
                }
            }
        }
    }
    raised
}
