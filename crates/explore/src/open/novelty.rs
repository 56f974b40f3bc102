//! How new a state is: whether it shows a location or a value, or a pair of them, that no earlier state has shown.
//!
//! Estimates lead into plateaus, where many states look the same and few of them matter. Those that show something for the
//! first time come first there: that needs no idea of the goal, and leads out of most plateaus soon. States are only compared
//! with those of the same estimate, so that each step towards the goal begins anew (Lipovetzky, Geffner, "Best-first width
//! search: exploration and exploitation in classical planning", AAAI 2017). Any estimate will do; the number of the goal's
//! parts that are missing is the one of the paper.

use crate::key::hash;

/// What has been shown so far.
#[derive(Clone, Debug)]
pub(crate) struct Novelty {
    pairs: bool,
    /// Of the cells of a state, those of which pairs are looked at.
    most_paired: usize,
    seen: Seen,
}

impl Novelty {
    /// Nothing has been shown. With a width of 2, pairs count.
    pub fn new(width: u8, most_paired: usize) -> Novelty {
        Novelty {
            pairs: width > 1,
            most_paired,
            seen: Seen::default(),
        }
    }

    /// 0 for a state that shows a value which none of its estimate has shown, 1 for one that shows a pair, else 2, or 1
    /// where pairs do not count. It is noted.
    pub fn rank(&mut self, memory: &[i32], estimate: u32) -> u64 {
        let class = u64::from(estimate);
        let fact = |cell: usize| (cell as u64) << 32 | u64::from(memory[cell] as u32);
        let mut single = false;
        for cell in 0..memory.len() {
            single |= self.seen.insert(hash(&[class, fact(cell)]));
        }
        if !self.pairs {
            return u64::from(!single);
        }
        let mut pair = false;
        let paired = memory.len().min(self.most_paired);
        for first in 0..paired {
            for second in first + 1..paired {
                pair |= self.seen.insert(hash(&[class, fact(first), fact(second)]));
            }
        }
        match (single, pair) {
            (true, _) => 0,
            (false, true) => 1,
            (false, false) => 2,
        }
    }

    /// The memory in use, in bytes.
    pub fn bytes(&self) -> usize {
        self.seen.slots.len() * size_of::<u64>()
    }
}

/// A set of hashes. Two things with the same one count as one: that changes an order, and nothing else.
#[derive(Clone, Debug, Default)]
struct Seen {
    /// 0 where there is none.
    slots: Vec<u64>,
    used: usize,
}

impl Seen {
    /// Adds a hash; true if it is new.
    fn insert(&mut self, hash: u64) -> bool {
        if self.used * 2 >= self.slots.len() {
            let larger = vec![0; (self.slots.len() * 2).max(256)];
            for hash in std::mem::replace(&mut self.slots, larger) {
                if hash != 0 {
                    let slot = self.slot(hash);
                    self.slots[slot] = hash;
                }
            }
        }
        let hash = hash.max(1);
        let slot = self.slot(hash);
        let new = self.slots[slot] != hash;
        self.slots[slot] = hash;
        self.used += usize::from(new);
        new
    }

    /// Where a hash stands or is to stand.
    fn slot(&self, hash: u64) -> usize {
        let mask = self.slots.len() - 1;
        let mut slot = hash as usize & mask;
        while self.slots[slot] != 0 && self.slots[slot] != hash {
            slot = (slot + 1) & mask;
        }
        slot
    }
}

#[cfg(test)]
mod tests {
    use super::Novelty;

    #[test]
    fn what_shows_a_value_for_the_first_time_is_new() {
        let mut novelty = Novelty::new(1, 128);
        for (memory, estimate, rank) in [
            ([0, 0], 3, 0),
            ([0, 0], 3, 1),
            ([0, 1], 3, 0),
            ([1, 0], 3, 0),
            ([1, 1], 3, 1),
            ([1, 1], 2, 0),
            ([-1, 1], 3, 0),
        ] {
            assert_eq!(novelty.rank(&memory, estimate), rank, "{memory:?}");
        }
    }

    #[test]
    fn pairs_tell_more_states_apart() {
        let mut novelty = Novelty::new(2, 128);
        for (memory, rank) in [
            ([0, 0], 0),
            ([0, 1], 0),
            ([1, 0], 0),
            ([1, 1], 1),
            ([1, 1], 2),
        ] {
            assert_eq!(novelty.rank(&memory, 0), rank, "{memory:?}");
        }
    }

    #[test]
    fn nothing_is_forgotten_when_the_table_grows() {
        let mut novelty = Novelty::new(1, 128);
        for value in 0..10_000 {
            assert_eq!(novelty.rank(&[value], 0), 0);
        }
        for value in 0..10_000 {
            assert_eq!(novelty.rank(&[value], 0), 1);
        }
        assert!(novelty.bytes() >= 10_000 * 8);
    }
}
