//! Conjunction: with one constraint, with several, with another zone.

use super::rows::RowSet;
use super::{close, close_through, kernel, mark_empty};
use crate::bound::{Bound, negate};

/// The constraint `x_left - x_right ≺ bound`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Constraint {
    /// The clock on the left of the difference (0 for the reference clock).
    pub left: u16,
    /// The clock on the right of the difference (0 for the reference clock).
    pub right: u16,
    /// The packed bound.
    pub bound: Bound,
}

/// Intersects with `x_i - x_j ≺ bound`; returns whether the zone is not empty. O(n²).
#[inline]
pub fn constrain(zone: &mut [Bound], n: usize, i: usize, j: usize, bound: Bound) -> bool {
    assert!(zone.len() == n * n && i < n && j < n);
    if bound >= zone[i * n + j] {
        return true;
    }
    if !is_consistent_with(zone, n, i, j, bound) {
        mark_empty(zone);
        return false;
    }
    kernel::close_constraint(zone, n, i, j, bound);
    true
}

/// Intersects with all the constraints; returns whether the zone is not empty.
///
/// Constraints that the zone already implies cost O(1), the others O(n²) each; but where there are more of them than
/// clocks in them, all are entered first and closed through those clocks.
pub fn constrain_all(zone: &mut [Bound], n: usize, constraints: &[Constraint]) -> bool {
    if constraints.len() > 4 && n <= RowSet::CAPACITY {
        return constrain_together(zone, n, constraints);
    }
    constraints
        .iter()
        .all(|c| constrain(zone, n, c.left.into(), c.right.into(), c.bound))
}

fn constrain_together(zone: &mut [Bound], n: usize, constraints: &[Constraint]) -> bool {
    assert_eq!(zone.len(), n * n);
    let mut clocks = RowSet::default();
    let mut tightening = 0;
    for c in constraints {
        let (i, j) = (usize::from(c.left), usize::from(c.right));
        assert!(i < n && j < n);
        if c.bound < zone[i * n + j] {
            if !is_consistent_with(zone, n, i, j, c.bound) {
                mark_empty(zone);
                return false;
            }
            tightening += 1;
            clocks.insert(i);
            clocks.insert(j);
        }
    }
    if tightening <= clocks.len() {
        return constraints
            .iter()
            .all(|c| constrain(zone, n, c.left.into(), c.right.into(), c.bound));
    }
    for c in constraints {
        let entry = &mut zone[usize::from(c.left) * n + usize::from(c.right)];
        *entry = (*entry).min(c.bound);
    }
    close_through(zone, n, clocks)
}

/// Whether every valuation of the zone satisfies `x_i - x_j ≺ bound`.
#[inline]
pub fn implies(zone: &[Bound], n: usize, i: usize, j: usize, bound: Bound) -> bool {
    zone[i * n + j] <= bound
}

/// Whether some valuation of the zone satisfies `x_i - x_j ≺ bound`: unless all of them satisfy the negation.
#[inline]
pub fn is_consistent_with(zone: &[Bound], n: usize, i: usize, j: usize, bound: Bound) -> bool {
    zone[j * n + i] > negate(bound)
}

/// Intersects with another closed zone; returns whether the zone is not empty.
///
/// Most of the other zone's entries follow from few: so its tighter entries are added one by one, those on single
/// clocks first, as long as there are few; then the rest at once.
pub fn intersect(zone: &mut [Bound], other: &[Bound], n: usize) -> bool {
    assert!(zone.len() == n * n && other.len() == n * n);
    let mut left = 2 + n / 2;
    let singles = (1..n).flat_map(|x| [(x, 0), (0, x)]);
    for (i, j) in singles {
        if other[i * n + j] < zone[i * n + j] {
            if left == 0 {
                return intersect_at_once(zone, other, n);
            }
            left -= 1;
            if !constrain(zone, n, i, j, other[i * n + j]) {
                return false;
            }
        }
    }
    while let Some(position) = kernel::find_greater(zone, other) {
        if left == 0 {
            return intersect_at_once(zone, other, n);
        }
        left -= 1;
        if !constrain(zone, n, position / n, position % n, other[position]) {
            return false;
        }
    }
    true
}

fn intersect_at_once(zone: &mut [Bound], other: &[Bound], n: usize) -> bool {
    if n > RowSet::CAPACITY {
        for (entry, &bound) in zone.iter_mut().zip(other) {
            *entry = (*entry).min(bound);
        }
        return close(zone, n);
    }
    let touched = kernel::minimum(zone, other, n);
    close_through(zone, n, touched)
}
