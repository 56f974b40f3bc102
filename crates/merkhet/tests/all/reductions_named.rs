//! Reductions on named models: how much safe abstraction removes from the paper's benchmarks, what may not be removed
//! because it can stop time or others, and faults that no reduction may hide.

use std::path::{Path, PathBuf};

use merkhet::network::{Network, Query};
use merkhet::{Answer, Config, Failure, Model, Reduction, ReductionKind, check};
use merkhet_interop::generate;

const SAFE: ReductionKind = ReductionKind::Safe;
const COI: ReductionKind = ReductionKind::Influence;

/// Wehrle, Helmert: The causal graph revisited for directed model checking, Table 2, column #safe. Where the public N
/// models differ from the paper's, the variants stand for them.
const NUMBER_SAFE: &[(&str, usize)] = &[
    ("C1", 0),
    ("C2", 1),
    ("C3", 1),
    ("C4", 2),
    ("C5", 3),
    ("C6", 4),
    ("C7", 5),
    ("C8", 5),
    ("C9", 5),
    ("M1", 0),
    ("M2", 1),
    ("M3", 1),
    ("M4", 2),
    ("N1", 0),
    ("variants/N2r", 0),
    ("variants/N3r", 0),
    ("variants/N4r", 0),
    ("A2", 0),
    ("A3", 0),
    ("A4", 0),
    ("A5", 0),
    ("A6", 0),
];

/// The query that belongs to a benchmark; a variant shares it with what it varies.
fn query_file(path: &Path) -> PathBuf {
    let name = path.file_stem().unwrap_or_default().to_string_lossy();
    let folder = path.parent().unwrap_or(path);
    match name.strip_suffix('r') {
        Some(name) => folder.join("..").join(format!("{name}.q")),
        None => folder.join(format!("{name}.q")),
    }
}

fn number_safe(network: &Network, query: &Query) -> usize {
    let reduction = Reduction::new(network, query, &[SAFE]).expect("a reachability query");
    reduction.removed.len()
}

#[test]
fn safe_abstraction_removes_what_the_paper_counts() {
    for (name, expected) in NUMBER_SAFE {
        let Some(path) = merkhet_testing::shared(&format!("benchmarks/{name}.xta")) else {
            continue;
        };
        let text = |path: &Path| std::fs::read_to_string(path).expect("a file");
        let (model, query) = (text(&path), text(&query_file(&path)));
        let mut model = Model::read(&format!("{name}.xta"), model.as_bytes());
        let query = model.query(query.trim()).query.expect("a query");
        let found = number_safe(model.network().expect("a network"), &query);
        assert_eq!(found, *expected, "{name}");
    }
}

#[test]
fn nothing_of_fischers_protocol_is_safe() {
    for family in ["fischer-a", "fischer-b"] {
        for count in [5, 10, 15] {
            let generator = generate::find(family).expect("a family");
            let made = generator.generate(&[count]).expect("a model");
            let mut model = Model::read("model.xta", made.text.as_bytes());
            let query = made.query.expect("a goal");
            let query = model.query(&query).query.expect("a query");
            let found = number_safe(model.network().expect("a network"), &query);
            assert_eq!(found, 0, "{family} {count}");
        }
    }
}

fn outcomes(text: &str, query: &str) -> Vec<(String, Result<Answer, Failure>)> {
    let mut model = Model::read("model.xta", text.as_bytes());
    assert!(!model.has_errors(), "{:#?}\n{text}", model.diagnostics);
    let query = model.query(query).query.expect("a query");
    let network = model.network().expect("a network");
    let kinds = [
        None,
        Some(vec![]),
        Some(vec![SAFE]),
        Some(vec![COI]),
        Some(vec![COI, SAFE]),
        Some(vec![SAFE, COI]),
    ];
    let outcome = |reduce: Option<Vec<ReductionKind>>| {
        let name = format!("{reduce:?}");
        let config = Config {
            reduce,
            threads: 1,
            ..Config::default()
        };
        let report = check(network, &query, &config, &mut |_| {});
        (name, report.map(|report| report.answer))
    };
    kinds.into_iter().map(outcome).collect()
}

