//! Reads expressions by recursive descent.
//!
//! From weak to strong: `||` (goals), `&&`, `!`, comparisons, `+ -`, `* / %`, unary `-`. As in TChecker's grammar `!`
//! takes a whole comparison: `!a == b` is `!(a == b)`.

use super::token::{Token, name, tokenize};
use super::tree::{Expression, ExpressionKind, Operator};
use merkhet_syntax::Diagnostics;
use merkhet_syntax::{Diagnostic, FileId, MAX_DEPTH, Span};

/// A part could not be read; the reason has been reported.
pub(super) struct Broken;

pub(super) type Parsed<T> = Result<T, Broken>;

/// Reads one attribute's text, or one goal.
pub(super) struct Parser<'d> {
    tokens: Vec<(Token, Span)>,
    position: usize,
    depth: u16,
    goal: bool,
    pub(super) diagnostics: &'d mut Diagnostics,
}

impl<'d> Parser<'d> {
    /// A parser of the text that starts at `base` in its file.
    pub(super) fn new(
        file: FileId,
        text: &str,
        base: usize,
        goal: bool,
        diagnostics: &'d mut Diagnostics,
    ) -> Parser<'d> {
        let tokens = tokenize(file, text, base, goal, diagnostics);
        Parser {
            tokens,
            position: 0,
            depth: 0,
            goal,
            diagnostics,
        }
    }

    /// The next token. The list ends with [`Token::End`], which is never passed.
    pub(super) fn peek(&self) -> &Token {
        &self.tokens[self.position].0
    }

    pub(super) fn here(&self) -> Span {
        self.tokens[self.position].1
    }

    /// The span of the token before.
    pub(super) fn before(&self) -> Span {
        self.tokens[self.position.saturating_sub(1)].1
    }

    pub(super) fn advance(&mut self) {
        self.position = (self.position + 1).min(self.tokens.len() - 1);
    }

    pub(super) fn take_symbol(&mut self, symbol: &'static str) -> bool {
        let found = *self.peek() == Token::Symbol(symbol);
        if found {
            self.advance();
        }
        found
    }

    pub(super) fn take_keyword(&mut self, keyword: &'static str) -> bool {
        let found = *self.peek() == Token::Keyword(keyword);
        if found {
            self.advance();
        }
        found
    }

    pub(super) fn expect_symbol(&mut self, symbol: &'static str) -> Parsed<()> {
        if self.take_symbol(symbol) {
            Ok(())
        } else {
            self.fail_expected(&format!("`{symbol}`"))
        }
    }

    pub(super) fn expect_keyword(&mut self, keyword: &'static str) -> Parsed<()> {
        if self.take_keyword(keyword) {
            Ok(())
        } else {
            self.fail_expected(&format!("`{keyword}`"))
        }
    }

    pub(super) fn fail_expected<T>(&mut self, what: &str) -> Parsed<T> {
        let message = format!("expected {what}, found {}", self.peek().show());
        let span = self.here();
        self.diagnostics
            .push(Diagnostic::error("expected-token", message, span));
        Err(Broken)
    }

    /// Everything must have been read.
    pub(super) fn end(&mut self) -> Parsed<()> {
        if *self.peek() == Token::End {
            return Ok(());
        }
        if *self.peek() == Token::Symbol("||") {
            let diagnostic = Diagnostic::error(
                "no-disjunction",
                "the language has no `||` in models",
                self.here(),
            );
            self.diagnostics
                .push(diagnostic.with_hint("write an edge for each case"));
            return Err(Broken);
        }
        self.fail_expected("the end of the expression")
    }

    /// Runs `read` one level deeper, unless that is too deep.
    pub(super) fn nested<T>(&mut self, read: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        if self.depth >= MAX_DEPTH {
            return self.fail_depth(self.here());
        }
        self.depth += 1;
        let result = read(self);
        self.depth -= 1;
        result
    }

    fn fail_depth<T>(&mut self, span: Span) -> Parsed<T> {
        let message = format!("nested more than {MAX_DEPTH} deep");
        self.diagnostics
            .push(Diagnostic::error("too-deep", message, span));
        Err(Broken)
    }

    fn build(&mut self, kind: ExpressionKind, span: Span) -> Parsed<Expression> {
        let below = match &kind {
            ExpressionKind::Integer(_) | ExpressionKind::Name(_) => 0,
            ExpressionKind::Index(_, a) | ExpressionKind::Negate(a) | ExpressionKind::Not(a) => {
                a.height
            }
            ExpressionKind::Binary(_, a, b) => a.height.max(b.height),
            ExpressionKind::Conditional(a, b, c) => a.height.max(b.height).max(c.height),
            ExpressionKind::Conjunction(list) | ExpressionKind::Disjunction(list) => {
                list.iter().map(|e| e.height).max().unwrap_or(0)
            }
        };
        if below >= MAX_DEPTH {
            return self.fail_depth(span);
        }
        Ok(Expression {
            kind,
            span,
            height: below + 1,
        })
    }

    /// A whole formula.
    pub(super) fn formula(&mut self) -> Parsed<Expression> {
        if self.goal {
            self.chain(
                &["||", "or"],
                Self::conjunction,
                ExpressionKind::Disjunction,
            )
        } else {
            self.conjunction()
        }
    }

    fn conjunction(&mut self) -> Parsed<Expression> {
        self.chain(&["&&", "and"], Self::negation, ExpressionKind::Conjunction)
    }

    /// A flat chain of parts joined by the symbol or keyword.
    fn chain(
        &mut self,
        joints: &[&'static str; 2],
        part: fn(&mut Self) -> Parsed<Expression>,
        make: fn(Vec<Expression>) -> ExpressionKind,
    ) -> Parsed<Expression> {
        let first = part(self)?;
        let mut parts = vec![first];
        while self.take_symbol(joints[0]) || self.take_keyword(joints[1]) {
            parts.push(part(self)?);
        }
        let span = parts[0].span.to(parts[parts.len() - 1].span);
        match parts.len() {
            1 => Ok(parts.remove(0)),
            _ => self.build(make(parts), span),
        }
    }

    fn negation(&mut self) -> Parsed<Expression> {
        let start = self.here();
        if self.take_symbol("!") || self.take_keyword("not") {
            let inner = self.nested(Self::negation)?;
            let span = start.to(inner.span);
            return self.build(ExpressionKind::Not(Box::new(inner)), span);
        }
        self.comparison()
    }

    /// `a < b`, or `a < b <= c`, which stands for `a < b && b <= c`.
    fn comparison(&mut self) -> Parsed<Expression> {
        let left = self.term()?;
        let Some(operator) = self.comparison_operator() else {
            return Ok(left);
        };
        let middle = self.term()?;
        let Some(second) = self.comparison_operator() else {
            return self.binary(operator, left, middle);
        };
        let right = self.term()?;
        let upward = |operator| matches!(operator, Operator::Less | Operator::LessEqual);
        if !upward(operator) || !upward(second) {
            let message = "only `<` and `<=` can be combined";
            let span = left.span.to(right.span);
            self.diagnostics
                .push(Diagnostic::error("combined-comparison", message, span));
            return Err(Broken);
        }
        let span = left.span.to(right.span);
        let first = self.binary(operator, left, middle.clone())?;
        let last = self.binary(second, middle, right)?;
        self.build(ExpressionKind::Conjunction(vec![first, last]), span)
    }

    fn comparison_operator(&mut self) -> Option<Operator> {
        let operator = match self.peek() {
            Token::Symbol("<") => Operator::Less,
            Token::Symbol("<=") => Operator::LessEqual,
            Token::Symbol("==") => Operator::Equal,
            Token::Symbol("!=") => Operator::NotEqual,
            Token::Symbol(">=") => Operator::GreaterEqual,
            Token::Symbol(">") => Operator::Greater,
            _ => return None,
        };
        self.advance();
        Some(operator)
    }

    fn binary(
        &mut self,
        operator: Operator,
        left: Expression,
        right: Expression,
    ) -> Parsed<Expression> {
        let span = left.span.to(right.span);
        let kind = ExpressionKind::Binary(operator, Box::new(left), Box::new(right));
        self.build(kind, span)
    }

    /// A sum.
    pub(super) fn term(&mut self) -> Parsed<Expression> {
        let mut left = self.product()?;
        loop {
            let operator = match self.peek() {
                Token::Symbol("+") => Operator::Add,
                Token::Symbol("-") => Operator::Subtract,
                _ => return Ok(left),
            };
            self.advance();
            let right = self.product()?;
            left = self.binary(operator, left, right)?;
        }
    }

    fn product(&mut self) -> Parsed<Expression> {
        let mut left = self.factor()?;
        loop {
            let operator = match self.peek() {
                Token::Symbol("*") => Operator::Multiply,
                Token::Symbol("/") => Operator::Divide,
                Token::Symbol("%") => Operator::Remainder,
                _ => return Ok(left),
            };
            self.advance();
            let right = self.factor()?;
            left = self.binary(operator, left, right)?;
        }
    }

    fn factor(&mut self) -> Parsed<Expression> {
        let start = self.here();
        if self.take_symbol("-") {
            let inner = self.nested(Self::factor)?;
            let span = start.to(inner.span);
            return self.build(ExpressionKind::Negate(Box::new(inner)), span);
        }
        if self.take_symbol("(") {
            return self.nested(|parser| parser.bracketed(start));
        }
        match self.peek().clone() {
            Token::Integer(value) => {
                self.advance();
                self.build(ExpressionKind::Integer(value), start)
            }
            Token::Name(_) => self.place(),
            _ => self.fail_expected("an expression"),
        }
    }

    /// What follows an opening bracket: a formula, or `if c then a else b`.
    fn bracketed(&mut self, start: Span) -> Parsed<Expression> {
        if !self.take_keyword("if") {
            let mut inner = self.formula()?;
            self.expect_symbol(")")?;
            inner.span = start.to(self.before());
            return Ok(inner);
        }
        let condition = self.formula()?;
        self.expect_keyword("then")?;
        let then = self.term()?;
        self.expect_keyword("else")?;
        let otherwise = self.term()?;
        self.expect_symbol(")")?;
        let span = start.to(self.before());
        let kind =
            ExpressionKind::Conditional(Box::new(condition), Box::new(then), Box::new(otherwise));
        self.build(kind, span)
    }

    /// A name, with an index in square brackets or not.
    pub(super) fn place(&mut self) -> Parsed<Expression> {
        let start = self.here();
        let Token::Name(text) = self.peek().clone() else {
            return self.fail_expected("a variable");
        };
        self.advance();
        if !self.take_symbol("[") {
            return self.build(ExpressionKind::Name(text), start);
        }
        let index = self.nested(Self::term)?;
        self.expect_symbol("]")?;
        let span = start.to(self.before());
        self.build(
            ExpressionKind::Index(name(&text, start), Box::new(index)),
            span,
        )
    }
}
