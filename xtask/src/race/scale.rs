//! How time and memory grow with N: generated models, one run each, until a program runs out of time or memory.

use std::path::{Path, PathBuf};
use std::process::Command;

use merkhet_bench::plot::{Series, chart};
use merkhet_bench::race::{Place, Row, Sample, number, seconds};
use serde_json::{Value, json};

use super::contestant::{Contestant, Outcome};
use super::options::Options;
use super::{json as views, write};
use crate::program::{Limit, run as run_program};

/// Families of `merkhet generate`, with the first N and the algorithms of TChecker that are tried for each N.
const FAMILIES: &[(&str, u32, &str)] = &[
    (
        "fischer",
        2,
        "-a covreach -s bfs; -a aLU-covreach -s bfs; -a concur19 -s bfs",
    ),
    (
        "csmacd",
        2,
        "-a covreach -s bfs; -a aLU-covreach -s bfs; -a concur19 -s bfs",
    ),
    (
        "fddi",
        2,
        "-a covreach -s dfs; -a covreach -s bfs; -a aLU-covreach -s bfs; -a concur19 -s bfs",
    ),
];

/// The address space of a run.
const MEMORY: u64 = 24 << 30;

/// One program's way through a family.
struct Climb {
    program: String,
    steps: Vec<Step>,
    /// Why it stopped.
    stopped: Option<String>,
}

/// One N.
struct Step {
    n: u32,
    arguments: String,
    sample: Sample,
    outcome: Outcome,
}

/// Climbs all families with all programs.
pub fn run(options: &Options, ours: &Path, contestants: &[Contestant]) -> Result<(), String> {
    let folder = crate::corpus::target_folder();
    let mut report = String::from("# How time and memory grow\n");
    let mut values = Vec::new();
    for &(family, first, algorithms) in FAMILIES {
        if !options.families.is_empty() && !options.families.iter().any(|name| name == family) {
            continue;
        }
        let climbs = climb(options, ours, contestants, family, first, algorithms)?;
        let table = table(family, &climbs);
        print!("{table}");
        report += &table;
        values.push(view(family, &climbs));
        type Measure = (&'static str, &'static str, fn(&Sample) -> f64);
        let measures: [Measure; 2] = [
            ("time", "CPU time in seconds", |sample| sample.cpu),
            ("memory", "peak memory in MB", |sample| {
                sample.memory as f64 / 1e6
            }),
        ];
        for (kind, label, of) in measures {
            let series: Vec<Series> = climbs.iter().map(|climb| climb.series(of)).collect();
            let svg = chart(&format!("{family}: {kind}"), "N", label, &series);
            write(&folder.join(format!("scale-{family}-{kind}.svg")), &svg)?;
        }
    }
    write(&folder.join("scale.md"), &report)?;
    write(
        &folder.join("scale.json"),
        &views::pretty(&json!({ "families": values })),
    )?;
    println!("In {}: scale.md, scale.json, scale-*.svg", folder.display());
    Ok(())
}

impl Climb {
    fn series(&self, of: fn(&Sample) -> f64) -> Series {
        let points = self.steps.iter();
        Series {
            name: self.program.clone(),
            points: points
                .map(|step| (f64::from(step.n), of(&step.sample)))
                .collect(),
        }
    }
}

fn climb(
    options: &Options,
    ours: &Path,
    contestants: &[Contestant],
    family: &str,
    first: u32,
    algorithms: &str,
) -> Result<Vec<Climb>, String> {
    let mut climbs: Vec<Climb> = contestants
        .iter()
        .map(|contestant| Climb {
            program: contestant.name.clone(),
            steps: Vec::new(),
            stopped: None,
        })
        .collect();
    for n in first..=options.largest.max(first) {
        let model = generate(ours, family, n)?;
        let row = row(family, n, algorithms);
        for (contestant, climb) in contestants.iter().zip(&mut climbs) {
            if climb.stopped.is_none() {
                step(options, contestant, &row, &model, n, climb)?;
            }
        }
        if climbs.iter().all(|climb| climb.stopped.is_some()) {
            break;
        }
    }
    Ok(climbs)
}

