//! One row: the fastest algorithm of each program is found, then all programs take turns.

use std::path::Path;
use std::time::Duration;

use merkhet_bench::race::{Entry, Raced, Row};

use super::contestant::Contestant;
use super::options::Options;
use crate::program::{End, Limit, run as run_program};

/// Algorithms that take this many times as long as the best one so far are stopped.
const HOPELESS: u32 = 3;

/// No algorithm is stopped before this time.
const LEAST_TRIAL: Duration = Duration::from_secs(2);

/// Runs all programs on one row.
pub fn run(
    row: &Row,
    model: &Path,
    contestants: &[Contestant],
    options: &Options,
) -> Result<Raced, String> {
    let mut entries = Vec::new();
    let mut commands: Vec<Option<Vec<String>>> = Vec::new();
    for contestant in contestants {
        let (entry, command) = choose(contestant, row, model, options)?;
        entries.push(entry);
        commands.push(command);
    }
    for _ in 0..options.runs {
        for ((contestant, entry), command) in contestants.iter().zip(&mut entries).zip(&commands) {
            let Some(command) = command else { continue };
            let run = run_program(
                &contestant.program,
                command,
                Limit::Clock(options.timeout),
                None,
            )?;
            let outcome = contestant.read(&run, row.query.is_some());
            match outcome.problem {
                None => entry.samples.push(run.sample),
                Some(problem) => entry.problem = Some(problem),
            }
            entry.explored = outcome.explored;
            entry.stored = outcome.stored;
            entry.answer = outcome.answer;
        }
    }
    Ok(Raced {
        row: row.name.clone(),
        entries: entries
            .into_iter()
            .zip(commands)
            .filter(|(entry, command)| command.is_some() || entry.problem.is_some())
            .map(|(entry, _)| entry)
            .collect(),
    })
}

/// The fastest of a program's algorithms, by a trial of each; this also warms up caches.
fn choose(
    contestant: &Contestant,
    row: &Row,
    model: &Path,
    options: &Options,
) -> Result<(Entry, Option<Vec<String>>), String> {
    let mut entry = Entry {
        program: contestant.name.clone(),
        arguments: String::new(),
        samples: Vec::new(),
        explored: None,
        stored: None,
        answer: None,
        problem: None,
        refused: Vec::new(),
    };
    let commands = contestant.commands(row, model);
    if let [command] = commands.as_slice() {
        entry.arguments = contestant.shown(row, 0);
        return Ok((entry, Some(command.clone())));
    }
    let mut best: Option<(f64, usize)> = None;
    for (index, command) in commands.iter().enumerate() {
        let limit = match best {
            None => options.timeout,
            Some((seconds, _)) => (Duration::from_secs_f64(seconds) * HOPELESS)
                .clamp(LEAST_TRIAL, options.timeout.max(LEAST_TRIAL)),
        };
        let run = run_program(&contestant.program, command, Limit::Clock(limit), None)?;
        let outcome = contestant.read(&run, row.query.is_some());
        let shown = contestant.shown(row, index);
        match outcome.problem {
            None => {
                println!(
                    "{} {}: {shown}: {:.3} s",
                    row.name, entry.program, run.sample.cpu
                );
                if best.is_none_or(|(seconds, _)| run.sample.cpu < seconds) {
                    best = Some((run.sample.cpu, index));
                }
            }
            Some(problem) => {
                println!("{} {}: {shown}: {problem}", row.name, entry.program);
                if matches!(run.end, End::Code(_)) {
                    entry.refused.push(shown);
                }
                entry.problem = Some(problem);
            }
        }
    }
    Ok(match best {
        Some((_, index)) => {
            entry.problem = None;
            entry.arguments = contestant.shown(row, index);
            (entry, Some(commands[index].clone()))
        }
        None => (entry, None),
    })
}
