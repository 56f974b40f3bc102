//! Flat models through reader, lowering and search: as many discrete states as TChecker 0.8 finds.
//!
//! The counts were read off the graphs that `tck-reach -a reach -C graph` writes, as the number of different pairs of
//! locations and values. They do not depend on how zones are enlarged or covered.

use merkhet_lower::tck::{lower_label_query, lower_tck};
use merkhet_network::{Formula, Network, QueryKind};
use merkhet_search::{Blind, Config, Statistics, Verdict, search};
use merkhet_semantics::{GoalId, Options, System};
use merkhet_syntax::tck::read_tck;
use merkhet_syntax::{FileId, SourceMap};
use std::path::{Path, PathBuf};

fn network(path: &Path) -> Network {
    let bytes = std::fs::read(path).unwrap_or_else(|error| panic!("{path:?}: {error}"));
    let (tree, diagnostics) = read_tck(&bytes);
    assert!(diagnostics.is_empty(), "{path:?}: {diagnostics:?}");
    let mut sources = SourceMap::new();
    sources.insert(FileId::MODEL, path.display().to_string(), &bytes);
    let (network, diagnostics) = lower_tck(&tree, &sources);
    assert!(diagnostics.is_empty(), "{path:?}: {diagnostics:?}");
    network.unwrap_or_else(|| panic!("{path:?}"))
}

fn explore(network: &Network) -> Statistics {
    let system = System::new(network, &Options::default()).expect("a network that compiles");
    let outcome = search(&system, &Config::default(), &mut Blind, &mut |_| ());
    let outcome = outcome.unwrap_or_else(|failure| panic!("{:?}", failure.fault));
    assert!(matches!(outcome.verdict, Verdict::Unreachable(_)));
    outcome.statistics
}

fn is_reachable(network: &Network, query: &str) -> bool {
    let (lowered, diagnostics) = lower_label_query(network, query);
    let Some(QueryKind::Possibly(goal)) = lowered.map(|query| query.kind) else {
        panic!("{query}: {diagnostics:?}");
    };
    let goals: [&Formula; 1] = [&goal];
    let mut options = Options::default();
    options.demand.formulas = &goals;
    let system = System::new(network, &options).expect("a network that compiles");
    let config = Config {
        goal: Some(GoalId(0)),
        ..Config::default()
    };
    match search(&system, &config, &mut Blind, &mut |_| ()) {
        Ok(outcome) => match outcome.verdict {
            Verdict::Reachable(_) => true,
            Verdict::Unreachable(_) => false,
            Verdict::Unknown(reason) => panic!("{query}: {reason:?}"),
        },
        Err(failure) => panic!("{query}: {:?}", failure.fault),
    }
}

/// One of our own models: its discrete states, and labels with whether they can be reached.
fn check(name: &str, discrete: u64, labels: &[(&str, bool)]) {
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/flat");
    let network = network(&data.join(name));
    assert_eq!(explore(&network).discrete, discrete, "{name}");
    for (label, reachable) in labels {
        let found = is_reachable(&network, &format!("E<> {label}"));
        assert_eq!(found, *reachable, "{name}: {label}");
    }
}

#[test]
fn weak_participants_join_by_location() {
    check("weak.tck", 37, &[("sent", true), ("full", true)]);
}

#[test]
fn updates_run_in_the_order_of_the_vector() {
    check("order.tck", 13, &[("odd", true)]);
}

#[test]
fn arrays_loops_and_local_variables() {
    check(
        "arrays.tck",
        8,
        &[("done", true), ("P.done && total == 6", true)],
    );
}

#[test]
fn clocks_are_copied() {
    check("copies.tck", 5, &[("late", true), ("never", false)]);
}

/// One more than TChecker's 8: the state in which nobody has chosen yet.
#[test]
fn several_initial_locations() {
    check(
        "starts.tck",
        8 + 1,
        &[("pa", true), ("pc", true), ("pa,pc", false)],
    );
}

#[test]
fn urgent_and_committed_locations() {
    check("urgent.tck", 35, &[("both", true)]);
}

#[test]
fn pairs_meet_as_their_vectors_say() {
    check("pairs.tck", 44, &[("high", true), ("n == 20", false)]);
}

/// Models of the race: discrete states, and no more states than TChecker's covreach visits.
#[test]
fn shared_models_have_as_many_states() {
    let root = std::env::var_os("MERKHET_SHARED").map_or_else(
        || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared"),
        PathBuf::from,
    );
    for (name, visited) in [
        ("fischer_8_10_10", 40536),
        ("csmacd_9_808_26", 55554),
        ("fddi_10_500_20_0", 10219),
        ("scheduler_3_2_1", 49017),
        ("mutexloop_2_1_6", 23063),
    ] {
        let path = root.join(format!("peers/models/{name}.tck"));
        if !path.exists() {
            println!("SKIPPED: {path:?} is not there");
            continue;
        }
        let statistics = explore(&network(&path));
        assert!(statistics.explored <= visited, "{name}: {statistics:?}");
        if name.starts_with("mutexloop") {
            assert_eq!(statistics.discrete, 871);
        }
    }
}
