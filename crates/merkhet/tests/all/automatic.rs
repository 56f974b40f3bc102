//! What the automatic search expands until it finds an error, pinned: a number that is changed for one family must not undo
//! another one unseen. Counts do not depend on the machine.

use merkhet::{Answer, Config, Model, Report, check};
use merkhet_interop::generate::find;

fn decide(name: &str, text: &[u8], query: &str) -> Report {
    let mut model = Model::read(name, text);
    assert!(!model.has_errors(), "{:#?}", model.diagnostics);
    let lowered = model.query(query);
    let network = model.network().expect("a network");
    let query = lowered.query.as_ref().expect("a query");
    let config = Config {
        threads: 1,
        ..Config::default()
    };
    check(network, query, &config, &mut |_| {}).expect("no fault")
}

/// The states that are expanded until an error is found, for models of a family.
fn family(name: &str, values: &[u32]) -> u64 {
    let generator = find(name).expect("a family");
    let generated = generator.generate(values).expect("good values");
    let query = generated.query.expect("a query");
    let report = decide("model.xta", generated.text.as_bytes(), &query);
    assert_eq!(report.answer, Answer::Satisfied, "{name} {values:?}");
    assert!(report.trace.is_some(), "it was judged");
    report.figures.explored
}

/// Paper 000's families of Fischer's protocol: at most 200 states each, however many processes there are.
#[test]
fn flawed_fischers_take_few_states() {
    for name in ["fischer-a", "fischer-b", "fischer-c"] {
        for processes in [5, 30, 100] {
            let explored = family(name, &[processes]);
            assert!(explored <= 200, "{name} {processes}: {explored}");
        }
    }
}

/// The papers' case studies, where they are there.
#[test]
fn the_papers_instances_take_few_states() {
    for (name, most) in [
        ("C1", 400),
        ("C2", 400),
        ("C3", 400),
        ("C4", 1_000),
        ("C5", 1_200),
        ("C6", 1_200),
        ("C7", 1_200),
        ("C8", 1_200),
        ("C9", 2_000),
        ("M1", 8_000),
        ("M2", 12_000),
        ("M3", 12_000),
        ("M4", 12_000),
        ("N1", 12_000),
        ("N2", 16_000),
        ("N3", 16_000),
        ("N4", 16_000),
        ("A2", 100),
        ("A3", 100),
        ("A4", 100),
        ("A5", 100),
        ("A6", 100),
    ] {
        let path = |ending| merkhet_testing::shared(&format!("benchmarks/{name}.{ending}"));
        let (Some(model), Some(query)) = (path("xta"), path("q")) else {
            return;
        };
        let text = std::fs::read(model).expect("a model");
        let queries = std::fs::read_to_string(query).expect("a query");
        let query = queries.lines().find(|line| line.starts_with("E<>"));
        let report = decide("model.xta", &text, query.expect("a query"));
        assert_eq!(report.answer, Answer::Satisfied, "{name}");
        let explored = report.figures.explored;
        assert!(explored <= most, "{name}: {explored}");
    }
}

/// A state has hundreds of successors, each with a large zone: what that costs is counted, so that estimates are not given up
/// at once.
#[test]
fn estimates_are_followed_where_expansions_are_dear() {
    let names: Vec<String> = (0..60).map(|n| format!("x{n}")).collect();
    let reset: Vec<String> = names.iter().map(|name| format!("{name} := 0")).collect();
    let text = format!(
        "clock {}; int[0,9] v;
         process W(const int[1,60] me) {{ state a, b, c; init a; trans a -> b {{ }}, b -> c {{ }}, c -> a {{ }}; }}
         process P() {{ state s, t; init s; trans
            s -> s {{ guard v < 9 && x1 >= 1; assign v++, {}; }}, s -> t {{ guard v == 9; }}; }}
         system W, P;",
        names.join(", "),
        reset.join(", ")
    );
    let report = decide("model.xta", text.as_bytes(), "E<> P.t");
    assert_eq!(report.answer, Answer::Satisfied);
    assert!(report.figures.explored <= 20, "{}", report.figures.explored);
}

/// Steps of one have no part in what steps of a thousand bring, though the abstract solution asks for them.
#[test]
fn large_steps_are_taken_where_estimates_see_them() {
    let text = "int[0,100000] v; clock x;
        process A() { state s { x <= 5 }, t; init s; trans
            s -> s { guard v < 100000 && x >= 1; assign v := v + 1, x := 0; },
            s -> s { guard v <= 99000 && x >= 2; assign v := v + 1000, x := 0; },
            s -> t { guard v == 98065; }; }
        system A;";
    let report = decide("model.xta", text.as_bytes(), "E<> A.t");
    assert_eq!(report.answer, Answer::Satisfied);
    assert!(
        report.figures.explored <= 400,
        "{}",
        report.figures.explored
    );
}

