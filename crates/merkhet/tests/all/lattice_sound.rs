//! Models on which covering, joining or their tests have been wrong: each stands for one way to be so.

use merkhet::{Answer, Config, Failure, Model, Report, TraceKind, Update, check};

fn run(text: &str, query: &str, config: &Config) -> Result<Report, Failure> {
    let mut model = Model::read("model.xta", text.as_bytes());
    assert!(!model.has_errors(), "{:?}\n{text}", model.diagnostics);
    let asked = model.query(query).query.expect("a query");
    check(
        model.network().expect("a network"),
        &asked,
        config,
        &mut |_| {},
    )
}

fn with(lattice: Option<Update>) -> Config {
    Config {
        lattice,
        ..Config::default()
    }
}

fn assuming(update: Update) -> Config {
    Config {
        assume_monotone: true,
        ..with(Some(update))
    }
}

/// Without a choice of the user the answer is the explicit one, with a remark that names what stands in the way of
/// covering. Covering and joining are refused for the same reason; who assumes monotony gets no verdict but by a run.
#[track_caller]
fn is_explored_explicitly(text: &str, query: &str, expected: Answer, obstacle: &str) {
    let explicit = run(text, query, &with(Some(Update::Simple))).expect("a report");
    assert_eq!(explicit.answer, expected);
    let default = run(text, query, &with(None)).expect("a report");
    assert_eq!(default.answer, expected, "{:?}", default.reason());
    let remark = default.reason().expect("a remark");
    assert!(remark.contains(obstacle), "{remark}");
    for update in [Update::Cover, Update::Join, Update::Cegar] {
        match run(text, query, &with(Some(update))) {
            Err(Failure::NotPermitted(why)) => assert!(why.contains(obstacle), "{why}"),
            other => panic!("{update:?}: {other:?}"),
        }
        match run(text, query, &assuming(update)) {
            Ok(report) if report.answer.is_unknown() => {
                let reason = report.reason().expect("a reason");
                assert!(
                    reason.contains("assuming") && reason.contains(obstacle)
                        || reason.contains("inconclusive"),
                    "{reason}"
                );
            }
            Ok(report) => {
                assert_eq!(report.answer, expected, "{update:?}");
                assert!(report.trace.is_some(), "a run is shown");
            }
            other => panic!("{update:?}: {other:?}"),
        }
    }
}

/// A guard that holds for the smaller element only.
const NARROW: &str = "extern MaxInteger; MaxInteger x;
    process P() { state A, B, C; init A;
    trans A -> B { assign x = 3; }, A -> B { assign x = 1; }, B -> C { guard x == 1; }; }
    system P;";

#[test]
fn a_guard_that_larger_elements_fail() {
    is_explored_explicitly(
        NARROW,
        "E<> P.C",
        Answer::Satisfied,
        "the guard `x.value == 1` of P: B → C (model.xta:3)",
    );
}

#[test]
fn a_difference_that_shows_two_steps_after_covering() {
    let text = "extern MaxInteger; MaxInteger v;
        process P() { state S, A, B, C, Err; init S;
        trans S -> A { assign v = 2; }, S -> A { assign v = 1; }, A -> B { }, B -> C { },
        C -> Err { guard v <= 1; }; }
        system P;";
    is_explored_explicitly(text, "A[] not P.Err", Answer::Violated, "`v.value <= 1`");
    let own = "lattice Level { int[0, 9] n; bool leq(const Level &o) { return n <= o.n; }
        void join(const Level &o) { if (o.n > n) n = o.n; } }
        Level v;
        process P() { state S, A, B, C, Err; init S;
        trans S -> A { assign v.n = 2; }, S -> A { assign v.n = 1; }, A -> B { }, B -> C { },
        C -> Err { guard v.n == 1; }; }
        system P;";
    is_explored_explicitly(own, "A[] not P.Err", Answer::Violated, "`v.n == 1`");
}

