//! What stands behind the verdicts that differ from the records: a run that the judge accepts, or a certificate that
//! `merkhet certify` accepts.

use std::ffi::OsStr;
use std::fmt::Write as _;
use std::path::Path;
use std::time::Duration;

use super::explained::Explained;
use super::options::Options;
use super::table::{cell, get, read};
use super::{model_path, target_folder};
use crate::program::{End, Limit, Run, run as run_program};

/// What a verdict rests on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Evidence {
    /// A certificate that was accepted.
    Certified,
    /// A certificate that was refused, or that the checker broke on.
    Refused,
    /// A run that the judge has accepted.
    Shown,
    /// No limit was met, and there is neither: liveness that holds.
    Without,
    /// Search or checker ran into a limit.
    TooLarge,
    /// The model or the query cannot be read, or the model goes wrong.
    NoVerdict,
}

const ALL: [(Evidence, &str); 6] = [
    (Evidence::Certified, "certificate accepted"),
    (Evidence::Refused, "certificate REFUSED"),
    (Evidence::Shown, "a judged run"),
    (Evidence::Without, "without certificate"),
    (Evidence::TooLarge, "too large"),
    (Evidence::NoVerdict, "no verdict"),
];

impl Evidence {
    fn name(self) -> &'static str {
        let found = ALL.iter().find(|(evidence, _)| *evidence == self);
        found.map_or("", |(_, name)| name)
    }
}

struct Proof {
    file: String,
    query: String,
    verdict: String,
    evidence: Evidence,
    remark: String,
    /// The processor's time of the search alone and of the checker, where they were compared.
    times: Option<(f64, f64)>,
}

/// The evidence of all explained rows.
pub struct Proofs {
    rows: Vec<Proof>,
}

/// Goes through the explained rows, one after the other: certificates may take much memory.
pub fn run(
    merkhet: &Path,
    corpus: &Path,
    options: &Options,
    explained: &Explained,
) -> Result<Proofs, String> {
    let mut rows = read(&corpus.join("oracle.tsv"))?;
    rows.retain(|row| {
        let (file, query) = (get(row, "file"), get(row, "query"));
        file.contains(&options.filter)
            && (options.every.is_some() || explained.reason(file, query).is_some())
    });
    if let Some(every) = options.every {
        rows = rows.into_iter().step_by(every).collect();
    }
    let certificate = target_folder().join("corpus.certificate");
    let mut proofs = Vec::new();
    let bench = Bench {
        merkhet,
        options,
        certificate: &certificate,
    };
    for row in &rows {
        let (file, query) = (get(row, "file"), get(row, "query"));
        let model = model_path(corpus, file);
        let alone = match options.every {
            Some(_) => Some(bench.search(&model, query, false)?.sample.cpu),
            None => None,
        };
        let (asked, mut evidence, mut remark, checker) = bench.ask(&model, query)?;
        let times = alone.zip(checker);
        let result = &asked.json()["results"][0];
        if evidence == Evidence::Without
            && let Some(extreme) = Extreme::new(query, result)
        {
            (evidence, remark) = bench.extreme(&model, &extreme)?;
        }
        let verdict = result["verdict"].as_str().unwrap_or("none").to_owned();
        println!("{}: {file}: {query}: {verdict}", evidence.name());
        proofs.push(Proof {
            file: file.to_owned(),
            query: query.to_owned(),
            verdict,
            evidence,
            remark,
            times,
        });
    }
    let _ = std::fs::remove_file(&certificate);
    Ok(Proofs { rows: proofs })
}

/// The program with its limits.
struct Bench<'a> {
    merkhet: &'a Path,
    options: &'a Options,
    certificate: &'a Path,
}