/// The goal cannot be reached, as h^U sees at the start; there are a million states.
#[test]
fn a_goal_without_any_way_to_it_takes_few_states() {
    let text = "int[0,999] a; int[0,999] b;
        process P() { state S, E; init S; trans S -> S { guard a < 999; assign a++; }, S -> E { guard a == 500; }; }
        process Q() { state S, E; init S; trans S -> S { guard b < 999; assign b++; }, S -> E { guard b > 999; }; }
        system P, Q;";
    let report = decide("model.xta", text.as_bytes(), "E<> P.E && Q.E");
    assert_eq!(report.answer, Answer::Violated);
    assert!(
        report.figures.explored <= 1000,
        "{}",
        report.figures.explored
    );
    let report = decide("model.xta", text.as_bytes(), "A[] !(P.E && Q.E)");
    assert_eq!(report.answer, Answer::Satisfied);
}

/// Each successor's estimate would look at all values: the states get their parent's, and a remark says so.
#[test]
fn estimates_that_cost_too_much_are_inherited() {
    let text = "int[0,20000] v; int[0,3] k;
        process A() { state s, t; init s; trans
            s -> s { select i : int[0,20000]; guard k < 3; assign v := i, k := k + 1; },
            s -> t { guard v == 17777 && k == 3; }; }
        system A;";
    let report = decide("model.xta", text.as_bytes(), "E<> A.t");
    assert_eq!(report.answer, Answer::Satisfied);
    assert!(
        report.figures.explored <= 30_000,
        "{}",
        report.figures.explored
    );
    let remarks = report.remarks.iter().map(ToString::to_string);
    assert!(
        remarks
            .into_iter()
            .any(|remark| remark.contains("estimates")),
        "{:?}",
        report.remarks
    );
}

/// A goal that asks for many things by a quantifier has many parts, and each that is there is progress.
#[test]
fn the_parts_of_a_quantifier_count() {
    let text = "int[0,15] a[16] = { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 0 };
        process P() { state s; init s; trans
            s -> s { select i : int[0,15]; assign a[i] := (a[i] + 15) % 16; },
            s -> s { select i : int[0,15]; assign a[i] := (a[i] + 5) % 16; }; }
        system P;";
    for query in [
        "E<> forall (i : int[0,15]) a[i] == i",
        "E<> not exists (i : int[0,15]) a[i] != i",
    ] {
        let report = decide("model.xta", text.as_bytes(), query);
        assert_eq!(report.answer, Answer::Satisfied, "{query}");
        assert!(
            report.figures.explored <= 200,
            "{}",
            report.figures.explored
        );
    }
}

/// The number of missing parts leads to the goal, and h^U does not: a search beside the first one finds it.
#[test]
fn others_look_beside_the_search() {
    let n = 5;
    let start = [
        0, 1, 1, 0, 1, 1, 0, 0, 1, 0, 1, 1, 0, 1, 1, 0, 0, 1, 0, 1, 1, 0, 1, 0, 0,
    ];
    let mut lamps = start;
    // What can be solved: some presses from darkness.
    lamps.fill(0);
    let around = |at: usize| {
        let (row, column) = (at / n, at % n);
        (0..n * n).filter(move |other| row.abs_diff(other / n) + column.abs_diff(other % n) <= 1)
    };
    for (at, pressed) in start.iter().enumerate() {
        around(at).for_each(|other| lamps[other] ^= pressed);
    }
    let press = |at: usize| {
        let changes: Vec<String> = around(at)
            .map(|p| format!("a[{p}] := 1 - a[{p}]"))
            .collect();
        format!("s -> s {{ assign {}; }}", changes.join(", "))
    };
    let edges: Vec<String> = (0..n * n).map(press).collect();
    let values: Vec<String> = lamps.iter().map(ToString::to_string).collect();
    let text = format!(
        "int[0,1] a[{}] = {{ {} }}; process P() {{ state s; init s; trans {}; }} system P;",
        n * n,
        values.join(", "),
        edges.join(", ")
    );
    let report = decide(
        "model.xta",
        text.as_bytes(),
        "E<> forall (i : int[0,24]) a[i] == 0",
    );
    assert_eq!(report.answer, Answer::Satisfied);
    assert!(
        report.figures.explored <= 100_000,
        "{}",
        report.figures.explored
    );
}
