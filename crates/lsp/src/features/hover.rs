//! What is shown about the word under the pointer.

use crate::document::Document;
use crate::facts::Facts;
use crate::index::{Definition, Index, Kind, Reference};
use crate::words::meaning;
use merkhet_syntax::{FileId, Span};

/// Something to show, in Markdown.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Hover {
    /// What it is about.
    pub span: Span,
    /// The text.
    pub markdown: String,
}

/// What there is to say at an offset of a document. `place` is what is named there, `model` the index that it is of.
pub fn hover(
    document: &Document,
    offset: u32,
    place: Option<Reference>,
    model: &Index,
    facts: Option<&Facts>,
) -> Option<Hover> {
    if let Some(place) = place
        && let Some(definition) = model.definition(place.definition)
    {
        let markdown = about(definition, model, facts);
        return Some(Hover {
            span: place.span,
            markdown,
        });
    }
    let (span, word) = word_at(document, offset)?;
    let meaning = meaning(document.language, word)?;
    Some(Hover {
        span,
        markdown: format!("`{word}`\n\n{meaning}"),
    })
}

fn about(definition: &Definition, model: &Index, facts: Option<&Facts>) -> String {
    let mut head = match definition.kind {
        Kind::Template
        | Kind::Instance
        | Kind::Function
        | Kind::Definition
        | Kind::Module
        | Kind::Lattice => definition.detail.clone(),
        _ => format!("{}: {}", definition.name, definition.detail),
    };
    head = merkhet_syntax::unescape(&head);
    let owner = definition.owner.and_then(|id| model.definition(id));
    let of = owner.map_or(String::new(), |owner| {
        format!(" of {} `{}`", owner.kind.name(), owner.name)
    });
    let mut text = format!("```xta\n{head}\n```\n{}{of}", definition.kind.name());
    if let Some(facts) = facts {
        if let Some(value) = facts.values.get(&definition.span.start) {
            text.push_str(&format!("\n\n{value}"));
        }
        if definition.kind == Kind::Template
            && let Some(processes) = facts.processes.get(&definition.name)
        {
            text.push_str(&format!("\n\n{}", listed(processes)));
        }
    }
    if !definition.remark.is_empty() {
        text.push_str(&format!("\n\n{}", definition.remark));
    }
    if definition.kind == Kind::Lattice
        && let Some(library) = library(&definition.name)
    {
        text.push_str(&format!("\n\n```xta\n{library}\n```"));
    }
    text
}

/// The names of processes, not too many.
pub fn listed(processes: &[String]) -> String {
    const MOST: usize = 6;
    let shown = processes.get(..MOST.min(processes.len())).unwrap_or(&[]);
    let more = if processes.len() > MOST { ", …" } else { "" };
    let number = processes.len();
    let noun = if number == 1 { "process" } else { "processes" };
    format!("{number} {noun}: {}{more}", shown.join(", "))
}

/// The declaration of a lattice of the library, with the comment above it.
fn library(name: &str) -> Option<String> {
    let text = merkhet::lower::lattice::library::TEXT;
    let all = merkhet::lower::lattice::library::library();
    let lattice = all.iter().find(|one| one.name.text == name)?;
    let span = lattice.span;
    let before = text.get(..span.start as usize)?;
    let comments = before.rsplit("\n\n").next().unwrap_or("");
    let body = text.get(span.start as usize..span.end as usize)?;
    Some(format!("{}{body}", comments.trim_start()))
}

/// The word at an offset: letters, or the sign of a query such as `A[]`.
fn word_at(document: &Document, offset: u32) -> Option<(Span, &str)> {
    let text = document.text.as_str();
    let offset = (offset as usize).min(text.len());
    let inner = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let before = text.get(..offset)?;
    let start = before.rfind(|c: char| !inner(c)).map_or(0, |at| {
        at + before
            .get(at..)
            .and_then(|rest| rest.chars().next())
            .map_or(1, char::len_utf8)
    });
    let after = text.get(offset..)?;
    let end = offset + after.find(|c: char| !inner(c)).unwrap_or(after.len());
    let signs = text.get(end..).unwrap_or("");
    let word = text.get(start..end)?;
    let sign = matches!(word, "A" | "E") && ["[]", "<>"].iter().any(|sign| signs.starts_with(sign));
    let end = if sign { end + 2 } else { end };
    let word = text.get(start..end)?;
    (!word.is_empty()).then(|| (Span::new(FileId::MODEL, start as u32, end as u32), word))
}
