//! Runs the searches on a query, and keeps what came of them.

use std::path::Path;
use std::time::Duration;

use super::{BLIND, Question, SEARCHES};
use crate::program::{End, Limit, Run, run as run_program};
use crate::progress::Progress;

/// Proofs that take fewer seconds than `SHORT` are run `RUNS` times.
const SHORT: f64 = 2.0;
const RUNS: usize = 3;

/// What a search did.
#[derive(Clone, Debug, PartialEq)]
pub struct Cell {
    /// `satisfied`, `violated`, or `-` if it came to no end.
    pub verdict: String,
    pub explored: u64,
    pub cpu: f64,
    pub memory: u64,
}

impl Cell {
    pub fn decided(&self) -> bool {
        self.verdict != "-"
    }

    pub fn of(run: &Run) -> Cell {
        let report = run.json();
        let result = &report["results"][0];
        let verdict = result["verdict"].as_str().unwrap_or_default();
        Cell {
            verdict: match verdict {
                "satisfied" | "violated" => verdict.to_owned(),
                _ => "-".to_owned(),
            },
            explored: result["explored"].as_u64().unwrap_or(0),
            cpu: run.sample.cpu,
            memory: run.sample.memory,
        }
    }

    pub fn text(&self) -> String {
        format!(
            "{} {} {:.4} {}",
            self.verdict, self.explored, self.cpu, self.memory
        )
    }

    pub fn parse(text: &str) -> Option<Cell> {
        let mut words = text.split(' ');
        Some(Cell {
            verdict: words.next()?.to_owned(),
            explored: words.next()?.parse().ok()?,
            cpu: words.next()?.parse().ok()?,
            memory: words.next()?.parse().ok()?,
        })
    }
}

/// A query with what each search of [`SEARCHES`] did.
#[derive(Clone, Debug)]
pub struct Measured {
    pub question: Question,
    pub cells: Vec<Cell>,
}

impl Measured {
    /// The verdict, if some search came to one.
    pub fn verdict(&self) -> Option<&str> {
        let decided = self.cells.iter().find(|cell| cell.decided());
        decided.map(|cell| cell.verdict.as_str())
    }

    /// Whether two searches came to different verdicts.
    pub fn disagree(&self) -> bool {
        let mut decided = self.cells.iter().filter(|cell| cell.decided());
        let first = decided.next();
        first.is_some_and(|first| decided.any(|cell| cell.verdict != first.verdict))
    }

    /// The blind search that took the least CPU time.
    pub fn fastest_blind(&self) -> Option<&Cell> {
        let blind = self.cells[..BLIND].iter().filter(|cell| cell.decided());
        blind.min_by(|a, b| a.cpu.total_cmp(&b.cpu))
    }

    /// Whether what is looked for was found.
    pub fn has_error(&self) -> bool {
        let wanted = match self.question.query.starts_with("E<>") {
            true => "satisfied",
            false => "violated",
        };
        self.verdict() == Some(wanted)
    }
}

/// The rows that are finished by this program, on disk as soon as they are.
pub struct Rows {
    progress: Progress,
    program: String,
}

impl Rows {
    /// Opens the file; what an earlier run by the same program left is known if it is to go on.
    pub fn open(path: &Path, go_on: bool, program: &Path) -> Result<Rows, String> {
        Ok(Rows {
            progress: Progress::open(path, go_on, 3, SEARCHES.len())?,
            program: fingerprint(program)?,
        })
    }

    /// What is known of a query.
    pub fn known(&self, question: &Question) -> Option<Measured> {
        let name = [&*self.program, &*question.file, &*question.query];
        let cells = self.progress.known(&name)?.iter();
        Some(Measured {
            question: question.clone(),
            cells: cells.map(|cell| Cell::parse(cell)).collect::<Option<_>>()?,
        })
    }

