//! Arguments for models with lattice variables.

use clap::{Args, ValueEnum};

/// How lattice elements are covered and joined.
#[derive(Debug, Args)]
#[command(next_help_heading = "Lattices")]
pub struct LatticeArgs {
    /// What is done with the lattice elements of a state that was seen before. The default covers where it is proved
    /// that larger elements can do what smaller ones can and keep the goal, and is explicit elsewhere. With clocks
    /// only, zones are the lattice.
    #[arg(long = "lattice", value_enum, value_name = "UPDATE")]
    pub update: Option<LatticeUpdate>,

    /// Which lattice elements may be joined, with --lattice join or cegar: `model` if nothing is said.
    #[arg(long, value_enum, value_name = "STRATEGY")]
    pub joining: Option<LatticeJoining>,

    /// Cover or join where it is not proved that larger elements can do what smaller ones can. Then only a run that is
    /// found is a verdict; where none is found, the query is unknown (exit code 3).
    #[arg(long)]
    pub assume_monotone: bool,

    /// Test along the search that larger elements can do what smaller ones can; a violation is an error. No answer rests
    /// on this: it finds out where a model is not monotone.
    #[arg(long)]
    pub check_monotone: bool,
}

/// What is done with the lattice elements of a state that was seen before.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum LatticeUpdate {
    /// Explicit: only equal elements count as seen.
    Simple,
    /// Elements below one seen before count as seen; exact.
    Cover,
    /// Elements are joined; a goal that is reached only so is inconclusive (exit code 3).
    Join,
    /// Elements are joined, and joins that lead astray are taken back until the answer is conclusive.
    Cegar,
}

/// Which lattice elements may be joined.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum LatticeJoining {
    /// What the model's functions `bool joinable(const T &a, const T &b)` permit; all without such functions.
    Model,
    /// All of a discrete state, zones to their convex hull.
    All,
    /// Elements that come with equal zones.
    SameZone,
}

impl LatticeUpdate {
    /// As the library knows it.
    pub fn update(self) -> merkhet::Update {
        match self {
            LatticeUpdate::Simple => merkhet::Update::Simple,
            LatticeUpdate::Cover => merkhet::Update::Cover,
            LatticeUpdate::Join => merkhet::Update::Join,
            LatticeUpdate::Cegar => merkhet::Update::Cegar,
        }
    }
}

impl LatticeJoining {
    /// As the library knows it.
    pub fn joining(self) -> merkhet::Joining {
        match self {
            LatticeJoining::Model => merkhet::Joining::Model,
            LatticeJoining::All => merkhet::Joining::All,
            LatticeJoining::SameZone => merkhet::Joining::SameZone,
        }
    }
}
