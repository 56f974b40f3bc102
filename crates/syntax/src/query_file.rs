//! `.q` files: a query a line, `\` before a line break continues it, comments as in C.

use crate::diagnostic::diagnostics::Diagnostics;
use crate::parser::{Dialect, Parser};
use crate::source::text::Text;
use crate::tree::{Query, QueryKind};
use crate::{FileId, Span};

/// Reads all queries of a text that starts at the offset `base` of its file.
pub(crate) fn read(
    file: FileId,
    text: &str,
    base: usize,
    diagnostics: &mut Diagnostics,
) -> Vec<Query> {
    let mut queries = Vec::new();
    let mut comments: Vec<&str> = Vec::new();
    let mut start = 0;
    while start < text.len() {
        let line = cut_line(text, start);
        comments.extend(line.comments);
        let formula = text.get(start..line.end).unwrap_or("");
        if line.has_formula {
            queries.push(query(file, formula, base + start, &comments, diagnostics));
        }
        if line.has_formula || formula.trim().is_empty() {
            comments.clear();
        }
        start = line.end + 1;
    }
    queries
}

/// Reads one query.
pub(crate) fn query(
    file: FileId,
    text: &str,
    base: usize,
    comments: &[&str],
    diagnostics: &mut Diagnostics,
) -> Query {
    let mut parser = Parser::new(
        Text::plain(file, text, base as u32),
        Dialect::Query,
        diagnostics,
    );
    let kind: QueryKind = parser.whole_query();
    let formula = text.trim();
    let start = (base + text.len() - text.trim_start().len()) as u32;
    Query {
        kind,
        text: formula.to_string(),
        span: Span::new(file, start, start + formula.len() as u32),
        comment: (!comments.is_empty()).then(|| comments.join("\n")),
        options: Vec::new(),
        expectation: None,
        result: None,
    }
}

/// A line with its continuations.
struct Line<'a> {
    /// The offset of the line break that ends it, or of the end of the text.
    end: usize,
    /// Whether there is anything but blanks and comments.
    has_formula: bool,
    /// The texts of its comments.
    comments: Vec<&'a str>,
}

fn cut_line(text: &str, start: usize) -> Line<'_> {
    let bytes = text.as_bytes();
    let mut line = Line {
        end: text.len(),
        has_formula: false,
        comments: Vec::new(),
    };
    let mut at = start;
    while at < bytes.len() {
        let rest = text.get(at..).unwrap_or("");
        if rest.starts_with("//") {
            let length = rest.find('\n').unwrap_or(rest.len());
            line.comments.extend(rest.get(2..length).map(str::trim));
            at += length;
        } else if rest.starts_with("/*") {
            let length = rest
                .find("*/")
                .filter(|&length| length >= 2)
                .unwrap_or(rest.len());
            line.comments.extend(rest.get(2..length).map(str::trim));
            // A comment that is never closed is an error of the query that it belongs to.
            line.has_formula |= length == rest.len();
            at = (at + length + 2).min(bytes.len());
        } else if rest.starts_with('\n') {
            line.end = at;
            return line;
        } else if let Some(blanks) = rest.strip_prefix('\\') {
            let after = blanks.trim_start_matches([' ', '\t', '\r']);
            let skipped = blanks.len() - after.len();
            line.has_formula |= !after.starts_with('\n');
            at += 1 + skipped + usize::from(after.starts_with('\n'));
        } else {
            let first = rest.chars().next().unwrap_or(' ');
            line.has_formula |= !first.is_whitespace() && first != '\u{FEFF}';
            at += first.len_utf8();
        }
    }
    line
}
