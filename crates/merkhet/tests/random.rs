//! Every kind of query on random networks, against the region graph: verdicts equal, every trace judged, every
//! certificate accepted.
//!
//! `MERKHET_RANDOM=N` checks N seeds of each profile instead of the ordinary few; `MERKHET_RANDOM_FIRST=M` moves them by
//! M, so that several runs see different networks.

use merkhet::network::{Network, Query, QueryKind};
use merkhet::{
    Answer, Bound, Config, Extrapolation, Failure, Inclusion, Prune, Report, TraceKind, check,
    replay,
};
use merkhet_testing::{self as testing, End, Obstacle, Profile, RegionGraph};

fn configurations() -> Vec<Config> {
    let base = Config {
        threads: 1,
        ..Config::default()
    };
    // Proofs may need a second, exact search: one configuration makes them.
    let mut all = vec![Config {
        certificate: true,
        ..base.clone()
    }];
    for (threads, certificate) in [(2, true), (3, false)] {
        all.push(Config {
            threads,
            certificate,
            ..base.clone()
        });
    }
    for search in [
        "bfs", "largest", "dfs", "rdfs", "greedy", "astar", "wastar:2",
    ] {
        all.push(Config {
            search: Some(search.into()),
            ..base.clone()
        });
    }
    for extrapolation in [Extrapolation::M, Extrapolation::MPlus, Extrapolation::Lu] {
        all.push(Config {
            extrapolation: Some(extrapolation),
            ..base.clone()
        });
    }
    for inclusion in [Inclusion::None, Inclusion::Alu] {
        all.push(Config {
            inclusion: Some(inclusion),
            ..base.clone()
        });
    }
    for heuristic in [
        "dl",
        "du",
        "hl",
        "hu",
        "hcg",
        "pa",
        "pa:syn",
        "pa:2abs(combine=sum)",
        "pa(restart=3)",
    ] {
        let search = Some("greedy".to_string());
        all.push(Config {
            search,
            heuristic: Some(heuristic.into()),
            ..base.clone()
        });
    }
    for heuristic in ["hl", "hu", "hcg"] {
        all.push(Config {
            search: Some("greedy".to_string()),
            heuristic: Some(heuristic.into()),
            prune: Some(Prune::Useless),
            ..base.clone()
        });
    }
    for heuristic in ["dl", "hl", "pa", "pa:seed"] {
        let search = Some("astar".to_string());
        let trace = TraceKind::Shortest;
        all.push(Config {
            search,
            heuristic: Some(heuristic.into()),
            trace,
            ..base.clone()
        });
    }
    all
}

fn is_reachability(query: &Query) -> bool {
    matches!(
        query.kind,
        QueryKind::Possibly(_) | QueryKind::Invariantly(_)
    )
}

fn compare(
    seed: u64,
    network: &Network,
    query: &Query,
    config: &Config,
    expected: &testing::Answer,
) {
    let describe = || format!("seed {seed}, {config:?}\nquery {:?}", query.kind);
    let report = match check(network, query, config, &mut |_| {}) {
        Ok(report) => report,
        Err(failure) => panic!("{failure:?}\n{}", describe()),
    };
    match expected {
        testing::Answer::Verdict(holds) => {
            let answer = if *holds {
                Answer::Satisfied
            } else {
                Answer::Violated
            };
            assert_eq!(report.answer, answer, "{:?}\n{}", report.reason, describe());
            certified(network, query, &report, &describe);
        }
        testing::Answer::Explored(states) => {
            assert_eq!(report.figures.discrete, *states as u64, "{}", describe())
        }
        testing::Answer::Ranges(ranges) => {
            for (value, range) in report.values.iter().zip(ranges) {
                let end = |end: End| match end {
                    End::Closed(value) => Bound::Reached(value.into()),
                    End::Open(value) => Bound::NotReached(value.into()),
                    End::Infinite => Bound::Infinite,
                };
                if value.infimum.is_some() {
                    assert_eq!(
                        value.infimum,
                        range.map(|range| end(range.low)),
                        "inf\n{}",
                        describe()
                    );
                }
                if value.supremum.is_some() {
                    assert_eq!(
                        value.supremum,
                        range.map(|range| end(range.high)),
                        "sup\n{}",
                        describe()
                    );
                }
            }
        }
    }
}

fn certified(network: &Network, query: &Query, report: &Report, describe: &dyn Fn() -> String) {
    if let Some(certificate) = &report.certificate {
        let verdict = replay::certify(network, query, certificate);
        assert!(
            verdict.is_ok(),
            "certificate refused: {:?}\n{}",
            verdict,
            describe()
        );
    }
}

fn run(profile: &Profile, first: u64, ordinary: u64) {
    let number = |name| std::env::var(name).ok().and_then(|text| text.parse().ok());
    let wanted: Option<u64> = number("MERKHET_RANDOM");
    let first = first + number("MERKHET_RANDOM_FIRST").unwrap_or(0);
    let seeds = first..first + wanted.unwrap_or(ordinary);
    let decided: usize = seeds.map(|seed| decide(profile, seed)).sum();
    assert!(decided > 0, "no network was decided");
}

/// Checks the network of a seed; the number of queries that the oracle decides.
fn decide(profile: &Profile, seed: u64) -> usize {
    let configurations = configurations();
    let mut decided = 0;
    let (network, queries) = testing::generate(seed, profile);
    for query in &queries {
        let oracle = RegionGraph::build(&network, std::slice::from_ref(query), 20_000);
        match oracle.and_then(|graph| graph.answer(query, 20_000)) {
            Ok(expected) => {
                let count = if is_reachability(query) {
                    configurations.len()
                } else {
                    1
                };
                for config in &configurations[..count] {
                    compare(seed, &network, query, config, &expected);
                }
                decided += 1;
            }
            Err(Obstacle::Fault) => {
                // The engine may find the goal before it meets the fault; it must not prove anything.
                if let Ok(report) = check(&network, query, &configurations[0], &mut |_| {}) {
                    assert!(
                        report.certificate.is_none(),
                        "seed {seed}: a proof in spite of a fault"
                    );
                }
            }
            Err(_) => {}
        }
    }
    decided
}

/// What long runs found.
#[test]
fn fossils() {
    // `p --> q` with a loop whose first state satisfies q before it satisfies p.
    decide(&Profile::everything(), 530_171);
}

#[test]
fn ordinary_networks() {
    run(&Profile::default(), 0, 60);
}

#[test]
fn timed_networks() {
    run(&Profile::timed(), 10_000, 30);
}

#[test]
fn networks_with_differences_of_clocks() {
    run(&Profile::diagonal(), 20_000, 30);
}

#[test]
fn networks_with_everything() {
    run(&Profile::everything(), 30_000, 40);
}

#[test]
fn a_fault_is_located_and_never_a_verdict() {
    let profile = Profile {
        faults: true,
        ..Profile::default()
    };
    let mut faults = 0;
    for seed in 0..200 {
        let (network, queries) = testing::generate(seed, &profile);
        for query in queries
            .iter()
            .filter(|query| matches!(query.kind, QueryKind::Explore | QueryKind::Invariantly(_)))
        {
            if let Err(Failure::Fault { message, .. }) =
                check(&network, query, &Config::default(), &mut |_| {})
            {
                assert!(!message.is_empty());
                faults += 1;
            }
        }
    }
    assert!(faults > 0, "no fault was met");
}