#[test]
fn a_difference_after_more_pairs_than_anyone_would_test() {
    let text = "extern MaxInteger; MaxInteger v; MaxInteger w; int[0, 60] i;
        process P() { state S, T, A, Err; init S;
        trans S -> S { guard i < 60; assign i = i + 1, v = v < 99 ? v + 1 : 99; },
        S -> S { guard i < 60; assign i = i + 1; },
        S -> S { guard i < 60; assign i = i + 1, w = w < 99 ? w + 1 : 99; },
        S -> T { guard i == 60; assign i = 0, v = 0, w = 0; },
        T -> A { assign v = 2; }, T -> A { assign v = 1; }, A -> Err { guard v == 1; }; }
        system P;";
    is_explored_explicitly(text, "A[] not P.Err", Answer::Violated, "`v.value == 1`");
}

#[test]
fn a_query_that_is_not_upward_closed() {
    let text = "extern MessagePool; MessagePool pool[3];
        lattice Level { int[0, 9] n; bool leq(const Level &o) { return n <= o.n; }
        void join(const Level &o) { if (o.n > n) n = o.n; } }
        Level heard;
        process P() { state A; init A;
        trans A -> A { select i : int[0, 2]; assign pool.send(i); },
        A -> A { assign heard.n = heard.n < 9 ? heard.n + 1 : 9; }; }
        system P;";
    let query = "A[] not (heard.n == 2 && pool.size() == 3)";
    is_explored_explicitly(text, query, Answer::Violated, "`heard.n == 2` in the query");
}

#[test]
fn a_clock_that_is_set_to_an_element() {
    let text = "extern MaxInteger; MaxInteger m; clock x;
        process P() { state A, U, B { x <= 5 }, C; commit A, U; init A;
        trans A -> U { assign m = 5; }, A -> U { }, U -> B { assign x = m; }, B -> C { guard x <= 1; }; }
        system P;";
    is_explored_explicitly(text, "E<> P.C", Answer::Satisfied, "of P: U → B");
}

#[test]
fn a_rate_that_is_an_element() {
    let text = "extern UnionBitVector; UnionBitVector v[1]; clock x, y;
        process P() { state A, U, B { x' == v[0] }, C; commit A, U; init A;
        trans A -> U { assign v[0] = 1; }, A -> U { }, U -> B { }, B -> C { guard x == 0 && y >= 5; }; }
        system P;";
    is_explored_explicitly(text, "E<> P.C", Answer::Satisfied, "a rate of P.B");
}

#[test]
fn a_location_whose_invariant_lets_an_edge_compete() {
    let text = "extern MaxInteger; MaxInteger m; chan lo, hi; chan priority lo < hi;
        process P() { state A, U, B, C, D { m >= 2 }; init A;
        trans A -> U { assign m = 5; }, A -> U { }, U -> B { }, B -> C { sync lo!; }, B -> D { sync hi!; }; }
        process Q() { state A; init A; trans A -> A { sync lo?; }, A -> A { sync hi?; }; }
        system P, Q;";
    is_explored_explicitly(
        text,
        "E<> P.C",
        Answer::Satisfied,
        "the invariant `m.value >= 2`",
    );
}

#[test]
fn a_broadcast_that_only_larger_elements_hear() {
    let text = "extern MaxInteger; MaxInteger m; broadcast chan b;
        process P() { state A, U, B; init A;
        trans A -> U { assign m = 5; }, A -> U { }, U -> B { sync b!; }; }
        process Q() { state A, B; init A; trans A -> B { guard m >= 3; sync b?; }; }
        system P, Q;";
    is_explored_explicitly(
        text,
        "E<> P.B && Q.A",
        Answer::Satisfied,
        "decides who receives a broadcast",
    );
}

#[test]
fn a_variable_that_counts_with_an_element() {
    let text = "extern MaxInteger; MaxInteger m; int[0, 9] k;
        process P() { state A, U, B, C; init A;
        trans A -> U { assign m = 5; }, A -> U { assign m = 4; }, U -> B { assign k = m; }, B -> C { guard k == 4; }; }
        system P;";
    is_explored_explicitly(
        text,
        "E<> P.C",
        Answer::Satisfied,
        "the update `k = m.value`",
    );
}

#[test]
fn an_order_that_does_not_go_cell_by_cell_is_tried_out() {
    let text = |guard: &str| {
        format!(
            "lattice Divisors {{ int[1, 6] n; bool leq(const Divisors &o) {{ return o.n % n == 0; }}
            void join(const Divisors &o) {{ if (o.n % n == 0) n = o.n; else if (n % o.n != 0) n = 6; }}
            bool has(const int k) {{ return n % k == 0; }} }}
            Divisors d;
            process P() {{ state A, B, C; init A;
            trans A -> B {{ assign d.n = 6; }}, A -> B {{ assign d.n = 2; }},
            B -> B {{ guard d.has(3); assign d.n = d.n % 2 == 0 ? 6 : 3; }}, B -> C {{ guard {guard}; }}; }}
            system P;"
        )
    };
    let report = run(&text("d.has(2)"), "A[] not P.A || P.A", &with(None)).expect("a report");
    assert_eq!(
        (report.answer.clone(), report.reason()),
        (Answer::Satisfied, None)
    );
    assert!(report.search.contains("cover"), "{}", report.search);
    is_explored_explicitly(
        &text("d.n <= 2"),
        "E<> P.C",
        Answer::Satisfied,
        "`d.n <= 2`",
    );
}

