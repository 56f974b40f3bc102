//! The configurations seen: discrete states, each with its lattice elements and zones.

use merkhet_explore::StateId;
use merkhet_semantics::{EdgeIndex, State};
use merkhet_zones::bound::Bound;
use rustc_hash::FxHashMap;

use crate::order::Orders;

/// How a configuration was found.
#[derive(Clone, Debug)]
pub(crate) struct Arrival {
    /// From; `None` for initial ones.
    pub parent: Option<StateId>,
    /// By these edges.
    pub edges: Box<[EdgeIndex]>,
}

/// What is known of a configuration besides its state.
pub(crate) struct Node {
    /// Its discrete state.
    pub key: u32,
    /// Where its memory and zone are, while it lives.
    slot: u32,
    /// How it was found first, and then, where all are kept, how else.
    pub arrivals: Vec<Arrival>,
    pub depth: u32,
    /// Not covered by another one and not taken back.
    pub alive: bool,
    /// To be expanded.
    pub waiting: bool,
    /// How many elements were joined into it after the first.
    pub joins: u32,
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
    /// Discrete states by their cells without those of lattice variables.
    keys: FxHashMap<Box<[i32]>, u32>,
    /// The living configurations of each discrete state.
    pub members: Vec<Vec<StateId>>,
    /// Which cells make up a discrete state.
    identity: Vec<bool>,
    buffer: Vec<i32>,
    /// Bytes of arrivals and keys, about.
    extra: usize,
    alive: usize,
}

impl Store {
    pub fn new(cells: usize, key_cells: usize, dimension: usize, orders: &Orders<'_>) -> Store {
        let mut identity = vec![true; key_cells];
        for slot in &orders.slots {
            identity[slot.cells.clone()].fill(false);
        }
        Store {
            cells,
            bounds: dimension * dimension,
            memory: Vec::new(),
            zones: Vec::new(),
            free: Vec::new(),
            slots: 0,
            nodes: Vec::new(),
            keys: FxHashMap::default(),
            members: Vec::new(),
            identity,
            buffer: Vec::new(),
            extra: 0,
            alive: 0,
        }
    }

    /// The number of a state's discrete part.
    pub fn key(&mut self, memory: &[i32]) -> u32 {
        self.buffer.clear();
        let cells = memory.iter().zip(&self.identity);
        self.buffer
            .extend(cells.filter(|(_, part)| **part).map(|(cell, _)| *cell));
        if let Some(&key) = self.keys.get(self.buffer.as_slice()) {
            return key;
        }
        let key = self.members.len() as u32;
        self.extra += 4 * self.buffer.len() + 64;
        self.keys.insert(self.buffer.as_slice().into(), key);
        self.members.push(Vec::new());
        key
    }

    /// Whether two states have the same discrete part.
    pub fn same_discrete(&self, one: &[i32], other: &[i32]) -> bool {
        let cells = one.iter().zip(other).zip(&self.identity);
        cells.into_iter().all(|((a, b), part)| !part || a == b)
    }

    /// The state of a living configuration.
    pub fn state(&self, node: StateId) -> State<'_> {
        let index = self.nodes[node.0 as usize].slot as usize;
        State {
            memory: &self.memory[index * self.cells..][..self.cells],
            zone: &self.zones[index * self.bounds..][..self.bounds],
        }
    }

    /// Puts another state of the same discrete part into a configuration.
    pub fn replace(&mut self, node: StateId, memory: &[i32], zone: &[Bound]) {
        let index = self.nodes[node.0 as usize].slot as usize;
        self.memory[index * self.cells..][..self.cells].copy_from_slice(memory);
        self.zones[index * self.bounds..][..self.bounds].copy_from_slice(zone);
    }

    pub fn add(&mut self, key: u32, state: State<'_>, arrival: Arrival, depth: u32) -> StateId {
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
        self.extra += 8 * arrival.edges.len() + size_of::<Arrival>();
        self.nodes.push(Node {
            key,
            slot,
            arrivals: vec![arrival],
            depth,
            alive: true,
            waiting: true,
            joins: 0,
        });
        self.members[key as usize].push(id);
        self.alive += 1;
        id
    }

    /// Notes another way to a configuration.
    pub fn arrive(&mut self, node: StateId, arrival: Arrival) {
        self.extra += 8 * arrival.edges.len() + size_of::<Arrival>();
        self.nodes[node.0 as usize].arrivals.push(arrival);
    }

    /// A configuration is covered by another one, which inherits the ways to it.
    pub fn cover(&mut self, node: StateId, by: StateId, keep_arrivals: bool) {
        self.remove(node);
        if keep_arrivals {
            let arrivals = self.nodes[node.0 as usize].arrivals.clone();
            self.nodes[by.0 as usize].arrivals.extend(arrivals);
        }
    }

    /// Takes a configuration out of its discrete state.
    pub fn remove(&mut self, node: StateId) {
        let entry = &mut self.nodes[node.0 as usize];
        if entry.alive {
            entry.alive = false;
            entry.waiting = false;
            self.alive -= 1;
            self.free.push(entry.slot);
            let key = entry.key as usize;
            self.members[key].retain(|member| *member != node);
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
        self.free.clear();
        self.slots = 0;
        self.members.iter_mut().for_each(Vec::clear);
        self.alive = 0;
    }

    /// The discrete states that have a living configuration.
    pub fn discrete(&self) -> usize {
        self.members.iter().filter(|m| !m.is_empty()).count()
    }

    pub fn alive(&self) -> usize {
        self.alive
    }

    pub fn bytes(&self) -> usize {
        4 * self.memory.len()
            + size_of::<Bound>() * self.zones.len()
            + size_of::<Node>() * self.nodes.len()
            + self.extra
    }

    /// The transitions by which a configuration was found first, and the configurations on the way, itself last.
    pub fn path(&self, node: StateId) -> (Vec<Vec<EdgeIndex>>, Vec<StateId>) {
        let (mut transitions, mut nodes) = (Vec::new(), vec![node]);
        let mut at = node;
        while let Some(arrival) = self.nodes[at.0 as usize].arrivals.first()
            && let Some(parent) = arrival.parent
        {
            transitions.push(arrival.edges.to_vec());
            nodes.push(parent);
            at = parent;
        }
        transitions.reverse();
        nodes.reverse();
        (transitions, nodes)
    }
}
