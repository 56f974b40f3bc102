//! Letting time pass, forwards and backwards.

use super::{Constraint, constrain_all};
use crate::bound::{Bound, INFINITY, LE_ZERO};

/// Delay: all valuations reached from the zone by letting some time `d ≥ 0` pass. O(n), the result is closed.
pub fn up(zone: &mut [Bound], n: usize) {
    assert_eq!(zone.len(), n * n);
    for i in 1..n {
        zone[i * n] = INFINITY;
    }
}

/// Delay as far as the constraints permit: [`up`], then all of them; returns whether the zone is not empty.
///
/// Usually they are upper bounds `x_j ≺ c_j` that hold of the whole zone before time passes. Then `x_i` is bounded by the
/// least `(i, j) + c_j`, and nothing else changes: that bound is no less than `(i, j) + (j, 0) ≥ (i, 0)` was, so that with
/// any lower bound it does not tighten a difference which it did not before.
pub fn up_within(zone: &mut [Bound], n: usize, constraints: &[Constraint]) -> bool {
    assert_eq!(zone.len(), n * n);
    let holds =
        |c: &Constraint| c.right == 0 && c.left != 0 && zone[usize::from(c.left) * n] <= c.bound;
    if !constraints.iter().all(holds) {
        up(zone, n);
        return constrain_all(zone, n, constraints);
    }
    for row in zone.chunks_exact_mut(n).skip(1) {
        let mut least = INFINITY;
        for c in constraints {
            // Upper bounds that hold are finite or infinite, and not negative: nothing falls below infinity that is not
            // below it, nor below the smallest bound.
            let to = row[usize::from(c.left)];
            debug_assert!(c.bound >= 0);
            least = least.min(to.saturating_add(c.bound) - ((to | c.bound) & 1));
        }
        row[0] = least;
    }
    true
}

/// Delay where only the `running` clocks advance: the smallest zone that holds all `v + d` for v in the zone, `d ≥ 0`.
///
/// The result is closed. With two running clocks and a stopped one the exact set is in general no zone (eliminating
/// d leaves bounds on sums of two differences), so it is an over-approximation; every single bound of it is tight.
/// With every clock running it is [`up`].
pub fn up_running(zone: &mut [Bound], n: usize, running: impl Fn(usize) -> bool) {
    assert_eq!(zone.len(), n * n);
    for i in (1..n).filter(|&i| running(i)) {
        zone[i * n] = INFINITY;
        for j in (1..n).filter(|&j| !running(j)) {
            zone[i * n + j] = INFINITY;
        }
    }
}

/// The past: all valuations (clocks at least zero) from which the zone is reached by letting some time `d ≥ 0` pass.
/// O(n²), the result is closed.
pub fn down(zone: &mut [Bound], n: usize) {
    assert_eq!(zone.len(), n * n);
    let (first, rest) = zone.split_at_mut(n);
    first[1..].fill(LE_ZERO);
    for row in rest.chunks_exact(n) {
        for (lower, &difference) in first[1..].iter_mut().zip(&row[1..]) {
            *lower = (*lower).min(difference);
        }
    }
}
