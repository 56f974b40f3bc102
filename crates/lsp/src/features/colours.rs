//! What each word of a text is, for colours: names by what they mean, the rest by its letters.

use crate::document::Document;
use crate::index::{Index, Kind, Reference};
use crate::language::Language;
use merkhet_syntax::section::{LabelKind, SectionKind};
use merkhet_syntax::{Lexeme, LexemeKind, lexemes, read_model};

/// What a word is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Colour {
    /// A name.
    Name(Kind),
    /// A word of the language.
    Keyword,
    /// A number.
    Number,
    /// A string.
    Text,
    /// A comment.
    Comment,
}

/// A coloured piece of a text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Coloured {
    /// Its first byte.
    pub start: u32,
    /// The byte after its last.
    pub end: u32,
    /// What it is.
    pub colour: Colour,
    /// Whether it is declared here.
    pub declares: bool,
}

/// The pieces of a document, in the order of the text, without overlap. `references` are its places of names of `model`.
pub fn colours(document: &Document, references: &[Reference], model: &Index) -> Vec<Coloured> {
    let text = document.text.as_str();
    let mut found: Vec<Coloured> = Vec::new();
    for place in references.iter().filter(|place| place.by_name) {
        if let Some(definition) = model.definition(place.definition) {
            found.push(Coloured {
                start: place.span.start,
                end: place.span.end,
                colour: Colour::Name(definition.kind),
                declares: place.declares,
            });
        }
    }
    match document.language {
        Language::Xml => xml(text, &mut found),
        Language::Smv => words(&merkhet_smv::lexemes(text), text, 0, &mut found),
        Language::Tck => flat(text, &mut found),
        _ => words(&lexemes(text), text, 0, &mut found),
    }
    // Names come first, so that they win over what their letters look like.
    found.sort_by_key(|one| (one.start, !matches!(one.colour, Colour::Name(_)), one.end));
    let mut end = 0;
    found.retain(|one| {
        let free = one.start >= end && one.end > one.start;
        if free {
            end = one.end;
        }
        free
    });
    found
}

/// Words that mean something in their places only.
const CLAUSES: &[&str] = &[
    "process",
    "state",
    "init",
    "trans",
    "commit",
    "guard",
    "sync",
    "assign",
    "select",
    "branchpoint",
    "probability",
    "query",
    "before_update",
    "after_update",
    "progress",
    "priority",
    "default",
    "lattice",
    "extern",
    "import",
    "deadlock",
    "sup",
    "inf",
    "bounds",
    "sum",
    "hybrid",
    "assert",
    "break",
    "continue",
    "xor",
];

fn words(lexemes: &[Lexeme], text: &str, base: u32, found: &mut Vec<Coloured>) {
    for lexeme in lexemes {
        let colour = match lexeme.kind {
            LexemeKind::Keyword => Colour::Keyword,
            LexemeKind::Name if CLAUSES.contains(&lexeme.text(text)) => Colour::Keyword,
            LexemeKind::Number => Colour::Number,
            LexemeKind::String => Colour::Text,
            LexemeKind::LineComment | LexemeKind::BlockComment => Colour::Comment,
            LexemeKind::Name | LexemeKind::Punctuation | LexemeKind::Stray => continue,
        };
        found.push(Coloured {
            start: base + lexeme.start,
            end: base + lexeme.end,
            colour,
            declares: false,
        });
    }
}

/// The text of labels and declarations; tags are for the colours of XML.
fn xml(text: &str, found: &mut Vec<Coloured>) {
    let (model, _) = read_model("xml", text.as_bytes());
    for section in model.sections.iter() {
        let code = match section.kind {
            SectionKind::Declarations
            | SectionKind::Parameters
            | SectionKind::System
            | SectionKind::Instantiation => true,
            SectionKind::Label(kind) => !matches!(kind, LabelKind::Comment | LabelKind::Other),
            SectionKind::Query(_) => section.step.as_deref() == Some("formula"),
            _ => false,
        };
        if !code {
            continue;
        }
        let (start, end) = (section.span.start as usize, section.span.end as usize);
        let element = text.get(start..end).unwrap_or("");
        let Some(open) = element.find('>').map(|at| at + 1) else {
            continue;
        };
        let close = element.rfind("</").unwrap_or(element.len());
        let content = element.get(open..close).unwrap_or("");
        // `&lt;` is no name.
        let plain = masked(content);
        words(&lexemes(&plain), &plain, (start + open) as u32, found);
    }
}

/// A text with blanks in the place of its entities and marks.
fn masked(text: &str) -> String {
    let mut plain = text.replace("<![CDATA[", "         ").replace("]]>", "   ");
    let mut at = 0;
    while let Some(start) = plain.get(at..).and_then(|rest| rest.find('&')) {
        let start = at + start;
        let rest = plain.get(start..).unwrap_or("");
        let length = rest
            .find(';')
            .filter(|&length| length < 12)
            .map_or(1, |length| length + 1);
        let entity = rest.get(..length).unwrap_or("&");
        // A line break that is written as an entity ends a comment as the character does.
        let blank = match entity {
            "&#10;" | "&#xA;" | "&#xa;" => format!("\n{}", " ".repeat(length - 1)),
            _ => " ".repeat(entity.len()),
        };
        let end = start + entity.len();
        plain.replace_range(start..end, &blank);
        at = end;
    }
    plain
}

/// The first words of lines, attributes, numbers and comments.
fn flat(text: &str, found: &mut Vec<Coloured>) {
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let code = line.split('#').next().unwrap_or("");
        let mut push = |from: usize, length: usize, colour| {
            found.push(Coloured {
                start: (start + from) as u32,
                end: (start + from + length) as u32,
                colour,
                declares: false,
            });
        };
        if code.len() < line.len() {
            push(
                code.len(),
                line.trim_end().len().saturating_sub(code.len()),
                Colour::Comment,
            );
        }
        let inner = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let mut at = 0;
        while let Some(skip) = code.get(at..).and_then(|rest| rest.find(inner)) {
            let begin = at + skip;
            let rest = code.get(begin..).unwrap_or("");
            let length = rest.find(|c| !inner(c)).unwrap_or(rest.len());
            let word = rest.get(..length).unwrap_or("");
            let ends = rest
                .get(length..)
                .is_some_and(|rest| rest.trim_start().starts_with(':'));
            if word.starts_with(|c: char| c.is_ascii_digit()) {
                push(begin, length, Colour::Number);
            } else if ends && crate::words::meaning(Language::Tck, word).is_some() {
                push(begin, length, Colour::Keyword);
            }
            at = begin + length;
        }
        start += line.len();
    }
}
