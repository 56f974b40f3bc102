//! The two small families with which paper [Kupferschmid et al., SPIN 2006] shows where the heuristics of the
//! monotonicity abstraction are exact (figure 2) and where they are not (figure 3).

use super::{Generator, Language, Model, Parameter, wrong_number};
use std::fmt::Write as _;

const SIZE: Parameter = Parameter {
    name: "N",
    summary: "the number of automata",
    low: 1,
    high: 1000,
    default: None,
};

/// Figure 2: a chain of automata, each of which takes over from the one before and may go astray.
///
/// The distance to the error is N, and h^L = h^U = N; d^L = 2 (for N > 1) and d^U = 2N − 1. Every automaton but the first
/// has a wrong choice: from there it would need the signal of the one before once more, which is gone, so that the
/// heuristics are infinite.
pub(super) const DEAD_ENDS: Generator = Generator {
    name: "dead-ends",
    summary: "a chain of automata with a wrong choice in each (figure 2 of the h^L paper)",
    language: Language::Xta,
    parameters: &[SIZE],
    build: dead_ends,
};

/// Figure 3: one automaton has to go round and round for another one to get on.
///
/// The distance to the error is N·C − C + 1: N signals with C − 1 steps between two of them. The heuristics act as if the
/// circle were needed once: their value at the start is N.
pub(super) const CIRCLES: Generator = Generator {
    name: "circles",
    summary: "an automaton that has to go round N times (figure 3 of the h^L paper)",
    language: Language::Xta,
    parameters: &[
        Parameter {
            summary: "how often the signal is needed",
            ..SIZE
        },
        Parameter {
            name: "C",
            summary: "the length of the circle",
            low: 1,
            high: 1000,
            default: Some(2),
        },
    ],
    build: circles,
};

fn dead_ends(values: &[u32]) -> Result<Model, String> {
    let &[n] = values else {
        return wrong_number();
    };
    let goal: Vec<String> = (1..=n).map(|i| format!("A{i}.top")).collect();
    let query = format!("E<> {}", goal.join(" && "));
    let mut text = format!(
        "// A chain of {n} automata with a wrong choice in each but the first.\n// {query}\n\n"
    );
    for i in 1..n {
        let _ = writeln!(text, "chan a{i};");
    }
    for i in 1..=n {
        // The last one has nobody to pass the signal on to.
        let pass = if i < n {
            format!("sync a{i}!; ")
        } else {
            String::new()
        };
        let _ = match i {
            1 => write!(
                text,
                "
process A1() {{
    state bottom, top;
    init bottom;
    trans
        bottom -> top {{ {pass}}};
}}
"
            ),
            _ => write!(
                text,
                "
process A{i}() {{
    state bottom, left, right, top;
    init bottom;
    trans
        bottom -> left {{ sync a{before}?; }},
        bottom -> right {{ sync a{before}?; }},
        right -> left {{ sync a{before}?; }},
        left -> top {{ {pass}}};
}}
",
                before = i - 1
            ),
        };
    }
    let names: Vec<String> = (1..=n).map(|i| format!("A{i}")).collect();
    let _ = writeln!(text, "\nsystem {};", names.join(", "));
    Ok(Model {
        text,
        query: Some(query),
    })
}

fn circles(values: &[u32]) -> Result<Model, String> {
    let &[n, c] = values else {
        return wrong_number();
    };
    let query = format!("E<> Chain.c{n}");
    let states = |prefix: &str, last: u32| -> String {
        let names: Vec<String> = (0..=last).map(|i| format!("{prefix}{i}")).collect();
        names.join(", ")
    };
    let mut text = format!(
        "// A signal is needed {n} times from a circle of {c} steps.\n// {query}\n\nchan a;\n\n\
         process Circle() {{\n    state {};\n    init q0;\n    trans\n        q0 -> q{} {{ sync a!; }}",
        states("q", c - 1),
        1 % c
    );
    for i in 1..c {
        let _ = write!(text, ",\n        q{i} -> q{} {{ }}", (i + 1) % c);
    }
    let _ = write!(
        text,
        ";\n}}\n\nprocess Chain() {{\n    state {};\n    init c0;\n    trans\n",
        states("c", n)
    );
    for i in 0..n {
        let end = if i + 1 < n { "," } else { ";" };
        let _ = writeln!(text, "        c{i} -> c{} {{ sync a?; }}{end}", i + 1);
    }
    text += "}\n\nsystem Circle, Chain;\n";
    Ok(Model {
        text,
        query: Some(query),
    })
}
