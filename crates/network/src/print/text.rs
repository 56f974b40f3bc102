//! A listing of the instantiated network for people to read.

use super::Writer;
use super::summary::summary;
use crate::ids::{FunctionId, LocationId};
use crate::network::{Edge, LocationKind, Network, Process, Sync};

/// The network as text: declarations, functions, then each process with its locations and edges.
///
/// The syntax is UPPAAL's where it has one. Edges are those after unrolling; the values of their select variables follow
/// in brackets.
pub fn text(network: &Network) -> String {
    let writer = Writer::plain(network);
    let mut out = format!("// {}\n", summary(network));
    if let Some(source) = &network.lattice_source {
        out += &format!("\n{}", source.text);
    }
    declarations(&writer, &mut out);
    functions(&writer, &mut out);
    for process in &network.processes {
        out.push('\n');
        process_listing(&writer, process, &mut out);
    }
    for vector in &network.vectors {
        let participants: Vec<String> = vector
            .participants
            .iter()
            .map(|participant| {
                let weak = if participant.weak { "?" } else { "" };
                let process = &network.process(participant.process).name;
                format!(
                    "{process}@{}{weak}",
                    network.events[participant.event.index()]
                )
            })
            .collect();
        out += &format!("\nsynchronise {}\n", participants.join(", "));
    }
    out
}

fn declarations(writer: &Writer<'_>, out: &mut String) {
    let network = writer.network;
    if !network.variables.is_empty() {
        out.push('\n');
    }
    for (variable, name) in network.variables.iter().zip(&writer.names.variables) {
        *out += &format!("{}\n", writer.variable(name, variable));
    }
    if !network.clocks.is_empty() {
        *out += &format!("\nclock {};\n", writer.names.clocks.join(", "));
    }
    if !network.channels.is_empty() {
        out.push('\n');
    }
    for channel in &network.channels {
        let priority = match channel.priority - network.default_priority {
            0 => String::new(),
            priority => format!(" // priority {priority:+}"),
        };
        *out += &format!(
            "{} {};{priority}\n",
            Writer::channel_kind(channel),
            channel.name
        );
    }
}

fn functions(writer: &Writer<'_>, out: &mut String) {
    let network = writer.network;
    for (index, function) in network.functions.iter().enumerate() {
        *out += &format!("\n{} {{\n", writer.function_head(FunctionId::from(index)));
        writer.block(&function.body, 1, out);
        *out += "}\n";
    }
    for (word, statements) in [
        ("before_update", &network.before_update),
        ("after_update", &network.after_update),
    ] {
        if !statements.is_empty() {
            *out += &format!("\n{word} {{ {} }}\n", writer.update(statements));
        }
    }
}

fn process_listing(writer: &Writer<'_>, process: &Process, out: &mut String) {
    *out += &format!("process {}", process.name);
    if process.template != process.name {
        *out += &format!(" of {}", process.template);
    }
    if process.priority != 0 {
        *out += &format!(" priority {}", process.priority);
    }
    *out += " {\n";
    for (index, location) in process.locations.iter().enumerate() {
        let initial = if process.initial == LocationId::from(index) {
            "initial "
        } else {
            ""
        };
        let kind = match location.kind {
            LocationKind::Normal => "",
            LocationKind::Urgent => "urgent ",
            LocationKind::Committed => "committed ",
        };
        let invariant = match writer.invariant(&location.invariant) {
            text if text.is_empty() => text,
            text => format!(" {{ {text} }}"),
        };
        *out += &format!("    {initial}{kind}location {}{invariant}\n", location.name);
    }
    for edge in &process.edges {
        *out += &format!("    {}\n", edge_line(writer, process, edge));
    }
    *out += "}\n";
}

fn edge_line(writer: &Writer<'_>, process: &Process, edge: &Edge) -> String {
    let name = |location: LocationId| &process.locations[location.index()].name;
    let mut parts = Vec::new();
    let guard = writer.guard(&edge.guard);
    if !guard.is_empty() {
        parts.push(format!("guard {guard};"));
    }
    if edge.sync != Sync::Internal {
        parts.push(format!("sync {};", writer.sync(edge.sync)));
    }
    if !edge.update.is_empty() {
        parts.push(format!("assign {};", writer.update(&edge.update)));
    }
    let selected: Vec<String> = edge
        .select
        .iter()
        .map(|(name, value)| format!("{name}={value}"))
        .collect();
    let selected = match selected.is_empty() {
        true => String::new(),
        false => format!(" [{}]", selected.join(", ")),
    };
    let labels = match parts.is_empty() {
        true => String::new(),
        false => format!(" {{ {} }}", parts.join(" ")),
    };
    format!(
        "{} -> {}{labels}{selected}",
        name(edge.source),
        name(edge.target)
    )
}
