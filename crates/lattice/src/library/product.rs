//! Products: several lattices side by side, ordered and joined one by one.
//!
//! A product with an empty component stands for nothing, whatever the others hold.

use crate::Lattice;

impl<A: Lattice, B: Lattice> Lattice for (A, B) {
    fn less_or_equal(&self, other: &Self) -> bool {
        self.is_empty() || (self.0.less_or_equal(&other.0) && self.1.less_or_equal(&other.1))
    }

    fn join(&mut self, other: &Self) -> bool {
        if other.is_empty() {
            return false;
        }
        if self.is_empty() {
            self.clone_from(other);
            return true;
        }
        let first = self.0.join(&other.0);
        self.1.join(&other.1) || first
    }

    fn is_empty(&self) -> bool {
        self.0.is_empty() || self.1.is_empty()
    }
}

/// Vectors of the same length.
impl<L: Lattice> Lattice for Vec<L> {
    fn less_or_equal(&self, other: &Self) -> bool {
        assert_eq!(self.len(), other.len());
        self.is_empty_product()
            || self
                .iter()
                .zip(other)
                .all(|(left, right)| left.less_or_equal(right))
    }

    fn join(&mut self, other: &Self) -> bool {
        assert_eq!(self.len(), other.len());
        if other.is_empty_product() {
            return false;
        }
        if self.is_empty_product() {
            self.clone_from(other);
            return true;
        }
        let mut grew = false;
        for (left, right) in self.iter_mut().zip(other) {
            grew |= left.join(right);
        }
        grew
    }

    fn is_empty(&self) -> bool {
        self.is_empty_product()
    }
}

/// `Vec` has an `is_empty` of its own, which means something else.
trait Product {
    fn is_empty_product(&self) -> bool;
}

impl<L: Lattice> Product for Vec<L> {
    fn is_empty_product(&self) -> bool {
        self.iter().any(Lattice::is_empty)
    }
}
