//! The variables that one process alone writes, and only constants.

use merkhet_network::footprint::{Footprint, Footprints};
use merkhet_network::{Edge, Network, ProcessId, Region, Stmt};

use super::horizon::{HorizonEdge, HorizonInput};
use crate::atg::merge::Draft;
use crate::atg::model::{CellModel, DENSE};

/// By cell, who writes it so.
enum Writer {
    Nobody,
    One(ProcessId),
    /// Several, or not by constants, or not for certain.
    Others,
}

/// A statement that sets a cell of the state to a constant, for certain.
fn plain(statement: &Stmt) -> Option<(u32, i32)> {
    let Stmt::Assign { target, value, .. } = statement else {
        return None;
    };
    let address = target.fixed()?;
    let value = value.as_const()?;
    (address.region == Region::State).then_some((address.offset, value))
}

fn writers(network: &Network) -> Vec<Writer> {
    let mut footprints = Footprints::new(network);
    let mut writers: Vec<Writer> = network.state_cells.iter().map(|_| Writer::Nobody).collect();
    let spoil = |writers: &mut Vec<Writer>, footprint: &Footprint| {
        let cells = footprint.writes.iter();
        for cell in cells.filter(|cell| cell.region == Region::State) {
            writers[cell.offset as usize] = Writer::Others;
        }
    };
    for update in [&network.before_update, &network.after_update] {
        spoil(&mut writers, &footprints.stmts(update));
    }
    for process in network.process_ids() {
        for edge in &network.process(process).edges {
            if let Some(data) = &edge.guard.data {
                spoil(&mut writers, &footprints.expr(data));
            }
            for statement in &edge.update {
                let Some((cell, _)) = plain(statement) else {
                    spoil(
                        &mut writers,
                        &footprints.stmts(std::slice::from_ref(statement)),
                    );
                    continue;
                };
                let writer = &mut writers[cell as usize];
                match writer {
                    Writer::Nobody => *writer = Writer::One(process),
                    Writer::One(known) if *known == process => {}
                    _ => *writer = Writer::Others,
                }
            }
        }
    }
    writers
}

/// What is tabulated for each process: its edges before any are joined, with the variables that it alone writes and tests.
pub(in crate::atg) fn inputs(
    network: &Network,
    drafts: &[Draft],
    cells: &[CellModel],
    first_fact: &[u32],
) -> Vec<HorizonInput> {
    let writers = writers(network);
    let mut inputs: Vec<HorizonInput> = (network.process_ids())
        .map(|process| HorizonInput {
            process,
            edges: Vec::new(),
            own: Vec::new(),
        })
        .collect();
    for draft in drafts {
        let origin = draft.origins[0];
        let input = &mut inputs[draft.process as usize];
        let own = |cell: u32| match writers.get(cell as usize) {
            Some(Writer::One(process)) => *process == origin.process,
            _ => false,
        };
        let masks: Vec<(u32, u64)> = (draft.masks.iter())
            .filter(|(cell, _)| own(**cell))
            .map(|(cell, mask)| (*cell, *mask))
            .collect();
        for (cell, _) in &masks {
            let model = &cells[*cell as usize];
            let entry = (*cell, model.low, model.high);
            if model.wide == DENSE && !input.own.contains(&entry) {
                input.own.push(entry);
            }
        }
        let edge: &Edge = network.edge(origin.process, origin.edge);
        let base = first_fact[draft.process as usize];
        input.edges.push(HorizonEdge {
            edge: origin.edge,
            source: draft.source - base,
            target: draft.target - base,
            masks,
            sets: edge.update.iter().filter_map(plain).collect(),
        });
    }
    for input in &mut inputs {
        // The small ones first: more of them fit.
        input
            .own
            .sort_by_key(|(cell, low, high)| (high - low, *cell));
    }
    inputs
}
