//! Several threads: the verdicts of one thread, on random networks and again and again.

mod support;

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use merkhet_analysis::Demand;
use merkhet_explore::{
    Blind, Config, Estimate, Estimates, Heuristic, HeuristicFacts, Inclusion, Limits,
    ParallelOutcome, StopReason, Strategy, TieBreak, Unguided, Unranked, Verdict, concretise,
    search, search_in_parallel, search_with_threads,
};
use merkhet_network::{Formula, Network, Query, QueryKind};
use merkhet_semantics::{GoalId, Options, State, System};
use merkhet_testing::{Profile, generate};
use support::{Model, at_most, fischer, reset};

fn setting(name: &str, default: u64) -> u64 {
    std::env::var(name)
        .ok()
        .and_then(|text| text.parse().ok())
        .unwrap_or(default)
}

const STRATEGIES: [Strategy; 6] = [
    Strategy::LargestFirst,
    Strategy::BreadthFirst,
    Strategy::DepthFirst,
    Strategy::RandomDepthFirst,
    Strategy::Greedy(TieBreak::Fifo),
    Strategy::AStar,
];

const INCLUSIONS: [Inclusion; 4] = [
    Inclusion::None,
    Inclusion::Zone,
    Inclusion::Alu,
    Inclusion::Adaptive,
];

fn blind() -> Box<dyn Heuristic> {
    Box::new(Blind)
}

fn system(network: &Network, goal: Option<&Formula>) -> System {
    let formulas: Vec<&Formula> = goal.into_iter().collect();
    let options = Options {
        demand: Demand {
            formulas: &formulas,
            ..Demand::default()
        },
        ..Options::default()
    };
    System::new(network, &options).expect("a network that compiles")
}

fn goal(query: &Query) -> Option<Formula> {
    match &query.kind {
        QueryKind::Possibly(p) => Some(p.clone()),
        QueryKind::Invariantly(p) => Some(Formula::Not(Box::new(p.clone()))),
        _ => None,
    }
}

/// What two searches must agree on.
#[derive(PartialEq, Debug)]
enum Summary {
    Reachable,
    Unreachable,
    Unknown(StopReason),
    Fault,
}

fn summary(verdict: &Verdict) -> Summary {
    match verdict {
        Verdict::Reachable(_) => Summary::Reachable,
        Verdict::Unreachable(_) => Summary::Unreachable,
        Verdict::Unknown(reason) => Summary::Unknown(*reason),
    }
}

/// Compares searches of one network; says how many.
fn check(network: &Network, queries: &[Query], seed: u64) -> usize {
    let mut compared = 0;
    let goals = queries
        .iter()
        .filter_map(|query| Some((query, goal(query)?)));
    let everything = system(network, None);
    let strategy = STRATEGIES[seed as usize % STRATEGIES.len()];
    let inclusion = INCLUSIONS[seed as usize % INCLUSIONS.len()];
    let threads = 2 + seed as usize % 3;
    let config = Config {
        strategy,
        inclusion,
        seed,
        limits: Limits {
            states: Some(20_000),
            ..Limits::default()
        },
        ..Config::default()
    };
    let context = format!("seed {seed} {strategy:?} {inclusion:?} {threads} threads");
    let one = search(&everything, &config, &mut Blind, &mut |_| {});
    let many = search_in_parallel(&everything, &config, threads, &blind, &mut |_| {});
    match (&one, &many) {
        (Ok(one), Ok(many)) => {
            let limited = Summary::Unknown(StopReason::States);
            let (first, second) = (summary(&one.verdict), summary(&many.verdict));
            if first != limited && second != limited {
                assert_eq!(first, second, "{context}");
                let discrete = (one.statistics.discrete, many.statistics.discrete);
                assert_eq!(discrete.0, discrete.1, "{context}");
                assert_same_states(&everything, &one.store, many, &context);
            }
        }
        (Err(_), Err(failure)) => {
            let at = &failure.trace;
            concretise(&everything, at).expect("the failing state is reached");
        }
        _ => panic!("{context}: one has a fault, the other has none"),
    }
    for (query, goal) in goals {
        let system = system(network, Some(&goal));
        let config = Config {
            goal: Some(GoalId(0)),
            ..config
        };
        let length = |verdict: &Verdict| match verdict {
            Verdict::Reachable(trace) => Some(trace.transitions.len()),
            _ => None,
        };
        let one = search(&system, &config, &mut Blind, &mut |_| {});
        let shortest = one.as_ref().ok().and_then(|one| length(&one.verdict));
        let one = match one {
            Ok(outcome) => summary(&outcome.verdict),
            Err(_) => Summary::Fault,
        };
        let many = search_in_parallel(&system, &config, threads, &blind, &mut |_| {});
        let length = many.as_ref().ok().and_then(|many| length(&many.verdict));
        let many = match many {
            Ok(outcome) => {
                if let Verdict::Reachable(trace) = &outcome.verdict
                    && !system.over_approximate()
                {
                    let run = concretise(&system, trace).expect("a run");
                    merkhet_replay::judge_trace(network, query, &run).expect("a run that is one");
                }
                summary(&outcome.verdict)
            }
            Err(_) => Summary::Fault,
        };
        let limited = Summary::Unknown(StopReason::States);
        if one == limited || many == limited {
            continue;
        }
        if let (Some(shortest), Some(length)) = (shortest, length)
            && strategy == Strategy::AStar
        {
            assert_eq!(length, shortest, "{context}: {:?}", query.kind);
        }
        // After a fault, several threads go on to look for the goal.
        let agree = one == many || (one, many) == (Summary::Fault, Summary::Reachable);
        assert!(agree, "{context}: {:?}", query.kind);
        compared += 1;
    }
    compared
}

