//! Integers ordered by their value, one way or the other.

use crate::Lattice;

/// An integer of which more means more behaviour, such as an upper bound on a resource: joined by the maximum.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct MaxInteger(pub i64);

impl Lattice for MaxInteger {
    fn less_or_equal(&self, other: &Self) -> bool {
        self.0 <= other.0
    }

    fn join(&mut self, other: &Self) -> bool {
        let grew = other.0 > self.0;
        self.0 = self.0.max(other.0);
        grew
    }

    fn is_empty(&self) -> bool {
        false
    }
}

/// An integer of which less means more behaviour, such as a guaranteed minimum: joined by the minimum.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct MinInteger(pub i64);

impl Lattice for MinInteger {
    fn less_or_equal(&self, other: &Self) -> bool {
        self.0 >= other.0
    }

    fn join(&mut self, other: &Self) -> bool {
        let grew = other.0 < self.0;
        self.0 = self.0.min(other.0);
        grew
    }

    fn is_empty(&self) -> bool {
        false
    }
}
