//! Variables that are not read any more: states that differ only there are one, and nothing that is read is forgotten.

use merkhet::{Answer, Config, Failure, Model, Report, check};

fn decide(text: &str, query: &str, keep_dead: bool) -> Result<Report, Failure> {
    let mut model = Model::read("model.xta", text.as_bytes());
    assert!(!model.has_errors(), "{:#?}\n{text}", model.diagnostics);
    let lowered = model.query(query);
    let network = model.network().expect("a network");
    let query = lowered.query.as_ref().expect("a query");
    let config = Config {
        keep_dead,
        search: Some("bfs".parse().unwrap()),
        reduce: Some(Vec::new()),
        ..Config::default()
    };
    check(network, query, &config, &mut |_| {})
}

/// Expects one answer with and without dead variables, after `kept` states with them and `forgotten` without.
fn expect(text: &str, query: &str, answer: Answer, kept: u64, forgotten: u64) {
    for (keep_dead, states) in [(true, kept), (false, forgotten)] {
        let report = decide(text, query, keep_dead).expect("a verdict");
        let explored = report.figures.explored;
        assert_eq!(
            (report.answer, explored),
            (answer.clone(), states),
            "{query}, kept: {keep_dead}\n{text}"
        );
    }
}

/// `v` is chosen on the way to B, read at B, and not read at C and A before it is chosen anew.
fn chosen(update: &str, rest: &str) -> String {
    format!(
        "int[0,2] v; int[0,1] w; int[0,2] a[2];
        void maybe(int i) {{ if (w == 1) v = i; }}
        void early(int i) {{ if (w == 1) return; v = i; }}
        void late(int i) {{ v = i; if (w == 1) return; w = 0; }}
        void both(int i) {{ if (w == 1) {{ v = i; }} else {{ v = 2 - i; }} }}
        process P() {{
            state A, B, C;
            init A;
            trans
                A -> B {{ select i : int[0,2]; assign {update}; }},
                B -> C {{ guard v == 1; }},
                C -> A {{ }};
        }}
        {rest}"
    )
}

const ANYWHERE: &str = "A[] P.A || P.B || P.C";

#[test]
fn a_variable_that_is_written_before_it_is_read_is_forgotten() {
    // A with 0, B with 0, 1 and 2, C with 1, and A with 1; the last is the first without the dead value.
    let text = chosen("v = i", "system P;");
    expect(&text, ANYWHERE, Answer::Satisfied, 6, 5);
}

#[test]
fn what_the_query_reads_is_kept() {
    let text = chosen("v = i", "system P;");
    expect(&text, "A[] !(P.A && v == 1)", Answer::Violated, 5, 5);
    expect(&text, "A[] P.A imply v != 2", Answer::Satisfied, 6, 6);
}

#[test]
fn a_function_counts_as_writing_where_every_way_writes() {
    for (update, forgotten) in [
        ("late(i)", 5),
        ("both(i)", 5),
        ("maybe(i)", 0),
        ("early(i)", 0),
    ] {
        let text = chosen(update, "system P;");
        let kept = decide(&text, ANYWHERE, true).expect("a verdict");
        let states = match forgotten {
            0 => kept.figures.explored,
            states => states,
        };
        expect(
            &text,
            ANYWHERE,
            Answer::Satisfied,
            kept.figures.explored,
            states,
        );
    }
}

#[test]
fn another_process_that_still_reads_it_keeps_it() {
    let reader = "process Q() { state X, Y; init X; trans X -> Y { guard v == 1 && w == 0; }; } system P, Q;";
    let text = chosen("v = i", reader);
    // Six states with Q at X, where v is read (were it forgotten there: five); five with Q at Y.
    expect(&text, ANYWHERE, Answer::Satisfied, 11, 11);
}

#[test]
fn a_message_through_a_shared_variable_arrives() {
    let text = "
        chan c; int[0,3] message; int[0,3] got;
        process S() { state A; init A; trans A -> A { select i : int[0,3]; sync c!; assign message = i; }; }
        process R() { state A, B; init A; trans A -> B { sync c?; assign got = message; }; }
        system S, R;";
    for value in 0..=3 {
        let query = format!("E<> R.B && got == {value}");
        for keep_dead in [true, false] {
            let report = decide(text, &query, keep_dead).expect("a verdict");
            assert_eq!(report.answer, Answer::Satisfied, "{query}");
        }
    }
}

