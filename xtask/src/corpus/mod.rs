//! `cargo xtask corpus`: loads every model of the collection of real models, checks every query whose verdict is
//! recorded there, and writes what came out to `target/corpus.md`.
//!
//! It talks to the built program only, as a user would: a crash, a hang or a wrong exit code shows up here too.

mod certify;
mod explained;
mod load;
mod options;
pub mod table;
mod verdicts;

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use crate::publish::Published;
use crate::steps::{Outcome, cargo, run_command, workspace_root};
use explained::Explained;
use options::Options;

/// What `cargo xtask corpus --help` prints.
pub const HELP: &str = "\
Usage: cargo xtask corpus [OPTIONS]

  --load-only          load the models, check no query
  --verdicts-only      check the queries, do not load every model first
  --certify            only the rows of xtask/corpus-explained.tsv, one after the other: is there a judged run, or
                       a certificate that `merkhet certify` accepts?
  --every K            with --certify: one of K rows of all, and how the time of
                       the checker compares with that of the search alone
  --filter TEXT        only models whose path contains TEXT
  --timeout SECONDS    stop a query after this time (60)
  --memory-limit SIZE  stop a query beyond this much memory (8GiB)
  --jobs N             models at the same time (all cores)
  --cpu                count the processor's time, so that other work on the machine changes nothing (Linux)
  --search NAME        the search to use (the program's own choice for a twelfth of the time; then greedy with hamming as
                       long if the query is an E<>; dfs for a sixth; at last the program's own choice with all of the time)
  --threads N          threads for that last part, where the query is an E<> or A[] (1)
  --program FILE       run this program instead of building one
  --resume             take over the rows that an earlier run has finished
  --again              as --resume, but try the rows again that came to no verdict
  --publish            write the counts into docs/corpus.md, with the commit of our program; not with --filter

The models are looked for in $MERKHET_SHARED/corpus, else in ../shared/corpus. The table goes to target/corpus.md (of
--certify to target/corpus-evidence.md), the counts are on its last lines; each finished row is at once added to
target/corpus-rows.tsv, with a digest of the program that decided it. Rows that differ from the recorded outcome for a
known reason are listed, with that reason, in xtask/corpus-explained.tsv.";

/// How many rows came to what: verdicts, the evidence of those that differ, and conversions.
pub const PUBLISHED: Published = Published {
    document: "docs/corpus.md",
    task: "corpus",
    header: &["what", "outcome", "rows"],
    key: 1,
};

/// The rows of the published table about one thing.
pub fn published<'a>(
    what: &str,
    counts: impl IntoIterator<Item = (&'a str, usize)>,
) -> Vec<Vec<String>> {
    let row = |(outcome, count): (&str, usize)| {
        vec![what.to_owned(), outcome.to_owned(), count.to_string()]
    };
    counts.into_iter().map(row).collect()
}

/// Runs the task; an error says how many models or verdicts are wrong without an explanation.
pub fn run(arguments: &[String]) -> Result<(), String> {
    let options = Options::parse(arguments)?;
    let Some(corpus) = corpus_folder() else {
        println!("SKIPPED: no corpus; set MERKHET_SHARED to the folder that holds it");
        return Ok(());
    };
    let merkhet = match &options.program {
        Some(program) => program.clone(),
        None => build()?,
    };
    let explained = Explained::read(&workspace_root().join("xtask/corpus-explained.tsv"))?;

    let mut report = String::from("# The corpus of real models\n\n");
    let mut wrong = 0;
    let mut closing = Vec::new();
    let mut outcomes = Vec::new();
    if options.certify {
        let proofs = certify::run(&merkhet, &corpus, &options, &explained)?;
        proofs.write(&mut report);
        wrong += proofs.refused();
        outcomes.extend(published("evidence of explained rows", proofs.outcomes()));
        closing.push(proofs.counts());
    }
    if !options.verdicts_only && !options.certify {
        let loads = load::run(&merkhet, &corpus, &options, &explained)?;
        loads.write(&mut report);
        wrong += loads.wrong();
        closing.push(loads.counts());
    }
    if !options.load_only && !options.certify {
        let verdicts = verdicts::run(&merkhet, &corpus, &options, &explained)?;
        verdicts.write(&mut report);
        outcomes.extend(published("verdicts", verdicts.outcomes()));
        wrong += verdicts.wrong();
        closing.push(verdicts.counts());
    }
    let closing = closing.join("\n");
    let _ = writeln!(report, "\n{closing}");

    let name = match options.certify {
        true => "corpus-evidence.md",
        false => "corpus.md",
    };
    let path = target_folder().join(name);
    std::fs::write(&path, report)
        .map_err(|error| format!("cannot write {}: {error}", path.display()))?;
    println!("{closing}\nThe table is in {}", path.display());
    match wrong {
        0 if options.publish => PUBLISHED.write(&outcomes, &merkhet),
        0 => Ok(()),
        _ => Err(format!("{wrong} rows are wrong and have no explanation")),
    }
}

/// The folder of the collection, if it is here.
pub fn corpus_folder() -> Option<PathBuf> {
    let shared = match std::env::var_os("MERKHET_SHARED") {
        Some(folder) => PathBuf::from(folder),
        None => workspace_root().join("../shared"),
    };
    let corpus = shared.join("corpus");
    corpus.join("models.tsv").is_file().then_some(corpus)
}

pub fn target_folder() -> PathBuf {
    std::env::var_os("CARGO_TARGET_DIR")
        .map_or_else(|| workspace_root().join("target"), PathBuf::from)
}

/// Builds the program that users get, and says where it is.
pub fn build() -> Result<PathBuf, String> {
    let mut command = cargo();
    command.args(["build", "--release", "--package", "merkhet-cli"]);
    match run_command(command) {
        Outcome::Passed => Ok(target_folder().join("release/merkhet")),
        Outcome::Failed(why) | Outcome::Skipped(why) => {
            Err(format!("the program does not build: {why}"))
        }
    }
}

/// Runs `work` over all items on several threads; the results keep the order of the items.
pub fn in_parallel<T: Sync, R: Send>(
    items: &[T],
    jobs: usize,
    work: impl Fn(&T) -> R + Sync,
) -> Vec<R> {
    let next = std::sync::atomic::AtomicUsize::new(0);
    let results = std::sync::Mutex::new(Vec::with_capacity(items.len()));
    std::thread::scope(|scope| {
        for _ in 0..jobs.max(1) {
            scope.spawn(|| {
                loop {
                    let index = next.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
                    let Some(item) = items.get(index) else { break };
                    let result = work(item);
                    if let Ok(mut results) = results.lock() {
                        results.push((index, result));
                        if results.len() % 50 == 0 {
                            eprintln!("{} of {}", results.len(), items.len());
                        }
                    }
                }
            });
        }
    });
    let mut results = results.into_inner().unwrap_or_default();
    results.sort_by_key(|(index, _)| *index);
    results.into_iter().map(|(_, result)| result).collect()
}

pub fn model_path(corpus: &Path, file: &str) -> PathBuf {
    corpus.join("models").join(file)
}
