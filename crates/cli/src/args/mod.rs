//! The arguments of every command, and the help that teaches them.

mod certify;
mod check;
mod cluster;
mod editor;
mod help;
mod models;
mod serve;
pub mod values;
mod verifyta;

pub use certify::CertifyArgs;
pub use check::{
    Abstraction, CheckArgs, ClusterArgs, Engine, Extrapolation, Inclusion, LatticeArgs,
    LatticeUpdate, NUMBERS, Patterns, Prune, Reduction, ReportFormat, Symmetry, Tie, TraceKind,
};
pub use cluster::{ClusterCommand, ClusterCommands, ClusterRunArgs};
pub use editor::{FmtArgs, LspArgs};
pub use help::{CompletionsArgs, HeuristicsArgs, ManArgs, TunablesArgs};
pub use models::{
    ConvertArgs, ConvertForm, ExplainArgs, ExplainFormat, GenerateArgs, LintArgs, LintFormat,
    ShowArgs, ShowFormat, SimulateArgs, StatesArgs, StatesFormat,
};
pub use serve::{ServeArgs, WorkerArgs};
pub use verifyta::VerifytaArgs;

use clap::{Parser, Subcommand, ValueEnum};

const AFTER_HELP: &str = "\
Examples:
  merkhet check examples/fischer.xml                  check the queries inside a model
  merkhet check model.xta -q 'E<> P.error'            ask a question of your own
  merkhet show examples/lamp.xml                      see how a model is understood
  merkhet lint examples/train-gate.xml                look for mistakes in a model

Exit codes:
  0  every query is satisfied
  1  some query is not satisfied
  2  bad usage, a bad model or query, a fault of the model at run time, or a file that cannot be read or written
  3  some query is undecided (a limit, an approximation), and none is violated

`merkhet COMMAND --help` explains a command with examples.";

/// A directed model checker for real-time systems.
///
/// Merkhet reads networks of timed automata in the languages of UPPAAL (.xml, .xta, .ta, with queries inside or in a
/// .q file) and of TChecker (.tck), and decides their queries; finite models in the language of NuSMV (.smv) with
/// decision diagrams.
#[derive(Debug, Parser)]
#[command(name = "merkhet", version = crate::version::LONG, after_help = AFTER_HELP, max_term_width = 100)]
#[command(
    arg_required_else_help = true,
    subcommand_required = true,
    propagate_version = true
)]
pub struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,

    /// When to use colours.
    #[arg(long, global = true, value_enum, value_name = "WHEN", default_value_t = Color::Auto)]
    pub color: Color,
}

/// The commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Decide the queries of a model.
    ///
    /// Without QUERIES and -q, the queries inside the model are checked; where it has none, those of the file with the
    /// same name and the ending .q, if there is one. A TChecker model (.tck) is explored: `explore` is its only query
    /// unless others are given, as 'E<> label', 'E<> P.location', 'A[] not (a && b)', 'E<> a, b' (all of them at once);
    /// a file of queries has one a line. Every run that is shown has been replayed by
    /// an independent interpreter with exact times.
    Check(Box<CheckArgs>),
    /// Print the network that a model describes, instantiated.
    ///
    /// Templates are instantiated, constants folded, select values and free parameters unrolled.
    Show(ShowArgs),
    /// Look for errors and likely mistakes in a model.
    Lint(LintArgs),
    /// Check a certificate that `merkhet check --certificate` wrote.
    ///
    /// The checker shares no code with the search: it tests that the certificate holds the initial state, is closed
    /// under every transition and delay, and meets no bad state.
    Certify(CertifyArgs),
    /// Show what a heuristic sees: its value at the start, the abstract solution, the values along a run.
    Explain(ExplainArgs),
    /// Write a model of a family: the papers' examples, scalable protocols.
    Generate(GenerateArgs),
    /// Write a model in another language: UPPAAL's XML and XTA, TChecker's .tck.
    Convert(ConvertArgs),
    /// Walk through a model step by step, by hand or at random.
    Simulate(SimulateArgs),
    /// Print the graph of symbolic states.
    States(StatesArgs),
    /// Look at models, searches and traces in a browser.
    ///
    /// Serves the workbench to this machine only, and prints the address to open. The page shows and edits models, checks
    /// queries with live figures, steps through traces and simulates. Nothing leaves the machine.
    Serve(ServeArgs),
    /// Decide queries with several processes.
    ///
    /// Each process owns a share of the states and sends the others what is theirs. `run` starts processes on this machine;
    /// on several machines, `merkhet check --hosts` is started on each of them.
    Cluster(ClusterCommand),
    /// Answer one request of the workbench.
    #[command(hide = true)]
    Worker(WorkerArgs),
    /// Serve editors: messages while you type, names, formatting, verdicts above queries.
    ///
    /// Speaks the Language Server Protocol on standard input and output, for models and queries in all languages.
    Lsp(LspArgs),
    /// Lay the text of models out in a standard form.
    Fmt(FmtArgs),
    /// List the searches and heuristics, with what each guarantees and where it comes from.
    Heuristics(HeuristicsArgs),

    /// List the numbers that `check --set NAME=VALUE` sets, for experiments.
    Tunables(TunablesArgs),
    /// Print a script that completes commands in a shell.
    Completions(CompletionsArgs),
    /// Print the manual page, or write all of them.
    Man(ManArgs),
    /// Act as UPPAAL's verifyta: its options, its words, its trace files.
    Verifyta(VerifytaArgs),
}

/// When to use colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Color {
    /// On a terminal, unless `NO_COLOR` is set.
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

impl Color {
    /// Makes this the choice for all of the program's output.
    pub fn apply(self) {
        match self {
            Color::Auto => anstream::ColorChoice::Auto,
            Color::Always => anstream::ColorChoice::Always,
            Color::Never => anstream::ColorChoice::Never,
        }
        .write_global();
    }
}

#[cfg(test)]
mod tests;
