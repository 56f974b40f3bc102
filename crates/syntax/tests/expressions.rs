//! Expressions: precedence, associativity, and what may stand where.

mod common;

use common::outline;
use merkhet_syntax::read_query;
use merkhet_syntax::tree::{BinaryOp, Expr, ExprKind, QueryKind};

#[track_caller]
fn parse(text: &str) -> Result<Expr, String> {
    let (query, diagnostics) = read_query(&format!("E<> {text}"));
    match query.kind {
        QueryKind::Possibly(expr) if diagnostics.is_empty() => Ok(expr),
        _ => Err(diagnostics
            .iter()
            .map(|d| d.message.clone())
            .collect::<Vec<_>>()
            .join("; ")),
    }
}

#[track_caller]
fn check(text: &str, expected: &str) {
    let found = parse(text).map_or_else(|message| message, |expr| outline::expr(&expr));
    assert_eq!(found, expected, "{text}");
}

#[test]
fn levels_from_loose_to_tight() {
    check("a = b ? c : d", "(a = (b ? c : d))");
    check("a ? b : c ? d : e", "(a ? b : (c ? d : e))");
    check("a ? b : c = d", "(a ? b : (c = d))");
    check("a || b ? c : d", "((a || b) ? c : d)");
    check("a && b || c && d", "((a && b) || (c && d))");
    check("a | b && c", "((a | b) && c)");
    check("a ^ b | c", "((a ^ b) | c)");
    check("a & b ^ c", "((a & b) ^ c)");
    check("a == b & c", "((a == b) & c)");
    check("a < b == c", "((a < b) == c)");
    check("a <? b < c >? d", "((a <? b) < (c >? d))");
    check("a << b <? c", "((a << b) <? c)");
    check("a + b << c - d", "((a + b) << (c - d))");
    check("a * b + c / d % e", "((a * b) + ((c / d) % e))");
    check("a ** b * c", "((a ** b) * c)");
    check("-a ** b", "((-a) ** b)");
    check("!a.b[c](d)++ + e", "((!(a.b[c](d)++)) + e)");
    check(
        "a || b && c | d ^ e & f == g < h <? i << j + k * l ** m",
        "(a || (b && (c | (d ^ (e & (f == (g < (h <? (i << (j + (k * (l ** m))))))))))))",
    );
    check(
        "a ** b * c + d << e <? f < g == h & i ^ j | k && l || m",
        "((((((((((((a ** b) * c) + d) << e) <? f) < g) == h) & i) ^ j) | k) && l) || m)",
    );
}

#[test]
fn or_xor_and_imply_share_a_level() {
    check("a or b imply c", "((a || b) imply c)");
    check("a imply b or c", "((a imply b) || c)");
    check("a imply b imply c", "((a imply b) imply c)");
    check("a xor b or c xor d", "(((a xor b) || c) xor d)");
    check("not a and b imply c", "(((!a) && b) imply c)");
    check("not a == b", "((!a) == b)");
}

#[test]
fn chains_lean_to_the_left() {
    check("a - b - c", "((a - b) - c)");
    check("a + b - c + d", "(((a + b) - c) + d)");
    check("a ** b ** c", "((a ** b) ** c)");
    check("a < b < c", "((a < b) < c)");
    check("a = b += c", "(a = (b += c))");
}

#[test]
fn assignments() {
    for (written, read) in [
        ("=", "="),
        (":=", "="),
        ("+=", "+="),
        ("-=", "-="),
        ("*=", "*="),
        ("/=", "/="),
        ("%=", "%="),
        ("&=", "&="),
        ("|=", "|="),
        ("^=", "^="),
        ("<<=", "<<="),
        (">>=", ">>="),
    ] {
        check(&format!("a {written} b"), &format!("(a {read} b)"));
    }
    check("++a + b--", "((++a) + (b--))");
    check("- --a", "(-(--a))");
}

#[test]
fn quantifiers_reach_as_far_as_they_can() {
    check(
        "forall (i : int[0,N-1]) a[i] && b",
        "(forall i:int[0,(N - 1)] (a[i] && b))",
    );
    check(
        "a && exists (i : id_t) b || c",
        "(a && (exists i:`id_t` (b || c)))",
    );
    check("sum (i : id_t) a[i] > 3", "(sum i:`id_t` (a[i] > 3))");
    check(
        "(forall (i : T) forall (j : T) a) && b",
        "((forall i:`T` (forall j:`T` a)) && b)",
    );
}

#[test]
fn words_that_are_only_sometimes_reserved() {
    check("sum + guard * state", "(sum + (guard * state))");
    check("sum(x)", "sum(x)");
    check("P.deadlock && not deadlock", "(P.deadlock && (!DEADLOCK))");
    check("P.init || Q(1).system", "(P.init || Q(1).system)");
    check("A.B == E.U", "(A.B == E.U)");
}

#[test]
fn literals() {
    check("x == 007 && y < 0xFF", "((x == 7) && (y < 255))");
    check("-2147483648", "(-2147483648)");
    check("x < 1.5e3", "(x < 1500.0)");
    check("f(\"a b\")", "f(\"a b\")");
    check("true && false", "(true && false)");
    check(
        "99999999999",
        "this number is too large: integers have 32 bits",
    );
    check(
        "99999999999999999999999999",
        "this number is too large: integers have 32 bits",
    );
}

#[test]
fn postfix() {
    check("x' == 1", "(x' == 1)");
    check("P(1, i + 1).a[2].b.c(d)", "P(1, (i + 1)).a[2].b.c(d)");
    check("f()", "f()");
}

#[test]
fn errors_say_what_was_expected() {
    check("a +", "expected an expression, but the text ends here");
    check("a b", "expected the end of the query, found `b`");
    check(
        "(a",
        "expected `)` to close the parenthesis, but the text ends here",
    );
    check(
        "a ? b",
        "expected `:` between the two values of `? :`, but the text ends here",
    );
    check(
        "a[1",
        "expected `]` after the index, but the text ends here",
    );
    check("a § b", "unexpected character `§`");
    check(
        "a.1",
        "expected the name of a field or location after `.`, found `1`",
    );
    check("12ab", "`12ab` is neither a number nor a name");
    check(
        "int",
        "expected an expression, found the reserved word `int`",
    );
}

#[test]
fn long_runs_are_balanced() {
    for (symbol, op) in [
        ("&&", BinaryOp::And),
        ("||", BinaryOp::Or),
        ("+", BinaryOp::Add),
    ] {
        let names: Vec<String> = (0..5000).map(|i| format!("x{i}")).collect();
        let expr = parse(&names.join(symbol)).expect("a long run is no error");
        assert!(expr.height() < 50, "height {}", expr.height());
        let mut leaves = Vec::new();
        collect(&expr, op, &mut leaves);
        assert_eq!(leaves, names, "the order of the operands stays");
    }
}

fn collect(expr: &Expr, run: BinaryOp, leaves: &mut Vec<String>) {
    match &expr.kind {
        ExprKind::Binary { op, left, right } if *op == run => {
            collect(left, run, leaves);
            collect(right, run, leaves);
        }
        ExprKind::Name(name) => leaves.push(name.clone()),
        other => panic!("unexpected {other:?}"),
    }
}

#[test]
fn a_run_inside_a_run_of_another_operator() {
    let ands = vec!["a"; 40].join(" && ");
    let expr = parse(&format!("{ands} || b imply c")).expect("an expression");
    assert!(outline::expr(&expr).ends_with("|| b) imply c)"));
}