    /// Runs every search on a query; nothing if it cannot be read.
    pub fn measure(
        &self,
        program: &Path,
        question: &Question,
        seconds: u64,
    ) -> Result<Option<Measured>, String> {
        if let Some(known) = self.known(question) {
            return Ok(Some(known));
        }
        let mut cells = Vec::new();
        for (_, arguments) in SEARCHES {
            let run = limited(program, question, arguments, seconds)?;
            if matches!(run.end, End::Code(2)) {
                return Ok(None);
            }
            cells.push(Cell::of(&run));
        }
        let mut measured = Measured {
            question: question.clone(),
            cells,
        };
        rerun(program, &mut measured, seconds)?;
        let texts: Vec<String> = measured.cells.iter().map(Cell::text).collect();
        let name = [&*self.program, &*question.file, &*question.query];
        self.progress.add(&name, &texts)?;
        Ok(Some(measured))
    }
}

/// Short proofs are run again, in turns: what counts is the least time.
fn rerun(program: &Path, measured: &mut Measured, seconds: u64) -> Result<(), String> {
    let short = measured
        .fastest_blind()
        .is_some_and(|cell| cell.cpu < SHORT);
    if !short || measured.has_error() {
        return Ok(());
    }
    for _ in 1..RUNS {
        for (cell, (_, arguments)) in measured.cells.iter_mut().zip(SEARCHES) {
            if cell.decided() && cell.cpu < SHORT {
                let run = limited(program, &measured.question, arguments, seconds)?;
                cell.cpu = cell.cpu.min(run.sample.cpu);
                cell.memory = cell.memory.min(run.sample.memory);
            }
        }
    }
    Ok(())
}

/// Runs the program with a limit of CPU time, which does not depend on what else the machine does.
fn limited(
    program: &Path,
    question: &Question,
    arguments: &[&str],
    seconds: u64,
) -> Result<Run, String> {
    let mut words = vec![
        "-c".to_owned(),
        "ulimit -t \"$0\" && exec \"$@\"".to_owned(),
        seconds.to_string(),
        program.display().to_string(),
        "check".to_owned(),
        question.path.display().to_string(),
        "--format=json".to_owned(),
        "--trace=none".to_owned(),
        "--memory-limit=4GiB".to_owned(),
    ];
    if !question.query.is_empty() {
        words.push(format!("--query={}", question.query));
    }
    words.extend(arguments.iter().map(|word| (*word).to_owned()));
    let limit = Limit::Clock(Duration::from_secs(seconds * 60));
    run_program(Path::new("sh"), &words, limit, None)
}

/// Tells builds of the program apart.
pub fn fingerprint(program: &Path) -> Result<String, String> {
    let error = |error: std::io::Error| format!("{}: {error}", program.display());
    let facts = std::fs::metadata(program).map_err(error)?;
    let changed = facts.modified().map_err(error)?;
    let since = changed.duration_since(std::time::UNIX_EPOCH);
    Ok(format!(
        "{}-{}",
        facts.len(),
        since.map_or(0, |time| time.as_secs())
    ))
}

#[cfg(test)]
mod tests {
    use super::{Cell, Measured};
    use crate::auto::{Group, Question};

    fn cell(verdict: &str, explored: u64) -> Cell {
        Cell {
            verdict: verdict.to_owned(),
            explored,
            cpu: 0.25,
            memory: 1 << 20,
        }
    }

    #[test]
    fn a_cell_is_read_back() {
        let before = cell("violated", 17);
        assert_eq!(Cell::parse(&before.text()), Some(before));
        assert_eq!(Cell::parse("violated 3"), None);
    }

    #[test]
    fn verdicts_are_compared() {
        let row = |cells: Vec<Cell>| Measured {
            question: Question {
                group: Group::Corpus,
                file: "m.xml".into(),
                path: "m.xml".into(),
                query: "A[] p".into(),
                repository: "r".into(),
            },
            cells,
        };
        let good = row(vec![cell("-", 9), cell("violated", 5), cell("violated", 7)]);
        assert!(good.has_error() && !good.disagree());
        assert!(row(vec![cell("violated", 5), cell("satisfied", 7)]).disagree());
        assert_eq!(row(vec![cell("-", 1)]).verdict(), None);
    }
}
