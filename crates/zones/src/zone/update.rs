//! Updates of clocks, and the join of two zones.

use super::{constrain, kernel};
use crate::bound::{Bound, INFINITY, LE_ZERO, add, le};

/// Forgets clock `x`: it may have any value at least zero. O(n), the result is closed.
pub fn free(zone: &mut [Bound], n: usize, x: usize) {
    assert!(zone.len() == n * n && 0 < x && x < n);
    zone[x * n..(x + 1) * n].fill(INFINITY);
    for i in 0..n {
        zone[i * n + x] = zone[i * n];
    }
    zone[x] = LE_ZERO;
    zone[x * n + x] = LE_ZERO;
}

/// Assigns `x := value`, with `0 ≤ value ≤` [`MAX_CONSTANT`](crate::bound::MAX_CONSTANT). O(n), the result is closed.
pub fn reset(zone: &mut [Bound], n: usize, x: usize, value: i32) {
    assert!(zone.len() == n * n && 0 < x && x < n);
    debug_assert!((0..=crate::bound::MAX_CONSTANT).contains(&value));
    if value == 0 {
        return copy(zone, n, x, 0);
    }
    let (above, below) = (le(value), le(-value));
    for j in 0..n {
        zone[x * n + j] = add(above, zone[j]);
    }
    for i in 0..n {
        zone[i * n + x] = add(zone[i * n], below);
    }
    zone[x * n + x] = LE_ZERO;
}

/// Assigns `x := y`. O(n), the result is closed.
pub fn copy(zone: &mut [Bound], n: usize, x: usize, y: usize) {
    assert!(zone.len() == n * n && 0 < x && x < n && y < n);
    if x == y {
        return;
    }
    zone.copy_within(y * n..(y + 1) * n, x * n);
    for i in 0..n {
        zone[i * n + x] = zone[i * n + y];
    }
    zone[x * n + y] = LE_ZERO;
    zone[y * n + x] = LE_ZERO;
    zone[x * n + x] = LE_ZERO;
}

/// Assigns `x := y + offset` (`y` may be `x`), keeping only the valuations in which the new value is not negative;
/// returns whether any is left, which it always is for `offset ≥ 0`. The result is closed.
pub fn shift(zone: &mut [Bound], n: usize, x: usize, y: usize, offset: i32) -> bool {
    copy(zone, n, x, y);
    let (above, below) = (le(offset), le(-offset));
    for j in (0..n).filter(|&j| j != x) {
        zone[x * n + j] = add(zone[x * n + j], above);
        zone[j * n + x] = add(zone[j * n + x], below);
    }
    offset >= 0 || constrain(zone, n, 0, x, LE_ZERO)
}

/// The smallest zone that holds both, into `zone`; says whether it grew. The result is closed.
pub fn convex_union(zone: &mut [Bound], other: &[Bound], n: usize) -> bool {
    assert!(zone.len() == n * n && other.len() == n * n);
    kernel::maximum(zone, other)
}
