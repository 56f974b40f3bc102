//! The states seen so far: an exact packed discrete key leads to an antichain of zones.
//!
//! Passed and waiting states are kept together. A new state is *covered* if a stored zone with the same discrete part
//! includes it (as far as the [`Inclusion`] goes); stored states that a new one covers are taken out of the antichain,
//! and if they were still waiting they are never expanded. Nodes stay, without their zones, because their children
//! refer to them: a trace is read off parents and actions.

mod actions;
mod bits;
mod lists;
mod signature;
mod zones;

use hashbrown::HashTable;
use merkhet_lattice::bound::Bound;
use merkhet_lattice::zone::lanes::{self, Compared};
use merkhet_semantics::{EdgeIndex, Successor, System};

use crate::key::{Packer, hash};
use actions::Actions;
use bits::BitTable;
use lists::Lists;
use signature::Signature;
pub(crate) use signature::Size;
use zones::{New, ZoneRef, Zones};

/// A stored state.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct StateId(pub u32);

/// When a stored zone makes a new one superfluous.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Inclusion {
    /// When they are equal.
    None,
    /// When it includes the new one.
    #[default]
    Zone,
    /// When it simulates the new one with respect to the bounds of the clocks (aLU; Herbreteau, Srivathsan and
    /// Walukiewicz, LICS 2012). Not with differences of clocks.
    Alu,
}

/// Which stored states may cover a new one.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Covering {
    /// Any. Right for searches that do not promise shortest traces, and for breadth first, where depth never falls.
    #[default]
    Always,
    /// Only those at no larger depth: A* loses optimality otherwise.
    NotDeeper,
}

const NONE: u32 = u32::MAX;

/// So many signatures are compared at once.
const BLOCK: usize = 64;

#[derive(Clone, Copy, Debug)]
struct Node {
    /// The index of its key.
    discrete: u32,
    /// Its zone, or none once it is out of the antichain.
    zone: ZoneRef,
    parent: u32,
    depth: u32,
    action: [u32; 2],
}

/// The hash of the discrete part that was prepared last.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Prepared(pub u64);

/// What became of a state that was offered to the store.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Insertion {
    /// It is stored under this id and must be expanded.
    New(StateId),
    /// A stored state makes it superfluous.
    Covered,
}

/// The states seen so far.
pub struct Store {
    packer: Packer,
    cells: usize,
    key_cells: usize,
    inclusion: Inclusion,
    covering: Covering,
    table: HashTable<u32>,
    keys: Vec<u64>,
    /// By key: the antichain.
    lists: Lists,
    nodes: Vec<Node>,
    zones: Zones,
    /// By node: the values of the meta variables, which are no part of its identity.
    meta: Vec<i32>,
    actions: Actions,
    /// The key of the state that is being inserted.
    words: Vec<u64>,
    /// The nodes that the state that is being inserted may cover.
    candidates: Vec<u32>,
    live: usize,
    /// Instead of the table, where bit-state hashing was asked for.
    bits: Option<BitTable>,
    /// With bit-state hashing: places of keys that are no longer needed.
    free_keys: Vec<u32>,
}

impl Store {
    /// An empty store for the states of a system.
    pub fn new(system: &System, inclusion: Inclusion, covering: Covering) -> Store {
        let packer = Packer::new(system);
        let words = vec![0; packer.words()];
        Store {
            packer,
            cells: system.cells().len(),
            key_cells: system.key_cells(),
            inclusion,
            covering,
            table: HashTable::new(),
            keys: Vec::new(),
            lists: Lists::default(),
            nodes: Vec::new(),
            zones: Zones::new(system.dimension(), system.largest_bound()),
            meta: Vec::new(),
            actions: Actions::default(),
            words,
            candidates: Vec::new(),
            live: 0,
            bits: None,
            free_keys: Vec::new(),
        }
    }

    /// An empty store that remembers states by a few bits of a table of 2^`log_bits` bits: it may take a new state for
    /// one that it has seen, so that nothing is proved by not finding a state.
    pub fn bitstate(system: &System, log_bits: u32) -> Store {
        let mut store = Store::new(system, Inclusion::None, Covering::Always);
        store.bits = Some(BitTable::new(log_bits));
        store
    }

