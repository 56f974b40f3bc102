//! The program merkhet; all of it is in the library next to this file, where tests reach it.

use std::process::ExitCode;

fn main() -> ExitCode {
    merkhet_cli::run(std::env::args_os())
}
