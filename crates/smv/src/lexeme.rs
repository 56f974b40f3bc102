//! SMV text cut into words, punctuation and comments, for formatters and colours.

use crate::lexer::tokenize;
use crate::token::TokenKind;
use merkhet_syntax::{FileId, Lexeme, LexemeKind};

pub use crate::token::KEYWORDS;

/// Cuts a text; only blanks, and characters that the language does not have, lie between the lexemes.
pub fn lexemes(text: &str) -> Vec<Lexeme> {
    let (tokens, _) = tokenize(FileId::MODEL, text);
    let mut found = Vec::with_capacity(tokens.len());
    let mut end = 0;
    for token in tokens {
        gap(text, end, token.span.start, &mut found);
        end = token.span.end;
        let kind = match token.kind {
            TokenKind::End => break,
            TokenKind::Identifier => LexemeKind::Name,
            TokenKind::Number | TokenKind::Word => LexemeKind::Number,
            TokenKind::Keyword(_) => LexemeKind::Keyword,
            TokenKind::Symbol(_) => LexemeKind::Punctuation,
        };
        found.push(Lexeme {
            kind,
            start: token.span.start,
            end: token.span.end,
        });
    }
    found
}

/// The comments and stray characters between two tokens.
fn gap(text: &str, start: u32, end: u32, found: &mut Vec<Lexeme>) {
    let gap = text.get(start as usize..end as usize).unwrap_or("");
    let mut at = 0;
    while let Some(first) = gap.get(at..).and_then(|rest| rest.chars().next()) {
        let rest = gap.get(at..).unwrap_or("");
        let (kind, length) = if first.is_whitespace() {
            at += first.len_utf8();
            continue;
        } else if let Some(body) = rest.strip_prefix("/--") {
            match body.find("--/") {
                Some(length) => (LexemeKind::BlockComment, length + 6),
                None => (LexemeKind::Stray, rest.len()),
            }
        } else if rest.starts_with("--") {
            let line = rest.split('\n').next().unwrap_or("");
            (LexemeKind::LineComment, line.trim_end().len())
        } else {
            (LexemeKind::Stray, first.len_utf8())
        };
        found.push(Lexeme {
            kind,
            start: start + at as u32,
            end: start + (at + length) as u32,
        });
        at += length.max(1);
    }
}
