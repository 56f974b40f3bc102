//! TChecker's flat language: one declaration a line, attributes in braces, no templates.
//!
//! [`read_tck`] always returns a tree, together with what was wrong on the way; a broken declaration is left out and
//! reading resumes at the next line. [`read_tck_query`] reads a goal such as `E<> error` or `A[] !(cs1 && cs2)`.
//!
//! The language is that of TChecker 0.8. We are more liberal in a few places: names may contain dots in expressions
//! too, declarations may stand in any order, a comparison may be an operand (with value 0 or 1), and `y + 1` means
//! the same as `1 + y`.

#![forbid(unsafe_code)]

mod attribute;
mod cursor;
mod declaration;
mod expression;
mod query;
mod statement;
#[cfg(test)]
mod tests;
mod token;
pub mod tree;

use merkhet_syntax::Diagnostics;
use merkhet_syntax::text_of;
use merkhet_syntax::{Diagnostic, FileId, Span};
use tree::{Goal, System};

/// Reads a model. Spans get [`FileId::MODEL`].
pub fn read_tck(bytes: &[u8]) -> (System, Vec<Diagnostic>) {
    let mut diagnostics = Diagnostics::default();
    let system = match text_of(FileId::MODEL, bytes, &mut diagnostics) {
        Some(text) => declaration::read(FileId::MODEL, &text, &mut diagnostics),
        None => System::default(),
    };
    (system, diagnostics.into_list())
}

/// Reads a goal: `E<> formula` or `A[] formula`.
///
/// A formula is built of labels, `Process.location`, comparisons, `deadlock`, `&&`, `||`, `!` (also `and`, `or`,
/// `not`); a list of labels with commas asks for all of them at once, as `tck-reach -l` does.
pub fn read_tck_query(file: FileId, text: &str) -> (Option<Goal>, Vec<Diagnostic>) {
    let mut diagnostics = Diagnostics::default();
    let goal = text_of(file, text.as_bytes(), &mut diagnostics)
        .and_then(|text| query::read(file, &text, &mut diagnostics));
    (goal, diagnostics.into_list())
}

/// Whether a file is in this language: by its name, or because its first declaration is `system:`.
pub fn is_tck(name: &str, bytes: &[u8]) -> bool {
    let extension = name.rsplit_once('.').map_or("", |(_, extension)| extension);
    if extension.eq_ignore_ascii_case("tck") {
        return true;
    }
    let start = String::from_utf8_lossy(&bytes[..bytes.len().min(4096)]);
    let lines = start.lines().map(str::trim);
    let first = lines
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
        .find_map(|line| line.strip_prefix("system"));
    first.is_some_and(|rest| rest.trim_start().starts_with(':'))
}

/// The span of the bytes `start..end`; the reader refuses texts whose offsets exceed `u32`.
fn span(file: FileId, start: usize, end: usize) -> Span {
    Span::new(file, start as u32, end as u32)
}
