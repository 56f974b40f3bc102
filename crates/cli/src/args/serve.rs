//! Arguments of `merkhet serve`, and of the processes that it starts.

use std::path::PathBuf;

use clap::Args;

const AFTER_HELP: &str = "\
Examples:
  merkhet serve
      Open the models of this folder.
  merkhet serve examples/fischer.xml --open
      Show a model in the browser.
  merkhet serve models --port 8080
      Always use the same port.

The address that is printed holds a token that serves once; the page keeps a key of its own from then on. Only pages of this
server may ask it anything, and it reads and writes models in the opened folder only. Ctrl-C ends it.";

/// Arguments of `merkhet serve`.
#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub struct ServeArgs {
    /// A model, or a folder of models; the current folder where nothing is said.
    #[arg(default_value = ".")]
    pub target: PathBuf,

    /// The port to listen on; 0 for any that is free.
    #[arg(long, default_value_t = 0)]
    pub port: u16,

    /// Open the address in the browser.
    #[arg(long)]
    pub open: bool,
}

/// Arguments of a process that looks at one model.
#[derive(Debug, Args)]
pub struct WorkerArgs {
    /// The most bytes of memory that it may take.
    #[arg(long)]
    pub memory: u64,
}
