//! Expressions.
//!
//! Binary operators go over an explicit stack, so that recursion happens only where the author nests; every node's
//! height is checked as it is made.

use super::{Dialect, Parsed, Parser};
use crate::parser::token::{Token, TokenKind};
use crate::tree::{BinaryOp, Expr, ExprKind, Quantifier, UnaryOp};
use crate::{Diagnostic, MAX_DEPTH, Span};

/// Runs of `&&`, `||` or `+` with more operands than this are balanced.
const LONGEST_LEFT_RUN: usize = 32;

impl Parser<'_, '_> {
    /// An expression, with assignments and conditionals, without commas.
    pub(super) fn expression(&mut self) -> Parsed<Expr> {
        let left = self.operators()?;
        if self.eat(TokenKind::Question) {
            let then = self.nested(Self::expression)?;
            self.expect(TokenKind::Colon, "between the two values of `? :`")?;
            // As in C++, the last part may be an assignment.
            let otherwise = self.nested(Self::expression)?;
            let span = left.span.to(otherwise.span);
            let (condition, then, otherwise) =
                (Box::new(left), Box::new(then), Box::new(otherwise));
            return self.checked(
                ExprKind::Conditional {
                    condition,
                    then,
                    otherwise,
                },
                span,
            );
        }
        if let Some(op) = assignment(self.kind()) {
            self.advance();
            let value = self.nested(Self::expression)?;
            let span = left.span.to(value.span);
            return self.checked(
                ExprKind::Assign {
                    op,
                    target: Box::new(left),
                    value: Box::new(value),
                },
                span,
            );
        }
        Ok(left)
    }

    /// `a, b, …`: one expression, a comma expression where there are several.
    pub(super) fn comma_expression(&mut self) -> Parsed<Expr> {
        let mut parts = self.comma_separated(Self::expression)?;
        match (parts.len(), parts.pop()) {
            (1, Some(only)) => Ok(only),
            (_, Some(last)) => {
                let span = parts
                    .first()
                    .map_or(last.span, |first| first.span.to(last.span));
                parts.push(last);
                self.checked(ExprKind::Comma(parts), span)
            }
            (_, None) => Err(self.expected("an expression")),
        }
    }

    /// `a, b, …` where the comma means "and", as in guards and invariants of the old language.
    pub(super) fn conjunction(&mut self) -> Parsed<Expr> {
        let parts = self.comma_separated(Self::expression)?;
        self.join_run(BinaryOp::And, parts)
    }

    /// Operands between binary operators.
    fn operators(&mut self) -> Parsed<Expr> {
        let first = self.unary()?;
        if self.binary_operator().is_none() {
            return Ok(first);
        }
        let mut operands = vec![first];
        let mut waiting: Vec<(BinaryOp, u8)> = Vec::new();
        while let Some((op, level)) = self.binary_operator() {
            self.advance();
            while let Some(&(last, last_level)) = waiting.last() {
                let same_run = last == op && runs(op);
                if last_level < level || same_run {
                    break;
                }
                self.reduce(&mut operands, &mut waiting)?;
            }
            waiting.push((op, level));
            operands.push(self.unary()?);
        }
        while !waiting.is_empty() {
            self.reduce(&mut operands, &mut waiting)?;
        }
        match operands.pop() {
            Some(expr) => Ok(expr),
            None => Err(self.expected("an expression")),
        }
    }

    /// Applies the last waiting operator, and with it those of the same run before it.
    fn reduce(
        &mut self,
        operands: &mut Vec<Expr>,
        waiting: &mut Vec<(BinaryOp, u8)>,
    ) -> Parsed<()> {
        let Some((op, _)) = waiting.pop() else {
            return Ok(());
        };
        let mut length = 2;
        while runs(op) && waiting.last().is_some_and(|&(last, _)| last == op) {
            waiting.pop();
            length += 1;
        }
        let run = operands.split_off(operands.len().saturating_sub(length));
        let joined = self.join_run(op, run)?;
        operands.push(joined);
        Ok(())
    }

