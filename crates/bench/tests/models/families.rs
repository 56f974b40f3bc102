//! Generated models have the errors and the distances that their families promise.

use super::support::{decide, explore, read};
use merkhet::Model;
use merkhet_interop::generate::find;

fn generate(family: &str, values: &[u32]) -> (Model, Option<String>) {
    let generator = find(family).expect("a family");
    let model = generator
        .generate(values)
        .unwrap_or_else(|error| panic!("{error}"));
    let name = format!("{family}.{}", generator.language.extension());
    (read(&name, model.text.as_bytes()), model.query)
}

/// The error is reachable, at this number of transitions.
fn check(family: &str, values: &[u32], distance: usize) {
    let (mut model, query) = generate(family, values);
    let query = query.expect("a query");
    let found = decide(&mut model, &query);
    assert_eq!(found, (true, Some(distance)), "{family} {values:?}");
}

#[test]
fn a_chain_with_dead_ends_is_as_long_as_it_has_automata() {
    for n in [1, 2, 3, 7, 12] {
        check("dead-ends", &[n], n as usize);
    }
}

#[test]
fn circles_are_gone_round_between_two_signals() {
    for (n, c) in [(1, 1), (4, 1), (1, 3), (5, 2), (30, 4)] {
        check("circles", &[n, c], (n * c - c + 1) as usize);
    }
}

#[test]
fn towers_of_hanoi_take_a_power_of_two() {
    for n in 1..=7 {
        check("hanoi", &[n], (1 << n) - 1);
    }
}

/// Both try; one writes, waits and enters in the very instant in which the other one writes; that one waits and enters.
/// Variant A tells of it in three more transitions.
#[test]
fn fischer_with_a_flaw_lets_two_in() {
    for n in [2, 3] {
        check("fischer-b", &[n], 6);
        check("fischer-c", &[n], 6);
        check("fischer-a", &[n], 9);
    }
}

#[test]
fn fischer_without_flaw_lets_one_in() {
    let (mut model, _) = generate("fischer", &[4]);
    assert!(!decide(&mut model, "E<> in1,in2").0);
    assert!(decide(&mut model, "E<> in4").0);
    assert!(decide(&mut model, "A[] not (in1 and in3)").0);
}

/// As many discrete states as TChecker finds.
#[test]
fn protocols_have_as_many_states() {
    for (family, n, discrete) in [("fischer", 4, 220), ("csmacd", 4, 72), ("fddi", 4, 32)] {
        let (mut model, _) = generate(family, &[n]);
        assert_eq!(explore(&mut model).discrete, discrete, "{family} {n}");
    }
}
