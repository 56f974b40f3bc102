//! Models that go wrong somewhere: what is found elsewhere counts, and nothing else does.

use merkhet::{Answer, Config, Failure, Limits, Model, Report, StopReason, Why, check};

const LIMITED: Answer = Answer::Unknown(Why::Limit(StopReason::States));

fn decide(text: &str, query: &str, search: &str, limits: Limits) -> Result<Report, Failure> {
    let mut model = Model::read("model.xta", text.as_bytes());
    assert!(!model.has_errors(), "{:#?}\n{text}", model.diagnostics);
    let lowered = model.query(query);
    let network = model.network().expect("a network");
    let query = lowered.query.as_ref().expect("a query");
    let config = Config {
        search: Some(search.parse().unwrap()),
        reduce: Some(Vec::new()),
        limits,
        ..Config::default()
    };
    check(network, query, &config, &mut |_| {})
}

/// Counts until `n` leaves its range, or goes to B, and from there to C.
const COUNTER: &str = "
    int[0,50] n; clock x;
    process P() {
        state A { x <= 1 }, B { x <= 5 }, C;
        init A;
        trans
            A -> A { guard x == 1; assign n++, x = 0; },
            A -> B { guard n == 3; },
            B -> C { guard x >= 2; };
    }
    system P;";

fn is_fault<T>(result: &Result<T, Failure>) -> bool {
    matches!(result, Err(Failure::Fault { .. }))
}

#[test]
fn a_goal_beside_the_fault_is_found_by_every_search() {
    for search in ["bfs", "dfs", "rdfs", "greedy", "auto", "largest"] {
        let report = decide(COUNTER, "E<> P.C", search, Limits::default()).expect("a verdict");
        assert_eq!(report.answer, Answer::Satisfied, "{search}");
        assert!(report.trace.is_some(), "{search}");
        let report = decide(COUNTER, "A[] not P.C", search, Limits::default()).expect("a verdict");
        assert_eq!(report.answer, Answer::Violated, "{search}");
    }
}

#[test]
fn without_a_run_to_the_goal_the_fault_is_the_answer() {
    // Greedy search leaves out what cannot lead to the goal, and the fault with it.
    for search in ["bfs", "dfs", "rdfs", "auto", "largest"] {
        for query in ["E<> P.C && n == 4", "A[] n <= 50", "E<> n > 50"] {
            let found = decide(COUNTER, query, search, Limits::default());
            assert!(is_fault(&found), "{search} {query} {found:?}");
        }
    }
}

#[test]
fn a_lasso_close_to_the_start_is_found_though_depth_first_meets_the_fault() {
    // Depth first counts until the fault; the way to C, where time passes for ever, is short.
    let text = "
        int[0,5000] n;
        process P() {
            state A, B, C;
            urgent A, B;
            init A;
            trans A -> B { assign n++; }, B -> A { }, A -> C { };
        }
        system P;";
    let report = decide(text, "A<> n > 6000", "auto", Limits::default()).expect("a verdict");
    assert_eq!(report.answer, Answer::Violated);
    assert!(report.trace.is_some());
    let trapped = text.replace(", A -> C { }", "");
    let found = decide(&trapped, "A<> P.C", "auto", Limits::default());
    assert!(is_fault(&found), "{found:?}");
}

#[test]
fn declared_ranges_answer_what_a_limit_leaves_open_and_nothing_before() {
    let text = "
        int n; bool b[3]; int[0,7] m;
        process P() { state A; init A; trans A -> A { guard n < 30000; assign n++, b[n % 3] = !b[n % 3]; }; }
        system P;";
    let few = Limits {
        states: Some(100),
        ..Limits::default()
    };
    for (query, answer) in [
        ("A[] forall (i : int[0,2]) b[i] < 2", Answer::Satisfied),
        ("A[] P.A imply (m <= 7 && m >= 0)", Answer::Satisfied),
        ("E<> exists (i : int[0,2]) b[i] == 2", Answer::Violated),
        ("A[] forall (i : int[0,2]) b[i] < 1 || n < 300", LIMITED),
        ("A[] not deadlock", LIMITED),
        ("A[] true", LIMITED),
        ("E<> false", LIMITED),
    ] {
        let report = decide(text, query, "bfs", few.clone()).expect("a verdict");
        assert_eq!(report.answer, answer, "{query}");
        let says = report
            .reason()
            .unwrap_or_default()
            .contains("declared ranges");
        assert_eq!(says, answer != LIMITED, "{query}");
    }
    // A fault comes first: the query asks for just that.
    let wrong = text
        .replace("n < 30000", "m < 30000")
        .replace("n++,", "m++,");
    assert!(is_fault(&decide(&wrong, "A[] m <= 7", "bfs", few)));
}

/// A search that is written down.
struct Nowhere;

impl merkhet::Keeper for Nowhere {
    fn due(&mut self) -> bool {
        false
    }

    fn keep(
        &mut self,
        _: &mut dyn FnMut(&mut dyn std::io::Write) -> std::io::Result<()>,
    ) -> std::io::Result<()> {
        Ok(())
    }

    fn resumed(&mut self) -> std::io::Result<Option<Box<dyn std::io::Read + '_>>> {
        Ok(None)
    }
}

/// The rule for faults is the same with several threads, and where the search is written down.
#[test]
fn threads_and_checkpoints_go_on_after_a_fault_likewise() {
    let mut model = Model::read("model.xta", COUNTER.as_bytes());
    let reached = model.query("E<> P.C").query.expect("a query");
    let never = model.query("E<> P.C && n == 4").query.expect("a query");
    let network = model.network().expect("a network");
    for (search, threads, kept) in [
        ("bfs", 1, true),
        ("dfs", 1, true),
        ("greedy", 1, true),
        ("bfs", 2, false),
        ("dfs", 3, false),
    ] {
        let config = Config {
            search: Some(search.parse().unwrap()),
            threads,
            reduce: Some(Vec::new()),
            ..Config::default()
        };
        let decide = |query| match kept {
            true => merkhet::check_resumable(network, query, &config, &mut |_| {}, &mut Nowhere),
            false => check(network, query, &config, &mut |_| {}),
        };
        let report = decide(&reached).expect("a verdict");
        assert_eq!(
            report.answer,
            Answer::Satisfied,
            "{search} {threads} {kept}"
        );
        assert!(report.trace.is_some(), "{search} {threads} {kept}");
        if search != "greedy" {
            assert!(is_fault(&decide(&never)), "{search} {threads} {kept}");
        }
    }
}