    /// Combines operands from left to right; balanced where there are many.
    fn join_run(&mut self, op: BinaryOp, mut operands: Vec<Expr>) -> Parsed<Expr> {
        while operands.len() > LONGEST_LEFT_RUN {
            let mut pairs = Vec::with_capacity(operands.len().div_ceil(2));
            let mut rest = operands.into_iter();
            while let Some(left) = rest.next() {
                pairs.push(match rest.next() {
                    Some(right) => self.binary(op, left, right)?,
                    None => left,
                });
            }
            operands = pairs;
        }
        let mut rest = operands.into_iter();
        let Some(mut joined) = rest.next() else {
            return Err(self.expected("an expression"));
        };
        for right in rest {
            joined = self.binary(op, joined, right)?;
        }
        Ok(joined)
    }

    fn binary(&mut self, op: BinaryOp, left: Expr, right: Expr) -> Parsed<Expr> {
        let span = left.span.to(right.span);
        self.checked(
            ExprKind::Binary {
                op,
                left: Box::new(left),
                right: Box::new(right),
            },
            span,
        )
    }

    /// A node, unless it is too high.
    fn checked(&mut self, kind: ExprKind, span: Span) -> Parsed<Expr> {
        let expr = Expr::new(kind, span);
        if expr.height() <= MAX_DEPTH {
            return Ok(expr);
        }
        let message = format!("this expression is more than {MAX_DEPTH} levels high");
        let diagnostic = Diagnostic::error("too-deep", message, span);
        Err(self.report(diagnostic.with_hint("split it into several expressions or functions")))
    }

    /// Prefix operators and what they apply to.
    fn unary(&mut self) -> Parsed<Expr> {
        let start = self.peek();
        let op = match start.kind {
            TokenKind::Minus => UnaryOp::Negate,
            TokenKind::Plus => UnaryOp::Plus,
            TokenKind::Exclamation | TokenKind::Not => UnaryOp::Not,
            TokenKind::Tilde => UnaryOp::Complement,
            TokenKind::PlusPlus | TokenKind::MinusMinus => {
                self.advance();
                let target = Box::new(self.nested(Self::unary)?);
                let decrement = start.kind == TokenKind::MinusMinus;
                let span = self.span(start).to(target.span);
                return self.checked(
                    ExprKind::Increment {
                        target,
                        decrement,
                        postfix: false,
                    },
                    span,
                );
            }
            TokenKind::Forall => return self.quantified(Quantifier::ForAll),
            TokenKind::Exists => return self.quantified(Quantifier::Exists),
            TokenKind::Name if self.at_binder("sum") => return self.quantified(Quantifier::Sum),
            _ => return self.postfix(),
        };
        self.advance();
        let operand = Box::new(self.nested(Self::unary)?);
        let span = self.span(start).to(operand.span);
        self.checked(ExprKind::Unary { op, operand }, span)
    }

    /// Whether `word ( name :` follows: only then is the word an operator.
    fn at_binder(&mut self, word: &str) -> bool {
        self.at_word(word)
            && self.kind_at(1) == TokenKind::LeftParen
            && self.kind_at(2) == TokenKind::Name
            && self.kind_at(3) == TokenKind::Colon
    }

    /// `forall (name : type) body`, which reaches as far as possible.
    fn quantified(&mut self, quantifier: Quantifier) -> Parsed<Expr> {
        let start = self.advance();
        self.expect(TokenKind::LeftParen, "before the quantified variable")?;
        let variable = self.name("a variable")?;
        self.expect(TokenKind::Colon, "between the variable and its type")?;
        let range = Box::new(self.nested(Self::type_spec)?);
        self.expect(TokenKind::RightParen, "after the quantified variable")?;
        let body = Box::new(self.nested(Self::expression)?);
        let span = self.span(start).to(body.span);
        self.checked(
            ExprKind::Quantified {
                quantifier,
                variable,
                range,
                body,
            },
            span,
        )
    }

