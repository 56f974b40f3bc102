//! The configurations seen: discrete states, each with its lattice elements and zones.

mod written;

use std::ops::{ControlFlow, Range};

use hashbrown::HashTable;
use merkhet_explore::{Packer, StateId, hash_words};
use merkhet_semantics::{EdgeIndex, State, System};
use merkhet_zones::bound::Bound;

use crate::index::{Index, Signature};
use crate::order::Orders;
use crate::threads::GlobalId;

/// Larger states are not looked up by all of their cells.
const MOST_HASHED: usize = 1024;

/// Nor are the configurations of discrete states that have no more than these.
const FEW: u32 = 32;

/// Discrete states with no more configurations have no index: these are compared one by one.
const UNINDEXED: u32 = 8;

/// How a configuration was found.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Arrival {
    /// From; `None` for initial ones.
    pub parent: Option<StateId>,
    /// By these edges ([`Store::edges`]).
    edges: (u32, u32),
}

/// What is known of a configuration besides its state.
pub(crate) struct Node {
    /// Its discrete state.
    pub key: u32,
    /// Where its memory and zone are, while it lives.
    slot: u32,
    /// The next one of its discrete state, in the order in which they came; [`NONE`] after the last.
    next: u32,
    /// How it was found first.
    pub first: Arrival,
    pub depth: u32,
    /// Not covered by another one and not taken back.
    pub alive: bool,
    /// To be expanded.
    pub waiting: bool,
    /// How many elements were joined into it after the first.
    pub joins: u32,
    /// The version of its first parent that it came from.
    pub from: u32,
    past: Option<Box<Past>>,
}

/// What refinement wants to know of a configuration.
#[derive(Default)]
struct Past {
    /// How else it was found.
    arrivals: Vec<Arrival>,
    /// How it grew: its versions are numbered from 0, and each of these makes another one.
    history: Vec<Growth>,
    /// Its last element, if it lives no more and is remembered.
    buried: Option<(Vec<i32>, Vec<Bound>)>,
}

/// A join that made a configuration larger.
pub(crate) struct Growth {
    /// What came, from which version of its parent.
    pub arrival: Arrival,
    pub from: u32,
    /// Cells and bounds before.
    cells: Box<[(u32, i32)]>,
    bounds: Box<[(u32, Bound)]>,
}

const NONE: u32 = u32::MAX;

/// The configurations of a discrete state: a list, and an index over their elements as soon as there are many.
struct Group {
    first: u32,
    last: u32,
    /// All in the list, with some that live no more.
    listed: u32,
    living: u32,
    index: Option<Box<Index>>,
}

impl Default for Group {
    fn default() -> Group {
        Group {
            first: NONE,
            last: NONE,
            listed: 0,
            living: 0,
            index: None,
        }
    }
}

/// All configurations.
pub(crate) struct Store {
    cells: usize,
    bounds: usize,
    /// Memory of each slot, one after the other.
    memory: Vec<i32>,
    zones: Vec<Bound>,
    /// Slots of configurations that live no more.
    free: Vec<u32>,
    slots: u32,
    pub nodes: Vec<Node>,
    /// The edges of all arrivals, one after the other.
    edges: Vec<EdgeIndex>,
    /// Discrete states by their cells without those of lattice variables, which are packed one after the other.
    keys: HashTable<u32>,
    packer: Packer,
    packed: Vec<u64>,
    words: Vec<u64>,
    groups: Vec<Group>,
    /// Which cells make up a discrete state.
    identity: Vec<Range<usize>>,
    /// A configuration for each hash of its cells, or another one: a hint.
    hints: Vec<u32>,
    /// The configurations that were put there.
    hinted: usize,
    /// The configurations that are in an index.
    indexed: usize,
    /// Bytes of what is known of the past, about.
    extra: usize,
    alive: usize,
}

