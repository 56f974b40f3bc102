//! Temporal operators: branching time, linear time, bounded forms, and path lengths.

use super::parser::{Parser, Read};
use super::token::{Keyword, TokenKind};
use super::tree::*;

impl Parser<'_> {
    /// A temporal formula if one starts here, otherwise a selection or primary expression.
    pub(super) fn formula_or_postfix(&mut self) -> Read<Expression> {
        let TokenKind::Keyword(keyword) = self.peek().kind else {
            return self.postfix_expression();
        };
        if let Some(operator) = temporal(keyword) {
            let start = self.advance().span;
            let within = match self.at_step_interval(operator) {
                true => Some(self.step_interval()?),
                false => None,
            };
            let operand = self.temporal_operand()?;
            let span = start.to(operand.span);
            let operand = Box::new(operand);
            let kind = match within {
                Some(interval) => ExpressionKind::Within(operator, interval, operand),
                None => ExpressionKind::Temporal(operator, operand),
            };
            return self.make(kind, span);
        }
        if let Some(operator) = bounded(keyword) {
            let start = self.advance().span;
            let interval = self.interval()?;
            let operand = self.temporal_operand()?;
            let span = start.to(operand.span);
            let kind = ExpressionKind::Bounded(operator, interval, Box::new(operand));
            return self.make(kind, span);
        }
        match keyword {
            Keyword::E | Keyword::A => self.path_until(keyword == Keyword::E),
            Keyword::MinPath | Keyword::MaxPath => self.path_length(keyword == Keyword::MaxPath),
            _ => self.postfix_expression(),
        }
    }

    /// `E [p U q]`, `A [p U q]`, `E [p BU 1..2 q]`, `A [p BU 1..2 q]`.
    fn path_until(&mut self, exists: bool) -> Read<Expression> {
        let start = self.advance().span;
        self.expect_symbol("[")?;
        let left = self.in_path_brackets(true)?;
        let interval = if self.eat_keyword(Keyword::Bu) {
            Some(self.interval()?)
        } else {
            self.expect_keyword(Keyword::U)?;
            None
        };
        let right = self.in_path_brackets(true)?;
        let close = self.expect_symbol("]")?;
        let (left, right) = (Box::new(left), Box::new(right));
        let kind = match (interval, exists) {
            (Some(interval), _) => ExpressionKind::BoundedUntil(exists, interval, left, right),
            (None, true) => ExpressionKind::Until(UntilOperator::ExistsUntil, left, right),
            (None, false) => ExpressionKind::Until(UntilOperator::ForAllUntil, left, right),
        };
        self.make(kind, start.to(close))
    }

    /// `MIN [p, q]` and `MAX [p, q]`.
    fn path_length(&mut self, longest: bool) -> Read<Expression> {
        let start = self.advance().span;
        self.expect_symbol("[")?;
        let from = self.expression()?;
        self.expect_symbol(",")?;
        let to = self.expression()?;
        let close = self.expect_symbol("]")?;
        let kind = ExpressionKind::PathLength(longest, Box::new(from), Box::new(to));
        self.make(kind, start.to(close))
    }

    /// `[2, 5]` after an operator that can have it; any other array has no truth value.
    fn at_step_interval(&self, operator: TemporalOperator) -> bool {
        use TemporalOperator::{F, G, H, O};
        matches!(operator, F | G | H | O)
            && self.at_symbol("[")
            && self.peek_at(1).kind == TokenKind::Number
            && self.peek_at(2).kind == TokenKind::Symbol(",")
            && self.peek_at(3).kind == TokenKind::Number
            && self.peek_at(4).kind == TokenKind::Symbol("]")
            && self.peek_at(5).kind != TokenKind::Symbol("[")
    }

    fn step_interval(&mut self) -> Read<Interval> {
        self.expect_symbol("[")?;
        let low = self.steps()?;
        self.expect_symbol(",")?;
        let high = self.steps()?;
        self.expect_symbol("]")?;
        Ok(Interval { low, high })
    }

    fn interval(&mut self) -> Read<Interval> {
        let low = self.steps()?;
        self.expect_symbol("..")?;
        let high = self.steps()?;
        Ok(Interval { low, high })
    }

    fn steps(&mut self) -> Read<u32> {
        let token = self.peek();
        if token.kind != TokenKind::Number {
            return self.fail_expected("a number of steps");
        }
        self.advance();
        match self.text_of(token.span).parse() {
            Ok(steps) => Ok(steps),
            Err(_) => self.fail("number-too-large", "too many steps".into(), token.span),
        }
    }
}

fn temporal(keyword: Keyword) -> Option<TemporalOperator> {
    Some(match keyword {
        Keyword::Ex => TemporalOperator::Ex,
        Keyword::Ax => TemporalOperator::Ax,
        Keyword::Ef => TemporalOperator::Ef,
        Keyword::Af => TemporalOperator::Af,
        Keyword::Eg => TemporalOperator::Eg,
        Keyword::Ag => TemporalOperator::Ag,
        Keyword::F => TemporalOperator::F,
        Keyword::G => TemporalOperator::G,
        Keyword::X => TemporalOperator::X,
        Keyword::O => TemporalOperator::O,
        Keyword::H => TemporalOperator::H,
        Keyword::Y => TemporalOperator::Y,
        Keyword::Z => TemporalOperator::Z,
        _ => return None,
    })
}

fn bounded(keyword: Keyword) -> Option<BoundedOperator> {
    Some(match keyword {
        Keyword::Ebf => BoundedOperator::Ebf,
        Keyword::Abf => BoundedOperator::Abf,
        Keyword::Ebg => BoundedOperator::Ebg,
        Keyword::Abg => BoundedOperator::Abg,
        _ => return None,
    })
}