impl Bench<'_> {
    /// Asks a query, and has its certificate checked if it gets one.
    #[allow(clippy::type_complexity)]
    fn ask(
        &self,
        model: &Path,
        query: &str,
    ) -> Result<(Run, Evidence, String, Option<f64>), String> {
        let _ = std::fs::remove_file(self.certificate);
        let run = self.search(model, query, true)?;
        let (evidence, remark, checker) = match weigh(&run, self.certificate.is_file()) {
            Some((evidence, remark)) => (evidence, remark, None),
            None => self.certify(model)?,
        };
        Ok((run, evidence, remark, checker))
    }

    fn search(&self, model: &Path, query: &str, certificate: bool) -> Result<Run, String> {
        let options = self.options;
        let certificate =
            certificate.then(|| format!("--certificate={}", self.certificate.display()));
        let mut words = vec![
            format!("--query={query}"),
            "--format=json".into(),
            // Certificates are for some of the rows.
            "--one-of-many".into(),
            format!("--memory-limit={}", options.memory_limit),
        ];
        if !options.cpu {
            words.push(format!("--timeout={}s", options.timeout.as_secs()));
        }
        words.extend(certificate);
        words.extend(options.search.iter().map(|name| format!("--search={name}")));
        let mut arguments = vec![OsStr::new("check"), model.as_os_str()];
        arguments.extend(words.iter().map(OsStr::new));
        // Limits are the program's own business; it is killed only if it does not keep them.
        let limit = self.limit(Duration::from_secs(30));
        run_program(self.merkhet, arguments, limit, None)
    }

    fn limit(&self, grace: Duration) -> Limit {
        match self.options.cpu {
            true => Limit::Cpu(self.options.timeout),
            false => Limit::Clock(self.options.timeout + grace),
        }
    }

    fn certify(&self, model: &Path) -> Result<(Evidence, String, Option<f64>), String> {
        let size = std::fs::metadata(self.certificate).map_or(0, |data| data.len());
        let arguments = [
            OsStr::new("certify"),
            model.as_os_str(),
            self.certificate.as_os_str(),
        ];
        let run = run_program(self.merkhet, arguments, self.limit(Duration::ZERO), None)?;
        let evidence = match run.end {
            End::Code(0) if run.stdout.starts_with("accepted") => Evidence::Certified,
            End::Hung | End::OutOfCpu => Evidence::TooLarge,
            _ => Evidence::Refused,
        };
        let remark = match evidence {
            Evidence::Refused => run.stdout + &run.stderr,
            _ => format!("{:.1} MB, checked in {:.1} s", size as f64 / 1e6, run.time),
        };
        Ok((evidence, remark, Some(run.sample.cpu)))
    }

    /// An extreme value is shown by a run that has it, and a certificate that nothing goes beyond.
    fn extreme(&self, model: &Path, extreme: &Extreme) -> Result<(Evidence, String), String> {
        if let Some(reached) = &extreme.reached {
            let (_, evidence, remark, _) = self.ask(model, reached)?;
            if evidence != Evidence::Shown {
                return Ok((evidence, format!("{reached}: {remark}")));
            }
        }
        let (_, evidence, remark, _) = self.ask(model, &extreme.never)?;
        Ok((evidence, format!("{}: {remark}", extreme.never)))
    }
}

/// What must be reached and what must not for a supremum or infimum to be right.
#[derive(Debug, PartialEq, Eq)]
struct Extreme {
    reached: Option<String>,
    never: String,
}

impl Extreme {
    /// Nothing for other queries, and for values that are not reached.
    fn new(query: &str, result: &serde_json::Value) -> Option<Extreme> {
        let (kind, beyond) = match query.get(..3)? {
            "sup" => ("sup", ">"),
            "inf" => ("inf", "<"),
            _ => return None,
        };
        let (condition, measure) = query[3..].trim().strip_prefix('{')?.rsplit_once("}:")?;
        let measure = measure.trim();
        match result["values"][0][kind].as_str() {
            Some(value) => {
                let value: i64 = value.parse().ok()?;
                Some(Extreme {
                    reached: Some(format!("E<> ({condition}) && ({measure}) == {value}")),
                    never: format!("E<> ({condition}) && ({measure}) {beyond} {value}"),
                })
            }
            None => Some(Extreme {
                reached: None,
                never: format!("E<> {condition}"),
            }),
        }
    }
}

/// What the search alone says; nothing if there is a certificate to look at.
fn weigh(run: &Run, certificate: bool) -> Option<(Evidence, String)> {
    let json = run.json();
    let result = &json["results"][0];
    let reason = result["reason"].as_str().unwrap_or_default().to_owned();
    let decided = matches!(run.end, End::Code(0 | 1));
    let evidence = match result["verdict"].as_str() {
        Some("satisfied" | "violated") if decided && certificate => return None,
        Some("satisfied" | "violated") if decided => match result["trace"].is_object() {
            true => Evidence::Shown,
            false => Evidence::Without,
        },
        Some("unknown") if reason.contains("limit") => Evidence::TooLarge,
        _ if matches!(run.end, End::Hung | End::OutOfCpu) => Evidence::TooLarge,
        _ => Evidence::NoVerdict,
    };
    Some((evidence, reason))
}