impl Store {
    pub fn new(system: &System, orders: &Orders<'_>) -> Store {
        let key_cells = system.key_cells();
        let mut part = vec![true; key_cells];
        for slot in &orders.slots {
            part[slot.cells.clone()].fill(false);
        }
        let packer = Packer::among(system, |cell| part[cell]);
        let mut identity: Vec<Range<usize>> = Vec::new();
        for cell in (0..key_cells).filter(|cell| part[*cell]) {
            match identity.last_mut() {
                Some(last) if last.end == cell => last.end += 1,
                _ => identity.push(cell..cell + 1),
            }
        }
        Store {
            cells: system.cells().len(),
            bounds: system.dimension() * system.dimension(),
            memory: Vec::new(),
            zones: Vec::new(),
            free: Vec::new(),
            slots: 0,
            nodes: Vec::new(),
            edges: Vec::new(),
            keys: HashTable::new(),
            words: vec![0; packer.words()],
            packer,
            packed: Vec::new(),
            groups: Vec::new(),
            identity,
            hints: Vec::new(),
            hinted: 0,
            indexed: 0,
            extra: 0,
            alive: 0,
        }
    }

    /// The number of a state's discrete part.
    pub fn key(&mut self, memory: &[i32]) -> u32 {
        let Store {
            packer,
            words,
            packed,
            keys,
            groups,
            ..
        } = self;
        packer.pack(memory, words);
        let width = words.len();
        let of = |key: u32| key as usize * width..(key as usize + 1) * width;
        let hash = hash_words(words);
        if let Some(&key) = keys.find(hash, |key| packed[of(*key)] == words[..]) {
            return key;
        }
        let key = groups.len() as u32;
        packed.extend_from_slice(words);
        keys.insert_unique(hash, key, |key| hash_words(&packed[of(*key)]));
        groups.push(Group::default());
        key
    }

    /// Which of several threads a state belongs to.
    pub fn owner(&mut self, memory: &[i32], threads: usize) -> usize {
        self.packer.pack(memory, &mut self.words);
        (hash_words(&self.words) >> 32) as usize % threads
    }

    /// The configurations of several threads in one store, to look at: nothing can be added to it. Also gives for each of them
    /// the number that its first configuration has now.
    pub fn merged(system: &System, orders: &Orders<'_>, stores: Vec<Store>) -> (Store, Vec<u32>) {
        let mut all = Store::new(system, orders);
        let threads = stores.len();
        let mut offsets = Vec::with_capacity(threads);
        let mut sum = 0;
        for store in &stores {
            offsets.push(sum);
            sum += store.nodes.len() as u32;
        }
        for mut store in stores {
            let (key, slot) = (all.groups.len() as u32, all.slots);
            let edge = all.edges.len() as u32;
            let moved = |arrival: &mut Arrival| {
                arrival.edges.0 += edge;
                arrival.parent = arrival.parent.map(|parent| {
                    let (thread, number) = GlobalId(parent.0).parts(threads);
                    StateId(offsets[thread] + number)
                });
            };
            for node in &mut store.nodes {
                node.key += key;
                node.slot += slot;
                node.next = NONE;
                moved(&mut node.first);
                if let Some(past) = &mut node.past {
                    past.arrivals.iter_mut().for_each(moved);
                    let growths = past.history.iter_mut();
                    growths.for_each(|growth| moved(&mut growth.arrival));
                }
            }
            all.memory.append(&mut store.memory);
            all.zones.append(&mut store.zones);
            all.slots += store.slots;
            all.nodes.append(&mut store.nodes);
            all.edges.append(&mut store.edges);
            all.groups.extend(store.groups.iter().map(|group| Group {
                living: group.living,
                ..Group::default()
            }));
            all.extra += store.extra;
            all.alive += store.alive;
        }
        (all, offsets)
    }

    /// Whether two states have the same discrete part.
    pub fn same_discrete(&self, one: &[i32], other: &[i32]) -> bool {
        (self.identity.iter()).all(|cells| one[cells.clone()] == other[cells.clone()])
    }

