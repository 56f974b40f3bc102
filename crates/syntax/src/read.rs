//! The ways in: bytes or text to trees.

use crate::diagnostic::diagnostics::Diagnostics;
use crate::parser::{Dialect, Parser};
use crate::source::decode::decode;
use crate::source::text::Text;
use crate::tree::{Format, Model, Query, System};
use crate::{Diagnostic, FileId, MAX_FILE_SIZE, Sections, Span, query_file, xml};
use std::borrow::Cow;

const BYTE_ORDER_MARK: char = '\u{FEFF}';

/// Reads a model; `name_hint` is the file's name or extension, used where the text itself does not tell its format.
///
/// Spans get [`FileId::MODEL`].
pub fn read_model(name_hint: &str, bytes: &[u8]) -> (Model, Vec<Diagnostic>) {
    read_model_as(FileId::MODEL, name_hint, bytes)
}

/// As [`read_model`], with a file id of the caller's choice.
pub fn read_model_as(file: FileId, name_hint: &str, bytes: &[u8]) -> (Model, Vec<Diagnostic>) {
    let mut diagnostics = Diagnostics::default();
    let mut model = Model {
        format: Format::Xml,
        declarations: Vec::new(),
        templates: Vec::new(),
        system: System::default(),
        queries: Vec::new(),
        query_blocks: Vec::new(),
        sections: Sections::default(),
    };
    if let Some(text) = text_of(file, bytes, &mut diagnostics) {
        let body = text.strip_prefix(BYTE_ORDER_MARK).unwrap_or(&text);
        let base = text.len() - body.len();
        model.format = format_of(name_hint, body);
        if model.format == Format::Xml {
            xml::read(file, body, base, &mut model, &mut diagnostics);
        } else {
            let dialect = if model.format == Format::Ta {
                Dialect::Old
            } else {
                Dialect::New
            };
            let mut parser = Parser::new(
                Text::plain(file, body, base as u32),
                dialect,
                &mut diagnostics,
            );
            parser.file(&mut model);
            model.sections = std::mem::take(&mut parser.sections);
        }
    }
    let mut list = diagnostics.into_list();
    for diagnostic in &mut list {
        diagnostic.context = model.sections.context(diagnostic.span);
    }
    (model, list)
}

/// Reads a `.q` file. Spans get [`FileId::QUERIES`].
pub fn read_queries(bytes: &[u8]) -> (Vec<Query>, Vec<Diagnostic>) {
    read_queries_as(FileId::QUERIES, bytes)
}

/// As [`read_queries`], with a file id of the caller's choice.
pub fn read_queries_as(file: FileId, bytes: &[u8]) -> (Vec<Query>, Vec<Diagnostic>) {
    let mut diagnostics = Diagnostics::default();
    let mut queries = Vec::new();
    if let Some(text) = text_of(file, bytes, &mut diagnostics) {
        let body = text.strip_prefix(BYTE_ORDER_MARK).unwrap_or(&text);
        queries = query_file::read(file, body, text.len() - body.len(), &mut diagnostics);
    }
    (queries, diagnostics.into_list())
}

/// Reads a single query. Spans get [`FileId::TYPED`].
pub fn read_query(text: &str) -> (Query, Vec<Diagnostic>) {
    let mut diagnostics = Diagnostics::default();
    let text = if fits(FileId::TYPED, text.len(), &mut diagnostics) {
        text
    } else {
        ""
    };
    let query = query_file::query(FileId::TYPED, text, 0, &[], &mut diagnostics);
    (query, diagnostics.into_list())
}

/// The text of a file, unless it is too large or not text.
pub fn text_of<'a>(
    file: FileId,
    bytes: &'a [u8],
    diagnostics: &mut Diagnostics,
) -> Option<Cow<'a, str>> {
    if !fits(file, bytes.len(), diagnostics) {
        return None;
    }
    match decode(bytes) {
        Ok(text) => Some(text),
        Err(error) => {
            let start = error.offset as u32;
            let message = "this is not text in UTF-8";
            let diagnostic =
                Diagnostic::error("not-text", message, Span::new(file, start, start + 1));
            diagnostics.push(diagnostic.with_hint("save the file in UTF-8"));
            None
        }
    }
}

fn fits(file: FileId, length: usize, diagnostics: &mut Diagnostics) -> bool {
    if length > MAX_FILE_SIZE {
        let message = format!("the file is larger than {} MB", MAX_FILE_SIZE >> 20);
        diagnostics.push(Diagnostic::error(
            "file-too-large",
            message,
            Span::new(file, 0, 0),
        ));
    }
    length <= MAX_FILE_SIZE
}

/// The format of a model: XML starts with `<` or is called so; among the textual ones the old language is told by
/// the extension.
fn format_of(name_hint: &str, text: &str) -> Format {
    let extension = name_hint
        .rsplit('.')
        .next()
        .unwrap_or("")
        .to_ascii_lowercase();
    let first = text.trim_start().chars().next();
    match first {
        Some('<') => Format::Xml,
        _ if extension == "xml" => Format::Xml,
        _ if extension == "ta" => Format::Ta,
        _ => Format::Xta,
    }
}
