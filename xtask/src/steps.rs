//! Runs named steps one after the other, with their times, and remembers how each of them ended.

use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// How a step ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    Passed,
    Failed(String),
    /// The step could not run here; the text says why and what to do about it.
    Skipped(String),
}

/// One finished step.
pub struct Step {
    pub name: &'static str,
    pub outcome: Outcome,
    pub time: Duration,
}

/// The steps that have run so far.
#[derive(Default)]
pub struct Steps {
    pub finished: Vec<Step>,
}

impl Steps {
    /// Announces a step, runs it, and prints how it ended.
    pub fn run(&mut self, name: &'static str, work: impl FnOnce() -> Outcome) {
        println!("==> {name}");
        let start = Instant::now();
        let outcome = work();
        let step = Step {
            name,
            outcome,
            time: start.elapsed(),
        };
        println!("{}\n", step.line());
        self.finished.push(step);
    }

    /// Names of the steps that failed.
    pub fn failed(&self) -> Vec<&'static str> {
        self.finished
            .iter()
            .filter(|step| matches!(step.outcome, Outcome::Failed(_)))
            .map(|step| step.name)
            .collect()
    }
}

impl Step {
    /// The step in one line: `<== clippy: ok (12.3 s)`.
    pub fn line(&self) -> String {
        let seconds = self.time.as_secs_f64();
        match &self.outcome {
            Outcome::Passed => format!("<== {}: ok ({seconds:.1} s)", self.name),
            Outcome::Failed(why) => format!("<== {}: FAILED ({seconds:.1} s): {why}", self.name),
            Outcome::Skipped(why) => format!("<== {}: SKIPPED: {why}", self.name),
        }
    }
}

/// Cargo itself, the same one that runs this program.
pub fn cargo() -> Command {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.current_dir(workspace_root());
    command
}

/// The folder that holds the workspace's `Cargo.toml`.
pub fn workspace_root() -> &'static std::path::Path {
    let manifest = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    manifest.parent().unwrap_or(manifest)
}

/// Runs a command with its output going straight through.
pub fn run_command(mut command: Command) -> Outcome {
    match command.status() {
        Ok(status) if status.success() => Outcome::Passed,
        Ok(status) => Outcome::Failed(status.to_string()),
        Err(error) => Outcome::Failed(format!("cannot start it: {error}")),
    }
}

/// Runs a command, passes its standard output on, and shows each line of it to `look`.
pub fn run_and_look(mut command: Command, mut look: impl FnMut(&str)) -> Outcome {
    let mut child = match command.stdout(Stdio::piped()).spawn() {
        Ok(child) => child,
        Err(error) => return Outcome::Failed(format!("cannot start it: {error}")),
    };
    if let Some(output) = child.stdout.take() {
        let mut reader = BufReader::new(output);
        let mut line = Vec::new();
        while reader
            .read_until(b'\n', &mut line)
            .is_ok_and(|length| length > 0)
        {
            look(&String::from_utf8_lossy(&line));
            // A reader that went away must not stop the tests; their exit status still counts.
            let _ = std::io::stdout().write_all(&line);
            line.clear();
        }
    }
    match child.wait() {
        Ok(status) if status.success() => Outcome::Passed,
        Ok(status) => Outcome::Failed(status.to_string()),
        Err(error) => Outcome::Failed(error.to_string()),
    }
}

/// Whether `cargo NAME` exists here; a toolchain may come without rustfmt or clippy.
pub fn has_cargo_command(name: &str) -> bool {
    cargo()
        .args([name, "--version"])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .is_ok_and(|status| status.success())
}
