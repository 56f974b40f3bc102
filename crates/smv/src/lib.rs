//! SMV text: modules, variables, assignments, constraints and specifications.
//!
//! [`read_smv`] always returns a tree, together with what was wrong on the way; a broken line is
//! left out and reading resumes at the next line or section. The language is that of NuSMV 2.5,
//! old style included: `process`, `ISA`, names with `-`, `SPEC` without semicolon.

#![forbid(unsafe_code)]

mod expression;
mod formula;
mod lexeme;
mod lexer;
mod parser;
mod print;
mod section;
#[cfg(test)]
mod tests;
mod token;
pub mod tree;

pub use lexeme::{KEYWORDS, lexemes};
use merkhet_syntax::{Diagnostic, FileId, MAX_FILE_SIZE, Span};
use parser::Parser;
use tree::{Program, Specification, SpecificationKind};

/// After this many messages a broken text is given up.
pub(crate) const MAX_DIAGNOSTICS: usize = 100;

/// Reads a model. Spans get [`FileId::MODEL`].
pub fn read_smv(text: &str) -> (Program, Vec<Diagnostic>) {
    if let Some(diagnostic) = no_text(text) {
        return (Program::default(), vec![diagnostic]);
    }
    match Parser::new(FileId::MODEL, text) {
        Ok(parser) => {
            let (mut program, diagnostics) = parser.program();
            let breaks = text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n');
            let starts = breaks.map(|(at, _)| at as u32 + 1);
            program.lines = std::iter::once(0).chain(starts).collect();
            (program, diagnostics)
        }
        Err(diagnostic) => (Program::default(), vec![*diagnostic]),
    }
}

/// Reads one formula typed by the user, with an optional `IN instance`. Spans get
/// [`FileId::TYPED`].
pub fn read_specification(
    kind: SpecificationKind,
    text: &str,
) -> Result<Specification, Vec<Diagnostic>> {
    match Parser::new(FileId::TYPED, text) {
        Ok(parser) => parser.single_specification(kind),
        Err(diagnostic) => Err(vec![*diagnostic]),
    }
}

/// One message about a file that is no text, instead of one for each of its characters.
fn no_text(text: &str) -> Option<Diagnostic> {
    const LOOKED_AT: usize = 1000;
    let odd =
        |c: &char| (c.is_control() && !c.is_whitespace()) || *c == char::REPLACEMENT_CHARACTER;
    let seen = text.chars().take(LOOKED_AT).count();
    let strange = text.chars().take(LOOKED_AT).filter(odd).count();
    // A few may be comments in another encoding.
    (text.contains('\0') || strange * 10 > seen).then(|| {
        let span = Span::new(FileId::MODEL, 0, 0);
        Diagnostic::error("not-text", "this is no text, and no SMV model", span)
    })
}

/// Refuses texts whose offsets would not fit a span.
fn check_size(file: FileId, text: &str) -> Result<(), Box<Diagnostic>> {
    if text.len() <= MAX_FILE_SIZE {
        return Ok(());
    }
    let message = format!(
        "the text has {} bytes; at most {MAX_FILE_SIZE} are read",
        text.len()
    );
    Err(Box::new(Diagnostic::error(
        "file-too-large",
        message,
        Span::new(file, 0, 0),
    )))
}
