//! The program `merkhet` with one lattice more: `cargo run -p rust-lattice -- check examples/rust-lattice/counter.model`.

use std::process::ExitCode;

use merkhet::lattice::external;
use rust_lattice::Signs;

fn main() -> ExitCode {
    merkhet_cli::main_with(&[external::<Signs>()])
}
