//! Instances, edges and clocks come out as the language says.

mod common;
use common::{check, check_absent, lowered, model};
use merkhet_network::{ChannelKind, print};

#[test]
fn instances() {
    check(
        "int v; clock x; chan c[3];
         process T(const int k, int &r, clock &y, chan &s) { state A, B { y <= k }; init A;
           trans A -> B { guard y > k; sync s!; assign r = k, y = 0; }; }
         Half(const int k) = T(k, v, x, c[k]);
         P = Half(2);
         system P;",
        &[
            "process P of T {",
            "location B { x <= 2 }",
            "A -> B { guard x > 2; sync c[2]!; assign v = 2, x = 0; }",
        ],
    );
    check(
        "typedef int[1,2] id; typedef scalar[2] set;
         process Q(const id i, const set s) { clock x; state A; init A; trans A -> A { guard x >= i; }; }
         system Q;",
        &[
            "process Q(1,0) of Q {",
            "process Q(2,1) of Q {",
            "A -> A { guard Q(2,0).x >= 2; }",
        ],
    );
    check(
        "typedef struct { int a; int b; } pair; const pair both = { 3, 4 }; const int list[2] = { 5, 6 };
         process T(pair p, int l[2]) { int n; state A; init A; trans A -> A { guard n == p.b + l[1]; }; }
         P = T(both, list);
         system P;",
        &["A -> A { guard P.n == 10; }"],
    );
}

#[test]
fn a_value_parameter_that_is_assigned_is_a_variable() {
    check(
        "process T(int k) { state A; init A; trans A -> A { assign k = k + 1; }; } P = T(4); system P;",
        &["int P.k = 4;", "A -> A { assign P.k = P.k + 1; }"],
    );
}

#[test]
fn selects_are_unrolled() {
    check(
        &model(
            "int a[3]; int n;",
            "state A; init A; trans A -> A { select i : int[0,2], j : int[1,2]; guard i != j; assign a[i] = j; };",
        ),
        &[
            "A -> A { assign a[0] = 1; } [i=0, j=1]",
            "A -> A { assign a[2] = 1; } [i=2, j=1]",
        ],
    );
    // Excluded copies are dropped.
    let text = model(
        "",
        "state A; init A; trans A -> A { select i : int[0,9]; guard i == 4; };",
    );
    assert_eq!(lowered(&text).0.network.processes[0].edges.len(), 1);
}

#[test]
fn channel_indices_known_at_run_time_are_unrolled() {
    check(
        &model(
            "chan c[2]; int n;",
            "state A; init A; trans A -> A { guard n < 2; sync c[n]!; };",
        ),
        &[
            "A -> A { guard n < 2 && check(n, 0, 1) == 0; sync c[0]!; }",
            "A -> A { guard n < 2 && check(n, 0, 1) == 1; sync c[1]!; }",
        ],
    );
}

#[test]
fn channels_keep_their_kinds_and_priorities() {
    let (lowered, _) = lowered(
        "chan a; urgent chan b; broadcast chan c; urgent broadcast chan d[2];
         chan priority a < default < b, d < c;
         process P() { state A; init A; } process Q() { state A; init A; } system P < Q;",
    );
    let channels: Vec<_> = (lowered.network.channels.iter())
        .map(|c| {
            (
                c.name.as_str(),
                c.kind == ChannelKind::Broadcast,
                c.urgent,
                c.priority,
            )
        })
        .collect();
    assert_eq!(
        channels,
        [
            ("a", false, false, -1),
            ("b", false, true, 1),
            ("c", true, false, 2),
            ("d[0]", true, true, 1),
            ("d[1]", true, true, 1),
        ]
    );
    let priorities: Vec<i32> = lowered
        .network
        .processes
        .iter()
        .map(|p| p.priority)
        .collect();
    assert_eq!(priorities, [0, 1]);
    assert!(lowered.network.has_priorities());
}

#[test]
fn clock_constraints() {
    let guard = |guard: &str, expected: &str| {
        check(
            &model(
                "clock x, y; clock z[2]; int n; bool b; const int N = 3; void f() {}",
                &format!("state A; init A; trans A -> A {{ guard {guard}; }};"),
            ),
            &[&format!("A -> A {{ guard {expected}; }}")],
        );
    };
    guard("x < 5", "x < 5");
    guard("5 < x", "x > 5");
    guard("x == N", "x <= 3 && x >= 3");
    guard("x - y < 3", "x - y < 3");
    guard("x < y + 3", "x - y < 3");
    guard("x >= n + N", "x >= n + 3");
    guard("!(x < 5)", "x >= 5");
    guard("n > 2 && x > n", "n > 2 && x > n");
    guard("(x > 2) && n == 1 && y <= 4", "n == 1 && x > 2 && y <= 4");
    guard("b || x < 5", "(!(!b) || x < 5)");
    guard("b imply x < 5", "(!b || x < 5)");
    guard("forall (i : int[0,1]) z[i] > i", "z[0] > 0 && z[1] > 1");
    guard("b ? x < 2 : x < 3", "(!b || x < 2) && (!(!b) || x < 3)");
    guard("z[1] > 2", "z[1] > 2");
    guard(
        "z[n] > 2",
        "(!(check(n, 0, 1) == 0) || z[0] > 2) && (!(check(n, 0, 1) == 1) || z[1] > 2)",
    );
    guard(
        "!(z[n] > 2)",
        "(!(check(n, 0, 1) == 0) || z[0] <= 2) && (!(check(n, 0, 1) == 1) || z[1] <= 2)",
    );
}

