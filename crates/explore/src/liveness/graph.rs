//! The depth-first search's view of the states: how they were reached, and which are done with.

use merkhet_semantics::{EdgeIndex, System};
use merkhet_zones::zone;

use crate::store::states::{Single, States};

/// Where the depth-first search stands with a state.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Colour {
    /// On the current path.
    Open,
    /// Left for good: no maximal run from here keeps the formula. Every step from here leads into states that were left
    /// before, so that the order in which states are left is a ranking.
    Closed,
}

/// How a state was reached.
pub(super) struct Node {
    pub parent: Option<u32>,
    pub edges: Box<[EdgeIndex]>,
    pub colour: Colour,
}

/// All states by their discrete part.
pub(super) struct Graph {
    pub states: States,
    pub nodes: Vec<Node>,
    /// The states that are left for good, in this order.
    pub closed: Vec<u32>,
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
    pub fn new(system: &System) -> Graph {
        Graph {
            states: States::new(system),
            nodes: Vec::new(),
            closed: Vec::new(),
            bytes: 0,
        }
    }

    pub fn look_up(&self, wanted: &Single) -> Known {
        for number in self.states.alike(wanted) {
            let known = self.states.zone(number);
            match self.nodes[number as usize].colour {
                Colour::Open if zone::equal(known, &wanted.zone) => return Known::OnPath(number),
                Colour::Closed if zone::includes(known, &wanted.zone) => return Known::Covered,
                _ => {}
            }
        }
        Known::New
    }

    /// Leaves a state for good.
    pub fn close(&mut self, number: u32) {
        self.nodes[number as usize].colour = Colour::Closed;
        self.closed.push(number);
    }

    pub fn add(&mut self, state: &Single, node: Node) -> u32 {
        self.bytes += size_of::<Node>() + 4 * node.edges.len() + 20;
        self.nodes.push(node);
        self.states.add(state)
    }

    /// An estimate of the memory that it takes.
    pub fn bytes(&self) -> usize {
        self.bytes + self.states.bytes()
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
