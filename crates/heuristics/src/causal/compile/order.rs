//! The total order that cuts the cycles of the causal graph.

use merkhet_analysis::causal::{CausalGraph, Grain, Vertex};
use merkhet_network::footprint::Footprints;
use merkhet_network::{Network, Region};

use crate::Goal;
use crate::causal::options::Order;

/// The place of each process and cell in the total order, if there is to be one. With many cells, those of one variable
/// share a place.
pub(in crate::causal) fn ranks(network: &Network, goal: &Goal, order: Order) -> Option<Vec<u32>> {
    const MOST_CELLS: usize = 512;
    if network.state_cells.len() <= MOST_CELLS {
        let graph = CausalGraph::new(network, Grain::Cells);
        let first = network.processes.len() as u32;
        let goals = || goals(network, goal, |cell| first + cell);
        return ordered(&graph, order, goals);
    }
    let graph = CausalGraph::new(network, Grain::Variables);
    let mut numbers = vec![0; network.variables.len()];
    for (number, vertex) in graph.vertices.iter().enumerate() {
        if let Vertex::Variable(variable) = vertex {
            numbers[variable.index()] = number as u32;
        }
    }
    let of_cell = |cell: u32| numbers[network.state_cells[cell as usize].variable.index()];
    let order = ordered(&graph, order, || goals(network, goal, of_cell))?;
    let mut of_variable = vec![0; network.variables.len()];
    for (vertex, rank) in graph.vertices.iter().zip(&order) {
        if let Vertex::Variable(variable) = vertex {
            of_variable[variable.index()] = *rank;
        }
    }
    let processes = order[..network.processes.len()].iter().copied();
    let cells = network.state_cells.iter();
    let cells = cells.map(|cell| of_variable[cell.variable.index()]);
    Some(processes.chain(cells).collect())
}

fn ordered(graph: &CausalGraph, order: Order, goals: impl Fn() -> Vec<u32>) -> Option<Vec<u32>> {
    match order {
        Order::Fewest => Some(graph.order()),
        Order::Goal => Some(graph.order_towards(&goals())),
        Order::Depth => Some(graph.order_depth_first(&goals())),
        Order::Dynamic => None,
    }
}

/// The vertices that the goal mentions.
fn goals(network: &Network, goal: &Goal, of_cell: impl Fn(u32) -> u32) -> Vec<u32> {
    let mut prints = Footprints::new(network);
    let mut goals = Vec::new();
    for conjunct in &goal.disjuncts {
        goals.extend(conjunct.locations.iter().map(|(process, _)| process.0));
        for expr in &conjunct.data {
            let found = prints.expr(expr);
            goals.extend(found.locations.iter().map(|process| process.0));
            let cells = found.reads.iter();
            let states = cells.filter(|cell| cell.region == Region::State);
            goals.extend(states.map(|cell| of_cell(cell.offset)));
        }
    }
    goals
}
