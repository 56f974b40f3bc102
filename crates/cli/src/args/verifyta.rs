//! Arguments of `merkhet verifyta`.

use std::ffi::OsString;

use clap::Args;

const AFTER_HELP: &str = "\
Examples:
  merkhet verifyta -t1 -f trace model.xml queries.q
      Check queries in verifyta's words, and write shortest traces to trace-1.xtr, trace-2.xtr, …
  ln -s $(command -v merkhet) ~/bin/verifyta
      Make scripts that call `verifyta` use Merkhet.
  merkhet verifyta -h
      The options.";

/// Arguments of `merkhet verifyta`.
#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP, disable_help_flag = true)]
pub struct VerifytaArgs {
    /// The options and files of verifyta.
    #[arg(
        trailing_var_arg = true,
        allow_hyphen_values = true,
        value_name = "ARGUMENT"
    )]
    pub arguments: Vec<OsString>,
}
