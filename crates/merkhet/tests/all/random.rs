//! Every kind of query on random networks, against the region graph: verdicts equal, every trace judged, every
//! certificate accepted, damaged ones rejected. `cargo xtask random` does the same for as many networks as is wanted.

use crate::networks::{Extent, Tally, check_network};
use merkhet::network::QueryKind;
use merkhet::{Config, Failure, check};
use merkhet_testing::{self as testing, Profile};

fn run(profile: &Profile, first: u64, count: u64) {
    let mut sum = Tally::default();
    for seed in first..first + count {
        match check_network(profile, seed, Extent::Sample) {
            Ok(tally) => sum += tally,
            Err(problem) => panic!("seed {seed} of {profile:?}: {problem}"),
        }
    }
    assert!(sum.queries > 0, "no network was decided");
    assert!(sum.rejected > 0, "nothing was damaged");
}

/// What long runs found.
#[test]
fn fossils() {
    // `p --> q` with a loop whose first state satisfies q before it satisfies p.
    run(&Profile::everything(), 530_171, 1);
    // `E<> deadlock` where an urgent guard cuts the passage of time.
    run(&Profile::everything(), 200_527, 1);
    // `-->` that fails because time stands still in an urgent location.
    run(&Profile::timed(), 1, 1);
    // Transitions put off as useless, where one abstract edge stands for several.
    run(&Profile::diagonal(), 58, 1);
    run(&Profile::independent(), 102, 1);
    run(&Profile::crowded(), 349, 1);
    // Least time to a deadlock.
    run(&Profile::timed(), 217, 1);
    // Evaluations that fail only where no run comes: at a deadlock under urgency, in the engine and in the judge.
    run(&Profile::faulty(), 2_279, 1);
    run(&Profile::faulty(), 4_023, 1);
    run(&Profile::faulty(), 9_183, 1);
    // A breadth-first search whose later, larger states take the place of shallow ones.
    run(&Profile::independent(), 118, 1);
    // `A<>` and `E[]` that hold before a fault can come: proved in spite of it.
    for seed in [1_767, 1_791] {
        check_network(&Profile::faulty(), seed, Extent::Sample).unwrap();
    }
    // The supremum of a clock that grows without end, next to updates of every transition, and among many symbolic states.
    run(&Profile::everything(), 7_008_835, 1);
    run(&Profile::independent(), 8_001_342, 1);
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
fn closed_networks() {
    run(&Profile::closed(), 40_000, 20);
}

#[test]
fn networks_of_four_processes() {
    run(&Profile::crowded(), 50_000, 20);
}

#[test]
fn a_fault_is_located_and_never_a_verdict() {
    let profile = Profile::faulty();
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
