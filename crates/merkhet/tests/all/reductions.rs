//! Reductions on random networks, against the region graph: verdicts with and without are equal, and every run is
//! carried back and judged on the whole network.
//!
//! `MERKHET_RANDOM=N` checks N seeds of each profile instead of the ordinary few; `MERKHET_RANDOM_FIRST=M` moves them by
//! M, so that several runs see different networks.

use merkhet::network::{Expr, Formula, LocationId, Network, ProcessId, Query, QueryKind, Sync};
use merkhet::{Answer, Config, ReductionKind, check};
use merkhet_testing::{self as testing, Profile, RegionGraph};

const SAFE: ReductionKind = ReductionKind::Safe;
const COI: ReductionKind = ReductionKind::Influence;

/// How often what was removed.
#[derive(Default)]
struct Seen {
    removed: [usize; 2],
    carried_back: usize,
    refuted: usize,
}

/// Whether a query asks for a state. Of these, queries about deadlocks are never reduced; they are compared all the same.
fn reachability(query: &Query) -> bool {
    matches!(
        query.kind,
        QueryKind::Possibly(_) | QueryKind::Invariantly(_)
    )
}

fn compare(network: &Network, query: &Query, holds: bool, seed: u64, seen: &mut Seen) {
    for (kinds, search) in [
        (Some(vec![SAFE]), "bfs"),
        (Some(vec![COI]), "bfs"),
        (Some(vec![COI, SAFE]), "dfs"),
        (Some(vec![SAFE, COI]), "greedy"),
        // What the automatic search reduces by itself.
        (None, "auto"),
    ] {
        let config = Config {
            search: Some(search.parse().unwrap()),
            reduce: kinds.clone(),
            threads: 1,
            ..Config::default()
        };
        let report = check(network, query, &config, &mut |_| {});
        let report = report.unwrap_or_else(|failure| {
            panic!("seed {seed}, {kinds:?}: {failure:?}\n{:?}", query.kind)
        });
        let expected = if holds {
            Answer::Satisfied
        } else {
            Answer::Violated
        };
        assert_eq!(
            report.answer, expected,
            "seed {seed}, {kinds:?}, removed {:?}\n{:?}",
            report.reduced, query.kind
        );
        let removed = report.reduced.map_or(Vec::new(), |reduced| reduced.removed);
        for part in &removed {
            seen.removed[usize::from(part.kind == COI)] += 1;
        }
        if !removed.is_empty() {
            match report.trace {
                Some(_) => seen.carried_back += 1,
                None => seen.refuted += 1,
            }
        }
    }
}

/// The seeds of a test: the ordinary ones, unless others are asked for.
fn seeds(first: u64, ordinary: u64) -> std::ops::Range<u64> {
    let number = |name| std::env::var(name).ok()?.parse::<u64>().ok();
    let first = first + number("MERKHET_RANDOM_FIRST").unwrap_or(0);
    first..first + number("MERKHET_RANDOM").unwrap_or(ordinary)
}

fn run(profile: &Profile, first: u64, ordinary: u64) -> Seen {
    let mut seen = Seen::default();
    for seed in seeds(first, ordinary) {
        let (network, queries) = testing::generate(seed, profile);
        for query in queries.iter().filter(|query| reachability(query)) {
            let oracle = RegionGraph::build(&network, std::slice::from_ref(query), 20_000);
            if let Ok(testing::Answer::Verdict(holds)) =
                oracle.and_then(|graph| graph.answer(query, 20_000))
            {
                compare(&network, query, holds, seed, &mut seen);
            }
        }
    }
    seen
}

#[test]
fn networks_with_independent_parts() {
    let seen = run(&Profile::independent(), 0, 150);
    let [safe, coi] = seen.removed;
    assert!(safe > 30, "safe abstraction removed only {safe} parts");
    assert!(coi > 30, "the cone of influence removed only {coi} parts");
    assert!(seen.carried_back > 30, "{} runs", seen.carried_back);
    assert!(seen.refuted > 20, "{} refutations", seen.refuted);
}

