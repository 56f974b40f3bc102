//! The value of `--heuristic`, and its help, which follows from the list of heuristics.

use merkhet::{HEURISTICS, HeuristicError, HeuristicSpec};

/// Reads a heuristic's name with its options.
pub fn parse_heuristic(text: &str) -> Result<HeuristicSpec, String> {
    text.parse().map_err(|error| match error {
        HeuristicError::Unknown { known, .. } => format!("known are {}", known.join(", ")),
        HeuristicError::Options { error, .. } => error.to_string(),
    })
}

/// One sentence about it.
pub fn heuristic_help() -> String {
    let names: Vec<&str> = HEURISTICS.iter().map(|entry| entry.name).collect();
    format!(
        "The estimate of the distance to the goal that guides the search: {}; `merkhet heuristics` describes them",
        names.join(", ")
    )
}

/// The help for `--help`, with a line for each heuristic, its variants and its options.
pub fn heuristic_long_help() -> String {
    let mut text = "The estimate of the distance to the goal that guides the search, with variants and options as in \
                    'pa:2abs(states=5000,combine=max)'; `merkhet heuristics` describes them:\n"
        .to_string();
    for entry in HEURISTICS {
        text += &format!("\n- {}: {}", entry.name, entry.summary);
        let options: Vec<&str> = entry.options.iter().map(|option| option.name).collect();
        if !options.is_empty() {
            text += &format!(" (options: {})", options.join(", "));
        }
    }
    text
}
