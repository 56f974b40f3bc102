//! Constants, functions and updates have the values that the language says.

mod common;
use common::{check_run, check_value};

#[test]
fn operators() {
    for (expression, value) in [
        ("1 + 2 * 3", 7),
        ("7 / 2", 3),
        ("-7 / 2", -3),
        ("-7 % 2", -1),
        ("2 ** 10", 1024),
        ("1 << 4", 16),
        ("-16 >> 2", -4),
        ("6 & 3", 2),
        ("6 | 3", 7),
        ("6 ^ 3", 5),
        ("3 <? 5", 3),
        ("3 >? 5", 5),
        ("abs(-4)", 4),
        ("true ? 1 : 2", 1),
        ("(3 < 4) + (4 < 3)", 1),
        ("!5", 0),
        ("not (1 == 2)", 1),
        ("true imply false", 0),
        ("false imply false", 1),
        ("true xor true", 0),
        ("5 && 0 || 3", 1),
        ("-2147483648", i32::MIN),
        ("INT32_MAX", i32::MAX),
        ("UINT16_MAX", 65535),
        ("(forall (i : int[0,3]) i < 4)", 1),
        ("(exists (i : int[0,3]) i == 7)", 0),
        ("(sum (i : int[1,4]) i * i)", 30),
    ] {
        check_value("", expression, value);
    }
}

#[test]
fn constant_arrays_and_structures() {
    let declarations = "
        typedef struct { int x; bool b[2]; } pair;
        const int N = 3;
        const int a[N] = { 4, N, 2 * N };
        const pair p[2] = { { 1, { true, false } }, { b: { false, true }, x: 9 } };
        typedef int[1,3] id;
        const int shifted[id] = { 10, 20, 30 };
        const int grid[2][3] = { { 1, 2, 3 }, { 4, 5, 6 } };
    ";
    for (expression, value) in [
        ("a[1] + a[2]", 9),
        ("p[1].x", 9),
        ("p[1].b[1]", 1),
        ("shifted[1] + shifted[3]", 40),
        ("grid[1][2]", 6),
        ("(sum (i : int[0,N-1]) a[i])", 13),
        ("p[0] == p[1]", 0),
        ("p[0] == p[0]", 1),
        ("(sum (i : id) shifted[i])", 60),
    ] {
        check_value(declarations, expression, value);
    }
}

#[test]
fn constant_functions() {
    let declarations = "
        const int weights[3] = { 2, 3, 5 };
        int power(int base, int n) { int r = 1; int i; for (i = 0; i < n; i++) r *= base; return r; }
        int gcd(int a, int b) { while (b != 0) { int t = a % b; a = b; b = t; } return a; }
        int last(int n) { int r; do { r = n; n--; } while (n > 0); return r; }
        int total() { int s = 0; for (i : int[0,2]) s += weights[i]; return s; }
        typedef struct { int lo; int hi; } range;
        range make(int a, int b) { range r = { a, b }; if (a > b) { r.lo = b; r.hi = a; } return r; }
        int width(range r) { r.lo = r.hi - r.lo; return r.lo; }
        int early(int n) { if (n < 0) return -1; else if (n == 0) return 0; return 1; }
        int third(int a[3]) { a[0] = 7; return a[2]; }
        bool even(int n) { return (n % 2) == 0; }
        int nothing() { int unset; return unset; }
        void bump(int &x) { x++; }
        int twice(int x) { bump(x); bump(x); return x; }
    ";
    for (expression, value) in [
        ("power(3, 4)", 81),
        ("gcd(48, 36)", 12),
        ("last(5)", 1),
        ("total()", 10),
        ("make(9, 2).lo * 100 + make(9, 2).hi", 209),
        ("width(make(8, 3))", 5),
        ("early(-3) + early(0) * 10 + early(7) * 100", 99),
        ("third(weights)", 5),
        ("even(4) + even(5)", 1),
        ("nothing()", 0),
        ("twice(5)", 7),
        ("make(1, 2) == make(2, 1)", 1),
    ] {
        check_value(declarations, expression, value);
    }
}

