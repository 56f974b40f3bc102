//! How traces of other programs count: clocks, variables, locations and edges of the model as it was written.

use merkhet::network::print::Labels;
use merkhet::network::{Edge, Network, Process};
use merkhet::replay::TakenEdge;
use merkhet::{EdgeText, Model};

/// A model with what its trace files and its intermediate format have in common.
pub struct Numbering<'m> {
    pub model: &'m Model,
    pub network: &'m Network,
    labels: Labels<'m>,
}

/// Guard, synchronisation and update of an edge; `1` or `tau` where there is none.
pub struct EdgeLabels {
    pub guard: String,
    pub sync: String,
    pub update: String,
}

impl<'m> Numbering<'m> {
    pub fn new(model: &'m Model, network: &'m Network) -> Numbering<'m> {
        Numbering {
            model,
            network,
            labels: Labels::new(network),
        }
    }

    /// The edges of a process as its template counts them, each with the first of its copies, if there is one.
    pub fn edges(&self, process: &'m Process) -> Vec<Option<&'m Edge>> {
        let copies = process
            .edges
            .iter()
            .map(|edge| edge.origin as usize + 1)
            .max();
        let written = self
            .model
            .edges_of(&process.template)
            .or(copies)
            .unwrap_or(0);
        let mut edges = vec![None; written];
        for edge in process.edges.iter().rev() {
            if let Some(slot) = edges.get_mut(edge.origin as usize) {
                *slot = Some(edge);
            }
        }
        edges
    }

    /// The edge that a step took.
    pub fn taken(&self, taken: &TakenEdge) -> &'m Edge {
        self.network.edge(taken.process, taken.edge)
    }

    /// The labels as they were written; in languages without templates as the network has them.
    pub fn labels(&self, process: &Process, edge: &Edge) -> EdgeLabels {
        let text = self.model.edge_text(&process.template, edge.origin);
        let text = text.unwrap_or_else(|| EdgeText {
            select: None,
            guard: Some(self.labels.guard(edge)),
            synchronisation: Some(self.labels.sync(edge)),
            update: Some(self.labels.update(edge)),
        });
        let or = |text: Option<String>, nothing: &str| {
            text.filter(|text| !text.is_empty())
                .unwrap_or_else(|| nothing.into())
        };
        EdgeLabels {
            guard: or(text.guard, "1"),
            sync: or(
                text.synchronisation.map(|text| text.replace(' ', "")),
                "tau",
            ),
            update: or(text.update, "1"),
        }
    }

    /// The invariant of a location; `1` if there is none.
    pub fn invariant(&self, location: &merkhet::network::Location) -> String {
        let text = self.labels.invariant(location);
        if text.is_empty() { "1".into() } else { text }
    }
}
