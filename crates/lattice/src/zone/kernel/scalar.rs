//! The kernels in plain Rust: the reference for the vector forms, and what runs where those cannot.

use crate::bound::{Bound, INFINITY, SMALLEST, add};

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
pub(crate) fn relax_through(zone: &mut [Bound], n: usize, i: usize, k: usize) {
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

/// Floyd–Warshall over all pivots.
pub(crate) fn close(zone: &mut [Bound], n: usize) {
    for k in 0..n {
        close_pivot(zone, n, k);
    }
}

/// One pivot of Floyd–Warshall over all rows.
pub(crate) fn close_pivot(zone: &mut [Bound], n: usize, k: usize) {
    for i in 0..n {
        relax_through(zone, n, i, k);
    }
}

/// Closes after the entry `(i, j)` of a closed zone has been tightened to `bound` without making it empty.
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

/// Whether some entry of `left` is larger than that of `right`.
pub(crate) fn any_greater(left: &[Bound], right: &[Bound]) -> bool {
    left.iter().zip(right).any(|(l, r)| l > r)
}

/// Whether some entry of `left` is smaller than, and whether some is larger than that of `right`.
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

/// The entries' maximum, into `left`; says whether `left` changed.
pub(crate) fn maximum(left: &mut [Bound], right: &[Bound]) -> bool {
    let mut changed = false;
    for (l, &r) in left.iter_mut().zip(right) {
        changed |= *l < r;
        *l = (*l).max(r);
    }
    changed
}

/// The test of `included_in_alu`: whether some pair of clocks shows that it fails.
pub(crate) fn alu_violated(
    small: &[Bound],
    large: &[Bound],
    n: usize,
    lower: &[i32],
    upper: &[i32],
) -> bool {
    for x in 0..n {
        let upper_x = if x == 0 { 0 } else { upper[x] };
        if small[x] <= crate::bound::lt(-upper_x) {
            continue;
        }
        for y in 0..n {
            let lower_y = if y == 0 { 0 } else { lower[y] };
            let bound = large[y * n + x];
            if bound < small[y * n + x] && add(bound, crate::bound::lt(-lower_y)) < small[x] {
                return true;
            }
        }
    }
    false
}
