//! Faults of models are found and pointed at.

mod common;
use common::{check, check_error, load, lowered, model};
use merkhet_lower::UNSUPPORTED;

fn declaration(text: &str, code: &str, at: &str, message: &str) {
    check_error(&model(text, ""), code, at, message);
}

fn edge(label: &str, code: &str, at: &str, message: &str) {
    let declarations = "
        int n; int a[3]; const int N = 3; bool b; clock x, y; chan c; chan cs[2]; broadcast chan bc;
        typedef scalar[2] set; set s; set t; typedef scalar[3] other; other o;
        typedef struct { int f; } box; box v;
        int impure() { n++; return n; } void nothing() {} int f(int k) { return k; } void g(int &r) { r = 1; }
        typedef int[0,2] id;
    ";
    let text = model(
        declarations,
        &format!("state A; init A; trans A -> A {{ {label}; }};"),
    );
    check_error(&text, code, at, message);
}

#[test]
fn names() {
    declaration("int x = y;", "unknown-name", "y", "unknown name `y`");
    declaration("int n; bool n;", "duplicate-name", "n", "declared twice");
    declaration("foo x;", "unknown-name", "foo", "foo");
    declaration("int a; a b;", "type", "a", "not a type");
    declaration(
        "int f() { return g(); } int g() { return 1; }",
        "unknown-name",
        "g",
        "before it is declared",
    );
    declaration(
        "typedef struct { int a; int a; } t;",
        "duplicate-name",
        "a",
        "two fields",
    );
    declaration(
        "int f(int a, int a) { return a; }",
        "duplicate-name",
        "a",
        "two parameters",
    );
    edge("guard m > 0", "unknown-name", "m", "unknown name");
    edge("guard v.g > 0", "unknown-name", "g", "no field");
    edge("guard n.g > 0", "unknown-name", "g", "no fields");
    let (_, _, messages, _) = load(&model("int counter; int x = counte;", ""));
    assert!(
        messages
            .iter()
            .any(|m| m.hint.as_deref() == Some("did you mean `counter`?"))
    );
}

#[test]
fn constants_and_ranges() {
    declaration("int[5,2] x;", "empty-range", "int[5,2]", "[5,2] is empty");
    declaration("const int k;", "uninitialised-constant", "k", "no value");
    declaration(
        "const int k = 1 / 0;",
        "constant-fault",
        "1 / 0",
        "division",
    );
    declaration(
        "int[0,3] x = 9;",
        "out-of-range",
        "9",
        "outside the range [0,3]",
    );
    declaration(
        "int n = 2; int a[n];",
        "not-constant",
        "n",
        "known when the model is loaded",
    );
    declaration(
        "int n; int m = n + 1;",
        "not-constant",
        "n + 1",
        "known when the model is loaded",
    );
    declaration("int a[-1];", "array-size", "-1", "-1 elements");
    declaration(
        "int a[2] = {1,2,3};",
        "initialiser",
        "{1,2,3}",
        "2 value(s)",
    );
    declaration(
        "struct { int x; int y; } s = { x: 1, z: 2 };",
        "initialiser",
        "{ x: 1, z: 2 }",
        "`y`",
    );
    declaration("int n = {1};", "initialiser", "{1}", "list");
    declaration(
        "int loop() { while (true) {} return 1; } const int k = loop();",
        "constant-fault",
        "loop()",
        "too long",
    );
    declaration(
        "int f(int n) { int a[n]; return 1; }",
        "not-constant",
        "n",
        "known when",
    );
    declaration("clock x = 5;", "initialiser", "5", "clocks start at 0");
}

#[test]
fn types() {
    edge("guard s < t", "type", "s < t", "no order");
    edge("guard s == o", "type", "s == o", "cannot be compared");
    edge("guard s + 1 > 0", "type", "s + 1", "scalars");
    edge("guard v", "type", "v", "integer or Boolean");
    edge("guard a", "type", "a", "integer or Boolean");
    edge("guard v == a", "type", "v == a", "cannot be compared");
    edge("guard n[0] > 0", "type", "n", "only arrays");
    edge("guard nothing()", "type", "nothing()", "without result");
    edge(
        "guard f(1, 2) > 0",
        "arguments",
        "f(1, 2)",
        "takes 1 argument(s), not 2",
    );
    edge("guard f > 0", "type", "f", "arguments are missing");
    edge("guard n(3) > 0", "type", "n", "not a function");
    edge("guard id > 0", "type", "id", "is a type");
    edge("assign v = 3", "type", "3", "`struct` is expected");
    edge("assign s = 1", "type", "1", "expected");
    edge("assign g(3)", "type", "3", "reference");
    edge("assign g(N)", "type", "N", "reference");
    edge("sync n!", "type", "n", "a channel is expected");
    edge("sync cs!", "type", "cs", "a channel is expected");
    edge("guard c", "type", "c", "not `chan`");
    edge(
        "select i : box; guard true",
        "type",
        "box",
        "bounded integer",
    );
    declaration("void v;", "type", "void", "void");
    declaration("int f() { return; }", "type", "return;", "expected");
    declaration("void f() { return 1; }", "type", "1", "no value");
    declaration(
        "int f() { clock c; return 1; }",
        "type",
        "c",
        "variable of type",
    );
}

