//! The earliest of many deadlines: a change costs the logarithm of their number.

use crate::time::{Moment, NEVER};

#[derive(Debug)]
pub(crate) struct Tournament {
    /// A binary tree in an array: the root is entry 1, the leaves are the last half.
    tree: Vec<Moment>,
    leaves: usize,
}

impl Clone for Tournament {
    fn clone(&self) -> Self {
        Tournament {
            tree: self.tree.clone(),
            leaves: self.leaves,
        }
    }

    fn clone_from(&mut self, other: &Self) {
        self.tree.clone_from(&other.tree);
        self.leaves = other.leaves;
    }
}

impl Tournament {
    pub fn new(entries: usize) -> Tournament {
        let leaves = entries.next_power_of_two().max(1);
        Tournament {
            tree: vec![NEVER; 2 * leaves],
            leaves,
        }
    }

    #[inline]
    pub fn set(&mut self, entry: usize, deadline: Moment) {
        let mut node = self.leaves + entry;
        if self.tree[node] == deadline {
            return;
        }
        self.tree[node] = deadline;
        while node > 1 {
            let earliest = self.tree[node].min(self.tree[node ^ 1]);
            node /= 2;
            if self.tree[node] == earliest {
                return;
            }
            self.tree[node] = earliest;
        }
    }

    #[inline]
    pub fn first(&self) -> Moment {
        self.tree[1]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_deadline_is_the_least_of_all() {
        for entries in [1, 2, 5, 8, 13] {
            let mut tournament = Tournament::new(entries);
            let mut plain = vec![NEVER; entries];
            for turn in 0..200_i64 {
                let entry = (turn * 7919 % entries as i64) as usize;
                let deadline = turn * 104_729 % 97;
                tournament.set(entry, deadline);
                plain[entry] = deadline;
                assert_eq!(Some(&tournament.first()), plain.iter().min());
            }
        }
    }
}