impl Proofs {
    /// The number of certificates that were refused.
    pub fn refused(&self) -> usize {
        let refused = |proof: &&Proof| proof.evidence == Evidence::Refused;
        self.rows.iter().filter(refused).count()
    }

    /// How many rows rest on each kind of evidence.
    pub fn outcomes(&self) -> impl Iterator<Item = (&'static str, usize)> {
        ALL.into_iter().map(|(evidence, name)| {
            let fits = |proof: &&Proof| proof.evidence == evidence;
            (name, self.rows.iter().filter(fits).count())
        })
    }

    /// The counts in one line.
    pub fn counts(&self) -> String {
        let counts: Vec<String> = (self.outcomes())
            .map(|(name, number)| format!("{number} {name}"))
            .collect();
        let rows = self.rows.len();
        // Below a tenth of a second it is the start of the process that is measured.
        let times = self.rows.iter().filter_map(|proof| proof.times);
        let compared: Vec<(f64, f64)> = times.collect();
        let late = compared
            .iter()
            .filter(|(search, checker)| *checker > 2.0 * search.max(0.05));
        let late = match compared.is_empty() {
            true => String::new(),
            false => format!(
                "; {} of {} were checked within twice the time of the search",
                compared.len() - late.count(),
                compared.len()
            ),
        };
        format!("evidence of {rows} rows: {}{late}", counts.join(", "))
    }

    /// The table of all rows.
    pub fn write(&self, report: &mut String) {
        report.push_str("\n## Evidence of explained rows\n\n| model | query | verdict | evidence | remark |\n|---|---|---|---|---|\n");
        for proof in &self.rows {
            let _ = writeln!(
                report,
                "| {} | {} | {} | {} | {} |",
                cell(&proof.file),
                cell(&proof.query),
                proof.verdict,
                proof.evidence.name(),
                match proof.times {
                    Some((search, checker)) => format!(
                        "{} (search {search:.2} s, checker {checker:.2} s)",
                        cell(&proof.remark)
                    ),
                    None => cell(&proof.remark),
                },
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{End, Evidence, Extreme, Run, weigh};
    use merkhet_bench::race::Sample;
    use serde_json::json;

    fn check(end: End, text: &str, certificate: bool, expected: Option<Evidence>) {
        let run = Run {
            end,
            stdout: text.into(),
            stderr: String::new(),
            sample: Sample {
                cpu: 0.0,
                wall: 0.0,
                memory: 0,
            },
            time: 0.0,
        };
        let found = weigh(&run, certificate).map(|(evidence, _)| evidence);
        assert_eq!(found, expected, "{text}");
    }

    #[test]
    fn verdicts_rest_on_runs_or_certificates() {
        let proved = r#"{"results":[{"verdict":"violated"}]}"#;
        check(End::Code(1), proved, true, None);
        check(End::Code(1), proved, false, Some(Evidence::Without));
        let shown = r#"{"results":[{"verdict":"violated","trace":{"steps":[]}}]}"#;
        check(End::Code(1), shown, false, Some(Evidence::Shown));
        let limited = r#"{"results":[{"verdict":"unknown","reason":"time limit reached"}]}"#;
        check(End::Code(3), limited, false, Some(Evidence::TooLarge));
        check(End::Hung, "", true, Some(Evidence::TooLarge));
        check(End::OutOfCpu, "", true, Some(Evidence::TooLarge));
        check(End::Signal(11), proved, true, Some(Evidence::NoVerdict));
        check(End::Code(2), "{}", false, Some(Evidence::NoVerdict));
    }

    #[test]
    fn extreme_values_are_reached_and_not_left_behind() {
        let extreme = |query: &str, values| Extreme::new(query, &json!({ "values": values }));
        let expected = Extreme {
            reached: Some("E<> (a == 1) && (b) == 5".into()),
            never: "E<> (a == 1) && (b) > 5".into(),
        };
        let found = extreme("sup{a == 1}: b", json!([{ "sup": "5" }]));
        assert_eq!(found, Some(expected));
        let found = extreme("inf{a == 1}: b", json!([{}])).expect("a condition that never holds");
        assert_eq!((found.reached, &*found.never), (None, "E<> a == 1"));
        assert_eq!(extreme("inf{a}: x", json!([{ "inf": "> 5" }])), None);
        assert_eq!(extreme("A<> b", json!([])), None);
    }
}