#[test]
fn assignments() {
    edge("assign N = 4", "assign-constant", "N", "constant");
    edge("assign 3 = n", "assign-constant", "3", "constant");
    edge("guard n = 1", "side-effect", "n = 1", "no place in a guard");
    edge("guard n++ > 1", "side-effect", "n++", "no place in a guard");
    edge(
        "guard impure() > 1",
        "side-effect",
        "impure()",
        "no place in a guard",
    );
    edge(
        "select i : id; assign i = 1",
        "assign-constant",
        "i",
        "constant",
    );
    edge("assign c = 1", "type", "c = 1", "channel");
    declaration(
        "void f() { for (i : int[0,2]) i = 1; }",
        "assign-constant",
        "i",
        "constant",
    );
    declaration(
        "void f(const int k) { k = 1; }",
        "assign-constant",
        "k",
        "constant",
    );
    check_error(
        &model(
            "int n; int f() { n = 1; return n; } clock x;",
            "state A { f() > 0 }; init A;",
        ),
        "side-effect",
        "f()",
        "an invariant",
    );
}

#[test]
fn clocks() {
    edge(
        "guard x < 5 || y < 3",
        "clock-disjunction",
        "x < 5 || y < 3",
        "alternatives",
    );
    edge(
        "guard x != 5",
        "clock-disjunction",
        "x != 5",
        "alternatives",
    );
    edge("guard x + y < 5", "clock", "x + y", "one clock");
    edge("guard x * 2 < 5", "type", "x", "not `clock`");
    edge("guard n == 1 ? x : y", "type", "x", "not `clock`");
    edge("assign x = y", "clock", "x = y", "integer");
    edge("assign x += 1", "clock", "x += 1", "integer");
    edge("assign n = x", "type", "x", "clock");
    edge(
        "guard x > 300000000",
        "clock-constant",
        "x > 300000000",
        "too large",
    );
    edge(
        "assign x = 300000000",
        "clock-constant",
        "300000000",
        "too large",
    );
    edge("guard x' == 0", "clock", "x' == 0", "invariants only");
    edge("guard deadlock", "unknown-name", "deadlock", "unknown");
    declaration(
        "clock x; int f() { if (x > 5) return 1; return 0; }",
        "type",
        "x > 5",
        "clock constraint",
    );
    // Whatever its rate is, a clock that nothing tests decides nothing.
    let measured = "state A { e' == 2 && x <= 3 }, B { e' == 1.5 }; init A; trans A -> B { };";
    check(
        &model("clock x, e;", measured),
        &["initial location A { x <= 3 }", "location B"],
    );
    let tested = "state A { e' == 2 }, B { e' == x }; init A; trans A -> B { guard e > 1; };";
    check_error(
        &model("clock x, e;", tested),
        UNSUPPORTED,
        "e' == 2",
        "rate other than 0 and 1",
    );
    check_error(
        &model("clock x, e;", tested),
        UNSUPPORTED,
        "e' == x",
        "depends on a clock",
    );
}

#[test]
fn systems() {
    check_error(
        "process P() { state A; init A; }\nsystem Q;",
        "unknown-name",
        "Q",
        "unknown",
    );
    check_error(
        "process P(int &x) { state A; init A; }\nsystem P;",
        "open-parameter",
        "P",
        "`x` has no value",
    );
    check_error(
        "process P(int x) { state A; init A; }\nsystem P;",
        "open-parameter",
        "P",
        "`x` has no value",
    );
    check_error(
        "process P() { state A; init A; }\nsystem P, P;",
        "duplicate-name",
        "P",
        "already",
    );
    check_error(
        "process P(int k) { state A; init A; }\nQ = P();\nsystem Q;",
        "arguments",
        "Q = P();",
        "takes 1",
    );
    check_error(
        "int n; process P(clock &x) { state A; init A; }\nQ = P(n);\nsystem Q;",
        "type",
        "n",
        "clock",
    );
    check_error(
        "int n; process P(const int k) { state A; init A; }\nQ = P(n);\nsystem Q;",
        "not-constant",
        "n",
        "known",
    );
    check_error(
        "const int n = 1; process P(int &k) { state A; init A; }\nQ = P(n);\nsystem Q;",
        "type",
        "n",
        "variable of type",
    );
    check_error(
        "process P(int[0,3] k) { state A; init A; }\nQ = P(7);\nsystem Q;",
        "constant-fault",
        "7",
        "7",
    );
    check_error(
        "chan c; process P() { state A; init A; }\nchan priority c < d;\nsystem P;",
        "unknown-name",
        "d",
        "unknown",
    );
}