#[test]
fn a_step_that_would_change_nothing_may_be_left_out() {
    let text = |update: &str| {
        format!(
            "extern MessagePool; MessagePool pool[2]; int[0, 9] k;
            process P() {{ state A, B; init A;
            trans A -> A {{ guard !pool.has(0); assign {update}; }},
            A -> A {{ assign pool.send(1); }}, A -> B {{ guard pool.has(0) && pool.has(1); }}; }}
            system P;"
        )
    };
    let report = run(&text("pool.send(0)"), "E<> P.B", &with(None)).expect("a report");
    assert_eq!(
        (report.answer.clone(), report.reason()),
        (Answer::Satisfied, None)
    );
    assert!(report.search.contains("cegar"), "{}", report.search);
    for update in ["pool.send(1)", "pool.send(0), k = 1"] {
        is_explored_explicitly(
            &text(update),
            "E<> pool.size() >= 1",
            Answer::Satisfied,
            "the guard `!",
        );
    }
}

#[test]
fn a_proved_no_needs_no_remark() {
    let text = "extern MaxInteger; MaxInteger m;
        process P() { state A, B; init A; trans A -> A { assign m = 2; }, A -> B { guard m >= 3; }; }
        system P;";
    for update in [
        None,
        Some(Update::Cover),
        Some(Update::Join),
        Some(Update::Cegar),
    ] {
        for query in ["A[] not P.B", "sup: m"] {
            let report = run(text, query, &with(update)).expect("a report");
            assert_eq!(report.answer, Answer::Satisfied, "{update:?}, {query}");
            let joined = "a safe bound: 1 joins may have made it larger than it is";
            assert!(
                report.reason().as_deref().is_none_or(|why| why == joined),
                "{update:?}, {query}: {:?}",
                report.reason()
            );
        }
        let report = run(text, "E<> m >= 2", &with(update)).expect("a report");
        assert_eq!(
            (report.answer.clone(), report.reason()),
            (Answer::Satisfied, None)
        );
    }
    let zones = "clock x; process P() { state A, B; init A; trans A -> B { guard x > 3; assign x = 0; }; } system P;";
    let report = run(zones, "E<> P.B && P.A", &with(Some(Update::Join))).expect("a report");
    assert_eq!(
        (report.answer.clone(), report.reason()),
        (Answer::Violated, None)
    );
}

