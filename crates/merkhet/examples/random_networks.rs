//! Checks many random networks in every way against the oracles; `cargo xtask random` builds and starts it.
//!
//! Network number N has the seed N and the profile N modulo their number. Blocks of networks that are done go into a log,
//! one line each; a run with a log that has lines already does only what is missing, so that a run can be ended at any
//! time and started again, and parts of it can be done elsewhere.

#[path = "../tests/networks/mod.rs"]
mod networks;

use std::collections::BTreeMap;
use std::fs::OpenOptions;
use std::io::Write;
use std::panic::catch_unwind;
use std::process::ExitCode;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use merkhet_testing::Profile;
use networks::{Extent, Tally, check_network};

const USAGE: &str = "random_networks [--count N] [--seed FIRST] [--jobs N] [--log FILE] [--sample] [--profile NAME]";

/// Networks in a block.
const BLOCK: u64 = 100;

struct Options {
    count: u64,
    first: u64,
    jobs: usize,
    log: Option<String>,
    extent: Extent,
    profile: Option<String>,
}

impl Options {
    fn parse(mut arguments: impl Iterator<Item = String>) -> Result<Options, String> {
        let mut options = Options {
            count: 1_000,
            first: 0,
            jobs: std::thread::available_parallelism().map_or(1, usize::from),
            log: None,
            extent: Extent::Product,
            profile: None,
        };
        while let Some(name) = arguments.next() {
            if name == "--sample" {
                options.extent = Extent::Sample;
                continue;
            }
            let value = arguments.next().ok_or(format!("{name} needs a value"))?;
            let number = || {
                value
                    .parse()
                    .map_err(|_| format!("{name}: not a number: {value}"))
            };
            match name.as_str() {
                "--count" => options.count = number()?,
                "--seed" => options.first = number()?,
                "--jobs" => options.jobs = number()?.clamp(1, 256) as usize,
                "--log" => options.log = Some(value),
                "--profile" => options.profile = Some(value),
                _ => return Err(format!("unknown option {name}\nUsage: {USAGE}")),
            }
        }
        Ok(options)
    }

    fn profiles(&self) -> Result<Vec<(&'static str, Profile)>, String> {
        let mut all = Profile::named().to_vec();
        let names: Vec<&str> = all.iter().map(|(name, _)| *name).collect();
        if let Some(wanted) = &self.profile {
            all.retain(|(name, _)| name == wanted);
            if all.is_empty() {
                let known = names.join(", ");
                return Err(format!("no profile is called {wanted}; known are {known}"));
            }
        }
        Ok(all)
    }
}

/// What the threads share.
struct Shared {
    waiting: Vec<u64>,
    sum: Tally,
    findings: u64,
    log: Option<std::fs::File>,
    last_look: Instant,
}

fn main() -> ExitCode {
    let options = match Options::parse(std::env::args().skip(1)) {
        Ok(options) => options,
        Err(message) => {
            eprintln!("error: {message}");
            return ExitCode::from(2);
        }
    };
    match run(&options) {
        Ok(0) => ExitCode::SUCCESS,
        Ok(_) => ExitCode::FAILURE,
        Err(message) => {
            eprintln!("error: {message}");
            ExitCode::from(2)
        }
    }
}

/// Runs what is missing; the number of findings, those in the log included.
fn run(options: &Options) -> Result<u64, String> {
    let profiles = options.profiles()?;
    let done = match &options.log {
        Some(path) => read_log(path, options)?,
        None => BTreeMap::new(),
    };
    let mut shared = Shared {
        waiting: Vec::new(),
        sum: Tally::default(),
        findings: 0,
        log: None,
        last_look: Instant::now(),
    };
    let blocks = (options.first..options.first + options.count).step_by(BLOCK as usize);
    for first in blocks {
        match done.get(&first) {
            Some((tally, findings)) => {
                shared.sum += *tally;
                shared.findings += findings;
            }
            None => shared.waiting.push(first),
        }
    }
    shared.waiting.reverse();
    if let Some(path) = &options.log {
        let file = OpenOptions::new().create(true).append(true).open(path);
        shared.log = Some(file.map_err(|error| format!("{path}: {error}"))?);
    }
    let resumed = shared.sum.networks;
    if resumed > 0 {
        eprintln!("{resumed} networks are in the log already");
    }
    // A panic is a finding like others; its message is part of it.
    std::panic::set_hook(Box::new(|panic| {
        eprintln!("{panic}\n{}", std::backtrace::Backtrace::capture())
    }));
    let start = Instant::now();
    let shared = Mutex::new(shared);
    std::thread::scope(|scope| {
        for _ in 0..options.jobs {
            scope.spawn(|| work(options, &profiles, &shared, start, resumed));
        }
    });
    let shared = shared.into_inner().unwrap_or_else(|held| held.into_inner());
    println!("{}", summary(&shared.sum, shared.findings));
    println!("in {:.0} s", start.elapsed().as_secs_f64());
    Ok(shared.findings)
}

