//! The states seen so far: an exact packed discrete key leads to an antichain of zones.
//!
//! Passed and waiting states are kept together. A new state is *covered* if a stored zone with the same discrete part
//! includes it (as far as the [`Inclusion`] goes); stored states that a new one covers are taken out of the antichain,
//! and if they were still waiting they are never expanded. Nodes stay, without their zones, because their children
//! refer to them: a trace is read off parents and actions.

mod actions;
mod arena;
mod bits;
mod expanded;
pub(crate) mod gain;
mod lists;
mod offer;
mod parts;
mod plain;
mod shapes;
mod signature;
pub(crate) mod states;
mod zones;

use merkhet_network::tuning::Tuning;
use merkhet_semantics::{EdgeIndex, Successor, System};
use merkhet_zones::bound::Bound;
use merkhet_zones::zone::lanes;

use crate::key::{Neighbour, Packer, hash};
use actions::Actions;
use arena::ZoneRef;
use bits::BitTable;
use expanded::Expanded;
pub(crate) use expanded::Waste;
use gain::Gain;
use lists::{Header, Lists};
pub(crate) use offer::{Entries, Offer, Packed, PackedZone};
use parts::{Parts, Slot};
pub use plain::{Plain, Steps};
use shapes::{Shape, Shapes};
pub(crate) use signature::Signature;
pub use signature::Size;
use zones::{By, Zones};

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
    /// As by simulation while that makes more states superfluous, else as by inclusion.
    Adaptive,
}

/// Which stored states may cover a new one.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Covering {
    /// Any. Right for searches that do not promise shortest traces.
    #[default]
    Always,
    /// Only those at no larger depth: A* loses optimality otherwise.
    NotDeeper,
    /// Any, since depth never falls when states are expanded as they come; but a state that waits is not replaced by a
    /// larger one that is deeper: breadth first loses optimality otherwise.
    Deepening,
}

impl Covering {
    /// Whether a new state that covers a stored one subsumes it.
    fn subsumes(self, depth: u32, stored: u32, expanded: bool) -> bool {
        match self {
            Covering::Always => true,
            Covering::NotDeeper => depth <= stored,
            Covering::Deepening => expanded || depth <= stored,
        }
    }
}

const NONE: u32 = u32::MAX;

/// Signatures that are compared at once.
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

/// A discrete part of a store.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Part(std::num::NonZeroU32);

impl Part {
    fn new(part: u32) -> Part {
        Part(std::num::NonZeroU32::MIN.saturating_add(part))
    }

    /// As an index of slices.
    #[inline]
    pub fn index(self) -> usize {
        self.0.get() as usize - 1
    }
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
    /// This stored state has become larger instead, and must be expanded (again). Not for zones alone.
    Grown {
        /// The state.
        id: StateId,
        /// It is on the open list as it is.
        waits: bool,
    },
    /// The store takes no more; it knows why. Not for zones alone.
    Refused,
}

/// The states seen so far.
pub struct Store {
    packer: Packer,
    /// The state that was loaded last, where others are packed next to it. (States whose transitions are worked out are not
    /// loaded; their few new targets are packed next to an older one.)
    neighbour: Option<Neighbour>,
    cells: usize,
    key_cells: usize,
    /// Whether zones are compared by simulation.
    gain: Gain,
    covering: Covering,
    /// The state that was expanded last: breadth first has expanded all before it.
    last_expanded: u32,
    /// Which states were expanded, and what of that was in vain.
    expanded: Expanded,
    parts: Parts,
    /// The antichains.
    lists: Lists,
    nodes: Vec<Node>,
    shapes: Shapes,
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
    /// With bit-state hashing: discrete parts that are no longer needed.
    free_parts: Vec<u32>,
}

impl Store {
    /// An empty store for the states of a system.
    pub fn new(system: &System, inclusion: Inclusion, covering: Covering) -> Store {
        Store::tuned(system, inclusion, covering, &Tuning::default())
    }

