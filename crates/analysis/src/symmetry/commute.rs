//! Whether the order of processes shows: all receivers of a broadcast run their updates in it.
//!
//! If processes change places, so do their updates. That makes no difference if what each of them writes goes with it alone.

use merkhet_network::footprint::{CellSet, Footprint, Footprints};
use merkhet_network::{ChannelKind, ClockId, Network, ProcessId, Region, Sync};

use super::pairs::{Pairs, Reason};

/// What the updates of a process that receives broadcasts touch.
#[derive(Clone, Debug, Default)]
struct Receiver {
    reads: CellSet,
    writes: CellSet,
    clocks_read: Vec<ClockId>,
    clocks_set: Vec<ClockId>,
}

/// What the updates of receivers touch, by process.
#[derive(Debug)]
pub(super) struct Receivers(Vec<Receiver>);

fn lasting(cells: &CellSet) -> CellSet {
    let mut kept = CellSet::default();
    for cell in cells.iter().filter(|cell| cell.region != Region::Local) {
        kept.insert(cell, 1);
    }
    kept
}

impl Receivers {
    pub fn of(network: &Network) -> Receivers {
        let mut footprints = Footprints::new(network);
        let mut receiver = |process: ProcessId| {
            let mut all = Footprint::default();
            for edge in &network.process(process).edges {
                if let Sync::Receive(channel) = edge.sync
                    && network.channels[channel.index()].kind == ChannelKind::Broadcast
                {
                    all.extend(&footprints.stmts(&edge.update));
                }
            }
            Receiver {
                reads: lasting(&all.reads),
                writes: lasting(&all.writes),
                clocks_read: all.clocks_read,
                clocks_set: all.clocks_set,
            }
        };
        Receivers(network.process_ids().map(&mut receiver).collect())
    }

    /// Whether the order in which the processes that change places run their updates makes no difference.
    pub fn commute(&self, pairs: &Pairs) -> Result<(), Reason> {
        let moved: Vec<ProcessId> = pairs.moved_processes().collect();
        let first: Vec<ProcessId> = pairs.own_processes().collect();
        for process in &moved {
            let own = &self.0[process.index()];
            let side = first.contains(process);
            let cells = own.writes.iter();
            let clocks = own.clocks_set.iter();
            if !cells
                .map(|cell| pairs.side(cell))
                .all(|of| of == Some(side))
                || !clocks
                    .map(|clock| pairs.clock_side(*clock))
                    .all(|of| of == Some(side))
            {
                return Err("where both receive a broadcast they write what does not go with one of them alone".into());
            }
            for (other, its) in self.0.iter().enumerate() {
                let apart = !own.writes.intersects(&its.reads)
                    && !own.writes.intersects(&its.writes)
                    && !its.writes.intersects(&own.reads)
                    && !shared(&own.clocks_set, &its.clocks_set)
                    && !shared(&own.clocks_set, &its.clocks_read)
                    && !shared(&its.clocks_set, &own.clocks_read);
                if other != process.index() && !apart {
                    return Err(
                        "where both receive a broadcast the order of their updates shows".into(),
                    );
                }
            }
        }
        Ok(())
    }
}

fn shared(one: &[ClockId], other: &[ClockId]) -> bool {
    one.iter().any(|clock| other.contains(clock))
}
