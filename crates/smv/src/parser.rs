//! The token stream, error reporting and recovery that all readers of SMV parts share.

use super::lexer::tokenize;
use super::token::{Keyword, Token, TokenKind};
use super::tree::{Expression, ExpressionKind, Name};
use super::{MAX_DIAGNOSTICS, check_size};
use merkhet_syntax::{Diagnostic, FileId, MAX_DEPTH, Span};

/// How deep the reader itself may recurse; each level takes several stack frames.
const MAX_NESTING: u16 = 300;

/// A part could not be read; the reason has been reported.
pub(super) struct Broken;

/// What reading a part gives.
pub(super) type Read<T> = Result<T, Broken>;

/// A reader over the tokens of one text.
pub(super) struct Parser<'a> {
    pub(super) text: &'a str,
    tokens: Vec<Token>,
    position: usize,
    depth: u16,
    /// Whether `U` closes the left part of `E [p U q]` instead of being an operator of its own.
    pub(super) path_brackets: bool,
    pub(super) diagnostics: Vec<Diagnostic>,
}

impl<'a> Parser<'a> {
    pub(super) fn new(file: FileId, text: &'a str) -> Result<Parser<'a>, Box<Diagnostic>> {
        check_size(file, text)?;
        let (tokens, diagnostics) = tokenize(file, text);
        Ok(Parser {
            text,
            tokens,
            position: 0,
            depth: 0,
            path_brackets: false,
            diagnostics,
        })
    }

    /// The token `ahead` places from here; after the last one, the end.
    pub(super) fn peek_at(&self, ahead: usize) -> Token {
        let last = self.tokens.len() - 1; // the lexer always ends with `End`
        self.tokens[(self.position + ahead).min(last)]
    }

    pub(super) fn peek(&self) -> Token {
        self.peek_at(0)
    }

    pub(super) fn advance(&mut self) -> Token {
        let token = self.peek();
        self.position += 1;
        token
    }

    pub(super) fn text_of(&self, span: Span) -> &'a str {
        self.text
            .get(span.start as usize..span.end as usize)
            .unwrap_or("")
    }

    pub(super) fn at_symbol(&self, symbol: &str) -> bool {
        matches!(self.peek().kind, TokenKind::Symbol(found) if found == symbol)
    }

    pub(super) fn at_keyword(&self, keyword: Keyword) -> bool {
        self.peek().kind == TokenKind::Keyword(keyword)
    }

    pub(super) fn at_end(&self) -> bool {
        self.peek().kind == TokenKind::End
    }

    pub(super) fn eat_symbol(&mut self, symbol: &str) -> bool {
        let found = self.at_symbol(symbol);
        self.position += usize::from(found);
        found
    }

    pub(super) fn eat_keyword(&mut self, keyword: Keyword) -> bool {
        let found = self.at_keyword(keyword);
        self.position += usize::from(found);
        found
    }

    pub(super) fn expect_symbol(&mut self, symbol: &str) -> Read<Span> {
        if self.at_symbol(symbol) {
            return Ok(self.advance().span);
        }
        self.fail_expected(&format!("`{symbol}`"))
    }

    pub(super) fn expect_keyword(&mut self, keyword: Keyword) -> Read<Span> {
        if self.at_keyword(keyword) {
            return Ok(self.advance().span);
        }
        self.fail_expected(&format!("`{}`", keyword.text()))
    }

    pub(super) fn expect_name(&mut self) -> Read<Name> {
        let token = self.peek();
        if token.kind != TokenKind::Identifier {
            return self.fail_expected("a name");
        }
        self.position += 1;
        Ok(Name {
            text: self.text_of(token.span).to_owned(),
            span: token.span,
        })
    }

    /// Reports that something else was expected here.
    pub(super) fn fail_expected<T>(&mut self, what: &str) -> Read<T> {
        let token = self.peek();
        let found = match token.kind {
            TokenKind::End => "the end of the text".to_owned(),
            _ => format!("`{}`", self.text_of(token.span)),
        };
        let doubled = found == "`=`" && self.text_of(self.last_span()) == "=";
        let diagnostic = Diagnostic::error(
            "expected-token",
            format!("expected {what}, found {found}"),
            token.span,
        );
        if self.diagnostics.len() < MAX_DIAGNOSTICS {
            self.diagnostics.push(match doubled {
                true => diagnostic.with_hint("equality is written `=` in SMV"),
                false => diagnostic,
            });
        }
        Err(Broken)
    }

    pub(super) fn fail<T>(&mut self, code: &'static str, message: String, span: Span) -> Read<T> {
        if self.diagnostics.len() < MAX_DIAGNOSTICS {
            self.diagnostics
                .push(Diagnostic::error(code, message, span));
        }
        Err(Broken)
    }

    /// An expression inside `E [ ]` or `A [ ]` (true), or inside round brackets (false).
    pub(super) fn in_path_brackets(&mut self, inside: bool) -> Read<Expression> {
        let outer = std::mem::replace(&mut self.path_brackets, inside);
        let result = self.expression();
        self.path_brackets = outer;
        result
    }

    /// The place of the token before this one.
    pub(super) fn last_span(&self) -> Span {
        self.tokens[self.position.min(self.tokens.len()).saturating_sub(1)].span
    }

    /// Runs `read` one level deeper, unless the nesting is too deep for plain recursion.
    pub(super) fn nested<T>(&mut self, read: impl FnOnce(&mut Self) -> Read<T>) -> Read<T> {
        if self.depth >= MAX_NESTING {
            let span = self.peek().span;
            return self.fail_too_deep(span);
        }
        self.depth += 1;
        let result = read(self);
        self.depth -= 1;
        result
    }

    fn fail_too_deep<T>(&mut self, span: Span) -> Read<T> {
        let message = "the expression is nested too deeply".to_owned();
        self.fail("nested-too-deep", message, span)
    }

    /// An expression whose height is checked.
    pub(super) fn make(&mut self, kind: ExpressionKind, span: Span) -> Read<Expression> {
        let expression = Expression::new(kind, span);
        if expression.height > MAX_DEPTH {
            return self.fail_too_deep(span);
        }
        Ok(expression)
    }

    /// After an error in a line: skips past the next `;`, or up to the next section.
    pub(super) fn skip_line(&mut self) {
        loop {
            match self.peek().kind {
                TokenKind::End => return,
                TokenKind::Keyword(keyword) if keyword.opens_section() => return,
                TokenKind::Symbol(";") => {
                    self.position += 1;
                    return;
                }
                _ => self.position += 1,
            }
        }
    }

    /// Whether too much is wrong for reading on to make sense.
    pub(super) fn hopeless(&self) -> bool {
        self.diagnostics.len() >= MAX_DIAGNOSTICS
    }
}
