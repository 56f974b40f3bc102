//! What was not proved is said: `meta` variables that last, searches without an end, faults and values that only an
//! over-approximation shows.

use crate::support::Expected::{Fault, Satisfied, Violated};
use crate::support::{check_all, decide};
use merkhet::{Bound, Config, Model, Report, check};

/// Decides a query within a number of states, without a look at certificates.
fn within(text: &str, query: &str, states: u64) -> Report {
    let mut model = Model::read("model.xta", text.as_bytes());
    let lowered = model.query(query);
    let mut config = Config {
        threads: 1,
        ..Config::default()
    };
    config.limits.states = Some(states);
    let (network, query) = (model.network().unwrap(), lowered.query.as_ref().unwrap());
    check(network, query, &config, &mut |_| {}).expect("a report")
}

fn says(report: &Report, words: &str) {
    assert!(report.answer.is_unknown(), "{:?}", report.reason());
    let reason = report.reason().unwrap_or_default();
    assert!(reason.contains(words), "{reason}");
}

fn kept(text: &str) -> (usize, Vec<&'static str>) {
    let model = Model::read("model.xta", text.as_bytes());
    let codes = model
        .diagnostics
        .iter()
        .map(|message| message.code)
        .collect();
    (model.network().expect("a network").meta_cells.len(), codes)
}

/// A `meta` variable that one transition leaves to the next: states that differ in it are not the same.
#[test]
fn a_meta_variable_that_lasts_is_part_of_the_state() {
    let counted = "
        meta int[0, 90] steps;
        process P() {
            state A, B;
            urgent A;
            init A;
            trans
                A -> A { guard steps < 70; assign steps++; },
                A -> B { guard steps >= 70; };
        }
        system P;";
    assert_eq!(kept(counted), (0, vec!["lasting-meta"]));
    check_all(
        counted,
        &[
            ("E<> P.B", Satisfied),
            ("A[] P.A", Violated),
            ("A<> P.B", Satisfied),
            ("P.A --> P.B", Satisfied),
            ("E[] P.A", Violated),
            ("E<> steps == 71", Violated),
        ],
    );
    let report = decide(counted, "sup: steps").expect("a value");
    assert_eq!(report.values[0].supremum, Some(Bound::Reached(70)));
    let round = "
        meta int[0, 90] steps;
        process P() {
            state A;
            urgent A;
            init A;
            trans A -> A { assign steps = steps < 80 ? steps + 1 : 0; };
        }
        system P;";
    check_all(
        round,
        &[
            ("E[] P.A", Satisfied),
            ("A[] P.A", Satisfied),
            ("A<> steps == 80", Satisfied),
        ],
    );
}

/// What a transition writes before it reads it stays out of the state, be it from sender to receiver; a query that
/// reads it is told.
#[test]
fn a_meta_variable_of_one_transition_is_none() {
    let message = "
        meta int[0, 90] letter, scratch;
        int[0, 90] got;
        chan post;
        process P(const int value) {
            state A, B;
            init A;
            trans A -> B { sync post!; assign letter = value; };
        }
        process Q() {
            state A;
            init A;
            trans A -> A { sync post?; assign scratch = letter + 1, got = scratch; };
        }
        P1 = P(3);
        P2 = P(40);
        Q1 = Q();
        system P1, P2, Q1;";
    assert_eq!(kept(message), (2, vec![]));
    check_all(
        message,
        &[
            ("E<> got == 41", Satisfied),
            ("E<> got == 5", Violated),
            ("E<> letter == 3 and got == 4", Satisfied),
        ],
    );
    says(
        &within(message, "E<> letter == 77", 1000),
        "`letter`, which is `meta`",
    );
    says(
        &within(message, "A[] scratch <= 41", 1000),
        "`scratch`, which is `meta`",
    );
    says(
        &within(message, "sup: letter", 1000),
        "`letter`, which is `meta`",
    );
    // One sender does not write it: the receiver may see an older letter.
    let silent = message.replace("sync post!; assign letter = value;", "sync post!;");
    assert_eq!(kept(&silent), (1, vec!["lasting-meta"]));
}

/// Zones are split by few values of the bound of a difference; with many the clocks are not abstracted.
#[test]
fn a_difference_with_too_many_bounds_is_named() {
    let model = |declaration: &str| {
        format!(
            "clock x, y; {declaration};
             process P() {{
                 state A {{ x <= 5 }}, B;
                 init A;
                 trans
                     A -> A {{ guard x >= 1; assign x = 0, limit = (limit + 1) % 5; }},
                     A -> B {{ guard y - x < limit && y >= 20; }};
             }}
             system P;"
        )
    };
    let report = within(&model("int limit = 3"), "E<> P.B", 3000);
    says(&report, "`limit` with a smaller range");
    says(&report, "(state limit reached)");
    check_all(&model("int[0, 4] limit = 3"), &[("E<> P.B", Violated)]);
}

/// The clocks x and y never run together, so that they are 1 together after two units of time.
const STOPWATCHES: &str = "
    clock x, y, t;
    int n, zero;
    process P() {
        state A { x' == 0 && t <= LAST }, B { y' == 0 && t <= LAST }, C { t <= LAST };
        init A;
        trans
            A -> B { }, B -> A { },
            A -> C { guard x == 1 && y == 1; assign n = WHAT; };
    }
    system P;";

fn stopwatches(last: &str, what: &str) -> String {
    STOPWATCHES.replace("LAST", last).replace("WHAT", what)
}

/// A fault that is there in the over-approximation only is no fault of the model.
#[test]
fn a_fault_that_no_run_reaches_is_only_possible() {
    let report = within(&stopwatches("1", "1 / zero"), "A[] n == 0", 1000);
    says(&report, "division by zero");
    says(&report, "may go wrong");
    let real = stopwatches("1", "0").replace("A -> B { }", "A -> B { assign n = 1 / zero; }");
    check_all(&real, &[("A[] n == 0", Fault("division by zero"))]);
}

/// An integer's extreme value in an over-approximation counts if a run reaches it.
#[test]
fn values_beside_stopwatches_are_confirmed_by_runs() {
    let text = "
        clock work, t;
        int[0, 9] jobs;
        process P() {
            state Busy { work <= 2 }, Idle { work' == 0 && t <= 9 };
            init Busy;
            trans
                Busy -> Idle { },
                Idle -> Busy { },
                Busy -> Busy { guard work == 2 && jobs < 3; assign work = 0, jobs++; };
        }
        system P;";
    let report = decide(text, "bounds: jobs").expect("values");
    let value = &report.values[0];
    assert_eq!(
        (value.infimum, value.supremum),
        (Some(Bound::Reached(0)), Some(Bound::Reached(3)))
    );
    says(
        &within(&stopwatches("1", "5"), "sup: n", 1000),
        "5 is a bound on the value",
    );
}
