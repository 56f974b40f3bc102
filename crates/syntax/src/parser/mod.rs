//! Recursive descent over tokens, with recovery.
//!
//! A parsing function that fails has reported why, and returns [`Reported`]; whoever can go on from there skips to
//! a safe place. Whether a part of the tree is broken is told by the number of errors before and after it.

mod declaration;
mod expression;
mod file;
mod label;
pub(crate) mod lexer;
mod process;
mod query;
mod statement;
mod system;
pub(crate) mod token;
mod types;

use crate::diagnostic::diagnostics::Diagnostics;
use crate::parser::lexer::Lexer;
use crate::parser::token::{Token, TokenKind};
use crate::source::text::Text;
use crate::tree::Name;
use crate::{Diagnostic, MAX_DEPTH, Sections, Span};
use std::collections::VecDeque;

pub(crate) use process::broken_synchronisation;

/// The error has been reported.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Reported;

pub(crate) type Parsed<T> = Result<T, Reported>;

/// Which words are reserved, and which old habits count.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Dialect {
    /// Models of UPPAAL 4.0 and later.
    New,
    /// Models of UPPAAL 3.4 and before: template parameters are references.
    Old,
    /// Queries: `deadlock` is reserved.
    Query,
}

/// The state of parsing one text.
pub(crate) struct Parser<'a, 'd> {
    text: Text<'a>,
    lexer: Lexer<'a>,
    /// The next token.
    current: Token,
    /// The tokens after it, as far as they have been looked at.
    ahead: VecDeque<Token>,
    /// The end of the last token that was taken.
    previous_end: u32,
    depth: u16,
    /// How many braces are open at this place.
    braces: usize,
    dialect: Dialect,
    diagnostics: &'d mut Diagnostics,
    /// The parts of an XTA file; those of an XML file are known to its reader.
    pub(crate) sections: Sections,
}

impl<'a, 'd> Parser<'a, 'd> {
    pub(crate) fn new(
        text: Text<'a>,
        dialect: Dialect,
        diagnostics: &'d mut Diagnostics,
    ) -> Parser<'a, 'd> {
        let mut parser = Parser {
            text,
            lexer: Lexer::new(text.text),
            current: Token {
                kind: TokenKind::End,
                start: 0,
                end: 0,
            },
            ahead: VecDeque::new(),
            previous_end: 0,
            depth: 0,
            braces: 0,
            dialect,
            diagnostics,
            sections: Sections::default(),
        };
        parser.current = parser.lex();
        parser
    }

    /// The next token of the text; once the file has proved too large, only the end.
    fn lex(&mut self) -> Token {
        let token = self.lexer.next_token();
        let span = self.text.span(token.start, token.end);
        if self.diagnostics.spend(1, span) {
            return token;
        }
        Token {
            kind: TokenKind::End,
            ..token
        }
    }

    /// The token `n` places ahead.
    fn peek_at(&mut self, n: usize) -> Token {
        if n == 0 {
            return self.current;
        }
        while self.ahead.len() < n {
            let token = self.lex();
            self.ahead.push_back(token);
        }
        self.ahead[n - 1]
    }

    fn peek(&self) -> Token {
        self.current
    }

    fn kind(&self) -> TokenKind {
        self.current.kind
    }

    fn kind_at(&mut self, n: usize) -> TokenKind {
        self.peek_at(n).kind
    }

    /// Takes the next token.
    fn advance(&mut self) -> Token {
        let token = self.current;
        self.current = match self.ahead.pop_front() {
            Some(next) => next,
            None => self.lex(),
        };
        self.previous_end = token.end;
        match token.kind {
            TokenKind::LeftBrace => self.braces += 1,
            TokenKind::RightBrace => self.braces = self.braces.saturating_sub(1),
            _ => {}
        }
        token
    }

    fn at(&self, kind: TokenKind) -> bool {
        self.kind() == kind
    }

    /// Takes the next token if it is of this sort.
    fn eat(&mut self, kind: TokenKind) -> bool {
        let found = self.at(kind);
        if found {
            self.advance();
        }
        found
    }

