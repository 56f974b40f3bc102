//! A small set of row numbers, on the stack.

const WORDS: usize = 4;

/// A set of rows of a zone of dimension at most [`RowSet::CAPACITY`].
#[derive(Clone, Copy, Default)]
pub(crate) struct RowSet {
    words: [u64; WORDS],
}

impl RowSet {
    /// Zones of larger dimension go the plain way, which needs no row sets.
    pub const CAPACITY: usize = 64 * WORDS;

    pub fn insert(&mut self, row: usize) {
        self.words[row / 64] |= 1 << (row % 64);
    }

    pub fn contains(&self, row: usize) -> bool {
        self.words[row / 64] >> (row % 64) & 1 != 0
    }

    pub fn is_empty(&self) -> bool {
        self.words == [0; WORDS]
    }

    /// The rows in ascending order.
    pub fn iter(&self) -> impl Iterator<Item = usize> + use<> {
        let words = self.words;
        (0..WORDS).flat_map(move |index| {
            let mut word = words[index];
            std::iter::from_fn(move || {
                if word == 0 {
                    return None;
                }
                let bit = word.trailing_zeros() as usize;
                word &= word - 1;
                Some(index * 64 + bit)
            })
        })
    }
}