/// P goes to its second location when x is at least 5; the others have nothing to do with it but can stop time or P.
const STOPPERS: &[(&str, &str, Answer)] = &[
    (
        "an invariant that ends time",
        "clock x; process P() { state a, b; init a; trans a -> b { guard x >= 5; }; }
         process Q() { state c { x <= 3 }; init c; } system P, Q;",
        Answer::Violated,
    ),
    (
        "an invariant on a clock of its own",
        "clock x; process P() { state a, b; init a; trans a -> b { guard x >= 5; }; }
         process Q() { clock y; state c { y <= 3 }, d { y <= 4 }; init c; trans c -> d { }; } system P, Q;",
        Answer::Violated,
    ),
    (
        "an invariant that can be left",
        "clock x; process P() { state a, b; init a; trans a -> b { guard x >= 5; }; }
         process Q() { clock y; state c { y <= 3 }, d; init c; trans c -> d { }; } system P, Q;",
        Answer::Satisfied,
    ),
    (
        "an urgent location",
        "clock x; process P() { state a, b; init a; trans a -> b { guard x >= 5; }; }
         process Q() { state c, d; urgent c; init c; trans c -> c { }; } system P, Q;",
        Answer::Violated,
    ),
    (
        "a committed location",
        "process P() { state a, b; init a; trans a -> b { }; }
         process Q() { state c; commit c; init c; trans c -> c { }; } system P, Q;",
        Answer::Violated,
    ),
    (
        "a committed location that can be left",
        "process P() { state a, b; init a; trans a -> b { }; }
         process Q() { state c, d; commit c; init c; trans c -> d { }; } system P, Q;",
        Answer::Satisfied,
    ),
    (
        "two processes that could always talk on an urgent channel",
        "clock x; urgent chan u; process P() { state a, b; init a; trans a -> b { guard x >= 5; }; }
         process Q() { state c; init c; trans c -> c { sync u!; }; }
         process R() { state d; init d; trans d -> d { sync u?; }; } system P, Q, R;",
        Answer::Violated,
    ),
    (
        "a receiver of the broadcast that must not get where it would",
        "clock x; broadcast chan s; process P() { state a, b; init a; trans a -> b { guard x >= 5; sync s!; }; }
         process Q() { state c, d { x < 1 }; init c; trans c -> d { sync s?; }; } system P, Q;",
        Answer::Violated,
    ),
    (
        "an invariant on a variable that could be driven to any value",
        "clock x; int[0,1] v = 1; process P() { state a { x <= 3 || v == 1 }, b; init a; trans a -> b { guard x >= 5, v == 0; }; }
         process Q() { state c; init c; trans c -> c { assign v := 0; }, c -> c { assign v := 1; }; } system P, Q;",
        Answer::Violated,
    ),
    (
        "a driver that is never free to move when the reader is",
        "int[0,1] v; process P() { state a, b; commit a; init a; trans a -> b { guard v == 1; }; }
         process Q() { state c; init c; trans c -> c { assign v := 0; }, c -> c { assign v := 1; }; } system P, Q;",
        Answer::Violated,
    ),
];

#[test]
fn what_can_stop_time_or_others_stays() {
    for (name, text, expected) in STOPPERS {
        for (kinds, found) in outcomes(text, "E<> P.b") {
            let found = found.unwrap_or_else(|failure| panic!("{name}, {kinds}: {failure:?}"));
            assert_eq!(found, *expected, "{name}, {kinds}");
        }
    }
}

/// P never gets to its second location, and something elsewhere goes wrong.
const FAULTS: &[(&str, &str)] = &[
    (
        "a counter on which nothing depends",
        "process P() { state a, b; init a; }
         process Q() { int[0,3] n; state c; init c; trans c -> c { assign n := n + 1; }; } system P, Q;",
    ),
    (
        "a driver that can go too far",
        "int[0,2] v; process P() { state a, b, c; init a; trans a -> c { guard v == 2; }; }
         process Q() { state d; init d; trans d -> d { assign v := 0; }, d -> d { assign v := v + 1; }; } system P, Q;",
    ),
    (
        "a reader that goes wrong with one of the values",
        "int[0,2] v; int w[2]; process P() { state a, b, c; init a; trans a -> c { guard w[v] == 1; }; }
         process Q() { state d; init d; trans d -> d { assign v := 0; }, d -> d { assign v := 1; },
             d -> d { assign v := 2; }; } system P, Q;",
    ),
    (
        "a loop of a process that can be anywhere",
        "process P() { state a, b; init a; }
         process Q() { int z; state c, d; init c; trans c -> d { }, d -> c { }, d -> d { assign z := 1 / z; }; }
         system P, Q;",
    ),
];

#[test]
fn no_reduction_hides_a_fault() {
    for (name, text) in FAULTS {
        for (kinds, found) in outcomes(text, "E<> P.b") {
            assert!(
                matches!(found, Err(Failure::Fault { .. })),
                "{name}, {kinds}: {found:?}"
            );
        }
    }
}
