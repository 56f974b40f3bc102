//! Which synchronisations over urgent channels data permit in the present state of a trace.
//!
//! Worked out only where time is to pass, and again only for processes that moved or whose guards looked at something that
//! has changed since.

use std::collections::{BTreeSet, HashMap};

use merkhet_network::{ChannelKind, EdgeId, LocationId, Network, ProcessId, Sync};

use crate::rules::Atom;

/// An edge over an urgent channel whose condition on data holds.
struct Ready {
    sync: Sync,
    guard: Vec<Atom>,
}

/// The edges over urgent channels.
pub(crate) struct Hurry {
    /// By process and location.
    edges: HashMap<(ProcessId, LocationId), Vec<EdgeId>>,
    /// By process, those that data permit.
    ready: Vec<Vec<Ready>>,
    /// The processes that are to be asked again.
    pub stale: BTreeSet<u32>,
    senders: BTreeSet<u32>,
    /// By channel.
    receivers: HashMap<u32, BTreeSet<u32>>,
}

impl Hurry {
    /// `None` if no channel is urgent.
    pub(crate) fn new(network: &Network) -> Option<Hurry> {
        if !network.channels.iter().any(|channel| channel.urgent) {
            return None;
        }
        let mut edges: HashMap<_, Vec<EdgeId>> = HashMap::new();
        for (process, owner) in network.process_ids().zip(&network.processes) {
            for (index, edge) in owner.edges.iter().enumerate() {
                if let Sync::Send(channel) | Sync::Receive(channel) = edge.sync
                    && network.channels[channel.index()].urgent
                {
                    let at = edges.entry((process, edge.source)).or_default();
                    at.push(EdgeId::from(index));
                }
            }
        }
        Some(Hurry {
            edges,
            ready: network.processes.iter().map(|_| Vec::new()).collect(),
            stale: (0..network.processes.len() as u32).collect(),
            senders: BTreeSet::new(),
            receivers: HashMap::new(),
        })
    }

    /// The edges over urgent channels of a location.
    pub(crate) fn edges_at(&self, process: ProcessId, location: LocationId) -> Vec<EdgeId> {
        let edges = self.edges.get(&(process, location));
        edges.cloned().unwrap_or_default()
    }

    /// Replaces what a process can do: the edges that data permit, with their constraints on clocks.
    pub(crate) fn set(&mut self, process: u32, edges: Vec<(Sync, Vec<Atom>)>) {
        self.senders.remove(&process);
        for old in &self.ready[process as usize] {
            if let Sync::Receive(channel) = old.sync
                && let Some(receivers) = self.receivers.get_mut(&channel.0)
            {
                receivers.remove(&process);
            }
        }
        for (sync, _) in &edges {
            match sync {
                Sync::Send(_) => {
                    self.senders.insert(process);
                }
                Sync::Receive(channel) => {
                    let receivers = self.receivers.entry(channel.0).or_default();
                    receivers.insert(process);
                }
                Sync::Internal | Sync::Event(_) => {}
            }
        }
        let ready = |(sync, guard)| Ready { sync, guard };
        self.ready[process as usize] = edges.into_iter().map(ready).collect();
    }

    /// Whether the constraints of some synchronisation satisfy a test.
    pub(crate) fn any(&self, network: &Network, test: impl Fn(&[&Atom]) -> bool) -> bool {
        let of = |process: u32| &self.ready[process as usize];
        let sends = self.senders.iter().flat_map(|sender| {
            let edges = of(*sender).iter();
            edges.map(move |edge| (*sender, edge))
        });
        for (sender, sent) in sends {
            let Sync::Send(channel) = sent.sync else {
                continue;
            };
            if network.channels[channel.index()].kind == ChannelKind::Broadcast {
                if test(&sent.guard.iter().collect::<Vec<_>>()) {
                    return true;
                }
                continue;
            }
            let receivers = self.receivers.get(&channel.0).into_iter().flatten();
            for receiver in receivers.filter(|receiver| **receiver != sender) {
                for other in of(*receiver) {
                    let both = sent.guard.iter().chain(&other.guard);
                    if other.sync == Sync::Receive(channel) && test(&both.collect::<Vec<_>>()) {
                        return true;
                    }
                }
            }
        }
        false
    }
}
