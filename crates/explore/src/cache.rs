//! A table of heuristic values, so that the same discrete part is not estimated again and again (Kupferschmid et al.
//! 2006, section 5).
//!
//! The paper's table has N entries, indexed by a hash, and returns whatever value stands there. Here an entry also holds
//! what the heuristic reads of the discrete part that it belongs to: another one that falls on it is estimated and takes
//! its place. The table thus changes the time only, never a value; a dead end stays a proof, and A* stays optimal. It
//! starts small and grows as it fills, so that short searches do not pay for it.

use merkhet_semantics::{EdgeIndex, State, Successor, System};

use crate::heuristic::{
    Estimate, Estimates, Guides, Heuristic, HeuristicFacts, Keyed, Preference, Ranks,
};
use crate::key::{Packer, hash};

/// The number of entries in the paper's experiments.
pub const DEFAULT_ENTRIES: usize = 256_000;

/// The number of entries at first.
const FIRST_ENTRIES: usize = 1024;

/// In the table of values: nothing yet.
const EMPTY: u32 = u32::MAX;
/// In the table of values: a dead end.
const DEAD: u32 = u32::MAX - 1;

/// A heuristic with a table in front of it.
pub struct Cached<H> {
    inner: H,
    packer: Packer,
    key: Vec<u64>,
    table: Table,
    /// The table does not grow beyond this.
    most: usize,
    /// Whether the last estimate came from the table.
    known: bool,
}

/// Packed parts and their values.
struct Table {
    keys: Vec<u64>,
    values: Vec<u32>,
    /// The entries in use.
    used: usize,
}

impl Table {
    fn new(entries: usize, words: usize) -> Table {
        Table {
            keys: vec![0; words * entries],
            values: vec![EMPTY; entries],
            used: 0,
        }
    }

    fn slot(&self, key: &[u64]) -> usize {
        let entries = self.values.len() as u128;
        ((u128::from(hash(key)) * entries) >> u64::BITS) as usize
    }

    fn key(&self, slot: usize, words: usize) -> &[u64] {
        &self.keys[slot * words..(slot + 1) * words]
    }

    fn put(&mut self, slot: usize, key: &[u64], value: u32) {
        self.used += usize::from(self.values[slot] == EMPTY);
        self.values[slot] = value;
        self.keys[slot * key.len()..(slot + 1) * key.len()].copy_from_slice(key);
    }

    /// A copy of the values in more entries.
    fn grown(&self, entries: usize, words: usize) -> Table {
        let mut table = Table::new(entries, words);
        for (slot, value) in self.values.iter().enumerate() {
            if *value != EMPTY {
                let key = self.key(slot, words);
                table.put(table.slot(key), key, *value);
            }
        }
        table
    }
}

impl<H: Heuristic + Keyed> Cached<H> {
    /// Puts a table of at most `entries` entries (at least one) in front of a heuristic.
    pub fn new(system: &System, inner: H, entries: usize) -> Cached<H> {
        let packer = Packer::among(system, |cell| inner.reads(cell));
        let most = entries.max(1);
        let words = packer.words() + inner.zone_words();
        Cached {
            key: vec![0; words],
            table: Table::new(most.min(FIRST_ENTRIES), words),
            most,
            known: false,
            packer,
            inner,
        }
    }
}

impl<H: Estimates + Keyed> Estimates for Cached<H> {
    fn facts(&self) -> HeuristicFacts {
        self.inner.facts()
    }

    fn estimate(&mut self, state: State<'_>) -> Estimate {
        let (discrete, zone) = self.key.split_at_mut(self.packer.words());
        self.packer.pack(state.memory, discrete);
        self.inner.zone_key(state.zone, zone);
        let words = self.key.len();
        let mut slot = self.table.slot(&self.key);
        let value = self.table.values[slot];
        self.known = value != EMPTY && self.table.key(slot, words) == &self.key[..];
        if self.known {
            return match value {
                DEAD => Estimate::DeadEnd,
                value => Estimate::Finite(value),
            };
        }
        let estimate = self.inner.estimate(state);
        let value = match estimate {
            Estimate::DeadEnd => DEAD,
            Estimate::Finite(value) => value,
        };
        if value < DEAD || estimate == Estimate::DeadEnd {
            let entries = self.table.values.len();
            if self.table.used * 2 > entries && entries < self.most {
                let entries = (entries * 4).min(self.most);
                self.table = self.table.grown(entries, words);
                slot = self.table.slot(&self.key);
            }
            self.table.put(slot, &self.key, value);
        }
        estimate
    }

    /// What the last estimate did cost.
    fn size(&self) -> usize {
        match self.known {
            true => 1,
            false => self.inner.size(),
        }
    }
}

impl<H: Guides> Guides for Cached<H> {
    fn prepare(&mut self, state: State<'_>) {
        self.inner.prepare(state);
    }

    fn preference(&self, edges: &[EdgeIndex]) -> Preference {
        self.inner.preference(edges)
    }

    fn preparation(&self) -> usize {
        self.inner.preparation()
    }
}

impl<H: Ranks> Ranks for Cached<H> {
    fn expanding(&mut self, state: State<'_>, reached_by: &dyn Fn() -> Vec<EdgeIndex>) {
        self.inner.expanding(state, reached_by);
    }

    fn penalty(&mut self, successor: &Successor<'_>, estimate: u32) -> u32 {
        self.inner.penalty(successor, estimate)
    }
}
