//! Runs one row of a table as a user would, and reads the report.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use merkhet_bench::tables::{Measured, Row, Source};
use serde_json::Value;

use super::options::Options;
use crate::program::{End, Limit, Run, run as run_program};
use crate::race::{shared, write};
use crate::steps::workspace_root;

/// Beyond the program's own time limit, before it is killed.
const GRACE: u64 = 20;

/// What came of a row.
pub struct Outcome {
    pub measured: Measured,
    /// The program did something that it never should.
    pub broken: Option<String>,
}

/// Runs a row.
pub fn row(
    row: &Row,
    figures: &[String],
    program: &Path,
    folder: &Path,
    options: &Options,
) -> Result<Outcome, String> {
    let Some((model, query)) = model(row, program, folder)? else {
        return Ok(Outcome {
            measured: Measured {
                figures: vec![None; figures.len()],
                problem: Some("SKIPPED: its model is not here; set MERKHET_SHARED".into()),
                skipped: true,
            },
            broken: None,
        });
    };
    let mut arguments = vec!["check".to_owned(), model.display().to_string()];
    match query {
        Query::File(path) => arguments.push(path.display().to_string()),
        Query::Text(text) => arguments.extend(["-q".to_owned(), text]),
        Query::Inside => {}
    }
    arguments.extend(row.options.iter().chain(&options.further).cloned());
    arguments.extend([
        "--format".to_owned(),
        "json".to_owned(),
        "--timeout".to_owned(),
        format!("{}s", options.timeout(row)),
        "--memory-limit".to_owned(),
        options.memory.clone(),
    ]);
    let limit = Limit::Clock(Duration::from_secs(options.timeout(row) + GRACE));
    Ok(read(
        &run_program(program, &arguments, limit, None)?,
        figures,
    ))
}

enum Query {
    File(PathBuf),
    Text(String),
    Inside,
}

/// The model's file and the query; nothing if the model is not here.
fn model(row: &Row, program: &Path, folder: &Path) -> Result<Option<(PathBuf, Query)>, String> {
    let path = match &row.model {
        Source::Workspace(path) => workspace_root().join(path),
        Source::Shared(path) => shared().join(path),
        Source::Generated(words) => {
            let query = match &row.query {
                Some(query) => query.clone(),
                None => generate(program, words, &["--query"])?.trim().to_owned(),
            };
            let text = generate(program, words, &[])?;
            let extension = if text.contains("\nMODULE main") {
                "smv"
            } else {
                "xta"
            };
            let path = folder.join(format!("{}.{extension}", words.join("-")));
            write(&path, &text)?;
            return Ok(Some((path, Query::Text(query))));
        }
    };
    if !path.is_file() {
        return Ok(None);
    }
    let beside = path.with_extension("q");
    let query = match &row.query {
        Some(query) => Query::Text(query.clone()),
        None if beside.is_file() => Query::File(beside),
        None => Query::Inside,
    };
    Ok(Some((path, query)))
}

fn generate(program: &Path, words: &[String], further: &[&str]) -> Result<String, String> {
    let output = Command::new(program)
        .arg("generate")
        .args(words)
        .args(further)
        .output()
        .map_err(|error| format!("cannot start {}: {error}", program.display()))?;
    match output.status.success() {
        true => Ok(String::from_utf8_lossy(&output.stdout).into_owned()),
        false => Err(format!(
            "merkhet generate {}: {}",
            words.join(" "),
            String::from_utf8_lossy(&output.stderr).trim()
        )),
    }
}

fn read(run: &Run, figures: &[String]) -> Outcome {
    let report = run.json();
    let result = &report["results"][0];
    let verdict = result["verdict"].as_str();
    let decided = matches!(verdict, Some("satisfied" | "violated"));
    // An approximation that does not decide was explored to its end all the same.
    let inconclusive =
        (result["reason"].as_str()).is_some_and(|reason| reason.starts_with("inconclusive"));
    let problem = match (verdict, decided) {
        (_, true) => None,
        (Some(_), false) => Some(result["reason"].as_str().unwrap_or("undecided").to_owned()),
        (None, _) => run
            .problem(&[0, 1, 3])
            .or(Some("its report cannot be read".into())),
    };
    // A run that went on after its limit hangs; one that ends without a report crashed or refused.
    let broken = match (verdict, run.end) {
        (Some(_), End::Code(0 | 1 | 3)) => None,
        _ => problem.clone(),
    };
    let values = figures.iter().map(|name| match name.as_str() {
        _ if !decided && !inconclusive => None,
        "time" => Some(run.sample.cpu),
        "memory" => Some(run.sample.memory as f64 / 1e6),
        "trace" => ["/trace/length", "/path/length"]
            .iter()
            .find_map(|length| result.pointer(length)?.as_f64()),
        name => result.pointer(&pointer(name)).and_then(Value::as_f64),
    });
    Outcome {
        measured: Measured {
            figures: values.collect(),
            problem,
            skipped: false,
        },
        broken,
    }
}

/// `a.b` as a JSON pointer.
fn pointer(name: &str) -> String {
    format!("/{}", name.replace('.', "/"))
}

#[cfg(test)]
mod tests {
    use super::read;
    use crate::program::{End, Run};
    use merkhet_bench::race::Sample;

    fn run(end: End, stdout: &str) -> Run {
        let sample = Sample {
            cpu: 0.5,
            wall: 1.0,
            memory: 3_000_000,
        };
        Run {
            end,
            stdout: stdout.into(),
            stderr: String::new(),
            sample,
            time: 1.0,
        }
    }

    #[test]
    fn figures_are_read_by_name() {
        let text = r#"{"results": [{"verdict": "satisfied", "explored": 7, "trace": {"length": 3}, "a": {"b": 2}}]}"#;
        let names = ["explored", "time", "memory", "trace", "a.b", "none"].map(str::to_owned);
        let outcome = read(&run(End::Code(0), text), &names);
        let expected = [Some(7.0), Some(0.5), Some(3.0), Some(3.0), Some(2.0), None];
        assert_eq!(outcome.measured.figures, expected);
        assert!(outcome.measured.problem.is_none() && outcome.broken.is_none());
    }

    #[test]
    fn a_limit_is_no_failure_and_a_crash_is_one() {
        let text =
            r#"{"results": [{"verdict": "unknown", "reason": "the time was up", "explored": 7}]}"#;
        let names = ["explored".to_owned()];
        let outcome = read(&run(End::Code(3), text), &names);
        assert_eq!(outcome.measured.figures, [None]);
        assert_eq!(outcome.measured.problem.as_deref(), Some("the time was up"));
        assert!(outcome.broken.is_none());
        assert!(read(&run(End::Signal(9), ""), &names).broken.is_some());
        assert!(read(&run(End::Code(2), ""), &names).broken.is_some());
    }
}
