//! Reading models: text to network, with everything there is to say about the text.

mod smv;
mod smv_lint;

use merkhet_analysis::{lasting_meta, reads_meta};
use merkhet_finite::System;
use merkhet_lower::tck::{explore_query, lower_label_query, lower_tck};
use merkhet_lower::{External, Lowered, LoweredQuery, lower_model_with, lower_query};
use merkhet_network::{Network, Query};
use merkhet_syntax::tree::Outcome;
use merkhet_syntax::{Diagnostic, FileId, SourceMap, Span, read_model, read_queries_as};
use merkhet_tck::{is_tck, read_tck};
use smv::Smv;
use std::sync::Arc;

pub use smv::is_smv;

/// A query of a model with what is known about it.
#[derive(Clone, Debug)]
pub struct ModelQuery {
    /// The question to a network; `None` where it cannot be checked.
    pub query: Option<Query>,
    /// The number of the specification, where the model is a finite system; `None` where it cannot be checked.
    pub specification: Option<usize>,
    /// The formula as typed.
    pub text: String,
    /// The author's comment, or the name of the specification.
    pub comment: Option<String>,
    /// Its number among the queries of the file, counted from 1, the empty ones included.
    pub number: u32,
    /// Where it stands.
    pub span: Span,
    /// The outcome that the author expects.
    pub expectation: Option<Outcome>,
    /// The outcome that UPPAAL recorded last.
    pub result: Option<Outcome>,
    /// Why it cannot be checked, and warnings.
    pub diagnostics: Vec<Diagnostic>,
}

impl ModelQuery {
    /// A query that cannot be checked.
    fn broken(text: String, number: u32, span: Span, diagnostics: Vec<Diagnostic>) -> ModelQuery {
        ModelQuery {
            query: None,
            specification: None,
            text,
            comment: None,
            number,
            span,
            expectation: None,
            result: None,
            diagnostics,
        }
    }
}

impl From<LoweredQuery> for ModelQuery {
    fn from(lowered: LoweredQuery) -> ModelQuery {
        ModelQuery {
            query: lowered.query,
            comment: lowered.comment,
            expectation: lowered.expectation,
            result: lowered.result,
            ..ModelQuery::broken(
                lowered.text,
                lowered.number,
                lowered.span,
                lowered.diagnostics,
            )
        }
    }
}

/// A model as far as it could be read. A copy can be asked while the other one is being checked.
#[derive(Clone)]
pub struct Model {
    /// The texts that diagnostics point into.
    pub sources: SourceMap,
    /// Messages about the model; those about single queries are with the queries.
    pub diagnostics: Vec<Diagnostic>,
    language: Language,
    next_file: u32,
}

/// What was read.
#[derive(Clone)]
enum Language {
    /// UPPAAL's XML, XTA or TA.
    Uppaal(Box<merkhet_syntax::tree::Model>, Option<Box<Lowered>>),
    /// TChecker's flat language.
    Flat(Option<Box<Network>>),
    /// SMV.
    Smv(Box<Smv>),
}

impl Model {
    /// Reads a model from the bytes of a file; the name decides between languages where the text does not.
    pub fn read(name: &str, bytes: &[u8]) -> Model {
        Model::read_with(name, bytes, &[])
    }

    /// Reads a model that may import these lattices by `extern`, besides those of the library.
    pub fn read_with(name: &str, bytes: &[u8], externals: &[External]) -> Model {
        let mut sources = SourceMap::new();
        sources.insert(FileId::MODEL, name, bytes);
        let (language, diagnostics) = if is_smv(name) {
            let (smv, diagnostics) = Smv::read(bytes);
            (Language::Smv(Box::new(smv)), diagnostics)
        } else if is_tck(name, bytes) {
            let (system, mut diagnostics) = read_tck(bytes);
            let mut network = None;
            if !diagnostics.iter().any(Diagnostic::is_error) {
                let (result, more) = lower_tck(&system, &sources);
                network = result.map(Box::new);
                diagnostics.extend(more);
            }
            (Language::Flat(network), diagnostics)
        } else {
            let (tree, mut diagnostics) = read_model(name, bytes);
            let mut lowered = None;
            if !diagnostics
                .iter()
                .any(|message| message.is_error() && !in_query(&tree, message))
            {
                let (mut result, more) = lower_lasting(&tree, &sources, externals);
                for query in result.iter_mut().flat_map(|lowered| &mut lowered.queries) {
                    explained_by(query.span, &mut query.diagnostics, &diagnostics);
                }
                lowered = result.map(Box::new);
                diagnostics.extend(more);
            }
            (Language::Uppaal(Box::new(tree), lowered), diagnostics)
        };
        // The first few numbers are those that the readers give by themselves.
        Model {
            sources,
            diagnostics,
            language,
            next_file: 16,
        }
    }

