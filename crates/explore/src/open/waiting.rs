//! Which states wait, for an open list whose queues hold the same ones.

use crate::store::StateId;

/// A set of states, a bit for each.
#[derive(Default)]
pub(crate) struct Waiting {
    words: Vec<u64>,
    len: usize,
}

impl Waiting {
    /// Adds a state.
    pub fn insert(&mut self, state: StateId) {
        let (word, bit) = place(state);
        if self.words.len() <= word {
            self.words.resize(word + 1, 0);
        }
        self.len += usize::from(self.words[word] & bit == 0);
        self.words[word] |= bit;
    }

    /// Takes a state out; says whether it was there.
    pub fn remove(&mut self, state: StateId) -> bool {
        let (word, bit) = place(state);
        let there = self.contains(state);
        if there {
            self.words[word] &= !bit;
            self.len -= 1;
        }
        there
    }

    pub fn contains(&self, state: StateId) -> bool {
        let (word, bit) = place(state);
        self.words.get(word).is_some_and(|word| word & bit != 0)
    }

    pub fn len(&self) -> usize {
        self.len
    }

    pub fn bytes(&self) -> usize {
        self.words.len() * size_of::<u64>()
    }
}

fn place(state: StateId) -> (usize, u64) {
    ((state.0 / u64::BITS) as usize, 1 << (state.0 % u64::BITS))
}

#[cfg(test)]
mod tests {
    use super::Waiting;
    use crate::store::StateId;

    #[test]
    fn a_state_is_taken_once() {
        let mut waiting = Waiting::default();
        for number in [3, 200, 64, 63, 63] {
            waiting.insert(StateId(number));
        }
        assert_eq!(waiting.len(), 4);
        assert!(waiting.remove(StateId(63)) && !waiting.remove(StateId(63)));
        assert!(!waiting.remove(StateId(1000)) && !waiting.contains(StateId(4)));
        assert!(waiting.contains(StateId(64)) && waiting.contains(StateId(200)));
        assert_eq!(waiting.len(), 3);
    }
}
