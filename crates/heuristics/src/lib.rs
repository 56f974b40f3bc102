//! Estimates of the distance to the goal, one file each.
//!
//! An estimate reads the discrete part of a state (and, where it looks at clocks, bounds of its zone): a slice that starts
//! with the location of each process and goes on with the state cells, as [`merkhet_network::code::Layout`] lays them out.

#![forbid(unsafe_code)]

pub mod atg;
pub mod blind;
pub mod causal;
pub mod choice;
pub mod contexts;
pub mod distance;
pub mod entry;
mod explanation;
pub mod goal;
pub mod hamming;
pub mod named;
pub mod pa;
mod preferences;
pub mod spec;
pub mod tuning;
pub mod useless;

pub use choice::{Preparation, PrepareError, Prepared, Prune};
pub use contexts::MOST_LEVELS;
pub use entry::Entry;
pub use explanation::{ClockPart, Explained, Part, SolutionStep};
pub use goal::Goal;
pub use named::OptionError;
pub use pa::{Databases, Stop};
pub use spec::{HeuristicError, HeuristicSpec};

use merkhet_explore::Estimate;

/// The heuristics, in the order in which help lists them.
pub static ALL: &[&Entry] = &[
    &blind::ENTRY,
    &hamming::ENTRY,
    &distance::MAXIMUM,
    &distance::SUM,
    &atg::LOWER,
    &atg::UPPER,
    &causal::ENTRY,
    &pa::ENTRY,
];

/// The value of a state from which no goal state can be reached.
pub const DEAD_END: u32 = u32::MAX;

fn combine_max(left: u32, right: u32) -> u32 {
    left.max(right)
}

fn combine_sum(left: u32, right: u32) -> u32 {
    if left == DEAD_END || right == DEAD_END {
        DEAD_END
    } else {
        left.saturating_add(right).min(DEAD_END - 1)
    }
}

/// A number that may be [`DEAD_END`], as the search wants it.
fn as_estimate(value: u32) -> Estimate {
    match value {
        DEAD_END => Estimate::DeadEnd,
        value => Estimate::Finite(value),
    }
}
