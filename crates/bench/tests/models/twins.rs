//! The papers' instances in UPPAAL's and in TChecker's language: the same network twice.

use super::support::{decide, explore, read_file, shared};

/// Equal numbers of discrete states, equal shortest traces, and the published length where one is known.
fn check(name: &str, labels: &str, length: usize) {
    let files = (
        shared(&format!("benchmarks/{name}.xta")),
        shared(&format!("benchmarks/{name}.q")),
        shared(&format!("benchmarks/tck/{name}.tck")),
    );
    let (Some(xta), Some(queries), Some(tck)) = files else {
        return;
    };
    let (mut xta, mut tck) = (read_file(&xta), read_file(&tck));
    let query = std::fs::read_to_string(queries).expect("a readable file");
    let expected = (true, Some(length));
    assert_eq!(decide(&mut xta, query.trim()), expected, "{name}.xta");
    let goal = format!("E<> {labels}");
    assert_eq!(decide(&mut tck, &goal), expected, "{name}.tck");
    let (a, b) = (explore(&mut xta), explore(&mut tck));
    assert_eq!(
        (a.discrete, a.explored, a.stored, a.transitions),
        (b.discrete, b.explored, b.stored, b.transitions),
        "{name}"
    );
}

#[test]
fn arbiter_trees() {
    check("A2", "c1_work,c2_work", 12);
    check("A3", "c1_work,c2_work", 14);
}

#[test]
fn single_track_line_segment() {
    check("C1", "akt1_driving,akt2_driving", 54);
    check("C2", "akt1_driving,akt2_driving", 54);
}

#[test]
fn mutual_exclusion() {
    check("M1", "s1_unsafe,s2_unsafe", 47);
}
