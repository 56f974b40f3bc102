//! Arguments of `merkhet explain`.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, ValueEnum};

use merkhet::HeuristicSpec;

use crate::args::values::heuristic::parse_heuristic;
use crate::args::values::{parse_duration, parse_size};

const AFTER_HELP: &str = "\
Examples:
  merkhet explain model.xta -q 'E<> P.error'
      What h^U sees at the start, and its values along the run that the search finds.
  merkhet explain model.xta queries.q --heuristic hl:clocks
      The same for the first query of a file, and what clocks ask for.
  merkhet explain model.xta -q 'E<> P.error' --heuristic hl --search astar
      Another heuristic and search.
  merkhet explain model.xta --format svg > values.svg
      A chart of the values along the run.";

/// Show what a heuristic sees.
#[derive(Args, Debug)]
#[command(after_help = AFTER_HELP)]
pub struct ExplainArgs {
    /// The model: .xml, .xta, .ta or .tck.
    #[arg(value_name = "MODEL")]
    pub model: PathBuf,

    /// A file of queries (.q), of which the first is explained, instead of those in the model.
    #[arg(value_name = "QUERIES", conflicts_with = "query")]
    pub queries: Option<PathBuf>,

    /// The query; without it the first one of the file or of the model.
    #[arg(short, long, value_name = "QUERY")]
    pub query: Option<String>,

    /// The estimate of the distance to the goal, as for `merkhet check`; by default the one that the search follows, or h^U.
    #[arg(long, value_name = "NAME", value_parser = parse_heuristic)]
    pub heuristic: Option<HeuristicSpec>,

    /// The search that finds the run, as for `merkhet check`; one that follows no heuristic is taken too. By default greedy
    /// search where a heuristic is named, `auto` otherwise.
    #[arg(long, value_name = "NAME")]
    pub search: Option<String>,

    /// The form of the explanation.
    #[arg(long, value_enum, value_name = "FORMAT", default_value_t = ExplainFormat::Human)]
    pub format: ExplainFormat,

    /// Give up looking for a run after this time.
    #[arg(long, value_name = "DURATION", value_parser = parse_duration, default_value = "60s")]
    pub timeout: Duration,

    /// Give up looking for a run beyond this much memory.
    #[arg(long, value_name = "SIZE", value_parser = parse_size)]
    pub memory_limit: Option<u64>,
}

/// The form of an explanation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ExplainFormat {
    /// Text for people.
    Human,
    /// One JSON object.
    Json,
    /// A chart of the values along the run.
    Svg,
}
