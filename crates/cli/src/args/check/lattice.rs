//! Arguments for models with lattice variables.

use std::path::PathBuf;
use std::str::FromStr;

use clap::{Args, ValueEnum};

/// How lattice elements are covered and joined.
#[derive(Debug, Args)]
#[command(next_help_heading = "Lattices")]
pub struct LatticeArgs {
    /// What is done with the lattice elements of a state that was seen before. The default joins and covers in turns where
    /// it is proved that larger elements can do what smaller ones can and keep the goal, and is explicit elsewhere. With
    /// clocks only, zones are the lattice.
    #[arg(long = "lattice", value_enum, value_name = "UPDATE")]
    pub update: Option<LatticeUpdate>,

    /// Which lattice elements may be joined, with --lattice join or cegar. `model` (if nothing is said): those that the
    /// model's functions `bool joinable(const T &a, const T &b)` permit, all without such functions; `all`: all of a
    /// discrete state, zones to their convex hull; `same-zone`: those that come with equal zones. Rules restrict it
    /// further, and may read locations and all variables: `if:CONDITION` has to hold of the result, `alike:EXPRESSIONS` have
    /// to have the same values in both states, `apart:VARIABLE` is not joined. May be given several times.
    #[arg(long, value_name = "STRATEGY")]
    pub joining: Vec<LatticeJoining>,

    /// Draw the paths that only joined elements have, each with the join to blame, as a picture (.svg). With several
    /// queries each file's name gets the number of its query.
    #[arg(long, value_name = "FILE")]
    pub splits_out: Option<PathBuf>,

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
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LatticeJoining {
    /// One of the library's.
    Named(merkhet::Joining),
    /// A rule, which only a model can read.
    Rule(String),
}

impl FromStr for LatticeJoining {
    type Err = String;

    fn from_str(text: &str) -> Result<LatticeJoining, String> {
        let rule = merkhet::JOINING_RULES
            .iter()
            .any(|(name, _)| text.starts_with(name));
        Ok(match text {
            "model" => LatticeJoining::Named(merkhet::Joining::Model),
            "all" => LatticeJoining::Named(merkhet::Joining::All),
            "same-zone" => LatticeJoining::Named(merkhet::Joining::SameZone),
            _ if rule => LatticeJoining::Rule(text.to_string()),
            _ => {
                let rules: Vec<String> = (merkhet::JOINING_RULES.iter())
                    .map(|(name, what)| format!("{name}… ({what})"))
                    .collect();
                return Err(format!(
                    "there are: model, all, same-zone, {}",
                    rules.join(", ")
                ));
            }
        })
    }
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

impl LatticeArgs {
    /// The joining strategy that was named; two are one too many.
    pub fn joining(&self) -> Option<merkhet::Joining> {
        self.joining.iter().find_map(|joining| match joining {
            LatticeJoining::Named(joining) => Some(*joining),
            LatticeJoining::Rule(_) => None,
        })
    }

    /// How many joining strategies were named.
    pub fn named(&self) -> usize {
        let named = |joining: &&LatticeJoining| matches!(joining, LatticeJoining::Named(_));
        self.joining.iter().filter(named).count()
    }

    /// The rules, as written.
    pub fn rules(&self) -> impl Iterator<Item = &str> {
        self.joining.iter().filter_map(|joining| match joining {
            LatticeJoining::Named(_) => None,
            LatticeJoining::Rule(rule) => Some(rule.as_str()),
        })
    }
}