#[test]
fn invariants_and_rates() {
    check(
        &model(
            "clock x, y[2]; bool stop;",
            "state A { x <= 5 && x' == 0 && forall (i : int[0,1]) y[i]' == stop }; init A;",
        ),
        &["initial location A { x <= 5 && x' == 0 && y[0]' == stop && y[1]' == stop }"],
    );
}

#[test]
fn branch_points_are_products() {
    check(
        &model(
            "chan c; int n;",
            "state A, B, C; branchpoint b; init A;
             trans A -> b { guard n > 0; sync c?; assign n = 1; },
                   b -> B { assign n = n + 2; probability 1; },
                   b -> C { probability 3; };",
        ),
        &[
            "A -> B { guard n > 0; sync c?; assign n = 1, n = n + 2; }",
            "A -> C { guard n > 0; sync c?; assign n = 1; }",
        ],
    );
}

#[test]
fn kinds_of_locations() {
    check(
        &model("", "state A, B, C; commit B; urgent C; init A;"),
        &[
            "initial location A",
            "committed location B",
            "urgent location C",
        ],
    );
}

#[test]
fn constants_are_folded_unless_indexed_at_run_time() {
    let text = model(
        "const int a[3] = {1,2,3}; const int unused[2] = {8,9}; int n;",
        "state A; init A; trans A -> A { guard a[1] == n && a[n] == 3; };",
    );
    check(
        &text,
        &[
            "const int[-2147483648,2147483647] a[3] = {1, 2, 3};",
            "A -> A { guard 2 == n && a[n] == 3; }",
        ],
    );
    check_absent(
        &text,
        &["const int[-2147483648,2147483647] unused[2] = {8, 9};"],
    );
}

#[test]
fn functions_are_specialised_to_their_references() {
    let (lowered, _) = lowered(&model(
        "int a; int b; void inc(int &x) { x++; } int pure(int n) { return n; }",
        "state A; init A; trans A -> A { assign inc(a), inc(b), inc(a), a = pure(1) + pure(2); };",
    ));
    let names: Vec<&str> = lowered
        .network
        .functions
        .iter()
        .map(|f| f.name.as_str())
        .collect();
    assert_eq!(names, ["inc", "inc@2", "pure"]);
}

#[test]
fn updates_around_all_others() {
    check(
        "int n; int m; before_update { n = 0, m++ } after_update { n = 1 }
         process P() { state A; init A; } system P;",
        &[
            "before_update { n = 0, m = m + 1 }",
            "after_update { n = 1 }",
        ],
    );
}

#[test]
fn meta_variables_have_their_own_region() {
    let (lowered, _) = lowered(&model(
        "meta int m; int n; struct { clock c; int k[2]; } s[2];",
        "",
    ));
    assert_eq!(lowered.network.meta_cells.len(), 1);
    assert_eq!(lowered.network.state_cells.len(), 5);
    let clocks: Vec<&str> = lowered
        .network
        .clocks
        .iter()
        .map(|c| c.name.as_str())
        .collect();
    assert_eq!(clocks, ["s[0].c", "s[1].c"]);
}

#[test]
fn sites_say_where() {
    let (lowered, _) = lowered(
        "int[0,1] n;\nprocess P() { state A; init A;\n trans A -> A { assign n = n + 1; }; }\nsystem P;",
    );
    let site = lowered
        .network
        .sites
        .iter()
        .find(|site| site.text == "n = n + 1");
    let site = site.expect("no site for the assignment");
    assert_eq!(
        (site.line, site.column, site.file.as_str()),
        (3, 24, "model.xta")
    );
    assert!(site.context.contains("template P"), "{}", site.context);
    assert!(!print::text(&lowered.network).is_empty());
}

#[test]
fn the_old_language() {
    check(
        "const N 5; clock x; chan c; int n;
         process P(const k) { clock y; state A { y <= k }, B; init A;
           trans A -> B { guard x >= N, y =< 2; sync c!; assign n := n + 1, y := 0; }; }
         Q := P(7); system Q;",
        &[
            "initial location A { Q.y <= 7 }",
            "A -> B { guard x >= 5 && Q.y <= 2; sync c!; assign n = n + 1, Q.y = 0; }",
        ],
    );
}
