//! `cargo xtask smv`: the shared SMV models against the recorded verdicts, and next to NuSMV where it is at hand.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde_json::Value;

mod nusmv;

use crate::program::{Limit, Run, run as run_program};
use crate::race::{shared, write};
use crate::words::Words;

/// What `cargo xtask smv --help` prints.
pub const HELP: &str = "\
Usage: cargo xtask smv [OPTIONS]

  --only PART         only files whose names contain this
  --cpu SECONDS       a file counts as decided if it took at most so much CPU time (40)
  --timeout SECONDS   for each specification, by the clock; more on a busy machine (40)
  --peer nusmv=PATH   run NuSMV, too (as `cargo xtask race --peer nusmv=PATH` does)
  --binary PATH       our program, instead of building it

Models and verdicts are looked for in $MERKHET_SHARED/smv, else in ../shared/smv. The table goes to target/smv.md. A
verdict that differs from the recorded one, or from NuSMV's, is an error.

NuSMV runs with `-coi -dynamic`, as it did for the recorded verdicts, with `-coi` alone, and with `-coi -i FILE` where an
order file lies beside the model; the fastest of them counts. Files that it is recorded not to decide are left out.";

/// Seconds beyond the limits of the program itself, before it is killed.
const GRACE: u64 = 120;

struct Options {
    only: Option<String>,
    cpu: u64,
    timeout: u64,
    peer: Option<PathBuf>,
    binary: Option<PathBuf>,
}

/// Runs the task.
pub fn run(arguments: &[String]) -> Result<(), String> {
    let options = options(arguments)?;
    let folder = shared().join("smv");
    let Ok(text) = std::fs::read_to_string(folder.join("verdicts.tsv")) else {
        println!("SKIPPED: no SMV models; set MERKHET_SHARED");
        return Ok(());
    };
    let program = match &options.binary {
        Some(path) => path.clone(),
        None => crate::corpus::build()?,
    };
    let mut files: Vec<(String, Recorded)> = recorded(&text).into_iter().collect();
    files.retain(|(file, _)| {
        options
            .only
            .as_ref()
            .is_none_or(|part| file.contains(part.as_str()))
    });
    let mut tally = Tally::default();
    let mut table = String::from(
        "| file | recorded | met | undecided | CPU s | NuSMV CPU s |\n|---|---|---|---|---|---|\n",
    );
    for (file, verdicts) in files {
        let line = one(
            &folder.join("models").join(&file),
            &file,
            &verdicts,
            &program,
            &options,
            &mut tally,
        )?;
        println!("{line}");
        table += &format!("{line}\n");
    }
    let summary = tally.summary();
    let target = crate::corpus::target_folder();
    write(
        &target.join("smv.md"),
        &format!("# SMV models\n\n{table}\n{summary}\n"),
    )?;
    println!("{summary}");
    match tally.wrong.is_empty() {
        true => Ok(()),
        false => Err(tally.wrong.join("\n       ")),
    }
}

fn options(arguments: &[String]) -> Result<Options, String> {
    let mut options = Options {
        only: None,
        cpu: 40,
        timeout: 40,
        peer: None,
        binary: None,
    };
    let mut words = Words::of("smv", arguments);
    while let Some(option) = words.option() {
        match option {
            "--only" => options.only = Some(words.value()?.to_owned()),
            "--cpu" => options.cpu = words.number()?,
            "--timeout" => options.timeout = words.number()?,
            "--peer" => match words.value()?.split_once('=') {
                Some(("nusmv", path)) => options.peer = Some(path.into()),
                _ => return Err("the peer here is nusmv=PATH".into()),
            },
            "--binary" => options.binary = Some(words.value()?.into()),
            _ => return Err(words.unknown()),
        }
    }
    Ok(options)
}

/// The verdicts of a file, by formula without blanks and brackets.
type Recorded = BTreeMap<String, bool>;

#[derive(Default)]
struct Tally {
    met: usize,
    undecided: Vec<String>,
    wrong: Vec<String>,
    /// Files without a recorded verdict: all, those that we decide.
    open: usize,
    opened: Vec<String>,
    cpu: f64,
    /// The files that both decide, and the CPU time of both on them.
    shared: usize,
    both: (f64, f64),
}

impl Tally {
    fn summary(&self) -> String {
        let mut text = format!(
            "{} verdicts met, {} undecided, {} wrong; {:.1} s CPU. Of {} files without a recorded verdict {} are decided: {}.",
            self.met,
            self.undecided.len(),
            self.wrong.len(),
            self.cpu,
            self.open,
            self.opened.len(),
            self.opened.join(", "),
        );
        for name in &self.undecided {
            text += &format!("\n\nUndecided: {name}");
        }
        if self.both.1 > 0.0 {
            text += &format!(
                "\n\n{} files that both decide: {:.2} s, NuSMV {:.2} s CPU: {:.2} of its time.",
                self.shared,
                self.both.0,
                self.both.1,
                self.both.0 / self.both.1
            );
        }
        text
    }
}

