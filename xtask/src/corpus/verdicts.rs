//! Checks every query whose outcome UPPAAL recorded, and compares.

use std::ffi::OsStr;
use std::fmt::Write as _;
use std::path::Path;
use std::time::Duration;

use serde_json::Value;

use super::explained::Explained;
use super::options::Options;
use super::table::{Row, cell, get, read};
use super::{in_parallel, model_path, target_folder};
use crate::program::{End, Limit, Run, run as run_program};
use crate::progress::Progress;

/// What the program says next to what was recorded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Comparison {
    Agreed,
    Disagreed,
    /// Unknown because of a limit.
    OutOfLimits,
    /// The model uses more than the symbolic language, and the program says so.
    Outside,
    /// The model or the query cannot be read: a name is missing, a label is broken.
    Unreadable,
    /// Unknown for another reason.
    Undecided,
    /// Crashed, hung, or ended in a way that is not agreed.
    Broken,
}

const ALL: [(Comparison, &str); 7] = [
    (Comparison::Agreed, "agreed"),
    (Comparison::Disagreed, "DISAGREED"),
    (Comparison::OutOfLimits, "out of limits"),
    (Comparison::Outside, "outside the language"),
    (Comparison::Unreadable, "unreadable"),
    (Comparison::Undecided, "undecided"),
    (Comparison::Broken, "BROKEN"),
];

impl Comparison {
    fn name(self) -> &'static str {
        let found = ALL.iter().find(|(comparison, _)| *comparison == self);
        found.map_or("", |(_, name)| name)
    }

    /// Another try may do better.
    fn came_to_no_verdict(self) -> bool {
        use Comparison::{Broken, OutOfLimits, Undecided};
        matches!(self, OutOfLimits | Undecided | Broken)
    }

    fn named(name: &str) -> Option<Comparison> {
        let found = ALL.iter().find(|(_, other)| *other == name);
        found.map(|(comparison, _)| *comparison)
    }
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
    let revision = revision(merkhet);
    let path = target_folder().join("corpus-rows.tsv");
    let finished = Progress::open(&path, options.resume, 2, 4)?;
    let checks = in_parallel(&rows, options.jobs, |row| {
        let (file, query) = (get(row, "file"), get(row, "query"));
        if let Some([outcome, found, time, _]) = finished.known(&[file, query])
            && let Some(comparison) = Comparison::named(outcome)
            && !(options.again && comparison.came_to_no_verdict())
        {
            let time = time.parse().unwrap_or(0.0);
            return Ok(checked(row, comparison, found.clone(), time, explained));
        }
        let attempts = attempts(options, get(row, "kind"));
        let path = model_path(corpus, file);
        let query_argument = format!("--query={query}");
        let mut time = 0.0;
        let mut judged = (Comparison::OutOfLimits, String::new());
        for (limits, limit) in &attempts {
            let mut arguments = vec![
                OsStr::new("check"),
                path.as_os_str(),
                OsStr::new(&query_argument),
                OsStr::new("--format=json"),
            ];
            arguments.extend(limits.iter().map(OsStr::new));
            let run = run_program(merkhet, arguments, *limit, None)?;
            time += run.time;
            judged = judge(row, &run);
            // Depth first may run into a fault of the model that lies behind what is asked for.
            if !matches!(judged.0, Comparison::OutOfLimits | Comparison::Undecided) {
                break;
            }
        }
        let (comparison, found) = judged;
        let found = found.split_whitespace().collect::<Vec<_>>().join(" ");
        let (outcome, seconds) = (comparison.name().to_owned(), format!("{time:.2}"));
        let cells = [outcome, found.clone(), seconds, revision.clone()];
        finished.add(&[file, query], &cells)?;
        Ok(checked(row, comparison, found, time, explained))
    });
    Ok(Checks {
        rows: checks.into_iter().collect::<Result<_, String>>()?,
    })
}

