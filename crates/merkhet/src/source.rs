//! The author's own words: what stands in a model's file at an edge.

use merkhet_syntax::tree::{Label, Template};
use merkhet_syntax::{SourceMap, Span, unescape};

use crate::load::Model;

/// The labels of an edge as they were written, without line breaks.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct EdgeText {
    /// The select bindings.
    pub select: Option<String>,
    /// The guard.
    pub guard: Option<String>,
    /// The synchronisation.
    pub synchronisation: Option<String>,
    /// The update.
    pub update: Option<String>,
}

impl Model {
    /// The labels of the edge with this number in a template; `None` where the language has no templates.
    pub fn edge_text(&self, template: &str, number: u32) -> Option<EdgeText> {
        let tree = self.tree()?;
        let named = |one: &&Template| one.name.text == template;
        let edge = tree
            .templates
            .iter()
            .find(named)?
            .edges
            .get(number as usize)?;
        let sources = &self.sources;
        Some(EdgeText {
            select: label(sources, edge.select.as_ref()),
            guard: label(sources, edge.guard.as_ref()),
            synchronisation: label(sources, edge.synchronisation.as_ref()),
            update: label(sources, edge.update.as_ref()),
        })
    }

    /// The number of edges of a template.
    pub fn edges_of(&self, template: &str) -> Option<usize> {
        let tree = self.tree()?;
        let found = tree
            .templates
            .iter()
            .find(|one| one.name.text == template)?;
        Some(found.edges.len())
    }

    /// The text of a span, as its author wrote it: without XML's escapes.
    pub fn text_of(&self, span: Span) -> Option<String> {
        let text = self.sources.text(span)?;
        let xml = self
            .tree()
            .is_some_and(|tree| tree.format == merkhet_syntax::tree::Format::Xml);
        Some(if xml {
            unescape(text)
        } else {
            text.to_string()
        })
    }
}

fn label<T>(sources: &SourceMap, label: Option<&Label<T>>) -> Option<String> {
    let text = unescape(sources.text(label?.span)?);
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    (!line.is_empty()).then_some(line)
}
