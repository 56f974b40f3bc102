//! Arguments of `merkhet show`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use crate::args::Reduction;

const AFTER_HELP: &str = "\
Examples:
  merkhet show examples/lamp.xml
      Print processes, clocks, variables and channels, with everything instantiated.
  merkhet show model.xml --format svg > model.svg
      Draw the automata, where their author put them or in layers; --format dot is for Graphviz.
  merkhet show model.xml --format xta > flat.xta
      Write the instantiated network as a model of its own.
  merkhet show model.xml --causal-graph --format svg > causal.svg
      Draw what depends on what; text, dot and json work too.
  merkhet show model.xta queries.q --reduce safe
      What can be left out without changing the answers to the queries, and why.
  merkhet show model.xml --format json
      Counts and contents, for programs.";

/// Arguments of `merkhet show`.
#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub struct ShowArgs {
    /// The model: .xml, .xta, .ta, .tck or .smv.
    pub model: PathBuf,

    /// A file of queries (.q), used instead of those in the model.
    pub queries: Option<PathBuf>,

    /// The form of the output.
    #[arg(long, value_enum, value_name = "FORMAT", default_value_t = ShowFormat::Text)]
    pub format: ShowFormat,

    /// Remove parts of the model that cannot matter to its queries, first, and say what and why: `safe`, `coi`, or both
    /// as `coi,safe`.
    #[arg(long, value_enum, value_name = "KINDS", value_delimiter = ',')]
    pub reduce: Option<Vec<Reduction>>,

    /// Show the causal graph instead: which automata and variables may have to change before others can, with the number
    /// of transitions for each arc. Arcs on cycles are marked by ~, or red and dashed.
    #[arg(long)]
    pub causal_graph: bool,
}

/// The form of the output.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ShowFormat {
    /// Text for people.
    Text,
    /// One JSON object.
    Json,
    /// A graph for Graphviz.
    Dot,
    /// A model that can be read back.
    Xta,
    /// A drawing of the templates, or of the causal graph.
    Svg,
}
