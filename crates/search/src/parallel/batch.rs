//! States on their way to the thread that owns their discrete part, many at once in flat arrays.

use merkhet_lattice::bound::Bound;
use merkhet_semantics::{EdgeIndex, State, Successor, System};

use super::GlobalId;
use crate::store::{Prepared, Store};

/// A batch is sent when it holds so many states.
pub(super) const FULL: usize = 32;

/// What is known of one state besides its memory and zone.
#[derive(Clone, Copy)]
struct Head {
    parent: Option<GlobalId>,
    depth: u32,
    /// Where its edges end.
    edges: u32,
    key: Prepared,
}

/// Some states, found by one thread and owned by another.
#[derive(Default)]
pub(super) struct Batch {
    heads: Vec<Head>,
    edges: Vec<EdgeIndex>,
    cells: Vec<i32>,
    /// The packed keys.
    words: Vec<u64>,
    zones: Vec<Bound>,
}

/// A state out of a batch.
pub(super) struct Arrival<'a> {
    pub edges: &'a [EdgeIndex],
    pub state: State<'a>,
    pub key: Prepared,
    pub words: &'a [u64],
    pub parent: Option<GlobalId>,
    pub depth: u32,
}

impl Batch {
    /// Adds a state, whose discrete part the sender's store has packed last.
    pub fn push(
        &mut self,
        store: &Store,
        key: Prepared,
        successor: &Successor<'_>,
        parent: Option<GlobalId>,
        depth: u32,
    ) {
        self.words.extend_from_slice(store.prepared_words());
        self.edges.extend_from_slice(successor.edges);
        self.cells.extend_from_slice(successor.state.memory);
        self.zones.extend_from_slice(successor.state.zone);
        self.heads.push(Head {
            parent,
            depth,
            edges: self.edges.len() as u32,
            key,
        });
    }

    pub fn len(&self) -> usize {
        self.heads.len()
    }

    /// Its states, in the order in which they were found.
    pub fn states<'a>(&'a self, system: &System) -> impl Iterator<Item = Arrival<'a>> {
        let cells = system.cells().len();
        let size = system.dimension() * system.dimension();
        let words = self.words.len() / self.len().max(1);
        let mut first = 0;
        self.heads.iter().enumerate().map(move |(index, head)| {
            let edges = &self.edges[first..head.edges as usize];
            first = head.edges as usize;
            Arrival {
                edges,
                state: State {
                    memory: &self.cells[index * cells..][..cells],
                    zone: &self.zones[index * size..][..size],
                },
                key: head.key,
                words: &self.words[index * words..][..words],
                parent: head.parent,
                depth: head.depth,
            }
        })
    }

    /// Makes it empty; the memory is kept for the next.
    pub fn clear(&mut self) {
        self.heads.clear();
        self.edges.clear();
        self.cells.clear();
        self.words.clear();
        self.zones.clear();
    }

    /// The memory in use, in bytes.
    pub fn bytes(&self) -> usize {
        self.heads.len() * size_of::<Head>()
            + self.edges.len() * size_of::<EdgeIndex>()
            + self.cells.len() * size_of::<i32>()
            + self.words.len() * size_of::<u64>()
            + self.zones.len() * size_of::<Bound>()
    }
}
