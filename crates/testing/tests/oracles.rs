//! The two oracles agree with each other, and the generator makes what it promises.

use merkhet_network::{Network, Query, QueryKind};
use merkhet_testing::{Answer, DigitalGraph, Obstacle, Profile, RegionGraph, generate};

const LIMIT: usize = 30_000;

fn check_agreement(seed: u64, network: &Network, queries: &[Query]) -> bool {
    let regions = match RegionGraph::build(network, queries, LIMIT) {
        Ok(graph) => graph,
        Err(Obstacle::TooLarge) => return false,
        Err(other) => panic!("seed {seed}: {other:?}"),
    };
    let digital = DigitalGraph::build(network, 12, LIMIT * 4).expect("digital clocks");
    assert_eq!(
        regions.discrete_states(),
        digital.discrete_states(),
        "seed {seed}: reachable discrete states"
    );
    for query in queries {
        let Some(verdict) = digital.verdict(query).expect("digital verdict") else {
            continue;
        };
        let answer = regions.answer(query, LIMIT).expect("region verdict");
        assert_eq!(
            answer,
            Answer::Verdict(verdict),
            "seed {seed}: {:?}",
            query.kind
        );
    }
    true
}

#[test]
fn regions_and_digital_clocks_agree_on_closed_networks() {
    let seeds = std::env::var("MERKHET_SEEDS")
        .ok()
        .and_then(|s| s.parse().ok())
        .unwrap_or(3000);
    let decided = (0..seeds)
        .filter(|&seed| {
            let (network, queries) = generate(seed, &Profile::closed());
            check_agreement(seed, &network, &queries)
        })
        .count() as u64;
    assert!(
        decided * 10 > seeds * 9,
        "only {decided} of {seeds} decided"
    );
}

#[test]
fn duality_of_liveness_and_invariance() {
    for seed in 0..300 {
        let (network, queries) = generate(seed, &Profile::everything());
        let Ok(graph) = RegionGraph::build(&network, &queries, LIMIT) else {
            continue;
        };
        let ask = |kind: QueryKind| {
            let query = Query {
                kind,
                ..queries[0].clone()
            };
            graph.answer(&query, LIMIT)
        };
        for query in &queries {
            let QueryKind::LeadsTo(p, q) = &query.kind else {
                continue;
            };
            // true --> q says more than A<> q, and p --> true says nothing.
            let truth = merkhet_network::Formula::And(Vec::new());
            let always = ask(QueryKind::LeadsTo(truth.clone(), q.clone())).expect("leads to");
            let once = ask(QueryKind::Eventually(q.clone())).expect("eventually");
            if always == Answer::Verdict(true) {
                assert_eq!(once, Answer::Verdict(true), "seed {seed}");
            }
            let nothing = ask(QueryKind::LeadsTo(p.clone(), truth)).expect("leads to");
            assert_eq!(nothing, Answer::Verdict(true), "seed {seed}");
        }
    }
}

#[test]
fn a_finer_graph_gives_the_same_answers() {
    // Larger constants refine the regions; verdicts must not depend on it.
    for seed in 0..200 {
        let profile = Profile::diagonal();
        let (network, queries) = generate(seed, &profile);
        let (_, more) = generate(
            seed + 1_000_000,
            &Profile {
                constant: 6,
                ..profile
            },
        );
        let compatible: Vec<Query> = more.into_iter().filter(|q| fits(&network, q)).collect();
        let Ok(plain) = RegionGraph::build(&network, &queries, LIMIT) else {
            continue;
        };
        let all = [queries.clone(), compatible].concat();
        let Ok(fine) = RegionGraph::build(&network, &all, LIMIT) else {
            continue;
        };
        for query in &queries {
            let (a, b) = (plain.answer(query, LIMIT), fine.answer(query, LIMIT));
            assert_eq!(a, b, "seed {seed}: {:?}", query.kind);
        }
    }
}

/// Only queries about a clock matter here, and only of clocks that exist.
fn fits(network: &Network, query: &Query) -> bool {
    let text = format!("{:?}", query.kind);
    let clocks = network.clocks.len();
    !matches!(query.kind, QueryKind::Bounds { .. })
        && !(clocks..4).any(|clock| text.contains(&format!("ClockId({clock})")))
}

#[test]
fn profiles_deliver_their_features() {
    let text = |profile: &Profile| -> String {
        (0..60)
            .map(|seed| format!("{:?}", generate(seed, profile)))
            .collect()
    };
    let everything = text(&Profile::everything());
    for feature in [
        "Broadcast",
        "Binary",
        "urgent: true",
        "Committed",
        "Urgent",
        "strict: true",
        "weak: true",
        "Deadlock",
        "LeadsTo",
        "Bounds",
        "Call",
        "Quantified",
        "Or(",
        "Not(",
        "condition: Some",
    ] {
        assert!(everything.contains(feature), "{feature} never occurs");
    }
    let stopwatches = Profile {
        stopwatches: true,
        ..Profile::default()
    };
    assert!(text(&stopwatches).contains("Rate {"));
}