#[test]
fn networks_with_independent_parts_and_vectors() {
    let profile = Profile {
        vectors: true,
        ..Profile::independent()
    };
    let seen = run(&profile, 50_000, 100);
    assert!(seen.removed[0] > 10, "{:?}", seen.removed);
}

#[test]
fn ordinary_networks() {
    run(&Profile::default(), 100_000, 60);
}

#[test]
fn networks_with_everything() {
    run(&Profile::everything(), 200_000, 40);
}

/// Where the whole network meets a fault or decides, the smaller one does so too: never another verdict, and no "no"
/// over a fault.
#[test]
fn faults_are_kept() {
    let profile = Profile {
        faults: true,
        ..Profile::independent()
    };
    let mut faults = 0;
    for seed in seeds(0, 150) {
        let (network, queries) = testing::generate(seed, &profile);
        for query in queries.iter().filter(|query| reachability(query)) {
            let decide = |search: &str, reduce: Option<Vec<ReductionKind>>| {
                let config = Config {
                    search: Some(search.parse().unwrap()),
                    reduce,
                    threads: 1,
                    ..Config::default()
                };
                check(&network, query, &config, &mut |_| {})
            };
            let whole = decide("bfs", Some(Vec::new()));
            faults += usize::from(whole.is_err());
            for (search, kinds) in [
                ("bfs", Some(vec![SAFE])),
                ("bfs", Some(vec![COI])),
                ("bfs", Some(vec![COI, SAFE])),
                ("auto", None),
            ] {
                let smaller = decide(search, kinds.clone());
                // With a fault somewhere, either may be met first: the run to the goal or the fault.
                if let (Ok(whole), Ok(smaller)) = (&whole, &smaller) {
                    assert_eq!(whole.answer, smaller.answer, "seed {seed}, {kinds:?}");
                }
                let nothing_found = |report: &merkhet::Report| report.trace.is_none();
                if smaller.as_ref().is_ok_and(nothing_found) {
                    assert!(whole.is_ok(), "seed {seed}, {kinds:?}: a fault is lost");
                }
                if whole.as_ref().is_ok_and(nothing_found) {
                    assert!(smaller.is_ok(), "seed {seed}, {kinds:?}: a fault is new");
                }
            }
        }
    }
    assert!(faults > 0, "no fault was met");
}

/// The running example twice, side by side; the goal asks something of both.
fn doubled(second: u32) -> (Network, Query) {
    let (mut network, query) = testing::running_example();
    let mut other = network.clone();
    for process in &mut other.processes {
        process.name = format!("{}b", process.name);
        for edge in &mut process.edges {
            if let Sync::Event(event) = &mut edge.sync {
                event.0 += 3;
            }
        }
    }
    for part in other.vectors.iter_mut().flat_map(|v| &mut v.participants) {
        part.process.0 += 3;
        part.event.0 += 3;
    }
    network.processes.extend(other.processes);
    network.events.extend(other.events);
    network.vectors.extend(other.vectors);
    let at = |process, location| Expr::At(ProcessId(process), LocationId(location));
    let both = Expr::And(vec![at(2, 3), at(5, second)]);
    let kind = QueryKind::Possibly(Formula::Data(both));
    (network, Query { kind, ..query })
}

#[test]
fn parts_without_anything_in_common_are_searched_one_by_one() {
    let config = |kinds: Vec<ReductionKind>| Config {
        search: Some("bfs".parse().unwrap()),
        reduce: Some(kinds),
        threads: 1,
        ..Config::default()
    };
    let (network, query) = doubled(3);
    let report = check(&network, &query, &config(vec![COI]), &mut |_| {}).expect("a report");
    assert_eq!(report.answer, Answer::Satisfied);
    assert_eq!(report.trace.map(|run| run.steps.len()), Some(22));
    let whole = check(&network, &query, &config(vec![]), &mut |_| {}).expect("a report");
    assert!(report.figures.explored * 4 < whole.figures.explored);
    // One part cannot be had.
    let (mut network, query) = doubled(3);
    network.processes[5].edges.pop();
    for kinds in [vec![], vec![COI], vec![COI, SAFE]] {
        let report = check(&network, &query, &config(kinds), &mut |_| {}).expect("a report");
        assert_eq!(report.answer, Answer::Violated);
    }
}
