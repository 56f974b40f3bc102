//! Lengths of paths under fairness and with deadlocks against an explicit walk.

use super::explicit::Graph;
use super::model::{condition, model, system};
use merkhet_symbolic::check::{Options, PathLength, Verdict, check_system};
use merkhet_symbolic::system::Formula;
use std::fmt::Write;

/// Which kinds of answers there were.
fn check(seed: u64) -> [usize; 3] {
    let (mut text, mut random) = model(seed);
    for _ in 0..random.below(3) {
        let _ = writeln!(text, "JUSTICE {}", condition(&mut random, 1));
    }
    if random.below(3) == 0 {
        let _ = writeln!(
            text,
            "TRANS {} | {}",
            condition(&mut random, 1),
            condition(&mut random, 1)
        );
    }
    for number in 0..6 {
        let extremum = ["MIN", "MAX"][number % 2];
        let [from, to] = [condition(&mut random, 1), condition(&mut random, 1)];
        let _ = writeln!(text, "COMPUTE {extremum} [{from}, {to}]");
    }
    let _ = writeln!(
        text,
        "COMPUTE MIN [n = m & n != m, a]\nCOMPUTE MAX [n = 0, a & !a]"
    );
    let system = system(&text);
    let graph = Graph::new(&system);
    let results = check_system(&system, &Options::default());
    let mut kinds = [0; 3];
    for (specification, result) in system.specifications.iter().zip(&results) {
        let Formula::PathLength { longest, from, to } = specification.formula else {
            panic!("{:?}", specification.formula);
        };
        let (kind, expected) = match graph.path_length(longest, from, to) {
            None => (0, PathLength::Undefined),
            Some(None) => (1, PathLength::Infinite),
            Some(Some(steps)) => (2, PathLength::Steps(steps)),
        };
        kinds[kind] += 1;
        assert_eq!(
            result.verdict,
            Verdict::Length(expected),
            "{}\n{text}",
            result.text
        );
    }
    kinds
}

#[test]
fn lengths_agree_with_an_explicit_walk() {
    let mut kinds = [0; 3];
    for seed in 0..super::seeds(60) {
        let more = check(seed);
        (0..3).for_each(|kind| kinds[kind] += more[kind]);
    }
    assert!(kinds.iter().all(|&count| count > 20), "{kinds:?}");
}

#[test]
fn fairness_counts_for_lengths() {
    let text = "MODULE main\nVAR x : 0..2;\n\
                ASSIGN init(x) := 0; next(x) := case x = 0 : {1, 2}; TRUE : x; esac;\n\
                FAIRNESS x != 2\nCOMPUTE MIN [x = 0, x = 2]\nCOMPUTE MAX [x = 0, x = 1]\n\
                COMPUTE MAX [x = 2, x = 1]\nCOMPUTE MIN [x = 0, x > 2]\n";
    let results = check_system(&system(text), &Options::default());
    let lengths: Vec<&Verdict> = results.iter().map(|result| &result.verdict).collect();
    use PathLength::{Infinite, Steps, Undefined};
    let expected = [Infinite, Steps(1), Undefined, Infinite].map(Verdict::Length);
    assert_eq!(lengths, expected.iter().collect::<Vec<_>>());
}