/// Each stored state of one is simulated by one of the other: this does not depend on the order, the zones may.
fn assert_same_states(
    system: &System,
    store: &merkhet_explore::Store,
    many: &ParallelOutcome,
    context: &str,
) {
    if !system.permits_simulation() {
        return;
    }
    let states = |store: &merkhet_explore::Store| {
        let mut memory = vec![0; system.cells().len()];
        let mut zone = vec![0; system.dimension() * system.dimension()];
        let mut states = Vec::new();
        for id in store.live_states() {
            store.load(id, &mut memory, &mut zone);
            states.push((memory[..system.key_cells()].to_vec(), zone.clone()));
        }
        states
    };
    let covered = |(memory, zone): &(Vec<i32>, Vec<i32>), by: &[(Vec<i32>, Vec<i32>)]| {
        let (mut lower, mut upper) = (vec![0; system.dimension()], vec![0; system.dimension()]);
        by.iter().any(|(other, large)| {
            memory == other && {
                system.bounds_at(&with_meta(system, memory), &mut lower, &mut upper);
                let n = system.dimension();
                merkhet_zones::zone::included_in_alu(zone, large, n, &lower, &upper)
            }
        })
    };
    let ours = states(store);
    let theirs: Vec<_> = many.stores.iter().flat_map(states).collect();
    assert!(
        ours.iter().all(|state| covered(state, &theirs)),
        "{context}"
    );
    assert!(
        theirs.iter().all(|state| covered(state, &ours)),
        "{context}"
    );
}

/// A state's memory, given its key: the values of meta variables do not count for bounds.
fn with_meta(system: &System, key: &[i32]) -> Vec<i32> {
    let mut memory = key.to_vec();
    memory.resize(system.cells().len(), 0);
    memory
}

#[test]
fn random_networks_have_one_verdict() {
    let networks = setting("MERKHET_NETWORKS", 60);
    let first = setting("MERKHET_SEED", 0);
    let profiles = [
        Profile::default(),
        Profile::timed(),
        Profile::diagonal(),
        Profile::everything(),
    ];
    let mut compared = 0;
    for profile in &profiles {
        for seed in first..first + networks {
            let (network, queries) = generate(seed, profile);
            compared += check(&network, &queries, seed);
        }
    }
    println!("{compared} verdicts compared");
    assert!(compared > 0);
}

/// Repeats searches: an order of events that loses a state, or never ends, would show sooner or later.
/// The constants are such that zones travel between threads in entries of one, two and four bytes.
#[test]
fn again_and_again() {
    for (constant, inclusion) in [
        (2, Inclusion::Zone),
        (200, Inclusion::Alu),
        (200, Inclusion::Zone),
        (20_000, Inclusion::Zone),
    ] {
        let (network, _) = fischer(4, constant, constant);
        let system = system(&network, None);
        let config = Config {
            inclusion,
            ..Config::default()
        };
        let one = search(&system, &config, &mut Blind, &mut |_| {}).expect("no fault");
        for round in 0..setting("MERKHET_ROUNDS", 20) {
            let threads = 2 + round as usize % 4;
            let many = search_in_parallel(&system, &config, threads, &blind, &mut |_| {});
            let many = many.unwrap_or_else(|failure| panic!("{failure:?}"));
            assert_eq!(summary(&many.verdict), Summary::Unreachable);
            assert_eq!(many.statistics.discrete, one.statistics.discrete);
            assert_same_states(&system, &one.store, &many, "fischer");
            assert_eq!(many.shares.len(), threads);
            assert_eq!(many.shares.iter().sum::<u64>(), many.statistics.explored);
        }
    }
}

