//! Points of the language's meaning that implementations get wrong, each in a model of a few lines: what the engine says,
//! what the judge accepts, and that a proof can be certified.

use crate::support::Expected::{Fault, Satisfied, Violated};
use crate::support::{check_all, decide};

#[test]
fn arithmetic_comes_round_at_32_bits() {
    let text = "
        const int32_t LARGEST = 2147483647;
        int32_t sum = 0, product = 1;
        int32_t hash(int32_t seed) { return (seed * 31 + 17) ^ (seed << 5); }
        process P() {
            state A, B, C;
            init A;
            trans
                A -> B { guard LARGEST + 1 < 0; assign sum = LARGEST, sum = sum + 1; },
                B -> B { guard sum < 0 && product != 0; assign product = product * 65536; },
                B -> C { guard hash(123456789) == 258242364; };
        }
        system P;";
    // (123456789 · 31 + 17) xor (123456789 · 32), modulo 2^32.
    check_all(
        text,
        &[
            ("E<> P.B && sum == -2147483648", Satisfied),
            ("E<> P.B && product == 0", Satisfied),
            (
                "A[] product == 1 || product == 65536 || product == 0",
                Satisfied,
            ),
            ("E<> P.C", Satisfied),
            (
                "A[] forall (i : int[1,3]) sum * i <= 0 || sum * i == -2147483648",
                Satisfied,
            ),
        ],
    );
}

#[test]
fn a_sum_that_comes_round_is_still_out_of_range() {
    let text = "
        int[0,10] small = 1;
        int32_t large = 2147483647;
        process P() {
            state A, B, C;
            init A;
            trans
                A -> B { assign small = large + 12; },
                A -> C { assign large = -2147483648, small = large - 2147483647; };
        }
        system P;";
    check_all(
        text,
        &[
            ("A[] P.A", Fault("outside the range")),
            ("E<> P.C", Fault("outside the range")),
        ],
    );
}

#[test]
fn the_quotient_that_does_not_fit_is_a_fault() {
    let text = "
        int32_t a = -2147483648, b = -1;
        process P() {
            state A, B;
            init A;
            trans A -> B { guard a % b == 0; assign a = a / b; };
        }
        system P;";
    check_all(text, &[("E<> P.B", Fault("does not fit"))]);
}

/// A transition of higher priority puts others off only where it is one: its target's invariant counts, as it does for
/// every transition.
#[test]
fn a_failing_target_invariant_does_not_put_off_lower_priorities() {
    let text = "
        chan high, low;
        chan priority low < high;
        clock x;
        process P() {
            state A, High { x > 1 }, Low, Never { x < 0 };
            init A;
            trans
                A -> High { sync high!; },
                A -> Low { guard x <= 2; sync low!; };
        }
        process Q() {
            state A;
            init A;
            trans A -> A { sync high?; }, A -> A { sync low?; };
        }
        system P, Q;";
    check_all(
        text,
        &[
            ("E<> P.Low", Satisfied),
            ("E<> P.Low && x == 1", Satisfied),
            // P entered Low no later than 1: from then on the other one is there.
            ("E<> P.High && x < 2", Satisfied),
            ("A[] P.High imply x > 1", Satisfied),
        ],
    );
    let entered = text.replace(
        "guard x <= 2; sync low!;",
        "guard x <= 2; sync low!; assign x = 7;",
    );
    let after = entered.replace("Low, Never", "Low { x <= 7 }, Never");
    check_all(
        &after,
        &[("E<> P.Low", Satisfied), ("A<> P.Low || P.High", Violated)],
    );
    let late = text.replace(
        "guard x <= 2; sync low!;",
        "guard x > 1 && x <= 2; sync low!;",
    );
    check_all(&late, &[("E<> P.Low", Violated), ("A[] !P.Low", Satisfied)]);
}

/// The update of a transition that a higher priority puts off is never executed: it cannot go wrong.
#[test]
fn what_is_put_off_causes_no_fault() {
    let text = "
        chan high;
        chan priority default < high;
        int[0,1] n = 0;
        process P() {
            state A, B, C;
            init A;
            trans A -> B { sync high!; }, A -> C { assign n = 2; };
        }
        process Q() {
            state A;
            init A;
            trans A -> A { sync high?; };
        }
        system P, Q;";
    check_all(text, &[("E<> P.C", Violated), ("A[] n == 0", Satisfied)]);
}