/// The arguments to try one after the other, each with the time after which the program is killed: no command takes longer
/// than the caller permits. Without a search of the caller's choice the program's own choice gets a twelfth of the time,
/// then, if a state is asked for, greedy search as much, then depth first a sixth: they find in moments what lies deep. A
/// twentieth is for what is known without a search. What none of them decides is left to the program's own choice with
/// all of the time, and with several threads if the caller wants that and the query is one that can use them.
fn attempts(options: &Options, kind: &str) -> Vec<(Vec<String>, Limit)> {
    let whole = options.timeout.as_secs();
    let (first, second) = (whole.div_ceil(12), whole.div_ceil(6));
    let reachability = matches!(kind, "E<>" | "A[]" | "A[] deadlock");
    let threads = if reachability { options.threads } else { 1 };
    // Liveness and values have searches of their own.
    let own = ["A<>", "E[]", "-->", "sup", "inf", "bounds"];
    let searched = !own.contains(&kind);
    let shares = match &options.search {
        _ if !searched => vec![(Vec::new(), whole)],
        Some(name) => vec![(vec![format!("--search={name}")], whole)],
        None if 2 * first + second >= whole => vec![(Vec::new(), whole)],
        None => {
            let greedy = vec!["--search=greedy".into(), "--heuristic=hamming".into()];
            let mut shares = vec![(Vec::new(), first)];
            shares.extend((kind == "E<>").then_some((greedy, first)));
            shares.push((vec!["--search=dfs".into()], second));
            // What is known without a search, which may take a twentieth of the time that the program is told.
            let known = vec!["--max-states=1".into(), format!("--timeout={whole}s")];
            shares.extend(matches!(kind, "E<>" | "A[]").then_some((known, whole.div_ceil(20))));
            shares.push((Vec::new(), whole));
            shares
        }
    };
    let last = shares.len() - 1;
    let attempt = |(number, (words, seconds)): (usize, (Vec<String>, u64))| {
        let threads = if number == last { threads } else { 1 };
        let mut arguments = vec![format!("--memory-limit={}", options.memory_limit)];
        arguments.extend(words);
        arguments.extend((threads > 1).then(|| format!("--threads={threads}")));
        if options.cpu {
            // So many threads take so many times the processor's time within a time of the clock.
            let limit = Duration::from_secs(seconds * threads);
            // What is known without the search to its end is asked for soon, and at last.
            return match number == 0 || number == last {
                true => (arguments, Limit::CpuAsking(limit)),
                false => (arguments, Limit::Cpu(limit)),
            };
        }
        // Limits are the program's own business; it is killed only if it does not keep them.
        if !arguments.iter().any(|word| word.starts_with("--timeout")) {
            arguments.push(format!("--timeout={seconds}s"));
        }
        let limit = Duration::from_secs(seconds + 30);
        (arguments, Limit::Clock(limit))
    };
    shares.into_iter().enumerate().map(attempt).collect()
}

/// Names the program that decided a row: a short digest of its file.
fn revision(merkhet: &Path) -> String {
    let bytes = std::fs::read(merkhet).unwrap_or_default();
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    for byte in bytes {
        hash = (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3);
    }
    format!("{:08x}", hash >> 32)
}

fn checked(
    row: &Row,
    comparison: Comparison,
    found: String,
    time: f64,
    explained: &Explained,
) -> Check {
    let (file, query) = (get(row, "file"), get(row, "query"));
    Check {
        file: file.to_owned(),
        query: query.to_owned(),
        recorded: format!("{} {}", get(row, "outcome"), get(row, "value"))
            .trim()
            .to_owned(),
        found,
        comparison,
        time,
        explained: explained.reason_of_row(file, query).map(str::to_owned),
    }
}

fn judge(row: &Row, run: &Run) -> (Comparison, String) {
    let (outcome, value) = (get(row, "outcome"), get(row, "value"));
    let unreadable = match get(row, "symbolic") {
        "yes" => Comparison::Unreadable,
        _ => Comparison::Outside,
    };
    let last_error = || {
        let line = run.stderr.lines().rfind(|line| line.starts_with("error"));
        line.unwrap_or("refused without a message").to_owned()
    };
    let json = run.json();
    let result = &json["results"][0];
    let verdict = result["verdict"].as_str().unwrap_or("none");
    let reason = result["reason"].as_str().unwrap_or_default();
    match run.end {
        End::Signal(_) => (Comparison::Broken, "crashed".to_owned()),
        End::OutOfCpu => (Comparison::OutOfLimits, "processor time".to_owned()),
        End::Hung => (Comparison::Broken, "does not keep its limits".to_owned()),
        End::Code(code) if !fits(code, verdict) => (
            Comparison::Broken,
            format!("exit code {code}, verdict {verdict}"),
        ),
        // The model goes wrong on the way: a fault, located in the reason.
        End::Code(2) if verdict == "unknown" && !reason.contains("cannot be read") => {
            (Comparison::Undecided, reason.to_owned())
        }
        End::Code(2) => (unreadable, last_error()),
        End::Code(_) if verdict == "unknown" && reason.contains("cannot be read") => {
            (unreadable, last_error())
        }
        End::Code(_) if verdict == "unknown" => {
            let limited = reason.contains("limit");
            let comparison = match limited {
                true => Comparison::OutOfLimits,
                false => Comparison::Undecided,
            };
            (comparison, reason.to_owned())
        }
        End::Code(_) => compare(outcome, value, verdict, result),
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
            Comparison::Agreed | Comparison::OutOfLimits | Comparison::Outside => false,
            Comparison::Disagreed | Comparison::Unreadable | Comparison::Undecided => {
                self.explained.is_none()
            }
            Comparison::Broken => true,
        }
    }
}

