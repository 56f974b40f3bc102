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
    /// How it grew, where that is kept: its versions are numbered from 0, and each of these makes another one.
    pub history: Vec<Growth>,
    /// The version of its first parent that it came from.
    pub from: u32,
    /// Its last element, if it lives no more and is remembered.
    buried: Option<Box<(Vec<i32>, Vec<Bound>)>>,
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
    /// The signatures of their elements ([`Orders::signature`]), in the same order.
    signatures: Vec<Vec<u64>>,
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
            signatures: Vec::new(),
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
        self.signatures.push(Vec::new());
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

    /// The configurations of a discrete state whose elements may be above one with this signature; or below it.
    pub fn comparable(
        &self,
        key: u32,
        signature: u64,
        above: bool,
    ) -> impl Iterator<Item = StateId> + '_ {
        let members = self.members[key as usize].iter();
        members
            .zip(&self.signatures[key as usize])
            .filter(move |(_, seen)| match above {
                true => signature & !**seen == 0,
                false => **seen & !signature == 0,
            })
            .map(|(member, _)| *member)
    }

    /// Puts another state of the same discrete part into a configuration.
    pub fn replace(&mut self, node: StateId, memory: &[i32], zone: &[Bound], signature: u64) {
        let key = self.nodes[node.0 as usize].key as usize;
        if let Some(at) = self.members[key].iter().position(|member| *member == node) {
            self.signatures[key][at] = signature;
        }
        let index = self.nodes[node.0 as usize].slot as usize;
        self.memory[index * self.cells..][..self.cells].copy_from_slice(memory);
        self.zones[index * self.bounds..][..self.bounds].copy_from_slice(zone);
    }

    pub fn add(
        &mut self,
        key: u32,
        state: State<'_>,
        arrival: Arrival,
        depth: u32,
        signature: u64,
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
        self.extra += 8 * arrival.edges.len() + size_of::<Arrival>();
        self.nodes.push(Node {
            key,
            slot,
            arrivals: vec![arrival],
            depth,
            alive: true,
            waiting: true,
            joins: 0,
            history: Vec::new(),
            from: 0,
            buried: None,
        });
        self.members[key as usize].push(id);
        self.signatures[key as usize].push(signature);
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
        if keep_arrivals {
            let state = self.state(node);
            let last = Box::new((state.memory.to_vec(), state.zone.to_vec()));
            self.extra += 4 * last.0.len() + size_of::<Bound>() * last.1.len();
            self.nodes[node.0 as usize].buried = Some(last);
        }
        self.remove(node);
        if keep_arrivals {
            let arrivals = self.nodes[node.0 as usize].arrivals.clone();
            self.nodes[by.0 as usize].arrivals.extend(arrivals);
        }
    }

    /// The number of the last version of a configuration.
    pub fn version(&self, node: StateId) -> u32 {
        self.nodes[node.0 as usize].history.len() as u32
    }

    /// The element and zone of a version of a configuration, if they are remembered.
    pub fn element(&self, node: StateId, version: u32) -> Option<(Vec<i32>, Vec<Bound>)> {
        let entry = &self.nodes[node.0 as usize];
        let (mut memory, mut zone) = match &entry.buried {
            Some(buried) => (**buried).clone(),
            None if entry.alive => {
                let state = self.state(node);
                (state.memory.to_vec(), state.zone.to_vec())
            }
            None => return None,
        };
        for growth in entry.history[version as usize..].iter().rev() {
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
        let cells: Box<[(u32, i32)]> = (old.memory.iter().zip(state.memory).enumerate())
            .filter(|(_, (old, new))| old != new)
            .map(|(index, (old, _))| (index as u32, *old))
            .collect();
        let bounds: Box<[(u32, Bound)]> = (old.zone.iter().zip(state.zone).enumerate())
            .filter(|(_, (old, new))| old != new)
            .map(|(index, (old, _))| (index as u32, *old))
            .collect();
        self.extra += 8 * arrival.edges.len() + size_of::<Growth>();
        self.extra += 8 * cells.len() + 2 * size_of::<Bound>() * bounds.len();
        self.nodes[node.0 as usize].history.push(Growth {
            arrival,
            from,
            cells,
            bounds,
        });
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
            // In their order: the first that covers or joins decides.
            if let Some(at) = self.members[key].iter().position(|member| *member == node) {
                self.members[key].remove(at);
                self.signatures[key].remove(at);
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
        self.free.clear();
        self.slots = 0;
        self.members.iter_mut().for_each(Vec::clear);
        self.signatures.iter_mut().for_each(Vec::clear);
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
