//! What the reader makes of TChecker's language.

use super::tree::{Expression, ExpressionKind, Operator, Statement, StatementKind, System};
use super::{read_tck, read_tck_query};
use merkhet_syntax::{Diagnostic, FileId, SourceFile};

/// An expression, fully bracketed.
fn show(expression: &Expression) -> String {
    let list = |parts: &[Expression], joint: &str| {
        let parts: Vec<String> = parts.iter().map(show).collect();
        format!("({})", parts.join(joint))
    };
    match &expression.kind {
        ExpressionKind::Integer(value) => value.to_string(),
        ExpressionKind::Name(name) => name.clone(),
        ExpressionKind::Index(name, index) => format!("{}[{}]", name.text, show(index)),
        ExpressionKind::Negate(a) => format!("-{}", show(a)),
        ExpressionKind::Not(a) => format!("!{}", show(a)),
        ExpressionKind::Binary(operator, a, b) => {
            format!("({} {} {})", show(a), symbol(*operator), show(b))
        }
        ExpressionKind::Conjunction(parts) => list(parts, " && "),
        ExpressionKind::Disjunction(parts) => list(parts, " || "),
        ExpressionKind::Conditional(c, a, b) => {
            format!("(if {} then {} else {})", show(c), show(a), show(b))
        }
    }
}

fn symbol(operator: Operator) -> &'static str {
    match operator {
        Operator::Add => "+",
        Operator::Subtract => "-",
        Operator::Multiply => "*",
        Operator::Divide => "/",
        Operator::Remainder => "%",
        Operator::Less => "<",
        Operator::LessEqual => "<=",
        Operator::Equal => "==",
        Operator::NotEqual => "!=",
        Operator::GreaterEqual => ">=",
        Operator::Greater => ">",
    }
}

fn show_statements(statements: &[Statement]) -> String {
    let show_one = |statement: &Statement| match &statement.kind {
        StatementKind::Nop => "nop".into(),
        StatementKind::Assign { target, value } => format!("{} = {}", show(target), show(value)),
        StatementKind::If {
            condition,
            then,
            otherwise,
        } => format!(
            "if {} then {} else {} end",
            show(condition),
            show_statements(then),
            show_statements(otherwise)
        ),
        StatementKind::While { condition, body } => {
            format!("while {} do {} end", show(condition), show_statements(body))
        }
        StatementKind::Local { name, value } => format!(
            "local {}{}",
            name.text,
            value
                .as_ref()
                .map(|value| format!(" = {}", show(value)))
                .unwrap_or_default()
        ),
        StatementKind::LocalArray { name, size } => {
            format!("local {}[{}]", name.text, show(size))
        }
    };
    let list: Vec<String> = statements.iter().map(show_one).collect();
    list.join("; ")
}

/// Reads a model whose reader has nothing to say against it.
fn good(text: &str) -> System {
    let (system, diagnostics) = read_tck(text.as_bytes());
    assert!(diagnostics.is_empty(), "{text}: {diagnostics:?}");
    system
}

fn edge_with(attributes: &str) -> System {
    good(&format!("system:s\nedge:P:a:b:e{{{attributes}}}"))
}

fn check_guard(text: &str, printed: &str) {
    let system = edge_with(&format!("provided: {text}"));
    assert_eq!(show(&system.edges[0].guards[0]), printed, "{text}");
}

fn check_statements(text: &str, printed: &str) {
    let system = edge_with(&format!("do: {text}"));
    assert_eq!(
        show_statements(&system.edges[0].statements),
        printed,
        "{text}"
    );
}

/// Messages as `line:column code`.
fn check_errors(text: &str, expected: &[&str]) -> System {
    let (system, diagnostics) = read_tck(text.as_bytes());
    let source = SourceFile::new("model", text.as_bytes());
    let line = |diagnostic: &Diagnostic| {
        let at = source.position(diagnostic.span.start);
        format!("{}:{} {}", at.line, at.column, diagnostic.code)
    };
    let found: Vec<String> = diagnostics.iter().map(line).collect();
    assert_eq!(found, expected, "{text}");
    system
}

