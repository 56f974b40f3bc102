//! What is known of a model beyond its names: messages, values of constants, ranges, processes. It takes a whole reading of
//! the model, so a server makes it on another thread.

use crate::language::Language;
use merkhet::lower::Symbol;
use merkhet::network::Shape;
use merkhet::{Model, ModelQuery};
use merkhet_syntax::{Diagnostic, FileId, Span};
use std::collections::{BTreeMap, HashMap};

/// A query of a text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Asked {
    /// The formula.
    pub text: String,
    /// Where it stands.
    pub span: Span,
    /// Its number in the file, counted from 1.
    pub number: u32,
    /// Whether it can be checked.
    pub usable: bool,
}

/// What is known of a model.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Facts {
    /// Errors, warnings and lints of the model's text, without those of its queries' file.
    pub messages: Vec<Diagnostic>,
    /// The queries in the model's text.
    pub queries: Vec<Asked>,
    /// Of the name of a declaration that begins at an offset: values and ranges, as in `= 5`.
    pub values: HashMap<u32, String>,
    /// Of a template's name: the names of its processes.
    pub processes: BTreeMap<String, Vec<String>>,
}

/// What is known of a file of queries.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct QueryFacts {
    /// Errors and warnings.
    pub messages: Vec<Diagnostic>,
    /// The queries.
    pub queries: Vec<Asked>,
}

/// More values than these are not listed.
const LISTED: usize = 8;

/// Reads a model and, where there is one, the file with its queries.
pub fn facts(language: Language, text: &str, queries: Option<&str>) -> (Facts, Option<QueryFacts>) {
    let name = format!("model.{}", language.extension());
    let mut model = Model::read(&name, text.as_bytes());
    let mut facts = Facts {
        messages: std::mem::take(&mut model.diagnostics),
        ..Facts::default()
    };
    // A flat model's only query is that everything be explored; it stands nowhere.
    if language != Language::Tck {
        for query in model.queries() {
            facts.queries.push(asked(&query));
            facts.messages.extend(query.diagnostics);
        }
    }
    facts.messages.extend(model.lint());
    tidy(&mut facts.messages);
    facts.messages.retain(|one| one.span.file == FileId::MODEL);
    values(&model, &mut facts);
    let asked = queries.map(|text| query_facts(&mut model, text));
    (facts, asked)
}

fn query_facts(model: &mut Model, text: &str) -> QueryFacts {
    let (queries, mut messages) = model.query_file("queries.q", text.as_bytes());
    let mut facts = QueryFacts::default();
    for query in queries {
        facts.queries.push(asked(&query));
        messages.extend(query.diagnostics);
    }
    facts.messages = messages;
    tidy(&mut facts.messages);
    facts
}

fn asked(query: &ModelQuery) -> Asked {
    Asked {
        text: query.text.clone(),
        span: query.span,
        number: query.number,
        usable: query.query.is_some() || query.specification.is_some(),
    }
}

fn tidy(messages: &mut Vec<Diagnostic>) {
    messages.sort_by_key(|one| (one.span.file, one.span.start, one.span.end));
    messages.dedup();
}

/// What the declarations stand for once the model is instantiated.
fn values(model: &Model, facts: &mut Facts) {
    let Some(network) = model.network() else {
        return;
    };
    for process in &network.processes {
        let names = facts.processes.entry(process.template.clone()).or_default();
        names.push(process.name.clone());
    }
    let Some(lowered) = model.lowered() else {
        return;
    };
    let mut found: BTreeMap<u32, Vec<String>> = BTreeMap::new();
    let mut note = |span: Span, text: String| {
        if span.file == FileId::MODEL {
            let texts = found.entry(span.start).or_default();
            if !texts.contains(&text) && texts.len() <= LISTED {
                texts.push(text);
            }
        }
    };
    let declared = (lowered.tables.scopes.iter()).flat_map(|scope| scope.names.values());
    for one in declared {
        if let (Symbol::Constant(value, _), Some(span)) = (&one.symbol, one.span) {
            note(span, format!("= {value}"));
        }
    }
    for constant in &lowered.tables.constants {
        let shown: Vec<String> = (constant.values.iter().take(LISTED + 1))
            .map(i32::to_string)
            .collect();
        let text = match shown.as_slice() {
            [only] => format!("= {only}"),
            many if many.len() > LISTED => format!("= {{ {}, … }}", many[..LISTED].join(", ")),
            many => format!("= {{ {} }}", many.join(", ")),
        };
        note(constant.span, text);
    }
    for (variable, span) in network.variables.iter().zip(&lowered.tables.variable_spans) {
        if let Some((low, high)) = range(&variable.shape) {
            note(*span, format!("from {low} to {high}"));
        }
    }
    for (span, texts) in found {
        let more = if texts.len() > LISTED { ", …" } else { "" };
        let text = texts[..texts.len().min(LISTED)].join(", or ") + more;
        facts.values.insert(span, text);
    }
}

/// The values of a cell, or of each element of an array.
fn range(shape: &Shape) -> Option<(i32, i32)> {
    match shape {
        Shape::Int { low, high } => Some((*low, *high)),
        Shape::Array { element, .. } => range(element),
        _ => None,
    }
}
