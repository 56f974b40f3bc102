//! Models from one language into another: UPPAAL's XML and XTA, and TChecker's flat language.
//!
//! Between XML and XTA the author's text is carried over (`document`): names, comments inside declarations, templates
//! and parameters stay, and so does the layout, which XTA cannot hold. To and from the flat language it is the
//! instantiated network that is written (`flat`, `unflat`). What the target cannot say is an error, never left out;
//! only queries stay behind, with a warning: all of them in the flat language, which has none, and in XTA those that it
//! has no place for, as comments.

mod document;
mod extract;
mod flat;
mod flat_expression;
mod layout;
mod unflat;
mod write_xml;
mod write_xta;
mod xta_queries;

use std::fmt;

use merkhet_syntax::tree::{Format, Query, QueryKind};

use crate::load::Model;

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

/// Writes a model in another form. `name` is what the model is to be called where the form asks for a name.
pub fn convert(model: &Model, name: &str, form: Form) -> Result<Converted, NotConvertible> {
    let network = || {
        let missing = NotConvertible("the model has errors".into());
        model.network().ok_or(missing)
    };
    if form == Form::Tck {
        let text = flat::render(network()?, name)?;
        // Those without a formula are headings or left over.
        let asked = |query: &&Query| query.kind != QueryKind::Empty;
        let queries = model
            .tree()
            .map_or(0, |tree| tree.queries.iter().filter(asked).count());
        let left_out = format!(
            "TChecker's language has no queries: {queries} of the model stay behind; ask for labels there"
        );
        let warnings = if queries > 0 {
            vec![left_out]
        } else {
            Vec::new()
        };
        return Ok(Converted { text, warnings });
    }
    let mut warnings = Vec::new();
    let textual;
    let source = match model.tree() {
        Some(tree) if tree.format != Format::Ta => model,
        // The flat language and the old syntax of UPPAAL go by way of the network.
        tree => {
            let flat = tree.is_none();
            let mut text = unflat::render(network()?, flat)?;
            // Queries of old models speak the same language.
            let queries = tree.map_or(&[][..], |tree| &tree.queries);
            let queries = queries.iter().map(|query| {
                let comment = query.comment.as_deref().unwrap_or_default();
                (query.text.as_str(), comment)
            });
            text += &xta_queries::render(queries, &mut warnings);
            textual = Model::read("model.xta", text.as_bytes());
            if textual.has_errors() {
                let message = "internal error: the text that was written cannot be read back";
                return Err(NotConvertible(message.into()));
            }
            &textual
        }
    };
    let mut document = extract::document(source)?;
    let text = match form {
        Form::Xta => write_xta::render(&mut document, &mut warnings),
        _ => write_xml::render(&mut document),
    };
    Ok(Converted { text, warnings })
}
