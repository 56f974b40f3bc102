//! Reading models: text to network, with everything there is to say about the text.

use merkhet_lower::{Lowered, LoweredQuery, lower_model, lower_query};
use merkhet_network::{Network, Query};
use merkhet_syntax::tck::is_tck;
use merkhet_syntax::{Diagnostic, FileId, Severity, SourceMap, Span, read_model, read_queries_as};

use crate::flat;

/// A query of a model.
pub type ModelQuery = LoweredQuery;

/// A model as far as it could be read.
pub struct Model {
    /// The texts that diagnostics point into.
    pub sources: SourceMap,
    /// Messages about the model; those about single queries are with the queries.
    pub diagnostics: Vec<Diagnostic>,
    /// The tree, for checks of style.
    pub tree: merkhet_syntax::tree::Model,
    pub(crate) lowered: Option<Lowered>,
    /// Whether it is in TChecker's language, with goals of its own.
    pub(crate) flat: bool,
    pub(crate) next_file: u32,
}

impl Model {
    /// Reads a model from the bytes of a file; the name decides between languages where the text does not.
    pub fn read(name: &str, bytes: &[u8]) -> Model {
        let mut sources = SourceMap::new();
        sources.insert(FileId::MODEL, name, bytes);
        if is_tck(name, bytes) {
            return flat::read(sources, bytes);
        }
        let (tree, messages) = read_model(name, bytes);
        // Authors type plain text as queries: that spoils the query, not the model.
        let (about_queries, mut diagnostics): (Vec<_>, Vec<_>) = messages
            .into_iter()
            .partition(|message| query_around(&tree, message.span).is_some());
        let mut lowered = None;
        if !diagnostics.iter().any(Diagnostic::is_error) {
            let (result, more) = lower_model(&tree, &sources);
            lowered = result;
            diagnostics.extend(more);
        }
        match &mut lowered {
            Some(lowered) => hand_out(about_queries, &tree, lowered),
            None => diagnostics.extend(about_queries),
        }
        Model {
            sources,
            diagnostics,
            tree,
            lowered,
            flat: false,
            next_file: 16,
        }
    }

    /// Whether something is so wrong that the model cannot be used.
    pub fn has_errors(&self) -> bool {
        self.lowered.is_none()
            || self
                .diagnostics
                .iter()
                .any(|message| message.severity == Severity::Error)
    }

    /// The network, if the model could be read.
    pub fn network(&self) -> Option<&Network> {
        self.lowered.as_ref().map(|lowered| &lowered.network)
    }

    /// What the names stand for, for checks of style.
    pub fn lowered(&self) -> Option<&Lowered> {
        self.lowered.as_ref()
    }

    /// The queries embedded in the model.
    pub fn queries(&self) -> &[ModelQuery] {
        self.lowered
            .as_ref()
            .map_or(&[], |lowered| &lowered.queries)
    }

    /// Lowers a query given as text.
    pub fn query(&mut self, text: &str) -> Result<Query, Vec<Diagnostic>> {
        let file = FileId(self.next_file);
        self.next_file += 1;
        self.sources.insert(file, "query", text.as_bytes());
        if self.flat {
            return flat::query(self, file, text);
        }
        let (queries, mut diagnostics) = read_queries_as(file, text.as_bytes());
        if diagnostics.iter().any(Diagnostic::is_error) {
            return Err(diagnostics);
        }
        match (&mut self.lowered, &queries[..]) {
            (Some(lowered), [query]) => lower_query(lowered, query, &self.sources),
            (Some(_), _) => {
                let span = Span {
                    file,
                    start: 0,
                    end: text.len() as u32,
                };
                let message = if queries.is_empty() {
                    "there is no query here"
                } else {
                    "one query was expected"
                };
                diagnostics.push(Diagnostic::error("one-query", message, span));
                Err(diagnostics)
            }
            (None, _) => Err(diagnostics),
        }
    }

    /// Lowers the queries of a file; messages that belong to no query come second.
    pub fn query_file(&mut self, name: &str, bytes: &[u8]) -> (Vec<ModelQuery>, Vec<Diagnostic>) {
        let file = FileId(self.next_file);
        self.next_file += 1;
        self.sources.insert(file, name, bytes);
        if self.flat {
            return (flat::queries(self, file), Vec::new());
        }
        let (queries, diagnostics) = read_queries_as(file, bytes);
        let Some(lowered) = &mut self.lowered else {
            return (Vec::new(), diagnostics);
        };
        let mut result = Vec::new();
        for (index, query) in queries.iter().enumerate() {
            let (lowered_query, messages) = match lower_query(lowered, query, &self.sources) {
                Ok(query) => (Some(query), Vec::new()),
                Err(messages) => (None, messages),
            };
            result.push(ModelQuery {
                query: lowered_query,
                text: query.text.clone(),
                comment: query.comment.clone(),
                number: index as u32 + 1,
                span: query.span,
                expectation: None,
                result: None,
                diagnostics: messages,
            });
        }
        (result, diagnostics)
    }
}

/// The number, from 1, of the embedded query that a place belongs to.
fn query_around(tree: &merkhet_syntax::tree::Model, span: Span) -> Option<u32> {
    let around = |query: &merkhet_syntax::tree::Query| {
        query.span.file == span.file && (query.span.start..=query.span.end).contains(&span.start)
    };
    let position = tree.queries.iter().position(around)?;
    Some(position as u32 + 1)
}

/// Gives messages about queries to the queries, where they say more than that the query cannot be read.
fn hand_out(messages: Vec<Diagnostic>, tree: &merkhet_syntax::tree::Model, lowered: &mut Lowered) {
    for message in messages {
        let number = query_around(tree, message.span);
        let query = (lowered.queries.iter_mut()).find(|query| Some(query.number) == number);
        if let Some(query) = query {
            query
                .diagnostics
                .retain(|other| other.code != "broken-query");
            query.diagnostics.push(message);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Model;

    #[test]
    fn plain_text_as_query_spoils_the_query_only() {
        let text = "<nta><template><name>P</name><location id='a'><name>A</name></location><init ref='a'/></template>\
                    <system>system P;</system><queries><query><formula>to do: ask something ($)</formula></query>\
                    <query><formula>E&lt;&gt; P.A</formula></query></queries></nta>";
        let model = Model::read("model.xml", text.as_bytes());
        assert!(!model.has_errors(), "{:?}", model.diagnostics);
        let queries = model.queries();
        assert_eq!(queries.len(), 2);
        assert!(queries[0].query.is_none() && !queries[0].diagnostics.is_empty());
        assert!(queries[1].query.is_some() && queries[1].diagnostics.is_empty());
    }
}
