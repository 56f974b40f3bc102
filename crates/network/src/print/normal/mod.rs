//! A normal form of networks: two networks with the same normal form are equal for every purpose.
//!
//! The normal form forgets what has no influence on behaviour:
//! - source positions, where the editor draws locations, which select values and which edge of which template an edge
//!   comes from; every process is its own template;
//! - the order in which variables, clocks, constants and functions are numbered: state and meta variables and clocks are
//!   ordered by owner (global ones first, then by process), constants, functions and local cells by first use; what is
//!   never used of the latter is dropped;
//! - spelling: names are made identifiers, different from each other and from UPPAAL's keywords; functions' names and
//!   absolute priorities are forgotten (only their order matters), a scalar type is a range of integers;
//! - the form of trees where it makes no difference: constants are folded, conjunctions are flat, checks that cannot fail
//!   are gone, those that a parameter's or result's type implies are written out, statements inside an expression stand in front of it where that keeps the order of evaluation, a copy by
//!   way of a scratch variable is a copy;
//! - the helper functions that [`super::xta`] makes for what UPPAAL's syntax cannot say in place ([`INLINE`]).
//!
//! Evaluation order, faults and results are kept.

mod copies;
mod names;
mod number;
mod simplify;

pub(crate) use names::{Mangler, own_part};

use super::objects::Objects;
use crate::network::{Network, OutOfRange};

/// How the names of functions begin that stand for statements inside expressions or updates.
pub const INLINE: &str = "inline__";

/// The normal form.
pub fn normalised(network: &Network) -> Network {
    let mut result = with_function_names(network);
    for (index, function) in result.functions.iter_mut().enumerate() {
        function.name = format!("f{index}");
    }
    result
}

/// The normal form, but functions keep their names.
pub(crate) fn with_function_names(network: &Network) -> Network {
    // What can be found out of locals is found out first: which checks can fail depends on it.
    let complete = Network {
        locals: Objects::of(network).locals(),
        ..network.clone()
    };
    let mut result = simplify::simplified(&complete);
    copies::shorten(&mut result);
    let mut result = number::renumbered(&result);
    forget(&mut result);
    names::rename(&mut result);
    result
}

/// Source positions, drawing and origin.
fn forget(network: &mut Network) {
    use crate::ids::SiteId;
    network.sites.clear();
    for process in &mut network.processes {
        for location in &mut process.locations {
            location.named = true;
            location.position = None;
            location.site = SiteId::NONE;
        }
        for (index, edge) in process.edges.iter_mut().enumerate() {
            edge.select.clear();
            edge.origin = index as u32;
            edge.site = SiteId::NONE;
        }
    }
    rank(network);
    if network.vectors.is_empty() && network.out_of_range == OutOfRange::Fault {
        network.events.clear();
    }
}

/// Priorities as ranks: channels' relative to the default, which becomes 0, processes' from 0.
fn rank(network: &mut Network) {
    let mut levels: Vec<i32> = network
        .channels
        .iter()
        .map(|channel| channel.priority)
        .collect();
    levels.push(network.default_priority);
    levels.sort_unstable();
    levels.dedup();
    let level = |priority: i32| levels.partition_point(|other| *other < priority) as i32;
    let default = level(network.default_priority);
    for channel in &mut network.channels {
        channel.priority = level(channel.priority) - default;
    }
    network.default_priority = 0;
    let mut levels: Vec<i32> = network
        .processes
        .iter()
        .map(|process| process.priority)
        .collect();
    levels.sort_unstable();
    levels.dedup();
    for process in &mut network.processes {
        process.priority = levels.partition_point(|other| *other < process.priority) as i32;
    }
}
