//! Results of operations: a direct-mapped table that forgets when two results meet.

use super::store::Edge;

/// The operations whose results are remembered.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Operation {
    And,
    Xor,
    Ite,
    Exists,
    AndExists,
    Image,
    Preimage,
    /// By the identity of the renaming.
    Rename(u32),
    Restrict,
    Simplify,
    /// By the identity of the relations and the number of the group.
    Saturate(u32, u32),
}

impl Operation {
    /// A number that no other operation has; 0 is left for empty entries.
    #[inline]
    fn tag(self) -> u32 {
        match self {
            Operation::And => 1,
            Operation::Xor => 2,
            Operation::Ite => 3,
            Operation::Exists => 4,
            Operation::AndExists => 5,
            Operation::Image => 6,
            Operation::Preimage => 7,
            Operation::Restrict => 8,
            Operation::Simplify => 9,
            Operation::Rename(identity) => 1 << 31 | identity,
            // Identities of relations are small, see `Diagrams::relations`.
            Operation::Saturate(identity, group) => 1 << 30 | identity << 16 | group,
        }
    }
}

#[derive(Clone, Copy)]
struct Entry {
    keys: [u32; 3],
    /// The operation; 0 if the entry is empty.
    tag: u32,
    result: Edge,
}

const EMPTY: Entry = Entry {
    keys: [0; 3],
    tag: 0,
    result: 0,
};

/// The number of entries at the start.
const SMALLEST: usize = 1 << 12;

pub(super) struct Cache {
    entries: Vec<Entry>,
    max_entries: usize,
    /// How often a result was looked for, and found.
    pub(super) lookups: u64,
    pub(super) hits: u64,
}

impl Cache {
    pub(super) fn new(bytes: usize) -> Cache {
        let affordable = (bytes / size_of::<Entry>()).max(1 << 10);
        let max_entries = (affordable / 2 + 1).next_power_of_two();
        Cache {
            entries: vec![EMPTY; SMALLEST],
            max_entries,
            lookups: 0,
            hits: 0,
        }
    }

    /// The number of results that it can hold now.
    pub(super) fn capacity(&self) -> usize {
        self.entries.len()
    }

    /// Its memory.
    pub(super) fn bytes(&self) -> usize {
        self.entries.capacity() * size_of::<Entry>()
    }

    /// Forgets everything.
    pub(super) fn clear(&mut self) {
        self.entries.fill(EMPTY);
    }

    /// Forgets the results that mention a node for which `alive` is false.
    pub(super) fn retain(&mut self, alive: impl Fn(u32) -> bool) {
        for entry in &mut self.entries {
            if entry.tag == 0 {
                continue;
            }
            let keys_alive = entry.keys.iter().all(|key| alive(key >> 1));
            if !keys_alive || !alive(entry.result >> 1) {
                *entry = EMPTY;
            }
        }
    }

    /// Keeps the table about as large as the number of nodes: between a half of it and twice as
    /// large. It grows in large steps, because each new table costs its pages.
    pub(super) fn adapt(&mut self, nodes: usize) {
        let wanted = (2 * nodes).next_power_of_two().min(self.max_entries);
        if wanted >= 4 * self.entries.len()
            || wanted == self.max_entries && wanted > self.entries.len()
        {
            let old = std::mem::replace(&mut self.entries, vec![EMPTY; wanted]);
            for entry in old {
                if entry.tag != 0 {
                    let position = self.position(entry.tag, entry.keys);
                    self.entries[position] = entry;
                }
            }
        }
    }

    #[inline]
    fn position(&self, tag: u32, keys: [u32; 3]) -> usize {
        let mut mixed = u64::from(keys[0]) << 32 | u64::from(keys[1]);
        mixed = mixed.wrapping_mul(0x9E37_79B9_7F4A_7C15);
        mixed ^= (u64::from(keys[2]) << 8 | u64::from(tag)).wrapping_mul(0xC2B2_AE3D_27D4_EB4F);
        mixed ^= mixed >> 29;
        (mixed.wrapping_mul(0xBF58_476D_1CE4_E5B9) >> 32) as usize & (self.entries.len() - 1)
    }

    #[inline]
    pub(super) fn get(&mut self, operation: Operation, keys: [u32; 3]) -> Option<Edge> {
        let tag = operation.tag();
        let entry = &self.entries[self.position(tag, keys)];
        let hit = entry.tag == tag && entry.keys == keys;
        let result = hit.then_some(entry.result);
        self.lookups += 1;
        self.hits += u64::from(hit);
        result
    }

    #[inline]
    pub(super) fn put(&mut self, operation: Operation, keys: [u32; 3], result: Edge) {
        let tag = operation.tag();
        let position = self.position(tag, keys);
        self.entries[position] = Entry { keys, tag, result };
    }
}
