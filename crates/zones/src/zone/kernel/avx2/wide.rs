//! Zones of more rows than one word of a row set holds: plain loops over rows, which the compiler turns into vectors.

use crate::bound::{Bound, INFINITY, LE_ZERO, SMALLEST, add, le, lt};
use crate::zone::kernel::Raised;
use crate::zone::rows::{MOST_ROWS, RowSets};

/// The row's minimum with `first + pivot`; `first` is finite. As in the other kernels.
#[inline]
#[target_feature(enable = "avx2")]
fn relax(row: &mut [Bound], pivot: &[Bound], first: Bound) {
    let (base, keep) = (first & !1, first | !1);
    for (entry, &to) in row.iter_mut().zip(pivot) {
        let floor = if to == INFINITY { INFINITY } else { SMALLEST };
        *entry = (*entry).min((base + (to & keep)).max(floor));
    }
}

/// Rows `i` and `k` of a zone, which must not be the same.
#[inline(always)]
fn two_rows(zone: &mut [Bound], n: usize, i: usize, k: usize) -> (&mut [Bound], &[Bound]) {
    if i < k {
        let (head, tail) = zone.split_at_mut(k * n);
        (&mut head[i * n..][..n], &tail[..n])
    } else {
        let (head, tail) = zone.split_at_mut(i * n);
        (&mut tail[..n], &head[k * n..][..n])
    }
}

#[target_feature(enable = "avx2")]
pub(super) fn relax_rows(
    zone: &mut [Bound],
    n: usize,
    pivots: impl Iterator<Item = usize>,
    rows: impl Iterator<Item = usize> + Clone,
) {
    for k in pivots {
        for i in rows.clone() {
            let first = zone[i * n + k];
            if first != INFINITY && i != k {
                let (row, pivot) = two_rows(zone, n, i, k);
                relax(row, pivot, first);
            }
        }
    }
}

#[target_feature(enable = "avx2")]
pub(super) fn close_constraint(zone: &mut [Bound], n: usize, i: usize, j: usize, bound: Bound) {
    // Row j does not change: the way j → i → j is not negative.
    for p in (0..n).filter(|p| *p != j) {
        let first = add(zone[p * n + i], bound);
        if first < zone[p * n + j] {
            let (row, pivot) = two_rows(zone, n, p, j);
            relax(row, pivot, first);
        }
    }
}

/// Raises the entries above the limit and those whose columns are gone (all ones); says whether any was raised, and whether
/// one in a column that is not gone was.
#[inline]
#[target_feature(enable = "avx2")]
fn raise_row(row: &mut [Bound], gone: &[i32], limit: Bound) -> (bool, bool) {
    let (mut changed, mut lost) = (0, 0);
    for (entry, &gone) in row.iter_mut().zip(gone) {
        let above = -i32::from(*entry > limit);
        let goes = (above | gone) & -i32::from(*entry != INFINITY);
        changed |= goes;
        lost |= goes & !gone;
        *entry = if goes != 0 { INFINITY } else { *entry };
    }
    (changed != 0, lost != 0)
}

#[target_feature(enable = "avx2")]
pub(super) fn raise_lu_plus<const W: usize>(
    zone: &mut [Bound],
    n: usize,
    lower: &[i32],
    upper: &[i32],
) -> Raised<W> {
    let mut raised = Raised::default();
    let mut gone = [0; MOST_ROWS];
    for j in 1..n {
        let low = zone[j];
        if low <= lt(-lower[j]) {
            raised.above_lower.insert(j);
        }
        let floor = lt(-upper[j]);
        if low <= floor {
            raised.above_upper.insert(j);
            gone[j] = -1;
            let floor = floor.min(LE_ZERO);
            raised.changed |= low != floor;
            zone[j] = floor;
        }
    }
    for i in 1..n {
        let dead = raised.above_lower.contains(i);
        let limit = if dead { i32::MIN } else { le(lower[i]) };
        let zero = &mut zone[i * n];
        if *zero > limit && *zero != INFINITY {
            *zero = INFINITY;
            raised.changed = true;
            if !dead {
                raised.lost.insert(i);
            }
        }
        let (left, right) = zone[i * n..][..n].split_at_mut(i);
        for (part, gone) in [
            (&mut left[1..], &gone[1..i]),
            (&mut right[1..], &gone[i + 1..n]),
        ] {
            let (changed, lost) = raise_row(part, gone, limit);
            raised.changed |= changed;
            if lost && !dead {
                raised.lost.insert(i);
                raised.beyond_zero = true;
            }
        }
    }
    raised
}

#[target_feature(enable = "avx2")]
pub(super) fn raise_lu<const W: usize>(
    zone: &mut [Bound],
    n: usize,
    lower: &[i32],
    upper: &[i32],
) -> RowSets<W> {
    let mut floors = [0; MOST_ROWS];
    for (floor, upper) in floors[..n].iter_mut().zip(upper) {
        *floor = lt(-*upper);
    }
    floors[0] = lt(0);
    let mut rows = RowSets::default();
    for i in 0..n {
        let limit = if i == 0 { INFINITY } else { le(lower[i]) };
        let highest_floor = if i == 0 { LE_ZERO } else { INFINITY };
        let (left, right) = zone[i * n..][..n].split_at_mut(i);
        let mut changed = 0;
        for (part, floors) in [(left, &floors[..i]), (&mut right[1..], &floors[i + 1..n])] {
            for (entry, &floor) in part.iter_mut().zip(floors) {
                let raised = (*entry).max(floor.min(highest_floor));
                let raised = if *entry > limit { INFINITY } else { raised };
                changed |= i32::from(raised != *entry);
                *entry = raised;
            }
        }
        if changed != 0 {
            rows.insert(i);
        }
    }
    rows
}
