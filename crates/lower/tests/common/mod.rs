//! Checks over small models written in XTA.

#![allow(dead_code)]

use merkhet_lower::{Lowered, lint, lower_model, lower_query};
use merkhet_network::code::{Machine, ProgramBuilder};
use merkhet_network::{Measure, Network, Query, QueryKind, print};
use merkhet_syntax::tree::Model;
use merkhet_syntax::{Diagnostic, FileId, SourceMap, read_model, read_query};

/// Reads and lowers a model.
pub fn load(text: &str) -> (Model, Option<Lowered>, Vec<Diagnostic>, SourceMap) {
    let mut sources = SourceMap::new();
    sources.insert(FileId::MODEL, "model.xta", text.as_bytes());
    let (model, mut messages) = read_model("model.xta", text.as_bytes());
    let (lowered, more) = lower_model(&model, &sources);
    messages.extend(more);
    (model, lowered, messages, sources)
}

/// A model that must load without an error.
pub fn lowered(text: &str) -> (Lowered, SourceMap) {
    let (_, lowered, messages, sources) = load(text);
    let errors: Vec<_> = messages.iter().filter(|m| m.is_error()).collect();
    assert!(errors.is_empty(), "{text}\n{errors:#?}");
    (lowered.expect("no result and no error"), sources)
}

/// Wraps declarations and the inside of a process into a model.
pub fn model(declarations: &str, process: &str) -> String {
    let body = if process.is_empty() {
        "state A; init A;"
    } else {
        process
    };
    format!("{declarations}\nprocess P() {{ {body} }}\nsystem P;")
}

/// The listing of a model has all these lines.
pub fn check(text: &str, expected: &[&str]) {
    let (lowered, _) = lowered(text);
    let listing = print::text(&lowered.network);
    for line in expected {
        let found = listing.lines().any(|found| found.trim() == *line);
        assert!(found, "no line `{line}` in\n{listing}");
    }
}

/// The listing of a model has none of these lines.
pub fn check_absent(text: &str, unexpected: &[&str]) {
    let (lowered, _) = lowered(text);
    let listing = print::text(&lowered.network);
    for line in unexpected {
        let found = listing.lines().any(|found| found.trim() == *line);
        assert!(!found, "there is `{line}` in\n{listing}");
    }
}

/// A model has an error with this code, at this text, whose message has this in it.
pub fn check_error(text: &str, code: &str, at: &str, message: &str) {
    let (_, lowered, messages, sources) = load(text);
    let found = messages.iter().any(|m| {
        m.is_error()
            && m.code == code
            && sources.text(m.span) == Some(at)
            && m.message.contains(message)
    });
    let listed: Vec<_> = messages
        .iter()
        .map(|m| (m.code, sources.text(m.span), &m.message))
        .collect();
    assert!(found, "{text}\n{listed:#?}");
    assert!(lowered.is_none(), "an error and a result: {text}");
}

/// Lowers a query of a model.
pub fn query(text: &str, query: &str) -> (Lowered, Result<Query, Vec<Diagnostic>>) {
    let (mut lowered, mut sources) = lowered(text);
    sources.insert(FileId::TYPED, "query", query.as_bytes());
    let (tree, mut messages) = read_query(query);
    let result = lower_query(&mut lowered, &tree, &sources);
    let result = result.map_err(|more| {
        messages.extend(more);
        messages
    });
    (lowered, result)
}

/// A query of a model prints as this kind.
pub fn check_query(text: &str, formula: &str, expected: &str) {
    let (_, result) = query(text, formula);
    let query = result.unwrap_or_else(|messages| panic!("{formula}: {messages:#?}"));
    let found = format!("{:?}", query.kind);
    assert!(
        found.contains(expected),
        "{formula}: no `{expected}` in {found}"
    );
}

/// A query of a model has an error.
pub fn check_query_error(text: &str, formula: &str, code: &str, message: &str) {
    let (_, result) = query(text, formula);
    let messages = result.expect_err(formula);
    let found = messages
        .iter()
        .any(|m| m.code == code && m.message.contains(message));
    assert!(found, "{formula}: {messages:#?}");
}

/// An expression over constants has this value.
pub fn check_value(declarations: &str, expression: &str, expected: i32) {
    let text = model(
        &format!("{declarations}\nconst int RESULT = {expression};"),
        "",
    );
    let (_, result) = query(&text, "sup: RESULT");
    let query = result.unwrap_or_else(|messages| panic!("{expression}: {messages:#?}"));
    let QueryKind::Bounds { measures, .. } = query.kind else {
        panic!("not bounds");
    };
    let Measure::Data(value) = &measures[0].0 else {
        panic!("not data");
    };
    assert_eq!(value.as_const(), Some(expected), "{expression}");
}

/// Runs the update of the only edge of a process and gives the cells of a variable.
pub fn run(declarations: &str, update: &str, variable: &str) -> Vec<i32> {
    let text = model(
        declarations,
        &format!("state A; init A; trans A -> A {{ assign {update}; }};"),
    );
    let (lowered, _) = lowered(&text);
    cells_after(&lowered.network, variable)
}

fn cells_after(network: &Network, name: &str) -> Vec<i32> {
    let edge = &network.processes[0].edges[0];
    let mut builder = ProgramBuilder::new(network);
    let code = builder.statements(&edge.update);
    let program = builder.finish();
    let mut machine = Machine::new(&program);
    machine.run(&program, code).expect("a fault");
    let variable = network.variables.iter().find(|v| v.name == name);
    let variable = variable.unwrap_or_else(|| panic!("no variable {name}"));
    (0..variable.shape.cells())
        .map(|offset| machine.memory[program.layout().address(variable.base.plus(offset))])
        .collect()
}

/// Running an update leaves these cells in a variable.
pub fn check_run(declarations: &str, update: &str, variable: &str, expected: &[i32]) {
    let found = run(declarations, update, variable);
    assert_eq!(found, expected, "{declarations} // {update}");
}

/// The lints of a model are exactly these, by name and text they point at.
pub fn check_lints(text: &str, expected: &[(&str, &str)]) {
    let (model, lowered, messages, sources) = load(text);
    let lowered = lowered.unwrap_or_else(|| panic!("{messages:#?}"));
    let mut found: Vec<(String, String)> = lint(&model, &lowered)
        .iter()
        .chain(messages.iter().filter(|m| !m.is_error()))
        .map(|m| {
            (
                m.code.to_string(),
                sources.text(m.span).unwrap_or("").to_string(),
            )
        })
        .collect();
    let mut expected: Vec<(String, String)> = expected
        .iter()
        .map(|(code, at)| (code.to_string(), at.to_string()))
        .collect();
    found.sort();
    expected.sort();
    assert_eq!(found, expected, "{text}");
}
