//! Cache ages: which memory blocks are surely in a cache that evicts the least recently used.
//!
//! The must analysis of M. Alt, C. Ferdinand, F. Martin, R. Wilhelm: Cache behavior prediction by abstract
//! interpretation, SAS 1996.

use crate::Lattice;

/// For each memory block the largest age it can have in its cache set (0 is the youngest); as many as there are ways
/// if it may be outside. Larger ages mean more behaviour: the join keeps the blocks in both, each with its larger age.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct MustCache {
    ways: u8,
    sets: usize,
    ages: Box<[u8]>,
}

impl MustCache {
    /// A cache of unknown content: `sets` sets of `ways` lines, for `blocks` memory blocks; block b goes to set
    /// `b % sets`.
    pub fn unknown(sets: usize, ways: u8, blocks: usize) -> Self {
        assert!(sets > 0 && ways > 0);
        MustCache {
            ways,
            sets,
            ages: vec![ways; blocks].into(),
        }
    }

    /// The block's largest age, if it is surely in the cache.
    pub fn age(&self, block: usize) -> Option<u8> {
        let age = *self.ages.get(block)?;
        (age < self.ways).then_some(age)
    }

    /// The block is accessed; returns whether that is surely a hit.
    ///
    /// It becomes the youngest of its set. Those that may have been younger become one step older, and may leave the
    /// cache by that; those that were surely older keep their age.
    pub fn access(&mut self, block: usize) -> bool {
        assert!(block < self.ages.len());
        let before = self.ages[block];
        for other in (block % self.sets..self.ages.len()).step_by(self.sets) {
            if self.ages[other] < before {
                self.ages[other] += 1;
            }
        }
        self.ages[block] = 0;
        before < self.ways
    }
}

impl Lattice for MustCache {
    fn less_or_equal(&self, other: &Self) -> bool {
        assert!(
            (self.ways, self.sets) == (other.ways, other.sets)
                && self.ages.len() == other.ages.len()
        );
        self.ages
            .iter()
            .zip(&other.ages)
            .all(|(left, right)| left <= right)
    }

    fn join(&mut self, other: &Self) -> bool {
        let grew = !other.less_or_equal(self);
        for (left, &right) in self.ages.iter_mut().zip(&other.ages) {
            *left = (*left).max(right);
        }
        grew
    }

    fn is_empty(&self) -> bool {
        false
    }
}