#[test]
fn a_shortest_trace_is_not_looked_for_by_covering() {
    let text = "extern MaxInteger; MaxInteger m;
        process P() { state A, S, N, G; init A;
        trans A -> S { }, A -> N { }, S -> N { assign m = 5; }, N -> G { }; }
        system P;";
    let shortest = |lattice| Config {
        trace: TraceKind::Shortest,
        ..with(lattice)
    };
    let report = run(text, "E<> P.G", &shortest(None)).expect("a report");
    assert_eq!(report.trace.expect("a trace").steps.len(), 2);
    let refused = run(text, "E<> P.G", &shortest(Some(Update::Cover)));
    assert!(matches!(refused, Err(Failure::NotPermitted(_))));
}

#[test]
fn a_supremum_of_an_exploration_that_stopped_is_unknown() {
    let text = "extern MaxInteger; MaxInteger u; MaxInteger v; MaxInteger m; int k;
        process P() { state A, B, C, D, E; init A;
        trans A -> B { assign u = 1; }, A -> B { assign v = 1; },
        B -> C { guard u + v >= 2; assign k = 1 / (2 - u - v); },
        B -> D { }, D -> E { assign m = 100; }; }
        system P;";
    let report = run(text, "sup: m", &assuming(Update::Join)).expect("a report");
    assert!(report.answer.is_unknown(), "{:?}", report.values);
    assert!(report.values.is_empty());
}

#[test]
fn a_goal_that_cannot_be_evaluated_is_a_fault_after_joins_too() {
    let text = "extern MaxInteger; MaxInteger m;
        process P() { state A, B; init A; trans A -> B { assign m = 2; }; }
        system P;";
    for update in [Update::Join, Update::Cegar] {
        let found = run(text, "E<> P.B && 1 / (2 - m) == 7", &with(Some(update)));
        let Err(Failure::Fault { message, .. }) = found else {
            panic!("{found:?}");
        };
        assert!(message.contains("division by zero"), "{message}");
    }
}

#[test]
fn two_elements_below_each_other_are_found_where_one_covers_the_other() {
    // The pair comes after all samples of the law's test were taken.
    let text = "lattice L { int[0, 60] a;
            bool leq(const L &o) { return a <= o.a || (a == 40 && o.a == 30); }
            void join(const L &o) { if (o.a > a) a = o.a; } }
        L z; int[0, 60] i = 59;
        process P() { state A, B, C; init A;
        trans A -> A { guard i > 35; assign z.a = 59 - i, i = i - 1; },
        A -> B { guard i == 35; assign z.a = 30; }, A -> B { guard i == 35; assign z.a = 40; },
        B -> C { guard z.a >= 35; }; }
        system P;";
    let found = run(text, "E<> P.C", &assuming(Update::Cover));
    let Err(Failure::Fault { message, .. }) = found else {
        panic!("{found:?}");
    };
    assert!(message.contains("not antisymmetric"), "{message}");
}

#[test]
fn a_test_along_the_search_finds_what_is_not_monotone() {
    /// A smaller element can do what a larger one cannot.
    const LEVELS: &str =
        "lattice Level { int[0, 9] n; bool leq(const Level &o) { return n <= o.n; }
            void join(const Level &o) { if (o.n > n) n = o.n; } }
        Level level;
        process P() { state A, B, C; init A;
        trans A -> B { assign level.n = 5; }, A -> B { assign level.n = 2; }, B -> C { guard level.n < 3; }; }
        system P;";
    for update in [Update::Simple, Update::Cover, Update::Join, Update::Cegar] {
        let config = Config {
            check_monotone: true,
            ..assuming(update)
        };
        match run(LEVELS, "A[] not P.C || level.n < 0", &config) {
            Err(Failure::Fault { message, .. }) => {
                assert!(message.contains("not monotone"), "{message}");
            }
            other => panic!("{update:?}: {other:?}"),
        }
    }
}

