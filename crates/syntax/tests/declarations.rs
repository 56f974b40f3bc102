//! Declarations, functions and what stands after the templates.

mod common;

use common::check_model;

#[track_caller]
fn check(text: &str, tree: &str) {
    check_model("m.xta", text, tree, "");
}

#[test]
fn variables() {
    check("int a, b = 3, c[2][N+1];", "int a, b = 3, c[2][(N + 1)]");
    check("int[0,7] x := 1;", "int[0,7] x = 1");
    check("const int N = 5;", "const int N = 5");
    check("const id_t first = 0;", "const `id_t` first = 0");
    check("meta bool b;", "meta bool b");
    check("clock x, y[3];", "clock x, y[3]");
    check("hybrid clock h;", "hybrid clock h");
    check(
        "double d = 1.5; string s = \"x\";",
        "double d = 1.5\nstring s = \"x\"",
    );
    check(
        "chan a; urgent chan b; broadcast chan c; urgent broadcast chan d[N];",
        "chan a\nurgent chan b\nbroadcast chan c\nurgent broadcast chan d[N]",
    );
    check("int a[id_t], b[int[0,3]];", "int a[id_t], b[:int[0,3]]");
    check(
        "chan priority; int init, state, guard;",
        "chan priority\nint init, state, guard",
    );
}

#[test]
fn initial_values() {
    check(
        "int a[2][2] = { {1, 2}, {3, f(4)} };",
        "int a[2][2] = {{1, 2}, {3, f(4)}}",
    );
    check("S s = { x: 1, y: { 2, 3 } };", "`S` s = {x: 1, y: {2, 3}}");
    check("int a = b ? c : d;", "int a = (b ? c : d)");
}

#[test]
fn types() {
    check("typedef int[0,N-1] id_t;", "typedef int[0,(N - 1)] id_t");
    check(
        "typedef scalar[3] s_t, t_t[2];",
        "typedef scalar[3] s_t, t_t[2]",
    );
    check(
        "typedef struct { int a, b[2]; clock x; } S;",
        "typedef struct {int a, int b[2], clock x} S",
    );
    check(
        "struct { struct { bool b; } inner; } s;",
        "struct {struct {bool b} inner} s",
    );
}

#[test]
fn functions() {
    check("void f() {}", "void f() {  }");
    check(
        "int f(int a, int &b, const int c[3], id_t d) { int x; bool y = true; x = a; return x; }",
        "int f(int a, int &b, const int c[3], `id_t` d) { int x; bool y = true; (x = a); return x }",
    );
    check(
        "void f() { for (i = 0, j = 1; i < 3; i++, j--) { a[i] = j; } }",
        "void f() { for (<(i = 0), (j = 1)>; (i < 3); <(i++), (j--)>) { (a[i] = j) } }",
    );
    check(
        "void f() { for (;;) ; for (i : int[0,2]) x += i; while (a) b(); do { c--; } while (c > 0); }",
        "void f() { for (; ; ) EMPTY; for i:int[0,2] (x += i); while a b(); do { (c--) } while (c > 0) }",
    );
    check(
        "void f() { if (a) b(); else if (c) d(); else { e(); } if (g) if (h) i(); else j(); }",
        "void f() { if a b() else if c d() else { e() }; if g if h i() else j() }",
    );
    check(
        "void f() { assert(x > 0); assert y; break; continue; return; }",
        "void f() { assert (x > 0); assert y; break; continue; return  }",
    );
    check(
        "void f() { T t; { int t; t = 1; } }",
        "void f() { `T` t; { int t; (t = 1) } }",
    );
}

