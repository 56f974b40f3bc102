//! Processes in XTA and in the old TA language.

mod common;

use common::check_model;
use merkhet_syntax::read_model;
use merkhet_syntax::tree::Format;

#[test]
fn a_process() {
    check_model(
        "m.xta",
        "chan c[2]; clock x;
        process P(int &n, const int k) {
            int i; clock y;
            void f() { i = 0; }
            state A { x <= k && y' == 0 }, B, C { ; 5 }, D { x < 3; 1 : 2 };
            branchpoint b;
            commit B, C; urgent D;
            init A;
            trans A -> B { select j : int[0,1], m : T; guard x > 1 and n == 2; sync c[j]!; assign x = 0, f(); },
                  -> b { sync c[0]?; },
                  b -> A { probability 3; },
                  b -u-> D { },
                  D -> D { guard ; sync ; assign i++; };
        }
        Q = P(n, 3); system Q; query { A[] not deadlock } query { E<> Q.B; sup: x; }",
        "
        chan c[2]
        clock x
        Automaton P(int &n, const int k)
          int i
          clock y
          void f() { (i = 0) }
          location A initial invariant ((x <= k) && (y' == 0));
          location B committed
          location C committed rate 5;
          location D urgent invariant (x < 3); rate 1, 2;
          A -> B select j:int[0,1], m:`T`; guard ((x > 1) && (n == 2)); sync c[j]!; assign (x = 0), f();
          A -> b sync c[0]?;
          b -> A probability 3;
          b -u-> D
          D -> D assign (i++);
        Q() = P(n, 3)
        system Q@0
        query A[] (!DEADLOCK)
        query E<> Q.B
        query sup: x
        ",
        "",
    );
}

#[test]
fn the_old_language() {
    let text = "const N 5, M[2] {1, 2}; clock z; int[0,3] v := 0; urgent chan go;
        process P(clock x, y; int n; const k, l) {
            const local 3;
            state A { x =< k, y<3 }, B;
            commit B;
            init A;
            trans A -> B { guard x >= k, n == 2; sync go!; assign n := 0, x := 0; };
        }
        Q := P(z, z, v, 1, 2);
        system Q;";
    let tree = "
        const int N = 5, M[2] = {1, 2}
        clock z
        int[0,3] v = 0
        urgent chan go
        Automaton P(clock &x, clock &y, int &n, const int k, const int l)
          const int local = 3
          location A initial invariant ((x <= k) && (y < 3));
          location B committed
          A -> B guard ((x >= k) && (n == 2)); sync go!; assign (n = 0), (x = 0);
        Q() = P(z, z, v, 1, 2)
        system Q@0
        ";
    check_model("m.ta", text, tree, "");
    check_model("m.xta", text, tree, "");
    assert_eq!(read_model("m.ta", text.as_bytes()).0.format, Format::Ta);
}

#[test]
fn parameters_of_the_old_language_are_references() {
    let text = "process P(int n, const int k) { state A; init A; }";
    check_model(
        "m.ta",
        text,
        "Automaton P(int &n, const int k)\n  location A initial",
        "",
    );
    check_model(
        "m.xta",
        text,
        "Automaton P(int n, const int k)\n  location A initial",
        "",
    );
}

#[test]
fn a_broken_clause_leaves_the_rest() {
    check_model(
        "m.xta",
        "process P {
            state A { x <= }, B;
            init Aa;
            trans A -> B { guard x > ; sync c?; assign x = = 2, y = 1; },
                  A -> C { guard true; },
                  A -> { guard x; },
                  B -> A { gard x > 1; },
                  B -> B { sync c!; };
        }
        system P;",
        "
        Automaton P() BROKEN
          location A invariant BROKEN BROKEN;
          location B
          A -> B guard BROKEN BROKEN; sync c?; assign BROKEN BROKEN;
          A -> UNKNOWN C guard true;
          B -> A
          B -> B sync c!;
        system P@0
        ",
        "
        2:28 `}` expected-token: expected an expression, found `}` (template P, location A, invariant)
        3:18 `Aa` unknown-location: there is no location `Aa` in this process (template P)
        4:38 `;` expected-token: expected an expression, found `;` (template P, edge A → B, guard)
        4:60 `=` expected-token: expected an expression, found `=` (template P, edge A → B, update)
        5:24 `C` unknown-location: there is no location `C` in this process (template P, edge A → C)
        6:24 `{` expected-token: expected the target of the edge, found `{` (template P)
        7:28 `gard` expected-token: expected `select`, `guard`, `sync`, `assign`, `probability` or `}`, found `gard` (template P, edge B → A)
        ",
    );
}

#[test]
fn unknown_locations_get_a_suggestion() {
    let (_, diagnostics) = read_model("m.xta", b"process P { state Idle, Busy; init idle; }");
    assert_eq!(diagnostics[0].hint.as_deref(), Some("did you mean `Idle`?"));
}

#[test]
fn words_that_became_reserved_later_are_names_here() {
    check_model(
        "m.xta",
        "int state, process, sync; process guard { int trans; state init; init init; } assign = guard(); system assign;",
        "
        int state, process, sync
        Automaton guard()
          int trans
          location init initial
        assign() = guard()
        system assign@0
        ",
        "",
    );
}

#[test]
fn queries_in_the_file() {
    check_model(
        "m.xta",
        "system P; query { simulate [<=100] { x } } query { hello world } query { A<> P.A }",
        "
        system P@0
        query UNSUPPORTED a statistical query
        query BROKEN
        query A<> P.A
        ",
        "1:52 `hello world` not-a-query: this is not a query (query 2)",
    );
}
