//! Compares random models of every kind in every way, for hours; `cargo xtask soak` builds and starts it.
//!
//! The rows take turns of a few seconds, each with the next of its numbers. After each turn the state file says how far
//! they are, so that a run can be ended at any time and started again. What differs is made smaller and written as a test.

#[path = "../../symbolic/tests/random/explicit.rs"]
#[allow(dead_code)]
mod explicit;
#[path = "../tests/support/lattices.rs"]
mod lattice_random;
#[path = "../../symbolic/tests/random/model.rs"]
#[allow(dead_code)]
mod model;
#[path = "../tests/networks/mod.rs"]
#[allow(dead_code)]
mod networks;

#[path = "../tests/soak/conversions.rs"]
mod conversions;
#[path = "../tests/soak/finding.rs"]
mod finding;
#[path = "../tests/soak/forgeries.rs"]
mod forgeries;
#[path = "../tests/soak/lattices.rs"]
mod lattices;
#[path = "../tests/soak/material.rs"]
mod material;
#[path = "../tests/soak/resumed.rs"]
mod resumed;
#[path = "../tests/soak/rows.rs"]
mod rows;
#[path = "../tests/soak/systems.rs"]
mod systems;
#[path = "../tests/soak/threads.rs"]
mod threads;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use finding::Finding;
use rows::Row;

const USAGE: &str = "soak [--hours H | --seconds S] [--seed FIRST] [--only ROW,…] [--state FILE] [--findings FOLDER]";

/// How long a row has its turn.
const TURN: Duration = Duration::from_secs(5);
/// How long a finding is made smaller.
const SHRINKING: Duration = Duration::from_secs(300);

struct Options {
    time: Duration,
    first: u64,
    rows: Vec<&'static Row>,
    state: Option<PathBuf>,
    findings: PathBuf,
}

impl Options {
    fn parse(mut arguments: impl Iterator<Item = String>) -> Result<Options, String> {
        let mut options = Options {
            time: Duration::from_secs(3600),
            first: 0,
            rows: rows::ALL.iter().collect(),
            state: None,
            findings: "target/soak".into(),
        };
        while let Some(name) = arguments.next() {
            let value = arguments.next().ok_or(format!("{name} needs a value"))?;
            let wrong = |what: &str| format!("{name}: not {what}: {value}");
            let seconds = |unit: f64| {
                let number: f64 = value.parse().map_err(|_| wrong("a number"))?;
                Duration::try_from_secs_f64(number * unit).map_err(|_| wrong("a time"))
            };
            match name.as_str() {
                "--hours" => options.time = seconds(3600.0)?,
                "--seconds" => options.time = seconds(1.0)?,
                "--seed" => options.first = value.parse().map_err(|_| wrong("a number"))?,
                "--state" => options.state = Some(value.into()),
                "--findings" => options.findings = value.into(),
                "--only" => {
                    let known: Vec<&str> = rows::ALL.iter().map(|row| row.name).collect();
                    let row = |name| {
                        rows::named(name).ok_or(format!(
                            "no row is called {name}; known are {}",
                            known.join(", ")
                        ))
                    };
                    options.rows = value.split(',').map(row).collect::<Result<_, _>>()?;
                }
                _ => return Err(format!("unknown option {name}\nUsage: {USAGE}")),
            }
        }
        Ok(options)
    }
}

/// How far a row is.
#[derive(Clone, Copy, Default)]
struct Done {
    next: u64,
    compared: u64,
    findings: u64,
}

/// How far all rows are, by name and first number.
struct State {
    first: u64,
    rows: BTreeMap<String, Done>,
}

impl State {
    /// What a file says; nothing where there is none.
    fn read(path: Option<&Path>, first: u64) -> Result<State, String> {
        let mut state = State {
            first,
            rows: BTreeMap::new(),
        };
        let text = match path.map(std::fs::read_to_string) {
            None => return Ok(state),
            Some(Err(error)) if error.kind() == std::io::ErrorKind::NotFound => return Ok(state),
            Some(read) => read.map_err(|error| format!("the state cannot be read: {error}"))?,
        };
        let mut lines = text.lines();
        let known = lines
            .next()
            .and_then(|line| line.strip_prefix("soak from "));
        match known.and_then(|number| number.parse::<u64>().ok()) {
            Some(number) if number == first => {}
            Some(number) => return Err(format!("the state is that of --seed {number}")),
            None => return Err("the state file is not one of this command".into()),
        }
        for line in lines {
            let words: Vec<&str> = line.split('\t').collect();
            let numbers: Vec<u64> = words[1..]
                .iter()
                .filter_map(|word| word.parse().ok())
                .collect();
            let [next, compared, findings] = numbers[..] else {
                return Err(format!("the state file has a line that is none: {line}"));
            };
            let done = Done {
                next,
                compared,
                findings,
            };
            state.rows.insert(words[0].to_string(), done);
        }
        Ok(state)
    }

