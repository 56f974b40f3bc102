//! Arguments of `merkhet simulate` and `merkhet states`.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, ValueEnum};

use crate::args::values::{parse_duration, parse_memory};

const SIMULATE_HELP: &str = "\
Examples:
  merkhet simulate examples/lamp.xml
      Choose transitions by their numbers.
  merkhet simulate examples/lamp.xml --random --seed 7 --steps 5
      A random walk that the seed reproduces.
  merkhet simulate examples/lamp.xml --random --steps 5 --concrete
      The same with exact times.

While it asks: a number takes a transition, an empty line a random one, b goes back, t shows the run with exact times,
? explains, q ends.";

const STATES_HELP: &str = "\
Examples:
  merkhet states examples/lamp.xml --format dot | dot -Tsvg > states.svg
      Draw the zone graph.
  merkhet states model.xml --format aut --max-states 100000 > model.aut
      For tools on labelled transition systems (CADP, mCRL2).

Zones are enlarged by the largest constants, so that there are finitely many; states are merged where they are equal.
Exit code 3 if there are more states than --max-states: the rest is missing.";

/// Arguments of `merkhet simulate`.
#[derive(Debug, Args)]
#[command(after_help = SIMULATE_HELP)]
pub struct SimulateArgs {
    /// The model: .xml, .xta, .ta or .tck.
    pub model: PathBuf,

    /// Walk at random instead of asking.
    #[arg(long)]
    pub random: bool,

    /// The seed of the random walk.
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub seed: u64,

    /// The most steps of a random walk.
    #[arg(long, value_name = "N", default_value_t = 20)]
    pub steps: usize,

    /// Show exact times instead of zones.
    #[arg(long)]
    pub concrete: bool,

    /// Give up looking for further transitions of a state after this time, such as 250ms, 60s or 5m; a bare number counts
    /// seconds.
    #[arg(long, value_name = "DURATION", value_parser = parse_duration)]
    pub timeout: Option<Duration>,
}

/// Arguments of `merkhet states`.
#[derive(Debug, Args)]
#[command(after_help = STATES_HELP)]
pub struct StatesArgs {
    /// The model: .xml, .xta, .ta or .tck.
    pub model: PathBuf,

    /// The form of the output.
    #[arg(long, value_enum, value_name = "FORMAT", default_value_t = StatesFormat::Dot)]
    pub format: StatesFormat,

    /// The most states.
    #[arg(long, value_name = "N", default_value_t = 1000)]
    pub max_states: usize,

    /// Give up after this time, such as 250ms, 60s, 5m, 1h30m or 2d; a bare number counts seconds.
    #[arg(long, value_name = "DURATION", value_parser = parse_duration)]
    pub timeout: Option<Duration>,

    /// Give up beyond this much memory, such as 500MB (10^6 bytes) or 8GiB (2^30); a bare number counts bytes; at least
    /// 16MiB.
    #[arg(long, value_name = "SIZE", value_parser = parse_memory)]
    pub memory_limit: Option<u64>,
}

/// The form of the output.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum StatesFormat {
    /// A graph for Graphviz.
    Dot,
    /// One JSON object.
    Json,
    /// The Aldebaran format.
    Aut,
}
