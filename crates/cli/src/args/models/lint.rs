//! Arguments of `merkhet lint`.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, ValueEnum};

use crate::args::values::{parse_duration, parse_memory};

const AFTER_HELP: &str = "\
Examples:
  merkhet lint model.xml
      Errors, and warnings about what looks like a mistake.
  merkhet lint models
      All models of a folder and the folders in it.
  merkhet lint model.xml --allow variable-unused --allow shadowed-name
      Without these warnings.
  merkhet lint model.xml --format json
      The same, for programs.
  merkhet lint model.xml --format sarif > lint.sarif
      For code hosts that show messages next to the lines.

Every message ends with its name in brackets; that name silences it. Errors cannot be silenced.
Exit codes: 0 nothing found or warnings only, 1 warnings and --deny-warnings, 2 errors, 3 a limit was reached.";

/// Look for errors and likely mistakes in models.
#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub struct LintArgs {
    /// Models: .xml, .xta, .ta, .tck or .smv; folders, and patterns such as 'models/*.xml'.
    #[arg(value_name = "MODEL", required = true)]
    pub models: Vec<PathBuf>,

    /// Leave out the warnings of this name; may be repeated.
    #[arg(long, value_name = "NAME")]
    pub allow: Vec<String>,

    /// End with exit code 1 if there is a warning.
    #[arg(long)]
    pub deny_warnings: bool,

    /// The form of the output.
    #[arg(long, value_enum, value_name = "FORMAT", default_value_t = LintFormat::Human)]
    pub format: LintFormat,

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
pub enum LintFormat {
    /// Text for people.
    Human,
    /// One JSON object.
    Json,
    /// SARIF 2.1.0, for code hosts and editors.
    Sarif,
}
