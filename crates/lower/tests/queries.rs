//! Queries over processes, clocks, data; errors in one query do not touch the others.

mod common;
use common::{check_query, check_query_error, lowered, query};
use merkhet_network::{Expr, Formula, QueryKind};

const MODEL: &str = "
    typedef int[0,2] id; clock g; int n; int a[3]; const int N = 2; typedef scalar[2] set;
    int twice(int k) { return 2 * k; } int bad() { n = 1; return n; } chan c;
    process T(const id i) { clock x; int v; bool done; state idle, busy { x <= 5 }; init idle;
      int own() { return v + i; }
      trans idle -> busy { sync c!; assign x = 0, v = n; }, busy -> idle { sync c?; assign done = true; }; }
    process Single() { clock x; state one, two; init one; trans one -> two { }; }
    process Param(const int k) { state here; init here; }
    P1 = Param(1); P2 = Param(2);
    system T, Single, P1, P2;
";

#[test]
fn forms() {
    check_query(
        MODEL,
        "E<> Single.two",
        "Possibly(Data(At(ProcessId(3), LocationId(1))))",
    );
    check_query(MODEL, "A[] not deadlock", "Invariantly(Not(Deadlock))");
    check_query(MODEL, "E[] true", "PotentiallyAlways(Data(Const(1)))");
    check_query(MODEL, "A<> g > 3", "Eventually(Clock(");
    check_query(MODEL, "n == 1 --> n == 2", "LeadsTo(");
    check_query(
        MODEL,
        "sup: g, n",
        "Clock { left: Some(ClockId(0)), right: None }",
    );
    check_query(
        MODEL,
        "inf{Single.one}: T(1).x - g",
        "right: Some(ClockId(0))",
    );
    check_query(MODEL, "bounds: n + 1", "extremum: Both");
}

#[test]
fn processes() {
    check_query(MODEL, "E<> T(1).busy", "At(ProcessId(1), LocationId(1))");
    check_query(MODEL, "E<> T[2].busy", "At(ProcessId(2), LocationId(1))");
    check_query(MODEL, "E<> P2.here", "At(ProcessId(5), LocationId(0))");
    check_query(MODEL, "E<> T(N).x > 3", "right: Some(ClockId(3))");
    check_query(MODEL, "E<> T(0).v == T(1).v", "offset: 6");
    check_query(MODEL, "E<> T(0).i == 0", "Const(1)");
    check_query(MODEL, "E<> T(2).own() > 1", "Call");
    check_query(MODEL, "E<> twice(n) == 4", "Call");
    // The argument is known at run time only.
    check_query(MODEL, "E<> T(n).busy", "Conditional");
}

#[test]
fn quantifiers() {
    let (_, result) = query(
        MODEL,
        "A[] forall (i : id) forall (j : id) T(i).busy && T(j).busy imply i == j",
    );
    let QueryKind::Invariantly(Formula::Data(Expr::And(parts))) = result.unwrap().kind else {
        panic!("not a conjunction");
    };
    assert_eq!(parts.len(), 6, "{parts:?}");
    check_query(MODEL, "E<> exists (i : id) T(i).x > 3", "Or([Clock");
    check_query(MODEL, "A[] forall (i : id) a[i] >= 0", "Quantified");
    check_query(
        MODEL,
        "A[] (sum (i : id) T(i).busy) <= 1",
        "Binary(LessEqual",
    );
    check_query(MODEL, "A[] T(0).busy + T(1).busy <= 1", "Binary(LessEqual");
    check_query(
        MODEL,
        "A[] forall (i : id) T(i).x <= i imply T(i).idle",
        "And([Or([Not(Clock",
    );
}

#[test]
fn faults() {
    check_query_error(MODEL, "E<> Single.three", "unknown-name", "no location");
    check_query_error(MODEL, "E<> T.busy", "arguments", "several processes");
    check_query_error(MODEL, "E<> T(7).busy", "unknown-name", "no process `T(7)`");
    check_query_error(MODEL, "E<> Param.here", "unknown-name", "not a process");
    check_query_error(MODEL, "E<> nix > 1", "unknown-name", "nix");
    check_query_error(MODEL, "E<> bad() == 1", "side-effect", "a query");
    check_query_error(MODEL, "E<> n = 1", "side-effect", "a query");
    check_query_error(MODEL, "sup: g + 1", "clock", "without adding");
    check_query_error(MODEL, "Pr[<=10](<> n > 1)", "unsupported", "symbolic");
    check_query_error(MODEL, "E<> (n", "expected-token", "");
}

#[test]
fn a_template_with_a_single_process_can_be_named() {
    let text = "process T(const int k) { state A, B; init A; } Only = T(3); system Only;";
    check_query(text, "E<> T.B", "At(ProcessId(0), LocationId(1))");
}

#[test]
fn failed_queries_leave_nothing_behind() {
    let (mut model, mut sources) = lowered(MODEL);
    let before = model.network.clone();
    for text in ["E<> twice(n) == 4 && nix", "E<> T(0).own() > bad()"] {
        sources.insert(merkhet_syntax::FileId::TYPED, "query", text.as_bytes());
        let (tree, _) = merkhet_syntax::read_query(text);
        assert!(merkhet_lower::lower_query(&mut model, &tree, &sources).is_err());
        assert_eq!(model.network.functions, before.functions);
        assert_eq!(model.network.local_cells, before.local_cells);
    }
    let text = "E<> twice(n) == 4";
    sources.insert(merkhet_syntax::FileId::TYPED, "query", text.as_bytes());
    let (tree, _) = merkhet_syntax::read_query(text);
    assert!(merkhet_lower::lower_query(&mut model, &tree, &sources).is_ok());
}

#[test]
fn embedded_queries_fail_alone() {
    let text = format!("{MODEL}\nquery {{ A[] n >= 0; E<> nix; E<> Single.two; }}");
    let (lowered, _) = lowered(&text);
    let good: Vec<bool> = lowered.queries.iter().map(|q| q.query.is_some()).collect();
    assert_eq!(good, [true, false, true]);
    assert!(!lowered.queries[1].diagnostics.is_empty());
}

#[test]
fn clocks_with_other_rates_cannot_be_asked_for() {
    let text = "clock x, e; process P() { state A { e' == 2 }; init A; } system P;";
    check_query(text, "E<> x > 3", "Clock");
    check_query_error(text, "E<> e > 3", "unsupported", "rates other than 0 and 1");
    check_query_error(text, "sup: e", "unsupported", "rates other than 0 and 1");
}