/// What runs after every update counts the step: it cannot be left out.
#[test]
fn a_step_with_something_around_it_is_not_left_out() {
    let text = "extern MessagePool; MessagePool pool[1]; int[0, 9] k;
        after_update { k = k < 9 ? k + 1 : 9 }
        process P() { state A, B; init A; trans A -> A { guard !pool.has(0); assign pool.send(0); },
        A -> B { guard pool.has(0); }; }
        system P;";
    let report = run(text, "E<> P.A && k == 1", &with(None)).expect("a report");
    assert_eq!(report.answer, Answer::Satisfied);
    let why = report.reason().expect("a remark");
    assert!(why.contains("the guard `!"), "{why}");
}

/// Declarations of the whole library.
const LIBRARY: &str = "extern UnionBitVector; extern IntersectionBitVector; extern MaxInteger; extern MinInteger;
    extern IntRange; extern AbstractCache; extern DiscreteClock; extern MessagePool; extern PresentAbsentSet;
    UnionBitVector u[3]; IntersectionBitVector n[3]; MaxInteger most; MinInteger least; IntRange r;
    AbstractCache c[2][2][4]; DiscreteClock t[5]; MessagePool m[3]; PresentAbsentSet s[2]; int[0, 3] k;
    extern Sign; extern Parity; extern Octagon; Sign g; Parity p; Octagon o; IntRange q;";

fn is_covered(guard: &str, update: &str) -> Result<(), String> {
    let text = format!(
        "{LIBRARY} process P() {{ state A, B; init A;
        trans A -> B {{ guard {guard}; assign {update}; }}, A -> A {{ select j : int[0, 3]; assign k = j; }}; }} system P;"
    );
    let report = run(&text, "A[] P.A || P.B", &with(None)).expect("a report");
    match report.search.contains("cover") {
        true => Ok(()),
        false => Err(report.reason().unwrap_or_default()),
    }
}

/// Nobody wrote down which methods keep the order: all of it is read off their bodies.
#[test]
fn methods_of_the_library_are_understood() {
    let kept = [
        "u.num0s() <= 1",
        "u.num1s() >= 1",
        "u.contains(1)",
        "u[k % 3] == 1",
        "n.num0s() >= 1",
        "n.num1s() <= 1",
        "!n.contains(1)",
        "most > 2",
        "most * 2 >= k",
        "least < 2",
        "5 - least > k",
        "r < 3",
        "r <= k",
        "r > 3",
        "r >= 3",
        "r == 3",
        "r != 3",
        "r.contains(k)",
        "!c.hit(k)",
        "c.cost(k, 1, 10) >= 10",
        "t < 3",
        "t <= 3",
        "t > 3",
        "t >= 3",
        "t == 3",
        "t != 3",
        "m.has(1)",
        "m.size() >= 2",
        "s.mayContain(1)",
        "s.mayLack(1)",
        "!s.mustContain(0)",
        "!s.mustLack(0)",
        "s.numPresent() <= 1",
        "s.numAbsent() <= 1",
        "s.mayBeFull()",
        "s.mayBeEmpty()",
        "exists (i : int[0, 2]) u[i] == 1 && i != k",
        "(most > 2 ? 3 : 1) >= k",
        "g.mayBeNegative()",
        "p.mayBeOdd()",
        "o.xMayReach(k)",
        "o.yMayReach(3)",
        "o.sumMayReach(k)",
        "o.differenceMayReach(2)",
    ];
    for guard in kept {
        assert_eq!(is_covered(guard, "k = 0"), Ok(()), "{guard}");
    }
    let lost = [
        "u.num0s() >= 1",
        "!u.contains(1)",
        "u[k % 3] == 0",
        "n.contains(1)",
        "most < 2",
        "most == 2",
        "least > 2",
        "most - least > k && most < 9",
        "r.low == 3",
        "!(r < 3)",
        "c.hit(k)",
        "c.cost(k, 10, 1) >= 10",
        "!(t > 3)",
        "!m.has(1)",
        "m.size() == 2",
        "s.mustContain(1)",
        "!s.mayBeFull()",
        "u.num1s() + n.num1s() > 2",
        "most * most > 3",
        "most % 3 == k",
    ];
    for guard in lost {
        let why = is_covered(guard, "k = 0").expect_err(guard);
        assert!(why.contains("the guard"), "{guard}: {why}");
    }
    let ordered = [
        "u.insert(k % 3)",
        "u.remove(1)",
        "u.clear()",
        "u.fill()",
        "u[0] = u[1]",
        "n.insert(1)",
        "n.remove(k % 3)",
        "n.clear()",
        "n.fill()",
        "most = most < 9 ? most + 1 : 9",
        "most = most > 0 ? most - 1 : 0",
        "most = 0 - least",
        "least = least + k",
        "most = most >? k",
        "most += c.cost(k, 1, 10)",
        "r.set(0, k)",
        "r = k",
        "r.add(k)",
        "r.subtract(2)",
        "r.atMost(k)",
        "r.atLeast(k)",
        "c.access(k)",
        "c.flush()",
        "t.tick()",
        "t.reset()",
        "t = k",
        "t.atMost(3)",
        "t.atLeast(k)",
        "m.send(1)",
        "s.insert(k % 2)",
        "s.remove(0)",
        "s.forget(1)",
        "s.clear()",
        "most = u[0] == 1 ? 5 : 2",
        "r += q",
        "r.minus(q)",
        "r.widen(-5, k)",
        "g.increment()",
        "g.decrement()",
        "g.negate()",
        "g.set(k)",
        "p.add(k)",
        "p.twice()",
        "o.set(k, 1)",
        "o.addX(k)",
        "o.addY(-1)",
    ];
    for update in ordered {
        assert_eq!(is_covered("true", update), Ok(()), "{update}");
    }
    let disordered = [
        "k = u[0]",
        "u[0] = n[0]",
        "u[0] = 1 - u[1]",
        "most = least",
        "most = most % 7",
        "k = m.size()",
        "most = u[0] == 1 ? 2 : 5",
        "r.set(most, 5)",
        "u[most % 3] = 1",
    ];
    for update in disordered {
        let why = is_covered("true", update).expect_err(update);
        assert!(why.contains("the update"), "{update}: {why}");
    }
}