    /// The state of a living configuration.
    pub fn state(&self, node: StateId) -> State<'_> {
        let index = self.nodes[node.0 as usize].slot as usize;
        State {
            memory: &self.memory[index * self.cells..][..self.cells],
            zone: &self.zones[index * self.bounds..][..self.bounds],
        }
    }

    /// A living configuration of a discrete state with exactly these cells, if the table of hints knows it.
    pub fn equal(&self, key: u32, memory: &[i32]) -> Option<StateId> {
        if self.groups[key as usize].living <= FEW {
            return None;
        }
        let hint = *self.hints.get(self.place(memory))?;
        let known = self.nodes.get(hint as usize)?;
        let id = StateId(hint);
        (known.alive && self.state(id).memory == memory).then_some(id)
    }

    /// Where the hint of a state is, if it is looked up by all of its cells.
    fn place(&self, memory: &[i32]) -> usize {
        if memory.len() > MOST_HASHED || self.hints.is_empty() {
            return usize::MAX;
        }
        let mut hash = 0u64;
        for pair in memory.chunks(2) {
            let cells = pair
                .iter()
                .fold(0, |cells, cell| cells << 32 | u64::from(*cell as u32));
            hash = (hash.rotate_left(5) ^ cells).wrapping_mul(0x517c_c1b7_2722_0a95);
        }
        (hash >> 20) as usize & (self.hints.len() - 1)
    }

    fn hint(&mut self, node: StateId) {
        let many = |store: &Store, node: StateId| {
            store.groups[store.nodes[node.0 as usize].key as usize].living > FEW
        };
        if self.cells > MOST_HASHED || !many(self, node) {
            return;
        }
        self.hinted += 1;
        if 2 * self.hinted >= self.hints.len() {
            let living = |index: &u32| self.nodes[*index as usize].alive;
            let ids = (0..self.nodes.len() as u32).filter(living).map(StateId);
            let ids: Vec<StateId> = ids.filter(|id| many(self, *id)).collect();
            self.hinted = ids.len();
            self.hints = vec![u32::MAX; (4 * ids.len()).next_power_of_two()];
            for id in ids {
                let place = self.place(self.state(id).memory);
                self.hints[place] = id.0;
            }
        }
        let place = self.place(self.state(node).memory);
        self.hints[place] = node.0;
    }

    /// Whether a discrete state has an index, which is asked by signatures.
    pub fn is_indexed(&self, key: u32) -> bool {
        self.groups[key as usize].index.is_some()
    }

    /// Hands on the configurations of a discrete state whose elements may be above one, until told to stop. The signature of
    /// that is needed where there is an index.
    pub fn above<B>(
        &self,
        key: u32,
        signature: Option<&Signature>,
        visit: &mut dyn FnMut(StateId) -> ControlFlow<B>,
    ) -> Option<B> {
        match (&self.groups[key as usize].index, signature) {
            (Some(index), Some(signature)) => index.above(signature, visit).break_value(),
            _ => self.members(key).find_map(|id| visit(id).break_value()),
        }
    }

    /// As [`Store::above`], for elements that may be below one.
    pub fn below<B>(
        &self,
        key: u32,
        signature: Option<&Signature>,
        visit: &mut dyn FnMut(StateId) -> ControlFlow<B>,
    ) -> Option<B> {
        match (&self.groups[key as usize].index, signature) {
            (Some(index), Some(signature)) => index.below(signature, visit).break_value(),
            _ => self.members(key).find_map(|id| visit(id).break_value()),
        }
    }

    /// The number of living configurations of a discrete state.
    pub fn living(&self, key: u32) -> usize {
        self.groups[key as usize].living as usize
    }

    /// The living configurations of a discrete state, in the order in which they came.
    fn members(&self, key: u32) -> impl Iterator<Item = StateId> {
        let mut next = self.groups[key as usize].first;
        std::iter::from_fn(move || {
            while let Some(node) = self.nodes.get(next as usize) {
                let id = StateId(std::mem::replace(&mut next, node.next));
                if node.alive {
                    return Some(id);
                }
            }
            None
        })
    }

    /// The living configuration of a discrete state that comes after one, or is the first.
    pub fn member(&self, key: u32, after: Option<StateId>) -> Option<StateId> {
        let mut next = match after {
            Some(after) => self.nodes[after.0 as usize].next,
            None => self.groups[key as usize].first,
        };
        while let Some(node) = self.nodes.get(next as usize) {
            if node.alive {
                return Some(StateId(next));
            }
            next = node.next;
        }
        None
    }

    /// Puts another state of the same discrete part into a configuration.
    pub fn replace(&mut self, node: StateId, state: State<'_>, orders: &Orders<'_>) {
        let entry = &self.nodes[node.0 as usize];
        let index = entry.slot as usize;
        let seen = &mut self.memory[index * self.cells..][..self.cells];
        if let Some(index) = &mut self.groups[entry.key as usize].index {
            index.remove(node, &orders.signature(seen));
            index.insert(node, orders.signature(state.memory));
        }
        seen.copy_from_slice(state.memory);
        self.zones[index * self.bounds..][..self.bounds].copy_from_slice(state.zone);
        self.hint(node);
    }

    /// Adds a configuration; its signature is needed where there is an index.
    pub fn add(
        &mut self,
        key: u32,
        state: State<'_>,
        first: Arrival,
        depth: u32,
        signature: Option<Signature>,
        orders: &Orders<'_>,
    ) -> StateId {
        let id = StateId(self.nodes.len() as u32);
        let slot = match self.free.pop() {
            Some(slot) => slot,
            None => {
                self.slots += 1;
                self.memory.resize(self.slots as usize * self.cells, 0);
                self.zones.resize(self.slots as usize * self.bounds, 0);
                self.slots - 1
            }
        };
        let index = slot as usize;
        self.memory[index * self.cells..][..self.cells].copy_from_slice(state.memory);
        self.zones[index * self.bounds..][..self.bounds].copy_from_slice(state.zone);
        self.nodes.push(Node {
            key,
            slot,
            next: NONE,
            first,
            depth,
            alive: true,
            waiting: true,
            joins: 0,
            from: 0,
            past: None,
        });
        self.alive += 1;
        self.list(key, id);
        let group = &mut self.groups[key as usize];
        match (&mut group.index, signature) {
            (Some(index), Some(signature)) => {
                index.insert(id, signature);
                self.indexed += 1;
            }
            _ if group.living > UNINDEXED => self.make_index(key, orders),
            _ => {}
        }
        self.hint(id);
        id
    }

    /// Puts a configuration at the end of the list of its discrete state, which loses those that live no more where they are
    /// many.
    fn list(&mut self, key: u32, id: StateId) {
        let group = &mut self.groups[key as usize];
        if group.listed > 64 && group.listed > 2 * group.living {
            let mut next = std::mem::replace(&mut group.first, NONE);
            (group.last, group.listed) = (NONE, 0);
            while next != NONE {
                let node = &mut self.nodes[next as usize];
                let (at, alive) = (next, node.alive);
                next = std::mem::replace(&mut node.next, NONE);
                if alive {
                    self.append(key, at);
                }
            }
        }
        self.append(key, id.0);
        self.groups[key as usize].living += 1;
    }

    fn append(&mut self, key: u32, id: u32) {
        let group = &mut self.groups[key as usize];
        match self.nodes.get_mut(group.last as usize) {
            Some(last) => last.next = id,
            None => group.first = id,
        }
        group.last = id;
        group.listed += 1;
    }

    fn make_index(&mut self, key: u32, orders: &Orders<'_>) {
        let mut index = Box::<Index>::default();
        for id in self.members(key) {
            index.insert(id, orders.signature(self.state(id).memory));
        }
        let group = &mut self.groups[key as usize];
        self.indexed += group.living as usize;
        group.index = Some(index);
    }

    /// Notes a way to a configuration.
    pub fn arrival(&mut self, parent: Option<StateId>, edges: &[EdgeIndex]) -> Arrival {
        let start = self.edges.len() as u32;
        self.edges.extend_from_slice(edges);
        Arrival {
            parent,
            edges: (start, edges.len() as u32),
        }
    }

    /// The edges that were taken together.
    pub fn edges(&self, arrival: &Arrival) -> &[EdgeIndex] {
        let (start, length) = arrival.edges;
        &self.edges[start as usize..][..length as usize]
    }

    /// How a configuration was found first, and how else as far as that is kept.
    pub fn arrivals(&self, node: StateId) -> impl Iterator<Item = &Arrival> {
        let node = &self.nodes[node.0 as usize];
        let others = node.past.iter().flat_map(|past| &past.arrivals);
        std::iter::once(&node.first).chain(others)
    }

    fn past(&mut self, node: StateId) -> &mut Past {
        let past = &mut self.nodes[node.0 as usize].past;
        past.get_or_insert_with(|| {
            self.extra += size_of::<Past>();
            Box::default()
        })
    }

    /// Notes another way to a configuration.
    pub fn arrive(&mut self, node: StateId, arrival: Arrival) {
        self.extra += size_of::<Arrival>();
        self.past(node).arrivals.push(arrival);
    }

    /// Forgets how a configuration was found, but for the first time.
    pub fn forget_arrivals(&mut self, node: StateId) {
        if let Some(past) = &mut self.nodes[node.0 as usize].past {
            past.arrivals = Vec::new();
        }
    }

    /// A configuration is covered by another one, which inherits the ways to it.
    pub fn cover(&mut self, node: StateId, by: StateId, orders: &Orders<'_>, keep: bool) {
        if keep {
            let state = self.state(node);
            let last = (state.memory.to_vec(), state.zone.to_vec());
            self.extra += 4 * last.0.len() + size_of::<Bound>() * last.1.len();
            self.past(node).buried = Some(last);
            let arrivals: Vec<Arrival> = self.arrivals(node).copied().collect();
            self.extra += arrivals.len() * size_of::<Arrival>();
            self.past(by).arrivals.extend(arrivals);
        }
        self.remove(node, orders);
    }

    /// How a configuration grew.
    pub fn history(&self, node: StateId) -> &[Growth] {
        let past = self.nodes[node.0 as usize].past.as_ref();
        past.map_or(&[], |past| &past.history)
    }

    /// The cells in which a version of a configuration differs from the one before; none of the first one.
    pub fn changed(&self, node: StateId, version: u32) -> Vec<usize> {
        let last = version.checked_sub(1);
        let growth = last.and_then(|last| self.history(node).get(last as usize));
        let cells = growth.iter().flat_map(|growth| growth.cells.iter());
        cells.map(|(cell, _)| *cell as usize).collect()
    }

    /// The number of the last version of a configuration.
    pub fn version(&self, node: StateId) -> u32 {
        self.history(node).len() as u32
    }

    /// The element and zone of a version of a configuration, if they are remembered.
    pub fn element(&self, node: StateId, version: u32) -> Option<(Vec<i32>, Vec<Bound>)> {
        let entry = &self.nodes[node.0 as usize];
        let buried = entry.past.as_ref().and_then(|past| past.buried.as_ref());
        let (mut memory, mut zone) = match buried {
            Some(buried) => buried.clone(),
            None if entry.alive => {
                let state = self.state(node);
                (state.memory.to_vec(), state.zone.to_vec())
            }
            None => return None,
        };
        for growth in self.history(node)[version as usize..].iter().rev() {
            for (cell, value) in &growth.cells {
                memory[*cell as usize] = *value;
            }
            for (index, bound) in &growth.bounds {
                zone[*index as usize] = *bound;
            }
        }
        Some((memory, zone))
    }

    /// Notes that a configuration is about to get this state by a join.
    pub fn note_growth(&mut self, node: StateId, state: State<'_>, arrival: Arrival, from: u32) {
        let old = self.state(node);
        let cells = changes(old.memory, state.memory);
        let bounds = changes(old.zone, state.zone);
        self.extra += size_of::<Growth>() + 8 * cells.len();
        self.extra += 2 * size_of::<Bound>() * bounds.len();
        self.past(node).history.push(Growth {
            arrival,
            from,
            cells,
            bounds,
        });
    }

    /// Takes a configuration out of its discrete state.
    pub fn remove(&mut self, node: StateId, orders: &Orders<'_>) {
        let entry = &mut self.nodes[node.0 as usize];
        if entry.alive {
            entry.alive = false;
            entry.waiting = false;
            self.alive -= 1;
            self.free.push(entry.slot);
            let group = &mut self.groups[entry.key as usize];
            group.living -= 1;
            if let Some(index) = &mut group.index {
                let memory = &self.memory[entry.slot as usize * self.cells..][..self.cells];
                index.remove(node, &orders.signature(memory));
                self.indexed -= 1;
            }
        }
    }

    /// Makes a living configuration wait; says if it did not.
    pub fn wait(&mut self, node: StateId) -> bool {
        let entry = &mut self.nodes[node.0 as usize];
        entry.alive && !std::mem::replace(&mut entry.waiting, true)
    }

    /// Removes all configurations; the numbers of discrete states stay.
    pub fn clear(&mut self) {
        self.memory.clear();
        self.zones.clear();
        self.nodes.clear();
        self.edges.clear();
        self.free.clear();
        self.hints.clear();
        self.hinted = 0;
        self.indexed = 0;
        self.slots = 0;
        (self.groups.iter_mut()).for_each(|group| *group = Group::default());
        self.alive = 0;
    }

    /// Gives up all memory.
    pub fn release(&mut self) {
        self.clear();
        self.memory = Vec::new();
        self.zones = Vec::new();
        self.nodes = Vec::new();
        self.edges = Vec::new();
        self.hints = Vec::new();
        self.groups = Vec::new();
        self.packed = Vec::new();
        self.keys = HashTable::new();
    }

    /// The discrete states that have a living configuration.
    pub fn discrete(&self) -> usize {
        self.groups.iter().filter(|group| group.living > 0).count()
    }

    pub fn alive(&self) -> usize {
        self.alive
    }

    pub fn bytes(&self) -> usize {
        4 * (self.memory.len() + self.hints.len() + self.edges.len())
            + size_of::<Bound>() * self.zones.len()
            + size_of::<Node>() * self.nodes.len()
            + Index::ENTRY * self.indexed
            + 8 * self.packed.len()
            + (size_of::<Group>() + 2 * size_of::<u32>()) * self.groups.len()
            + self.extra
    }

    /// The transitions by which a configuration was found first, and the configurations on the way, itself last.
    pub fn path(&self, node: StateId) -> (Vec<Vec<EdgeIndex>>, Vec<StateId>) {
        let (mut transitions, mut nodes) = (Vec::new(), vec![node]);
        let mut first = &self.nodes[node.0 as usize].first;
        while let Some(parent) = first.parent {
            transitions.push(self.edges(first).to_vec());
            nodes.push(parent);
            first = &self.nodes[parent.0 as usize].first;
        }
        transitions.reverse();
        nodes.reverse();
        (transitions, nodes)
    }
}

/// The places where two rows differ, with what the first one has there.
fn changes<V: Copy + PartialEq>(old: &[V], new: &[V]) -> Box<[(u32, V)]> {
    let mut changes = Vec::new();
    for (part, (before, after)) in old.chunks(64).zip(new.chunks(64)).enumerate() {
        if before == after {
            continue;
        }
        for (at, (before, after)) in before.iter().zip(after).enumerate() {
            if before != after {
                changes.push(((64 * part + at) as u32, *before));
            }
        }
    }
    changes.into()
}