/// A formula without blanks and brackets; `a union b` is the set `{a, b}`.
fn squeezed(text: &str) -> String {
    let text = text.replace(" union ", ",");
    text.chars()
        .filter(|c| !c.is_whitespace() && !"(){}".contains(*c))
        .collect()
}

fn recorded(text: &str) -> BTreeMap<String, Recorded> {
    let mut files: BTreeMap<String, Recorded> = BTreeMap::new();
    for line in text.lines().skip(1) {
        let mut cells = line.split('\t');
        let (Some(file), Some(formula), Some(verdict)) = (cells.next(), cells.next(), cells.next())
        else {
            continue;
        };
        let entry = files.entry(file.to_owned()).or_default();
        if formula != "-" {
            entry.insert(squeezed(formula), verdict == "true");
        }
    }
    files
}

fn one(
    model: &Path,
    file: &str,
    verdicts: &Recorded,
    program: &Path,
    options: &Options,
    tally: &mut Tally,
) -> Result<String, String> {
    let seconds = format!("{}s", options.timeout);
    let model_name = model.display().to_string();
    let arguments = [
        "check",
        &model_name,
        "--format",
        "json",
        "--timeout",
        &seconds,
    ];
    let limit = Limit::Clock(Duration::from_secs(options.timeout * 10 + GRACE));
    let run = run_program(program, arguments, limit, None)?;
    tally.cpu += run.sample.cpu;
    let ours = read(&run);
    let (mut met, mut undecided) = (0, 0);
    for (formula, truth) in verdicts {
        match ours.get(formula) {
            Some(Some(verdict)) if verdict == truth => met += 1,
            Some(Some(_)) => tally.wrong.push(format!("{file}: {formula}")),
            Some(None) => {
                undecided += 1;
                tally.undecided.push(format!("{file}: {formula}"));
            }
            None => tally
                .wrong
                .push(format!("{file}: {formula} is not reported")),
        }
    }
    tally.met += met;
    let in_time = run.sample.cpu <= options.cpu as f64;
    let all = in_time && !ours.is_empty() && ours.values().all(Option::is_some);
    if verdicts.is_empty() {
        let decided = ours.values().filter(|verdict| verdict.is_some()).count();
        if !ours.is_empty() {
            tally.open += 1;
            if all {
                tally.opened.push(format!("{file} ({decided})"));
            }
        }
        undecided = ours.len() - decided;
    }
    let mut theirs = String::from("-");
    if let Some(path) = options.peer.as_ref().filter(|_| !verdicts.is_empty()) {
        match nusmv::best(path, model, options.cpu)? {
            Some(peer) => {
                theirs = format!("{:.2}", peer.cpu);
                tally.wrong.extend(peer.differences(file, &ours));
                if all {
                    tally.shared += 1;
                    tally.both.0 += run.sample.cpu;
                    tally.both.1 += peer.cpu;
                }
            }
            None => theirs = format!("> {}", options.cpu),
        }
    }
    Ok(format!(
        "| {file} | {} | {met} | {undecided} | {:.2} | {theirs} |",
        verdicts.len(),
        run.sample.cpu
    ))
}

/// Our verdicts by formula; `None`: undecided.
fn read(run: &Run) -> BTreeMap<String, Option<bool>> {
    let results = run.json()["results"]
        .as_array()
        .cloned()
        .unwrap_or_default();
    let verdict = |result: &Value| match result["verdict"].as_str() {
        Some("satisfied") => Some(true),
        Some("violated") => Some(false),
        _ => None,
    };
    results
        .iter()
        .map(|result| {
            (
                squeezed(result["query"].as_str().unwrap_or_default()),
                verdict(result),
            )
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::{options, recorded, squeezed};

    #[test]
    fn formulas_are_compared_without_brackets() {
        assert_eq!(
            squeezed("AG (a -> AF b = 1)"),
            squeezed("AG ((a) -> (AF (b=1)))")
        );
        assert_eq!(squeezed("a in {b, c}"), squeezed("(a in (b union c))"));
        let files = recorded("file\tspec\tverdict\nx.smv\tAG a\ttrue\ny.smv\t-\t-\n");
        assert_eq!(files["x.smv"].get("AGa"), Some(&true));
        assert!(files["y.smv"].is_empty());
    }

    #[test]
    fn bad_options_are_refused() {
        for line in [
            &["--only"][..],
            &["--timeout", "long"],
            &["--cpu", "-3"],
            &["--peer", "spin=/x"],
        ] {
            let line: Vec<String> = line.iter().map(|word| (*word).to_owned()).collect();
            assert!(options(&line).is_err(), "{line:?}");
        }
    }
}