/// What is proved by covering, joining or refinement is accepted by the judge, who knows no orders; no entry can be left out
/// and no box can be made smaller.
#[test]
fn a_certificate_of_boxes_is_accepted_and_no_smaller_one_is() {
    use merkhet::replay::{certify, read, write};
    let text = "extern MessagePool; extern MaxInteger; MessagePool pool[2]; MaxInteger m;
        process P() { state A, B, C, D; init A;
        trans A -> B { assign pool.send(0), m = 2; }, A -> B { assign pool.send(1), m = 1; },
        B -> C { guard m >= 1; assign m = m < 3 ? m + 1 : 3; }, C -> D { guard m >= 4 || pool.size() > 2; }; }
        system P;";
    for update in [
        None,
        Some(Update::Cover),
        Some(Update::Join),
        Some(Update::Cegar),
    ] {
        let config = Config {
            certificate: true,
            ..with(update)
        };
        let report = run(text, "A[] not P.D", &config).expect("a report");
        assert_eq!(report.answer, Answer::Satisfied);
        assert!(report.search.contains(match update {
            None => "cegar",
            Some(Update::Join) => "join",
            Some(Update::Cegar) => "cegar",
            _ => "cover",
        }));
        let proof = report.certificate.unwrap_or_else(|| panic!("{update:?}"));
        let mut model = Model::read("model.xta", text.as_bytes());
        let asked = model.query("A[] not P.D").query.expect("a query");
        let network = model.network().expect("a network");
        assert_eq!(certify(network, &asked, &proof), Ok(()));
        let mut bytes = Vec::new();
        write(&proof, &mut bytes).expect("written");
        assert_eq!(read(&bytes[..]).expect("read"), proof);
        let other = model.query("A[] m <= 2").query.expect("a query");
        let network = model.network().expect("a network");
        assert!(certify(network, &other, &proof).is_err(), "another query");
        for at in 0..proof.entries.len() {
            let mut less = proof.clone();
            less.entries.remove(at);
            assert!(
                certify(network, &asked, &less).is_err(),
                "without entry {at}"
            );
            let tops = proof.entries[at].tops.clone().expect("a box");
            for (cell, top) in tops.iter().enumerate() {
                if *top > proof.entries[at].cells[cell] {
                    let mut less = proof.clone();
                    less.entries[at].tops.as_mut().expect("a box")[cell] -= 1;
                    assert!(
                        certify(network, &asked, &less).is_err(),
                        "entry {at}, cell {cell}"
                    );
                }
            }
        }
    }
}

