//! Arguments of the commands that explain the program: completions, manual pages, lists.

use std::path::PathBuf;

use clap::Args;
use clap_complete::Shell;

const COMPLETIONS_HELP: &str = "\
Examples:
  merkhet completions bash > ~/.local/share/bash-completion/completions/merkhet
  merkhet completions zsh > ~/.zfunc/_merkhet
  merkhet completions fish > ~/.config/fish/completions/merkhet.fish";

const MAN_HELP: &str = "\
Examples:
  merkhet man | man -l -
      Read the manual page of the program.
  merkhet man --out ~/.local/share/man/man1
      Write a page for the program and for each command.";

/// Arguments of `merkhet completions`.
#[derive(Debug, Args)]
#[command(after_help = COMPLETIONS_HELP)]
pub struct CompletionsArgs {
    /// The shell.
    #[arg(value_enum)]
    pub shell: Shell,
}

/// Arguments of `merkhet man`.
#[derive(Debug, Args)]
#[command(after_help = MAN_HELP)]
pub struct ManArgs {
    /// Write the pages into this folder instead of the first one to standard output.
    #[arg(long, value_name = "FOLDER")]
    pub out: Option<PathBuf>,
}

const TUNABLES_HELP: &str = "\
Examples:
  merkhet tunables
      The numbers that were measured or guessed, each with its range and what it rests on.
  merkhet check model.xta --set pa.states=1000
      A run with another number, as an experiment.";

/// Arguments of `merkhet tunables`.
#[derive(Debug, Args)]
#[command(after_help = TUNABLES_HELP)]
pub struct TunablesArgs {}

const HEURISTICS_HELP: &str = "\
Examples:
  merkhet heuristics
      What --search and --heuristic take, what each guarantees, and where it comes from.";

/// Arguments of `merkhet heuristics`.
#[derive(Debug, Args)]
#[command(after_help = HEURISTICS_HELP)]
pub struct HeuristicsArgs {}