/// A sender that chooses a message, and a receiver that keeps whether it was 3.
fn messages(channel: &str, more: &str, receives: &str, system: &str) -> String {
    format!(
        "{channel} c; int[0,3] message; bool got;
        process S() {{ state A; init A; trans A -> A {{ select i : int[0,3]; sync c!; assign message = i; }}; }}
        process R() {{ state A; init A; trans A -> A {{ {receives} assign got = message == 3; }}; }}
        {more}
        system {system};"
    )
}

#[test]
fn a_message_is_forgotten_once_it_has_arrived() {
    for channel in ["chan", "broadcast chan"] {
        // Messages 0 to 2 without got, and 3 with it. Without the message only got is left.
        let text = messages(channel, "", "sync c?;", "S, R");
        expect(&text, "A[] got || !got", Answer::Satisfied, 4, 2);
    }
}

#[test]
fn a_message_is_kept_where_something_depends_on_it() {
    // Another sender does not write it; the receiver's guard is evaluated before it is written; it is read elsewhere.
    let silent = "process T() { state A; init A; trans A -> A { sync c!; }; }";
    let guarded = "guard message < 3; sync c?;";
    let reader = "process Q() { state A, B; init A; trans A -> B { guard message == 2; }; }";
    for (more, receives, system) in [
        (silent, "sync c?;", "S, R, T"),
        ("", guarded, "S, R"),
        (reader, "sync c?;", "S, R, Q"),
    ] {
        let text = messages("chan", more, receives, system);
        let states = |keep_dead| {
            let report = decide(&text, "A[] got || !got", keep_dead).expect("a verdict");
            report.figures.explored
        };
        // At Q's last location nobody reads it any more.
        let (kept, forgotten) = (states(true), states(false));
        match more == reader {
            true => assert_eq!((kept, forgotten), (8, 6), "{text}"),
            false => assert_eq!(kept, forgotten, "{text}"),
        }
    }
}

#[test]
fn what_the_receiver_writes_counts_when_the_sender_arrives() {
    // S reads v after each synchronisation; R has written it then. Over a broadcast R may be missing.
    let text = |channel: &str| {
        format!(
            "{channel} c; int[0,2] v; bool seen;
            process S() {{ state A, B; init A; trans A -> B {{ sync c!; }}, B -> A {{ assign seen = v == 2; }}; }}
            process R() {{ state A; init A; trans A -> A {{ select i : int[0,2]; sync c?; assign v = i; }}; }}
            system S, R;"
        )
    };
    let query = "A[] seen || !seen";
    expect(&text("chan"), query, Answer::Satisfied, 9, 8);
    expect(&text("broadcast chan"), query, Answer::Satisfied, 9, 9);
}

#[test]
fn an_array_that_a_loop_clears_is_written() {
    let text = |clear: &str| {
        format!(
            "int[0,2] a[2]; int[0,1] w;
            void clear() {{ {clear} }}
            process P() {{
                state A, B, C;
                init A;
                trans
                    A -> B {{ select i : int[0,2]; assign clear(), a[1] = i; }},
                    B -> C {{ guard a[0] + a[1] == 2; }},
                    C -> A {{ }};
            }}
            system P;"
        )
    };
    let whole = text("for (i : int[0,1]) a[i] = 0;");
    expect(&whole, ANYWHERE, Answer::Satisfied, 6, 5);
    let in_part = text("for (i : int[0,1]) { if (w == 0) a[i] = 0; }");
    expect(&in_part, ANYWHERE, Answer::Satisfied, 6, 5);
}

#[test]
fn a_lasso_over_a_forgotten_value_is_judged() {
    let text = chosen("v = i", "system P;");
    for keep_dead in [true, false] {
        let report = decide(&text, "E[] !P.A || v <= 2", keep_dead).expect("a verdict");
        assert_eq!(report.answer, Answer::Satisfied);
        let report = decide(&text, "A<> P.B && w == 1", keep_dead).expect("a verdict");
        assert_eq!(report.answer, Answer::Violated);
        assert!(report.trace.is_some());
    }
}

#[test]
fn a_write_out_of_range_is_found_though_nobody_reads_the_variable() {
    let text = "
        int[0,3] n; int[0,3] unread;
        process P() { state A; init A; trans A -> A { guard n < 3; assign n++, unread = 2 * n; }; }
        system P;";
    for keep_dead in [true, false] {
        let found = decide(text, "A[] P.A", keep_dead);
        assert!(matches!(found, Err(Failure::Fault { .. })), "{found:?}");
    }
}
