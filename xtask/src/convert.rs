//! `cargo xtask convert`: corpus models go from one language to another and back, and keep their verdicts.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::corpus::table::{get, read};
use crate::corpus::{
    PUBLISHED, build, corpus_folder, in_parallel, model_path, published, target_folder,
};
use crate::program::{End, Limit, Run, run as run_program};
use crate::words::Words;

/// What `cargo xtask convert --help` prints.
pub const HELP: &str = "\
Converts every model of the corpus that loads to XTA and to XML, and that XTA to XML; checks the queries of each form with
small limits, and compares the verdicts of those that were decided. Where no query of a model is decided, the question is
whether it can deadlock. Then converts it to TChecker's language, which has no place for queries, and compares the sizes of
the graphs of symbolic states. Models that a language cannot express are counted with the reason.

  --filter TEXT    only models whose file name contains this
  --every N        only every Nth model
  --from N         begin with this model (0)
  --program FILE   a built program to run instead of building one
  --jobs N         how many models at the same time
  --list FILE      only models whose file names are lines of this file
  --max-states N   how many states one query may take (1000)
  --timeout S      how many seconds one query may take (2)
  --run-timeout S  how long one run of the program may take, in seconds (30)
  --publish        write the counts into docs/corpus.md, with the commit of our program; of all models only";

/// What became of a model.
enum Fate {
    /// All forms agree: on how many decided queries, and what became of the flat form.
    Same(usize, Flat),
    /// It does not load.
    Unreadable,
    /// The program does not keep its limits with it.
    Slow,
    /// All forms load, but nothing can be decided within the limits.
    Nothing,
    /// UPPAAL's languages cannot say it; the reason.
    Refused(String),
    /// The forms differ.
    Different(String),
}

/// What became of a model in TChecker's language.
enum Flat {
    /// Its graph of symbolic states has the same size.
    Same,
    /// The graphs are too large to be compared, or the model takes too long to convert.
    TooLarge,
    /// The language cannot say it; the reason.
    Refused(String),
}

/// Why a model was not converted.
enum NotConverted {
    /// The language cannot say it.
    Refused(String),
    /// Something else is wrong.
    Failed(String),
    /// It took too long.
    Slow,
}

/// The program, and how long one run of it may take.
struct Program {
    file: PathBuf,
    limit: Limit,
    /// Limits of states and seconds for one query.
    states: usize,
    seconds: usize,
}

impl Program {
    fn run<'a>(&self, arguments: impl IntoIterator<Item = &'a OsStr>) -> Result<Run, String> {
        run_program(&self.file, arguments, self.limit, None)
    }
}

/// Asked where no query of a model is decided.
const GENERAL: [&str; 2] = ["-q", "A[] not deadlock"];

/// Runs the task.
pub fn run(arguments: &[String]) -> Result<(), String> {
    let (mut filter, mut every, mut from, mut program, mut jobs) = (String::new(), 1, 0, None, 2);
    let (mut longest, mut states, mut seconds, mut list) = (30, 1000, 2, None);
    let mut publish = false;
    let mut words = Words::of("convert", arguments);
    while let Some(option) = words.option() {
        match option {
            "--publish" => publish = true,
            "--filter" => filter = words.value()?.to_owned(),
            "--every" => every = words.number::<usize>()?.max(1),
            "--from" => from = words.number()?,
            "--jobs" => jobs = words.number::<usize>()?.clamp(1, 64),
            "--run-timeout" => longest = words.number::<u64>()?.max(1),
            "--max-states" => states = words.number()?,
            "--timeout" => seconds = words.number()?,
            "--list" => {
                let file = words.value()?;
                let text = std::fs::read_to_string(file);
                list = Some(text.map_err(|error| format!("cannot read {file}: {error}"))?);
            }
            "--program" => program = Some(PathBuf::from(words.value()?)),
            _ => return Err(words.unknown()),
        }
    }
    if publish && (every > 1 || from > 0 || list.is_some() || !filter.is_empty()) {
        return Err("the published counts are of all models".into());
    }
    let corpus = match corpus_folder() {
        Some(corpus) => corpus,
        None => {
            println!("SKIPPED: the corpus is not here; see CONTRIBUTING.md");
            return Ok(());
        }
    };
    let merkhet = Program {
        file: program.map_or_else(build, Ok)?,
        limit: Limit::Clock(Duration::from_secs(longest)),
        states,
        seconds,
    };
    let listed = |file: &String| {
        (list.as_ref()).is_none_or(|list| list.lines().any(|line| line.trim() == file))
    };
    let models: Vec<String> = read(&corpus.join("models.tsv"))?
        .iter()
        .filter(|row| get(row, "symbolic") == "yes")
        .map(|row| get(row, "file").to_owned())
        .filter(|file| file.contains(&filter))
        .filter(listed)
        .skip(from)
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
        // A task this long tells what it has found so far.
        eprintln!("{file}: {}", fate.short());
        (file.clone(), fate)
    });
    let outcomes = report(&fates)?;
    match publish {
        true => PUBLISHED.write(&published("conversions of models", outcomes), &merkhet.file),
        false => Ok(()),
    }
}

