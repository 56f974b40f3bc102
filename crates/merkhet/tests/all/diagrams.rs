//! Decision diagrams against zones: equal verdicts on random networks without clocks and with closed bounds; every
//! trace is judged. The arbiter trees as far as they are quick.
//!
//! `MERKHET_RANDOM=N` checks N seeds of each profile instead of the ordinary few.

use merkhet::network::{Network, Query, QueryKind};
use merkhet::{
    Answer, Config, DiagramOptions, Failure, Model, Report, TraceKind, check, check_with_diagrams,
};
use merkhet_testing::{self as testing, Profile};

fn by_diagrams(network: &Network, query: &Query, search: &str) -> Result<Report, Failure> {
    let options = DiagramOptions {
        search: Some(search.parse().expect("a search")),
        ..DiagramOptions::default()
    };
    let config = Config {
        trace: TraceKind::Shortest,
        ..Config::default()
    };
    check_with_diagrams(network, query, &config, &options, &mut |_| ())
}

/// Both engines decide all queries alike; how many queries were compared.
fn compare(seed: u64, profile: &Profile) -> usize {
    let (network, queries) = testing::generate(seed, profile);
    let mut compared = 0;
    for query in &queries {
        if !matches!(
            query.kind,
            QueryKind::Possibly(_) | QueryKind::Invariantly(_)
        ) {
            continue;
        }
        let config = Config {
            threads: 1,
            ..Config::default()
        };
        let Ok(expected) = check(&network, query, &config, &mut |_| {}) else {
            continue; // an evaluation fails somewhere
        };
        let mut lengths = Vec::new();
        for search in ["auto", "bfs", "guided", "saturation"] {
            let report = match by_diagrams(&network, query, search) {
                Ok(report) => report,
                Err(Failure::Undecidable(_)) => continue,
                Err(failure) => panic!("seed {seed}, {search}: {failure:?}\n{:?}", query.kind),
            };
            if report.answer.is_unknown() {
                let reason = report.reason().unwrap_or_default();
                assert!(
                    reason.contains("an evaluation fails"),
                    "seed {seed}: {reason}"
                );
                continue;
            }
            assert_eq!(
                report.answer, expected.answer,
                "seed {seed}, {search}\n{:?}",
                query.kind
            );
            compared += 1;
            lengths.push(
                report
                    .trace
                    .map(|run| (run.steps.len(), run.end_time + run.last_delay)),
            );
        }
        let steps = |run: &Option<(usize, i128)>| run.map(|(steps, time)| steps as i128 + time);
        assert!(
            lengths
                .windows(2)
                .all(|pair| steps(&pair[0]) == steps(&pair[1])),
            "seed {seed}: {lengths:?}"
        );
    }
    compared
}

fn compare_all(profile: &Profile, least: usize) {
    let count = std::env::var("MERKHET_RANDOM")
        .ok()
        .and_then(|text| text.parse().ok());
    let compared: usize = (0..count.unwrap_or(150))
        .map(|seed| compare(seed, profile))
        .sum();
    assert!(compared >= least, "only {compared} queries were compared");
}

#[test]
fn networks_without_clocks() {
    compare_all(
        &Profile {
            clocks: 0,
            ..Profile::default()
        },
        100,
    );
}

#[test]
fn closed_networks() {
    compare_all(&Profile::closed(), 100);
}

#[test]
fn networks_with_faults() {
    compare_all(
        &Profile {
            clocks: 0,
            faults: true,
            ..Profile::default()
        },
        20,
    );
}

#[test]
fn small_arbiter_trees() {
    let Some(folder) = merkhet_testing::shared("benchmarks") else {
        return;
    };
    for (name, steps) in [("A2", 12), ("A3", 14)] {
        let bytes = std::fs::read(folder.join(format!("{name}.xta"))).expect("a model");
        let queries = std::fs::read(folder.join(format!("{name}.q"))).expect("a query");
        let mut model = Model::read(&format!("{name}.xta"), &bytes);
        let (queries, _) = model.query_file("queries", &queries);
        let query = queries[0].query.as_ref().expect("a query");
        let network = model.network().expect("a network");
        let report = by_diagrams(network, query, "guided").expect("an answer");
        assert_eq!(report.answer, Answer::Satisfied, "{name}");
        assert_eq!(
            report.trace.map(|run| run.steps.len()),
            Some(steps),
            "{name}"
        );
    }
}
