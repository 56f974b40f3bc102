//! The command line of Merkhet: reads arguments and files, calls the library, and writes what came out for people
//! or for machines.
//!
//! Standard output carries the answer and nothing else; progress, warnings and errors go to standard error. How the
//! program ended is in its [exit code](exit::Exit).

#![forbid(unsafe_code)]

pub mod args;
pub mod checkpoint;
pub mod commands;
pub mod diagnostics;
pub mod exit;
pub mod guard;
pub mod input;
pub mod interrupt;
pub mod output;
pub mod progress;
pub mod verifyta;
pub mod version;
pub mod view;
pub mod writing;

use std::ffi::OsString;
use std::process::ExitCode;
use std::sync::OnceLock;

use clap::Parser;
use merkhet::lattice::External;

use crate::args::{Cli, Command};
use crate::exit::Exit;
use crate::output::OutputError;

/// The stack of the thread that does the work, in MiB, tried in this order: nested models make deep recursions, but a
/// machine with little address space should still be able to run small ones.
const STACK_SIZES: [usize; 3] = [512, 64, 8];

/// The lattices in Rust that models may import besides those of the library.
static LATTICES: OnceLock<Vec<External>> = OnceLock::new();

/// The lattices in Rust that models may import.
pub(crate) fn lattices() -> &'static [External] {
    LATTICES.get().map_or(&[], Vec::as_slice)
}

/// Runs the program with the arguments of this process, for models that may import lattices written in Rust
/// ([`merkhet::lattice::external`]). The first call decides which.
pub fn main_with(lattices: &[External]) -> ExitCode {
    LATTICES.get_or_init(|| lattices.to_vec());
    run(std::env::args_os())
}

/// Runs the program with the given arguments (the first one is its own name).
pub fn run(arguments: impl IntoIterator<Item = impl Into<OsString> + Clone>) -> ExitCode {
    let arguments: Vec<OsString> = arguments.into_iter().map(Into::into).collect();
    if let Some(code) = as_verifyta(&arguments) {
        return code.into();
    }
    let cli = match Cli::try_parse_from(arguments.clone()) {
        Ok(cli) => cli,
        Err(error) => {
            // Help and version come this way too; a closed pipe is no reason to complain.
            let printed = error.print().map_err(OutputError::from);
            if let Some(hint) = meant_check(&arguments) {
                output::message(&hint);
            }
            return match printed {
                Err(problem @ OutputError::Failed(_)) => {
                    output::report(&problem);
                    Exit::BadInput
                }
                _ if error.use_stderr() => Exit::BadInput,
                _ => Exit::Satisfied,
            }
            .into();
        }
    };
    cli.color.apply();
    in_big_thread(move || dispatch(&cli))
        .unwrap_or(Exit::Internal)
        .into()
}

/// What to say to someone who names a model where a command belongs.
fn meant_check(arguments: &[OsString]) -> Option<String> {
    let first = arguments.get(1)?.to_str()?;
    let ending = std::path::Path::new(first).extension()?.to_str()?;
    let model = ["xml", "xta", "ta", "tck", "smv"].contains(&ending);
    model.then(|| format!("\nto check a model: merkhet check {first}"))
}

/// Runs as the other program where the name or the first argument asks for it; its arguments are not ours to read.
fn as_verifyta(arguments: &[OsString]) -> Option<u8> {
    let rest = match arguments {
        [program, rest @ ..] if verifyta::is_called_so(program) => rest,
        [_, command, rest @ ..] if command == "verifyta" => rest,
        _ => return None,
    };
    let rest = rest.to_vec();
    Some(in_big_thread(move || verifyta::run(&rest)).unwrap_or(Exit::Internal.code()))
}

fn dispatch(cli: &Cli) -> Exit {
    match &cli.command {
        Command::Check(args) => commands::check::run(args),
        Command::Show(args) => commands::show::run(args),
        Command::Lint(args) => commands::lint::run(args),
        Command::Certify(args) => commands::certify::run(args),
        Command::Explain(args) => commands::explain::run(args),
        Command::Generate(args) => commands::generate::run(args),
        Command::Convert(args) => commands::convert::run(args),
        Command::Simulate(args) => commands::simulate::run(args),
        Command::States(args) => commands::states::run(args),
        Command::Serve(args) => commands::serve::run(args),
        Command::Cluster(args) => commands::cluster::run(args),
        Command::Worker(args) => commands::serve::work(args),
        Command::Lsp(args) => commands::editor::serve(args),
        Command::Fmt(args) => commands::editor::format(args),
        Command::Heuristics(_) => commands::help::heuristics(),
        Command::Tunables(_) => commands::help::tunables(),
        Command::Completions(args) => commands::help::completions(args),
        Command::Man(args) => commands::help::man(args),
        Command::Verifyta(args) => Exit::Foreign(verifyta::run(&args.arguments)),
    }
}

/// Runs `work` on a thread with a large stack; nothing comes back if it panics.
fn in_big_thread<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Option<T> {
    let work = std::sync::Arc::new(std::sync::Mutex::new(Some(work)));
    for mebibytes in STACK_SIZES {
        let work = std::sync::Arc::clone(&work);
        let thread = std::thread::Builder::new()
            .name("merkhet".into())
            .stack_size(mebibytes << 20)
            .spawn(move || {
                let work = work.lock().ok().and_then(|mut slot| slot.take());
                work.map(|work| work())
            });
        if let Ok(thread) = thread {
            return thread.join().unwrap_or_else(|_| {
                output::message("internal error: please report it, with the model if you can");
                None
            });
        }
    }
    output::error("cannot start a thread: out of memory or of threads");
    None
}