#[test]
fn precedence() {
    check_guard("a + b * c - d", "((a + (b * c)) - d)");
    check_guard("x - y <= 3 + n", "((x - y) <= (3 + n))");
    check_guard("!a == b && c", "(!(a == b) && c)");
    check_guard("(a && (b && c))", "(a && (b && c))");
    check_guard("-a[i + 1] % 2 == -1", "((-a[(i + 1)] % 2) == -1)");
    check_guard("1 < x <= 5", "((1 < x) && (x <= 5))");
    check_guard(
        "(if a == 1 then 2 else b) < 3",
        "((if (a == 1) then 2 else b) < 3)",
    );
}

#[test]
fn statements() {
    check_statements("x = 0; i = i + 1", "x = 0; i = (i + 1)");
    check_statements("nop;", "nop");
    check_statements("x = y + 3", "x = (y + 3)");
    check_statements(
        "local t; local u = 2; local v[3]; v[u] = 1",
        "local t; local u = 2; local v[3]; v[u] = 1",
    );
    check_statements(
        "if i == 1 && j then i = 0; else while i < 3 do i = i + 1; end end; j = 2",
        "if ((i == 1) && j) then i = 0 else while (i < 3) do i = (i + 1) end end; j = 2",
    );
}

#[test]
fn declarations() {
    let system = good(concat!(
        "# a comment\n\n",
        "system:lamp # and one at the end\n",
        "event:press\nprocess:Lamp\nprocess:User.1\n",
        "clock:1:x\nclock:3:y\nint:2:-1:+5:0:n\n",
        "location:Lamp:off{initial: : labels: dark, safe :\n  invariant: x <= 3 : urgent:}\n",
        "location:Lamp:on{ committed : }\nlocation:Lamp:plain\nlocation:Lamp:empty{}\n",
        "edge:Lamp:off:on:press{do: x = 0 : provided: x > 1 : provided: n[0] == 0}\n",
        "sync:Lamp@press:User.1@press?\n",
    ));
    assert_eq!(system.name.map(|name| name.text).as_deref(), Some("lamp"));
    assert_eq!(system.processes.len(), 2);
    assert_eq!((system.clocks[1].size, system.ints[0].low), (3, -1));
    let off = &system.locations[0];
    assert!(off.initial && off.urgent && !off.committed);
    let labels: Vec<&str> = off.labels.iter().map(|label| label.text.as_str()).collect();
    assert_eq!(labels, ["dark", "safe"]);
    assert_eq!(show(&off.invariants[0]), "(x <= 3)");
    assert!(system.locations[1].committed);
    assert_eq!(system.locations.len(), 4);
    assert_eq!(system.edges[0].guards.len(), 2);
    let vector = &system.synchronisations[0].participants;
    assert!(!vector[0].weak && vector[1].weak);
}

#[test]
fn broken_declarations_leave_the_rest() {
    let system = check_errors(
        concat!(
            "system:s\nproces:P\nprocess:P Q\nclock:0:x\nint:1:0:1:7:i\nclock:1:y\n",
            "location:P:a{initial: : invariant: y <= }\n",
            "edge:P:a:a:e{provided: y < 1 || y > 2}\n",
            "edge:P:a:a:e{provided: y < 1\nedge:P:a:a:e{colour: red}\n",
            "sync:P@a:\nsync:\nprocess:R",
        ),
        &[
            "2:1 unknown-declaration",
            "3:11 expected-token",
            "4:7 bad-size",
            "5:7 bad-range",
            "7:40 expected-token",
            "8:30 no-disjunction",
            "10:13 expected-token",
            "11:10 expected-token",
            "12:6 expected-token",
        ],
    );
    assert_eq!(system.processes.len(), 2);
    assert_eq!((system.clocks.len(), system.locations.len()), (1, 1));
}

#[test]
fn unknown_attributes_are_warnings() {
    let text = "system:s{a:1}\nlocation:P:l{colour: red : initial: yes}\n";
    let (system, diagnostics) = read_tck(text.as_bytes());
    assert_eq!(diagnostics.len(), 3, "{diagnostics:?}");
    assert!(diagnostics.iter().all(|d| !d.is_error()));
    assert!(system.locations[0].initial);
}

