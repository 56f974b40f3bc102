//! Checks every query whose outcome UPPAAL recorded, and compares.

use std::ffi::OsStr;
use std::fmt::Write as _;
use std::path::Path;
use std::time::Duration;

use serde_json::Value;

use super::explained::Explained;
use super::options::Options;
use super::program::{End, Run, run as run_program};
use super::table::{Row, cell, get, read};
use super::{in_parallel, model_path};

/// What the program says next to what was recorded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Comparison {
    Agreed,
    Disagreed,
    /// Unknown because of a limit.
    OutOfLimits,
    /// Unknown for another reason, or refused.
    Undecided,
    /// Crashed, hung, or ended in a way that is not agreed.
    Broken,
}

/// One row of the oracle.
struct Check {
    file: String,
    query: String,
    recorded: String,
    found: String,
    comparison: Comparison,
    time: f64,
    explained: Option<String>,
}

/// All rows.
pub struct Checks {
    rows: Vec<Check>,
}

/// Checks the rows that the options select.
pub fn run(
    merkhet: &Path,
    corpus: &Path,
    options: &Options,
    explained: &Explained,
) -> Result<Checks, String> {
    let mut rows = read(&corpus.join("oracle.tsv"))?;
    rows.retain(|row| get(row, "file").contains(&options.filter));
    let timeout = format!("--timeout={}s", options.timeout.as_secs());
    let memory = format!("--memory-limit={}", options.memory_limit);
    // Limits are the program's own business; it is killed only if it does not keep them.
    let patience = options.timeout + Duration::from_secs(30);
    let checks = in_parallel(&rows, options.jobs, |row| {
        let path = model_path(corpus, get(row, "file"));
        let query = format!("--query={}", get(row, "query"));
        let arguments = [
            OsStr::new("check"),
            path.as_os_str(),
            OsStr::new(&query),
            OsStr::new(&timeout),
            OsStr::new(&memory),
            OsStr::new("--format=json"),
        ];
        run_program(merkhet, arguments, patience).map(|run| judge(row, &run, explained))
    });
    Ok(Checks {
        rows: checks.into_iter().collect::<Result<_, _>>()?,
    })
}

fn judge(row: &Row, run: &Run, explained: &Explained) -> Check {
    let (file, query) = (get(row, "file"), get(row, "query"));
    let (outcome, value) = (get(row, "outcome"), get(row, "value"));
    let json = run.json();
    let result = &json["results"][0];
    let verdict = result["verdict"].as_str().unwrap_or("none");
    let reason = result["reason"].as_str().unwrap_or_default();
    let (comparison, found) = match run.end {
        End::Signal => (Comparison::Broken, "crashed".to_owned()),
        End::Hung => (Comparison::Broken, "does not keep its limits".to_owned()),
        End::Code(code) if !fits(code, verdict) => (
            Comparison::Broken,
            format!("exit code {code}, verdict {verdict}"),
        ),
        End::Code(2) => {
            let line = run.stderr.lines().find(|line| line.starts_with("error"));
            (
                Comparison::Undecided,
                line.unwrap_or("refused without a message").to_owned(),
            )
        }
        End::Code(_) if verdict == "unknown" => {
            let limited = reason.contains("limit");
            (
                if limited {
                    Comparison::OutOfLimits
                } else {
                    Comparison::Undecided
                },
                reason.to_owned(),
            )
        }
        End::Code(_) => compare(outcome, value, verdict, result),
    };
    Check {
        file: file.to_owned(),
        query: query.to_owned(),
        recorded: format!("{outcome} {value}").trim().to_owned(),
        found,
        comparison,
        time: run.time.as_secs_f64(),
        explained: explained.reason(file, query).map(str::to_owned),
    }
}

/// Whether an exit code and the verdict of the only query belong together.
fn fits(code: i32, verdict: &str) -> bool {
    matches!(
        (code, verdict),
        (0, "satisfied") | (1, "violated") | (2, _) | (3, "unknown")
    )
}

