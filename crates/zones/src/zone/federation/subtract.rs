//! Subtraction: what is left of a zone without another, as disjoint zones.

use crate::bound::{Bound, negate};
use crate::zone::{constrain, kernel, minimal, surely_disjoint};

/// Appends to `parts` the disjoint closed zones whose union is `zone` without `removed`, each `n * n` entries.
///
/// One part for each constraint of the removed zone that is not redundant and that the zone does not imply: the part
/// of what is left that violates it. The buffer's spare capacity is all the memory it needs.
pub fn subtract(zone: &[Bound], removed: &[Bound], n: usize, parts: &mut Vec<Bound>) {
    assert!(zone.len() == n * n && removed.len() == n * n);
    // Nothing is left most often, where deadlocks are looked for, and that is seen fastest.
    if !kernel::any_greater(zone, removed) {
        return;
    }
    if surely_disjoint(zone, removed, n) {
        parts.extend_from_slice(zone);
        return;
    }
    // The last zone of the buffer is what is left to be cut; in the end that is inside the removed zone.
    let start = parts.len();
    parts.extend_from_slice(zone);
    let mut meets = true;
    minimal::for_each(removed, n, |position, bound| {
        meets = meets && cut(parts, n, position / n, position % n, bound);
    });
    if meets {
        parts.truncate(parts.len() - n * n);
    } else {
        parts.truncate(start);
        parts.extend_from_slice(zone);
    }
}

/// Splits the last zone of the buffer into the part that violates `x_i - x_j ≺ bound` and, behind it, the rest;
/// `false` if there is no rest, and then the zones have nothing in common.
fn cut(parts: &mut Vec<Bound>, n: usize, i: usize, j: usize, bound: Bound) -> bool {
    let last = parts.len() - n * n;
    if bound >= parts[last + i * n + j] {
        return true;
    }
    parts.extend_from_within(last..);
    if !constrain(&mut parts[last..last + n * n], n, j, i, negate(bound)) {
        // Only where saturation left an entry loose: nothing violates the constraint after all.
        parts.copy_within(last + n * n.., last);
        parts.truncate(last + n * n);
        return true;
    }
    constrain(&mut parts[last + n * n..], n, i, j, bound)
}
