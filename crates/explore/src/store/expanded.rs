//! Which states of a store were expanded: the measure of an order of expansion.

/// What was expanded, and what of that in vain.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Waste {
    /// States that were expanded.
    pub expanded: u64,
    /// Those of them that larger ones have subsumed since.
    pub wasted: u64,
}

/// A set of states, a bit for each, with the count of those that were expanded in vain.
#[derive(Default)]
pub(super) struct Expanded {
    words: Vec<u64>,
    waste: Waste,
}

impl Expanded {
    /// A state is being expanded.
    #[inline]
    pub fn insert(&mut self, node: u32) {
        let (word, bit) = place(node);
        if self.words.len() <= word {
            self.words.resize(word + 1, 0);
        }
        self.words[word] |= bit;
        self.waste.expanded += 1;
    }

    /// A larger state has subsumed this one.
    #[inline]
    pub fn given_up(&mut self, node: u32) {
        let (word, bit) = place(node);
        let expanded = self.words.get(word).is_some_and(|word| word & bit != 0);
        self.waste.wasted += u64::from(expanded);
    }

    pub fn waste(&self) -> Waste {
        self.waste
    }

    pub fn bytes(&self) -> usize {
        self.words.len() * size_of::<u64>()
    }
}

fn place(node: u32) -> (usize, u64) {
    ((node / u64::BITS) as usize, 1 << (node % u64::BITS))
}

#[cfg(test)]
mod tests {
    use super::{Expanded, Waste};

    #[test]
    fn what_was_not_expanded_is_no_waste() {
        let mut expanded = Expanded::default();
        for node in [0, 63, 64, 1000] {
            expanded.insert(node);
        }
        for node in [64, 65, 5000] {
            expanded.given_up(node);
        }
        let waste = Waste {
            expanded: 4,
            wasted: 1,
        };
        assert_eq!(expanded.waste(), waste);
    }
}
