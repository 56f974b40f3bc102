//! A text cut into words, punctuation and comments, for tools that look at how it is written: formatters, colours.

use crate::parser::lexer::Lexer;
use crate::parser::token::TokenKind;

/// The words that are reserved everywhere in UPPAAL's languages.
pub const KEYWORDS: &[&str] = &[
    "and",
    "bool",
    "broadcast",
    "chan",
    "clock",
    "const",
    "do",
    "else",
    "exists",
    "false",
    "for",
    "forall",
    "if",
    "imply",
    "int",
    "meta",
    "not",
    "or",
    "return",
    "scalar",
    "struct",
    "system",
    "true",
    "typedef",
    "urgent",
    "void",
    "while",
];

/// The sort of a lexeme.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum LexemeKind {
    /// A name, also one that only some contexts reserve.
    Name,
    /// A reserved word.
    Keyword,
    /// A number.
    Number,
    /// A string with its quotes.
    String,
    /// An operator, bracket or separator.
    Punctuation,
    /// A comment up to the end of its line, without the line break.
    LineComment,
    /// A comment between `/*` and `*/` (in SMV `/--` and `--/`).
    BlockComment,
    /// What is no part of the language, such as a comment that is never closed.
    Stray,
}

/// A word, a piece of punctuation or a comment: the bytes `start..end` of the text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Lexeme {
    /// What it is.
    pub kind: LexemeKind,
    /// Offset of its first byte.
    pub start: u32,
    /// Offset after its last byte.
    pub end: u32,
}

impl Lexeme {
    /// Its letters in the text that it was cut from.
    pub fn text<'a>(&self, text: &'a str) -> &'a str {
        text.get(self.start as usize..self.end as usize)
            .unwrap_or("")
    }

    /// Whether it is a comment.
    pub fn is_comment(&self) -> bool {
        matches!(
            self.kind,
            LexemeKind::LineComment | LexemeKind::BlockComment
        )
    }
}

/// Cuts a text in one of UPPAAL's languages; only blanks lie between the lexemes.
pub fn lexemes(text: &str) -> Vec<Lexeme> {
    let mut lexer = Lexer::new(text);
    let mut found = Vec::new();
    let mut end = 0;
    loop {
        let token = lexer.next_token();
        comments(text, end, token.start, &mut found);
        end = token.end;
        let kind = match token.kind {
            TokenKind::End => return found,
            TokenKind::Name => LexemeKind::Name,
            TokenKind::Int | TokenKind::Double => LexemeKind::Number,
            TokenKind::String => LexemeKind::String,
            TokenKind::BadNumber
            | TokenKind::BadCharacter
            | TokenKind::UnclosedComment
            | TokenKind::UnclosedString => LexemeKind::Stray,
            kind if kind.is_reserved() => LexemeKind::Keyword,
            _ => LexemeKind::Punctuation,
        };
        found.push(Lexeme {
            kind,
            start: token.start,
            end: token.end,
        });
    }
}

/// The comments between two tokens.
fn comments(text: &str, start: u32, end: u32, found: &mut Vec<Lexeme>) {
    let gap = text.get(start as usize..end as usize).unwrap_or("");
    let mut at = 0;
    while let Some(next) = gap.get(at..).and_then(|rest| rest.find('/')) {
        let begin = at + next;
        let rest = gap.get(begin..).unwrap_or("");
        let (kind, length) = if rest.starts_with("/*") {
            let length = rest.get(2..).and_then(|body| body.find("*/"));
            let length = length.map_or(rest.len(), |length| length + 4);
            (LexemeKind::BlockComment, length)
        } else {
            let line = rest.split('\n').next().unwrap_or("");
            (LexemeKind::LineComment, line.trim_end().len())
        };
        found.push(Lexeme {
            kind,
            start: start + begin as u32,
            end: start + (begin + length) as u32,
        });
        at = begin + length.max(1);
    }
}

#[cfg(test)]
mod tests {
    use super::{KEYWORDS, LexemeKind, lexemes};
    use crate::parser::token::TokenKind;

    #[test]
    fn comments_are_kept() {
        let text = "a // b /* c\n/* d // e */ + \"f\" \\\n 1 /* g";
        let found: Vec<_> = (lexemes(text).iter())
            .map(|one| (one.kind, one.text(text)))
            .collect();
        let expected = [
            (LexemeKind::Name, "a"),
            (LexemeKind::LineComment, "// b /* c"),
            (LexemeKind::BlockComment, "/* d // e */"),
            (LexemeKind::Punctuation, "+"),
            (LexemeKind::String, "\"f\""),
            (LexemeKind::Number, "1"),
            (LexemeKind::Stray, "/* g"),
        ];
        assert_eq!(found, expected);
    }

    #[test]
    fn keywords_are_those_of_the_lexer() {
        for word in KEYWORDS {
            assert!(TokenKind::reserved(word).is_some(), "{word}");
        }
        assert!(KEYWORDS.is_sorted());
    }
}
