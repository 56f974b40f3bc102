//! Traps about time that stands still: where a run stays, where it ends, and what cuts its stay in two.

use crate::support::Expected::{Fault, Satisfied, Violated};
use crate::support::check_all;
use merkhet::{Config, Model, TraceKind, check};

/// No time passes in an urgent location: from `x <= 4` nobody comes to `x > 4` there.
#[test]
fn a_run_that_ends_in_an_urgent_location_stays_at_its_moment() {
    let text = "
        clock x;
        process P() {
            state A, B, C;
            urgent C;
            init A;
            trans A -> B { }, B -> C { };
        }
        system P;";
    check_all(
        text,
        &[
            ("P.C --> x > 4", Violated),
            ("P.B --> x > 4", Violated),
            ("P.C && x > 4 --> x > 4", Satisfied),
            ("P.C && x <= 2 --> x > 3", Violated),
            ("A<> P.C", Violated),
            ("E[] x <= 4", Satisfied),
            ("E[] (not P.B) and x <= 4", Violated),
        ],
    );
}

/// A run that stays at a moment because an urgent channel holds up time.
#[test]
fn a_run_that_an_urgent_channel_holds_stays_at_its_moment() {
    let text = "
        clock x;
        urgent chan go;
        process P() {
            state A, B, C;
            init A;
            trans A -> B { }, B -> C { sync go!; };
        }
        process Q() {
            state D, E { x < 0 };
            init D;
            trans D -> E { sync go?; };
        }
        system P, Q;";
    check_all(
        text,
        &[
            // The target invariant forbids the transition, but time stands still all the same.
            ("P.B --> x > 4", Violated),
            ("P.B && x <= 2 --> x > 3", Violated),
            ("P.B && x > 4 --> x > 4", Satisfied),
            ("E<> P.C", Violated),
            ("E<> deadlock", Satisfied),
            ("A[] P.A imply not deadlock", Satisfied),
        ],
    );
}

/// Zones are enlarged beyond the largest constants (the clock `z` has none), so that the valuations from which nothing is
/// possible any more fall into parts, and into the first of them no run may lead.
#[test]
fn a_run_may_end_in_any_part_of_a_deadlock() {
    let text = "
        clock x, y, z;
        urgent broadcast chan go;
        process P() {
            state A { x <= 3 }, B;
            init A;
            trans
                A -> B { guard y >= 1; assign y = 0; },
                B -> A { guard x >= 2; },
                B -> B { sync go!; };
        }
        process Q() {
            state C, D;
            init C;
        }
        system P, Q;";
    check_all(
        text,
        &[
            ("A<> Q.D", Violated),
            ("E[] Q.C", Satisfied),
            ("E[] P.A || x >= 1", Satisfied),
            ("P.A && x >= 1 --> Q.D", Violated),
        ],
    );
}

/// Under an urgent guard with two bounds the valuations before it are no zone but two, and time leads from one to the
/// other.
#[test]
fn time_leads_from_one_part_of_a_cut_stay_to_another() {
    let text = "
        clock x, y;
        urgent chan go;
        process P() {
            state A, Good, Bad;
            init A;
            trans
                A -> Good { guard x >= 2 && y >= 3; sync go!; },
                A -> Bad { guard x > 2 && y < 3; };
        }
        process Q() {
            state D;
            init D;
            trans D -> D { sync go?; };
        }
        system P, Q;";
    check_all(
        text,
        &[
            ("E[] not P.Good", Satisfied),
            ("A<> P.Good", Violated),
            ("P.A --> P.Good", Violated),
            ("P.A && x == 0 --> P.Good", Violated),
            ("P.A && x == 3 --> P.Good", Satisfied),
            ("A<> x >= 2", Satisfied),
            ("A<> P.Good or P.Bad", Satisfied),
            ("A<> P.A and x > 1 or P.Good or P.Bad", Satisfied),
            ("E[] P.A", Violated),
            ("A[] P.A imply not deadlock", Satisfied),
            ("E<> P.A and deadlock", Violated),
            ("E[] P.A or x > 2", Satisfied),
        ],
    );
}

/// Every round cuts the stay in three, and only the last part of each leads far enough: of three ways in each of 30
/// rounds one is right.
#[test]
fn the_run_through_many_cut_stays_is_found() {
    let receivers = "
        clock x, total;
        int[0, 30] round;
        broadcast chan tell;
        process P() {
            state Round { x <= 4 }, End;
            init Round;
            trans
                Round -> Round { guard round < 30; sync tell!; assign x = 0, round++; },
                Round -> End { guard round == 30; };
        }
        process Q() {
            state Listen, Heard;
            init Listen;
            trans Listen -> Heard { guard x == 2; sync tell?; };
        }
        system P, Q;";
    check_all(
        receivers,
        &[
            ("E<> round == 30 and x == 0 and total > 119", Satisfied),
            (
                "E<> round == 30 and x == 0 and total > 71 and Q.Listen",
                Satisfied,
            ),
            ("A[] round == 30 and x == 0 imply total <= 119", Violated),
            ("E<> round == 30 and x == 0 and total > 120", Violated),
        ],
    );
    let priorities = "
        clock x, total;
        int[0, 30] round;
        chan first;
        chan priority default < first;
        process P() {
            state Round { x <= 4 }, Off;
            init Round;
            trans
                Round -> Round { guard round < 30; assign x = 0, round++; },
                Round -> Off { guard x == 2 && round < 30; sync first!; };
        }
        process Q() {
            state D;
            init D;
            trans D -> D { sync first?; };
        }
        system P, Q;";
    check_all(
        priorities,
        &[
            ("E<> round == 30 and x == 0 and total > 119", Satisfied),
            ("E<> round == 30 and x == 0 and total > 120", Violated),
        ],
    );
}

/// What a deadlock is does not depend on how long the search for the least time wants to wait.
#[test]
fn least_time_to_a_deadlock() {
    let text = "
        clock x;
        process P() {
            state A, B, C;
            init A;
            trans A -> B { guard x >= 3; assign x = 0; }, B -> C { guard x >= 1; };
        }
        system P;";
    let mut model = Model::read("model.xta", text.as_bytes());
    let config = Config {
        trace: TraceKind::Fastest,
        threads: 1,
        ..Config::default()
    };
    for (query, expected) in [
        ("E<> deadlock", "least time: 4"),
        ("E<> deadlock && x > 1", "least time: > 4 (not reached)"),
        ("E<> P.B && x > 2", "least time: > 5 (not reached)"),
        ("A[] not deadlock", "least time: 4"),
    ] {
        let lowered = model.query(query);
        let (network, query) = (model.network().unwrap(), lowered.query.as_ref().unwrap());
        let report = check(network, query, &config, &mut |_| {}).expect("an answer");
        assert_eq!(report.reason().as_deref(), Some(expected));
    }
}

/// A model without any run would satisfy every `A[]`: it is an error instead.
#[test]
fn an_initial_state_that_invariants_forbid_is_an_error() {
    let model = |invariant: &str| {
        format!(
            "clock x; int n = 0;
             process P() {{ state A {{ {invariant} }}; init A; }}
             system P;"
        )
    };
    for invariant in ["x < 0", "n == 1", "x <= n - 1"] {
        let words = Fault("does not hold in the initial state");
        let queries = ["A[] P.A", "E<> P.A", "A<> P.A", "sup: x"].map(|query| (query, words));
        check_all(&model(invariant), &queries);
    }
    check_all(&model("x <= 0"), &[("A[] P.A", Satisfied)]);
}