#[test]
fn rarer_declarations() {
    check(
        "chan priority a < default, b[1] < c;",
        "priority a < DEFAULT, b[1] < c",
    );
    check(
        "before_update { x = 1, f() } after_update { y = 2; }",
        "before (x = 1), f()\nafter (y = 2)",
    );
    check("progress { a; b : c + 1; }", "progress a, b : (c + 1)");
    check("gantt { G(i : T) : a -> 1, { b } ; }", "gantt");
    check(
        "import \"libx.so\" { int f(int x); double g(); };",
        "UNSUPPORTED an imported function: f, g",
    );
    check("dynamic T(int x);", "UNSUPPORTED a dynamic template: T");
    check("extern Cache;", "extern Cache");
    check(
        "lattice Sign { int lo, hi; bool leq(Sign &o) { return lo <= o.lo; } void f() {} }",
        "lattice Sign {int lo, int hi; bool leq(`Sign` &o) { return (lo <= o.lo) }, void f() {  }}",
    );
    check("int x = m.join(n);", "int x = m.join(n)");
}

#[test]
fn systems() {
    check(
        "P1 = P(1, x); Q(int &a, const id_t i) = P(a, i); system P1, Q < R, S;",
        "P1() = P(1, x)\nQ(int &a, const `id_t` i) = P(a, i)\nsystem P1@0, Q@0, R@1, S@1",
    );
}

#[test]
fn several_errors_in_one_run() {
    check_model(
        "m.xta",
        "int a = ;\nint b;\nint c[;\nvoid f() { x = ; y = 1; z }\nint d\nclock x;\nsystem P,;\n",
        "
        BROKEN
        int b
        BROKEN
        void f() { BROKEN; (y = 1); BROKEN } BROKEN
        int d
        clock x
        system P@0
        ",
        "
        1:9 `;` expected-token: expected an expression, found `;`
        3:7 `;` expected-token: expected an expression, found `;`
        4:16 `;` expected-token: expected an expression, found `;`
        4:27 `}` expected-token: expected `;` after the statement, found `}`
        5:5 `d` expected-token: expected `;` after the declaration
        7:10 `;` expected-token: expected the name of a process, found `;`
        ",
    );
}

#[test]
fn recovery_leaves_braces_alone() {
    check_model(
        "m.xta",
        "void f() { T t = { 1, @ }, u = { 2 }; int v; v = 1; }\nstruct { int 3; } s;\nint g(} int h;\nint i;",
        "
        void f() { BROKEN; int v; (v = 1) } BROKEN
        BROKEN
        BROKEN
        BROKEN
        int h
        int i
        ",
        "
        1:23 `@` unexpected-character: unexpected character `@`
        2:14 `3` expected-token: expected the name of a field, found `3`
        3:7 `}` expected-token: expected a type, found `}`
        3:7 `}` expected-token: expected a declaration, found `}`
        ",
    );
}

#[test]
fn local_variables_come_first() {
    check_model(
        "m.xta",
        "void f() { a = 1; int b; }",
        "void f() { int b; (a = 1) } BROKEN",
        "1:19 `int` late-declaration: local variables must be declared before the first statement of their block",
    );
}

#[test]
fn unclosed_things() {
    let check = |text: &str, tree: &str, problem: &str| check_model("m.xta", text, tree, problem);
    check(
        "int a; /* b",
        "int a\nBROKEN",
        "1:8 `/* b` unclosed-comment: this comment is never closed",
    );
    check(
        "void f() { a = 1;",
        "BROKEN",
        "1:17 `;` expected-token: expected `}`, but the text ends here",
    );
    check(
        "import \"a",
        "BROKEN",
        "1:8 `\"a` unclosed-string: this string is never closed",
    );
}

#[test]
fn hints() {
    let check = |text: &str, hint: &str| {
        let (_, diagnostics) = merkhet_syntax::read_model("m.xta", text.as_bytes());
        assert_eq!(diagnostics[0].hint.as_deref(), Some(hint), "{text}");
    };
    check("int x = a AND b;", "did you mean `and`?");
    check("int x = a ≤ b;", "did you mean `<=`?");
    check("int x = 1; /* y", "close it with `*/`");
    check("int x\nint y;", "add a `;` here");
    check(
        "void f() { for (int i = 0; i < 3; i++) g(); }",
        "declare it before the loop, or write `for (i : int[0, N - 1])`",
    );
}
