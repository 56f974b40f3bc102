//! `merkhet show`: prints the instantiated network.

use crate::args::ShowArgs;
use crate::exit::Exit;
use crate::{diagnostics, output};

use super::load;

/// Runs the command.
pub fn run(args: &ShowArgs) -> Exit {
    let loaded = match load::load(&args.model) {
        Ok(loaded) => loaded,
        Err(message) => {
            output::error(&message);
            return Exit::BadInput;
        }
    };
    diagnostics::print(&loaded.diagnostics, &loaded.sources);
    if loaded.has_errors() {
        return Exit::BadInput;
    }
    output::error("this version cannot instantiate models yet");
    Exit::Undecided
}
