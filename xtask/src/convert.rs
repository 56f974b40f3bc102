//! `cargo xtask convert`: corpus models go from one language to another and back, and keep their verdicts.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::corpus::program::{End, Patience, run as run_program};
use crate::corpus::table::{get, read};
use crate::corpus::{build, corpus_folder, in_parallel, model_path, target_folder};

/// What `cargo xtask convert --help` prints.
pub const HELP: &str = "\
Converts every model of the corpus that loads to XTA and to XML, and that XTA to XML; checks the queries of each form with
small limits, and compares the verdicts of those that were decided. Models that a language cannot express are counted
with the reason.

  --filter TEXT    only models whose file name contains this
  --every N        only every Nth model
  --program FILE   a built program to run instead of building one
  --jobs N         how many models at the same time";

/// One query may take so much.
const LIMITS: [&str; 8] = [
    "--trace",
    "none",
    "--max-states",
    "3000",
    "--timeout",
    "10s",
    "--format",
    "json",
];
const PATIENCE: Patience = Patience::Clock(Duration::from_secs(120));

/// What became of a model.
enum Fate {
    /// All forms agree on so many decided queries.
    Same(usize),
    /// It does not load, or has no query that can be decided within the limits.
    Nothing,
    /// A form cannot be written; the reason.
    Refused(String),
    /// The forms differ.
    Different(String),
}

/// Runs the task.
pub fn run(arguments: &[String]) -> Result<(), String> {
    let (mut filter, mut every, mut program, mut jobs) = (String::new(), 1, None, 2);
    let mut rest = arguments.iter();
    while let Some(name) = rest.next() {
        let value = rest
            .next()
            .ok_or_else(|| format!("`{name}` needs a value"))?;
        let number = || {
            value
                .parse::<usize>()
                .map_err(|_| format!("`{name}` takes a number"))
        };
        match name.as_str() {
            "--filter" => filter = value.clone(),
            "--every" => every = number()?.max(1),
            "--jobs" => jobs = number()?.clamp(1, 64),
            "--program" => program = Some(PathBuf::from(value)),
            _ => {
                return Err(format!(
                    "unknown option `{name}`; see cargo xtask convert --help"
                ));
            }
        }
    }
    let corpus = match corpus_folder() {
        Some(corpus) => corpus,
        None => {
            println!("SKIPPED: the corpus is not here; see CONTRIBUTING.md");
            return Ok(());
        }
    };
    let merkhet = program.map_or_else(build, Ok)?;
    let models: Vec<String> = read(&corpus.join("models.tsv"))?
        .iter()
        .filter(|row| get(row, "symbolic") == "yes")
        .map(|row| get(row, "file").to_owned())
        .filter(|file| file.contains(&filter))
        .step_by(every)
        .collect();
    let folder = target_folder().join("convert");
    std::fs::create_dir_all(&folder).map_err(|error| error.to_string())?;
    let numbered: Vec<(usize, String)> = models.into_iter().enumerate().collect();
    let fates = in_parallel(&numbered, jobs, |(number, file)| {
        let fate = judge(
            &merkhet,
            &model_path(&corpus, file),
            &folder.join(number.to_string()),
        );
        (file.clone(), fate)
    });
    report(&fates)
}

fn report(fates: &[(String, Fate)]) -> Result<(), String> {
    let (mut same, mut queries, mut nothing, mut different) = (0, 0, 0, 0);
    let mut refused: BTreeMap<&str, usize> = BTreeMap::new();
    for (file, fate) in fates {
        match fate {
            Fate::Same(number) => {
                same += 1;
                queries += number;
            }
            Fate::Nothing => nothing += 1,
            Fate::Refused(why) => *refused.entry(why).or_default() += 1,
            Fate::Different(how) => {
                different += 1;
                println!("DIFFERENT {file}: {how}");
            }
        }
    }
    for (why, number) in &refused {
        println!("{number:5} not expressible: {why}");
    }
    println!(
        "{} models: {same} keep all verdicts ({queries} queries), {} not expressible, {nothing} without a decided query, {different} differ",
        fates.len(),
        refused.values().sum::<usize>(),
    );
    match different {
        0 => Ok(()),
        some => Err(format!("{some} models change their verdicts")),
    }
}

fn judge(merkhet: &Path, model: &Path, base: &Path) -> Fate {
    let Some(expected) = verdicts(merkhet, model) else {
        return Fate::Nothing;
    };
    let decided = expected
        .values()
        .filter(|verdict| *verdict != "unknown")
        .count();
    if decided == 0 {
        return Fate::Nothing;
    }
    let (xta, xml, back) = (
        base.with_extension("xta"),
        base.with_extension("xml"),
        base.with_extension("back.xml"),
    );
    let steps = [(model, &xta), (model, &xml), (xta.as_path(), &back)];
    let mut fate = Fate::Same(decided);
    for (from, to) in steps {
        if let Err(why) = convert(merkhet, from, to) {
            fate = Fate::Refused(why);
            break;
        }
        let found = verdicts(merkhet, to).unwrap_or_default();
        let agrees = |(query, verdict): (&String, &String)| match found.get(query) {
            Some(other) => verdict == other || verdict == "unknown" || other == "unknown",
            None => verdict == "unknown",
        };
        if !expected.iter().all(agrees) {
            let form = to.extension().and_then(OsStr::to_str).unwrap_or_default();
            return Fate::Different(format!(
                "as {form}: {expected:?} became {found:?} ({})",
                to.display()
            ));
        }
    }
    for file in [&xta, &xml, &back] {
        let _ = std::fs::remove_file(file);
    }
    fate
}

/// The verdicts of a model's queries; nothing if it does not load or has none.
fn verdicts(merkhet: &Path, model: &Path) -> Option<BTreeMap<String, String>> {
    let arguments = [OsStr::new("check"), model.as_os_str()];
    let limits = LIMITS.iter().map(OsStr::new);
    let run = run_program(merkhet, arguments.into_iter().chain(limits), PATIENCE).ok()?;
    let report = run.json();
    let results = report["results"].as_array()?;
    let text = |value: &serde_json::Value| value.as_str().unwrap_or("unknown").trim().to_owned();
    let entry = |result: &serde_json::Value| (text(&result["query"]), text(&result["verdict"]));
    (!results.is_empty()).then(|| results.iter().map(entry).collect())
}

fn convert(merkhet: &Path, from: &Path, to: &Path) -> Result<(), String> {
    let arguments = [
        OsStr::new("convert"),
        OsStr::new("--force"),
        from.as_os_str(),
        to.as_os_str(),
    ];
    let run = run_program(merkhet, arguments, PATIENCE)?;
    match run.end {
        End::Code(0) => Ok(()),
        _ => {
            let line = run.stderr.lines().rfind(|line| line.contains("error"));
            let why = line
                .and_then(|line| line.split_once("converted: "))
                .map(|(_, why)| why);
            Err(why.unwrap_or("no message").to_owned())
        }
    }
}