/// With many processes, half of them decide who owns a state: nothing is lost, and every thread has its share.
#[test]
fn states_are_divided_by_some_of_the_processes() {
    const ROUND: [u32; 4] = [0, 7, 19, 33];
    let mut model = Model::default();
    let clock = model.clock("x");
    for number in 0..6 {
        let process = model.process(&format!("P{number}"), 40);
        for (source, target) in ROUND.into_iter().zip(ROUND.into_iter().cycle().skip(1)) {
            let edge = model.edge(process, source, target);
            match source {
                0 => edge.update = vec![reset(clock, 0)],
                _ => edge.guard.clocks.push(at_most(clock, 2)),
            }
        }
    }
    let system = system(&model.network, None);
    let config = Config::default();
    let one = search(&system, &config, &mut Blind, &mut |_| {}).expect("no fault");
    assert_eq!(one.statistics.discrete, 4096);
    for threads in [2, 3] {
        let many = search_in_parallel(&system, &config, threads, &blind, &mut |_| {});
        let many = many.unwrap_or_else(|failure| panic!("{failure:?}"));
        assert_eq!(summary(&many.verdict), Summary::Unreachable);
        assert_eq!(many.statistics.discrete, 4096);
        for share in &many.stores {
            assert!(share.discrete() > 4096 / threads / 3, "{threads} threads");
        }
    }
}

/// Few waiting states are left to one thread; when there are many, all begin again, and see the same.
#[test]
fn threads_begin_when_there_is_work_for_them() {
    for (processes, stores) in [(3, 1), (6, 2)] {
        let (network, _) = fischer(processes, 2, 2);
        let system = system(&network, None);
        let config = Config::default();
        let one = search(&system, &config, &mut Blind, &mut |_| {}).expect("no fault");
        let many = search_with_threads(&system, &config, 2, &blind, &mut |_| {});
        let many = many.unwrap_or_else(|failure| panic!("{failure:?}"));
        assert_eq!(summary(&many.verdict), Summary::Unreachable);
        assert_eq!(many.stores.len(), stores, "{processes} processes");
        assert_eq!(many.statistics.discrete, one.statistics.discrete);
        assert_eq!(many.shares.iter().sum::<u64>(), many.statistics.explored);
    }
}

#[test]
fn one_thread_may_be_asked_for() {
    let (network, goal) = fischer(3, 3, 2);
    let system = system(&network, Some(&goal));
    let config = Config {
        goal: Some(GoalId(0)),
        ..Config::default()
    };
    let outcome = search_in_parallel(&system, &config, 1, &blind, &mut |_| {});
    let verdict = outcome
        .unwrap_or_else(|failure| panic!("{failure:?}"))
        .verdict;
    assert_eq!(summary(&verdict), Summary::Reachable);
}

#[test]
fn limits_end_all_threads() {
    let (network, _) = fischer(6, 2, 2);
    let system = system(&network, None);
    let cancelled = AtomicBool::new(true);
    let limits = [
        (
            Limits {
                states: Some(100),
                ..Limits::default()
            },
            StopReason::States,
        ),
        (
            Limits {
                timeout: Some(Duration::ZERO),
                ..Limits::default()
            },
            StopReason::Timeout,
        ),
        (
            Limits {
                memory: Some(1),
                ..Limits::default()
            },
            StopReason::Memory,
        ),
        (
            Limits {
                cancel: Some(&cancelled),
                ..Limits::default()
            },
            StopReason::Cancelled,
        ),
    ];
    for (limits, reason) in limits {
        let config = Config {
            limits,
            ..Config::default()
        };
        let outcome = search_in_parallel(&system, &config, 3, &blind, &mut |_| {});
        let outcome = outcome.unwrap_or_else(|failure| panic!("{failure:?}"));
        assert_eq!(summary(&outcome.verdict), Summary::Unknown(reason));
        if reason == StopReason::States {
            assert_eq!(outcome.statistics.explored, 100);
        }
    }
}

/// A panic in one thread is passed on; the others do not wait for ever.
#[test]
fn a_panic_ends_all_threads() {
    struct Panics(u32);
    impl Estimates for Panics {
        fn facts(&self) -> HeuristicFacts {
            HeuristicFacts::default()
        }
        fn estimate(&mut self, _: State<'_>) -> Estimate {
            self.0 += 1;
            assert!(self.0 < 50, "enough");
            Estimate::Finite(0)
        }

        fn size(&self) -> usize {
            1
        }
    }

    impl Unguided for Panics {}

    impl Unranked for Panics {}
    let (network, _) = fischer(5, 2, 2);
    let system = system(&network, None);
    let config = Config {
        strategy: Strategy::Greedy(TieBreak::Fifo),
        ..Config::default()
    };
    let result = std::panic::catch_unwind(|| {
        let make = || -> Box<dyn Heuristic> { Box::new(Panics(0)) };
        search_in_parallel(&system, &config, 3, &make, &mut |_| {}).is_ok()
    });
    assert!(result.is_err());
}
