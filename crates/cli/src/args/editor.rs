//! Arguments of the commands for editors.

use std::path::PathBuf;

use clap::Args;

const AFTER_LSP: &str = "\
Examples:
  merkhet lsp
      Serve on standard input and output. Editors start it by themselves; docs/book/src/editors.md says how to tell them.

There are no further options. What a client may set goes into `initializationOptions`, as in
{\"check\": {\"arguments\": [\"--timeout=5m\", \"--search=bfs\"]}}.";

/// Arguments of `merkhet lsp`.
#[derive(Debug, Args)]
#[command(after_help = AFTER_LSP)]
pub struct LspArgs {
    /// Accepted since some clients say so; there is no other way to be spoken to.
    #[arg(long, hide = true)]
    pub stdio: bool,
}

const AFTER_FMT: &str = "\
Examples:
  merkhet fmt model.xta
      Write the model in its standard form.
  merkhet fmt models --check
      Say which models are not in it; exit code 1 if there is one.
  merkhet fmt - --language xta < model.xta
      Standard input to standard output.

Only blanks and line breaks change, and comments stay where they are. Of XML the blocks of declarations are formatted,
everything else stays byte by byte. A text that cannot be read stays as it is.
Exit codes: 0 all is in the standard form (now), 1 --check found a model that is not, 2 a model cannot be read or written.";

/// Arguments of `merkhet fmt`.
#[derive(Debug, Args)]
#[command(after_help = AFTER_FMT)]
pub struct FmtArgs {
    /// Models: .xml, .xta, .ta or .smv; folders, and patterns such as 'models/*.xta'; - for standard input.
    #[arg(value_name = "MODEL", required = true)]
    pub models: Vec<PathBuf>,

    /// Write nothing; say which models would change.
    #[arg(long)]
    pub check: bool,

    /// The language of standard input.
    #[arg(long, value_name = "NAME", value_parser = ["xml", "xta", "ta", "smv"])]
    pub language: Option<String>,
}
