//! Certificates: an inductive set of symbolic states as plain data.
//!
//! A certificate says "nothing bad is reachable" in a form that [`crate::certify`] can check without searching: a set
//! of symbolic states that holds the initial state, is closed under delay and transitions, and meets no bad state. One
//! about maximal runs also has zones with ranks, which every move makes smaller.

use merkhet_network::{Network, Trace};

use crate::certificates::fingerprint::fingerprint;

/// The bound of a DBM entry that stands for "no bound".
pub const INFINITY: i32 = i32::MAX;
/// In [`ClockBounds`]: the clock is compared with nothing from here on.
pub const UNCOMPARED: i32 = i32::MIN;
/// In [`ClockBounds`]: the clock's value is kept exactly.
pub const EXACT: i32 = i32::MAX;

/// For each clock, the largest constants that it is compared with from some state on.
///
/// They define the simulation by which a zone may cover another one (see [`crate::certify`]). A value is a constant
/// of the model, [`UNCOMPARED`] or [`EXACT`].
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct ClockBounds {
    /// L: the largest constant of a lower bound (`x > c`, `x ≥ c`), one for each clock.
    pub lower: Vec<i32>,
    /// U: the largest constant of an upper bound (`x < c`, `x ≤ c`), one for each clock.
    pub upper: Vec<i32>,
}

/// All symbolic states with the same discrete part.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Entry {
    /// The location of each process.
    pub locations: Vec<u32>,
    /// The values of the cells of the state; where `tops` is given, the smallest ones.
    pub cells: Vec<i32>,
    /// The largest values of the cells: the entry stands for all states between the two rows, with its zones.
    pub tops: Option<Vec<i32>>,
    /// The index of this discrete state's bounds in [`Certificate::bounds`]; `None`: every clock is exact, and covering
    /// is plain inclusion.
    pub bounds: Option<u32>,
    /// The zones, each a row-major matrix: entry (i, j) bounds xᵢ − xⱼ by `value * 2 + 1` for `≤ value`, `value * 2`
    /// for `< value`, [`INFINITY`] for none; row 0 is the constant 0 and row i + 1 clock i. They need not be closed.
    pub zones: Vec<Vec<i32>>,
}

/// A set of symbolic states, claimed to be inductive for one network.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Certificate {
    /// The network that it is about, see [`crate::fingerprint()`].
    pub fingerprint: u64,
    /// The query that it answers, as text, for people: the checker is given the query itself.
    pub query: String,
    /// The number of processes.
    pub processes: u32,
    /// The number of cells of the state.
    pub cells: u32,
    /// The number of clocks.
    pub clocks: u32,
    /// The bounds that entries refer to.
    pub bounds: Vec<ClockBounds>,
    /// The symbolic states. A discrete state occurs once.
    pub entries: Vec<Entry>,
    /// For claims about maximal runs: zones, in the order of their ranks. A discrete state may occur often.
    pub ranked: Vec<Entry>,
    /// For `sup`, `inf` and `bounds`: the ends that are claimed, by measure.
    pub ends: Vec<Ends>,
    /// Runs that show that the ends are reached, or approached: by measure, the smallest value first.
    pub runs: Vec<Trace>,
}

/// An end of a range of values.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum End {
    /// A value that some state has.
    Reached(i64),
    /// A value that states come as close to as one likes, and that none has.
    NotReached(i64),
}

/// The ends of the range of a measure that are claimed: those that are asked for, or none where no state counts.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Ends {
    /// The smallest value.
    pub low: Option<End>,
    /// The largest value.
    pub high: Option<End>,
}

impl Certificate {
    /// An empty certificate for a network and a query's text.
    pub fn new(network: &Network, query: &str) -> Certificate {
        Certificate {
            fingerprint: fingerprint(network),
            query: query.to_string(),
            processes: network.processes.len() as u32,
            cells: network.state_cells.len() as u32,
            clocks: network.clocks.len() as u32,
            bounds: Vec::new(),
            entries: Vec::new(),
            ranked: Vec::new(),
            ends: Vec::new(),
            runs: Vec::new(),
        }
    }

    /// The number of numbers in each zone.
    pub(crate) fn zone_len(&self) -> usize {
        let dimension = self.clocks as usize + 1;
        dimension * dimension
    }
}
