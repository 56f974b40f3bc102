//! Loads every model of the corpus, with the time and memory that takes.

use std::ffi::OsStr;
use std::fmt::Write as _;
use std::path::Path;
use std::time::Duration;

use super::explained::Explained;
use super::options::Options;
use super::table::{cell, get, read};
use super::{in_parallel, model_path};
use crate::program::{End, Limit, Run, run as run_program};

/// Loading a model may take no longer than this, in seconds.
const LONGEST: f64 = 1.0;

/// Loading a model may take no more memory than this, in bytes.
const LARGEST: u64 = 200_000_000;

/// A model that takes this long is killed.
const LIMIT: Limit = Limit::Clock(Duration::from_secs(60));

/// How loading ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Outcome {
    /// Everything was understood.
    Loads,
    /// Something outside the symbolic language was left out, and said so.
    LeavesOut,
    /// Refused with a message.
    Refused,
    /// Crashed, hung, or ended in a way that is not agreed.
    Broken,
}

/// One model.
struct Load {
    file: String,
    symbolic: bool,
    outcome: Outcome,
    detail: String,
    time: f64,
    memory: u64,
    explained: Option<String>,
}

/// All models.
pub struct Loads {
    rows: Vec<Load>,
}

/// Loads the models that the options select.
pub fn run(
    merkhet: &Path,
    corpus: &Path,
    options: &Options,
    explained: &Explained,
) -> Result<Loads, String> {
    let models: Vec<(String, bool)> = read(&corpus.join("models.tsv"))?
        .iter()
        .map(|row| (get(row, "file").to_owned(), get(row, "symbolic") == "yes"))
        .filter(|(file, _)| file.contains(&options.filter))
        .collect();
    let rows = in_parallel(&models, options.jobs, |(file, symbolic)| {
        let path = model_path(corpus, file);
        let arguments = [
            OsStr::new("show"),
            path.as_os_str(),
            OsStr::new("--format=json"),
        ];
        run_program(merkhet, arguments, LIMIT, None).map(|run| {
            let explained = explained.reason(file, "load").map(str::to_owned);
            judge(file, *symbolic, &run, explained)
        })
    });
    Ok(Loads {
        rows: rows.into_iter().collect::<Result<_, _>>()?,
    })
}

fn judge(file: &str, symbolic: bool, run: &Run, explained: Option<String>) -> Load {
    let json = run.json();
    let first_error = || {
        let line = run.stderr.lines().find(|line| line.starts_with("error"));
        line.unwrap_or("no message").to_owned()
    };
    let (outcome, detail) = match run.end {
        End::Code(0) if json.is_object() => (Outcome::Loads, String::new()),
        End::Code(3) if json.is_object() => (Outcome::LeavesOut, first_error()),
        End::Code(2) => (Outcome::Refused, first_error()),
        End::Code(code) => (
            Outcome::Broken,
            format!("exit code {code}: {}", first_error()),
        ),
        End::Signal(_) => (Outcome::Broken, "crashed".to_owned()),
        End::Hung | End::OutOfCpu => (Outcome::Broken, "does not end".to_owned()),
    };
    let memory = json["load"]["peak_memory_bytes"].as_u64().unwrap_or(0);
    Load {
        file: file.to_owned(),
        symbolic,
        outcome,
        detail,
        time: run.time,
        memory,
        explained,
    }
}

impl Load {
    /// A symbolic model must load; others may be refused or load in part, but must never break the program.
    fn is_wrong(&self) -> bool {
        let acceptable = match self.outcome {
            Outcome::Loads => true,
            Outcome::LeavesOut | Outcome::Refused => !self.symbolic || self.explained.is_some(),
            Outcome::Broken => false,
        };
        !acceptable || self.is_heavy()
    }

    fn is_heavy(&self) -> bool {
        self.time > LONGEST || self.memory > LARGEST
    }
}

impl Loads {
    /// The number of models that are wrong without an explanation.
    pub fn wrong(&self) -> usize {
        self.rows.iter().filter(|row| row.is_wrong()).count()
    }

    /// The counts in one line.
    pub fn counts(&self) -> String {
        let number = |symbolic, outcome| {
            let fits = |row: &&Load| row.symbolic == symbolic && row.outcome == outcome;
            self.rows.iter().filter(fits).count()
        };
        let all = |symbolic| {
            self.rows
                .iter()
                .filter(|row| row.symbolic == symbolic)
                .count()
        };
        let part = |symbolic| {
            format!(
                "{} load, {} leave something out, {} refused, {} broken",
                number(symbolic, Outcome::Loads),
                number(symbolic, Outcome::LeavesOut),
                number(symbolic, Outcome::Refused),
                number(symbolic, Outcome::Broken),
            )
        };
        let symbolic = all(true);
        let share = 100.0 * number(true, Outcome::Loads) as f64 / symbolic.max(1) as f64;
        let explained = self
            .rows
            .iter()
            .filter(|row| row.explained.is_some())
            .count();
        let slowest = self.rows.iter().map(|row| row.time).fold(0.0, f64::max);
        let largest = self.rows.iter().map(|row| row.memory).max().unwrap_or(0);
        format!(
            "models: {symbolic} symbolic: {} ({share:.1} %), {explained} explained; {} others: {}; slowest {slowest:.2} s, largest {:.0} MB, {} too heavy",
            part(true),
            all(false),
            part(false),
            largest as f64 / 1e6,
            self.rows.iter().filter(|row| row.is_heavy()).count(),
        )
    }

    /// The table of all models.
    pub fn write(&self, report: &mut String) {
        report.push_str("## Loading\n\n| model | symbolic | outcome | time | memory | detail |\n|---|---|---|---|---|---|\n");
        for row in &self.rows {
            let outcome = match row.outcome {
                Outcome::Loads => "loads",
                Outcome::LeavesOut => "leaves out",
                Outcome::Refused => "refused",
                Outcome::Broken => "BROKEN",
            };
            let _ = writeln!(
                report,
                "| {} | {} | {outcome}{} | {:.2} s | {:.0} MB | {} |",
                cell(&row.file),
                if row.symbolic { "yes" } else { "no" },
                if row.is_wrong() { " (wrong)" } else { "" },
                row.time,
                row.memory as f64 / 1e6,
                cell(row.explained.as_ref().unwrap_or(&row.detail)),
            );
        }
    }
}
