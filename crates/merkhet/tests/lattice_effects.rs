//! Lattice models in which larger elements do less for a reason that a reader of the text may overlook: effects within
//! conditions, order of evaluation, what runs around updates, priorities. None may be covered or joined by default.

use merkhet::{Answer, Config, Failure, Model, Update, check};

/// Numbers up to 3, the larger the higher, and a function that changes its caller's variable.
const COMMON: &str = "
    lattice L { int[0,3] n; bool leq(const L &o) { return n <= o.n; } void join(const L &o) { if (o.n > n) n = o.n; } }
    int inc(int &c) { c = c + 1; return c; }
    L v;
";

/// An element that is 3 or the given number, and then what the function does; the error needs this value of x.
fn process(low: i32, error: i32) -> String {
    format!(
        "process P() {{ state A, D, B, E; init A; trans A -> D {{ assign v.n = 3; }}, A -> D {{ assign v.n = {low}; }},
         D -> B {{ assign f(); }}, B -> E {{ guard x == {error}; }}; }} system P;"
    )
}

fn answer(text: &str, query: &str, lattice: Option<Update>) -> Result<Answer, Failure> {
    let mut model = Model::read("model.xta", text.as_bytes());
    assert!(!model.has_errors(), "{:#?}\n{text}", model.diagnostics);
    let lowered = model.query(query);
    let network = model.network().expect("a network");
    let query = lowered.query.as_ref().expect("a query");
    let config = Config {
        lattice,
        ..Config::default()
    };
    check(network, query, &config, &mut |_| {}).map(|report| report.answer)
}

/// The error is there, and nothing hides it.
fn error_is_seen(text: &str, query: &str) {
    let exact = answer(text, query, Some(Update::Simple)).expect("an answer");
    assert_eq!(
        exact,
        Answer::Violated,
        "the model is not what it should be\n{text}"
    );
    let default = answer(text, query, None).expect("an answer");
    assert_eq!(default, Answer::Violated, "{text}");
    for update in [Update::Cover, Update::Join, Update::Cegar] {
        match answer(text, query, Some(update)) {
            Err(Failure::NotPermitted(_)) | Ok(Answer::Violated) => {}
            other => panic!("{update:?} {other:?}\n{text}"),
        }
    }
}

fn function(body: &str, low: i32, error: i32) {
    let text = format!("{COMMON} int[0,9] x; {body} {}", process(low, error));
    error_is_seen(&text, "A[] not P.E");
}

fn system(text: &str, query: &str) {
    error_is_seen(&format!("{COMMON} {text}"), query);
}

#[test]
fn effects_on_locals_count_where_evaluation_stops_early() {
    function(
        "void f() { int c = 0; if (v.n > 1 && inc(c) > 0) { } x = c; }",
        0,
        0,
    );
    function(
        "void f() { int c = 0; if (v.n > 1 && (c = 1) > 0) { } x = c; }",
        0,
        0,
    );
    function(
        "void f() { int c = 0; bool b = exists (k : int[0,3]) inc(c) > v.n; x = c == 2 ? 1 : 0; }",
        1,
        1,
    );
}

#[test]
fn effects_in_the_body_of_a_quantifier_are_made_each_time() {
    function(
        "int one(int &c) { c = c + 1; return 1; }
         void f() { int c = 0; int s = sum (k : int[0,3]) one(c); if (c == 4) x = v.n; }",
        1,
        1,
    );
}

#[test]
fn conditions_with_effects_say_nothing_of_what_follows() {
    function(
        "void f() { int c = 0; if (v.n < inc(c)) { } else { if (v.n < 2) x = 1; } }",
        1,
        1,
    );
    function(
        "void f() { int c = 0; if (v.n < inc(c)) { } else { if (v.n < 2 && c == 1) x = 1; } }",
        1,
        1,
    );
    function(
        "L w; int bump() { w.n = 3; return 2; } void f() { if (w.n < bump()) { x = v.n; } }",
        1,
        1,
    );
}

#[test]
fn arguments_with_effects_are_evaluated_once() {
    function(
        "bool pos(int k) { return k > 2; }
         void f() { int c = 0; if (pos(inc(c) + v.n)) { if (c == 1) x = 0; } else { if (c == 1) x = v.n; } }",
        1,
        1,
    );
}

