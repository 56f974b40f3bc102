//! Input that would explode if it were taken at its word: a located error, quickly.

mod common;
use common::{check_error, load, model};
use std::time::{Duration, Instant};

fn quickly(text: &str, code: &str, at: &str) {
    let start = Instant::now();
    check_error(text, code, at, "");
    assert!(
        start.elapsed() < Duration::from_secs(20),
        "{:?}",
        start.elapsed()
    );
}

#[test]
fn huge_arrays() {
    quickly(&model("int a[1000000000];", ""), "too-large", "1000000000");
    quickly(
        &model("int a[60000][60000][60000];", ""),
        "too-large",
        "60000",
    );
    quickly(&model("clock x[100000];", ""), "too-large", "x");
    quickly(&model("int a[int32_t];", ""), "too-large", "int32_t");
    quickly(
        &model("int a[int[-2147483648,-1]];", ""),
        "too-large",
        "int[-2147483648,-1]",
    );
    quickly(&model("typedef void v; v a[3];", ""), "type", "v");
    quickly(&model("chan c[2000000000];", ""), "too-large", "2000000000");
    quickly(
        &model("typedef scalar[2000000000] s; int a[s];", ""),
        "too-large",
        "s",
    );
    quickly(
        &model("void f() { int a[1000000000]; } ", ""),
        "too-large",
        "1000000000",
    );
}

#[test]
fn doubling_types() {
    let mut text = String::from("typedef struct { int x; } t0;");
    for k in 1..60 {
        text.push_str(&format!(
            "typedef struct {{ t{} a; t{} b; }} t{k};",
            k - 1,
            k - 1
        ));
    }
    text.push_str("t59 v;");
    let (_, lowered, messages, _) = load(&model(&text, ""));
    assert!(lowered.is_none() && messages.iter().any(|m| m.code == "too-large"));
    // Without any cell at all.
    let text = text.replace("struct { int x; }", "struct { double x; }");
    load(&model(&text, ""));
}

#[test]
fn deep_types() {
    let mut text = String::from("typedef int[0,1] t0;");
    for k in 1..5000 {
        text.push_str(&format!("typedef t{} t{k}[1];", k - 1));
    }
    quickly(&model(&text, ""), "too-large", "1");
}

#[test]
fn many_processes() {
    quickly(
        "process P(const int[1,1000000] i) { state A; init A; } system P;",
        "too-large",
        "P",
    );
    quickly(
        "typedef int[0,999] k; process P(const k a, const k b, const k c) { state A; init A; } system P;",
        "too-large",
        "P",
    );
}

#[test]
fn huge_selects_and_quantifiers() {
    let edge = |label: &str| {
        model(
            "clock x[2]; int n; chan c[1000];",
            &format!("state A; init A; trans A -> A {{ {label}; }};"),
        )
    };
    quickly(
        &edge("select i : int[0,30000], j : int[0,30000]; guard n < i + j"),
        "too-large",
        "A -> A { select i : int[0,30000], j : int[0,30000]; guard n < i + j; }",
    );
    quickly(
        &edge("guard forall (i : int[0,2000000000]) x[0] < i"),
        "too-large",
        "forall (i : int[0,2000000000]) x[0] < i",
    );
    quickly(
        &edge("guard forall (i : int[0,10000]) forall (j : int[0,10000]) x[0] < i + j"),
        "too-large",
        "forall (j : int[0,10000]) x[0] < i + j",
    );
}

#[test]
fn non_terminating_constants() {
    quickly(
        &model(
            "int f() { int i; for (i = 0; true; i++) { i = 0; } return i; } const int k = f();",
            "",
        ),
        "constant-fault",
        "f()",
    );
    quickly(
        &model("int f(int n) { return f(n) + 1; } const int k = f(1);", ""),
        "recursion",
        "f(n)",
    );
}

#[test]
fn specialisations_do_not_multiply() {
    // Each level calls the next with both orders of its references: only a few targets exist.
    let mut text = String::from("int a; int b; void f0(int &x, int &y) { x = y; }");
    for k in 1..100 {
        let j = k - 1;
        text.push_str(&format!(
            "void f{k}(int &x, int &y) {{ f{j}(x, y); f{j}(y, x); f{j}(x, x); }}"
        ));
    }
    let text = model(
        &text,
        "state A; init A; trans A -> A { assign f99(a, b); };",
    );
    let (_, lowered, messages, _) = load(&text);
    assert!(lowered.is_some(), "{messages:#?}");
    // With variables of their own the targets do multiply.
    let mut text = String::from("void f0(int &x) { x = 1; }");
    for k in 1..100 {
        let j = k - 1;
        text.push_str(&format!(
            "void f{k}(int &x) {{ int y; int z; f{j}(y); f{j}(z); }}"
        ));
    }
    let text = model(
        &format!("int a; {text}"),
        "state A; init A; trans A -> A { assign f99(a); };",
    );
    let start = Instant::now();
    let (_, lowered, messages, _) = load(&text);
    assert!(
        lowered.is_none() && messages.iter().any(|m| m.code == "too-large"),
        "{messages:#?}"
    );
    assert!(
        start.elapsed() < Duration::from_secs(30),
        "{:?}",
        start.elapsed()
    );
}

#[test]
fn chains_of_instances() {
    let mut text =
        String::from("process P(const int k) { state A; init A; }\nQ0(const int k) = P(k);\n");
    for k in 1..20000 {
        text.push_str(&format!("Q{k}(const int k) = Q{}(k);\n", k - 1));
    }
    text.push_str("R = Q19999(1);\nsystem R;");
    let (_, lowered, messages, _) = load(&text);
    assert!(lowered.is_some(), "{:#?}", messages.first());
}

#[test]
fn absurd_constants() {
    for text in [
        "const int k = 1 << 33;",
        "const int k = 1 << -1;",
        "const int k = -2147483648 / -1;",
        "const int k = 5 % 0;",
        "int a[1 / 0];",
        "int[1/0, 4] x;",
    ] {
        let (_, lowered, messages, _) = load(&model(text, ""));
        assert!(
            lowered.is_none() && messages.iter().any(|m| m.is_error()),
            "{text}"
        );
    }
    // Arithmetic is modulo 2^32, in constants as at run time.
    for (text, value) in [
        ("2 ** 40", 0),
        ("2147483647 + 1", i32::MIN),
        ("abs(-2147483648)", i32::MIN),
    ] {
        let text = format!("const int k = ({text}) == {value} ? 1 : 1 / 0;");
        let (_, lowered, messages, _) = load(&model(&text, ""));
        assert!(lowered.is_some(), "{text}: {:#?}", messages.first());
    }
}