    /// Whether the next token is this word, which is not reserved.
    fn at_word(&self, word: &str) -> bool {
        let token = self.peek();
        token.kind == TokenKind::Name && self.letters(token) == word
    }

    fn letters(&self, token: Token) -> &'a str {
        self.text
            .text
            .get(token.start as usize..token.end as usize)
            .unwrap_or("")
    }

    fn span(&self, token: Token) -> Span {
        self.text.span(token.start, token.end)
    }

    /// The span from a token to the last one that was taken.
    fn span_from(&self, start: Token) -> Span {
        self.text
            .span(start.start, self.previous_end.max(start.start))
    }

    /// The empty span after the last token that was taken.
    fn span_after_previous(&self) -> Span {
        let end = self.previous_end;
        self.text.span(end.saturating_sub(1), end)
    }

    /// Adds a hint to the message that was just made.
    fn hint(&mut self, hint: &str) {
        if let Some(last) = self.diagnostics.last_mut()
            && last.hint.is_none()
        {
            last.hint = Some(hint.into());
        }
    }

    fn errors(&self) -> usize {
        self.diagnostics.errors()
    }

    fn report(&mut self, diagnostic: Diagnostic) -> Reported {
        self.diagnostics.push(diagnostic);
        Reported
    }

    /// Reports that something else was expected here.
    fn expected(&mut self, what: &str) -> Reported {
        let token = self.peek();
        let letters = self.letters(token);
        let (code, message) = match token.kind {
            TokenKind::BadCharacter => (
                "unexpected-character",
                format!("unexpected character {}", quoted(letters)),
            ),
            TokenKind::BadNumber => (
                "malformed-number",
                format!("`{letters}` is neither a number nor a name"),
            ),
            TokenKind::UnclosedComment => (
                "unclosed-comment",
                "this comment is never closed".to_string(),
            ),
            TokenKind::UnclosedString => {
                ("unclosed-string", "this string is never closed".to_string())
            }
            TokenKind::End => (
                "expected-token",
                format!("expected {what}, but the text ends here"),
            ),
            kind if kind.is_reserved() => (
                "expected-token",
                format!("expected {what}, found the reserved word `{letters}`"),
            ),
            _ => (
                "expected-token",
                format!("expected {what}, found {}", quoted(letters)),
            ),
        };
        let mut span = self.span(token);
        if token.kind == TokenKind::End && self.previous_end > 0 {
            span = self.span_after_previous();
        }
        let mut diagnostic = Diagnostic::error(code, message, span);
        if let Some(hint) = hint(token.kind, letters) {
            diagnostic = diagnostic.with_hint(hint);
        }
        self.report(diagnostic)
    }

    fn expect(&mut self, kind: TokenKind, purpose: &str) -> Parsed<Token> {
        if self.at(kind) {
            return Ok(self.advance());
        }
        Err(self.expected(&format!("`{}` {purpose}", kind.spelling())))
    }

    /// Takes a `;`. Where it is missing at the end of a line, reports that and goes on as if it were there.
    fn expect_semicolon(&mut self, purpose: &str) -> Parsed<()> {
        if self.eat(TokenKind::Semicolon) {
            return Ok(());
        }
        let next = self.peek();
        let between = self
            .text
            .text
            .get(self.previous_end as usize..next.start as usize)
            .unwrap_or("");
        if between.contains('\n') && !matches!(next.kind, TokenKind::End | TokenKind::BadCharacter)
        {
            let message = format!("expected `;` {purpose}");
            let span = self.span_after_previous();
            self.report(
                Diagnostic::error("expected-token", message, span).with_hint("add a `;` here"),
            );
            return Ok(());
        }
        Err(self.expected(&format!("`;` {purpose}")))
    }

    fn name(&mut self, what: &str) -> Parsed<Name> {
        if self.at(TokenKind::Name) {
            return Ok(self.take_name());
        }
        Err(self.expected(what))
    }

    /// Takes the next token as a name, whatever it is.
    fn take_name(&mut self) -> Name {
        let token = self.advance();
        Name {
            text: self.letters(token).to_string(),
            span: self.span(token),
        }
    }

    /// Parses something inside something else, unless that is too deep.
    fn nested<T>(&mut self, parse: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        if self.depth >= MAX_DEPTH {
            return Err(self.too_deep());
        }
        self.depth += 1;
        let result = parse(self);
        self.depth -= 1;
        result
    }

    fn too_deep(&mut self) -> Reported {
        let token = self.peek();
        let message = format!("nested more than {MAX_DEPTH} levels deep");
        let diagnostic = Diagnostic::error("too-deep", message, self.span(token));
        self.report(diagnostic.with_hint("split it into several declarations or functions"))
    }

    /// Skips to after the `;` or the body in braces that ends what was begun with `level` braces open, or to before
    /// the `}` that ends the block around it.
    fn skip_to_semicolon(&mut self, level: usize) {
        loop {
            match self.kind() {
                TokenKind::End => return,
                TokenKind::RightBrace if self.braces <= level => return,
                _ => {}
            }
            let skipped = self.advance().kind;
            let outside = self.braces <= level;
            if outside
                && (skipped == TokenKind::Semicolon
                    || skipped == TokenKind::RightBrace && !self.goes_on())
            {
                return;
            }
        }
    }

    /// After a `}`: whether the declaration goes on, as after a struct or a list of initial values.
    fn goes_on(&mut self) -> bool {
        match self.kind() {
            TokenKind::Semicolon | TokenKind::Comma | TokenKind::RightParen => true,
            TokenKind::Name => {
                matches!(
                    self.kind_at(1),
                    TokenKind::Semicolon | TokenKind::Comma | TokenKind::LeftBracket
                )
            }
            _ => false,
        }
    }

    /// Skips to after the `}` that closes a block whose `{` has been taken; whether it is there.
    fn skip_to_closing_brace(&mut self) -> bool {
        let mut open = 1usize;
        loop {
            match self.kind() {
                TokenKind::End => return false,
                TokenKind::LeftBrace => open += 1,
                TokenKind::RightBrace => open -= 1,
                _ => {}
            }
            self.advance();
            if open == 0 {
                return true;
            }
        }
    }

    /// `element, element, …`
    fn comma_separated<T>(
        &mut self,
        mut element: impl FnMut(&mut Self) -> Parsed<T>,
    ) -> Parsed<Vec<T>> {
        let mut elements = vec![element(self)?];
        while self.eat(TokenKind::Comma) {
            elements.push(element(self)?);
        }
        Ok(elements)
    }
}