#[test]
fn the_last_test_of_a_loop_has_effects_too() {
    function(
        "bool g(int &i) { x = v.n; i = i + 1; return i < 3; }
         void f() { int i = 0; while (g(i)) { x = 0; } }",
        1,
        1,
    );
}

#[test]
fn the_index_of_a_copy_is_evaluated_once() {
    function(
        "typedef struct { int[0,1] k; int[0,9] n; } S;
         void f() { S a[2]; S s; s.k = 1; s.n = v.n; a[a[0].k] = s; x = a[0].n; }",
        1,
        1,
    );
    function(
        "typedef struct { int[0,9] k; int[0,9] n; } S;
         void f() { int i = -1; S a[3]; S s; a[0].n = v.n; s = a[inc(i)]; x = s.n; }",
        1,
        1,
    );
    function(
        "typedef struct { int[0,9] k; int[0,9] n; } S;
         int val(S s) { return s.n; }
         void f() { int i = -1; S a[3]; a[0].n = v.n; x = val(a[inc(i)]) == 1 ? 1 : 0; }",
        1,
        1,
    );
}

#[test]
fn effects_within_queries_and_guards() {
    let bad = "bool bad() { int c = 0; if (v.n > 1 && inc(c) > 0) { } return c == 0; }";
    let choose = "A -> D { assign v.n = 3; }, A -> D { assign v.n = 0; }";
    system(
        &format!(
            "{bad} process P() {{ state A, D, E; init A; trans {choose}, D -> E {{ }}; }} system P;"
        ),
        "A[] not (P.E and bad())",
    );
    system(
        &format!(
            "{bad} process P() {{ state A, D, E; init A; trans {choose}, D -> E {{ guard bad(); }}; }} system P;"
        ),
        "A[] not P.E",
    );
}

#[test]
fn a_receiver_reads_its_guard_before_the_sender_changes_what_its_update_reads() {
    system(
        "L w; int[0,3] x; chan c;
         process W() { state A; init A; trans A -> A { guard w.n < 3; assign w.n = 3; }; }
         process S() { state A, B; init A; trans A -> B { guard v.n <= 3; sync c!; assign v.n = w.n; }; }
         process R() { state A, B, E; init A; trans A -> B { guard v.n >= 3; sync c?; assign x = v.n; },
             B -> E { guard x == 0; }; }
         process I() { state A, B; init A; trans A -> B { assign v.n = 3; }; }
         system W, S, R, I;",
        "A[] not R.E",
    );
    system(
        "L w; int[0,3] x;
         process P() { state A, D, B, E; init A; trans A -> D { assign w.n = 3; }, A -> D { assign w.n = 1; },
             D -> B { guard v.n >= 3; assign x = v.n; }, B -> E { guard x == 1; }; }
         process I() { state A; init A; trans A -> A { assign v.n = 3; }; }
         system P, I; before_update { v.n = w.n }",
        "A[] not P.E",
    );
}

#[test]
fn what_runs_around_updates_runs_for_each_transition() {
    system(
        "int[0,9] k;
         process P() { state A, D, B, E; init A; trans A -> D { assign v.n = 3; }, A -> D { assign v.n = 0; },
             D -> D { guard v.n < 1; assign v.n = 1; }, D -> E { guard k == 2; }; }
         system P; before_update { k = k < 9 ? k + 1 : 9 }",
        "A[] not P.E",
    );
}

#[test]
fn the_invariant_of_a_target_decides_what_has_priority() {
    let choose = "Z -> A { assign v.n = 3; }, Z -> A { assign v.n = 0; }";
    system(
        &format!(
            "chan hi; clock x; chan priority default < hi;
             process P() {{ state Z, A {{ x <= 1 }}, B {{ x <= v.n }}, E; commit Z; init Z; trans {choose},
                 A -> B {{ guard x >= 1; sync hi!; }}, A -> E {{ guard x >= 1; }}; }}
             process Q() {{ state A; init A; trans A -> A {{ sync hi?; }}; }}
             system P, Q;"
        ),
        "A[] not P.E",
    );
    system(
        &format!(
            "clock x; int[0,1] g;
             process P() {{ state Z, A {{ x <= 1 }}, B {{ x <= v.n }}; commit Z; init Z; trans {choose},
                 A -> B {{ guard x >= 1; assign g = 1; }}; }}
             process Q() {{ state A, E; init A; trans A -> E {{ guard x >= 1 && g == 0; }}; }}
             system Q < P;"
        ),
        "A[] not Q.E",
    );
}
