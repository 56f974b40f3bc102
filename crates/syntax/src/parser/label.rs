//! The contents of labels: each is a text of its own in XML, and a clause in XTA.

use super::{Parsed, Parser, Reported};
use crate::parser::token::TokenKind;
use crate::tree::{Direction, Expr, ExprKind, Label, Point, SelectBinding, Synchronisation};

impl Parser<'_, '_> {
    /// Parses the whole text as a label; `None` if there is nothing but blanks and comments in it.
    pub(crate) fn whole_label<T>(
        &mut self,
        position: Option<Point>,
        parse: impl FnOnce(&mut Self) -> Parsed<T>,
        broken: impl FnOnce(Expr) -> T,
    ) -> Option<Label<T>> {
        if self.at(TokenKind::End) {
            return None;
        }
        let start = self.peek();
        let errors = self.errors();
        let result = parse(self).and_then(|value| {
            // UPPAAL itself is stricter, but a `;` at the end can mean nothing else.
            self.eat(TokenKind::Semicolon);
            if self.at(TokenKind::End) {
                Ok(value)
            } else {
                Err(self.expected("the end of the label"))
            }
        });
        let whole = self.text.whole();
        let value = result.unwrap_or_else(|Reported| broken(Expr::new(ExprKind::Broken, whole)));
        let span = self
            .text
            .span(start.start, self.text.text.trim_end().len() as u32);
        Some(Label {
            value,
            broken: self.errors() > errors,
            span,
            position,
        })
    }

    /// `i : T, j : U`
    pub(crate) fn select(&mut self) -> Parsed<Vec<SelectBinding>> {
        self.comma_separated(|parser| {
            let name = parser.name("the name of a select variable")?;
            parser.expect(TokenKind::Colon, "between the variable and its type")?;
            Ok(SelectBinding {
                name,
                range: parser.type_spec()?,
            })
        })
    }

    /// A guard or invariant.
    pub(crate) fn constraint(&mut self) -> Parsed<Expr> {
        self.conjunction()
    }

    /// `channel!` or `channel?`
    pub(crate) fn synchronisation(&mut self) -> Parsed<Synchronisation> {
        let channel = self.postfix()?;
        let direction = match self.kind() {
            TokenKind::Exclamation => Direction::Send,
            TokenKind::Question => Direction::Receive,
            TokenKind::End | TokenKind::Semicolon => {
                return Ok(Synchronisation {
                    channel,
                    direction: Direction::Both,
                });
            }
            _ => return Err(self.expected("`!` or `?` after the channel")),
        };
        self.advance();
        Ok(Synchronisation { channel, direction })
    }

    /// Expressions in order.
    pub(crate) fn update(&mut self) -> Parsed<Vec<Expr>> {
        let mut updates = Vec::new();
        loop {
            updates.push(self.expression()?);
            if !self.eat(TokenKind::Comma) {
                return Ok(updates);
            }
        }
    }

    /// A weight.
    pub(crate) fn probability(&mut self) -> Parsed<Expr> {
        self.expression()
    }

    /// `rate` or `numerator : denominator`
    pub(crate) fn exponential_rate(&mut self) -> Parsed<Vec<Expr>> {
        let mut parts = vec![self.expression()?];
        if self.eat(TokenKind::Colon) {
            parts.push(self.expression()?);
        }
        Ok(parts)
    }

    /// Template parameters up to the end of the text.
    pub(crate) fn whole_parameters(&mut self) -> Parsed<Vec<crate::tree::Parameter>> {
        let parameters = self.parameter_list(TokenKind::End)?;
        if self.at(TokenKind::End) {
            Ok(parameters)
        } else {
            Err(self.expected("`,` or the end of the parameters"))
        }
    }
}
