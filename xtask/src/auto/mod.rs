//! `cargo xtask auto`: the program's own choice of a search next to single ones, on the papers' instances, the models of
//! the race and the collection of real models.
//!
//! Where there is an error, the states that each search expands are compared; where there is none, CPU time and memory of
//! whole processes, as the system counts them for a child that has ended.

pub mod families;
mod questions;
mod render;
mod run;

use std::path::PathBuf;

use crate::corpus::{build, target_folder};
use crate::publish::Published;
use crate::race::write;
use crate::words::Words;
pub use questions::{Group, Question};
use run::{Measured, Rows};

/// What `cargo xtask auto --help` prints.
pub const HELP: &str = "\
Usage: cargo xtask auto [OPTIONS]

  --filter TEXT        only models whose path contains it
  --per-repository N   at most so many rows of one repository of the real models (no limit)
  --timeout SECONDS    CPU time for each run (20)
  --least SECONDS      proofs about real models count where the fastest blind search needs at least so long (0.5)
  --continue           rows of an earlier run by the same program are taken over
  --known              the tables of the rows that an earlier run has finished, and nothing else
  --families           families with an error instead, with every single configuration (xtask/families.tsv)
  --binary PATH        our program, instead of building it
  --smallest           only the project's own example (for CI)
  --publish            write the means of the groups that were run into docs/auto.md, with the commit of our program

The papers' instances, the models of the race (full exploration, and proofs that need all states) and every recorded A[] and
E<> query of the real symbolic models are checked by bfs, dfs, largest, greedy with hu, and auto. Rows with an error:
explored states, where some search needs more than 1,000. Rows without: CPU time and memory of auto next to the fastest
blind search; below 2 s the least of three runs. The tables go to target/auto.md, the rows to target/auto-rows.tsv.

With --families, models with an error are checked by every single configuration and by auto: training families, and test
families that no constant was tuned on. CPU time and states of auto stand next to the best of the others for each model
(the virtual best). The tables go to target/auto-families.md.";

/// The searches, with their arguments; auto comes last.
pub const SEARCHES: &[(&str, &[&str])] = &[
    ("bfs", &["--search=bfs"]),
    ("dfs", &["--search=dfs"]),
    ("largest", &["--search=largest"]),
    ("greedy hU", &["--search=greedy", "--heuristic=hu"]),
    ("auto", &["--search=auto"]),
];

/// The means of each group next to the best single search.
pub const PUBLISHED: Published = Published {
    document: "docs/auto.md",
    task: "auto",
    header: &[
        "compared with the best single search",
        "models",
        "rows",
        "geometric mean",
        "largest",
        "above 1.25",
        "not decided by auto",
    ],
    key: 2,
};

/// How many of them are blind.
pub const BLIND: usize = 3;

/// What to run.
struct Options {
    filter: String,
    per_repository: usize,
    timeout: u64,
    least: f64,
    go_on: bool,
    known: bool,
    binary: Option<PathBuf>,
    smallest: bool,
    publish: bool,
    families: bool,
}

impl Options {
    fn parse(arguments: &[String]) -> Result<Options, String> {
        let mut options = Options {
            filter: String::new(),
            per_repository: usize::MAX,
            timeout: 20,
            least: 0.5,
            go_on: false,
            known: false,
            binary: None,
            smallest: false,
            publish: false,
            families: false,
        };
        let mut words = Words::of("auto", arguments);
        while let Some(option) = words.option() {
            match option {
                "--filter" => options.filter = words.value()?.to_owned(),
                "--per-repository" => options.per_repository = words.number()?,
                "--timeout" => options.timeout = words.number::<u64>()?.max(1),
                "--least" => options.least = words.number()?,
                "--continue" => options.go_on = true,
                "--known" => (options.go_on, options.known) = (true, true),
                "--binary" => options.binary = Some(words.value()?.into()),
                "--smallest" => options.smallest = true,
                "--families" => options.families = true,
                "--publish" => options.publish = true,
                _ => return Err(words.unknown()),
            }
        }
        Ok(options)
    }
}

/// Which rows are large enough to say something.
#[derive(Clone, Copy, Debug)]
pub struct Counted {
    /// With an error: some search needs more states than this.
    pub states: u64,
    /// Seconds that the fastest blind search must need at least for a proof about a real model.
    pub seconds: f64,
}

impl Options {
    fn counted(&self) -> Counted {
        match self.smallest {
            true => Counted {
                states: 0,
                seconds: 0.0,
            },
            false => Counted {
                states: 1000,
                seconds: self.least,
            },
        }
    }
}

/// Runs the task. An error if two searches disagree.
pub fn run(arguments: &[String]) -> Result<(), String> {
    let options = Options::parse(arguments)?;
    let program = match &options.binary {
        Some(path) => path.clone(),
        None => build()?,
    };
    if options.families {
        return families::run(&options, &program);
    }
    let questions = questions::questions(&options)?;
    let rows = Rows::open(
        &target_folder().join("auto-rows.tsv"),
        options.go_on,
        &program,
    )?;
    let mut measured: Vec<Measured> = Vec::new();
    for (at, question) in questions.iter().enumerate() {
        let row = match options.known {
            true => rows.known(question),
            false => rows.measure(&program, question, options.timeout)?,
        };
        if let Some(row) = row {
            let (number, all) = (at + 1, questions.len());
            println!("{number}/{all} {}", render::line(&row));
            measured.push(row);
        }
    }
    let (text, means) = render::markdown(&measured, &options.counted(), options.timeout);
    let path = target_folder().join("auto.md");
    write(&path, &text)?;
    println!("\n{text}\nIn {}", path.display());
    match measured.iter().find(|row| row.disagree()) {
        Some(row) => Err(format!("the searches disagree: {}", render::line(row))),
        None if options.publish => PUBLISHED.write(&means, &program),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::Options;

    #[test]
    fn options_are_read() {
        let words = ["--timeout", "7", "--per-repository", "2", "--smallest"].map(str::to_owned);
        let options = Options::parse(&words).expect("good options");
        assert_eq!((options.timeout, options.per_repository), (7, 2));
        assert!(options.smallest && !options.go_on);
        for bad in [&["--timeout"][..], &["--timeout", "x"], &["--what", "1"]] {
            let words: Vec<String> = bad.iter().map(|word| (*word).to_owned()).collect();
            assert!(Options::parse(&words).is_err(), "{bad:?}");
        }
    }
}
