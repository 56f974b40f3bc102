//! Present and absent sets: what is surely in a database and what surely is not.
//!
//! P. Olsen, K. G. Larsen, A. Skou: Present and absent sets: abstraction for testing of reactive systems with
//! databases, MBT 2010; example 1 in the appendix of the opaal paper.

use super::BitVector;
use crate::Lattice;

/// What is known of a database over a few representative values: the less is known, the more databases it stands
/// for, so both sets are ordered by reverse inclusion and joined by intersection.
///
/// The sets are disjoint, so there is always such a database.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct PresentAbsent {
    present: BitVector,
    absent: BitVector,
}

impl PresentAbsent {
    /// Nothing is known of any of the `size` representatives.
    pub fn unknown(size: usize) -> Self {
        PresentAbsent {
            present: BitVector::new(size),
            absent: BitVector::new(size),
        }
    }

    /// The database without any of the `size` representatives.
    pub fn without_any(size: usize) -> Self {
        PresentAbsent {
            present: BitVector::new(size),
            absent: BitVector::full(size),
        }
    }

    /// The values that are surely in the database.
    pub fn present(&self) -> &BitVector {
        &self.present
    }

    /// The values that are surely not in the database.
    pub fn absent(&self) -> &BitVector {
        &self.absent
    }

    /// The value is inserted.
    pub fn insert(&mut self, value: usize) {
        self.present.insert(value);
        self.absent.remove(value);
    }

    /// The value is deleted.
    pub fn delete(&mut self, value: usize) {
        self.absent.insert(value);
        self.present.remove(value);
    }

    /// Something unknown happens to the value.
    pub fn forget(&mut self, value: usize) {
        self.absent.remove(value);
        self.present.remove(value);
    }

    /// Whether a database may look like this, as far as the representatives go.
    pub fn allows(&self, database: &BitVector) -> bool {
        self.present.is_subset(database) && self.absent.is_disjoint(database)
    }
}

impl Lattice for PresentAbsent {
    fn less_or_equal(&self, other: &Self) -> bool {
        other.present.is_subset(&self.present) && other.absent.is_subset(&self.absent)
    }

    fn join(&mut self, other: &Self) -> bool {
        let present_changed = self.present.intersect(&other.present);
        self.absent.intersect(&other.absent) || present_changed
    }

    fn is_empty(&self) -> bool {
        false
    }
}
