//! The shared SMV models against the recorded verdicts of another tool.
//!
//! The small models are checked in every run; `MERKHET_SMV_ALL=1` checks all, with 40 seconds a
//! file (or `MERKHET_SMV_SECONDS`), and prints the figures. `MERKHET_SMV_ONLY=part` picks files.

use merkhet_lower::smv::lower_smv;
use merkhet_smv::tree::SpecificationKind;
use merkhet_smv::{read_smv, read_specification};
use merkhet_symbolic::check::{Options, SpecResult, Verdict, check_system};
use merkhet_symbolic::limits::{Limits, Stop};
use std::collections::BTreeMap;
use std::path::Path;
use std::time::{Duration, Instant};

/// Models that take well below a second each.
const SMALL: [&str; 27] = [
    "bmc_tutorial/bmc_tutorial.smv",
    "brp/brp.smv",
    "deadlock/over12.smv",
    "example_cmu/counter.smv",
    "example_cmu/dme1.smv",
    "example_cmu/dme2.smv",
    "example_cmu/gigamax.smv",
    "example_cmu/mutex.smv",
    "example_cmu/mutex1.smv",
    "example_cmu/periodic.smv",
    "example_cmu/ring.smv",
    "example_cmu/semaphore.smv",
    "example_cmu/short.smv",
    "example_cmu/syncarb5.smv",
    "example_irst/gigamax.smv",
    "example_irst/gigamax_ltl.smv",
    "example_irst/periodic.smv",
    "abp/abp4.smv",
    "abp/abp16.smv",
    "prod-cons/prod-cons.smv",
    "production-cell/production-cell.smv",
    "smv-dist/counter.smv",
    "smv-dist/mutex1.smv",
    "smv-dist/short.smv",
    "smv-dist/syncarb5.smv",
    "smv-dist/syncarb10.smv",
    "smv-dist/semaphore.smv",
];

/// One text for all ways to write a formula.
fn canonical(text: &str) -> String {
    match read_specification(SpecificationKind::Ctl, text) {
        Ok(specification) => {
            let context = specification
                .context
                .map(|context| format!(" IN {context}"));
            format!("{}{}", specification.formula, context.unwrap_or_default())
        }
        Err(errors) => panic!("{text}: {errors:?}"),
    }
}

/// By file: the formulas with their recorded truth.
fn recorded(folder: &Path) -> BTreeMap<String, Vec<(String, bool)>> {
    let text = std::fs::read_to_string(folder.join("verdicts.tsv")).unwrap();
    let mut verdicts: BTreeMap<String, Vec<(String, bool)>> = BTreeMap::new();
    for line in text.lines().skip(1) {
        let fields: Vec<&str> = line.split('\t').collect();
        let entry = verdicts.entry(fields[0].to_owned()).or_default();
        if fields[1] != "-" {
            entry.push((canonical(fields[1]), fields[2] == "true"));
        }
    }
    verdicts
}

fn check_file(path: &Path, seconds: u64) -> Vec<SpecResult> {
    let text = String::from_utf8_lossy(&std::fs::read(path).unwrap()).into_owned();
    let (program, _) = read_smv(&text);
    let lowered = lower_smv(&program);
    let system =
        (lowered.system).unwrap_or_else(|| panic!("{}: {:?}", path.display(), lowered.diagnostics));
    let limits = Limits {
        deadline: Some(Instant::now() + Duration::from_secs(seconds)),
        ..Limits::default()
    };
    check_system(
        &system,
        &Options {
            limits,
            ..Options::default()
        },
    )
}

/// Processor time of this process so far, where the system tells it.
fn cpu_seconds() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let fields: Vec<&str> = stat
        .rsplit(')')
        .next()
        .unwrap_or("")
        .split_whitespace()
        .collect();
    let ticks = |index: usize| fields.get(index).and_then(|f| f.parse::<f64>().ok());
    (ticks(11).unwrap_or(0.0) + ticks(12).unwrap_or(0.0)) / 100.0
}

