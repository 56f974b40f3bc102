//! Joining strategies over whole states (definition 6): what rules say of the result, of both states, and of which
//! variables are joined at all.

use merkhet::{Answer, Config, Failure, Joining, Model, Report, Update, check};

fn run(text: &str, query: &str, update: Update, rules: &[&str]) -> Result<Report, Failure> {
    let mut model = Model::read("model.xta", text.as_bytes());
    assert!(!model.has_errors(), "{:?}\n{text}", model.diagnostics);
    let asked = model.query(query).query.expect("a query");
    let read = |rule: &&str| model.joining_rule(rule).expect("a rule");
    let config = Config {
        joining_rules: rules.iter().map(read).collect(),
        lattice: Some(update),
        joining: Joining::All,
        ..Config::default()
    };
    check(
        model.network().expect("a network"),
        &asked,
        &config,
        &mut |_| {},
    )
}

fn joins(text: &str, query: &str, rules: &[&str]) -> (Answer, u64) {
    let report = run(text, query, Update::Join, rules).expect("a report");
    let joins = report.figures.joins.expect("joins are counted");
    (report.answer, joins)
}

#[test]
fn a_rule_about_the_result_refines_the_naive_strategy() {
    let text = DATABASE;
    let query = "A[] not logins.mayBeFull()";
    let (naive, _) = joins(text, query, &[]);
    assert!(naive.is_unknown(), "{naive:?}");
    // Of some pair it is still known that one is absent, and whether the other one may come.
    let known = "if:exists (u : int[0, 3]) (logins.mustLack(u)
        && (logins.mustLack(partner(u)) || logins.mustContain(partner(u))))";
    let (refined, made) = joins(text, query, &[known]);
    assert_eq!(refined, Answer::Satisfied);
    assert!(made > 0);
}

/// Fewer users than the paper has, and no strategy of the model's own.
const DATABASE: &str = "extern PresentAbsentSet;
     PresentAbsentSet logins[4] = { { 0, 0, 0, 0 }, { 1, 1, 1, 1 } };
     int partner(int u) { return u % 2 == 0 ? u + 1 : u - 1; }
     process P() { state A; init A; trans
        A -> A { select u : int[0, 3]; guard logins.mayLack(u) && logins.mayLack(partner(u)); assign logins.insert(u); },
        A -> A { select u : int[0, 3]; guard logins.mayContain(u); assign logins.remove(u); }; }
     system P;";

/// Numbers that stay even: joining forgets that, and joining numbers of the same parity does not.
const EVEN: &str = "extern IntRange; IntRange r; lattice L { int[0, 20] n; bool leq(const L &o) { return n <= o.n; }
    void join(const L &o) { if (o.n > n) n = o.n; } }
    L v; L w; int[0, 3] k;
    process P() { state A, B, C; init A; trans
        A -> A { guard k < 3; assign k = k + 1, v.n = v.n < 18 ? v.n + 2 : 20; },
        A -> A { guard k < 3; assign k = k + 1, w.n = w.n < 17 ? w.n + 3 : 20; },
        A -> B { guard k == 3; },
        B -> C { guard v.n + w.n >= 12; }; }
    system P;";

#[test]
fn states_are_joined_where_an_expression_agrees() {
    let query = "A[] not P.C";
    // 6 from three steps of one kind, 9 from three of the other one: their join has both.
    let (all, many) = joins(EVEN, query, &[]);
    assert!(all.is_unknown(), "{all:?}");
    let (exact, none) = joins(EVEN, query, &["alike:v.n, w.n"]);
    assert_eq!((exact, none), (Answer::Satisfied, 0));
    // The sum of both tells them apart where it matters: before the last step.
    let (answer, fewer) = joins(EVEN, query, &["alike:P.A && k < 2 ? 0 : v.n"]);
    assert_eq!(answer, Answer::Satisfied);
    assert!(fewer > 0 && fewer < many, "{fewer} of {many}");
}

#[test]
fn variables_are_joined_together_or_apart() {
    let query = "A[] not P.C";
    let (answer, _) = joins(EVEN, query, &["apart:v"]);
    assert_eq!(answer, Answer::Satisfied);
    let text = "extern UnionBitVector; UnionBitVector a[2]; UnionBitVector many[2][1]; int[0, 1] k;
        process P() { state A, B, C; init A; trans
            A -> B { assign a[0] = 1, many[0][0] = 1; }, A -> B { assign a[1] = 1, many[1][0] = 1; },
            B -> C { guard a.num1s() == 2; }; }
        system P;";
    for (rules, exact) in [
        (&[][..], false),
        (&["apart:many"], true),
        (&["apart:a"], true),
        (&["apart:many[1]"], true),
        (&["if:P.A"], true),
        (&["if:P.B"], false),
        (&["alike:k"], false),
        (&["alike:k", "apart:a"], true),
    ] {
        let (answer, made) = joins(text, "A[] not P.C", rules);
        assert_eq!(!answer.is_unknown(), exact, "{rules:?}");
        assert_eq!(made == 0, exact, "{rules:?}");
        let refined = run(text, "A[] not P.C", Update::Cegar, rules).expect("a report");
        assert_eq!(refined.answer, Answer::Satisfied, "{rules:?}");
    }
}

#[test]
fn rules_that_mean_nothing_are_refused() {
    let read = |rule: &str| {
        let mut model = Model::read(
            "model.xta",
            EVEN.replace("L v;", "L v; clock x;").as_bytes(),
        );
        let complaints = model.joining_rule(rule).expect_err(rule);
        complaints[0].message.clone()
    };
    for (rule, message) in [
        ("apart:k", "`k` is no lattice variable; there are: r, v, w"),
        ("apart:", "no lattice variable"),
        ("if:deadlock", "means nothing to a join"),
        ("alike:x", "a clock has no single value"),
        ("if:nobody", "nobody"),
        ("never", "begins with if:, alike:, apart:"),
    ] {
        let found = read(rule);
        assert!(found.contains(message), "{rule}: {found}");
    }
    // An evaluation that fails is said, as it is of the functions of the model.
    match run(EVEN, "A[] not P.C", Update::Join, &["alike:1 / (k - k)"]) {
        Err(Failure::Fault { message, .. }) => {
            assert!(
                message.contains("the joining strategy goes wrong"),
                "{message}"
            );
        }
        other => panic!("{other:?}"),
    }
}
