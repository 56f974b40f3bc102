//! Broken lattices and misuse: clear errors that name what is wrong.

use merkhet::{Config, Failure, Model, Update, check};

fn messages(text: &str) -> String {
    let model = Model::read("model.xta", text.as_bytes());
    assert!(model.has_errors(), "no error in\n{text}");
    let all: Vec<&str> = (model.diagnostics.iter())
        .filter(|diagnostic| diagnostic.is_error())
        .map(|diagnostic| diagnostic.message.as_str())
        .collect();
    all.join("\n")
}

#[track_caller]
fn refuses(declarations: &str, expected: &str) {
    let text = format!(
        "{declarations}\nprocess P() {{ state A; init A; trans A -> A {{ }}; }}\nsystem P;\n"
    );
    let found = messages(&text);
    assert!(found.contains(expected), "{found}");
}

#[test]
fn declarations_are_checked() {
    refuses(
        "extern UnionBitVectr;",
        "there is no lattice `UnionBitVectr`",
    );
    refuses(
        "extern UnionBitVector; UnionBitVector v;",
        "has dimensions, as in `UnionBitVector variable[N]`",
    );
    refuses(
        "extern UnionBitVector; UnionBitVector v[0];",
        "the dimension `N` must be at least 1",
    );
    refuses(
        "lattice L { int a; }",
        "the lattice `L` lacks `bool leq(const L &o)`",
    );
    refuses(
        "lattice L { int a; bool leq(const L &o) { return a <= o.a; } }",
        "lacks `void join(const L &o)`",
    );
    refuses(
        "lattice L { int a; bool leq(int o) { return a <= o; } void join(const L &o) { } }",
        "this must be `bool leq(const L &o)`",
    );
    refuses(
        "lattice L { L inner; bool leq(const L &o) { return 1; } void join(const L &o) { } }",
        "a lattice cannot contain itself",
    );
    refuses("lattice L { }", "at least one field");
    refuses(
        "int g; lattice L { int a; bool leq(const L &o) { return a <= o.a + g; } void join(const L &o) { } }\nL x;",
        "depends on the state, not on its two elements alone",
    );
    refuses(
        "lattice L { int a; bool leq(const L &o) { a = 1; return 1; } void join(const L &o) { } }\nL x;",
        "constant",
    );
    refuses(
        "extern MaxInteger; MaxInteger m; int f() { return m.nothing(); }",
        "has no method `nothing`",
    );
}

const STEPS: &str = "
process P() {
    state A;
    init A;
    trans A -> A { guard x.a < 3; assign x.a = x.a + 1; }, A -> A { assign x.a = 0; };
}
system P;
";

fn failure(declarations: &str, query: &str, update: Update) -> String {
    let text = format!("{declarations}{STEPS}");
    outcome(&text, query, update, false).expect_err("an error")
}

fn outcome(text: &str, query: &str, update: Update, monotone: bool) -> Result<String, String> {
    let mut model = Model::read("model.xta", text.as_bytes());
    assert!(!model.has_errors(), "{:?}", model.diagnostics);
    let asked = model.query(query).query.expect("a query");
    let config = Config {
        lattice: Some(update),
        assume_monotone: true,
        check_monotone: monotone,
        ..Config::default()
    };
    match check(
        model.network().expect("a network"),
        &asked,
        &config,
        &mut |_| {},
    ) {
        Ok(report) => Ok(format!("{:?}", report.answer)),
        Err(Failure::Fault { message, site, .. }) => Err(format!(
            "{message} {}",
            site.map_or(String::new(), |s| format!("{} {}", s.text, s.context))
        )),
        Err(other) => Err(format!("{other:?}")),
    }
}

#[track_caller]
fn names(found: &str, expected: &[&str]) {
    for part in expected {
        assert!(found.contains(part), "`{part}` is not in: {found}");
    }
}

#[test]
fn an_order_that_is_not_transitive() {
    let lattice =
        "lattice Near { int[0, 5] a; bool leq(const Near &o) { return o.a - a <= 1 && o.a >= a; }
        void join(const Near &o) { if (o.a > a) a = o.a; } }\nNear x;";
    let found = failure(lattice, "E<> x.a == 5", Update::Cover);
    names(&found, &["`leq`", "`Near`", "not transitive"]);
}

#[test]
fn an_order_that_is_not_reflexive() {
    let lattice = "lattice Strict { int[0, 5] a; bool leq(const Strict &o) { return a < o.a; }
        void join(const Strict &o) { if (o.a > a) a = o.a; } }\nStrict x;";
    let found = failure(lattice, "E<> x.a == 5", Update::Cover);
    names(&found, &["`leq`", "`Strict`", "not reflexive"]);
}

#[test]
fn an_order_with_two_elements_below_each_other() {
    let lattice =
        "lattice Loose { int[0, 5] a; bool leq(const Loose &o) { return a / 2 <= o.a / 2; }
        void join(const Loose &o) { if (o.a > a) a = o.a; } }\nLoose x;";
    let found = outcome(
        &format!("{lattice}{STEPS}"),
        "E<> x.a == 5",
        Update::Simple,
        true,
    );
    names(
        &found.expect_err("an error"),
        &["`leq`", "`Loose`", "antisymmetric"],
    );
}

#[test]
fn a_join_that_is_no_upper_bound() {
    let lattice = "lattice Low { int[0, 5] a; bool leq(const Low &o) { return a <= o.a; }
        void join(const Low &o) { if (o.a < a) a = o.a; } }\nLow x;";
    let found = failure(lattice, "E<> x.a == 5", Update::Join);
    names(&found, &["`join`", "`Low`", "no upper bound"]);
}

#[test]
fn a_method_that_loops_for_ever() {
    let lattice =
        "lattice Slow { int[0, 5] a; bool leq(const Slow &o) { while (true) { } return 1; }
        void join(const Slow &o) { } }\nSlow x;";
    let found = failure(lattice, "E<> x.a == 5", Update::Cover);
    names(&found, &["`leq`", "`Slow`", "did not end"]);
    let lattice = "lattice Idle { int[0, 5] a; bool leq(const Idle &o) { return a <= o.a; }
        void join(const Idle &o) { while (o.a == 0) { } } }\nIdle x;";
    let found = failure(lattice, "E<> x.a == 5", Update::Join);
    names(&found, &["`join`", "`Idle`", "did not end"]);
    let text = "lattice Spin { int[0, 5] a; bool leq(const Spin &o) { return a <= o.a; }
        void join(const Spin &o) { if (o.a > a) a = o.a; } bool ready() { while (a >= 0) { } return true; } }\nSpin x;
        process P() { state A, B; init A; trans A -> B { guard x.ready(); }; }\nsystem P;";
    let found = outcome(text, "E<> P.B", Update::Cover, false).expect_err("an error");
    names(&found, &["did not end", "method Spin.ready"]);
}

#[test]
fn a_model_that_is_not_monotone() {
    let text = "extern MaxInteger; MaxInteger x;
        process P() { state A, B; init A;
        trans A -> A { guard x < 3; assign x = x + 1; }, A -> B { guard x == 1; }; }
        system P;";
    let found = outcome(text, "E<> P.B", Update::Cover, true).expect_err("an error");
    names(&found, &["not monotone", "P: A → B", "x = 1"]);
}