    /// Stores a state, unless it is covered.
    pub fn insert(
        &mut self,
        successor: &Successor<'_>,
        parent: Option<StateId>,
        depth: u32,
    ) -> Insertion {
        let key = self.prepare(successor.state.memory);
        self.insert_prepared(key, successor, parent, depth)
    }

    /// Packs the discrete part of a state that is about to be inserted.
    #[inline]
    pub(crate) fn prepare(&mut self, memory: &[i32]) -> Prepared {
        self.packer.pack(memory, &mut self.words);
        Prepared(hash(&self.words))
    }

    /// Stores the state whose discrete part was prepared last, unless it is covered.
    pub(crate) fn insert_prepared(
        &mut self,
        Prepared(key): Prepared,
        successor: &Successor<'_>,
        parent: Option<StateId>,
        depth: u32,
    ) -> Insertion {
        let state = successor.state;
        let stride = self.words.len();
        if let Some(bits) = &mut self.bits {
            if !bits.insert(key, state.zone) {
                return Insertion::Covered;
            }
            let discrete = self.own_key();
            let signature = self.zones.prepare(state.zone);
            return Insertion::New(self.push(discrete, successor, signature, parent, depth));
        }
        let (keys, words) = (&self.keys, &self.words);
        let same = |id: &u32| keys[*id as usize * stride..][..stride] == words[..];
        let discrete = match self.table.find(key, same) {
            Some(&discrete) => {
                let signature = self.zones.prepare(state.zone);
                if self.settle(discrete, successor, signature, depth) {
                    return Insertion::Covered;
                }
                return Insertion::New(self.push(discrete, successor, signature, parent, depth));
            }
            None => {
                let discrete = self.lists.add();
                self.keys.extend_from_slice(&self.words);
                let keys = &self.keys;
                let rehash = |id: &u32| hash(&keys[*id as usize * stride..][..stride]);
                self.table.insert_unique(key, discrete, rehash);
                discrete
            }
        };
        let signature = self.zones.prepare(state.zone);
        Insertion::New(self.push(discrete, successor, signature, parent, depth))
    }

    /// A place for the present key that belongs to one node alone.
    fn own_key(&mut self) -> u32 {
        let stride = self.words.len();
        if let Some(place) = self.free_keys.pop() {
            self.keys[place as usize * stride..][..stride].copy_from_slice(&self.words);
            return place;
        }
        self.keys.extend_from_slice(&self.words);
        (self.keys.len() / stride) as u32 - 1
    }

    /// How large the zone of the state is that was inserted last.
    pub(crate) fn size(&self) -> Size {
        self.zones.size()
    }

    /// Tells the store that a state was loaded to be expanded. With bit-state hashing it is then forgotten.
    pub fn expanded(&mut self, id: StateId) {
        if self.bits.is_some() {
            let node = &mut self.nodes[id.0 as usize];
            self.zones.remove(node.zone);
            self.free_keys.push(node.discrete);
            node.zone = ZoneRef::NONE;
        }
    }

    fn push(
        &mut self,
        discrete: u32,
        successor: &Successor<'_>,
        signature: Signature,
        parent: Option<StateId>,
        depth: u32,
    ) -> StateId {
        let id = self.nodes.len() as u32;
        self.nodes.push(Node {
            discrete,
            zone: self.zones.insert(successor.state.zone),
            parent: parent.map_or(NONE, |id| id.0),
            depth,
            action: self.actions.encode(successor.edges),
        });
        if self.bits.is_none() {
            self.lists.push(discrete, signature, id);
        }
        self.meta
            .extend_from_slice(&successor.state.memory[self.key_cells..]);
        self.live += 1;
        StateId(id)
    }