#[test]
fn the_language_is_told_by_name_or_first_line() {
    for (name, text, expected) in [
        ("a.tck", "", true),
        ("a.TCK", "x", true),
        ("a.txt", "# labels\n\n system : s\n", true),
        ("a.xta", "system P;", false),
        ("a.xml", "<nta>", false),
        ("", "", false),
    ] {
        assert_eq!(super::is_tck(name, text.as_bytes()), expected, "{name}");
    }
}

#[test]
fn goals() {
    let check = |text: &str, printed: &str| {
        let (goal, diagnostics) = read_tck_query(FileId::TYPED, text);
        assert!(diagnostics.is_empty(), "{text}: {diagnostics:?}");
        let goal = goal.expect("a goal");
        let quantifier = if goal.invariant { "A[]" } else { "E<>" };
        assert_eq!(format!("{quantifier} {}", show(&goal.formula)), printed);
    };
    check("E<> error", "E<> error");
    check(" E<>cs1,cs2 ", "E<> (cs1 && cs2)");
    check("A[] not (cs1 and cs2)", "A[] !(cs1 && cs2)");
    check(
        "E<> P.a && x > 3 || deadlock",
        "E<> ((P.a && (x > 3)) || deadlock)",
    );
    for text in ["error", "E<>", "E<> a b", "A<> a", "E<> a,", "E<> \u{e9}"] {
        let (_, diagnostics) = read_tck_query(FileId::TYPED, text);
        assert!(!diagnostics.is_empty(), "{text}");
    }
}

#[test]
fn hostile_texts_are_refused_quickly() {
    let deep = |text: String| {
        let (_, diagnostics) = read_tck(format!("system:s\nedge:P:a:b:e{{{text}}}").as_bytes());
        assert!(!diagnostics.is_empty());
    };
    deep(format!("provided: {}", "(".repeat(200_000)));
    deep(format!("provided: {}1", "!".repeat(200_000)));
    deep(format!("provided: {}1", "-".repeat(200_000)));
    deep(format!("provided: {}1", "1 + ".repeat(200_000)));
    deep(format!("provided: {}", "a[".repeat(200_000)));
    deep(format!("do: {}", "if a then ".repeat(200_000)));
    deep(format!("do: {}", "while a do ".repeat(200_000)));
    deep("do: x = 99999999999999".into());
    for text in [
        "",
        "{",
        "}",
        "::::",
        "system",
        "system:s\nedge:P:a{",
        "\u{feff}",
        "é:é",
    ] {
        let (_, diagnostics) = read_tck(text.as_bytes());
        assert!(!diagnostics.is_empty(), "{text}");
    }
    let (_, diagnostics) = read_tck(&[0xff, 0x00, 0xc3]);
    assert!(!diagnostics.is_empty());
    let long = format!(
        "system:s\nedge:P:a:b:e{{provided: {}a}}",
        "a && ".repeat(100_000)
    );
    assert_eq!(good(&long).edges.len(), 1);
    let (_, diagnostics) = read_tck("edge:{\n".repeat(50_000).as_bytes());
    assert!(diagnostics.len() < 1000);
}

/// Every file of the shared collections is read without a message.
#[test]
fn shared_models_are_read() {
    let mut count = 0;
    for folder in ["peers/models", "benchmarks/tck"] {
        let Some(folder) = merkhet_testing::shared(folder) else {
            continue;
        };
        let entries = std::fs::read_dir(folder).expect("a folder");
        for path in entries.flatten().map(|entry| entry.path()) {
            if path.extension().is_some_and(|extension| extension == "tck") {
                let bytes = std::fs::read(&path).expect("a readable file");
                let (system, diagnostics) = read_tck(&bytes);
                assert!(diagnostics.is_empty(), "{path:?}: {diagnostics:?}");
                assert!(!system.edges.is_empty(), "{path:?}");
                count += 1;
            }
        }
    }
    println!("{count} models");
}
