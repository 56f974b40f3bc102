//! Each lint finds what it is for, and nothing else.

mod common;
use common::{check_lints, model};
use merkhet_lower::LINTS;

fn edges(declarations: &str, edges: &str) -> String {
    model(declarations, &format!("state A, B; init A; trans {edges};"))
}

#[test]
fn clean() {
    check_lints(
        "chan c; int n; clock x;
         process P() { state A { x <= 5 }, B; init A; trans A -> B { guard x > 1; sync c!; }, B -> A { assign x = 0, n = 1; }; }
         process Q() { state A; init A; trans A -> A { guard n == 0; sync c?; }; }
         system P, Q;",
        &[],
    );
}

#[test]
fn channels() {
    let text = edges(
        "chan a, b, c; broadcast chan d;",
        "A -> B { sync a!; }, B -> A { sync b?; }, B -> A { sync d!; }",
    );
    check_lints(
        &text,
        &[
            ("channel-never-received", "a"),
            ("channel-never-sent", "b"),
            ("channel-unused", "c"),
        ],
    );
}

#[test]
fn variables() {
    let text = edges(
        "int a; int b; int c; meta int m; int count;",
        "A -> B { guard b == 0; assign a = 1, count++; }",
    );
    check_lints(
        &text,
        &[
            ("variable-never-read", "a"),
            ("variable-never-written", "b"),
            ("variable-unused", "c"),
            ("variable-never-read", "count"),
        ],
    );
    // A query reads it.
    check_lints(
        &format!(
            "{}\nquery {{ E<> a == 1 }}",
            edges("int a;", "A -> B { assign a = 1; }")
        ),
        &[],
    );
}

#[test]
fn clocks() {
    check_lints(
        &edges(
            "clock x, y, z;",
            "A -> B { guard y > 1; assign x = 0; }, B -> A { guard z < 2; assign z = 0; }",
        ),
        &[("clock-never-tested", "x"), ("clock-never-reset", "y")],
    );
    check_lints(
        &model(
            "clock x;",
            "state A { x >= 1 }, B; init A; trans A -> B { assign x = 0; };",
        ),
        &[("invariant-not-downward-closed", "x >= 1")],
    );
    check_lints(
        "urgent chan u; broadcast chan b; clock x;
         process P() { state A; init A; trans A -> A { guard x > 1; sync u!; assign x = 0; }, A -> A { sync b!; }; }
         process Q() { state A; init A; trans A -> A { sync u?; }, A -> A { guard x > 2; sync b?; }; } system P, Q;",
        &[("urgent-clock-guard", "x > 1"), ("broadcast-clock-guard", "x > 2")],
    );
}

#[test]
fn graphs() {
    check_lints(
        &model("", "state A, B, C; init A; trans B -> C { }, A -> A { };"),
        &[
            ("unreachable-location", "B"),
            ("unreachable-location", "C"),
            ("unreachable-edge", "B -> C { }"),
        ],
    );
    check_lints(
        "chan c; process P() { state A, B; commit B; init A; trans A -> B { }, B -> A { sync c?; }; }
         process Q() { state A; init A; trans A -> A { sync c!; }; } system P, Q;",
        &[("committed-receive", "B")],
    );
}

#[test]
fn constant_guards() {
    check_lints(
        &edges(
            "const int N = 3;",
            "A -> B { guard N > 2; }, A -> B { guard N == 2; }, B -> A { guard true; }",
        ),
        &[("constant-guard", "N > 2"), ("constant-guard", "N == 2")],
    );
    // It differs between instances.
    check_lints(
        "process P(const int[0,1] i) { state A, B; init A; trans A -> B { guard i == 0; }; } system P;",
        &[],
    );
}

#[test]
fn shadows() {
    check_lints(
        "int n; int f(int n) { return n; } const int i = 1;
         process P() { int n; state A; init A; trans A -> A { select i : int[0,1]; guard n == f(i) && (forall (i : int[0,1]) i < 2); assign n = i; }; }
         system P;",
        &[
            ("shadowed-name", "n"),
            ("shadowed-name", "n"),
            ("shadowed-name", "i"),
            ("shadowed-name", "i"),
            ("variable-unused", "n"),
        ],
    );
}

#[test]
fn unused_parts() {
    check_lints(
        "int f(int k) { return 1; } int g() { return f(1); }
         process P(const int a) { state A; init A; } process Q() { state A; init A; } R = P(1); system R;",
        &[
            ("unused-function", "g"),
            ("unused-parameter", "k"),
            ("unused-parameter", "a"),
            ("unused-template", "Q"),
        ],
    );
}

#[test]
fn invariants_that_nothing_satisfies() {
    let invariant = |text: &str| {
        format!(
            "process P() {{ clock x, y, z; state A, B {{ {text} }}; init A; trans A -> B {{ guard x < 9 && y < 9 && z < 9; assign x = 0, y = 0, z = 0; }}; }} system P;"
        )
    };
    check_lints(&invariant("x < 0"), &[("unsatisfiable-invariant", "x < 0")]);
    check_lints(&invariant("x <= 0"), &[]);
    check_lints(
        &invariant("x - y < 0 && y - z < 0 && z - x < 0"),
        &[("unsatisfiable-invariant", "x - y < 0")],
    );
    // Three strict bounds that add up to 1 leave room.
    check_lints(&invariant("x - y < 1 && y - z < 0 && z - x < 0"), &[]);
}

#[test]
fn warnings_while_loading() {
    check_lints(
        &edges("int n;", "A -> B { guard n == 0; assign n == 1, n = 2; }"),
        &[("no-effect", "n == 1")],
    );
    check_lints(&model("double d;", ""), &[("unsupported", "d")]);
    check_lints(
        "process P() { state A; init A; }
         process Q(const int n, int &r) { int a[n]; state A { nix > 1 }; init A; trans A -> A { assign r = n; }; }
         system P;",
        &[("unused-template", "Q"), ("unused-template-fault", "nix")],
    );
}

#[test]
fn names_are_unique() {
    let mut names: Vec<&str> = LINTS.iter().map(|lint| lint.name).collect();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), LINTS.len());
    assert!(
        LINTS
            .iter()
            .all(|lint| !lint.summary.is_empty() && !lint.explanation.is_empty())
    );
}