#[test]
fn updates_are_sequential() {
    check_run("int a = 1; int b = 2;", "a = b, b = a", "b", &[2]);
    check_run("int a; int b;", "a = 3, b = a++ + ++a", "b", &[8]);
    check_run("int a; int b = 5;", "a = (b = 7) + b", "a", &[14]);
    check_run(
        "int a[3]; int i;",
        "a[i++] = 4, a[i++] = 5, a[i] += i",
        "a",
        &[4, 5, 2],
    );
    check_run("int a[3]; int i;", "a[i++] += 4", "a", &[4, 0, 0]);
    check_run("int a[3]; int i;", "a[i++] += 4", "i", &[1]);
    check_run("bool b; int x = 6;", "b = x", "b", &[1]);
    check_run("int a;", "a = true", "a", &[1]);
    check_run("int a = 3;", "a -= 2, a *= 5, a <<= 1", "a", &[10]);
    check_run("int a = 1; int b;", "a == 1 ? b = 4 : b = 5", "b", &[4]);
}

#[test]
fn structures_are_copied() {
    let declarations = "
        typedef struct { int x; int y[2]; } box;
        box a = { 1, { 2, 3 } }; box b; box many[2];
        box swap(box v) { box r; r.x = v.y[0]; r.y[0] = v.x; r.y[1] = v.y[1]; return r; }
        void set(box &v, int k) { v.x = k; v.y[1] = k; }
        int take(int first, box v, int second) { return 100 * first + 10 * v.x + second; }
        int n;
    ";
    check_run(declarations, "b = a, a.x = 9", "b", &[1, 2, 3]);
    check_run(declarations, "b = swap(a)", "b", &[2, 1, 3]);
    check_run(declarations, "b = swap(swap(a))", "b", &[1, 2, 3]);
    check_run(declarations, "set(many[1], 7)", "many", &[0, 0, 0, 7, 0, 7]);
    check_run(
        declarations,
        "n = 1, set(many[n], 7), n = 0, set(many[n], 5)",
        "many",
        &[5, 0, 5, 7, 0, 7],
    );
    check_run(declarations, "b = n == 0 ? a : many[0]", "b", &[1, 2, 3]);
    // The structure's function runs between its neighbours.
    check_run(
        declarations,
        "n = 4, n = take(n++, swap(a), n)",
        "n",
        &[425],
    );
    check_run("int[0,9] a[2] = {3,4}; int b[2];", "b = a", "b", &[3, 4]);
    check_run("int a[2] = {3,4}; int[0,9] b[2];", "b = a", "b", &[3, 4]);
}

#[test]
fn locals_start_anew_at_each_entry() {
    let declarations = "
        int out[3]; int big;
        void fill() { for (i : int[0,2]) { int seen[20]; seen[i]++; out[i] = seen[i] + 10 * seen[0]; } }
        int count(int n) { int k; k += n; return k; }
        void stays(int n) { if (n > 0) big = big * 2 + 1; }
        int forgets(bool set) { if (set) { return 5; } }
    ";
    check_run(declarations, "fill()", "out", &[11, 1, 1]);
    check_run(declarations, "big = count(3) * 10 + count(4)", "big", &[34]);
    check_run(
        declarations,
        "big = forgets(true), big = forgets(false)",
        "big",
        &[0],
    );
}

#[test]
fn references_reach_arrays_clocks_and_other_references() {
    let declarations = "
        int a[2][3]; clock x[2];
        void set(int &row[3], int k) { row[k] = k + 1; }
        void both(int &m[2][3], int k) { set(m[0], k); set(m[k], k); }
        void restart(clock &c) { c = 0; }
        int sum3(const int &row[3]) { return row[0] + row[1] + row[2]; }
        int s;
    ";
    check_run(declarations, "both(a, 1)", "a", &[0, 2, 0, 0, 2, 0]);
    check_run(
        declarations,
        "both(a, 1), s = sum3(a[0]) * 10 + sum3(a[1])",
        "s",
        &[22],
    );
    check_run(declarations, "restart(x[1]), s = 1", "s", &[1]);
}

#[test]
fn long_ladders_stay_flat() {
    let mut body = String::from("if (n == 0) return 100;");
    for k in 1..200 {
        body.push_str(&format!(" else if (n == {k}) return {};", k * 2));
    }
    body.push_str(" else return -1;");
    let declarations = format!("int f(int n) {{ {body} }}");
    check_value(&declarations, "f(0) + f(150) + f(999)", 399);
}

#[test]
fn default_values_are_nearest_to_zero() {
    check_run(
        "int[3,9] a; int[-9,-2] b; int[-1,1] c; int s;",
        "s = a * 100 + b * 10 + c",
        "s",
        &[280],
    );
}
