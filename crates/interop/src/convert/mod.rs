//! Models from one language into another: UPPAAL's XML and XTA, and TChecker's flat language.
//!
//! Between XML and XTA the author's text is carried over (`document`): names, comments inside declarations, templates
//! and parameters stay, and so does the layout, which XTA cannot hold. To and from the flat language it is the
//! instantiated network that is written (`flat`, `unflat`). What the target cannot say is an error, never left out;
//! only queries stay behind, with a warning: all of them in the flat language, which has none, and in XTA those that it
//! has no place for, as comments.

pub(crate) mod document;
mod extract;
mod flat;
mod flat_expression;
pub(crate) mod layout;
mod unflat;
mod write_xml;
mod write_xta;
mod xta_queries;

use std::fmt;

use merkhet_lower::lower_model;
use merkhet_network::Network;
use merkhet_syntax::tree::{Format, Model, Query, QueryKind};
use merkhet_syntax::{Diagnostic, FileId, SourceMap, read_model};

use document::Document;

/// A language that models can be written in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Form {
    /// UPPAAL's XML.
    Xml,
    /// UPPAAL's textual language.
    Xta,
    /// TChecker's language.
    Tck,
}

/// A model in another form.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Converted {
    /// What is to be written to the file.
    pub text: String,
    /// What the author should know about it: sentences.
    pub warnings: Vec<String>,
}

/// Why a model has no such form: a sentence.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NotConvertible(pub String);

impl fmt::Display for NotConvertible {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for NotConvertible {}

/// A model that was read without errors: what the converters look at.
#[derive(Clone, Copy)]
pub struct Original<'m> {
    /// What was written, where the language is one of UPPAAL's.
    pub tree: Option<&'m Model>,
    /// The texts that the tree points into.
    pub sources: &'m SourceMap,
    /// The instantiated network.
    pub network: &'m Network,
}

/// Writes a model in another form. `name` is what the model is to be called where the form asks for a name.
pub fn convert(original: Original, name: &str, form: Form) -> Result<Converted, NotConvertible> {
    if form == Form::Tck {
        return to_flat(original, name);
    }
    let mut warnings = Vec::new();
    let mut document = as_document(original, &mut warnings)?;
    let text = match form {
        Form::Xta => write_xta::render(&mut document, &mut warnings),
        _ => write_xml::render(&mut document),
    };
    Ok(Converted { text, warnings })
}

/// The pieces of a model, as its author wrote them where the language permits that.
pub(crate) fn as_document(
    original: Original,
    warnings: &mut Vec<String>,
) -> Result<Document, NotConvertible> {
    match original.tree {
        Some(tree) if tree.format != Format::Ta => extract::document(tree, original.sources),
        _ => by_way_of_the_network(original, warnings),
    }
}

fn to_flat(original: Original, name: &str) -> Result<Converted, NotConvertible> {
    let text = flat::render(original.network, name)?;
    // Those without a formula are headings or left over.
    let asked = |query: &&Query| query.kind != QueryKind::Empty;
    let queries = original
        .tree
        .map_or(0, |tree| tree.queries.iter().filter(asked).count());
    let mut warnings = Vec::new();
    if queries > 0 {
        warnings.push(format!(
            "TChecker's language has no queries: {queries} of the model stay behind; ask for labels there"
        ));
    }
    Ok(Converted { text, warnings })
}

/// The flat language and the old syntax of UPPAAL: the network is printed as XTA, and that text is taken apart.
fn by_way_of_the_network(
    original: Original,
    warnings: &mut Vec<String>,
) -> Result<Document, NotConvertible> {
    let mut text = unflat::render(original.network, original.tree.is_none())?;
    // Queries of old models speak the same language.
    let queries = original.tree.map_or(&[][..], |tree| &tree.queries);
    let queries = queries.iter().map(|query| {
        let comment = query.comment.as_deref().unwrap_or_default();
        (query.text.as_str(), comment)
    });
    text += &xta_queries::render(queries, warnings);
    let name = "model.xta";
    let mut sources = SourceMap::new();
    sources.insert(FileId::MODEL, name, text.as_bytes());
    let (tree, diagnostics) = read_model(name, text.as_bytes());
    // A query that is not understood is none the worse for being written as it was.
    let in_query = |message: &Diagnostic| {
        let queries = &tree.queries;
        queries
            .iter()
            .any(|query| query.span.contains(message.span))
    };
    let broken = |message: &Diagnostic| message.is_error() && !in_query(message);
    if diagnostics.iter().any(broken) || lower_model(&tree, &sources).0.is_none() {
        let message = "internal error: the text that was written cannot be read back";
        return Err(NotConvertible(message.into()));
    }
    extract::document(&tree, &sources)
}
