//! Flat models through reader, lowering and search: as many discrete states as TChecker 0.8 finds.
//!
//! The counts were read off the graphs that `tck-reach -a reach -C graph` writes, as the number of different pairs of
//! locations and values. They do not depend on how zones are enlarged or covered.

use super::support::{decide, explore, read_file, shared};
use std::path::Path;

/// One of our own models: its discrete states, and labels with whether they can be reached.
fn check(name: &str, discrete: u64, labels: &[(&str, bool)]) {
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/flat");
    let mut model = read_file(&data.join(name));
    assert_eq!(explore(&mut model).discrete, discrete, "{name}");
    for (label, reachable) in labels {
        let found = decide(&mut model, &format!("E<> {label}"));
        assert_eq!(found.0, *reachable, "{name}: {label}");
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
    for (name, visited) in [
        ("fischer_8_10_10", 40536),
        ("csmacd_9_808_26", 55554),
        ("fddi_10_500_20_0", 10219),
        ("scheduler_3_2_1", 49017),
        ("mutexloop_2_1_6", 23063),
    ] {
        let Some(path) = shared(&format!("peers/models/{name}.tck")) else {
            continue;
        };
        let figures = explore(&mut read_file(&path));
        assert!(figures.explored <= visited, "{name}: {figures:?}");
        if name.starts_with("mutexloop") {
            assert_eq!(figures.discrete, 871);
        }
    }
}