    /// Whether something is so wrong that the model cannot be used.
    pub fn has_errors(&self) -> bool {
        self.network().is_none() && self.system().is_none()
    }

    /// The finite system, if the model is one in SMV's language and could be read.
    pub fn system(&self) -> Option<&Arc<System>> {
        match &self.language {
            Language::Smv(smv) => smv.system.as_ref(),
            _ => None,
        }
    }

    /// Whether the model is written in SMV's language.
    pub fn is_smv(&self) -> bool {
        matches!(self.language, Language::Smv(_))
    }

    /// The network, if the model could be read.
    pub fn network(&self) -> Option<&Network> {
        match &self.language {
            Language::Uppaal(_, lowered) => lowered.as_ref().map(|lowered| &lowered.network),
            Language::Flat(network) => network.as_deref(),
            Language::Smv(_) => None,
        }
    }

    /// What names and declarations stand for, where the language is one of UPPAAL's and the model could be read.
    pub fn lowered(&self) -> Option<&Lowered> {
        match &self.language {
            Language::Uppaal(_, lowered) => lowered.as_deref(),
            Language::Flat(_) | Language::Smv(_) => None,
        }
    }

    /// What was written, where the language is one of UPPAAL's.
    pub fn tree(&self) -> Option<&merkhet_syntax::tree::Model> {
        match &self.language {
            Language::Uppaal(tree, _) => Some(tree),
            Language::Flat(_) | Language::Smv(_) => None,
        }
    }

    /// Warnings about what looks like a mistake, each with a name.
    pub fn lint(&self) -> Vec<Diagnostic> {
        match &self.language {
            Language::Uppaal(tree, Some(lowered)) => merkhet_lower::lint::lint(tree, lowered),
            Language::Smv(smv) => match &smv.system {
                Some(system) => smv_lint::lint(system, smv.queries.len()),
                None => Vec::new(),
            },
            _ => Vec::new(),
        }
    }

    /// The queries that come with the model; of a flat model, to visit everything.
    pub fn queries(&self) -> Vec<ModelQuery> {
        match &self.language {
            Language::Uppaal(_, lowered) => lowered.as_ref().map_or(Vec::new(), |lowered| {
                let queries = lowered.queries.iter().cloned();
                queries.map(ModelQuery::from).collect()
            }),
            Language::Smv(smv) => smv.queries.clone(),
            Language::Flat(_) => {
                let query = explore_query();
                let span = Span::new(FileId::MODEL, 0, 0);
                vec![entry(query.text.clone(), None, 1, span, Ok(query))]
            }
        }
    }

    /// Takes in a text that is no query, for messages to point into.
    pub(crate) fn note(&mut self, text: &str) -> FileId {
        let file = FileId(self.next_file);
        self.next_file += 1;
        self.sources.insert(file, "option", text.as_bytes());
        file
    }

    /// Lowers a query given as text.
    pub fn query(&mut self, text: &str) -> ModelQuery {
        let file = FileId(self.next_file);
        // A formula of SMV that is typed is one, however many lines it takes; in a file each line is one.
        let text = &match &self.language {
            Language::Smv(_) => text.replace(['\n', '\r'], " "),
            _ => text.to_owned(),
        };
        let (mut queries, diagnostics) = self.query_file("query", text.as_bytes());
        if queries.len() == 1 {
            let mut only = queries.remove(0);
            only.diagnostics.extend(diagnostics);
            return only;
        }
        let span = Span::new(file, 0, text.len() as u32);
        let message = if queries.is_empty() {
            "there is no query here"
        } else {
            "one query was expected"
        };
        let mut messages = diagnostics;
        messages.push(Diagnostic::error("one-query", message, span));
        entry(text.to_string(), None, 1, span, Err(messages))
    }