    /// Replaces the file as a whole.
    fn write(&self, path: Option<&Path>) -> Result<(), String> {
        let Some(path) = path else { return Ok(()) };
        let mut text = format!("soak from {}\n", self.first);
        for (name, done) in &self.rows {
            let Done {
                next,
                compared,
                findings,
            } = done;
            text.push_str(&format!("{name}\t{next}\t{compared}\t{findings}\n"));
        }
        let beside = path.with_extension("new");
        let written = std::fs::write(&beside, text).and_then(|()| std::fs::rename(&beside, path));
        written.map_err(|error| format!("the state cannot be written: {error}"))
    }

    fn sum(&self) -> (u64, u64, u64) {
        let add = |(models, compared, findings), done: &Done| {
            let models = models + done.next.saturating_sub(self.first);
            (models, compared + done.compared, findings + done.findings)
        };
        self.rows.values().fold((0, 0, 0), add)
    }
}

fn main() -> ExitCode {
    let run = Options::parse(std::env::args().skip(1)).and_then(|options| run(&options));
    match run {
        Ok(0) => ExitCode::SUCCESS,
        Ok(_) => ExitCode::FAILURE,
        Err(message) => {
            eprintln!("error: {message}");
            ExitCode::from(2)
        }
    }
}

/// The number of findings, those that the state knows included.
fn run(options: &Options) -> Result<u64, String> {
    let path = options.state.as_deref();
    let mut state = State::read(path, options.first)?;
    let (resumed, ..) = state.sum();
    if resumed > 0 {
        eprintln!("goes on after {resumed} models");
    }
    // Panics are findings, with their message: what they print is not needed.
    std::panic::set_hook(Box::new(|_| {}));
    let start = Instant::now();
    while start.elapsed() < options.time {
        for row in &options.rows {
            let fresh = Done {
                next: options.first,
                ..Done::default()
            };
            let mut done = state.rows.get(row.name).copied().unwrap_or(fresh);
            let turn = Instant::now();
            while turn.elapsed() < TURN && start.elapsed() < options.time {
                let seed = done.next;
                let material = (row.make)(seed);
                match row.caught(&material, seed) {
                    Ok(compared) => done.compared += compared,
                    Err(what) => {
                        done.findings += 1;
                        report(options, row, seed, &material, &what)?;
                    }
                }
                done.next += 1;
            }
            state.rows.insert(row.name.to_string(), done);
            state.write(path)?;
        }
        let (models, compared, findings) = state.sum();
        eprintln!(
            "{:.0} s of {:.0}: {models} models, {compared} comparisons, {findings} findings",
            start.elapsed().as_secs_f64(),
            options.time.as_secs_f64()
        );
    }
    for (name, done) in &state.rows {
        let models = done.next - options.first;
        println!(
            "{name:<12} {models:>8} models {:>10} comparisons {:>4} findings",
            done.compared, done.findings
        );
    }
    Ok(state.sum().2)
}

/// Says what was found, makes it smaller and writes the test.
fn report(
    options: &Options,
    row: &Row,
    seed: u64,
    material: &material::Material,
    what: &str,
) -> Result<(), String> {
    println!(
        "FINDING: row {}, number {seed} ({}): {what}",
        row.name, row.about
    );
    let found = Finding::minimised(row, seed, material, what, SHRINKING);
    let path = options.findings.join(found.file());
    let write = || {
        std::fs::create_dir_all(&options.findings)?;
        std::fs::write(&path, found.test())
    };
    write().map_err(|error| format!("{}: {error}", path.display()))?;
    println!(
        "made smaller: {}\nthe test is {}\n",
        found.what,
        path.display()
    );
    Ok(())
}