    /// Compares the new state with the antichain: says whether it is covered; if not, takes out what it covers.
    fn settle(
        &mut self,
        discrete: u32,
        successor: &Successor<'_>,
        signature: Signature,
        depth: u32,
    ) -> bool {
        let new = New {
            inclusion: self.inclusion,
            zone: successor.state.zone,
            lower: successor.lower,
            upper: successor.upper,
        };
        let by_signature = self.inclusion != Inclusion::Alu;
        let always = self.covering == Covering::Always;
        // Equal zones at no larger depth were found to cover the new one.
        let removes = self.inclusion != Inclusion::None || !always;
        let (signatures, members) = self.lists.get(discrete);
        self.candidates.clear();
        // Those found last are the likeliest to cover.
        for (signatures, members) in signatures.rchunks(BLOCK).zip(members.rchunks(BLOCK)) {
            let compared = match by_signature {
                true => lanes::compare(signatures, signature),
                false => all(signatures.len()),
            };
            for index in bits(compared.no_smaller) {
                let stored = &self.nodes[members[index] as usize];
                if (always || stored.depth <= depth) && self.zones.covers_new(stored.zone, &new) {
                    return true;
                }
            }
            if removes {
                let covered = bits(compared.no_larger).map(|index| members[index]);
                self.candidates.extend(covered);
            }
        }
        let mut removed = false;
        for node in &self.candidates {
            let stored = &mut self.nodes[*node as usize];
            if (always || depth <= stored.depth) && self.zones.new_covers(stored.zone, &new) {
                self.zones.remove(stored.zone);
                stored.zone = ZoneRef::NONE;
                self.live -= 1;
                removed = true;
            }
        }
        if removed {
            let nodes = &self.nodes;
            self.lists
                .retain(discrete, |node| nodes[node as usize].zone != ZoneRef::NONE);
        }
        false
    }

    /// Whether a state has been taken out because a later one covers it.
    #[inline]
    pub fn is_removed(&self, id: StateId) -> bool {
        self.nodes[id.0 as usize].zone == ZoneRef::NONE
    }

    /// Copies a state that is not removed into the caller's buffers.
    pub fn load(&self, id: StateId, memory: &mut [i32], zone: &mut [Bound]) {
        let node = &self.nodes[id.0 as usize];
        let stride = self.words.len();
        let words = &self.keys[node.discrete as usize * stride..][..stride];
        self.packer.unpack(words, memory);
        let meta = self.cells - self.key_cells;
        memory[self.key_cells..].copy_from_slice(&self.meta[id.0 as usize * meta..][..meta]);
        self.zones.load(node.zone, zone);
    }

    /// The lower bound of a clock in a state that is not removed, as [`crate::strategy::lower_bound`] gives it.
    pub(crate) fn lower_bound(&self, id: StateId, row: usize) -> u64 {
        crate::strategy::lower_bound_of(self.zones.lower(self.nodes[id.0 as usize].zone, row))
    }

    /// The length of the path by which a state was found.
    pub fn depth(&self, id: StateId) -> u32 {
        self.nodes[id.0 as usize].depth
    }

    /// The state from which a state was found, and the edges taken.
    pub fn parent(&self, id: StateId) -> Option<(StateId, Vec<EdgeIndex>)> {
        let node = &self.nodes[id.0 as usize];
        (node.parent != NONE).then(|| (StateId(node.parent), self.actions.decode(node.action)))
    }

    /// The number of nodes ever stored.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether nothing was ever stored.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// The number of states that no later one covers.
    pub fn live(&self) -> usize {
        self.live
    }

    /// The number of different discrete parts; 0 with bit-state hashing, which does not know.
    pub fn discrete(&self) -> usize {
        self.table.len()
    }

    /// The ids of the states that no later one covers.
    pub fn live_states(&self) -> impl Iterator<Item = StateId> + '_ {
        (0..self.nodes.len() as u32)
            .map(StateId)
            .filter(|id| !self.is_removed(*id))
    }

    /// The memory in use, in bytes.
    pub fn bytes(&self) -> usize {
        self.table.allocation_size()
            + self.keys.len() * size_of::<u64>()
            + self.lists.bytes()
            + self.nodes.len() * size_of::<Node>()
            + self.meta.len() * size_of::<i32>()
            + self.zones.memory()
            + self.actions.bytes()
            + self.free_keys.len() * size_of::<u32>()
            + self.bits.as_ref().map_or(0, BitTable::bytes)
    }
}

/// Every one of so many.
fn all(len: usize) -> Compared {
    let all = u64::MAX >> (64 - len);
    Compared {
        no_smaller: all,
        no_larger: all,
    }
}

/// The positions of the bits that are set, the highest first.
fn bits(mut mask: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let highest = mask.checked_ilog2()?;
        mask &= !(1 << highest);
        Some(highest as usize)
    })
}
