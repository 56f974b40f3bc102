//! `merkhet states`: the zone graph, as far as a limit.

use std::collections::HashMap;
use std::fmt::Write;

use merkhet::Failure;
use merkhet::explore::{Exploration, SymbolicState};
use merkhet::network::Network;
use serde::Serialize;

use super::{load, words};
use crate::args::{StatesArgs, StatesFormat};
use crate::exit::Exit;
use crate::output::{self, OutputError};
use crate::view::{SCHEMA_VERSION, json};

/// The graph; states in the order in which breadth-first search finds them.
struct Graph {
    states: Vec<SymbolicState>,
    initial: usize,
    edges: Vec<(usize, String, usize)>,
    complete: bool,
}

/// What `--format json` prints.
#[derive(Debug, Serialize)]
struct GraphView {
    schema_version: u32,
    model: String,
    complete: bool,
    /// The indices of the initial states: several where urgency or differences of clocks split the first zone.
    initial: Vec<usize>,
    states: Vec<NodeView>,
    edges: Vec<EdgeView>,
}

#[derive(Debug, Serialize)]
struct NodeView {
    locations: Vec<String>,
    values: Vec<String>,
    zone: Vec<String>,
}

#[derive(Debug, Serialize)]
struct EdgeView {
    from: usize,
    to: usize,
    label: String,
}

/// Runs the command.
pub fn run(args: &StatesArgs) -> Exit {
    let Ok(model) = load::usable(&args.model) else {
        return Exit::BadInput;
    };
    let Some(network) = model.network() else {
        return Exit::BadInput;
    };
    let explored = Exploration::finite(network).and_then(|exploration| {
        let graph = explore(network, &exploration, args.max_states)?;
        Ok((exploration, graph))
    });
    let (exploration, graph) = match explored {
        Ok(found) => found,
        Err(failure) => {
            output::error(&failure.to_string());
            return Exit::of(&failure);
        }
    };
    let node = |state: &SymbolicState| NodeView {
        locations: words::locations(network, state),
        values: words::values(&exploration, state),
        zone: state.describe_zone(network),
    };
    let text = match args.format {
        StatesFormat::Dot => Ok(dot(&graph, node)),
        StatesFormat::Aut => Ok(aut(&graph)),
        StatesFormat::Json => json::render(&GraphView {
            schema_version: SCHEMA_VERSION,
            model: args.model.display().to_string(),
            complete: graph.complete,
            initial: (0..graph.initial).collect(),
            states: graph.states.iter().map(node).collect(),
            edges: graph
                .edges
                .iter()
                .map(|(from, label, to)| EdgeView {
                    from: *from,
                    to: *to,
                    label: label.clone(),
                })
                .collect(),
        }),
    };
    match text.and_then(|text| output::print_plain(&text)) {
        Ok(()) | Err(OutputError::Closed) if graph.complete => Exit::Satisfied,
        Ok(()) | Err(OutputError::Closed) => {
            output::message(&format!(
                "only the first {} states are shown; --max-states gives more",
                graph.states.len()
            ));
            Exit::Undecided
        }
        Err(problem) => {
            output::report(&problem);
            Exit::BadInput
        }
    }
}

fn explore(
    network: &Network,
    exploration: &Exploration<'_>,
    most: usize,
) -> Result<Graph, Failure> {
    let mut numbers: HashMap<SymbolicState, usize> = HashMap::new();
    let mut graph = Graph {
        states: exploration.initial()?,
        initial: 0,
        edges: Vec::new(),
        complete: true,
    };
    graph.complete = graph.states.len() <= most;
    graph.states.truncate(most);
    graph.initial = graph.states.len();
    for (number, state) in graph.states.iter().enumerate() {
        numbers.insert(state.clone(), number);
    }
    let mut next = 0;
    while next < graph.states.len() {
        for (transition, state) in exploration.successors(&graph.states[next])? {
            let known = numbers.get(&state).copied();
            let number = match known {
                Some(number) => number,
                None if graph.states.len() >= most => {
                    graph.complete = false;
                    continue;
                }
                None => {
                    let number = graph.states.len();
                    numbers.insert(state.clone(), number);
                    graph.states.push(state);
                    number
                }
            };
            let label = words::transition(network, &transition);
            graph.edges.push((next, label, number));
        }
        next += 1;
    }
    Ok(graph)
}

fn dot(graph: &Graph, node: impl Fn(&SymbolicState) -> NodeView) -> String {
    let quote = |text: &str| text.replace('\\', "\\\\").replace('"', "\\\"");
    let mut text = String::from("digraph states {\n  node [shape=box, fontname=monospace];\n");
    for (number, state) in graph.states.iter().enumerate() {
        let view = node(state);
        let lines = [view.locations, view.values, view.zone].map(|line| line.join(", "));
        let lines: Vec<String> = lines
            .iter()
            .filter(|line| !line.is_empty())
            .map(|line| quote(line))
            .collect();
        let style = if number < graph.initial {
            ", penwidth=2"
        } else {
            ""
        };
        let _ = writeln!(text, "  {number} [label=\"{}\"{style}];", lines.join("\\n"));
    }
    for (from, label, to) in &graph.edges {
        let _ = writeln!(text, "  {from} -> {to} [label=\"{}\"];", quote(label));
    }
    text + "}\n"
}

/// The Aldebaran format has one initial state: several get a common one in front.
fn aut(graph: &Graph) -> String {
    let extra = usize::from(graph.initial != 1);
    let edges = graph.edges.len() + extra * graph.initial;
    let mut text = format!("des (0, {edges}, {})\n", graph.states.len() + extra);
    for number in (0..graph.initial).filter(|_| extra == 1) {
        let _ = writeln!(text, "(0, \"start\", {})", number + 1);
    }
    for (from, label, to) in &graph.edges {
        let _ = writeln!(
            text,
            "({}, \"{}\", {})",
            from + extra,
            label.replace('"', "'"),
            to + extra
        );
    }
    text
}
