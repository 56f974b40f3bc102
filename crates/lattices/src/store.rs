//! The configurations seen: discrete states, each with its lattice elements and zones.

use std::ops::{ControlFlow, Range};

use merkhet_explore::StateId;
use merkhet_semantics::{EdgeIndex, State};
use merkhet_zones::bound::Bound;
use rustc_hash::FxHashMap;

use crate::index::{Index, Signature};
use crate::order::Orders;

/// Larger states are not looked up by all of their cells.
const MOST_HASHED: usize = 1024;

/// Nor are the configurations of discrete states that have no more than these.
const FEW: u32 = 32;

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

/// The configurations of a discrete state.
#[derive(Default)]
struct Group {
    /// In the order in which they came, with some that live no more.
    members: Vec<StateId>,
    living: u32,
    index: Index,
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
    /// Discrete states by their cells without those of lattice variables.
    keys: FxHashMap<Box<[i32]>, u32>,
    groups: Vec<Group>,
    /// Which cells make up a discrete state.
    identity: Vec<Range<usize>>,
    buffer: Vec<i32>,
    /// A configuration for each hash of its cells, or another one: a hint.
    hints: Vec<u32>,
    /// The configurations that were put there.
    hinted: usize,
    /// Bytes of keys and of what is known of the past, about.
    extra: usize,
    alive: usize,
}

impl Store {
    pub fn new(cells: usize, key_cells: usize, dimension: usize, orders: &Orders<'_>) -> Store {
        let mut part = vec![true; key_cells];
        for slot in &orders.slots {
            part[slot.cells.clone()].fill(false);
        }
        let mut identity: Vec<Range<usize>> = Vec::new();
        for cell in (0..key_cells).filter(|cell| part[*cell]) {
            match identity.last_mut() {
                Some(last) if last.end == cell => last.end += 1,
                _ => identity.push(cell..cell + 1),
            }
        }
        Store {
            cells,
            bounds: dimension * dimension,
            memory: Vec::new(),
            zones: Vec::new(),
            free: Vec::new(),
            slots: 0,
            nodes: Vec::new(),
            edges: Vec::new(),
            keys: FxHashMap::default(),
            groups: Vec::new(),
            identity,
            buffer: Vec::new(),
            hints: Vec::new(),
            hinted: 0,
            extra: 0,
            alive: 0,
        }
    }

    /// The number of a state's discrete part.
    pub fn key(&mut self, memory: &[i32]) -> u32 {
        self.buffer.clear();
        for cells in &self.identity {
            self.buffer.extend_from_slice(&memory[cells.clone()]);
        }
        if let Some(&key) = self.keys.get(self.buffer.as_slice()) {
            return key;
        }
        let key = self.groups.len() as u32;
        self.extra += 4 * self.buffer.len() + 64 + size_of::<Group>();
        self.keys.insert(self.buffer.as_slice().into(), key);
        self.groups.push(Group::default());
        key
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

    /// Hands on the configurations of a discrete state whose elements may be above one with this signature, until told to
    /// stop.
    pub fn above<B>(
        &self,
        key: u32,
        signature: &Signature,
        visit: &mut dyn FnMut(StateId) -> ControlFlow<B>,
    ) -> Option<B> {
        let found = self.groups[key as usize].index.above(signature, visit);
        found.break_value()
    }

    /// Hands on the configurations of a discrete state whose elements may be below one with this signature, until told to
    /// stop.
    pub fn below<B>(
        &self,
        key: u32,
        signature: &Signature,
        visit: &mut dyn FnMut(StateId) -> ControlFlow<B>,
    ) -> Option<B> {
        let found = self.groups[key as usize].index.below(signature, visit);
        found.break_value()
    }

    /// The number of living configurations of a discrete state.
    pub fn living(&self, key: u32) -> usize {
        self.groups[key as usize].living as usize
    }

    /// The living configuration of a discrete state that comes next from a place on, with the place after it.
    pub fn member(&self, key: u32, mut place: usize) -> Option<(StateId, usize)> {
        loop {
            let member = *self.groups[key as usize].members.get(place)?;
            place += 1;
            if self.nodes[member.0 as usize].alive {
                return Some((member, place));
            }
        }
    }

    /// Puts another state of the same discrete part into a configuration.
    pub fn replace(&mut self, node: StateId, state: State<'_>, before: &Signature, now: Signature) {
        let entry = &self.nodes[node.0 as usize];
        let group = &mut self.groups[entry.key as usize];
        group.index.remove(node, before);
        group.index.insert(node, now);
        let index = entry.slot as usize;
        self.memory[index * self.cells..][..self.cells].copy_from_slice(state.memory);
        self.zones[index * self.bounds..][..self.bounds].copy_from_slice(state.zone);
        self.hint(node);
    }

    pub fn add(
        &mut self,
        key: u32,
        state: State<'_>,
        first: Arrival,
        depth: u32,
        signature: Signature,
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
            first,
            depth,
            alive: true,
            waiting: true,
            joins: 0,
            from: 0,
            past: None,
        });
        let group = &mut self.groups[key as usize];
        if group.members.len() > 64 && group.members.len() > 2 * group.living as usize {
            let nodes = &self.nodes;
            (group.members).retain(|member| nodes[member.0 as usize].alive);
        }
        group.members.push(id);
        group.living += 1;
        group.index.insert(id, signature);
        self.alive += 1;
        self.hint(id);
        id
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
    pub fn cover(&mut self, node: StateId, by: StateId, signature: &Signature, keep: bool) {
        if keep {
            let state = self.state(node);
            let last = (state.memory.to_vec(), state.zone.to_vec());
            self.extra += 4 * last.0.len() + size_of::<Bound>() * last.1.len();
            self.past(node).buried = Some(last);
            let arrivals: Vec<Arrival> = self.arrivals(node).copied().collect();
            self.extra += arrivals.len() * size_of::<Arrival>();
            self.past(by).arrivals.extend(arrivals);
        }
        self.remove(node, signature);
    }

    /// How a configuration grew.
    pub fn history(&self, node: StateId) -> &[Growth] {
        let past = self.nodes[node.0 as usize].past.as_ref();
        past.map_or(&[], |past| &past.history)
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

    /// Takes a configuration with this signature out of its discrete state.
    pub fn remove(&mut self, node: StateId, signature: &Signature) {
        let entry = &mut self.nodes[node.0 as usize];
        if entry.alive {
            entry.alive = false;
            entry.waiting = false;
            self.alive -= 1;
            self.free.push(entry.slot);
            let group = &mut self.groups[entry.key as usize];
            group.living -= 1;
            group.index.remove(node, signature);
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
        self.slots = 0;
        (self.groups.iter_mut()).for_each(|group| *group = Group::default());
        self.alive = 0;
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
            + (size_of::<Node>() + size_of::<StateId>()) * self.nodes.len()
            + Index::ENTRY * self.alive
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
