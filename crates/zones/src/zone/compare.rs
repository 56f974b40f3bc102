//! Comparing zones as sets.

use super::kernel;
use crate::bound::{Bound, LE_ZERO, add};

/// How two sets relate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Relation {
    /// Both are the same set.
    Equal,
    /// The left is strictly inside the right.
    Subset,
    /// The left strictly contains the right.
    Superset,
    /// Each has something that the other lacks.
    Incomparable,
}

/// Whether `large ⊇ small`. Only `small` need be closed.
#[inline]
pub fn includes(large: &[Bound], small: &[Bound]) -> bool {
    assert_eq!(large.len(), small.len());
    !kernel::any_greater(small, large)
}

/// Whether the two are the same set.
#[inline]
pub fn equal(left: &[Bound], right: &[Bound]) -> bool {
    left == right
}

/// Both inclusions in one pass.
pub fn relation(left: &[Bound], right: &[Bound]) -> Relation {
    assert_eq!(left.len(), right.len());
    match kernel::compare(left, right) {
        (false, false) => Relation::Equal,
        (true, false) => Relation::Subset,
        (false, true) => Relation::Superset,
        (true, true) => Relation::Incomparable,
    }
}

/// A quick test that two zones have nothing in common: `true` is certain, `false` is not. O(n²).
pub fn surely_disjoint(left: &[Bound], right: &[Bound], n: usize) -> bool {
    assert!(left.len() == n * n && right.len() == n * n);
    (0..n).any(|i| (0..n).any(|j| add(left[i * n + j], right[j * n + i]) < LE_ZERO))
}
