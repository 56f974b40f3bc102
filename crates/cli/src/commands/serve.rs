//! `merkhet serve`: the workbench in a browser.

use std::process::{Command, Stdio};

use merkhet_web::{Options, Server, worker};

use crate::args::{ServeArgs, WorkerArgs};
use crate::exit::Exit;
use crate::output;

/// Runs the command, until the program is ended.
pub fn run(args: &ServeArgs) -> Exit {
    let served = std::env::current_exe()
        .map_err(|error| format!("cannot find this program: {error}"))
        .and_then(|program| {
            Server::open(Options {
                target: args.target.clone(),
                port: args.port,
                program,
                version: env!("CARGO_PKG_VERSION").to_owned(),
            })
        });
    let server = match served {
        Ok(server) => server,
        Err(message) => {
            output::error(&message);
            return Exit::BadInput;
        }
    };
    let address = server.address();
    if let Err(problem) = output::print_plain(&format!("{address}\n")) {
        output::report(&problem);
        return Exit::BadInput;
    }
    output::message("open this address in a browser on this machine; Ctrl-C ends the server");
    if args.open {
        open(&address);
    }
    match server.run() {
        Ok(()) => Exit::Satisfied,
        Err(message) => {
            output::error(&message);
            Exit::BadInput
        }
    }
}

/// Answers one request on standard input.
pub fn work(args: &WorkerArgs) -> Exit {
    match worker::work(args.memory) {
        Ok(()) => Exit::Satisfied,
        Err(message) => {
            output::error(&message);
            Exit::BadInput
        }
    }
}

/// Opens an address in the browser that the system prefers.
fn open(address: &str) {
    let (program, before): (&str, &[&str]) = match std::env::consts::OS {
        "macos" => ("open", &[]),
        "windows" => ("cmd", &["/C", "start", ""]),
        _ => ("xdg-open", &[]),
    };
    let quiet = Command::new(program)
        .args(before)
        .arg(address)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn();
    if let Err(error) = quiet {
        output::warning(&format!("cannot open a browser with `{program}`: {error}"));
    }
}
