//! Cuts SMV text into tokens.

use super::token::{Keyword, Token, TokenKind};
use merkhet_syntax::{Diagnostic, FileId, Span};

/// Operators, longest first, so that the first match is the longest.
const SYMBOLS: [&str; 32] = [
    "<->", "->", ":=", "::", "..", "!=", "<=", ">=", "<<", ">>", "=", "<", ">", "!", "&", "|", "+",
    "-", "*", "/", "?", ":", ";", ",", ".", "(", ")", "[", "]", "{", "}", "@",
];

/// All tokens of the text, closed by one [`TokenKind::End`]; characters that start no token are
/// reported and skipped.
pub fn tokenize(file: FileId, text: &str) -> (Vec<Token>, Vec<Diagnostic>) {
    let mut lexer = Lexer {
        file,
        text,
        position: 0,
        tokens: Vec::new(),
        diagnostics: Vec::new(),
    };
    while lexer.step() {}
    let end = lexer.span(0);
    lexer.tokens.push(Token {
        kind: TokenKind::End,
        span: end,
    });
    (lexer.tokens, lexer.diagnostics)
}

struct Lexer<'a> {
    file: FileId,
    text: &'a str,
    position: usize,
    tokens: Vec<Token>,
    diagnostics: Vec<Diagnostic>,
}

impl Lexer<'_> {
    /// Reads one token or one stretch of blanks; false at the end.
    fn step(&mut self) -> bool {
        let rest = &self.text[self.position..];
        let Some(first) = rest.chars().next() else {
            return false;
        };
        if first.is_whitespace() {
            self.position += first.len_utf8();
        } else if let Some(body) = rest.strip_prefix("/--") {
            self.skip_block_comment(body);
        } else if rest.starts_with("--") {
            self.position += rest.find('\n').unwrap_or(rest.len());
        } else if first.is_ascii_digit() {
            self.number(rest);
        } else if first.is_ascii_alphabetic() || first == '_' {
            self.name(rest);
        } else if let Some(symbol) = SYMBOLS.iter().find(|symbol| rest.starts_with(**symbol)) {
            self.push(TokenKind::Symbol(symbol), symbol.len());
        } else {
            self.report(
                "unexpected-character",
                format!("unexpected character {first:?}"),
                first.len_utf8(),
            );
            self.position += first.len_utf8();
        }
        true
    }

    /// The span of the next `length` bytes; the reader refuses texts whose offsets exceed `u32`.
    fn span(&self, length: usize) -> Span {
        Span::new(
            self.file,
            self.position as u32,
            (self.position + length) as u32,
        )
    }

    fn report(&mut self, code: &'static str, message: String, length: usize) {
        if self.diagnostics.len() < super::MAX_DIAGNOSTICS {
            let span = self.span(length);
            self.diagnostics
                .push(Diagnostic::error(code, message, span));
        }
    }

    fn push(&mut self, kind: TokenKind, length: usize) {
        let span = self.span(length);
        self.tokens.push(Token { kind, span });
        self.position += length;
    }

    fn skip_block_comment(&mut self, body: &str) {
        match body.find("--/") {
            Some(end) => self.position += 3 + end + 3,
            None => {
                self.report("unclosed-comment", "the comment is never closed".into(), 3);
                self.position = self.text.len();
            }
        }
    }

    /// A decimal number, or a word constant: `0`, an optional sign letter, a base letter, an
    /// optional width, `_`, digits.
    fn number(&mut self, rest: &str) {
        let digits = run(rest, |c| c.is_ascii_digit());
        if digits == 1 && rest.starts_with('0') {
            let after = &rest[1..];
            let signless = after.strip_prefix(['u', 's']).unwrap_or(after);
            if let Some(tail) = signless.strip_prefix(['b', 'B', 'o', 'O', 'd', 'D', 'h', 'H']) {
                let width = run(tail, |c| c.is_ascii_digit());
                if let Some(value) = tail[width..].strip_prefix('_') {
                    let length = run(value, |c| c.is_ascii_hexdigit() || c == '_');
                    if length > 0 {
                        let total = rest.len() - value.len() + length;
                        return self.push(TokenKind::Word, total);
                    }
                }
            }
        }
        self.push(TokenKind::Number, digits);
    }

    /// A name or reserved word. A name swallows `--` inside it, as the original tool's longest
    /// match does: `a--b` is one name, `a --b` a name and a comment.
    fn name(&mut self, rest: &str) {
        let is_inner = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '$' | '#' | '-');
        let mut length = run(rest, is_inner);
        // `state->next` and `a-->b`: the arrow is an operator, not part of the name.
        if rest[length..].starts_with('>') && rest[..length].ends_with('-') {
            length -= 1;
        }
        let text = &rest[..length];
        let kind = match Keyword::from_text(text) {
            Some(keyword) => TokenKind::Keyword(keyword),
            None => TokenKind::Identifier,
        };
        self.push(kind, length);
    }
}

/// The length of the longest prefix whose characters (all ASCII) satisfy the test.
fn run(text: &str, test: impl Fn(char) -> bool) -> usize {
    text.find(|c| !test(c)).unwrap_or(text.len())
}