impl Checks {
    /// The number of rows that are wrong without an explanation.
    pub fn wrong(&self) -> usize {
        self.rows.iter().filter(|row| row.is_wrong()).count()
    }

    /// How many rows came to each outcome.
    pub fn outcomes(&self) -> impl Iterator<Item = (&'static str, usize)> {
        ALL.into_iter()
            .map(|(comparison, name)| (name, self.number(comparison)))
    }

    fn number(&self, comparison: Comparison) -> usize {
        let fits = |row: &&Check| row.comparison == comparison;
        self.rows.iter().filter(fits).count()
    }

    /// The counts in one line. Rows that UPPAAL itself could not answer over the file as it is are counted apart.
    pub fn counts(&self) -> String {
        let number = |comparison| self.number(comparison);
        let explained = |comparison| {
            let fits = |row: &&Check| row.comparison == comparison && row.explained.is_some();
            self.rows.iter().filter(fits).count()
        };
        let (agreed, disagreed) = (number(Comparison::Agreed), number(Comparison::Disagreed));
        let (outside, unreadable) = (number(Comparison::Outside), number(Comparison::Unreadable));
        let decided = agreed + disagreed;
        let askable = self.rows.len() - outside - unreadable;
        format!(
            "verdicts: {} rows: {outside} outside the symbolic language, {unreadable} unreadable ({} explained), {askable} left: {decided} decided ({:.1} %; {:.1} % of all rows), {agreed} agreed, {disagreed} disagreed ({} explained), {} out of limits, {} undecided ({} explained), {} broken",
            self.rows.len(),
            explained(Comparison::Unreadable),
            100.0 * decided as f64 / askable.max(1) as f64,
            100.0 * decided as f64 / self.rows.len().max(1) as f64,
            explained(Comparison::Disagreed),
            number(Comparison::OutOfLimits),
            number(Comparison::Undecided),
            explained(Comparison::Undecided),
            number(Comparison::Broken),
        )
    }

    /// The table of all rows.
    pub fn write(&self, report: &mut String) {
        report.push_str("\n## Verdicts\n\n| model | query | recorded | found | outcome | time | explanation |\n|---|---|---|---|---|---|---|\n");
        for row in &self.rows {
            let outcome = row.comparison.name();
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
    use super::{Comparison, Options, compare, fits};
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
    fn depth_first_gets_a_share_of_the_time() {
        let arguments = |line: &str, kind: &str| {
            let words: Vec<String> = line.split_whitespace().map(String::from).collect();
            let options = Options::parse(&words).expect("good options");
            let attempts = super::attempts(&options, kind).into_iter();
            attempts
                .map(|(words, _)| words.join(" "))
                .collect::<Vec<_>>()
        };
        assert_eq!(
            arguments("--timeout 60 --memory-limit 1GiB --threads 2", "E<>"),
            [
                "--memory-limit=1GiB --timeout=5s",
                "--memory-limit=1GiB --search=greedy --heuristic=hamming --timeout=5s",
                "--memory-limit=1GiB --search=dfs --timeout=10s",
                "--memory-limit=1GiB --max-states=1 --timeout=60s",
                "--memory-limit=1GiB --threads=2 --timeout=60s"
            ]
        );
        assert_eq!(
            arguments("--timeout 60 --memory-limit 1GiB --threads 2", "sup"),
            ["--memory-limit=1GiB --timeout=60s"]
        );
        assert_eq!(
            arguments("--timeout 60 --memory-limit 1GiB --search bfs", "E<>"),
            ["--memory-limit=1GiB --search=bfs --timeout=60s"]
        );
        assert_eq!(
            arguments("--timeout 60 --memory-limit 1GiB --search bfs --cpu", "E<>"),
            ["--memory-limit=1GiB --search=bfs"]
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
