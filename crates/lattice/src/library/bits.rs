//! Bit vectors: sets of small numbers, without an order of their own.

use std::fmt;

/// A set of numbers below a fixed size.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct BitVector {
    size: usize,
    /// Bits at and beyond the size are zero, so that equal sets are equal words.
    words: Box<[u64]>,
}

impl BitVector {
    /// The empty set of numbers below `size`.
    pub fn new(size: usize) -> Self {
        BitVector {
            size,
            words: vec![0; size.div_ceil(64)].into(),
        }
    }

    /// The set of all numbers below `size`.
    pub fn full(size: usize) -> Self {
        let mut all = BitVector::new(size);
        (0..size).for_each(|member| all.insert(member));
        all
    }

    /// The size: members are below it.
    pub fn size(&self) -> usize {
        self.size
    }

    /// Adds a number below the size.
    pub fn insert(&mut self, member: usize) {
        assert!(member < self.size);
        self.words[member / 64] |= 1 << (member % 64);
    }

    /// Removes a number below the size.
    pub fn remove(&mut self, member: usize) {
        assert!(member < self.size);
        self.words[member / 64] &= !(1 << (member % 64));
    }

    /// Whether the number is a member; one beyond the size is not.
    pub fn contains(&self, member: usize) -> bool {
        member < self.size && self.words[member / 64] >> (member % 64) & 1 != 0
    }

    /// How many members there are.
    pub fn len(&self) -> usize {
        self.words
            .iter()
            .map(|word| word.count_ones() as usize)
            .sum()
    }

    /// Whether there is no member.
    pub fn is_empty(&self) -> bool {
        self.words.iter().all(|&word| word == 0)
    }

    /// The members in ascending order.
    pub fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.size).filter(|&member| self.contains(member))
    }

    /// Whether every member is in the other set, of the same size.
    pub fn is_subset(&self, other: &BitVector) -> bool {
        self.pairs(other).all(|(left, right)| left & !right == 0)
    }

    /// Whether the sets, of the same size, have no member in common.
    pub fn is_disjoint(&self, other: &BitVector) -> bool {
        self.pairs(other).all(|(left, right)| left & right == 0)
    }

    fn pairs<'a>(&'a self, other: &'a BitVector) -> impl Iterator<Item = (u64, u64)> + 'a {
        assert_eq!(self.size, other.size);
        self.words.iter().copied().zip(other.words.iter().copied())
    }

    /// Adds the members of the other set, of the same size; says whether this one changed.
    pub fn unite(&mut self, other: &BitVector) -> bool {
        self.combine(other, |left, right| left | right)
    }

    /// Keeps the members of the other set, of the same size; says whether this one changed.
    pub fn intersect(&mut self, other: &BitVector) -> bool {
        self.combine(other, |left, right| left & right)
    }

    fn combine(&mut self, other: &BitVector, operation: impl Fn(u64, u64) -> u64) -> bool {
        assert_eq!(self.size, other.size);
        let mut changed = false;
        for (left, &right) in self.words.iter_mut().zip(&other.words) {
            let result = operation(*left, right);
            changed |= result != *left;
            *left = result;
        }
        changed
    }
}

impl fmt::Debug for BitVector {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_set().entries(self.iter()).finish()
    }
}