/// What the judge of boxes does not look into, it refuses.
#[test]
fn a_certificate_of_boxes_is_refused_where_they_mean_nothing() {
    let timed = "extern MaxInteger; MaxInteger m; clock x;
        process P() { state A { x' == 0 }, B; init A; trans A -> A { assign m = 2; }, A -> B { guard m >= 3; }; }
        system P;";
    let config = Config {
        certificate: true,
        ..with(Some(Update::Cover))
    };
    let report = run(timed, "A[] not P.B", &config).expect("a report");
    assert_eq!(report.answer, Answer::Satisfied);
    assert!(report.certificate.is_none());
    let why = report.reason().expect("a remark");
    assert!(why.contains("run at one rate"), "{why}");
    let report = run(
        timed,
        "A[] not P.B",
        &Config {
            lattice: None,
            ..config
        },
    )
    .expect("a report");
    let mut proof = report.certificate.expect("an explicit one");
    proof.entries[0].tops = Some(proof.entries[0].cells.clone());
    let mut model = Model::read("model.xta", timed.as_bytes());
    let asked = model.query("A[] not P.B").query.expect("a query");
    let refused = merkhet::replay::certify(model.network().expect("a network"), &asked, &proof);
    assert!(
        refused
            .expect_err("refused")
            .reason
            .contains("run at one rate")
    );
}

/// A bound of a clock that elements make weaker, in a guard and in an invariant, and a clock that is set to one of two
/// numbers: what is proved is accepted with clocks, too, and nothing that is smaller.
#[test]
fn a_certificate_of_boxes_holds_the_values_of_clocks() {
    use merkhet::replay::certify;
    let text = "extern MaxInteger; MaxInteger m; clock x; clock y; int[0, 3] k;
        process P() { state A { x <= 1 + m }, B { y <= 2 }, C, D; init A;
        trans A -> A { guard x >= 1; assign m = m < 2 ? m + 1 : 2, x = 0; },
        A -> B { guard x <= m; assign y = k, k = 1; }, B -> A { guard y >= 2; assign x = 0, m = 0; },
        A -> C { guard x > 3; }, B -> D { guard y > 2 || y < 0; }; }
        system P;"
        .replace("guard y > 2 || y < 0", "guard y > 2");
    for update in [
        None,
        Some(Update::Cover),
        Some(Update::Join),
        Some(Update::Cegar),
    ] {
        let config = Config {
            certificate: true,
            ..with(update)
        };
        let query = "A[] not (P.C || P.D || P.B && x > 4)";
        let mut model = Model::read("model.xta", text.as_bytes());
        assert!(!model.has_errors(), "{:?}", model.diagnostics);
        let asked = model.query(query).query.expect("a query");
        let other = model.query("A[] x <= 2").query.expect("a query");
        let network = model.network().expect("a network");
        let report = check(network, &asked, &config, &mut |_| {}).expect("a report");
        assert_eq!(report.answer, Answer::Satisfied, "{:?}", report.reason());
        let why = report.reason();
        let proof = report
            .certificate
            .unwrap_or_else(|| panic!("{update:?} {why:?}"));
        assert!(
            proof.entries.iter().all(|entry| entry.tops.is_some()),
            "boxes"
        );
        assert_eq!(certify(network, &asked, &proof), Ok(()));
        assert!(certify(network, &other, &proof).is_err(), "another query");
        let mut tighter = Vec::new();
        for at in 0..proof.entries.len() {
            let mut less = proof.clone();
            less.entries.remove(at);
            assert!(
                certify(network, &asked, &less).is_err(),
                "without entry {at}"
            );
            let mut less = proof.clone();
            less.entries[at].zones.clear();
            assert!(
                certify(network, &asked, &less).is_err(),
                "without the zone of {at}"
            );
            let size = proof.entries[at].zones[0].len();
            for bound in (0..size).filter(|bound| bound % 4 != 0) {
                let mut less = proof.clone();
                let value = &mut less.entries[at].zones[0][bound];
                // Where there is no bound: one far beyond all constants. Else one that is tighter by a half step.
                *value = if *value == i32::MAX {
                    2 * 50
                } else {
                    *value - 1
                };
                // Zones are larger than what is reached, so that some may be smaller.
                tighter.push(certify(network, &asked, &less).is_err());
            }
            let tops = proof.entries[at].tops.clone().expect("a box");
            for (cell, top) in tops.iter().enumerate() {
                if *top > proof.entries[at].cells[cell] {
                    let mut less = proof.clone();
                    less.entries[at].tops.as_mut().expect("a box")[cell] -= 1;
                    assert!(
                        certify(network, &asked, &less).is_err(),
                        "entry {at}, cell {cell}"
                    );
                }
            }
        }
        let refused = tighter.iter().filter(|refused| **refused).count();
        assert!(
            3 * refused > 2 * tighter.len(),
            "{refused} of {}",
            tighter.len()
        );
    }
}

/// Of three joins on the way one is to blame, which lies before the others; it takes one refinement, however many there are.
#[test]
fn the_join_that_only_its_result_can_follow_is_split() {
    let text = |middle: usize| {
        let names: Vec<String> = (0..=middle).map(|k| format!("K{k}")).collect();
        let steps: String = (0..middle)
            .map(|k| {
                format!(
                    "K{k} -> K{} {{ assign h[{k}] = 1; }}, K{k} -> K{} {{ }}, ",
                    k + 1,
                    k + 1
                )
            })
            .collect();
        format!(
            "extern MaxInteger; extern UnionBitVector; MaxInteger x; MaxInteger y; MaxInteger z; UnionBitVector h[{middle}];
            process P() {{ state S, T, {}, Err; init S; trans S -> T {{ assign z = 1; }}, S -> T {{ assign z = 2; }},
            T -> K0 {{ assign x = 5; }}, T -> K0 {{ assign y = 5; }}, {steps}
            K{middle} -> Err {{ guard x >= 5 && y >= 5; }}; }} system P;",
            names.join(", ")
        )
    };
    for middle in [1, 4, 12] {
        let text = text(middle);
        let report = run(&text, "A[] not P.Err", &with(Some(Update::Cegar))).expect("a report");
        assert_eq!(report.answer, Answer::Satisfied);
        assert_eq!(
            report.figures.refinements,
            Some(1),
            "{middle} harmless joins"
        );
        let [split] = &report.splits[..] else {
            panic!("{:?}", report.splits);
        };
        assert_eq!((split.at.as_str(), split.after), ("P.K0", 2));
        assert_eq!(split.element, "y = 5");
        assert_eq!(split.path.len(), middle + 3);
        assert_eq!(split.path[middle + 2], format!("P: K{middle} → Err"));
        let report = run(&text, "A[] not P.Err", &with(Some(Update::Join))).expect("a report");
        let why = report.reason().expect("a reason");
        assert!(why.contains("to blame is a join at (P.K0)"), "{why}");
        assert_eq!(report.splits.len(), 1);
        let report =
            run(&text, "E<> P.Err && x >= 5", &with(Some(Update::Simple))).expect("a report");
        assert_eq!(report.answer, Answer::Violated);
    }
}
