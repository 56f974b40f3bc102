//! Power sets: of what may have happened, and of what must have.

use super::BitVector;
use crate::Lattice;

/// A set in which more members mean more behaviour, such as the messages that a lossy medium may still deliver:
/// ordered by inclusion, joined by union. It always stands for something, even without members.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct MaySet(pub BitVector);

impl Lattice for MaySet {
    fn less_or_equal(&self, other: &Self) -> bool {
        self.0.is_subset(&other.0)
    }

    fn join(&mut self, other: &Self) -> bool {
        self.0.unite(&other.0)
    }

    fn is_empty(&self) -> bool {
        false
    }
}

/// A set in which fewer members mean more behaviour, such as the facts known to hold: ordered by reverse inclusion,
/// joined by intersection.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct MustSet(pub BitVector);

impl Lattice for MustSet {
    fn less_or_equal(&self, other: &Self) -> bool {
        other.0.is_subset(&self.0)
    }

    fn join(&mut self, other: &Self) -> bool {
        self.0.intersect(&other.0)
    }

    fn is_empty(&self) -> bool {
        false
    }
}
