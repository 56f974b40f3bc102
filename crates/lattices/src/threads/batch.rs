//! Configurations on their way from one thread to another.

use merkhet_explore::StateId;
use merkhet_semantics::{EdgeIndex, State, Successor};
use merkhet_zones::bound::Bound;

/// Cells and bounds after which a batch is sent at once: elements may have thousands of cells.
const FULL: usize = 1 << 14;

/// Some configurations, one after the other.
#[derive(Default)]
pub(super) struct Batch {
    memory: Vec<i32>,
    zones: Vec<Bound>,
    edges: Vec<EdgeIndex>,
    heads: Vec<Head>,
}

#[derive(Clone, Copy)]
struct Head {
    edges: usize,
    parent: Option<StateId>,
    from: u32,
    depth: u32,
}

/// One of them: its edges and its state, how it was found, from which version of its parent, and at which depth.
pub(super) struct Arriving<'b> {
    pub edges: &'b [EdgeIndex],
    pub state: State<'b>,
    pub parent: Option<StateId>,
    pub from: u32,
    pub depth: u32,
}

impl Batch {
    pub fn push(
        &mut self,
        successor: &Successor<'_>,
        parent: Option<StateId>,
        from: u32,
        depth: u32,
    ) {
        self.memory.extend_from_slice(successor.state.memory);
        self.zones.extend_from_slice(successor.state.zone);
        self.edges.extend_from_slice(successor.edges);
        self.heads.push(Head {
            edges: self.edges.len(),
            parent,
            from,
            depth,
        });
    }

    pub fn is_empty(&self) -> bool {
        self.heads.is_empty()
    }

    pub fn is_full(&self) -> bool {
        self.memory.len() + self.zones.len() >= FULL
    }

    pub fn bytes(&self) -> usize {
        size_of_val(&self.memory[..])
            + size_of_val(&self.zones[..])
            + size_of_val(&self.edges[..])
            + size_of_val(&self.heads[..])
    }

    pub fn iter(&self) -> impl Iterator<Item = Arriving<'_>> {
        let count = self.heads.len().max(1);
        let (cells, bounds) = (self.memory.len() / count, self.zones.len() / count);
        self.heads.iter().enumerate().map(move |(at, head)| {
            let start = at
                .checked_sub(1)
                .map_or(0, |before| self.heads[before].edges);
            Arriving {
                edges: &self.edges[start..head.edges],
                state: State {
                    memory: &self.memory[at * cells..][..cells],
                    zone: &self.zones[at * bounds..][..bounds],
                },
                parent: head.parent,
                from: head.from,
                depth: head.depth,
            }
        })
    }

    pub fn clear(&mut self) {
        self.memory.clear();
        self.zones.clear();
        self.edges.clear();
        self.heads.clear();
    }
}