    /// An empty store with other tunables than the defaults.
    pub fn tuned(
        system: &System,
        inclusion: Inclusion,
        covering: Covering,
        tuning: &Tuning,
    ) -> Store {
        let packer = Packer::new(system);
        let words = vec![0; packer.words()];
        let n = system.dimension();
        Store {
            cells: system.cells().len(),
            key_cells: system.key_cells(),
            gain: match inclusion {
                Inclusion::None | Inclusion::Zone => Gain::fixed(false),
                Inclusion::Alu => Gain::fixed(true),
                Inclusion::Adaptive => Gain::adaptive(tuning),
            },
            covering,
            last_expanded: 0,
            expanded: Expanded::default(),
            parts: Parts::new(packer.words()),
            neighbour: packer.neighbour(system.key_cells()),
            packer,
            lists: Lists::default(),
            nodes: Vec::new(),
            shapes: Shapes::new(n, system.frees_clocks()),
            zones: Zones::new(
                n,
                system.largest_bound(),
                match inclusion {
                    Inclusion::None => By::Equality,
                    Inclusion::Zone => By::Inclusion,
                    Inclusion::Alu | Inclusion::Adaptive => By::Simulation,
                },
            ),
            meta: Vec::new(),
            actions: Actions::default(),
            words,
            candidates: Vec::new(),
            live: 0,
            bits: None,
            free_parts: Vec::new(),
        }
    }

    /// An empty store that remembers states by a few bits of a table of 2^`log_bits` bits: it may take a new state for
    /// one that it has seen, so that nothing is proved by not finding a state.
    pub fn bitstate(system: &System, log_bits: u32) -> Store {
        let mut store = Store::new(system, Inclusion::None, Covering::Always);
        store.shapes = Shapes::new(system.dimension(), false);
        store.bits = Some(BitTable::new(log_bits));
        store
    }

    /// Stores a state, unless it is covered.
    #[inline]
    pub fn insert(
        &mut self,
        successor: &Successor<'_>,
        parent: Option<StateId>,
        depth: u32,
    ) -> Insertion {
        let key = self.prepare(successor.state.memory);
        self.insert_prepared(key, Offer::Found(successor), parent, depth)
    }

    /// Packs the discrete part of a state that is about to be inserted.
    #[inline]
    pub(crate) fn prepare(&mut self, memory: &[i32]) -> Prepared {
        match &self.neighbour {
            Some(neighbour) => self.packer.pack_near(neighbour, memory, &mut self.words),
            None => self.packer.pack(memory, &mut self.words),
        }
        Prepared(hash(&self.words))
    }

    /// The key that was prepared last.
    pub(crate) fn prepared_words(&self) -> &[u64] {
        &self.words
    }

    /// As [`Store::prepare`], with a key that another store of the same system has prepared.
    #[inline]
    pub(crate) fn prepare_words(&mut self, words: &[u64]) -> Prepared {
        self.words.copy_from_slice(words);
        Prepared(hash(&self.words))
    }

    /// Unpacks the key that was prepared last.
    pub(crate) fn unpack_words(&self, memory: &mut [i32]) {
        self.packer.unpack(&self.words, memory);
    }

    /// The signature and size of a zone with one entry.
    pub(crate) fn single_sign(&self) -> (Signature, Size) {
        self.zones.single_sign()
    }

    /// The number of cells that make up a state's identity.
    pub(crate) fn key_cells(&self) -> usize {
        self.key_cells
    }