fn work(
    options: &Options,
    profiles: &[(&'static str, Profile)],
    shared: &Mutex<Shared>,
    start: Instant,
    resumed: u64,
) {
    let lock = || shared.lock().unwrap_or_else(|held| held.into_inner());
    loop {
        let Some(first) = lock().waiting.pop() else {
            return;
        };
        let end = (first + BLOCK).min(options.first + options.count);
        let (mut sum, mut problems) = (Tally::default(), 0);
        for seed in first..end {
            let (name, profile) = &profiles[(seed % profiles.len() as u64) as usize];
            match caught(profile, seed, options.extent) {
                Ok(tally) => sum += tally,
                Err(problem) => {
                    problems += 1;
                    sum.networks += 1;
                    println!("FINDING: profile {name}, seed {seed}: {problem}\n");
                }
            }
        }
        let mut shared = lock();
        shared.sum += sum;
        shared.findings += problems;
        let line = log_line(first, end - first, problems, &sum);
        if let Some(log) = &mut shared.log
            && let Err(error) = log.write_all(line.as_bytes())
        {
            eprintln!("the log cannot be written: {error}");
        }
        if shared.last_look.elapsed() >= Duration::from_secs(10) {
            shared.last_look = Instant::now();
            let fresh = (shared.sum.networks - resumed) as f64;
            eprintln!(
                "{} of {} networks, {:.1} a second, {} findings",
                shared.sum.networks,
                options.count,
                fresh / start.elapsed().as_secs_f64(),
                shared.findings
            );
        }
    }
}

fn caught(profile: &Profile, seed: u64, extent: Extent) -> Result<Tally, String> {
    catch_unwind(|| check_network(profile, seed, extent)).unwrap_or_else(|payload| {
        let text = payload.downcast_ref::<String>().cloned();
        let text = text.or(payload.downcast_ref::<&str>().map(|text| text.to_string()));
        Err(format!("panic: {}", text.unwrap_or_default()))
    })
}

fn log_line(first: u64, count: u64, findings: u64, tally: &Tally) -> String {
    let figures: Vec<String> = tally.figures().iter().map(u64::to_string).collect();
    format!("{first}\t{count}\t{findings}\t{}\n", figures.join("\t"))
}

/// The blocks in a log; one that was cut off while it was written does not count.
fn read_log(path: &str, options: &Options) -> Result<BTreeMap<u64, (Tally, u64)>, String> {
    let text = match std::fs::read_to_string(path) {
        Ok(text) => text,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => String::new(),
        Err(error) => return Err(format!("{path}: {error}")),
    };
    let mut blocks = BTreeMap::new();
    for line in text
        .split_inclusive('\n')
        .filter(|line| line.ends_with('\n'))
    {
        let numbers: Result<Vec<u64>, _> = line.trim_end().split('\t').map(str::parse).collect();
        let Ok([first, count, findings, figures @ ..]) = numbers.as_deref() else {
            continue;
        };
        let whole = (options.first + options.count)
            .saturating_sub(*first)
            .min(BLOCK);
        if let Ok(figures) = figures.try_into()
            && *count == whole
        {
            blocks.insert(*first, (Tally::from_figures(figures), *findings));
        }
    }
    Ok(blocks)
}

fn summary(sum: &Tally, findings: u64) -> String {
    format!(
        "{} networks ({} beyond the oracles, {} with faults): {} queries decided by regions, {} of them by digital \
         clocks too; {} answers compared, {} traces accepted, {} certificates accepted, {} damaged ones rejected; \
         {findings} findings",
        sum.networks,
        sum.undecided,
        sum.faulty,
        sum.queries,
        sum.digital,
        sum.answers,
        sum.traces,
        sum.certificates,
        sum.rejected
    )
}