#[derive(Default)]
struct Tally {
    agreed: usize,
    disagreed: Vec<String>,
    undecided: Vec<String>,
    missing: Vec<String>,
}

fn compare(file: &str, recorded: &[(String, bool)], results: &[SpecResult], tally: &mut Tally) {
    let mut found: BTreeMap<String, &SpecResult> = BTreeMap::new();
    for result in results {
        found.insert(canonical(&result.text), result);
    }
    for (formula, truth) in recorded {
        let name = format!("{file}: {}", formula.chars().take(100).collect::<String>());
        match found.get(formula).map(|result| &result.verdict) {
            Some(Verdict::Holds) if *truth => tally.agreed += 1,
            Some(Verdict::Fails) if !*truth => tally.agreed += 1,
            Some(Verdict::Unknown(stop)) => tally.undecided.push(format!("{name}: {stop}")),
            Some(_) => tally.disagreed.push(name),
            None => tally.missing.push(name),
        }
    }
}

#[test]
fn recorded_verdicts_are_met() {
    let Some(folder) = merkhet_testing::shared("smv") else {
        return;
    };
    let all = std::env::var_os("MERKHET_SMV_ALL").is_some();
    let only = std::env::var("MERKHET_SMV_ONLY").ok();
    let seconds = std::env::var("MERKHET_SMV_SECONDS")
        .ok()
        .and_then(|s| s.parse().ok());
    let seconds = seconds.unwrap_or(40);
    let mut total_cpu = 0.0;
    let mut tally = Tally::default();
    let mut new_decisions = Vec::new();
    for (file, verdicts) in recorded(&folder) {
        let wanted = match &only {
            Some(part) => file.contains(part.as_str()),
            None => all || SMALL.contains(&file.as_str()),
        };
        if !wanted {
            continue;
        }
        let (start, cpu) = (Instant::now(), cpu_seconds());
        let results = check_file(&folder.join("models").join(&file), seconds);
        let cpu = cpu_seconds() - cpu;
        total_cpu += cpu;
        let decided = |r: &&SpecResult| !matches!(r.verdict, Verdict::Unknown(_));
        println!(
            "{file}: {}/{} decided, {cpu:.2} s CPU, {:.2} s, {} nodes at most",
            results.iter().filter(decided).count(),
            results.len(),
            start.elapsed().as_secs_f64(),
            results
                .iter()
                .map(|r| r.statistics.diagrams.peak_nodes)
                .max()
                .unwrap_or(0),
        );
        for result in &results {
            let rejected = matches!(result.verdict, Verdict::Unknown(Stop::Internal(_)));
            assert!(!rejected, "{file}: {} {:?}", result.text, result.verdict);
            if all || only.is_some() {
                let text: String = result.text.chars().take(90).collect();
                let steps = result.trace.as_ref().map(|trace| trace.steps());
                println!(
                    "    {:?} {:.2} s, trace {steps:?} {:?}: {text}",
                    result.verdict,
                    result.statistics.time.as_secs_f64(),
                    result.notes,
                );
            }
        }
        if verdicts.is_empty() && !results.is_empty() && results.iter().all(|r| decided(&r)) {
            new_decisions.push(file.clone());
        }
        compare(&file, &verdicts, &results, &mut tally);
    }
    println!(
        "agreed {}, disagreed {}, undecided {}, missing {}; {total_cpu:.1} s CPU; decided beyond the record: {new_decisions:?}",
        tally.agreed,
        tally.disagreed.len(),
        tally.undecided.len(),
        tally.missing.len(),
    );
    assert!(tally.disagreed.is_empty(), "{:#?}", tally.disagreed);
    assert!(tally.missing.is_empty(), "{:#?}", tally.missing);
    if all || only.is_some() {
        println!("undecided: {:#?}", tally.undecided);
    } else {
        assert!(tally.undecided.is_empty(), "{:#?}", tally.undecided);
        assert!(tally.agreed >= 50, "{}", tally.agreed);
    }
}
