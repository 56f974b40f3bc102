//! Subtraction: what is left of a zone without another, as disjoint zones.

use super::minimal::is_redundant;
use super::{constrain, kernel, surely_disjoint};
use crate::bound::{Bound, negate};

/// Appends to `parts` the disjoint closed zones whose union is `zone` without `removed`, each `n * n` entries.
///
/// One part for each constraint of the removed zone that is not redundant and that the zone does not imply: the part
/// of what is left that violates it. The buffer's spare capacity is all the memory it needs.
pub fn subtract(zone: &[Bound], removed: &[Bound], n: usize, parts: &mut Vec<Bound>) {
    assert!(zone.len() == n * n && removed.len() == n * n);
    if surely_disjoint(zone, removed, n) {
        parts.extend_from_slice(zone);
        return;
    }
    if !kernel::any_greater(zone, removed) {
        return;
    }
    // The last zone of the buffer is what is left to be cut.
    let start = parts.len();
    parts.extend_from_slice(zone);
    for i in 0..n {
        for j in 0..n {
            let bound = removed[i * n + j];
            let rest = parts.len() - n * n;
            if bound >= parts[rest + i * n + j] || is_redundant(removed, n, i, j) {
                continue;
            }
            parts.extend_from_within(rest..);
            if !constrain(&mut parts[rest..rest + n * n], n, j, i, negate(bound)) {
                // Only where saturation left an entry loose: nothing violates the constraint after all.
                parts.copy_within(rest + n * n.., rest);
                parts.truncate(rest + n * n);
                continue;
            }
            if !constrain(&mut parts[rest + n * n..], n, i, j, bound) {
                // Nothing of the rest is in the removed zone: the whole zone stays.
                parts.truncate(start);
                parts.extend_from_slice(zone);
                return;
            }
        }
    }
    // The rest satisfies every constraint: it is inside the removed zone.
    parts.truncate(parts.len() - n * n);
}