/// Runs one program on one model with the fastest of its algorithms.
fn step(
    options: &Options,
    contestant: &Contestant,
    row: &Row,
    model: &Path,
    n: u32,
    climb: &mut Climb,
) -> Result<(), String> {
    let mut best: Option<Step> = None;
    let mut why = String::from("no algorithm");
    for (index, command) in contestant.commands(row, model).iter().enumerate() {
        let limit = match &best {
            None => options.timeout,
            // Slower than the best one already: there is nothing to win.
            Some(best) => std::time::Duration::from_secs_f64(best.sample.wall * 1.2 + 0.1),
        };
        let run = run_program(
            &contestant.program,
            command,
            Limit::Clock(limit),
            Some(MEMORY),
        )?;
        let outcome = contestant.read(&run, row.query.is_some());
        if let Some(problem) = &outcome.problem {
            why = problem.clone();
            continue;
        }
        if best
            .as_ref()
            .is_none_or(|best| run.sample.cpu < best.sample.cpu)
        {
            best = Some(Step {
                n,
                arguments: contestant.shown(row, index),
                sample: run.sample,
                outcome,
            });
        }
    }
    match best {
        Some(step) => {
            println!(
                "{} {}: {} s, {} MB",
                row.name,
                contestant.name,
                seconds(step.sample.cpu),
                step.sample.memory / 1_000_000
            );
            climb.steps.push(step);
        }
        None => {
            println!("{} {}: {why}", row.name, contestant.name);
            climb.stopped = Some(format!("N = {n}: {why}"));
        }
    }
    Ok(())
}

/// Lets our program write the model.
fn generate(ours: &Path, family: &str, n: u32) -> Result<PathBuf, String> {
    let output = Command::new(ours)
        .args(["generate", family, &n.to_string()])
        .output()
        .map_err(|error| format!("cannot start {}: {error}", ours.display()))?;
    if !output.status.success() {
        let message = String::from_utf8_lossy(&output.stderr).trim().to_owned();
        return Err(format!("{family} {n}: {message}"));
    }
    let folder = crate::corpus::target_folder().join("race");
    std::fs::create_dir_all(&folder).map_err(|error| error.to_string())?;
    let path = folder.join(format!("{family}-{n}.tck"));
    std::fs::write(&path, output.stdout).map_err(|error| error.to_string())?;
    Ok(path)
}

fn row(family: &str, n: u32, algorithms: &str) -> Row {
    let words = |part: &str| part.split_whitespace().map(str::to_owned).collect();
    let algorithms = algorithms.split(';').map(words).collect();
    Row {
        name: format!("{family} {n}"),
        model: Place::Workspace(String::new()),
        query: None,
        ours: Vec::new(),
        peers: [("tchecker".to_owned(), algorithms)].into(),
    }
}

fn table(family: &str, climbs: &[Climb]) -> String {
    let mut text = format!("\n## {family}\n\n| N |");
    for climb in climbs {
        text += &format!(" {0} CPU s | {0} MB | {0} explored |", climb.program);
    }
    text += &format!("\n|---|{}\n", "---|---|---|".repeat(climbs.len()));
    let largest = climbs.iter().filter_map(|climb| climb.steps.last());
    let last = largest.map(|step| step.n).max().unwrap_or(0);
    let first = climbs
        .iter()
        .filter_map(|climb| climb.steps.first())
        .map(|step| step.n)
        .min();
    for n in first.unwrap_or(1)..=last {
        text += &format!("| {n} |");
        for climb in climbs {
            match climb.steps.iter().find(|step| step.n == n) {
                Some(step) => {
                    text += &format!(
                        " {} | {:.0} | {} |",
                        seconds(step.sample.cpu),
                        step.sample.memory as f64 / 1e6,
                        step.outcome.explored.map(number).unwrap_or_default()
                    );
                }
                None => text += " | | |",
            }
        }
        text.push('\n');
    }
    for climb in climbs {
        if let Some(why) = &climb.stopped {
            text += &format!("\n{} stopped at {why}\n", climb.program);
        }
    }
    text
}

fn view(family: &str, climbs: &[Climb]) -> Value {
    let step = |step: &Step| {
        json!({
            "n": step.n,
            "arguments": step.arguments,
            "sample": views::sample(&step.sample),
            "explored": step.outcome.explored,
            "stored": step.outcome.stored,
        })
    };
    let climb = |climb: &Climb| {
        json!({
            "program": climb.program,
            "steps": climb.steps.iter().map(step).collect::<Vec<Value>>(),
            "stopped": climb.stopped,
        })
    };
    json!({ "family": family, "programs": climbs.iter().map(climb).collect::<Vec<Value>>() })
}