    /// A primary expression with everything that follows it: calls, indices, fields, `'`, `++`, `--`.
    pub(super) fn postfix(&mut self) -> Parsed<Expr> {
        let start = self.peek();
        let mut expr = self.primary()?;
        while matches!(
            self.kind(),
            TokenKind::LeftParen
                | TokenKind::LeftBracket
                | TokenKind::Dot
                | TokenKind::Apostrophe
                | TokenKind::PlusPlus
                | TokenKind::MinusMinus
        ) {
            let kind = self.postfix_operator(expr)?;
            let span = self.span_from(start);
            expr = self.checked(kind, span)?;
        }
        Ok(expr)
    }

    fn postfix_operator(&mut self, object: Expr) -> Parsed<ExprKind> {
        let object = Box::new(object);
        Ok(match self.advance().kind {
            TokenKind::LeftParen => {
                let arguments = self.arguments()?;
                ExprKind::Call {
                    function: object,
                    arguments,
                }
            }
            TokenKind::LeftBracket => {
                let index = Box::new(self.nested(Self::expression)?);
                self.expect(TokenKind::RightBracket, "after the index")?;
                ExprKind::Index {
                    array: object,
                    index,
                }
            }
            TokenKind::Dot => {
                let field = self.member()?;
                ExprKind::Field { object, field }
            }
            TokenKind::Apostrophe => ExprKind::Rate(object),
            kind => {
                let decrement = kind == TokenKind::MinusMinus;
                ExprKind::Increment {
                    target: object,
                    decrement,
                    postfix: true,
                }
            }
        })
    }

    /// The arguments of a call and the `)` after them; the `(` has been taken.
    pub(super) fn arguments(&mut self) -> Parsed<Vec<Expr>> {
        if self.eat(TokenKind::RightParen) {
            return Ok(Vec::new());
        }
        let arguments = self.nested(|parser| parser.comma_separated(Self::expression))?;
        self.expect(TokenKind::RightParen, "after the arguments")?;
        Ok(arguments)
    }

    /// The name after a `.`; there a reserved word cannot be anything else.
    fn member(&mut self) -> Parsed<crate::tree::Name> {
        if self.kind().is_reserved() {
            return Ok(self.take_name());
        }
        self.name("the name of a field or location after `.`")
    }

    fn primary(&mut self) -> Parsed<Expr> {
        let token = self.peek();
        let letters = self.letters(token);
        let kind = match token.kind {
            TokenKind::LeftParen => {
                self.advance();
                let mut inner = self.nested(Self::expression)?;
                self.expect(TokenKind::RightParen, "to close the parenthesis")?;
                // Messages that quote an expression quote its brackets too, and so does what it is a part of.
                inner.span = self.span_from(token);
                return Ok(inner);
            }
            TokenKind::Int => self.integer(token)?,
            TokenKind::Double => ExprKind::Double(letters.parse().unwrap_or(f64::NAN)),
            TokenKind::String => ExprKind::String(letters.trim_matches('"').to_string()),
            TokenKind::True => ExprKind::Bool(true),
            TokenKind::False => ExprKind::Bool(false),
            TokenKind::Name if letters == "deadlock" && self.dialect == Dialect::Query => {
                ExprKind::Deadlock
            }
            TokenKind::Name if letters == "spawn" && self.kind_at(1) == TokenKind::Name => {
                return self.spawn();
            }
            TokenKind::Name => ExprKind::Name(letters.to_string()),
            _ => return Err(self.expected("an expression")),
        };
        self.advance();
        Ok(Expr::new(kind, self.span(token)))
    }

