//! Models on which covering, joining or their tests have been wrong: each stands for one way to be so.

use merkhet::{Answer, Config, Failure, Model, Report, TraceKind, Update, check};

fn run(text: &str, query: &str, config: &Config) -> Result<Report, Failure> {
    let mut model = Model::read("model.xta", text.as_bytes());
    assert!(!model.has_errors(), "{:?}\n{text}", model.diagnostics);
    let asked = model.query(query).query.expect("a query");
    check(
        model.network().expect("a network"),
        &asked,
        config,
        &mut |_| {},
    )
}

fn with(lattice: Option<Update>) -> Config {
    Config {
        lattice,
        ..Config::default()
    }
}

/// Without a choice of the user, the answer is the explicit one, or the model is refused for a reason that names this.
#[track_caller]
fn is_never_wrong(text: &str, query: &str, expected: Answer, refused: Option<&str>) {
    let explicit = run(text, query, &with(Some(Update::Simple))).expect("a report");
    assert_eq!(explicit.answer, expected);
    match (run(text, query, &with(None)), refused) {
        (Ok(report), None) => assert_eq!(report.answer, expected, "{:?}", report.reason()),
        (Err(Failure::Fault { message, .. }), Some(why)) => {
            assert!(message.contains(why), "{message}");
        }
        (other, _) => panic!("{other:?}"),
    }
}

/// A guard that holds for the smaller element only.
const NARROW: &str = "extern MaxInteger; MaxInteger x;
    process P() { state A, B, C; init A;
    trans A -> B { assign x = 3; }, A -> B { assign x = 1; }, B -> C { guard x == 1; }; }
    system P;";

#[test]
fn a_guard_that_larger_elements_fail() {
    is_never_wrong(
        NARROW,
        "E<> P.C",
        Answer::Satisfied,
        Some("the model is not monotone"),
    );
}

#[test]
fn a_clock_that_is_set_to_an_element() {
    let text = "extern MaxInteger; MaxInteger m; clock x;
        process P() { state A, U, B { x <= 5 }, C; commit A, U; init A;
        trans A -> U { assign m = 5; }, A -> U { }, U -> B { assign x = m; }, B -> C { guard x <= 1; }; }
        system P;";
    is_never_wrong(
        text,
        "E<> P.C",
        Answer::Satisfied,
        Some("the model is not monotone"),
    );
}

#[test]
fn a_rate_that_is_an_element() {
    let text = "extern UnionBitVector; UnionBitVector v[1]; clock x, y;
        process P() { state A, U, B { x' == v[0] }, C; commit A, U; init A;
        trans A -> U { assign v[0] = 1; }, A -> U { }, U -> B { }, B -> C { guard x == 0 && y >= 5; }; }
        system P;";
    is_never_wrong(text, "E<> P.C", Answer::Satisfied, None);
}

#[test]
fn a_location_whose_invariant_lets_an_edge_compete() {
    let text = "extern MaxInteger; MaxInteger m; chan lo, hi; chan priority lo < hi;
        process P() { state A, U, B, C, D { m >= 2 }; init A;
        trans A -> U { assign m = 5; }, A -> U { }, U -> B { }, B -> C { sync lo!; }, B -> D { sync hi!; }; }
        process Q() { state A; init A; trans A -> A { sync lo?; }, A -> A { sync hi?; }; }
        system P, Q;";
    is_never_wrong(text, "E<> P.C", Answer::Satisfied, None);
}

#[test]
fn a_no_by_covering_says_what_it_assumes() {
    let text = "extern MaxInteger; MaxInteger m;
        process P() { state A, B; init A; trans A -> A { assign m = 2; }, A -> B { guard m >= 3; }; }
        system P;";
    let report = run(text, "E<> P.B", &with(None)).expect("a report");
    assert_eq!(report.answer, Answer::Violated);
    assert!(report.reason().expect("a remark").contains("assuming"));
    let report = run(text, "E<> m >= 2", &with(None)).expect("a report");
    assert_eq!(
        (report.answer.clone(), report.reason()),
        (Answer::Satisfied, None),
        "a run assumes nothing"
    );
}

#[test]
fn a_shortest_trace_is_not_looked_for_by_covering() {
    let text = "extern MaxInteger; MaxInteger m;
        process P() { state A, S, N, G; init A;
        trans A -> S { }, A -> N { }, S -> N { assign m = 5; }, N -> G { }; }
        system P;";
    let shortest = |lattice| Config {
        trace: TraceKind::Shortest,
        ..with(lattice)
    };
    let report = run(text, "E<> P.G", &shortest(None)).expect("a report");
    assert_eq!(report.trace.expect("a trace").steps.len(), 2);
    let refused = run(text, "E<> P.G", &shortest(Some(Update::Cover)));
    assert!(matches!(refused, Err(Failure::NotPermitted(_))));
}

#[test]
fn a_supremum_of_an_exploration_that_stopped_is_unknown() {
    let text = "extern MaxInteger; MaxInteger u; MaxInteger v; MaxInteger m; int k;
        process P() { state A, B, C, D, E; init A;
        trans A -> B { assign u = 1; }, A -> B { assign v = 1; },
        B -> C { guard u + v >= 2; assign k = 1 / (2 - u - v); },
        B -> D { }, D -> E { assign m = 100; }; }
        system P;";
    let report = run(text, "sup: m", &with(Some(Update::Join))).expect("a report");
    assert!(report.answer.is_unknown(), "{:?}", report.values);
    assert!(report.values.is_empty());
}

#[test]
fn a_goal_that_cannot_be_evaluated_is_a_fault_after_joins_too() {
    let text = "extern MaxInteger; MaxInteger m;
        process P() { state A, B; init A; trans A -> B { assign m = 2; }; }
        system P;";
    for update in [Update::Join, Update::Cegar] {
        let found = run(text, "E<> P.B && 1 / (2 - m) == 7", &with(Some(update)));
        let Err(Failure::Fault { message, .. }) = found else {
            panic!("{found:?}");
        };
        assert!(message.contains("division by zero"), "{message}");
    }
}

#[test]
fn two_elements_below_each_other_are_found_where_one_covers_the_other() {
    // The pair comes after all samples of the law's test were taken.
    let text = "lattice L { int[0, 60] a;
            bool leq(const L &o) { return a <= o.a || (a == 40 && o.a == 30); }
            void join(const L &o) { if (o.a > a) a = o.a; } }
        L z; int[0, 60] i = 59;
        process P() { state A, B, C; init A;
        trans A -> A { guard i > 35; assign z.a = 59 - i, i = i - 1; },
        A -> B { guard i == 35; assign z.a = 30; }, A -> B { guard i == 35; assign z.a = 40; },
        B -> C { guard z.a >= 35; }; }
        system P;";
    let found = run(text, "E<> P.C", &with(Some(Update::Cover)));
    let Err(Failure::Fault { message, .. }) = found else {
        panic!("{found:?}");
    };
    assert!(message.contains("not antisymmetric"), "{message}");
}

