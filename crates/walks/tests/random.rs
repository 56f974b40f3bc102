//! Walks through random networks: every run is one for the judge, and what can be reached is reached.
//!
//! `MERKHET_RANDOM=20000 cargo test -p merkhet-walks --test random --release` for a long run.

use merkhet_network::{Formula, Network, Query, QueryKind, SiteId, Tuning};
use merkhet_replay::{forbids_initial_state, judge_trace};
use merkhet_testing::{Answer, Obstacle, Profile, RegionGraph, generate};
use merkhet_walks::{Depths, Lane, Model, Policy, Settings, Walker, tuning};

/// The number of nodes of a region graph beyond which a network is left out.
const LIMIT: usize = 4_000;
/// Steps within which a walk meets everything that a small network can reach.
const STEPS: u64 = 200_000;

fn seeds() -> u64 {
    let count = std::env::var("MERKHET_RANDOM").ok();
    count.and_then(|count| count.parse().ok()).unwrap_or(150)
}

fn explore() -> Query {
    Query {
        text: String::new(),
        comment: String::new(),
        kind: QueryKind::Explore,
        site: SiteId::NONE,
    }
}

/// What a walk is to find for a query, and the oracle's answer if it is found.
fn goal(query: &Query) -> Option<(Formula, bool)> {
    match &query.kind {
        QueryKind::Possibly(goal) => Some((goal.clone(), true)),
        QueryKind::Invariantly(formula) => Some((Formula::Not(Box::new(formula.clone())), false)),
        _ => None,
    }
}

fn walker(model: &Model, policy: Policy, seed: u64) -> Option<Walker<'_>> {
    let lane = |depths| Lane::Free { policy, depths };
    let settings = Settings {
        lanes: vec![lane(Depths::Doubling), lane(Depths::Luby), Lane::Guided],
        depth: None,
        seed,
    };
    Walker::new(model, settings).ok()
}

/// Runs of several lengths are accepted by the judge.
fn runs(network: &Network, seed: u64, name: &str) -> usize {
    let model = Model::new(network, None).expect("small");
    let mut judged = 0;
    for (label, policy) in Policy::ALL {
        let Some(mut walker) = walker(&model, policy, seed) else {
            continue;
        };
        for _ in 0..12 {
            walker.advance(7);
            let trace = walker.present();
            let verdict = judge_trace(network, &explore(), &trace);
            if let Err(rejection) = verdict {
                panic!("{name} {seed} {label}: {rejection}\n{trace:?}\n{network:#?}");
            }
            judged += trace.steps.len();
        }
    }
    judged
}

/// What is found is accepted by the judge, and found exactly where the oracle says so.
fn goals(network: &Network, queries: &[Query], seed: u64, name: &str) -> (usize, usize) {
    let graph = match RegionGraph::build(network, queries, LIMIT) {
        Ok(graph) => graph,
        Err(Obstacle::Fault) | Err(_) => return (0, 0),
    };
    let (mut found, mut absent) = (0, 0);
    for query in queries {
        let Some((goal, wanted)) = goal(query) else {
            continue;
        };
        let Ok(Answer::Verdict(holds)) = graph.answer(query, LIMIT) else {
            continue;
        };
        let model = Model::new(network, Some(&goal)).expect("small");
        let expected = holds == wanted;
        // The other policies leave some transitions to chances that are too small, or to none.
        let (label, policy) = match expected {
            true => ("ret", Policy::Ret),
            false => Policy::ALL[seed as usize % Policy::ALL.len()],
        };
        let Some(mut walker) = walker(&model, policy, seed) else {
            continue;
        };
        let steps = if expected { STEPS } else { STEPS / 100 };
        match walker.advance(steps) {
            Some(trace) => {
                assert!(
                    expected,
                    "{name} {seed} {label}: found what is not there, {query:?}"
                );
                if let Err(rejection) = judge_trace(network, query, &trace) {
                    panic!(
                        "{name} {seed} {label}: {rejection}\n{trace:?}\n{query:?}\n{network:#?}"
                    );
                }
                found += 1;
            }
            None if expected => panic!(
                "{name} {seed} {label}: missed {query:?}\n{:?} {:?}\n{network:#?}",
                walker.statistics(),
                walker.first_fault(),
            ),
            None => absent += 1,
        }
    }
    (found, absent)
}

fn check(name: &str, profile: &Profile, exact: bool) {
    let (mut judged, mut found, mut absent) = (0, 0, 0);
    for seed in 0..seeds() {
        let (network, queries) = generate(seed, profile);
        if forbids_initial_state(&network).is_some() {
            continue;
        }
        judged += runs(&network, seed, name);
        if exact {
            let (more, none) = goals(&network, &queries, seed, name);
            found += more;
            absent += none;
        }
    }
    println!("{name}: {judged} steps judged, {found} goals found, {absent} absent");
    assert!(judged > 0, "{name}: no step was judged");
    assert!(
        !exact || (found > 0 && absent > 0),
        "{name}: nothing to compare"
    );
}

#[test]
fn walks_agree_with_judge_and_oracle_on_ordinary_networks() {
    check("default", &Profile::default(), true);
}

#[test]
fn walks_agree_with_judge_and_oracle_on_timed_networks() {
    check("timed", &Profile::timed(), true);
    check("diagonal", &Profile::diagonal(), true);
}

#[test]
fn walks_agree_with_judge_and_oracle_on_closed_and_crowded_networks() {
    check("closed", &Profile::closed(), true);
    check("crowded", &Profile::crowded(), true);
    check("independent", &Profile::independent(), true);
}

#[test]
fn walks_agree_with_judge_and_oracle_with_priorities_vectors_and_timed_receivers() {
    check("everything", &Profile::everything(), true);
}

#[test]
fn walks_are_runs_with_faults_and_stopwatches() {
    check("faulty", &Profile::faulty(), false);
    let stopwatches = Profile {
        stopwatches: true,
        ..Profile::everything()
    };
    check("stopwatches", &stopwatches, false);
}

/// Numbers that are set count.
#[test]
fn walks_are_tuned() {
    let (network, _) = generate(1, &Profile::default());
    let depth = |settings: &[&str]| {
        let mut tuning = Tuning::default();
        for text in settings {
            tuning.set(&[tuning::ALL], text).expect("a tunable");
        }
        let model = Model::new(&network, None).expect("small").tuned(&tuning);
        walker(&model, Policy::Sem, 0)
            .expect("an initial state")
            .statistics()
            .depth
    };
    assert_eq!((depth(&[]), depth(&["walks.depth=3"])), (16, 3));
}