    /// The zone of a state for another store of the same system.
    pub(crate) fn pack_zone(&mut self, successor: &Successor<'_>) -> PackedZone<'_> {
        let number = self.shapes.number(successor.lower, successor.upper);
        let shape = self.shapes.get(number);
        let signature = self.zones.prepare(shape, Offer::Found(successor));
        self.zones.packed(shape, signature)
    }

    /// Stores the state whose discrete part was prepared last, unless it is covered.
    pub(crate) fn insert_prepared(
        &mut self,
        Prepared(key): Prepared,
        offer: Offer<'_>,
        parent: Option<StateId>,
        depth: u32,
    ) -> Insertion {
        if let Some(bits) = &mut self.bits {
            // Every row is stored: the new zone is the whole one.
            self.zones.prepare(self.shapes.get(0), offer);
            if !bits.insert(key, self.zones.whole()) {
                return Insertion::Covered;
            }
            let part = self.own_part();
            return Insertion::New(self.push(part, Slot::new(0), offer, parent, depth));
        }
        match self.parts.find(key, &self.words) {
            Some(part) => self.insert_into(Part::new(part), offer, parent, depth),
            None => {
                let slot = Slot::new(offer.shape(&mut self.shapes));
                let part = self.parts.add(key, &self.words, slot);
                Insertion::New(self.push(part, slot, offer, parent, depth))
            }
        }
    }

    /// Stores a state of a discrete part that is there, unless it is covered. Not with bit-state hashing.
    #[inline]
    pub(crate) fn insert_into(
        &mut self,
        part: Part,
        offer: Offer<'_>,
        parent: Option<StateId>,
        depth: u32,
    ) -> Insertion {
        let part = part.index() as u32;
        let mut slot = self.parts.slot(part);
        let shape = self.shapes.get(slot.shape);
        // Without clocks that matter all zones are the same.
        if shape.dimension() == 1 && self.covering != Covering::NotDeeper {
            return Insertion::Covered;
        }
        let signature = self.zones.prepare(shape, offer);
        if self.settle(&mut slot, signature, depth) {
            return Insertion::Covered;
        }
        if self.gain.samples() {
            let gained = self.sample(&slot, offer);
            self.gain.sampled(gained, self.live);
        }
        let id = self.push_prepared(part, slot, signature, offer, parent, depth);
        Insertion::New(id)
    }

    /// The discrete part that was prepared last, if some state with it has been stored.
    pub(crate) fn prepared_part(&self, Prepared(key): Prepared) -> Option<Part> {
        self.parts.find(key, &self.words).map(Part::new)
    }

    /// Whether states with the same discrete part share it: not with bit-state hashing.
    pub(crate) fn shares_parts(&self) -> bool {
        self.bits.is_none()
    }

    /// The discrete part of a state that is not removed.
    #[inline]
    pub(crate) fn part(&self, id: StateId) -> Part {
        Part::new(self.nodes[id.0 as usize].discrete)
    }

    /// Whether a discrete part has had one state so far.
    pub(crate) fn is_only(&self, part: Part) -> bool {
        let slot = self.parts.slot(part.index() as u32);
        slot.header.is_single().is_some()
    }

    /// Stores a node of a search that was written down, under the next id: a state that was there, or one that had been
    /// covered. Nothing is compared.
    pub(crate) fn restore(
        &mut self,
        successor: Option<Successor<'_>>,
        edges: &[EdgeIndex],
        parent: Option<StateId>,
        depth: u32,
    ) {
        let Some(successor) = successor else {
            self.nodes.push(Node {
                discrete: 0,
                zone: ZoneRef::NONE,
                parent: parent.map_or(NONE, |id| id.0),
                depth,
                action: self.actions.encode(edges),
            });
            let meta = self.cells - self.key_cells;
            self.meta.resize(self.meta.len() + meta, 0);
            return;
        };
        let Prepared(key) = self.prepare(successor.state.memory);
        let (part, slot) = match self.parts.find(key, &self.words) {
            Some(part) => (part, self.parts.slot(part)),
            None => {
                let slot = Slot::new(self.shapes.number(successor.lower, successor.upper));
                (self.parts.add(key, &self.words, slot), slot)
            }
        };
        self.push(part, slot, Offer::Found(&successor), parent, depth);
    }

    /// A place for the present key that belongs to one node alone.
    fn own_part(&mut self) -> u32 {
        match self.free_parts.pop() {
            Some(part) => {
                self.parts.set_key(part, &self.words);
                part
            }
            None => self.parts.add_unlisted(&self.words, Slot::new(0)),
        }
    }

    /// How large the zone of the state is that was inserted last.
    pub(crate) fn size(&self) -> Size {
        self.zones.size()
    }

    /// Tells the store that a state was loaded to be expanded. With bit-state hashing it is then forgotten.
    pub fn expanded(&mut self, id: StateId) {
        self.last_expanded = id.0;
        self.expanded.insert(id.0);
        if self.bits.is_some() {
            let node = &mut self.nodes[id.0 as usize];
            self.zones.remove(self.shapes.get(0), node.zone);
            self.free_parts.push(node.discrete);
            node.zone = ZoneRef::NONE;
        }
    }

    /// Stores a state whose zone has not been looked at.
    fn push(
        &mut self,
        part: u32,
        slot: Slot,
        offer: Offer<'_>,
        parent: Option<StateId>,
        depth: u32,
    ) -> StateId {
        let signature = self.zones.prepare(self.shapes.get(slot.shape), offer);
        self.push_prepared(part, slot, signature, offer, parent, depth)
    }

    fn push_prepared(
        &mut self,
        part: u32,
        mut slot: Slot,
        signature: Signature,
        offer: Offer<'_>,
        parent: Option<StateId>,
        depth: u32,
    ) -> StateId {
        let id = self.nodes.len() as u32;
        let zone = self.zones.insert(self.shapes.get(slot.shape));
        self.nodes.push(Node {
            discrete: part,
            zone,
            parent: parent.map_or(NONE, |id| id.0),
            depth,
            action: self.actions.encode(offer.edges()),
        });
        if self.bits.is_none() {
            if slot.header == Header::EMPTY {
                slot.header = Header::single(id);
                (slot.signature, slot.zone) = (signature, zone);
            } else {
                if let Some(only) = slot.header.is_single() {
                    slot.header = self.lists.push(Header::EMPTY, slot.signature, only);
                }
                slot.header = self.lists.push(slot.header, signature, id);
            }
            self.parts.set_slot(part, slot);
        }
        self.meta.extend_from_slice(offer.meta(self.key_cells));
        self.live += 1;
        StateId(id)
    }

    /// Compares the new state with the antichain: says whether it is covered; if not, takes out what it covers.
    fn settle(&mut self, slot: &mut Slot, signature: Signature, depth: u32) -> bool {
        if let Some(node) = slot.header.is_single() {
            return self.settle_single(slot, node, signature, depth);
        }
        let shape = self.shapes.get(slot.shape);
        let covering = self.covering;
        // Equal zones at no larger depth were found to cover the new one.
        let removes = !self.zones.by_equality() || covering == Covering::NotDeeper;
        let (signatures, members) = self.lists.get(slot.header);
        self.candidates.clear();
        // Those found last are the likeliest to cover.
        for (signatures, members) in signatures.rchunks(BLOCK).zip(members.rchunks(BLOCK)) {
            let compared = lanes::compare(signatures, signature);
            for index in bits(compared.no_smaller) {
                let stored = &self.nodes[members[index] as usize];
                if (covering != Covering::NotDeeper || stored.depth <= depth)
                    && self.zones.covers_new(shape, stored.zone)
                {
                    if self.gain.asks() {
                        let gained = !self.zones.includes_new(shape, stored.zone);
                        self.gain.compared(gained, self.live);
                    }
                    return true;
                }
            }
            if removes {
                let covered = bits(compared.no_larger).map(|index| members[index]);
                self.candidates.extend(covered);
            }
        }
        let (mut removed, mut gained) = (false, false);
        for node in &self.candidates {
            let stored = &mut self.nodes[*node as usize];
            if covering.subsumes(depth, stored.depth, *node <= self.last_expanded)
                && self.zones.new_covers(shape, stored.zone)
            {
                gained |= self.gain.asks() && !self.zones.new_includes(shape, stored.zone);
                self.zones.remove(shape, stored.zone);
                stored.zone = ZoneRef::NONE;
                self.live -= 1;
                self.expanded.given_up(*node);
                removed = true;
            }
        }
        if removed {
            let nodes = &self.nodes;
            slot.header = self.lists.retain(slot.header, |node| {
                nodes[node as usize].zone != ZoneRef::NONE
            });
        }
        if self.gain.asks() {
            self.gain.compared(gained, self.live);
        }
        false
    }

    /// Settles an antichain of one.
    fn settle_single(
        &mut self,
        slot: &mut Slot,
        node: u32,
        signature: Signature,
        depth: u32,
    ) -> bool {
        let shape = self.shapes.get(slot.shape);
        let compared = lanes::compare(&[slot.signature], signature);
        let covering = self.covering;
        let expanded = node <= self.last_expanded;
        let number = node;
        let node = node as usize;
        if compared.no_smaller != 0
            && (covering != Covering::NotDeeper || self.nodes[node].depth <= depth)
            && self.zones.covers_new(shape, slot.zone)
        {
            if self.gain.asks() {
                let gained = !self.zones.includes_new(shape, slot.zone);
                self.gain.compared(gained, self.live);
            }
            return true;
        }
        let mut gained = false;
        if compared.no_larger != 0
            && covering.subsumes(depth, self.nodes[node].depth, expanded)
            && self.zones.new_covers(shape, slot.zone)
        {
            gained = self.gain.asks() && !self.zones.new_includes(shape, slot.zone);
            self.zones.remove(shape, slot.zone);
            self.nodes[node].zone = ZoneRef::NONE;
            self.live -= 1;
            self.expanded.given_up(number);
            slot.header = Header::EMPTY;
        }
        if self.gain.asks() {
            self.gain.compared(gained, self.live);
        }
        false
    }

    /// Whether simulation would have made a new zone superfluous that is included in none, as far as the last members of its
    /// antichain tell.
    #[cold]
    fn sample(&mut self, slot: &Slot, offer: Offer<'_>) -> bool {
        let Offer::Found(successor) = offer else {
            return false;
        };
        let shape = self.shapes.get(slot.shape);
        self.zones.enter_core(shape, successor);
        if let Some(node) = slot.header.is_single() {
            let zone = self.nodes[node as usize].zone;
            return self.zones.simulates_new(shape, zone);
        }
        let (_, members) = self.lists.get(slot.header);
        let last = members.iter().rev().take(BLOCK);
        last.map(|node| self.nodes[*node as usize].zone)
            .any(|zone| self.zones.simulates_new(shape, zone))
    }

    /// Whether zones are to be compared in another way from now on: [`Store::switch`] does that.
    #[inline]
    pub(crate) fn is_to_switch(&self) -> bool {
        self.gain.is_due()
    }

    /// Whether zones are compared by simulation.
    pub(crate) fn by_simulation(&self) -> bool {
        self.gain.is_on()
    }

    /// Compares zones by simulation from now on, or no longer: works out the signatures of all stored zones anew.
    #[cold]
    pub(crate) fn switch(&mut self, system: &System) {
        self.gain.switch(self.live);
        self.zones.by_simulation(self.gain.is_on());
        let n = system.dimension();
        let mut memory = vec![0; self.cells];
        let (mut lower, mut upper) = (vec![0; n], vec![0; n]);
        for part in 0..self.parts.len() as u32 {
            let mut slot = self.parts.slot(part);
            let shape = self.shapes.get(slot.shape);
            if self.gain.is_on() {
                self.packer.unpack(self.parts.key(part), &mut memory);
                system.bounds_at(&memory, &mut lower, &mut upper);
            }
            if slot.header.is_single().is_some() {
                slot.signature = self.zones.sign(shape, slot.zone, &lower, &upper);
                self.parts.set_slot(part, slot);
                continue;
            }
            let (signatures, members) = self.lists.get_mut(slot.header);
            for (signature, node) in signatures.iter_mut().zip(members) {
                let zone = self.nodes[*node as usize].zone;
                *signature = self.zones.sign(shape, zone, &lower, &upper);
            }
        }
    }

    /// How it is known whether simulation pays, for checkpoints.
    pub(crate) fn gain(&self) -> [u64; 6] {
        self.gain.to_words()
    }

    /// As it was known in a search that was written down, for an empty store.
    pub(crate) fn restore_gain(&mut self, words: [u64; 6]) {
        self.gain.restore(words);
        if !self.zones.by_equality() {
            self.zones.by_simulation(self.gain.is_on());
        }
    }

    /// Whether a state has been taken out because a later one covers it.
    #[inline]
    pub fn is_removed(&self, id: StateId) -> bool {
        self.nodes[id.0 as usize].zone == ZoneRef::NONE
    }

    /// Copies a state that is not removed into the caller's buffers.
    pub fn load(&self, id: StateId, memory: &mut [i32], zone: &mut [Bound]) {
        self.load_discrete(id, memory);
        self.load_zone(id, zone);
    }

    /// As [`Store::load`], next to the state that was loaded last; the states that are offered from now on are packed next to this
    /// one, with which its successors have most of their cells in common.
    pub fn load_near(&mut self, id: StateId, memory: &mut [i32], zone: &mut [Bound]) {
        self.load_discrete_near(id, memory);
        self.load_zone(id, zone);
    }

    /// As [`Store::load_near`], without the zone.
    pub(crate) fn load_discrete_near(&mut self, id: StateId, memory: &mut [i32]) {
        match &mut self.neighbour {
            Some(neighbour) => {
                let key = self.parts.key(self.nodes[id.0 as usize].discrete);
                self.packer.unpack_near(neighbour, key, memory);
                self.load_meta(id, memory);
            }
            None => self.load_discrete(id, memory),
        }
    }

    /// Copies the discrete part of a state that is not removed.
    pub(crate) fn load_discrete(&self, id: StateId, memory: &mut [i32]) {
        let node = &self.nodes[id.0 as usize];
        self.packer.unpack(self.parts.key(node.discrete), memory);
        self.load_meta(id, memory);
    }

    fn load_meta(&self, id: StateId, memory: &mut [i32]) {
        let meta = self.cells - self.key_cells;
        memory[self.key_cells..].copy_from_slice(&self.meta[id.0 as usize * meta..][..meta]);
    }

    /// Copies the zone of a state that is not removed.
    pub(crate) fn load_zone(&self, id: StateId, zone: &mut [Bound]) {
        let node = &self.nodes[id.0 as usize];
        self.zones.load(self.shape(node), node.zone, zone);
    }

    /// Copies the rows of the zone of a state that is not removed which are kept ([`System::keeps`]); says how many entries
    /// they have.
    #[inline]
    pub(crate) fn load_reduced(&self, id: StateId, zone: &mut [Bound]) -> usize {
        let node = &self.nodes[id.0 as usize];
        self.zones.load_reduced(self.shape(node), node.zone, zone)
    }

    /// The lower bound of a clock in a state that is not removed, as [`crate::strategy::lower_bound`] gives it.
    pub(crate) fn lower_bound(&self, id: StateId, row: usize) -> u64 {
        let node = &self.nodes[id.0 as usize];
        crate::strategy::lower_bound_of(self.zones.lower(self.shape(node), node.zone, row))
    }

    fn shape(&self, node: &Node) -> &Shape {
        self.shapes.get(self.parts.slot(node.discrete).shape)
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

    /// The state from which a state was found.
    pub(crate) fn predecessor(&self, id: StateId) -> Option<StateId> {
        let parent = self.nodes[id.0 as usize].parent;
        (parent != NONE).then_some(StateId(parent))
    }

    /// The packed discrete part of a state that was ever stored. Not with bit-state hashing.
    pub(crate) fn key(&self, id: StateId) -> &[u64] {
        self.parts.key(self.nodes[id.0 as usize].discrete)
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

    /// The number of states that later ones cover.
    pub fn subsumed(&self) -> usize {
        self.nodes.len() - self.live
    }

    /// What was expanded, and what of that in vain.
    pub(crate) fn waste(&self) -> Waste {
        self.expanded.waste()
    }

    /// The number of different discrete parts; 0 with bit-state hashing, which does not know.
    pub fn discrete(&self) -> usize {
        self.parts.len()
    }

    /// The ids of the states that no later one covers.
    pub fn live_states(&self) -> impl Iterator<Item = StateId> + '_ {
        (0..self.nodes.len() as u32)
            .map(StateId)
            .filter(|id| !self.is_removed(*id))
    }

    /// The memory in use, in bytes.
    pub fn bytes(&self) -> usize {
        self.parts.bytes()
            + self.lists.bytes()
            + self.nodes.len() * size_of::<Node>()
            + self.meta.len() * size_of::<i32>()
            + self.shapes.bytes()
            + self.zones.bytes()
            + self.actions.bytes()
            + self.expanded.bytes()
            + self.free_parts.len() * size_of::<u32>()
            + self.bits.as_ref().map_or(0, BitTable::bytes)
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
