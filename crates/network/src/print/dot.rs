//! Graphviz: one cluster for each process.

use super::Writer;
use crate::ids::LocationId;
use crate::network::{LocationKind, Network};

/// The network as a Graphviz graph. Committed locations carry a C, urgent ones a U, initial ones a double border.
pub fn dot(network: &Network) -> String {
    let writer = Writer::plain(network);
    let mut out = String::from(
        "digraph network {\n  rankdir=LR;\n  node [shape=box, style=rounded, fontsize=10];\n  edge [fontsize=9];\n",
    );
    for (number, process) in network.processes.iter().enumerate() {
        out += &format!(
            "  subgraph cluster_{number} {{\n    label={};\n",
            quoted(&process.name)
        );
        for (index, location) in process.locations.iter().enumerate() {
            let mark = match location.kind {
                LocationKind::Normal => "",
                LocationKind::Urgent => " (U)",
                LocationKind::Committed => " (C)",
            };
            let mut label = format!("{}{mark}", location.name);
            let invariant = writer.invariant(&location.invariant);
            if !invariant.is_empty() {
                label += &format!("\n{invariant}");
            }
            let border = if process.initial == LocationId::from(index) {
                ", peripheries=2"
            } else {
                ""
            };
            out += &format!(
                "    l{number}_{index} [label={}{border}];\n",
                quoted(&label)
            );
        }
        for edge in &process.edges {
            let parts = [
                writer.guard(&edge.guard),
                writer.sync(edge.sync),
                writer.update(&edge.update),
            ];
            let lines: Vec<&str> = parts
                .iter()
                .map(String::as_str)
                .filter(|part| !part.is_empty())
                .collect();
            let (source, target) = (edge.source.0, edge.target.0);
            out += &format!(
                "    l{number}_{source} -> l{number}_{target} [label={}];\n",
                quoted(&lines.join("\n"))
            );
        }
        out += "  }\n";
    }
    out += "}\n";
    out
}

fn quoted(text: &str) -> String {
    let escaped = text
        .replace('\\', "\\\\")
        .replace('"', "\\\"")
        .replace('\n', "\\n");
    format!("\"{escaped}\"")
}
