//! `merkhet states`: the zone graph, as far as a limit.

use std::fmt::Write;

use merkhet::Limits;
use merkhet::explore::{Exploration, Missing, StateGraph, SymbolicState};
use merkhet::network::Network;
use serde::Serialize;

use super::words;
use crate::args::{StatesArgs, StatesFormat};
use crate::commands::load;
use crate::exit::Exit;
use crate::output::{self, OutputError};
use crate::view::{SCHEMA_VERSION, json};

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
    let limits = Limits {
        timeout: args.timeout,
        memory: args.memory_limit,
        ..Limits::default()
    };
    let explored = Exploration::finite(network).and_then(|exploration| {
        let exploration = exploration.within(limits);
        let graph = exploration.graph(args.max_states)?;
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
        StatesFormat::Dot => Ok(dot(network, &graph, node)),
        StatesFormat::Aut => Ok(aut(network, &graph)),
        StatesFormat::Json => json::render(&GraphView {
            schema_version: SCHEMA_VERSION,
            model: args.model.display().to_string(),
            complete: graph.missing.is_none(),
            initial: (0..graph.initial).collect(),
            states: graph.states.iter().map(node).collect(),
            edges: graph
                .edges
                .iter()
                .map(|(from, transition, to)| EdgeView {
                    from: *from,
                    to: *to,
                    label: words::transition(network, transition),
                })
                .collect(),
        }),
    };
    if let Err(problem) = text.and_then(|text| output::print_plain(&text))
        && !matches!(problem, OutputError::Closed)
    {
        output::report(&problem);
        return Exit::BadInput;
    }
    let Some(missing) = graph.missing else {
        return Exit::Satisfied;
    };
    let shown = graph.states.len();
    output::message(&match missing {
        Missing::States => {
            format!("only the first {shown} states are shown; --max-states gives more")
        }
        Missing::Transitions => format!(
            "only the first {shown} states and {} transitions are shown",
            graph.edges.len()
        ),
        Missing::Time => format!("time limit reached: only the first {shown} states are shown"),
        Missing::Memory => format!("memory limit reached: only the first {shown} states are shown"),
        Missing::Cancelled => format!("interrupted: only the first {shown} states are shown"),
    });
    Exit::Undecided
}

fn dot(network: &Network, graph: &StateGraph, node: impl Fn(&SymbolicState) -> NodeView) -> String {
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
    for (from, transition, to) in &graph.edges {
        let label = quote(&words::transition(network, transition));
        let _ = writeln!(text, "  {from} -> {to} [label=\"{label}\"];");
    }
    text + "}\n"
}

/// The Aldebaran format has one initial state: several get a common one in front.
fn aut(network: &Network, graph: &StateGraph) -> String {
    let extra = usize::from(graph.initial != 1);
    let edges = graph.edges.len() + extra * graph.initial;
    let mut text = format!("des (0, {edges}, {})\n", graph.states.len() + extra);
    for number in (0..graph.initial).filter(|_| extra == 1) {
        let _ = writeln!(text, "(0, \"start\", {})", number + 1);
    }
    for (from, transition, to) in &graph.edges {
        let label = words::transition(network, transition).replace('"', "'");
        let (from, to) = (from + extra, to + extra);
        let _ = writeln!(text, "({from}, \"{label}\", {to})");
    }
    text
}
