//! The causal graph for `merkhet show --causal-graph`.

use merkhet::causal::{CausalGraph, Grain, Vertex};
use merkhet::network::Network;
use serde::Serialize;

use crate::args::ShowFormat;
use crate::output::OutputError;
use crate::view::json;

/// What `merkhet show --causal-graph --format json` prints.
#[derive(Debug, Serialize)]
struct GraphView {
    vertices: Vec<VertexView>,
    arcs: Vec<ArcView>,
    cyclic: bool,
}

#[derive(Debug, Serialize)]
struct VertexView {
    name: String,
    kind: &'static str,
    /// Strongly connected components have the same number; no arc leads to a smaller one.
    component: u32,
}

#[derive(Debug, Serialize)]
struct ArcView {
    from: String,
    to: String,
    /// The transitions that induce it.
    transitions: u64,
    on_cycle: bool,
}

/// The causal graph in a form.
pub fn render(network: &Network, format: ShowFormat) -> Result<String, OutputError> {
    let graph = CausalGraph::new(network, Grain::Variables);
    match format {
        ShowFormat::Dot => Ok(graph.dot(network)),
        ShowFormat::Svg => Ok(graph.svg(network)),
        ShowFormat::Json => json::render(&view(network, &graph)),
        ShowFormat::Text | ShowFormat::Xta => Ok(graph.text(network)),
    }
}

fn view(network: &Network, graph: &CausalGraph) -> GraphView {
    let vertex = |number: usize| VertexView {
        name: graph.name(network, number as u32),
        kind: match graph.vertices[number] {
            Vertex::Process(_) => "process",
            Vertex::Variable(_) | Vertex::Cell(_) => "variable",
        },
        component: graph.components[number],
    };
    GraphView {
        vertices: (0..graph.vertices.len()).map(vertex).collect(),
        arcs: graph
            .arcs
            .iter()
            .map(|arc| ArcView {
                from: graph.name(network, arc.from),
                to: graph.name(network, arc.to),
                transitions: arc.weight,
                on_cycle: arc.cyclic,
            })
            .collect(),
        cyclic: graph.is_cyclic(),
    }
}
