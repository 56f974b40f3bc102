//! `cargo xtask auto`: the program's own choice of a search next to single ones, on the collection of real models.
//!
//! Where there is an error, the states that each search expands are compared; where there is none, CPU time and memory of
//! whole processes, as the system counts them for a child that has ended.

mod render;
mod run;

use std::path::PathBuf;

use crate::corpus::table::{get, read};
use crate::corpus::{build, corpus_folder, model_path, target_folder};
use crate::race::write;
use crate::steps::workspace_root;
use run::{Measured, Rows};

/// What `cargo xtask auto --help` prints.
pub const HELP: &str = "\
Usage: cargo xtask auto [OPTIONS]

  --filter TEXT        only models whose path contains it
  --per-repository N   at most so many rows of one repository (no limit)
  --timeout SECONDS    CPU time for each run (20)
  --least SECONDS      proofs count where the fastest blind search needs at least so long (0.5)
  --continue           rows of an earlier run by the same program are taken over
  --binary PATH        our program, instead of building it
  --smallest           only the project's own example (for CI)

Every recorded A[] and E<> query of the symbolic models is checked by bfs, dfs, largest, greedy with hu, and auto. Rows with
an error: explored states, where some search needs more than 1,000. Rows without: CPU time and memory of auto next to
the fastest blind search. The tables go to target/auto.md, the rows to target/auto-rows.tsv.";

/// The searches, with their arguments; auto comes last.
pub const SEARCHES: &[(&str, &[&str])] = &[
    ("bfs", &["--search=bfs"]),
    ("dfs", &["--search=dfs"]),
    ("largest", &["--search=largest"]),
    ("greedy hU", &["--search=greedy", "--heuristic=hu"]),
    ("auto", &["--search=auto"]),
];

/// How many of them are blind.
pub const BLIND: usize = 3;

/// What to run.
struct Options {
    filter: String,
    per_repository: usize,
    timeout: u64,
    least: f64,
    go_on: bool,
    binary: Option<PathBuf>,
    smallest: bool,
}

impl Options {
    fn parse(arguments: &[String]) -> Result<Options, String> {
        let mut options = Options {
            filter: String::new(),
            per_repository: usize::MAX,
            timeout: 20,
            least: 0.5,
            go_on: false,
            binary: None,
            smallest: false,
        };
        let mut rest = arguments.iter();
        while let Some(name) = rest.next() {
            let mut value = || rest.next().ok_or_else(|| format!("`{name}` needs a value"));
            let number = |text: &String| {
                let bad = |_| format!("`{name}` needs a number, not `{text}`");
                text.parse::<f64>().map_err(bad)
            };
            match name.as_str() {
                "--filter" => options.filter = value()?.clone(),
                "--per-repository" => options.per_repository = number(value()?)? as usize,
                "--timeout" => options.timeout = (number(value()?)? as u64).max(1),
                "--least" => options.least = number(value()?)?,
                "--continue" => options.go_on = true,
                "--binary" => options.binary = Some(value()?.into()),
                "--smallest" => options.smallest = true,
                _ => {
                    return Err(format!(
                        "`{name}` is no option; see cargo xtask auto --help"
                    ));
                }
            }
        }
        Ok(options)
    }
}

/// A query of a model.
#[derive(Clone, Debug, PartialEq)]
pub struct Question {
    pub file: String,
    pub path: PathBuf,
    pub query: String,
    pub repository: String,
}

/// Runs the task. An error if two searches disagree.
pub fn run(arguments: &[String]) -> Result<(), String> {
    let options = Options::parse(arguments)?;
    let program = match &options.binary {
        Some(path) => path.clone(),
        None => build()?,
    };
    let questions = questions(&options)?;
    let mut rows = Rows::open(
        &target_folder().join("auto-rows.tsv"),
        options.go_on,
        &program,
    )?;
    let mut measured: Vec<Measured> = Vec::new();
    for (at, question) in questions.iter().enumerate() {
        let row = rows.measure(&program, question, options.timeout)?;
        if let Some(row) = row {
            let (number, all) = (at + 1, questions.len());
            println!("{number}/{all} {}", render::line(&row));
            measured.push(row);
        }
    }
    let text = render::markdown(&measured, options.least, options.timeout);
    let path = target_folder().join("auto.md");
    write(&path, &text)?;
    println!("\n{text}\nIn {}", path.display());
    match measured.iter().find(|row| row.disagree()) {
        Some(row) => Err(format!("the searches disagree: {}", render::line(row))),
        None => Ok(()),
    }
}

fn questions(options: &Options) -> Result<Vec<Question>, String> {
    if options.smallest {
        let file = "examples/fischer.xml".to_owned();
        let path = workspace_root().join(&file);
        let queries = [
            "A[] not (Process(1).Critical and Process(2).Critical)",
            "E<> Process(1).Critical",
        ];
        let question = |query: &str| Question {
            file: file.clone(),
            path: path.clone(),
            query: query.to_owned(),
            repository: "merkhet".to_owned(),
        };
        return Ok(queries.map(question).to_vec());
    }
    let Some(corpus) = corpus_folder() else {
        return Err("the collection of models is not here; set MERKHET_SHARED".into());
    };
    let mut taken = std::collections::HashMap::new();
    let mut list = Vec::new();
    for row in read(&corpus.join("oracle.tsv"))? {
        let (file, query) = (get(&row, "file"), get(&row, "query").trim());
        let reachability = query.starts_with("A[]") || query.starts_with("E<>");
        if !reachability || get(&row, "symbolic") != "yes" || !file.contains(&options.filter) {
            continue;
        }
        let repository = get(&row, "repo").to_owned();
        let count: &mut usize = taken.entry(repository.clone()).or_default();
        *count += 1;
        if *count <= options.per_repository {
            list.push(Question {
                file: file.to_owned(),
                path: model_path(&corpus, file),
                query: query.to_owned(),
                repository,
            });
        }
    }
    Ok(list)
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