#[test]
fn recursion() {
    declaration(
        "int f(int n) { return f(n - 1); }",
        "recursion",
        "f(n - 1)",
        "cannot recurse",
    );
    let mut text = String::from("int f0() { return 1; }");
    for k in 1..300 {
        text.push_str(&format!(
            "int f{k}() {{ return f{}() + f{}(); }}",
            k - 1,
            k - 1
        ));
    }
    declaration(&text, "too-large", "f128", "deep");
}

#[test]
fn unused_functions_are_checked_too() {
    declaration(
        "int f() { return unknown; }",
        "unknown-name",
        "unknown",
        "unknown",
    );
    declaration("void f(int &x, clock &c) { x = c; }", "type", "c", "clock");
    let text = "process P() { int f() { return nix; } state A; init A; } system P;";
    check_error(text, "unknown-name", "nix", "unknown");
}

#[test]
fn several_errors_at_once() {
    let (_, _, messages, _) = load(&model(
        "int a = u1; int b = u2; int f() { return u3; }",
        "state A { u4 > 0 }; init A; trans A -> A { guard u5; assign u6 = 1; };",
    ));
    assert_eq!(
        messages.iter().filter(|m| m.is_error()).count(),
        6,
        "{messages:#?}"
    );
}

#[test]
fn errors_of_many_instances_are_said_once() {
    let (_, _, messages, _) = load(
        "process P(const int[0,99] i) { state A; init A; trans A -> A { guard nix > i; }; } system P;",
    );
    assert_eq!(messages.len(), 1, "{messages:#?}");
}

#[test]
fn what_is_not_symbolic() {
    // Declared only: a warning.
    for text in [
        "double d;",
        "hybrid clock h;",
        "double f(double x) { return x * 2.0; }",
        "const double pi = 3.14; const int n = 3;",
        "int f() { return fint(2.5); }",
    ] {
        let (_, lowered, messages, _) = load(&model(text, ""));
        assert!(lowered.is_some(), "{text} {messages:#?}");
        assert!(
            messages.iter().all(|m| m.code == UNSUPPORTED),
            "{text} {messages:#?}"
        );
    }
    // Written only: left out.
    check(
        &model(
            "double d; int n;",
            "state A; init A; trans A -> A { assign d = d + 1.5, n = 1; };",
        ),
        &["A -> A { assign n = 1; }"],
    );
    check(
        &model(
            "hybrid clock h; clock x;",
            "state A { h' == 3.5 && x <= 2 }; init A;",
        ),
        &["initial location A { x <= 2 }"],
    );
    // Read where it decides something: an error.
    let used = |declarations: &str, label: &str, at: &str| {
        let process = format!("state A; init A; trans A -> A {{ {label}; }};");
        check_error(&model(declarations, &process), UNSUPPORTED, at, "symbolic");
    };
    used("double d;", "guard d > 1.5", "d");
    used("double d; int n;", "assign n = d", "d");
    used("int n;", "assign n = random(3)", "random(3)");
    used("clock x;", "guard x > 1.5", "1.5");
    used(
        "int f() { return fint(2.5); } int n;",
        "assign n = f()",
        "fint(2.5)",
    );
    used(
        "double d; int n; int f() { n++; return n; }",
        "assign d = f()",
        "d",
    );
    used("const int k = fint(1.5); int n;", "guard n > k", "k");
}

#[test]
fn a_name_of_the_prelude_can_be_redefined() {
    lowered(&model(
        "typedef int[0,255] uint8_t; const int INT8_MAX = 3; uint8_t log;",
        "",
    ));
}

#[test]
fn two_locations_of_one_name_are_refused() {
    let text = "<nta><template><name>T</name><location id=\"a\"><name>A</name></location>\
        <location id=\"b\"><name>A</name></location><init ref=\"a\"/></template>\
        <system>system T;</system></nta>";
    let mut sources = merkhet_syntax::SourceMap::new();
    sources.insert(merkhet_syntax::FileId::MODEL, "m.xml", text.as_bytes());
    let (model, _) = merkhet_syntax::read_model("m.xml", text.as_bytes());
    let (_, messages) = merkhet_lower::lower_model(&model, &sources);
    assert!(
        messages
            .iter()
            .any(|message| message.code == "duplicate-name")
    );
}