fn compare(outcome: &str, value: &str, verdict: &str, result: &Value) -> (Comparison, String) {
    let (same, found) = if value.is_empty() {
        let recorded = if outcome == "success" {
            "satisfied"
        } else {
            "violated"
        };
        (verdict == recorded, verdict.to_owned())
    } else {
        let first = &result["values"][0];
        let ends = [first["sup"].as_str(), first["inf"].as_str()];
        (
            ends.contains(&Some(value)),
            ends.into_iter().flatten().collect::<Vec<_>>().join(", "),
        )
    };
    (
        if same {
            Comparison::Agreed
        } else {
            Comparison::Disagreed
        },
        found,
    )
}

impl Check {
    fn is_wrong(&self) -> bool {
        match self.comparison {
            Comparison::Agreed | Comparison::OutOfLimits => false,
            Comparison::Disagreed | Comparison::Undecided => self.explained.is_none(),
            Comparison::Broken => true,
        }
    }
}

impl Checks {
    /// The number of rows that are wrong without an explanation.
    pub fn wrong(&self) -> usize {
        self.rows.iter().filter(|row| row.is_wrong()).count()
    }

    /// The counts in one line.
    pub fn counts(&self) -> String {
        let number = |comparison| {
            self.rows
                .iter()
                .filter(|row| row.comparison == comparison)
                .count()
        };
        let (agreed, disagreed) = (number(Comparison::Agreed), number(Comparison::Disagreed));
        let decided = agreed + disagreed;
        let explained = self
            .rows
            .iter()
            .filter(|row| row.comparison == Comparison::Disagreed && row.explained.is_some())
            .count();
        format!(
            "verdicts: {} rows: {decided} decided ({:.1} %), {agreed} agreed, {disagreed} disagreed ({explained} explained), {} out of limits, {} undecided, {} broken",
            self.rows.len(),
            100.0 * decided as f64 / self.rows.len().max(1) as f64,
            number(Comparison::OutOfLimits),
            number(Comparison::Undecided),
            number(Comparison::Broken),
        )
    }

    /// The table of all rows.
    pub fn write(&self, report: &mut String) {
        report.push_str("\n## Verdicts\n\n| model | query | recorded | found | outcome | time | explanation |\n|---|---|---|---|---|---|---|\n");
        for row in &self.rows {
            let outcome = match row.comparison {
                Comparison::Agreed => "agreed",
                Comparison::Disagreed => "DISAGREED",
                Comparison::OutOfLimits => "out of limits",
                Comparison::Undecided => "undecided",
                Comparison::Broken => "BROKEN",
            };
            let _ = writeln!(
                report,
                "| {} | {} | {} | {} | {outcome} | {:.2} s | {} |",
                cell(&row.file),
                cell(&row.query),
                row.recorded,
                cell(&row.found),
                row.time,
                cell(row.explained.as_deref().unwrap_or_default()),
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Comparison, compare, fits};
    use serde_json::json;

    fn check(
        outcome: &str,
        value: &str,
        verdict: &str,
        values: serde_json::Value,
        expected: Comparison,
    ) {
        let result = json!({ "values": values });
        assert_eq!(
            compare(outcome, value, verdict, &result).0,
            expected,
            "{outcome} {value} {verdict}"
        );
    }

    #[test]
    fn verdicts_are_compared() {
        check("success", "", "satisfied", json!([]), Comparison::Agreed);
        check("failure", "", "violated", json!([]), Comparison::Agreed);
        check("success", "", "violated", json!([]), Comparison::Disagreed);
        check(
            "success",
            "6",
            "satisfied",
            json!([{ "sup": "6", "inf": null }]),
            Comparison::Agreed,
        );
        check(
            "success",
            "6",
            "satisfied",
            json!([{ "sup": "5", "inf": null }]),
            Comparison::Disagreed,
        );
        check(
            "success",
            "6",
            "satisfied",
            json!([]),
            Comparison::Disagreed,
        );
    }

    #[test]
    fn exit_codes_must_fit() {
        assert!(
            fits(0, "satisfied") && fits(1, "violated") && fits(3, "unknown") && fits(2, "none")
        );
        assert!(
            !fits(0, "violated")
                && !fits(1, "satisfied")
                && !fits(101, "none")
                && !fits(0, "unknown")
        );
    }
}
