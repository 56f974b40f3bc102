//! The program as `verifyta`: that program's options, words, trace files and exit codes, for scripts and wrappers that
//! were written for it.
//!
//! Called as `verifyta` or as `merkhet verifyta …`. The exit code is 0 whatever the verdict, and 1 for an error in the
//! model, a query or the run. Warnings are left out: known wrappers take any unexpected text on standard error for a
//! failure; `merkhet lint` prints them.

mod errors;
mod help;
mod intermediate;
mod numbering;
mod options;
mod text_trace;
mod trace_files;
mod verdict;
mod verify;
mod xml_trace;
mod xtr;

use std::ffi::OsString;
use std::path::Path;

use crate::output;
use options::Request;
pub use trace_files::xtr_file;

/// The exit code for an error.
const FAILED: u8 = 1;

/// Whether the program was called by the name of the other one.
pub fn is_called_so(program: &OsString) -> bool {
    let stem = Path::new(program).file_stem();
    stem.is_some_and(|stem| stem.eq_ignore_ascii_case("verifyta"))
}

/// Runs as verifyta with these arguments (without the program's name); the result is the exit code.
pub fn run(arguments: &[OsString]) -> u8 {
    let request = match options::parse(arguments) {
        Ok(request) => request,
        Err(message) => {
            output::message(&format!("verifyta: {message}\nTry `verifyta -h` for help."));
            return FAILED;
        }
    };
    let outcome = match request {
        Request::Help => output::print_plain(help::HELP).map(|()| 0),
        Request::Version => output::print_plain(&help::version()).map(|()| 0),
        Request::Verify(options) => verify::run(&options),
    };
    match outcome {
        Ok(code) => code,
        Err(output::OutputError::Closed) => 0,
        Err(problem) => {
            output::report(&problem);
            FAILED
        }
    }
}
