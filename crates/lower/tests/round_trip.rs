//! A network printed as XTA and read again is the same network, up to what the normal form forgets.

use merkhet_lower::lower_model;
use merkhet_network::Network;
use merkhet_network::print::{normalised, xta};
use merkhet_syntax::{FileId, SourceMap, read_model};
use merkhet_testing::{Profile, generate};
use std::path::PathBuf;

/// The folder with the real models, if it is there.
fn shared() -> Option<PathBuf> {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..");
    let candidates = [
        std::env::var_os("MERKHET_SHARED").map(PathBuf::from),
        Some(root.join("../shared")),
        Some(root.join("../../shared")),
    ];
    candidates.into_iter().flatten().find(|path| path.is_dir())
}

/// The network of a model, or the first message about why there is none.
fn read(name: &str, bytes: &[u8]) -> Result<Network, String> {
    let mut sources = SourceMap::new();
    sources.insert(FileId::MODEL, name, bytes);
    let (model, syntax) = read_model(name, bytes);
    let (lowered, messages) = lower_model(&model, &sources);
    lowered.map(|lowered| lowered.network).ok_or_else(|| {
        let error = syntax
            .iter()
            .chain(&messages)
            .find(|message| message.is_error());
        error.map_or("no message".into(), |error| {
            let at = sources.start(error.span);
            let (line, column) = at.map_or((0, 0), |at| (at.line, at.column));
            format!("{line}:{column}: {}", error.message)
        })
    })
}

/// What came out of printing and reading a network again.
#[derive(Debug, PartialEq)]
enum Outcome {
    Equal,
    /// XTA has no form for it.
    Unprintable(String),
    /// What was printed cannot be read.
    Unreadable(String),
    /// The part that differs.
    Different(String),
}

fn round_trip(network: &Network) -> Outcome {
    let text = match xta(network) {
        Ok(text) => text,
        Err(error) => return Outcome::Unprintable(error.to_string()),
    };
    let again = match read("printed.xta", text.as_bytes()) {
        Ok(again) => again,
        Err(message) => return Outcome::Unreadable(format!("{message}\n{}", show(&text))),
    };
    let (first, second) = (normalised(network), normalised(&again));
    match first == second {
        true => Outcome::Equal,
        false => Outcome::Different(format!("{}\n{}", difference(&first, &second), show(&text))),
    }
}

fn show(text: &str) -> String {
    match std::env::var("SHOW") {
        Ok(_) => text.to_string(),
        Err(_) => String::new(),
    }
}

/// The first lines in which two networks differ.
fn difference(first: &Network, second: &Network) -> String {
    let (first, second) = (format!("{first:#?}"), format!("{second:#?}"));
    let mut context = Vec::new();
    for (number, (a, b)) in first.lines().zip(second.lines()).enumerate() {
        if a != b {
            let from = number.saturating_sub(14);
            context.extend(
                first
                    .lines()
                    .skip(from)
                    .take(30)
                    .map(|line| format!("< {line}")),
            );
            context.extend(
                second
                    .lines()
                    .skip(from)
                    .take(30)
                    .map(|line| format!("> {line}")),
            );
            break;
        }
    }
    context.join("\n")
}

/// Checks a file; gives what went wrong.
fn check(name: &str, bytes: &[u8]) -> Option<String> {
    let network = read(name, bytes).ok()?;
    match round_trip(&network) {
        Outcome::Equal => None,
        outcome => Some(format!(
            "{name}: {}",
            format!("{outcome:?}").replace("\\n", "\n")
        )),
    }
}

/// By default one model in eight, and none of the very large ones; all of them with `MERKHET_FULL`.
#[test]
fn corpus() {
    let Some(shared) = shared() else {
        println!("SKIPPED: no shared models");
        return;
    };
    let filter = std::env::var("FILTER").unwrap_or_default();
    let full = std::env::var_os("MERKHET_FULL").is_some();
    let table = std::fs::read_to_string(shared.join("corpus/models.tsv")).unwrap();
    let mut failures = Vec::new();
    let mut total = 0;
    for (number, row) in table.lines().skip(1).enumerate() {
        let file = row.split('\t').next().unwrap();
        if !file.contains(&filter) || (!full && filter.is_empty() && number % 8 != 0) {
            continue;
        }
        let bytes = std::fs::read(shared.join("corpus/models").join(file)).unwrap();
        if !full && bytes.len() > 200_000 {
            continue;
        }
        total += 1;
        let start = std::time::Instant::now();
        failures.extend(check(file, &bytes));
        if start.elapsed().as_millis() > 1000 {
            println!("{:?} {file}", start.elapsed());
        }
    }
    println!("{total} models, {} failures", failures.len());
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

#[test]
fn benchmarks() {
    let Some(shared) = shared() else {
        println!("SKIPPED: no shared models");
        return;
    };
    for entry in std::fs::read_dir(shared.join("benchmarks")).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().to_string();
        if name.ends_with(".xta") {
            let bytes = std::fs::read(&path).unwrap();
            assert!(read(&name, &bytes).is_ok(), "{name}");
            let failure = check(&name, &bytes);
            assert!(failure.is_none(), "{failure:?}");
        }
    }
}

#[test]
fn examples() {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let mut total = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().to_string();
        if name.ends_with(".xta") || name.ends_with(".xml") {
            total += 1;
            let bytes = std::fs::read(&path).unwrap();
            assert!(read(&name, &bytes).is_ok(), "{name}");
            let failure = check(&name, &bytes);
            assert!(failure.is_none(), "{failure:?}");
        }
    }
    assert!(total > 0, "there are no examples");
}

#[test]
fn random_networks() {
    let profile = Profile {
        diagonals: true,
        broadcast_clock_guards: true,
        urgent_clock_guards: true,
        stopwatches: true,
        faults: true,
        variables: 4,
        ..Profile::default()
    };
    for seed in 0..300 {
        let (network, _) = generate(seed, &profile);
        let outcome = round_trip(&network);
        assert!(
            outcome == Outcome::Equal,
            "seed {seed}: {}",
            format!("{outcome:?}").replace("\\n", "\n")
        );
    }
}
