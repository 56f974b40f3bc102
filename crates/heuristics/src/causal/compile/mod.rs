//! From a network to the small graphs.

pub(in crate::causal) mod assemble;
pub(in crate::causal) mod labels;
pub(in crate::causal) mod order;
pub(in crate::causal) mod read;
pub(in crate::causal) mod steps;
pub(in crate::causal) mod trial;

use merkhet_network::Network;
use merkhet_network::code::ProgramBuilder;
use merkhet_network::tuning::Tuning;

use crate::Goal;
use crate::causal::assemble::assemble;
use crate::causal::labels::{Label, labels};
use crate::causal::model::{Model, VertexModel};
use crate::causal::options::Options;
use crate::causal::order::ranks;
use crate::causal::read::{ReadLabel, Reader};
use crate::causal::steps::Maker;
use crate::causal::trial::Trial;
use crate::tuning::{CAUSAL_LABELS, CAUSAL_LOCATIONS, CAUSAL_VALUES};

/// The small graphs of a network.
pub(in crate::causal) fn compile(
    network: &Network,
    goal: &Goal,
    options: Options,
    tuning: &Tuning,
) -> Model {
    let mut vertices = vertices(network, tuning);
    let rank = ranks(network, goal, options.order);
    let labels = labels(network, tuning.count(&CAUSAL_LABELS));
    let mut builder = ProgramBuilder::new(network);
    let processes = network.processes.len() as u32;
    let mut reader = Reader::new(network, &mut builder, &vertices);
    let read: Vec<ReadLabel> = labels.iter().map(|label| reader.label(label)).collect();
    let trial = Trial::new(builder.finish());
    let mut maker = Maker::new(trial, &vertices, processes, rank.as_deref(), tuning);
    for (number, label) in read.iter().enumerate() {
        maker.label(number as u32, label);
    }
    let (steps, unknown) = (maker.steps, maker.unknown);
    for vertex in unknown {
        vertices[vertex as usize].size = 0;
    }
    let mut model = assemble(vertices, rank.as_deref(), steps);
    let edges = |label: &Label<'_>| {
        let taken = label.edges.iter();
        taken.map(|taken| (taken.process, taken.id)).collect()
    };
    model.labels = labels.iter().map(edges).collect();
    model
}

/// The parts. Variables with too many values and automata with too many locations are not looked at.
fn vertices(network: &Network, tuning: &Tuning) -> Vec<VertexModel> {
    let most_locations = tuning.count(&CAUSAL_LOCATIONS);
    let most_values = tuning.get(&CAUSAL_VALUES);
    let mut vertices = Vec::new();
    for (index, process) in network.processes.iter().enumerate() {
        let count = process.locations.len();
        vertices.push(VertexModel {
            slot: index as u32,
            size: if count <= most_locations {
                count as u32
            } else {
                0
            },
            ..VertexModel::default()
        });
    }
    for (offset, cell) in network.state_cells.iter().enumerate() {
        let size = i64::from(cell.high) - i64::from(cell.low) + 1;
        vertices.push(VertexModel {
            slot: (network.processes.len() + offset) as u32,
            low: cell.low,
            size: if size <= most_values { size as u32 } else { 0 },
            ..VertexModel::default()
        });
    }
    vertices
}
