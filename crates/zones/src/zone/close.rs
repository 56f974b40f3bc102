//! Closing: the tightest entries that the given ones imply.

use super::rows::{MOST_ROWS, RowSets, by_words};
use super::{kernel, mark_empty};
use crate::bound::{Bound, LE_ZERO};

/// Closes any matrix whose diagonal is at most `≤ 0`; returns whether the zone is not empty. Floyd–Warshall, O(n³).
pub fn close(zone: &mut [Bound], n: usize) -> bool {
    assert_eq!(zone.len(), n * n);
    kernel::close(zone, n);
    check_diagonal(zone, n)
}

/// Closes a zone that was closed before entries were tightened whose rows and columns are all among `clocks`;
/// returns whether it is not empty. O(n²) for each of the clocks.
///
/// A path that a tightened entry makes shorter alternates between such entries and old, closed stretches, so its
/// inner nodes are among `clocks`.
pub fn close_through(
    zone: &mut [Bound],
    n: usize,
    clocks: impl IntoIterator<Item = usize>,
) -> bool {
    assert_eq!(zone.len(), n * n);
    if n > MOST_ROWS {
        return close(zone, n);
    }
    let clocks = clocks.into_iter();
    by_words!(n, relax_through(zone, n, clocks));
    check_diagonal(zone, n)
}

fn relax_through<const W: usize>(
    zone: &mut [Bound],
    n: usize,
    clocks: impl Iterator<Item = usize>,
) {
    let mut pivots = RowSets::<W>::default();
    for k in clocks {
        assert!(k < n);
        pivots.insert(k);
    }
    kernel::relax_rows(zone, n, pivots, RowSets::all(n));
}

fn check_diagonal(zone: &mut [Bound], n: usize) -> bool {
    let non_empty = (0..n).all(|i| zone[i * n + i] >= LE_ZERO);
    if !non_empty {
        mark_empty(zone);
    }
    non_empty
}

/// Closes a zone that was closed before entries in the rows `changed` were *raised*; the zone cannot become empty.
///
/// No path can be shorter than it was, so the rows in which nothing was raised are final, and are the first pivots
/// (Floyd–Warshall takes its pivots in any order). O(n²) for each changed row.
pub(super) fn close_raised<const W: usize>(zone: &mut [Bound], n: usize, changed: RowSets<W>) {
    kernel::relax_rows(zone, n, RowSets::all(n).without(changed), changed);
    kernel::relax_rows(zone, n, changed, changed);
}