/// What the author of an unexpected token may have meant.
fn hint(kind: TokenKind, letters: &str) -> Option<String> {
    let meant = match (kind, letters) {
        (TokenKind::UnclosedComment, _) => return Some("close it with `*/`".to_string()),
        (TokenKind::BadCharacter, "≤") => "<=",
        (TokenKind::BadCharacter, "≥") => ">=",
        (TokenKind::BadCharacter, "≠") => "!=",
        (TokenKind::BadCharacter, "–" | "−") => "-",
        (TokenKind::BadCharacter, "∧") => "&&",
        (TokenKind::BadCharacter, "∨") => "||",
        (TokenKind::BadCharacter, "¬") => "!",
        (TokenKind::BadCharacter, "“" | "”") => "\"",
        (TokenKind::Name, _) => {
            let words = ["and", "or", "not", "imply", "xor"];
            words
                .into_iter()
                .find(|word| word.eq_ignore_ascii_case(letters) && *word != letters)?
        }
        _ => return None,
    };
    Some(format!("did you mean `{meant}`?"))
}

/// A piece of text for a message, made short and visible.
fn quoted(text: &str) -> String {
    match text.chars().next() {
        Some(first) if text.chars().count() == 1 && (first.is_control() || first == '\u{FFFD}') => {
            format!("U+{:04X}", first as u32)
        }
        _ if text.chars().count() > 40 => {
            format!("`{}…`", text.chars().take(40).collect::<String>())
        }
        _ => format!("`{text}`"),
    }
}
