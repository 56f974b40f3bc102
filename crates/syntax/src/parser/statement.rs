//! Statements.

use super::{Parsed, Parser, Reported};
use crate::Diagnostic;
use crate::parser::token::{Token, TokenKind};
use crate::tree::{Block, Expr, Statement, StatementKind};

impl Parser<'_, '_> {
    /// `{ declarations statements }`; statements that cannot be read are marked as broken.
    pub(super) fn block(&mut self) -> Parsed<Block> {
        let start = self.expect(TokenKind::LeftBrace, "before the body")?;
        let mut block = Block {
            declarations: Vec::new(),
            statements: Vec::new(),
            span: self.span(start),
        };
        loop {
            match self.kind() {
                TokenKind::RightBrace => {
                    self.advance();
                    block.span = self.span_from(start);
                    return Ok(block);
                }
                TokenKind::End => return Err(self.unclosed_block(start)),
                _ if self.at_local_declaration() => {
                    if !block.statements.is_empty() {
                        self.late_declaration();
                    }
                    self.local_declaration(&mut block);
                }
                _ => block.statements.push(self.recovering_statement()),
            }
        }
    }

    fn unclosed_block(&mut self, start: Token) -> Reported {
        let span = self.span_after_previous();
        let diagnostic = Diagnostic::error(
            "expected-token",
            "expected `}`, but the text ends here",
            span,
        );
        let brace = self.span(start);
        self.report(diagnostic.with_label(brace, "the block starts here"))
    }

    fn late_declaration(&mut self) {
        let token = self.peek();
        let message = "local variables must be declared before the first statement of their block";
        let diagnostic = Diagnostic::error("late-declaration", message, self.span(token));
        self.report(diagnostic);
    }

    fn recovering_statement(&mut self) -> Statement {
        let start = self.peek();
        let level = self.braces;
        match self.nested(Self::statement) {
            Ok(statement) => statement,
            Err(Reported) => {
                self.skip_to_semicolon(level);
                Statement {
                    kind: StatementKind::Broken,
                    span: self.span_from(start),
                }
            }
        }
    }

    fn statement(&mut self) -> Parsed<Statement> {
        let start = self.peek();
        let kind = match start.kind {
            TokenKind::Semicolon => {
                self.advance();
                StatementKind::Empty
            }
            TokenKind::LeftBrace => StatementKind::Block(self.block()?),
            TokenKind::If => self.if_statement()?,
            TokenKind::For => self.for_statement()?,
            TokenKind::While => {
                self.advance();
                let condition = self.condition("after `while`")?;
                StatementKind::While {
                    condition,
                    body: self.body()?,
                }
            }
            TokenKind::Do => self.do_while()?,
            TokenKind::Return => {
                self.advance();
                let value = if self.at(TokenKind::Semicolon) {
                    None
                } else {
                    Some(self.expression()?)
                };
                self.expect_semicolon("after `return`")?;
                StatementKind::Return(value)
            }
            TokenKind::Name => match (self.letters(start), self.kind_at(1)) {
                ("break", TokenKind::Semicolon) => self.jump(StatementKind::Break),
                ("continue", TokenKind::Semicolon) => self.jump(StatementKind::Continue),
                ("assert", kind) if !is_operator(kind) => {
                    self.advance();
                    let claim = self.expression()?;
                    self.expect_semicolon("after `assert`")?;
                    StatementKind::Assert(claim)
                }
                _ => self.expression_statement()?,
            },
            _ => self.expression_statement()?,
        };
        Ok(Statement {
            kind,
            span: self.span_from(start),
        })
    }

    fn jump(&mut self, kind: StatementKind) -> StatementKind {
        self.advance();
        self.advance();
        kind
    }

    fn expression_statement(&mut self) -> Parsed<StatementKind> {
        let expr = self.comma_expression()?;
        self.expect_semicolon("after the statement")?;
        Ok(StatementKind::Expr(expr))
    }

    /// `(condition)`
    fn condition(&mut self, purpose: &str) -> Parsed<Expr> {
        self.expect(TokenKind::LeftParen, purpose)?;
        let condition = self.comma_expression()?;
        self.expect(TokenKind::RightParen, "after the condition")?;
        Ok(condition)
    }

    fn body(&mut self) -> Parsed<Box<Statement>> {
        Ok(Box::new(self.nested(Self::statement)?))
    }

    /// A ladder of `if … else if …` becomes one flat statement.
    fn if_statement(&mut self) -> Parsed<StatementKind> {
        let mut branches = Vec::new();
        loop {
            self.advance();
            let condition = self.condition("after `if`")?;
            branches.push((condition, self.nested(Self::statement)?));
            if !self.eat(TokenKind::Else) {
                return Ok(StatementKind::If {
                    branches,
                    otherwise: None,
                });
            }
            if !self.at(TokenKind::If) {
                let otherwise = Some(self.body()?);
                return Ok(StatementKind::If {
                    branches,
                    otherwise,
                });
            }
        }
    }

    fn for_statement(&mut self) -> Parsed<StatementKind> {
        self.advance();
        self.expect(TokenKind::LeftParen, "after `for`")?;
        if self.at(TokenKind::Name) && self.kind_at(1) == TokenKind::Colon {
            let variable = self.take_name();
            self.advance();
            let range = self.type_spec()?;
            self.expect(TokenKind::RightParen, "after the range of the loop")?;
            return Ok(StatementKind::Iteration {
                variable,
                range,
                body: self.body()?,
            });
        }
        if self.kind().starts_type() {
            return Err(self.loop_declaration());
        }
        let start = self.optional_expression(TokenKind::Semicolon)?;
        self.expect(TokenKind::Semicolon, "after the start of the loop")?;
        let condition = self.optional_expression(TokenKind::Semicolon)?;
        self.expect(TokenKind::Semicolon, "after the condition of the loop")?;
        let step = self.optional_expression(TokenKind::RightParen)?;
        self.expect(TokenKind::RightParen, "after the step of the loop")?;
        Ok(StatementKind::For {
            start,
            condition,
            step,
            body: self.body()?,
        })
    }

    /// `for (int i = 0; …`
    fn loop_declaration(&mut self) -> Reported {
        let message = "a variable cannot be declared in the head of a loop";
        let diagnostic = Diagnostic::error("expected-token", message, self.span(self.peek()));
        let hint = "declare it before the loop, or write `for (i : int[0, N - 1])`";
        self.report(diagnostic.with_hint(hint))
    }

    fn optional_expression(&mut self, end: TokenKind) -> Parsed<Option<Box<Expr>>> {
        if self.at(end) {
            return Ok(None);
        }
        Ok(Some(Box::new(self.comma_expression()?)))
    }

    fn do_while(&mut self) -> Parsed<StatementKind> {
        self.advance();
        let body = self.body()?;
        self.expect(TokenKind::While, "after the body of `do`")?;
        let condition = self.condition("after `while`")?;
        self.expect_semicolon("after `do … while (…)`")?;
        Ok(StatementKind::DoWhile { body, condition })
    }
}

/// Whether the token makes the word before it a variable.
fn is_operator(kind: TokenKind) -> bool {
    matches!(
        kind,
        TokenKind::Assign
            | TokenKind::LeftBracket
            | TokenKind::Dot
            | TokenKind::PlusPlus
            | TokenKind::MinusMinus
    )
}
