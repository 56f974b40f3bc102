//! A set of row numbers.

/// A set of rows of a zone of dimension at most `64 * W`.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct RowSets<const W: usize>([u64; W]);

/// A set of rows of a zone of dimension at most [`RowSet::CAPACITY`], in one word.
pub(crate) type RowSet = RowSets<1>;

/// Zones of larger dimension go the plain way, which needs no row sets.
pub(crate) const MOST_ROWS: usize = 4096;

/// Calls a function with as many words of row sets as zones of the dimension need; it must not exceed [`MOST_ROWS`].
macro_rules! by_words {
    ($n:expr, $name:ident($($argument:expr),*)) => {
        match $n {
            ..=64 => $name::<1>($($argument),*),
            65..=128 => $name::<2>($($argument),*),
            129..=256 => $name::<4>($($argument),*),
            257..=1024 => $name::<16>($($argument),*),
            _ => $name::<64>($($argument),*),
        }
    };
}
pub(crate) use by_words;

impl RowSet {
    /// The set with these bits.
    pub fn from_bits(bits: u64) -> Self {
        RowSets([bits])
    }

    /// These rows in a set of more words.
    #[inline(always)]
    pub fn widen<const W: usize>(self) -> RowSets<W> {
        let mut words = [0; W];
        words[0] = self.0[0];
        RowSets(words)
    }
}

impl<const W: usize> Default for RowSets<W> {
    fn default() -> Self {
        RowSets([0; W])
    }
}

impl<const W: usize> RowSets<W> {
    /// The largest dimension of zones whose rows it holds.
    pub const CAPACITY: usize = 64 * W;

    /// The rows `0..n`.
    pub fn all(n: usize) -> Self {
        RowSets(std::array::from_fn(|word| {
            match n.saturating_sub(64 * word) {
                0 => 0,
                rows @ 1..64 => (1 << rows) - 1,
                _ => !0,
            }
        }))
    }

    #[inline(always)]
    pub fn insert(&mut self, row: usize) {
        self.0[row / 64] |= 1 << (row % 64);
    }

    #[inline(always)]
    pub fn contains(self, row: usize) -> bool {
        self.0[row / 64] >> (row % 64) & 1 != 0
    }

    #[inline(always)]
    pub fn is_empty(self) -> bool {
        self.0.iter().all(|word| *word == 0)
    }

    pub fn len(self) -> usize {
        self.0.iter().map(|word| word.count_ones() as usize).sum()
    }

    #[inline(always)]
    pub fn without(self, other: Self) -> Self {
        RowSets(std::array::from_fn(|word| self.0[word] & !other.0[word]))
    }

    #[inline(always)]
    pub fn union(self, other: Self) -> Self {
        RowSets(std::array::from_fn(|word| self.0[word] | other.0[word]))
    }

    /// The rows below 64.
    #[inline(always)]
    pub fn first_word(self) -> RowSet {
        RowSets([self.0[0]])
    }
}

/// The rows in ascending order.
impl<const W: usize> Iterator for RowSets<W> {
    type Item = usize;

    #[inline(always)]
    fn next(&mut self) -> Option<usize> {
        for (index, word) in self.0.iter_mut().enumerate() {
            if *word != 0 {
                let row = word.trailing_zeros() as usize;
                *word &= *word - 1;
                return Some(64 * index + row);
            }
        }
        None
    }
}
