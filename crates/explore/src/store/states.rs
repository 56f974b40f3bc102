//! Symbolic states as they are, without antichains: exact keys, zones and meta cells in flat arrays.

use hashbrown::HashTable;
use merkhet_semantics::System;
use merkhet_zones::bound::Bound;

use crate::key::{Packer, hash, with_zone};

/// A state outside the arrays: its key in as few bits as it needs, meta cells and zone.
pub(crate) struct Single {
    words: Box<[u64]>,
    meta: Box<[i32]>,
    /// The zone.
    pub zone: Box<[Bound]>,
}

impl Single {
    /// The bytes that it takes.
    pub fn bytes(&self) -> usize {
        8 * self.words.len() + 4 * (self.meta.len() + self.zone.len()) + ALLOCATIONS
    }
}

/// What three small allocations take beyond their content.
const ALLOCATIONS: usize = 3 * 16;

/// The end of a chain.
const NONE: u32 = u32::MAX;

/// States by number; those with the same discrete part are chained, the newest first, unless zones decide as well.
pub(crate) struct States {
    packer: Packer,
    key_cells: usize,
    stride: usize,
    cells: usize,
    entries: usize,
    words: Vec<u64>,
    metas: Vec<i32>,
    zones: Vec<Bound>,
    next: Vec<u32>,
    /// The newest state of each discrete part, or each state.
    heads: HashTable<u32>,
    /// Only equal states are looked for: each is found by its zone as well.
    by_zone: bool,
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
            by_zone: false,
        }
    }

    /// A store of states that are looked for by their zones as well.
    pub fn by_zone(system: &System) -> States {
        let by_zone = true;
        States {
            by_zone,
            ..States::new(system)
        }
    }

    fn hash(&self, words: &[u64], zone: &[Bound]) -> u64 {
        hash_of(self.by_zone, words, zone)
    }

    /// The bytes that the states take.
    pub fn bytes(&self) -> usize {
        8 * self.words.len()
            + 4 * (self.metas.len() + self.zones.len() + self.next.len())
            + 5 * self.heads.capacity()
    }

    /// Makes a state ready to be kept.
    pub fn pack(&self, memory: &[i32], zone: &[Bound]) -> Single {
        let mut single = self.room();
        self.pack_into(&mut single, memory, zone);
        single
    }

    /// Room for a state.
    pub fn room(&self) -> Single {
        Single {
            words: vec![0; self.stride].into(),
            meta: vec![0; self.cells - self.key_cells].into(),
            zone: vec![0; self.entries].into(),
        }
    }

    /// As [`States::pack`], into the room of another one.
    pub fn pack_into(&self, single: &mut Single, memory: &[i32], zone: &[Bound]) {
        self.packer.pack(memory, &mut single.words);
        single.meta.copy_from_slice(&memory[self.key_cells..]);
        single.zone.copy_from_slice(zone);
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
        let mut zone = vec![0; self.entries];
        self.load_into(number, &mut memory, &mut zone);
        (memory, zone)
    }

    /// Copies a state outside the arrays into the caller's buffers.
    pub fn unpack(&self, single: &Single, memory: &mut [i32], zone: &mut [Bound]) {
        self.packer.unpack(&single.words, memory);
        memory[self.key_cells..].copy_from_slice(&single.meta);
        zone.copy_from_slice(&single.zone);
    }

    /// Loads a state into the caller's buffers.
    pub fn load_into(&self, number: u32, memory: &mut [i32], zone: &mut [Bound]) {
        self.packer.unpack(self.key(number), memory);
        let meta = self.cells - self.key_cells;
        memory[self.key_cells..].copy_from_slice(&self.metas[number as usize * meta..][..meta]);
        zone.copy_from_slice(self.zone(number));
    }

    /// The states with the same discrete part; where zones decide as well, the equal one.
    pub fn alike(&self, state: &Single) -> impl Iterator<Item = u32> {
        let same = |number: &u32| {
            self.key(*number) == &*state.words
                && (!self.by_zone || *self.zone(*number) == *state.zone)
        };
        let head = self.heads.find(self.hash(&state.words, &state.zone), same);
        let head = head.copied();
        std::iter::successors(head, |number| {
            let next = self.next[*number as usize];
            (next != NONE).then_some(next)
        })
    }

    /// Keeps a state.
    pub fn add(&mut self, state: &Single) -> u32 {
        let number = self.next.len() as u32;
        self.words.extend_from_slice(&state.words);
        self.metas.extend_from_slice(&state.meta);
        self.zones.extend_from_slice(&state.zone);
        let (words, stride, by_zone) = (&self.words, self.stride, self.by_zone);
        let (zones, entries) = (&self.zones, self.entries);
        let key = |number: &u32| &words[*number as usize * stride..][..stride];
        let zone = |number: &u32| &zones[*number as usize * entries..][..entries];
        let value = hash_of(by_zone, &state.words, &state.zone);
        let same =
            |other: &u32| key(other) == &*state.words && (!by_zone || *zone(other) == *state.zone);
        match self.heads.find_mut(value, same) {
            Some(head) => self.next.push(std::mem::replace(head, number)),
            None => {
                self.next.push(NONE);
                let rehash = |other: &u32| hash_of(by_zone, key(other), zone(other));
                self.heads.insert_unique(value, number, rehash);
            }
        }
        number
    }
}

fn hash_of(by_zone: bool, words: &[u64], zone: &[Bound]) -> u64 {
    match by_zone {
        true => with_zone(hash(words), zone),
        false => hash(words),
    }
}
