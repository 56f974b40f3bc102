//! What each process of a search did.

use merkhet::ProcessShare;
use serde::{Deserialize, Serialize};

use crate::view::quantity::{bytes, count, seconds};
use crate::view::table::{Align, layout};

/// What one process did.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ProcessView {
    /// Its number.
    pub process: usize,
    /// States expanded.
    pub explored: u64,
    /// States stored.
    pub stored: u64,
    /// States that wait.
    pub waiting: u64,
    /// Successors computed.
    pub transitions: u64,
    /// States sent to other processes.
    pub sent: u64,
    /// Bytes of these states.
    pub sent_bytes: u64,
    /// States received from other processes.
    pub received: u64,
    /// Memory of store and open list.
    pub memory_bytes: u64,
    /// Processor time of the process so far, in seconds.
    pub processor_s: f64,
}

impl ProcessView {
    /// The views of all processes, by number.
    pub fn all(shares: &[ProcessShare]) -> Vec<ProcessView> {
        let view = |(process, share): (usize, &ProcessShare)| ProcessView {
            process,
            explored: share.explored,
            stored: share.stored,
            waiting: share.waiting,
            transitions: share.generated,
            sent: share.sent,
            sent_bytes: share.sent_bytes,
            received: share.received,
            memory_bytes: share.memory,
            processor_s: share.processor as f64 / 1e6,
        };
        shares.iter().enumerate().map(view).collect()
    }

    /// A table for people, and a line on what travelled.
    pub fn table(all: &[ProcessView], indent: usize) -> String {
        let columns = [
            ("process", Align::Right),
            ("explored", Align::Right),
            ("stored", Align::Right),
            ("sent", Align::Right),
            ("received", Align::Right),
            ("bytes sent", Align::Right),
            ("memory", Align::Right),
            ("CPU", Align::Right),
        ];
        let rows: Vec<Vec<String>> = (all.iter())
            .map(|one| {
                vec![
                    one.process.to_string(),
                    count(one.explored),
                    count(one.stored),
                    count(one.sent),
                    count(one.received),
                    bytes(one.sent_bytes),
                    bytes(one.memory_bytes),
                    seconds(one.processor_s),
                ]
            })
            .collect();
        let line = format!("{}{}\n", " ".repeat(indent), Travelled::of(all).words());
        layout(indent, &columns, &rows) + &line
    }
}

/// What of the states went from one process to another.
#[derive(Clone, Copy, Debug, Default)]
pub struct Travelled {
    sent: u64,
    bytes: u64,
    transitions: u64,
    /// The states expanded by the busiest process, and by all of them.
    most: u64,
    explored: u64,
    processes: u64,
}

impl Travelled {
    /// Of all processes together.
    pub fn of(all: &[ProcessView]) -> Travelled {
        let sum = |of: fn(&ProcessView) -> u64| all.iter().map(of).sum::<u64>();
        Travelled {
            sent: sum(|one| one.sent),
            bytes: sum(|one| one.sent_bytes),
            transitions: sum(|one| one.transitions),
            most: all.iter().map(|one| one.explored).max().unwrap_or(0),
            explored: sum(|one| one.explored),
            processes: all.len() as u64,
        }
    }

    /// In words.
    pub fn words(self) -> String {
        let share = 100.0 * self.sent as f64 / self.transitions.max(1) as f64;
        let each = self.bytes as f64 / self.sent.max(1) as f64;
        let mean = self.explored as f64 / self.processes.max(1) as f64;
        let balance = 100.0 * mean / (self.most as f64).max(1.0);
        let processes = self.processes;
        format!(
            "{share:.1} % of the successors travelled, {each:.1} bytes each; {processes} processes, load balance {balance:.0} %"
        )
    }
}