    /// Lowers the queries of a file; messages that belong to no query come second.
    pub fn query_file(&mut self, name: &str, bytes: &[u8]) -> (Vec<ModelQuery>, Vec<Diagnostic>) {
        let file = FileId(self.next_file);
        self.next_file += 1;
        self.sources.insert(file, name, bytes);
        match &mut self.language {
            Language::Smv(smv) => {
                let text = String::from_utf8_lossy(bytes);
                (smv.query_file(file, &text), Vec::new())
            }
            Language::Flat(network) => {
                let text = String::from_utf8_lossy(bytes);
                let queries = network
                    .as_deref()
                    .map_or(Vec::new(), |network| flat_queries(network, file, &text));
                (queries, Vec::new())
            }
            Language::Uppaal(_, lowered) => {
                let (queries, diagnostics) = read_queries_as(file, bytes);
                let Some(lowered) = lowered else {
                    return (Vec::new(), diagnostics);
                };
                let (mut entries, mut rest) = (Vec::new(), diagnostics);
                for (index, query) in queries.iter().enumerate() {
                    let result = lower_query(lowered, query, &self.sources);
                    let mut one = entry(
                        query.text.clone(),
                        query.comment.clone(),
                        index as u32 + 1,
                        query.span,
                        result,
                    );
                    let (own, others): (Vec<_>, _) = rest
                        .into_iter()
                        .partition(|message| inside(query.span, message.span));
                    explained_by(one.span, &mut one.diagnostics, &own);
                    one.diagnostics.extend(own);
                    rest = others;
                    entries.push(one);
                }
                (entries, rest)
            }
        }
    }
}

/// The queries of a flat model, one a line; `//` and `#` begin comments.
fn flat_queries(network: &Network, file: FileId, text: &str) -> Vec<ModelQuery> {
    let mut queries = Vec::new();
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let (begin, length) = (start, line.len());
        start += length;
        let code = line.split("//").next().unwrap_or_default();
        let code = code.split('#').next().unwrap_or_default();
        let formula = code.trim();
        if formula.is_empty() {
            continue;
        }
        let offset = (begin + code.len() - code.trim_start().len()) as u32;
        let span = Span::new(file, offset, offset + formula.len() as u32);
        let number = queries.len() as u32 + 1;
        if formula == "explore" {
            let query = Ok(explore_query());
            queries.push(entry(formula.into(), None, number, span, query));
            continue;
        }
        let (query, mut messages) = lower_label_query(network, formula);
        for message in &mut messages {
            let place = message.span;
            message.span = Span::new(file, place.start + offset, place.end + offset);
        }
        let result = query.ok_or(messages);
        queries.push(entry(formula.into(), None, number, span, result));
    }
    queries
}

/// Drops the message that a query cannot be read where another one says why.
fn explained_by(span: Span, own: &mut Vec<Diagnostic>, messages: &[Diagnostic]) {
    if (messages.iter()).any(|message| message.is_error() && inside(span, message.span)) {
        own.retain(|one| one.code != "broken-query");
    }
}

fn inside(outer: Span, inner: Span) -> bool {
    outer.file == inner.file && outer.start <= inner.start && inner.end <= outer.end
}

/// Lowers a model; `meta` variables whose values outlast a transition, or that a query of the model reads, become part of the
/// state, since states that differ in them are not the same.
fn lower_lasting(
    tree: &merkhet_syntax::tree::Model,
    sources: &SourceMap,
    externals: &[External],
) -> (Option<Lowered>, Vec<Diagnostic>) {
    let (lowered, diagnostics) = lower_model_with(tree, sources, externals, &[]);
    let Some(first) = &lowered else {
        return (lowered, diagnostics);
    };
    let queries = first
        .queries
        .iter()
        .filter_map(|query| query.query.as_ref());
    let mut lasting = lasting_meta(&first.network);
    lasting.extend(queries.flat_map(|query| reads_meta(&first.network, query)));
    lasting.sort_unstable();
    lasting.dedup();
    if lasting.is_empty() {
        return (lowered, diagnostics);
    }
    let mut spans: Vec<Span> = Vec::new();
    let mut notes = Vec::new();
    for id in lasting {
        let span = first.tables.variable_spans[id.index()];
        if !spans.contains(&span) {
            spans.push(span);
            let name = &first.network.variables[id.index()].name;
            let message = format!(
                "`{name}` is `meta`, but its value is read after the transition that wrote it: it is kept as part of the state"
            );
            notes.push(Diagnostic::warning("lasting-meta", message, span));
        }
    }
    let (lowered, mut diagnostics) = lower_model_with(tree, sources, externals, &spans);
    diagnostics.extend(notes);
    (lowered, diagnostics)
}

/// A fault in a query is no fault of the model: the other queries can still be asked.
fn in_query(tree: &merkhet_syntax::tree::Model, message: &Diagnostic) -> bool {
    tree.queries
        .iter()
        .any(|query| inside(query.span, message.span))
}

fn entry(
    text: String,
    comment: Option<String>,
    number: u32,
    span: Span,
    result: Result<Query, Vec<Diagnostic>>,
) -> ModelQuery {
    let (query, diagnostics) = match result {
        Ok(query) => (Some(query), Vec::new()),
        Err(diagnostics) => (None, diagnostics),
    };
    ModelQuery {
        query,
        comment,
        ..ModelQuery::broken(text, number, span, diagnostics)
    }
}