impl Fate {
    fn short(&self) -> String {
        match self {
            Fate::Same(number, flat) => {
                let flat = match flat {
                    Flat::Same => "flat form the same".into(),
                    Flat::TooLarge => "flat form too large".into(),
                    Flat::Refused(why) => format!("no flat form: {why}"),
                };
                format!("same, {number} queries, {flat}")
            }
            Fate::Unreadable => "does not load".into(),
            Fate::Slow => "takes too long".into(),
            Fate::Nothing => "all forms load, nothing decided".into(),
            Fate::Refused(why) => format!("not expressible: {why}"),
            Fate::Different(how) => format!("DIFFERENT {how}"),
        }
    }
}

/// Prints what became of the models, and counts it. An error if a verdict changed.
fn report(fates: &[(String, Fate)]) -> Result<[(&'static str, usize); 8], String> {
    let (mut same, mut queries, mut different) = (0, 0, 0);
    let (mut unreadable, mut slow, mut nothing) = (0, 0, 0);
    let (mut flat_same, mut flat_large, mut flat_refused) = (0, 0, 0);
    let mut refused: BTreeMap<&str, usize> = BTreeMap::new();
    for (file, fate) in fates {
        match fate {
            Fate::Same(number, flat) => {
                same += 1;
                queries += number;
                match flat {
                    Flat::Same => flat_same += 1,
                    Flat::TooLarge => flat_large += 1,
                    Flat::Refused(_) => flat_refused += 1,
                }
            }
            Fate::Unreadable => unreadable += 1,
            Fate::Slow => slow += 1,
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
    let refused = refused.values().sum();
    println!(
        "{} models: {same} keep all verdicts ({queries} queries), {refused} not expressible, {unreadable} do not load, {slow} take too long, {nothing} without a decided query, {different} differ",
        fates.len(),
    );
    println!(
        "as .tck: {flat_same} have equal state graphs, {flat_refused} not expressible, {flat_large} too large to compare"
    );
    match different {
        0 => Ok([
            ("keep all verdicts", same),
            ("not expressible in XML or XTA", refused),
            ("do not load", unreadable),
            ("take too long", slow),
            ("nothing decided within the limits", nothing),
            ("the same graph in TChecker's language", flat_same),
            ("not expressible in TChecker's language", flat_refused),
            ("too large to compare in TChecker's language", flat_large),
        ]),
        some => Err(format!("{some} models change their verdicts")),
    }
}

fn judge(merkhet: &Program, model: &Path, base: &Path) -> Fate {
    let decided = |verdicts: &BTreeMap<String, String>| {
        (verdicts.values())
            .filter(|verdict| *verdict != "unknown")
            .count()
    };
    let mut queries: &[&str] = &[];
    let mut expected = verdicts(merkhet, model, queries).unwrap_or_default();
    if decided(&expected) == 0 {
        queries = &GENERAL;
        match verdicts(merkhet, model, queries) {
            Some(found) => expected = found,
            None => return Fate::Slow,
        }
    }
    let decided = decided(&expected);
    if expected.is_empty() {
        return Fate::Unreadable;
    }
    let (xta, xml, back) = (
        base.with_extension("xta"),
        base.with_extension("xml"),
        base.with_extension("back.xml"),
    );
    let steps = [(model, &xta), (model, &xml), (xta.as_path(), &back)];
    for (from, to) in steps {
        match convert(merkhet, from, to) {
            Ok(()) => {}
            Err(NotConverted::Refused(why)) => return Fate::Refused(why),
            Err(NotConverted::Failed(why)) => return Fate::Different(why),
            Err(NotConverted::Slow) => return Fate::Refused("within the time".into()),
        }
        let Some(found) = verdicts(merkhet, to, queries) else {
            return Fate::Refused("within the time".into());
        };
        let agrees = |(query, verdict): (&String, &String)| match found.get(query) {
            Some(other) => verdict == other || verdict == "unknown" || other == "unknown",
            // One that cannot be read has become a comment.
            None => verdict == "unknown" && queries.is_empty(),
        };
        if !expected.iter().all(agrees) {
            let form = to.extension().and_then(OsStr::to_str).unwrap_or_default();
            return Fate::Different(format!(
                "as {form}: {expected:?} became {found:?} ({})",
                to.display()
            ));
        }
    }
    let flat = base.with_extension("tck");
    if decided == 0 {
        return Fate::Nothing;
    }
    let fate = match flattened(merkhet, model, &flat) {
        Ok(flat) => Fate::Same(decided, flat),
        Err(how) => return Fate::Different(how),
    };
    for file in [&xta, &xml, &back, &flat] {
        let _ = std::fs::remove_file(file);
    }
    fate
}

/// Converts a model to the flat language, and compares.
fn flattened(merkhet: &Program, model: &Path, flat: &Path) -> Result<Flat, String> {
    match convert(merkhet, model, flat) {
        Ok(()) => {}
        Err(NotConverted::Refused(why)) => return Ok(Flat::Refused(why)),
        Err(NotConverted::Failed(why)) => return Err(why),
        Err(NotConverted::Slow) => return Ok(Flat::TooLarge),
    }
    let (Some(before), Some(after)) = (graph(merkhet, model), graph(merkhet, flat)) else {
        return Ok(Flat::TooLarge);
    };
    match before == after {
        true => Ok(Flat::Same),
        false => Err(format!(
            "as tck: {before} became {after} ({})",
            flat.display()
        )),
    }
}

/// The size of the graph of symbolic states; nothing if it is too large.
fn graph(merkhet: &Program, model: &Path) -> Option<String> {
    let arguments = ["states", "--format", "aut", "--max-states", "2000"];
    let arguments = arguments.iter().map(OsStr::new).chain([model.as_os_str()]);
    let run = merkhet.run(arguments).ok()?;
    let text = run.stdout;
    match run.end {
        End::Code(0) => Some(text.lines().next()?.to_owned()),
        End::Code(2) => Some(format!("error: {}", run.stderr)),
        _ => None,
    }
}

/// The verdicts of a model's queries, or of the given ones: none if it does not load or has no queries. Nothing at all if
/// that takes too long.
fn verdicts(merkhet: &Program, model: &Path, queries: &[&str]) -> Option<BTreeMap<String, String>> {
    let arguments = [OsStr::new("check"), model.as_os_str()];
    let states = format!("--max-states={}", merkhet.states);
    let timeout = format!("--timeout={}s", merkhet.seconds);
    let limits = ["--trace=none", "--format=json", &states, &timeout];
    let further = limits.iter().chain(queries).map(OsStr::new);
    let run = merkhet.run(arguments.into_iter().chain(further)).ok()?;
    if matches!(run.end, End::Hung | End::OutOfCpu) {
        return None;
    }
    let report = run.json();
    let results = report["results"].as_array().cloned().unwrap_or_default();
    let text = |value: &serde_json::Value| value.as_str().unwrap_or("unknown").trim().to_owned();
    // XTA separates queries by semicolons; in XML they may be part of the text.
    let query = |value: &serde_json::Value| text(value).trim_end_matches(';').trim_end().to_owned();
    let entry = |result: &serde_json::Value| (query(&result["query"]), text(&result["verdict"]));
    Some(results.iter().map(entry).collect())
}

fn convert(merkhet: &Program, from: &Path, to: &Path) -> Result<(), NotConverted> {
    let arguments = [
        OsStr::new("convert"),
        OsStr::new("--force"),
        from.as_os_str(),
        to.as_os_str(),
    ];
    let run = merkhet.run(arguments).map_err(NotConverted::Failed)?;
    match run.end {
        End::Code(0) => Ok(()),
        End::Hung | End::OutOfCpu => Err(NotConverted::Slow),
        _ => {
            let line = run.stderr.lines().rfind(|line| line.contains("error"));
            let why = line.and_then(|line| line.split_once("cannot be converted: "));
            Err(match why {
                Some((_, why)) => NotConverted::Refused(why.to_owned()),
                None => NotConverted::Failed(format!(
                    "{} to {}: {}",
                    from.display(),
                    to.display(),
                    run.stderr.trim()
                )),
            })
        }
    }
}
