//! A table of heuristic values, so that the same discrete part is not estimated again and again (Kupferschmid et al.
//! 2006, section 5).
//!
//! The paper's table has N entries, indexed by a hash, and returns whatever value stands there. Here an entry also holds
//! the discrete part that it belongs to: another one that falls on it is estimated and takes its place. The table thus
//! changes the time only, never a value; a dead end stays a proof, and A* stays optimal.

use merkhet_semantics::{EdgeIndex, State, System};

use crate::heuristic::{Estimate, Heuristic, HeuristicFacts, Preference};
use crate::key::{Packer, hash};

/// The number of entries in the paper's experiments.
pub const DEFAULT_ENTRIES: usize = 256_000;

/// In the table of values: nothing yet.
const EMPTY: u32 = u32::MAX;
/// In the table of values: a dead end.
const DEAD: u32 = u32::MAX - 1;

/// A heuristic with a table in front of it. It must read the discrete part only.
pub struct Cached {
    inner: Box<dyn Heuristic>,
    packer: Packer,
    key: Vec<u64>,
    keys: Vec<u64>,
    values: Vec<u32>,
}

impl Cached {
    /// Puts a table of so many entries (at least one) in front of a heuristic.
    pub fn new(system: &System, inner: Box<dyn Heuristic>, entries: usize) -> Cached {
        let packer = Packer::new(system);
        let entries = entries.max(1);
        Cached {
            key: vec![0; packer.words()],
            keys: vec![0; packer.words() * entries],
            values: vec![EMPTY; entries],
            packer,
            inner,
        }
    }
}

impl Heuristic for Cached {
    fn facts(&self) -> HeuristicFacts {
        self.inner.facts()
    }

    fn estimate(&mut self, state: State<'_>) -> Estimate {
        self.packer.pack(state.memory, &mut self.key);
        let entries = self.values.len() as u128;
        let slot = ((u128::from(hash(&self.key)) * entries) >> u64::BITS) as usize;
        let words = self.key.len();
        let place = slot * words..(slot + 1) * words;
        match self.values[slot] {
            EMPTY => {}
            value if self.keys[place.clone()] == self.key[..] => {
                return match value {
                    DEAD => Estimate::DeadEnd,
                    value => Estimate::Finite(value),
                };
            }
            _ => {}
        }
        let estimate = self.inner.estimate(state);
        let value = match estimate {
            Estimate::DeadEnd => DEAD,
            Estimate::Finite(value) => value,
        };
        if value < DEAD || estimate == Estimate::DeadEnd {
            self.values[slot] = value;
            self.keys[place].copy_from_slice(&self.key);
        }
        estimate
    }

    fn prepare(&mut self, state: State<'_>) {
        self.inner.prepare(state);
    }

    fn preference(&self, edges: &[EdgeIndex]) -> Preference {
        self.inner.preference(edges)
    }

    fn size(&self) -> usize {
        self.inner.size()
    }
}
