//! Real models load: those of the corpus, except those that UPPAAL rejects too, and the benchmarks with known counts.

mod common;
use merkhet_lower::{Lowered, lint, lower_model, lower_query};
use merkhet_network::print::{Summary, summary};
use merkhet_syntax::{Diagnostic, FileId, SourceMap, read_model, read_query};
use merkhet_testing::shared;
use std::collections::BTreeMap;
use std::path::Path;
use std::time::{Duration, Instant};

/// Models marked as symbolic that UPPAAL itself rejects, each with the fault.
const REJECTED: &str = include_str!("data/rejected.tsv");

struct Loaded {
    lowered: Option<Lowered>,
    /// Errors outside of queries.
    errors: Vec<Diagnostic>,
    sources: SourceMap,
    took: Duration,
}

fn load_file(folder: &Path, file: &str) -> Loaded {
    let bytes = std::fs::read(folder.join(file)).unwrap_or_else(|error| panic!("{file}: {error}"));
    let mut sources = SourceMap::new();
    sources.insert(FileId::MODEL, file, &bytes);
    let start = Instant::now();
    let (model, mut messages) = read_model(file, &bytes);
    let (lowered, more) = lower_model(&model, &sources);
    let took = start.elapsed();
    if let Some(lowered) = &lowered {
        lint(&model, lowered);
    }
    messages.extend(more);
    let in_query = |message: &Diagnostic| {
        let element = message.context.as_ref().and_then(|c| c.element.as_ref());
        element.is_some_and(|element| element.starts_with("query"))
    };
    messages.retain(|message| message.is_error() && !in_query(message));
    Loaded {
        lowered,
        errors: messages,
        sources,
        took,
    }
}

#[test]
fn symbolic_models_load() {
    let Some(shared) = shared("corpus") else {
        return;
    };
    let rejected: BTreeMap<&str, &str> = REJECTED
        .lines()
        .filter_map(|line| line.split_once('\t'))
        .collect();
    let table = std::fs::read_to_string(shared.join("models.tsv")).expect("models.tsv");
    let filter = std::env::var("FILTER").unwrap_or_default();
    let (mut total, mut loaded, mut queries, mut checkable) = (0, 0, 0, 0);
    let mut wrong = Vec::new();
    let mut slowest = (Duration::ZERO, "");
    for row in table.lines().skip(1) {
        let mut columns = row.split('\t');
        let (Some(file), Some(symbolic)) = (columns.next(), columns.next()) else {
            continue;
        };
        if !file.contains(&filter) {
            continue;
        }
        let found = load_file(&shared.join("models"), file);
        slowest = slowest.max((found.took, file));
        if symbolic != "yes" {
            continue;
        }
        total += 1;
        let good = found.errors.is_empty() && found.lowered.is_some();
        loaded += good as usize;
        if good == rejected.contains_key(file) {
            let first = found.errors.first().map(|error| {
                let at = found.sources.start(error.span);
                format!("{at:?} {}: {}", error.code, error.message)
            });
            wrong.push(format!("{file}\t{}", first.unwrap_or("loads".into())));
        }
        for query in found.lowered.iter().flat_map(|lowered| &lowered.queries) {
            queries += 1;
            checkable += query.query.is_some() as usize;
        }
    }
    println!(
        "{loaded} of {total} symbolic models load, {} are rejected by UPPAAL too; {checkable} of {queries} embedded \
         queries can be checked; the slowest model took {slowest:?}",
        rejected.len()
    );
    assert!(wrong.is_empty(), "{:#?}", wrong);
    if !cfg!(debug_assertions) {
        assert!(slowest.0 < Duration::from_secs(1), "{slowest:?}");
    }
}

#[test]
fn queries_with_verdicts_lower() {
    let Some(shared) = shared("corpus") else {
        return;
    };
    let table = std::fs::read_to_string(shared.join("oracle.tsv")).expect("oracle.tsv");
    let mut rows: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for row in table.lines().skip(1) {
        let columns: Vec<&str> = row.split('\t').collect();
        if let [file, _, query, ..] = columns.as_slice() {
            rows.entry(file).or_default().push(query);
        }
    }
    let (mut good, mut total, mut without_model, mut unknown) = (0, 0, 0, 0);
    for (file, queries) in rows {
        total += queries.len();
        let mut found = load_file(&shared.join("models"), file);
        let Some(lowered) = &mut found.lowered else {
            without_model += queries.len();
            continue;
        };
        for text in queries {
            (found.sources).insert(FileId::TYPED, "query", text.as_bytes());
            let (query, _) = read_query(text);
            match lower_query(lowered, &query, &found.sources) {
                Ok(_) => good += 1,
                // Verdicts of an earlier version of the model, with names that are gone.
                Err(messages) if messages.iter().all(|m| m.code == "unknown-name") => unknown += 1,
                Err(messages) => panic!("{file}: {text}: {messages:#?}"),
            }
        }
    }
    println!(
        "{good} of {total} queries with a verdict lower; {without_model} belong to models that do not load, {unknown} \
         use names that are gone"
    );
    assert!(good >= 629, "{good}");
}

#[test]
fn benchmarks_have_the_published_counts() {
    let Some(shared) = shared("benchmarks") else {
        return;
    };
    let table = std::fs::read_to_string(shared.join("README.md")).expect("README.md");
    let mut seen = 0;
    for row in table.lines().filter(|line| line.starts_with("| ")) {
        let cells: Vec<&str> = row.split('|').map(str::trim).collect();
        let numbers: Vec<usize> = cells[2..]
            .iter()
            .map_while(|cell| cell.parse().ok())
            .collect();
        let [automata, clocks, integers, locations, edges, ..] = numbers[..] else {
            continue;
        };
        let found = load_file(&shared, &format!("{}.xta", cells[1]));
        let lowered = found
            .lowered
            .unwrap_or_else(|| panic!("{row}: {:?}", found.errors));
        let counts = summary(&lowered.network);
        let expected = Summary {
            automata,
            clocks,
            integers,
            locations,
            edges,
            ..counts
        };
        assert_eq!(counts, expected, "{row}");
        seen += 1;
    }
    assert_eq!(seen, 22);
}
