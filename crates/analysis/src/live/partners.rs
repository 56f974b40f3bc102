//! What the partners of a synchronisation write in the same transition.
//!
//! Models hand values over in shared cells: the sender writes them, the receivers, whose updates run after its, read
//! them. Whatever the cell held before the transition is not read then. So what *every* sender on a channel writes in any
//! case counts as written before the receivers' updates begin; and what every receiver on a binary channel writes
//! counts as written when the sender arrives at its target. (A broadcast may go without receivers.)

use merkhet_network::{ChannelId, ChannelKind, Edge, Network, Sync};

use super::flow::{Cells, Flow, Flows};

/// By channel: the cells that are written by every edge that sends, and by every edge that receives.
pub(super) struct Partners {
    senders: Vec<Option<Cells>>,
    receivers: Vec<Option<Cells>>,
}

impl Partners {
    pub fn new(network: &Network, flows: &mut Flows<'_>) -> Partners {
        let mut partners = Partners {
            senders: vec![None; network.channels.len()],
            receivers: vec![None; network.channels.len()],
        };
        for edge in network.processes.iter().flat_map(|process| &process.edges) {
            let known = match edge.sync {
                Sync::Send(channel) => &mut partners.senders[channel.index()],
                Sync::Receive(channel) => &mut partners.receivers[channel.index()],
                // The order of the others' updates, and who they are, depends on the vector.
                Sync::Internal | Sync::Event(_) => continue,
            };
            // Once nothing is common to all, nothing more can be learnt.
            if known.as_ref().is_some_and(Cells::is_empty) {
                continue;
            }
            let written = flows.update(&edge.update).definite;
            match known {
                Some(known) => known.retain(|cell| written.contains(cell)),
                None => *known = Some(written),
            }
        }
        for (receivers, channel) in partners.receivers.iter_mut().zip(&network.channels) {
            if channel.kind == ChannelKind::Broadcast {
                *receivers = None;
            }
        }
        partners
    }

    /// The flow of an edge's update together with its partners': what its process may read of the values from before the
    /// transition, and what is written in any case when it arrives.
    pub fn flow(&self, edge: &Edge, flows: &mut Flows<'_>) -> Flow {
        let mut flow = flows.update(&edge.update);
        match edge.sync {
            Sync::Send(channel) => flow.definite.extend(common(&self.receivers, channel)),
            Sync::Receive(channel) => {
                let before: Vec<u32> = common(&self.senders, channel).collect();
                for cell in &before {
                    flow.exposed.remove(cell);
                }
                flow.definite.extend(before);
            }
            Sync::Internal | Sync::Event(_) => {}
        }
        flow
    }
}

fn common(cells: &[Option<Cells>], channel: ChannelId) -> impl Iterator<Item = u32> + '_ {
    cells[channel.index()].iter().flatten().copied()
}