/// Guards with loops are remembered by the values that they read: nothing may change by that.
#[test]
fn remembered_guards_are_those_that_are_computed() {
    let model = |total: &str| {
        format!(
            "
        int[0,5] a[4];
        process P(const int[0,3] i) {{
            state A, B;
            init A;
            trans
                A -> B {{ guard a[i] < 5 && {total} < 12; assign a[i] = a[i] + 1; }},
                B -> A {{ guard {total} % 3 != 1; }},
                A -> A {{ guard {total} == 12 && a[i] > 0; assign a[i] = a[i] - 1; }};
        }}
        system P;"
        )
    };
    let (loops, plain) = (
        model("(sum (j : int[0,3]) a[j])"),
        model("(a[0] + a[1] + a[2] + a[3])"),
    );
    for query in [
        "A[] true",
        "E<> a[0] == 5 && a[1] == 5 && a[2] == 2",
        "A[] not deadlock",
    ] {
        let figures = |text: &str| {
            let report = decide(text, query).expect("an answer");
            let figures = report.figures;
            (
                report.answer,
                figures.explored,
                figures.stored,
                figures.discrete,
            )
        };
        let remembered = figures(&loops);
        assert_eq!(remembered, figures(&plain), "{query}");
        assert!(
            remembered.1 > 1_000 || query.contains("deadlock"),
            "{query}: too few states to tell"
        );
    }
}

/// `&&`, `||`, `imply` and quantifiers stop as soon as the answer is known, wherever clocks stand in between.
#[test]
fn what_a_formula_guards_is_not_evaluated() {
    let text = "
        clock x, z[3];
        int[0, 3] i = 3;
        int a[3];
        process P() {
            state A, B;
            init A;
            trans A -> B { };
        }
        system P;";
    check_all(
        text,
        &[
            ("A[] (i < 3 && x >= 0) imply a[i] == 0", Satisfied),
            ("A[] (i >= 3 and x >= 0) or a[i] == 0", Satisfied),
            ("A[] (i < 3 && x >= 0) imply z[i] >= 0", Satisfied),
            (
                "A[] forall (k : int[0, 3]) ((k < 3 && x >= 5) imply a[k] == 0)",
                Satisfied,
            ),
            (
                "A[] exists (k : int[0, 3]) ((k < 3 && x < 0) or (k == 3 || a[k] == 1))",
                Satisfied,
            ),
            ("E<> (i < 3 && x >= 0) and a[i] == 0", Violated),
            ("(i < 3 && x >= 0) --> a[i] == 0", Satisfied),
            ("E[] (i < 3 && x >= 0) imply a[i] == 1", Satisfied),
            ("A[] (i < 3 && not deadlock) imply a[i] == 0", Satisfied),
            // Only the valuations that the parts before leave open count.
            ("A[] x < 7 or (x < 5 and a[i] == 0)", Violated),
            ("A[] (x < 7 and x >= 7) imply a[i] == 0", Satisfied),
            // What is evaluated still fails.
            (
                "A[] (i <= 3 && x >= 0) imply a[i] == 0",
                Fault("outside an array"),
            ),
            (
                "A[] x < 5 or (x < 7 and a[i] == 0)",
                Fault("outside an array"),
            ),
            ("E<> (x > 3 && a[i] == 0) or P.B", Fault("outside an array")),
        ],
    );
}

/// With a stopwatch, where an urgent synchronisation is possible all along, time does not pass: nor in the certificate.
#[test]
fn a_certificate_with_a_stopwatch_knows_urgency() {
    let text = "
        clock x, still;
        urgent broadcast chan hurry;
        process P() {
            state A { still' == 0 }, B;
            init A;
            trans A -> A { sync hurry!; }, A -> B { guard x >= 1; };
        }
        system P;";
    for query in ["E<> x >= 1", "E<> P.B"] {
        let report = decide(text, query).expect("an answer");
        assert_eq!(report.answer, merkhet::Answer::Violated, "{query}");
        assert!(report.certificate.is_some(), "{query}");
    }
    // Where it is possible later only, time passes until then, and nothing is claimed beyond.
    let later = text.replace("sync hurry!", "guard x >= 3; sync hurry!");
    check_all(&later, &[("E<> P.B", Satisfied), ("A[] x >= 0", Satisfied)]);
}
