//! `cargo xtask race`: our program next to another one, or next to an older self, on the rows of
//! `crates/bench/data/race.tsv`; and how both scale.
//!
//! Whole processes are compared: CPU time (user and system), time by the clock and peak memory, as the system counts them
//! for a child that has ended. The programs take turns, so that whatever else the machine does hits all of them.

mod build;
mod compete;
mod contestant;
mod json;
mod options;
mod publish;
mod scale;

use std::path::{Path, PathBuf};

use merkhet_bench::race::{Place, ROWS, Raced, Row, markdown, parse};

use crate::steps::workspace_root;
use contestant::Contestant;
use options::Options;
pub use publish::PUBLISHED;

/// What `cargo xtask race --help` prints.
pub const HELP: &str = "\
Usage: cargo xtask race [OPTIONS]

  --peer NAME=PATH     another program; NAME is a column of crates/bench/data/race.tsv (tchecker),
                       or nusmv for the SMV models
  --baseline REV       an older self: the revision is built next to this one
  --variant ARGUMENTS  our own program with further arguments, such as '--threads 2'
  --rows LIST          only rows whose names contain one of these, with commas between them
  --smallest           only the first row, which needs no shared models; one run (for CI)
  --runs N             runs of each program on each row (5)
  --timeout SECONDS    a run takes at most so long (600)
  --ours ARGUMENTS     further arguments for our program
  --binary PATH        our program, instead of building it
  --scale              instead of the rows: fischer, csmacd and fddi for growing N
  --families LIST      for --scale: only these families
  --largest N          for --scale: up to this N (200)
  --publish            write the rows against TChecker into docs/performance.md, with the commit of our program

--peer, --baseline and --variant may be repeated. Models marked shared: are looked for in $MERKHET_SHARED, else in
../shared. Of a peer's algorithms the fastest one for each row takes part; those that it refuses are listed. TChecker got
much faster after its tag v0.8 (aLU-covreach, full covering, a better solver of clock bounds): race with its master. A run of --scale may use 24 GiB; each program
goes on until it runs out of time or memory.

Results go to target/race.md and target/race.json; those of --scale to target/scale.md, target/scale.json and
target/scale-FAMILY-{time,memory}.svg.";

/// Runs the task. An error if a program of ours fails on a row, or if two programs disagree.
pub fn run(arguments: &[String]) -> Result<(), String> {
    let options = Options::parse(arguments)?;
    // NuSMV reads other models: its race is the task for those.
    if let Some((_, path)) = options.peers.iter().find(|(name, _)| name == "nusmv") {
        let mut arguments = vec!["--peer".to_owned(), format!("nusmv={}", path.display())];
        if let Some(binary) = &options.binary {
            arguments.extend(["--binary".to_owned(), binary.display().to_string()]);
        }
        return crate::smv::run(&arguments);
    }
    let ours = match &options.binary {
        Some(path) => path.clone(),
        None => crate::corpus::build()?,
    };
    let contestants = contestants(&options, &ours)?;
    if options.scale {
        return scale::run(&options, &ours, &contestants);
    }
    let mut raced = Vec::new();
    for row in rows(&options)? {
        match model_path(&row) {
            Some(model) => {
                let race = compete::run(&row, &model, &contestants, &options)?;
                print!("{}", markdown(std::slice::from_ref(&race)));
                raced.push(race);
            }
            None => println!(
                "SKIPPED: {}: its model is not here; set MERKHET_SHARED",
                row.name
            ),
        }
    }
    let table = markdown(&raced);
    let folder = crate::corpus::target_folder();
    write(&folder.join("race.md"), &format!("# The race\n\n{table}"))?;
    write(&folder.join("race.json"), &json::raced(&raced))?;
    println!("\n{table}\nIn {}: race.md, race.json", folder.display());
    verdict(&raced)?;
    match options.publish {
        true => PUBLISHED.write(&publish::rows(&raced), &ours),
        false => Ok(()),
    }
}

fn contestants(options: &Options, ours: &Path) -> Result<Vec<Contestant>, String> {
    let mut list = vec![Contestant::merkhet("merkhet", ours, &options.ours)];
    for (name, path) in &options.peers {
        list.push(Contestant::peer(name, path)?);
    }
    for revision in &options.baselines {
        let (short, program) = build::baseline(revision)?;
        list.push(Contestant::merkhet(
            &format!("baseline {short}"),
            &program,
            &options.ours,
        ));
    }
    for variant in &options.variants {
        let arguments = [options.ours.as_slice(), variant.as_slice()].concat();
        list.push(Contestant::merkhet(
            &format!("merkhet {}", variant.join(" ")),
            ours,
            &arguments,
        ));
    }
    Ok(list)
}

/// The rows that were asked for.
fn rows(options: &Options) -> Result<Vec<Row>, String> {
    let mut rows = parse(ROWS)?;
    if options.smallest {
        rows.truncate(1);
    }
    if !options.rows.is_empty() {
        rows.retain(|row| options.rows.iter().any(|part| row.name.contains(part)));
    }
    match rows.is_empty() {
        true => Err("no row has such a name".into()),
        false => Ok(rows),
    }
}

fn model_path(row: &Row) -> Option<PathBuf> {
    let path = match &row.model {
        Place::Workspace(path) => workspace_root().join(path),
        Place::Shared(path) => shared().join(path),
    };
    path.is_file().then_some(path)
}

/// The folder of shared collections.
pub fn shared() -> PathBuf {
    std::env::var_os("MERKHET_SHARED")
        .map_or_else(|| workspace_root().join("../shared"), PathBuf::from)
}

/// Writes a file, or says why not.
pub fn write(path: &Path, text: &str) -> Result<(), String> {
    std::fs::write(path, text).map_err(|error| format!("cannot write {}: {error}", path.display()))
}

/// Our own failures and disagreements are errors; a peer that cannot do a row is not.
fn verdict(raced: &[Raced]) -> Result<(), String> {
    let mut problems: Vec<String> = raced.iter().filter_map(Raced::disagreement).collect();
    for race in raced {
        if let Some(ours) = race.entries.first()
            && let Some(problem) = &ours.problem
        {
            problems.push(format!("{}: {problem}", race.row));
        }
    }
    match problems.is_empty() {
        true => Ok(()),
        false => Err(problems.join("\n       ")),
    }
}
