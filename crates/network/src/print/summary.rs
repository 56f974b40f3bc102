//! How large a network is.

use crate::memory::Region;
use crate::network::Network;

/// Counts. Integer variables are counted cell by cell, as the tables of the benchmark papers do: an array of three
/// integers is three.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Summary {
    /// Processes.
    pub automata: usize,
    /// Clocks.
    pub clocks: usize,
    /// Integer and Boolean variables of the state.
    pub integers: usize,
    /// Meta variables.
    pub meta: usize,
    /// Locations of all processes.
    pub locations: usize,
    /// Edges of all processes, select values and branches unrolled.
    pub edges: usize,
    /// Channels, one for each element of a channel array.
    pub channels: usize,
    /// Functions, specialised to their reference parameters.
    pub functions: usize,
}

/// Counts what a network consists of.
pub fn summary(network: &Network) -> Summary {
    Summary {
        automata: network.processes.len(),
        clocks: network.clocks.len(),
        integers: network.cells(Region::State).len(),
        meta: network.cells(Region::Meta).len(),
        locations: network
            .processes
            .iter()
            .map(|process| process.locations.len())
            .sum(),
        edges: network
            .processes
            .iter()
            .map(|process| process.edges.len())
            .sum(),
        channels: network.channels.len(),
        functions: network.functions.len(),
    }
}

impl std::fmt::Display for Summary {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let counts = [
            (self.automata, "process", "processes"),
            (self.locations, "location", "locations"),
            (self.edges, "edge", "edges"),
            (self.clocks, "clock", "clocks"),
            (self.integers, "integer", "integers"),
            (self.meta, "meta variable", "meta variables"),
            (self.channels, "channel", "channels"),
            (self.functions, "function", "functions"),
        ];
        let parts: Vec<String> = counts
            .iter()
            .enumerate()
            .filter(|(position, (count, ..))| *count > 0 || *position < 5)
            .map(|(_, (count, one, many))| {
                format!("{count} {}", if *count == 1 { one } else { many })
            })
            .collect();
        f.write_str(&parts.join(", "))
    }
}
