//! `merkhet cluster run`: several processes on this machine.

use std::ffi::OsString;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpListener;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use crate::args::{ClusterCommand, ClusterCommands, ClusterRunArgs};
use crate::exit::Exit;
use crate::{interrupt, output};

/// Tells a process that it is to end when its standard input does: so none outlives the one that has started it.
const LEASH: &str = "MERKHET_CLUSTER_LEASH";

/// How long the others may go on when one has ended, and after a signal.
const GRACE: Duration = Duration::from_secs(10);
const PACE: Duration = Duration::from_millis(20);

/// Runs the command.
pub fn run(args: &ClusterCommand) -> Exit {
    match &args.command {
        ClusterCommands::Run(args) => match start(args) {
            Ok(exit) => exit,
            Err(message) => {
                output::error(&message);
                Exit::BadInput
            }
        },
    }
}

/// Ends this process when the one that has started it is gone, if it was asked to.
pub fn on_leash() {
    if std::env::var_os(LEASH).is_none() {
        return;
    }
    let watch = || {
        let _ = std::io::copy(&mut std::io::stdin().lock(), &mut std::io::sink());
        std::process::exit(Exit::Undecided.code().into());
    };
    let _ = std::thread::Builder::new()
        .name("leash".into())
        .spawn(watch);
}

fn start(args: &ClusterRunArgs) -> Result<Exit, String> {
    let check = args.arguments.first().is_some_and(|first| first == "check");
    if !check {
        return Err(
            "what follows `--` is `check MODEL …`: nothing else is done by several processes"
                .into(),
        );
    }
    for own in ["--hosts", "--process"] {
        let is = |one: &OsString| one.to_string_lossy().split('=').next() == Some(own);
        if args.arguments.iter().any(is) {
            return Err(format!("`cluster run` sets {own} itself"));
        }
    }
    let count = args.processes as usize;
    let hosts = Hosts::new(count)?;
    let program = std::env::current_exe()
        .map_err(|error| format!("cannot find this program itself: {error}"))?;
    let cancel = interrupt::install();
    let mut processes = Processes(Vec::new());
    for number in 0..count {
        let mut command = Command::new(&program);
        command.args(&args.arguments);
        command.arg("--hosts").arg(&hosts.file);
        command.arg("--process").arg(number.to_string());
        command.env(LEASH, "1").stdin(Stdio::piped());
        if number > 0 {
            command.stdout(Stdio::null()).stderr(Stdio::piped());
        }
        // Out of the terminal's reach: a Ctrl-C is handed on once, by us.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let child = command.spawn();
        let mut child = child.map_err(|error| format!("cannot start a process: {error}"))?;
        if let Some(messages) = child.stderr.take() {
            std::thread::spawn(move || forward(messages));
        }
        processes.0.push(Running { child, code: None });
    }
    Ok(processes.wait(&cancel))
}

/// Passes on what only this process can know. What there is to say of the model and the options, the first one says as well.
fn forward(messages: impl Read) {
    for line in BufReader::new(messages).lines().map_while(Result::ok) {
        let own = [
            "error: process ",
            "warning: process ",
            "internal error",
            "thread ",
        ];
        if own.iter().any(|beginning| line.starts_with(beginning)) {
            output::message(&line);
        }
    }
}

/// A list of addresses of this machine, in a file of its own.
struct Hosts {
    file: std::path::PathBuf,
}

impl Hosts {
    fn new(count: usize) -> Result<Hosts, String> {
        let no_port = |error| format!("this machine has no port to listen at: {error}");
        // All at once, so that no two are the same.
        let listeners: Result<Vec<TcpListener>, _> = (0..count)
            .map(|_| TcpListener::bind("127.0.0.1:0").map_err(no_port))
            .collect();
        let mut text = String::new();
        for listener in listeners? {
            let address = listener.local_addr().map_err(no_port)?;
            text.push_str(&format!("{address}\n"));
        }
        let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
        let stamp = now.map_or(0, |now| now.as_nanos());
        let name = format!("merkhet-hosts-{}-{stamp}", std::process::id());
        let file = std::env::temp_dir().join(name);
        let written =
            std::fs::File::create_new(&file).and_then(|mut file| file.write_all(text.as_bytes()));
        written.map_err(|error| format!("cannot write {}: {error}", file.display()))?;
        Ok(Hosts { file })
    }
}

impl Drop for Hosts {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.file);
    }
}

struct Running {
    child: Child,
    /// How it ended; `None` if it has not.
    code: Option<u8>,
}

/// The processes that were started. None outlives this.
struct Processes(Vec<Running>);

impl Drop for Processes {
    fn drop(&mut self) {
        for running in self.0.iter_mut().filter(|running| running.code.is_none()) {
            let _ = running.child.kill();
            let _ = running.child.wait();
        }
    }
}

impl Processes {
    /// Waits for all; the first one says how the run ended.
    fn wait(&mut self, cancel: &AtomicBool) -> Exit {
        let mut told = false;
        let mut ends: Option<Instant> = None;
        loop {
            for (number, running) in self.0.iter_mut().enumerate() {
                if running.code.is_some() {
                    continue;
                }
                let Ok(Some(status)) = running.child.try_wait() else {
                    continue;
                };
                // A process that was killed has no code of its own.
                let code = status.code().and_then(|code| u8::try_from(code).ok());
                if code.is_none() {
                    output::error(&format!(
                        "process {number} was ended from outside ({status})"
                    ));
                }
                running.code = Some(code.unwrap_or(Exit::Undecided.code()));
                ends.get_or_insert_with(|| Instant::now() + GRACE);
            }
            if self.0.iter().all(|running| running.code.is_some()) {
                break;
            }
            if cancel.load(Ordering::SeqCst) && !told {
                told = true;
                ends = Some(Instant::now() + GRACE);
                for running in self.0.iter().filter(|running| running.code.is_none()) {
                    terminate(running.child.id());
                }
            }
            // The first one may have to judge and to write for long; it ends by itself, or by its limits.
            let reports = self.0.first().is_some_and(|first| first.code.is_none());
            if ends.is_some_and(|end| Instant::now() >= end) && (told || !reports) {
                output::error("not all processes have come to their end; they are ended now");
                break;
            }
            std::thread::sleep(PACE);
        }
        let first = self.0.first().and_then(|first| first.code);
        Exit::Foreign(first.unwrap_or(Exit::Undecided.code()))
    }
}

#[cfg(target_os = "linux")]
fn terminate(id: u32) {
    use rustix::process::{Pid, Signal, kill_process};
    if let Some(process) = i32::try_from(id).ok().and_then(Pid::from_raw) {
        // It may have ended by itself just now.
        let _ = kill_process(process, Signal::TERM);
    }
}

#[cfg(not(target_os = "linux"))]
fn terminate(_id: u32) {}
