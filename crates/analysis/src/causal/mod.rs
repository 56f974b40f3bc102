//! The causal graph: which parts of a network may have to change before others can.
//!
//! Wehrle, Helmert: The causal graph revisited for directed model checking (SPIN 2009), section 3. Its vertices are the
//! automata and the variables. A transition *affects* what it changes and *restricts* what it asks for; there is an arc
//! from whatever a transition affects or restricts to everything that it affects (definition 5).
//!
//! * `labels`: the roles of edges and of the transitions that they make together;
//! * `components`: cycles;
//! * `groups`: parts that have nothing to do with each other;
//! * `order`: a total order close to a topological one (sections 4.3 and 5.1);
//! * `print`: text, Graphviz and SVG.

mod components;
mod groups;
mod labels;
mod order;
mod print;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use merkhet_network::{Network, ProcessId, Region, VariableId};

pub use components::components;
pub use groups::Groups;
pub use labels::Roles;

/// A vertex.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Vertex {
    /// An automaton.
    Process(ProcessId),
    /// A declared variable, with all its elements.
    Variable(VariableId),
    /// One cell of the state.
    Cell(u32),
}

/// What counts as one variable.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Grain {
    /// What is declared as one: arrays and structures are one vertex.
    Variables,
    /// Every cell.
    Cells,
}

/// An arc.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Arc {
    /// The vertex that may have to change first.
    pub from: u32,
    /// The vertex that changes then.
    pub to: u32,
    /// The number of transitions that induce it.
    pub weight: u64,
    /// Whether it lies on a cycle.
    pub cyclic: bool,
}

/// The causal graph of a network.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CausalGraph {
    /// The automata, then the variables.
    pub vertices: Vec<Vertex>,
    /// The arcs, by their ends.
    pub arcs: Vec<Arc>,
    /// For each vertex the number of its strongly connected component; those are numbered so that no arc leads to a
    /// smaller number.
    pub components: Vec<u32>,
}

impl CausalGraph {
    /// The graph of a network.
    pub fn new(network: &Network, grain: Grain) -> CausalGraph {
        let vertices = vertices(network, grain);
        let numbers = Numbers {
            processes: network.processes.len() as u32,
            cells: match grain {
                Grain::Cells => None,
                Grain::Variables => Some(vertex_of_cell(network, &vertices)),
            },
        };
        let mut weights: BTreeMap<(u32, u32), u64> = BTreeMap::new();
        labels::for_each(network, &numbers, &mut |roles: &Roles, count| {
            for to in roles.affects.iter().copied() {
                for from in roles.affects.iter().chain(&roles.restricts).copied() {
                    if from != to {
                        *weights.entry((from, to)).or_insert(0) += count;
                    }
                }
            }
        });
        let arcs: Vec<(u32, u32)> = weights.keys().copied().collect();
        let components = components(vertices.len(), &arcs);
        let arc = |((from, to), weight): ((u32, u32), u64)| Arc {
            from,
            to,
            weight,
            cyclic: components[from as usize] == components[to as usize],
        };
        CausalGraph {
            arcs: weights.into_iter().map(arc).collect(),
            vertices,
            components,
        }
    }

    /// The name of a vertex.
    pub fn name(&self, network: &Network, vertex: u32) -> String {
        match self.vertices[vertex as usize] {
            Vertex::Process(process) => network.process(process).name.clone(),
            Vertex::Variable(variable) => network.variables[variable.index()].name.clone(),
            Vertex::Cell(offset) => network.cell_name(merkhet_network::Address {
                region: Region::State,
                offset,
            }),
        }
    }

    /// The arcs to a vertex.
    pub fn into(&self, vertex: u32) -> impl Iterator<Item = &Arc> {
        self.arcs.iter().filter(move |arc| arc.to == vertex)
    }

    /// Whether some arc lies on a cycle.
    pub fn is_cyclic(&self) -> bool {
        self.arcs.iter().any(|arc| arc.cyclic)
    }
}

/// Where the vertices of processes and cells are.
pub(crate) struct Numbers {
    processes: u32,
    /// For each cell its vertex, unless they follow the processes one by one.
    cells: Option<Vec<u32>>,
}

impl Numbers {
    fn process(&self, process: ProcessId) -> u32 {
        process.0
    }

    fn cell(&self, offset: u32) -> u32 {
        match &self.cells {
            None => self.processes + offset,
            Some(cells) => cells[offset as usize],
        }
    }
}

fn vertices(network: &Network, grain: Grain) -> Vec<Vertex> {
    let processes = network.process_ids().map(Vertex::Process);
    match grain {
        Grain::Cells => {
            let cells = (0..network.state_cells.len() as u32).map(Vertex::Cell);
            processes.chain(cells).collect()
        }
        Grain::Variables => {
            let variables = network.variables.iter().enumerate();
            let states = variables.filter(|(_, variable)| variable.base.region == Region::State);
            let numbered = states.map(|(index, _)| Vertex::Variable(VariableId::from(index)));
            processes.chain(numbered).collect()
        }
    }
}

fn vertex_of_cell(network: &Network, vertices: &[Vertex]) -> Vec<u32> {
    let mut numbers = vec![0; network.variables.len()];
    for (number, vertex) in vertices.iter().enumerate() {
        if let Vertex::Variable(variable) = vertex {
            numbers[variable.index()] = number as u32;
        }
    }
    let cells = network.state_cells.iter();
    cells.map(|cell| numbers[cell.variable.index()]).collect()
}
