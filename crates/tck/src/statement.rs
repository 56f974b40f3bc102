//! Reads the statements of a `do` attribute.

use super::expression::{Broken, Parsed, Parser};
use super::token::{Token, name};
use super::tree::{Expression, Name, Statement, StatementKind};
use merkhet_syntax::Diagnostic;

impl Parser<'_> {
    /// Statements separated by `;`, up to the end of the text, `end` or `else`; a last `;` may be missing.
    pub(super) fn statements(&mut self) -> Parsed<Vec<Statement>> {
        let mut list = Vec::new();
        loop {
            list.push(self.statement()?);
            if !self.take_symbol(";") {
                return Ok(list);
            }
            if matches!(
                self.peek(),
                Token::End | Token::Keyword("end") | Token::Keyword("else")
            ) {
                return Ok(list);
            }
        }
    }

    fn statement(&mut self) -> Parsed<Statement> {
        let start = self.here();
        let kind = match self.peek().clone() {
            Token::Keyword("nop") => {
                self.advance();
                StatementKind::Nop
            }
            Token::Keyword("if") => self.nested(Self::if_statement)?,
            Token::Keyword("while") => self.nested(Self::while_statement)?,
            Token::Keyword("local") => self.local()?,
            Token::Name(_) => self.assignment()?,
            _ => return self.fail_expected("a statement"),
        };
        let span = start.to(self.before());
        Ok(Statement { kind, span })
    }

    fn if_statement(&mut self) -> Parsed<StatementKind> {
        self.expect_keyword("if")?;
        let condition = self.formula()?;
        self.expect_keyword("then")?;
        let then = self.statements()?;
        let otherwise = if self.take_keyword("else") {
            self.statements()?
        } else {
            Vec::new()
        };
        self.expect_keyword("end")?;
        Ok(StatementKind::If {
            condition,
            then,
            otherwise,
        })
    }

    fn while_statement(&mut self) -> Parsed<StatementKind> {
        self.expect_keyword("while")?;
        let condition = self.formula()?;
        self.expect_keyword("do")?;
        let body = self.statements()?;
        self.expect_keyword("end")?;
        Ok(StatementKind::While { condition, body })
    }

    fn local(&mut self) -> Parsed<StatementKind> {
        self.expect_keyword("local")?;
        let name = self.local_name()?;
        if self.take_symbol("[") {
            let size = self.term()?;
            self.expect_symbol("]")?;
            return Ok(StatementKind::LocalArray { name, size });
        }
        let value = if self.take_symbol("=") {
            Some(self.term()?)
        } else {
            None
        };
        Ok(StatementKind::Local { name, value })
    }

    fn local_name(&mut self) -> Parsed<Name> {
        let span = self.here();
        match self.peek().clone() {
            Token::Name(text) => {
                self.advance();
                Ok(name(&text, span))
            }
            _ => self.fail_expected("a variable"),
        }
    }

    fn assignment(&mut self) -> Parsed<StatementKind> {
        let target = self.place()?;
        if *self.peek() == Token::Symbol("==") {
            let diagnostic = Diagnostic::error(
                "comparison-as-statement",
                "a comparison is no statement",
                self.here(),
            );
            self.diagnostics
                .push(diagnostic.with_hint("`=` assigns, `==` compares"));
            return Err(Broken);
        }
        self.expect_symbol("=")?;
        let value: Expression = self.term()?;
        Ok(StatementKind::Assign { target, value })
    }
}