#[test]
fn a_query_that_larger_elements_lose_is_found_out() {
    let text = "extern MaxInteger; MaxInteger x;
        process P() { state A, B; init A; trans A -> B { assign x = 9; }, A -> B { assign x = 4; }; }
        system P;";
    let explicit = run(text, "A[] x != 4", &with(Some(Update::Simple))).expect("a report");
    assert_eq!(explicit.answer, Answer::Violated);
    for update in [Update::Cover, Update::Join, Update::Cegar] {
        match run(text, "A[] x != 4", &with(Some(update))) {
            Ok(report) => assert_eq!(report.answer, Answer::Violated, "{:?}", report.reason()),
            Err(Failure::Fault { message, .. }) => assert!(message.contains("not monotone")),
            Err(other) => panic!("{other:?}"),
        }
    }
}

/// A smaller element can do what a larger one cannot; the larger one comes first, so that it covers the smaller.
const LEVELS: &str =
    "lattice Level { int[0, 9] n; bool leq(const Level &o) { return n <= o.n; }
        void join(const Level &o) { if (o.n > n) n = o.n; } }
    Level level;
    process P() { state A, B, C; init A;
    trans A -> B { assign level.n = 5; }, A -> B { assign level.n = 2; }, B -> C { guard level.n < 3; }; }
    system P;";

/// Two elements, neither of them larger, whose join can do less than either: the pairs met by the search are harmless.
const SETS: &str = "extern UnionBitVector; UnionBitVector v[2]; int[0, 9] cost;
    process P() { state A, B, C; init A;
    trans A -> B { assign v[0] = 1; }, A -> B { assign v[1] = 1; }, B -> C { guard v.num1s() < 2; assign cost = 7; }; }
    system P;";

#[test]
fn an_update_that_was_asked_for_is_tested_like_the_default() {
    for (text, updates) in [
        (LEVELS, &[Update::Cover, Update::Join, Update::Cegar][..]),
        (SETS, &[Update::Join, Update::Cegar]),
    ] {
        for (query, expected) in [
            ("A[] not P.C", Answer::Violated),
            ("E<> P.C", Answer::Satisfied),
        ] {
            let explicit = run(text, query, &with(Some(Update::Simple))).expect("a report");
            assert_eq!(explicit.answer, expected);
            for update in updates {
                match run(text, query, &with(Some(*update))) {
                    Err(Failure::Fault { message, .. }) => {
                        assert!(message.contains("not monotone"), "{message}");
                    }
                    other => panic!("{update:?}, {query}: {other:?}"),
                }
            }
        }
        for query in ["sup{P.C}: 1", "bounds: P.C", "inf{P.C}: 2"] {
            for update in updates {
                match run(text, query, &with(Some(*update))) {
                    Err(Failure::Fault { message, .. }) => {
                        assert!(message.contains("not monotone"), "{message}");
                    }
                    other => panic!("{update:?}, {query}: {other:?}"),
                }
            }
        }
    }
}

#[test]
fn an_update_that_was_asked_for_says_what_its_no_assumes() {
    let text = "extern MaxInteger; MaxInteger m;
        process P() { state A, B; init A; trans A -> A { assign m = 2; }, A -> B { guard m >= 3; }; }
        system P;";
    for update in [Update::Cover, Update::Join, Update::Cegar] {
        for query in ["E<> P.B", "A[] not P.B", "sup: m"] {
            let report = run(text, query, &with(Some(update))).expect("a report");
            let reason = report.reason().expect("a remark");
            assert!(reason.contains("assuming"), "{update:?}, {query}: {reason}");
        }
        let report = run(text, "E<> m >= 2", &with(Some(update))).expect("a report");
        assert_eq!(
            (report.answer.clone(), report.reason()),
            (Answer::Satisfied, None)
        );
    }
    let zones = "clock x; process P() { state A, B; init A; trans A -> B { guard x > 3; assign x = 0; }; } system P;";
    let report = run(zones, "E<> P.B && P.A", &with(Some(Update::Join))).expect("a report");
    assert_eq!(
        (report.answer.clone(), report.reason()),
        (Answer::Violated, None),
        "zones are monotone"
    );
}
