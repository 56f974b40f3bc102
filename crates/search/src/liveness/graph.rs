//! The states that the search has met, with exact keys.

use std::collections::HashMap;

use merkhet_lattice::bound::Bound;
use merkhet_lattice::zone;
use merkhet_semantics::EdgeIndex;

/// Where the depth-first search stands with a state.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Colour {
    /// On the current path.
    Open,
    /// Left for good: no maximal run from here keeps the formula.
    Closed,
}

/// A state with how it was reached.
pub(super) struct Node {
    /// Locations, state cells, meta cells.
    pub memory: Vec<i32>,
    /// The abstracted zone.
    pub zone: Vec<Bound>,
    pub parent: Option<u32>,
    pub edges: Vec<EdgeIndex>,
    pub colour: Colour,
}

/// All states by their discrete part.
#[derive(Default)]
pub(super) struct Graph {
    pub nodes: Vec<Node>,
    by_key: HashMap<Vec<i32>, Vec<u32>>,
    bytes: usize,
}

/// What is known of a state that was reached again.
pub(super) enum Known {
    /// It is equal to one on the path, or it lies in one left for good, or it is new.
    OnPath(u32),
    Covered,
    New,
}

impl Graph {
    pub fn look_up(&self, key: &[i32], wanted: &[Bound]) -> Known {
        for number in self.by_key.get(key).into_iter().flatten() {
            let node = &self.nodes[*number as usize];
            match node.colour {
                Colour::Open if zone::equal(&node.zone, wanted) => return Known::OnPath(*number),
                Colour::Closed if zone::includes(&node.zone, wanted) => return Known::Covered,
                _ => {}
            }
        }
        Known::New
    }

    pub fn add(&mut self, key: &[i32], node: Node) -> u32 {
        let number = self.nodes.len() as u32;
        self.bytes += size_of::<Node>()
            + 4 * (2 * node.memory.len() + node.zone.len() + node.edges.len())
            + 96;
        self.nodes.push(node);
        self.by_key.entry(key.to_vec()).or_default().push(number);
        number
    }

    /// An estimate of the memory that it takes.
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    /// The states from a root to this one.
    pub fn path(&self, to: u32) -> Vec<u32> {
        let mut path = vec![to];
        while let Some(parent) = self.nodes[path[path.len() - 1] as usize].parent {
            path.push(parent);
        }
        path.reverse();
        path
    }
}
