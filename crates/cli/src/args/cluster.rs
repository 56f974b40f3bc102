//! Arguments of `merkhet cluster`.

use std::ffi::OsString;

use clap::{Args, Subcommand};

const AFTER_HELP: &str = "\
Examples:
  merkhet cluster run --processes 2 -- check examples/fischer.xml
      Divide each search among two processes of this machine.
  merkhet cluster run -p 4 -- check model.xml -q 'A[] safe' --memory-limit 1GiB --checkpoint parts --every 5m
      Four processes with 1 GiB each, written down every five minutes; --resume goes on, with any number of processes.
  merkhet check model.xml --hosts hosts.txt --process 1
      One process of several, on machines of your own: the same command everywhere, but for the number.

A process that is killed, or a connection that is lost, ends the run within seconds, with exit code 3.
Recipes for Slurm, Kubernetes and ssh: examples/cluster/, and the page `Several machines` of the book.";

/// Arguments of `merkhet cluster`.
#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP, arg_required_else_help = true)]
pub struct ClusterCommand {
    /// What to do.
    #[command(subcommand)]
    pub command: ClusterCommands,
}

/// What can be done with several processes.
#[derive(Debug, Subcommand)]
pub enum ClusterCommands {
    /// Start several processes on this machine, and forward their one report.
    #[command(after_help = AFTER_HELP)]
    Run(ClusterRunArgs),
}

/// Arguments of `merkhet cluster run`.
#[derive(Debug, Args)]
pub struct ClusterRunArgs {
    /// The number of processes.
    #[arg(long, short, value_name = "N")]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=64))]
    pub processes: u32,

    /// What each of them does: `check MODEL …`, without --hosts and --process.
    #[arg(last = true, required = true, value_name = "COMMAND")]
    pub arguments: Vec<OsString>,
}
