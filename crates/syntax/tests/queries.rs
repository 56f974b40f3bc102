//! Queries, alone and in `.q` files.

mod common;

use common::outline;
use merkhet_syntax::{FileId, SourceMap, read_queries, read_query};

#[track_caller]
fn check(text: &str, expected: &str) {
    let (query, diagnostics) = read_query(text);
    assert_eq!(outline::query(&query), expected, "{text}");
    assert_eq!(
        expected == "BROKEN",
        !diagnostics.is_empty(),
        "{text}: {diagnostics:?}"
    );
}

#[test]
fn symbolic_queries() {
    check("E<> P.a and x > 3", "E<> (P.a && (x > 3))");
    check("A[] not deadlock", "A[] (!DEADLOCK)");
    check("E[]x<5", "E[] (x < 5)");
    check("A<> P.a;", "A<> P.a");
    check("P.a --> Q.b imply Q.c", "P.a --> (Q.b imply Q.c)");
    check("A [] p", "A[] p");
    check("sup: x, P.y", "sup: x, P.y");
    check("inf{P.a}: x", "inf{P.a}: x");
    check("bounds{not P.a}: i", "bounds{(!P.a)}: i");
    check("sup > 3 --> inf == 2", "(sup > 3) --> (inf == 2)");
    check("A --> E", "A --> E");
    check(
        "A[] forall (i : id_t) P(i).a imply Q(i, 2).x < 3",
        "A[] (forall i:`id_t` (P(i).a imply (Q(i, 2).x < 3)))",
    );
    check("", "EMPTY");
    check("  // a heading", "EMPTY");
}

#[test]
fn queries_of_other_tools() {
    for text in [
        "Pr[<=100](<> P.a)",
        "Pr[x<=5;10] ([] a) >= 0.5",
        "simulate [<=10; 3] { x, y }",
        "simulate 1 [<=10] {x}",
        "E[<=100; 10] (max: x)",
        "E[#<=100](min: y)",
    ] {
        check(text, "UNSUPPORTED a statistical query");
    }
    for text in [
        "control: A<> P.a",
        "strategy S = control: A[] x",
        "minE(c)[<=10]: <> P.a",
        "saveStrategy(\"f\", S)",
        "{ x, y } control: A[] p",
        "E<> control: A<> p",
        "control_t*(1,2): A<> p",
        "maxPr[<=3]: <> a",
    ] {
        check(text, "UNSUPPORTED a strategy query");
    }
    check("A[] P.a under S", "UNSUPPORTED a query under a strategy");
    check("sup: x under S", "UNSUPPORTED a query under a strategy");
    check("A[ P.a U Q.b ]", "UNSUPPORTED an until query");
    check(
        "refinement: A <= B",
        "UNSUPPORTED a query about specifications",
    );
}

#[test]
fn plain_text_is_no_query() {
    for text in [
        "The lamp is never broken",
        "== Safety ==",
        "P.a and P.b",
        "-----",
        "A",
        "E<",
        "§",
        "check: x",
    ] {
        check(text, "BROKEN");
        let (_, diagnostics) = read_query(text);
        assert_eq!(diagnostics.len(), 1, "{text}");
        assert_eq!(diagnostics[0].code, "not-a-query", "{text}");
    }
    for text in [
        "E<> ",
        "A[] (p",
        "A[] p q",
        "sup: ",
        "E<> p --> q",
        "A[] (p imply A<> q)",
        "p --> ",
    ] {
        check(text, "BROKEN");
    }
}

#[test]
fn files() {
    let check = |text: &str, expected: &str| {
        let (queries, diagnostics) = read_queries(text.as_bytes());
        assert!(diagnostics.is_empty(), "{text}: {diagnostics:?}");
        let found: Vec<String> = queries
            .iter()
            .map(|q| match &q.comment {
                Some(comment) => format!("[{}] {}", comment.replace('\n', "|"), outline::query(q)),
                None => outline::query(q),
            })
            .collect();
        assert_eq!(found.join(" / "), expected, "{text}");
    };
    check("E<> a\nA[] b\n\n\nE[] c", "E<> a / A[] b / E[] c");
    check("\u{feff}E<> a\r\nA[] b\r\n", "E<> a / A[] b");
    check("E<> a && \\\n b\nA[] c", "E<> (a && b) / A[] c");
    check("E<> a && \\  \r\n b \\\n || c", "E<> ((a && b) || c)");
    check(
        "// first\n// second\nE<> a // third\nA[] b",
        "[first|second|third] E<> a / A[] b",
    );
    check("// far away\n\nE<> a", "E<> a");
    check(
        "/*\none\ntwo\n*/\nE<> a /* x */ && b",
        "[one\ntwo|x] E<> (a && b)".replace('\n', "|").as_str(),
    );
    check("/* \\ */ E<> a\n/* A[] x */\n", "[\\] E<> a");
    check("", "");
    check("// nothing\n/* at all */", "");
}

#[test]
fn a_bad_line_leaves_the_others() {
    let text = "E<> a\nno query here\nA[] (b\nA[] c\n/* open\nE<> d";
    let (queries, diagnostics) = read_queries(text.as_bytes());
    let found: Vec<String> = queries.iter().map(outline::query).collect();
    assert_eq!(
        found.join(" / "),
        "E<> a / BROKEN / BROKEN / A[] c / BROKEN"
    );
    let mut sources = SourceMap::new();
    sources.insert(FileId::QUERIES, "m.q", text.as_bytes());
    let lines: Vec<u32> = diagnostics
        .iter()
        .map(|d| sources.start(d.span).expect("known").line)
        .collect();
    assert_eq!(lines, [2, 3, 5]);
}

#[test]
fn text_and_span_are_those_of_the_formula() {
    let text = "// c\n  E<> a  // d\nA[] \\\n b";
    let (queries, _) = read_queries(text.as_bytes());
    let spans: Vec<&str> = queries
        .iter()
        .map(|q| &text[q.span.start as usize..q.span.end as usize])
        .collect();
    assert_eq!(spans, ["E<> a  // d", "A[] \\\n b"]);
    assert_eq!(queries[1].text, "A[] \\\n b");
}
