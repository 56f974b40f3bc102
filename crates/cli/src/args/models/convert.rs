//! Arguments of `merkhet convert`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

const AFTER_HELP: &str = "\
Examples:
  merkhet convert model.xml model.xta
      The ending of the new file decides the language.
  merkhet convert model.xta --to xml > model.xml
      Locations get places on a circle; UPPAAL's editor can move them.
  merkhet convert model.xml model.tck
      The instantiated network in TChecker's language.

Between XML and XTA the text of declarations and labels is kept, with its comments. To and from .tck the instantiated
network is written. What the target language cannot say is an error, and nothing is written; but queries that cannot be
read go into XTA as comments, with a warning, and TChecker's language has no place for queries at all. A file that is there
already is kept, unless --force is given.";

/// Arguments of `merkhet convert`.
#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub struct ConvertArgs {
    /// The model: .xml, .xta, .ta or .tck.
    pub model: PathBuf,

    /// The new file; without it the new model goes to standard output, and --to says in which language.
    pub target: Option<PathBuf>,

    /// The new language, where the ending of the new file does not tell.
    #[arg(long, value_enum, value_name = "LANGUAGE")]
    pub to: Option<ConvertForm>,

    /// Replace the new file if it is there already.
    #[arg(long)]
    pub force: bool,
}

/// The languages.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ConvertForm {
    /// UPPAAL's XML.
    Xml,
    /// UPPAAL's textual language.
    Xta,
    /// TChecker's language.
    Tck,
}
