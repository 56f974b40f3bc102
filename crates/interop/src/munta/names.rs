//! Names that Munta reads: letters, digits and underscores, and no two alike.

use std::collections::HashSet;

use merkhet_network::{Address, Network, Region};

/// The names of all that a model mentions.
pub(super) struct Names {
    pub processes: Vec<String>,
    /// By process.
    pub locations: Vec<Vec<String>>,
    pub cells: Vec<String>,
    pub clocks: Vec<String>,
    pub channels: Vec<String>,
    /// A channel that nobody receives on.
    pub never: String,
}

impl Names {
    pub fn of(network: &Network) -> Names {
        // Clocks and variables share a space.
        let mut values = HashSet::new();
        // The name of the clock that Munta adds.
        values.insert("_urge".to_string());
        let (mut processes, mut channels) = (HashSet::new(), HashSet::new());
        Names {
            processes: (network.processes.iter())
                .map(|process| fresh(&mut processes, &process.name))
                .collect(),
            locations: (network.processes.iter())
                .map(|process| {
                    let mut taken = HashSet::new();
                    let names = process.locations.iter();
                    names
                        .map(|location| fresh(&mut taken, &location.name))
                        .collect()
                })
                .collect(),
            cells: (0..network.state_cells.len())
                .map(|offset| {
                    let region = Region::State;
                    let offset = offset as u32;
                    fresh(&mut values, &network.cell_name(Address { region, offset }))
                })
                .collect(),
            clocks: (network.clocks.iter())
                .map(|clock| fresh(&mut values, &clock.name))
                .collect(),
            channels: (network.channels.iter())
                .map(|channel| fresh(&mut channels, &channel.name))
                .collect(),
            never: fresh(&mut channels, "never"),
        }
    }
}

/// A name like the one that is wanted; it begins with a letter, so that it is no number.
fn fresh(taken: &mut HashSet<String>, wanted: &str) -> String {
    let letter = |letter: char| match letter.is_ascii_alphanumeric() {
        true => letter,
        false => '_',
    };
    let mut name: String = wanted
        .trim_end_matches([')', ']'])
        .chars()
        .map(letter)
        .collect();
    if !name.starts_with(|first: char| first.is_ascii_alphabetic()) || name == "true" {
        name.insert(0, 'x');
    }
    let mut candidate = name.clone();
    for number in 1.. {
        if taken.insert(candidate.clone()) {
            break;
        }
        candidate = format!("{name}_{number}");
    }
    candidate
}
