//! Edges, and which of them leave which location.

use merkhet_network::code::ProgramBuilder;
use merkhet_network::{Edge, Network, Sync};

use crate::EdgeIndex;
use crate::compile::{clocks, data};
use crate::data::Test;
use crate::system::{EdgeCode, Start, System};

/// An edge of a process.
pub(crate) fn edge(builder: &mut ProgramBuilder<'_>, process: usize, edge: &Edge) -> EdgeCode {
    EdgeCode {
        process: process as u32,
        target: edge.target.0 as i32,
        data: data::condition(builder, edge.guard.data.as_ref()),
        clocks: clocks::part(builder, &edge.guard.clocks),
        update: data::update(builder, &edge.update),
    }
}

/// Puts each edge into the lists of its source. Edges whose guard is false in all states are left out.
pub(crate) fn sort_by_location(network: &Network, system: &mut System) {
    for (process_id, process) in network.process_ids().zip(&network.processes) {
        for (index, edge) in process.edges.iter().enumerate() {
            let id = system.edge_index(process_id, index.into());
            if matches!(system.edges[id.index()].data, Test::False) {
                continue;
            }
            let urgent = match edge.sync {
                Sync::Send(channel) => system.channels[channel.index()].urgent,
                _ => false,
            };
            let location = &mut system.locations[process_id.index()][edge.source.index()];
            let start = |channel| Start { edge: id, channel };
            match edge.sync {
                Sync::Internal => location.starts.push(start(Start::INTERNAL)),
                Sync::Send(channel) => location.starts.push(start(channel.0)),
                Sync::Receive(channel) => insert(&mut location.receives, channel.0, id),
                // An event that no vector names for this process never happens: front ends make such edges internal.
                Sync::Event(event) => insert(&mut location.events, event.0, id),
            }
            location.sends_urgently |= urgent;
        }
    }
}

/// Inserts behind the others with the same label.
fn insert(list: &mut Vec<(u32, EdgeIndex)>, label: u32, edge: EdgeIndex) {
    let position = list.partition_point(|(other, _)| *other <= label);
    list.insert(position, (label, edge));
}