    fn integer(&mut self, token: Token) -> Parsed<ExprKind> {
        let letters = self.letters(token);
        let value = match letters
            .strip_prefix("0x")
            .or_else(|| letters.strip_prefix("0X"))
        {
            Some(digits) => i64::from_str_radix(digits, 16),
            None => letters.parse(),
        };
        match value {
            Ok(value) if value <= 1 << 31 => Ok(ExprKind::Int(value)),
            _ => {
                let message = "this number is too large: integers have 32 bits";
                Err(self.report(Diagnostic::error(
                    "number-too-large",
                    message,
                    self.span(token),
                )))
            }
        }
    }

    /// `spawn Template(arguments)`.
    fn spawn(&mut self) -> Parsed<Expr> {
        let start = self.advance();
        self.name("a template")?;
        self.expect(TokenKind::LeftParen, "after the template's name")?;
        self.arguments()?;
        Ok(Expr::new(
            ExprKind::Unsupported {
                what: "spawning a process",
            },
            self.span_from(start),
        ))
    }

    /// The operator that the next token stands for, and its level; higher levels bind tighter, all to the left.
    fn binary_operator(&self) -> Option<(BinaryOp, u8)> {
        Some(match self.kind() {
            TokenKind::BarBar | TokenKind::Or => (BinaryOp::Or, 1),
            TokenKind::Imply => (BinaryOp::Imply, 1),
            TokenKind::Name if self.at_word("xor") => (BinaryOp::Xor, 1),
            TokenKind::AmpersandAmpersand | TokenKind::And => (BinaryOp::And, 2),
            TokenKind::Bar => (BinaryOp::BitOr, 3),
            TokenKind::Caret => (BinaryOp::BitXor, 4),
            TokenKind::Ampersand => (BinaryOp::BitAnd, 5),
            TokenKind::EqualEqual => (BinaryOp::Equal, 6),
            TokenKind::ExclamationEqual => (BinaryOp::NotEqual, 6),
            TokenKind::Less => (BinaryOp::Less, 7),
            TokenKind::LessEqual => (BinaryOp::LessEqual, 7),
            TokenKind::GreaterEqual => (BinaryOp::GreaterEqual, 7),
            TokenKind::Greater => (BinaryOp::Greater, 7),
            TokenKind::Min => (BinaryOp::Min, 8),
            TokenKind::Max => (BinaryOp::Max, 8),
            TokenKind::ShiftLeft => (BinaryOp::ShiftLeft, 9),
            TokenKind::ShiftRight => (BinaryOp::ShiftRight, 9),
            TokenKind::Plus => (BinaryOp::Add, 10),
            TokenKind::Minus => (BinaryOp::Subtract, 10),
            TokenKind::Star => (BinaryOp::Multiply, 11),
            TokenKind::Slash => (BinaryOp::Divide, 11),
            TokenKind::Percent => (BinaryOp::Modulo, 11),
            TokenKind::Power => (BinaryOp::Power, 12),
            _ => return None,
        })
    }
}

/// Whether a run of this operator may be balanced: it is associative.
fn runs(op: BinaryOp) -> bool {
    matches!(op, BinaryOp::And | BinaryOp::Or | BinaryOp::Add)
}

/// The assignment that a token stands for: `Some(None)` for the plain one.
fn assignment(kind: TokenKind) -> Option<Option<BinaryOp>> {
    Some(match kind {
        TokenKind::Assign => None,
        TokenKind::PlusAssign => Some(BinaryOp::Add),
        TokenKind::MinusAssign => Some(BinaryOp::Subtract),
        TokenKind::StarAssign => Some(BinaryOp::Multiply),
        TokenKind::SlashAssign => Some(BinaryOp::Divide),
        TokenKind::PercentAssign => Some(BinaryOp::Modulo),
        TokenKind::AmpersandAssign => Some(BinaryOp::BitAnd),
        TokenKind::BarAssign => Some(BinaryOp::BitOr),
        TokenKind::CaretAssign => Some(BinaryOp::BitXor),
        TokenKind::ShiftLeftAssign => Some(BinaryOp::ShiftLeft),
        TokenKind::ShiftRightAssign => Some(BinaryOp::ShiftRight),
        _ => return None,
    })
}
