//! Cuts expressions and statements into tokens.

use super::span;
use super::tree::Name;
use merkhet_syntax::Diagnostics;
use merkhet_syntax::{Diagnostic, FileId, Span};

/// A token of an expression or a statement.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Token {
    /// A name that is no keyword.
    Name(String),
    /// A number; the grammar knows no sign here.
    Integer(i32),
    /// `if`, `then`, `else`, `end`, `while`, `do`, `local`, `nop`; in goals also `and`, `or`, `not`, `deadlock`.
    Keyword(&'static str),
    /// An operator or a bracket.
    Symbol(&'static str),
    /// The end of the text.
    End,
}

const KEYWORDS: [&str; 8] = ["if", "then", "else", "end", "while", "do", "local", "nop"];
const GOAL_KEYWORDS: [&str; 3] = ["and", "or", "not"];

/// Operators, longest first, so that the first match is the longest.
const SYMBOLS: [&str; 20] = [
    "&&", "||", "==", "!=", "<=", ">=", "<", ">", "!", "=", "+", "-", "*", "/", "%", "(", ")", "[",
    "]", ";",
];

/// The tokens of a text with their spans, closed by one [`Token::End`]; characters that start no token are reported
/// and skipped. `base` is the offset of the text in its file.
pub(super) fn tokenize(
    file: FileId,
    text: &str,
    base: usize,
    goal: bool,
    diagnostics: &mut Diagnostics,
) -> Vec<(Token, Span)> {
    let mut tokens = Vec::new();
    let mut position = 0;
    while let Some(first) = text[position..].chars().next() {
        let rest = &text[position..];
        let place = |length: usize| span(file, base + position, base + position + length);
        let length = if first.is_ascii_whitespace() {
            first.len_utf8()
        } else if first.is_ascii_digit() {
            let length = run(rest, |c| c.is_ascii_digit());
            let value = rest[..length].parse().unwrap_or_else(|_| {
                diagnostics.push(too_large(place(length)));
                0
            });
            tokens.push((Token::Integer(value), place(length)));
            length
        } else if is_name_start(first) {
            let length = run(rest, is_name_part);
            tokens.push((word(&rest[..length], goal), place(length)));
            length
        } else if let Some(symbol) = symbol(rest, goal) {
            tokens.push((Token::Symbol(symbol), place(symbol.len())));
            symbol.len()
        } else {
            let message = format!("unexpected character {first:?}");
            let length = first.len_utf8();
            diagnostics.push(Diagnostic::error(
                "unexpected-character",
                message,
                place(length),
            ));
            length
        };
        position += length;
    }
    let end = base + text.len();
    tokens.push((Token::End, span(file, end, end)));
    tokens
}

fn symbol(rest: &str, goal: bool) -> Option<&'static str> {
    if goal && rest.starts_with(',') {
        return Some(",");
    }
    SYMBOLS
        .iter()
        .find(|symbol| rest.starts_with(**symbol))
        .copied()
}

fn word(text: &str, goal: bool) -> Token {
    let extra: &[&str] = if goal { &GOAL_KEYWORDS } else { &[] };
    match KEYWORDS.iter().chain(extra).find(|&&word| word == text) {
        Some(keyword) => Token::Keyword(keyword),
        None => Token::Name(text.to_owned()),
    }
}

fn run(text: &str, belongs: impl Fn(char) -> bool) -> usize {
    text.find(|c| !belongs(c)).unwrap_or(text.len())
}

/// Whether a name may start with this.
pub(super) fn is_name_start(c: char) -> bool {
    c.is_ascii_alphabetic() || c == '_' || c == '$'
}

/// Whether this may stand inside a name.
pub(super) fn is_name_part(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_' || c == '.'
}

/// A number that does not fit.
pub(super) fn too_large(span: Span) -> Diagnostic {
    let message = format!("numbers go from {} to {}", i32::MIN, i32::MAX);
    Diagnostic::error("number-too-large", message, span)
}

impl Token {
    /// The token as a message names it.
    pub(super) fn show(&self) -> String {
        match self {
            Token::Name(name) => format!("`{name}`"),
            Token::Integer(value) => format!("`{value}`"),
            Token::Keyword(word) | Token::Symbol(word) => format!("`{word}`"),
            Token::End => "the end".into(),
        }
    }
}

/// A name from its text and place.
pub(super) fn name(text: &str, span: Span) -> Name {
    Name {
        text: text.to_owned(),
        span,
    }
}
