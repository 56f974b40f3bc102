//! Formulas of ten thousand parts. A file of its own, since the memory of a process can be measured only together.

mod support;

use merkhet::Answer;
use support::decide;

/// A conjunction of disjunctions takes memory in proportion to its length, not to the square of it: a list of what is left
/// to look at, copied for each part, would be 400 MB.
#[test]
fn a_long_conjunction_of_disjunctions_takes_little_memory() {
    let text = "
        clock x;
        int[0, 99] i;
        process P() {
            state A;
            init A;
            trans A -> A { guard i < 1; assign i++; };
        }
        system P;";
    for (query, answer) in [
        (
            "E<> forall (k : int[0, 99]) forall (l : int[0, 99]) (x > k || i == l)",
            Answer::Satisfied,
        ),
        (
            "E<> forall (k : int[0, 99]) forall (l : int[0, 99]) (x > k || l >= 0)",
            Answer::Satisfied,
        ),
        (
            "A[] exists (k : int[0, 99]) exists (l : int[0, 99]) (x > k && i == l)",
            Answer::Violated,
        ),
    ] {
        let report = decide(text, query).expect("an answer");
        assert_eq!(report.answer, answer, "{query}");
        let peak = report.figures.peak_memory;
        assert!(peak < 200_000_000, "{query}: {peak} bytes");
    }
}
