//! A small set of row numbers.

/// A set of rows of a zone of dimension at most [`RowSet::CAPACITY`].
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct RowSet(u64);

impl RowSet {
    /// Zones of larger dimension go the plain way, which needs no row sets.
    pub const CAPACITY: usize = 64;

    /// The set with these bits.
    pub fn from_bits(bits: u64) -> Self {
        RowSet(bits)
    }

    /// The rows `0..n`.
    pub fn all(n: usize) -> Self {
        RowSet(if n == 64 { !0 } else { (1 << n) - 1 })
    }

    pub fn insert(&mut self, row: usize) {
        self.0 |= 1 << row;
    }

    pub fn contains(self, row: usize) -> bool {
        self.0 >> row & 1 != 0
    }

    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    pub fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    pub fn without(self, other: RowSet) -> Self {
        RowSet(self.0 & !other.0)
    }

    pub fn union(self, other: RowSet) -> Self {
        RowSet(self.0 | other.0)
    }
}

/// The rows in ascending order.
impl Iterator for RowSet {
    type Item = usize;

    #[inline(always)]
    fn next(&mut self) -> Option<usize> {
        if self.0 == 0 {
            return None;
        }
        let row = self.0.trailing_zeros() as usize;
        self.0 &= self.0 - 1;
        Some(row)
    }
}
