//! The states that the search has met: exact keys, zones and meta cells in flat arrays.

use hashbrown::HashTable;
use merkhet_semantics::System;
use merkhet_zones::bound::Bound;

use crate::key::{Packer, hash};

/// A state outside the arrays: its key in as few bits as it needs, meta cells and zone.
pub(super) struct Packed {
    words: Box<[u64]>,
    meta: Box<[i32]>,
    /// The zone.
    pub zone: Box<[Bound]>,
}

impl Packed {
    /// The bytes that it takes.
    pub fn bytes(&self) -> usize {
        8 * self.words.len() + 4 * (self.meta.len() + self.zone.len()) + ALLOCATIONS
    }
}

/// What three small allocations take beyond their content.
const ALLOCATIONS: usize = 3 * 16;

/// The end of a chain.
const NONE: u32 = u32::MAX;

/// States by number; those with the same discrete part are chained, the newest first.
pub(super) struct States {
    packer: Packer,
    key_cells: usize,
    stride: usize,
    cells: usize,
    entries: usize,
    words: Vec<u64>,
    metas: Vec<i32>,
    zones: Vec<Bound>,
    next: Vec<u32>,
    /// The newest state of each discrete part.
    heads: HashTable<u32>,
}

impl States {
    pub fn new(system: &System) -> States {
        let packer = Packer::new(system);
        States {
            key_cells: system.key_cells(),
            stride: packer.words(),
            cells: system.cells().len(),
            entries: system.dimension() * system.dimension(),
            packer,
            words: Vec::new(),
            metas: Vec::new(),
            zones: Vec::new(),
            next: Vec::new(),
            heads: HashTable::new(),
        }
    }

    /// The bytes that the states take.
    pub fn bytes(&self) -> usize {
        8 * self.words.len()
            + 4 * (self.metas.len() + self.zones.len() + self.next.len())
            + 5 * self.heads.capacity()
    }

    /// Makes a state ready to be kept.
    pub fn pack(&self, memory: &[i32], zone: &[Bound]) -> Packed {
        let mut words = vec![0; self.stride];
        self.packer.pack(memory, &mut words);
        Packed {
            words: words.into(),
            meta: memory[self.key_cells..].into(),
            zone: zone.into(),
        }
    }

    fn key(&self, number: u32) -> &[u64] {
        &self.words[number as usize * self.stride..][..self.stride]
    }

    /// The zone of a state.
    pub fn zone(&self, number: u32) -> &[Bound] {
        &self.zones[number as usize * self.entries..][..self.entries]
    }

    /// Reads a state.
    pub fn load(&self, number: u32) -> (Vec<i32>, Vec<Bound>) {
        let mut memory = vec![0; self.cells];
        self.packer.unpack(self.key(number), &mut memory);
        let meta = self.cells - self.key_cells;
        memory[self.key_cells..].copy_from_slice(&self.metas[number as usize * meta..][..meta]);
        (memory, self.zone(number).to_vec())
    }

    /// The states with the same discrete part.
    pub fn alike(&self, state: &Packed) -> impl Iterator<Item = u32> {
        let same = |number: &u32| self.key(*number) == &*state.words;
        let head = self.heads.find(hash(&state.words), same).copied();
        std::iter::successors(head, |number| {
            let next = self.next[*number as usize];
            (next != NONE).then_some(next)
        })
    }

    /// Keeps a state.
    pub fn add(&mut self, state: &Packed) -> u32 {
        let number = self.next.len() as u32;
        self.words.extend_from_slice(&state.words);
        self.metas.extend_from_slice(&state.meta);
        self.zones.extend_from_slice(&state.zone);
        let (words, stride) = (&self.words, self.stride);
        let key = |number: &u32| &words[*number as usize * stride..][..stride];
        let value = hash(&state.words);
        match self
            .heads
            .find_mut(value, |other| key(other) == &*state.words)
        {
            Some(head) => self.next.push(std::mem::replace(head, number)),
            None => {
                self.next.push(NONE);
                self.heads
                    .insert_unique(value, number, |other| hash(key(other)));
            }
        }
        number
    }
}
