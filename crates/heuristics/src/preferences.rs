//! The edges on the way to the goal that a heuristic sees.

use merkhet_explore::Preference;
use merkhet_network::{EdgeId, Network, ProcessId};
use merkhet_semantics::{EdgeIndex, System};

/// The edges on the way to the goal that a heuristic sees from the state that is being expanded.
pub struct Preferences {
    /// By process, the index of its first edge.
    first_edge: Vec<u32>,
    /// By edge, its place on the way.
    of_edge: Vec<Preference>,
    /// The edges that have a place.
    marked: Vec<u32>,
}

impl Preferences {
    /// No edge is on the way.
    pub fn new(network: &Network, system: &System) -> Preferences {
        let first_edge = network
            .process_ids()
            .map(|process| system.edge_index(process, EdgeId(0)).0);
        Preferences {
            first_edge: first_edge.collect(),
            of_edge: vec![Preference::None; system.edge_count()],
            marked: Vec::new(),
        }
    }

    /// Forgets the way.
    pub fn clear(&mut self) {
        for edge in self.marked.drain(..) {
            self.of_edge[edge as usize] = Preference::None;
        }
    }

    /// An edge is on the way, perhaps at its beginning.
    pub fn mark(&mut self, first: bool, process: ProcessId, edge: EdgeId) {
        let index = self.first_edge[process.index()] + edge.0;
        let preference = match first {
            true => Preference::First,
            false => Preference::Planned,
        };
        let known = &mut self.of_edge[index as usize];
        if *known == Preference::None {
            self.marked.push(index);
        }
        *known = preference.max(*known);
    }

    /// First, if all edges are of first steps; planned, if some edge is of a step.
    pub fn of(&self, edges: &[EdgeIndex]) -> Preference {
        let of = |edge: &EdgeIndex| self.of_edge[edge.0 as usize];
        match edges.iter().map(of).min() {
            Some(Preference::First) => Preference::First,
            _ if edges.iter().any(|edge| of(edge) > Preference::None) => Preference::Planned,
            _ => Preference::None,
        }
    }
}
