//! Expressions: names resolved, clocks told from integers, constants folded.

use super::names::Symbol;
use super::{Broken, Lower};
use merkhet_network::{
    Address, BinaryOp, ClockId, ClockPlace, Expr, Index, Network, Place, Region, SiteId, UnaryOp,
};
use merkhet_syntax::{Diagnostic, Span, nearest_name};
use merkhet_tck::tree::{Expression, ExpressionKind, Name, Operator};
use rustc_hash::FxHashMap;

/// What an expression denotes.
pub(super) enum Value {
    /// An integer.
    Data(Expr),
    /// A clock.
    Clock(ClockTerm),
    /// The difference of two clocks.
    Difference(ClockTerm, ClockTerm),
    /// A clock plus an integer.
    Sum(ClockTerm, Expr),
}

/// A clock, possibly an element of an array with an index known at run time only.
#[derive(Clone)]
pub(super) struct ClockTerm {
    pub(super) base: ClockId,
    pub(super) index: Option<(Expr, u32)>,
}

impl ClockTerm {
    /// The clock as the target of a reset.
    pub(super) fn place(self, site: SiteId) -> ClockPlace {
        ClockPlace {
            base: self.base,
            indices: self
                .index
                .into_iter()
                .map(|(value, length)| Index {
                    value,
                    stride: 1,
                    length,
                    site,
                })
                .collect(),
        }
    }

    /// Each clock that it may be, with the condition for that (none if it is a fixed one).
    pub(super) fn cases(&self, site: SiteId) -> Vec<(ClockId, Option<Expr>)> {
        let Some((index, length)) = &self.index else {
            return vec![(self.base, None)];
        };
        let checked = Expr::Checked {
            value: Box::new(index.clone()),
            low: 0,
            high: *length as i32 - 1,
            site,
        };
        let case = |k: u32| {
            let condition = Expr::binary(BinaryOp::Equal, checked.clone(), Expr::Const(k as i32));
            (ClockId(self.base.0 + k), Some(condition))
        };
        (0..*length).map(case).collect()
    }
}

/// Translates the expressions of one guard, invariant, update or goal.
pub(super) struct Translator<'a> {
    pub(super) network: &'a Network,
    pub(super) symbols: &'a FxHashMap<String, Symbol>,
    /// Local variables, innermost last.
    pub(super) locals: Vec<(String, Symbol)>,
    /// Where faults are said to happen.
    pub(super) site: SiteId,
    pub(super) diagnostics: Vec<Diagnostic>,
}

impl<'a> Translator<'a> {
    pub(super) fn new(
        network: &'a Network,
        symbols: &'a FxHashMap<String, Symbol>,
        site: SiteId,
    ) -> Translator<'a> {
        Translator {
            network,
            symbols,
            locals: Vec::new(),
            site,
            diagnostics: Vec::new(),
        }
    }

    pub(super) fn fail<T>(
        &mut self,
        code: &'static str,
        message: impl Into<String>,
        span: Span,
    ) -> Lower<T> {
        self.diagnostics
            .push(Diagnostic::error(code, message, span));
        Err(Broken)
    }

    /// The symbol of a name.
    pub(super) fn symbol(&mut self, name: &str, span: Span) -> Lower<Symbol> {
        let local = self.locals.iter().rev().find(|(local, _)| local == name);
        if let Some((_, symbol)) = local {
            return Ok(*symbol);
        }
        if let Some(symbol) = self.symbols.get(name) {
            return Ok(*symbol);
        }
        let candidates = self.symbols.keys().map(String::as_str);
        let locals = self.locals.iter().map(|(name, _)| name.as_str());
        let suggestion = nearest_name(name, candidates.chain(locals));
        let message = format!("there is no variable or clock `{name}`");
        let diagnostic = Diagnostic::error("unknown-name", message, span);
        self.diagnostics
            .push(diagnostic.with_suggestion(suggestion));
        Err(Broken)
    }

    /// An integer.
    pub(super) fn data(&mut self, expression: &Expression) -> Lower<Expr> {
        match self.value(expression)? {
            Value::Data(expr) => Ok(expr),
            _ => self.fail(
                "clock-as-integer",
                "an integer is expected here, no clock",
                expression.span,
            ),
        }
    }

    /// Whatever the expression denotes.
    pub(super) fn value(&mut self, expression: &Expression) -> Lower<Value> {
        let span = expression.span;
        match &expression.kind {
            ExpressionKind::Integer(value) => Ok(Value::Data(Expr::Const(*value))),
            ExpressionKind::Name(name) => self.named(name, span),
            ExpressionKind::Index(name, index) => self.indexed(name, index, span),
            ExpressionKind::Negate(inner) => {
                let inner = self.data(inner)?;
                self.unary(UnaryOp::Negate, inner, span).map(Value::Data)
            }
            ExpressionKind::Not(inner) => {
                let inner = self.data(inner)?;
                Ok(Value::Data(inner.negated()))
            }
            ExpressionKind::Binary(operator, left, right) => {
                self.binary(*operator, left, right, span)
            }
            ExpressionKind::Conjunction(parts) => {
                let parts: Lower<Vec<Expr>> = parts.iter().map(|part| self.data(part)).collect();
                Ok(Value::Data(Expr::And(parts?)))
            }
            ExpressionKind::Disjunction(parts) => {
                let parts: Lower<Vec<Expr>> = parts.iter().map(|part| self.data(part)).collect();
                Ok(Value::Data(Expr::Or(parts?)))
            }
            ExpressionKind::Conditional(condition, then, otherwise) => {
                let condition = self.data(condition)?;
                let then = self.data(then)?;
                let otherwise = self.data(otherwise)?;
                Ok(Value::Data(match condition.as_const() {
                    Some(0) => otherwise,
                    Some(_) => then,
                    None => {
                        Expr::Conditional(Box::new(condition), Box::new(then), Box::new(otherwise))
                    }
                }))
            }
        }
    }

    fn named(&mut self, name: &str, span: Span) -> Lower<Value> {
        let symbol = self.symbol(name, span)?;
        let (Symbol::Int { length, .. } | Symbol::Clock { length, .. }) = symbol;
        if length > 1 {
            let message = format!("`{name}` is an array: an index is needed");
            return self.fail("missing-index", message, span);
        }
        Ok(element(symbol, Expr::Const(0), self.site))
    }

    fn indexed(&mut self, name: &Name, index: &Expression, span: Span) -> Lower<Value> {
        let symbol = self.symbol(&name.text, name.span)?;
        let (Symbol::Int { length, .. } | Symbol::Clock { length, .. }) = symbol;
        let offset = self.data(index)?;
        if let Some(value) = offset.as_const()
            && !(0..length as i64).contains(&i64::from(value))
        {
            let message = format!(
                "`{}` has the elements 0 to {}, but no {value}",
                name.text,
                length - 1
            );
            return self.fail("index-out-of-range", message, span);
        }
        Ok(element(symbol, offset, self.site))
    }

    fn unary(&mut self, op: UnaryOp, inner: Expr, span: Span) -> Lower<Expr> {
        match (op, inner.as_const()) {
            (UnaryOp::Negate, Some(value)) => match value.checked_neg() {
                Some(value) => Ok(Expr::Const(value)),
                None => self.overflow(span),
            },
            _ => Ok(Expr::Unary(op, Box::new(inner), self.site)),
        }
    }

    fn overflow<T>(&mut self, span: Span) -> Lower<T> {
        self.fail("overflow", "the value does not fit 32 bits", span)
    }

    fn binary(
        &mut self,
        operator: Operator,
        left: &Expression,
        right: &Expression,
        span: Span,
    ) -> Lower<Value> {
        match (self.value(left)?, operator, self.value(right)?) {
            (Value::Data(a), _, Value::Data(b)) => {
                self.arithmetic(operator, a, b, span).map(Value::Data)
            }
            (Value::Clock(a), Operator::Subtract, Value::Clock(b)) => Ok(Value::Difference(a, b)),
            (Value::Clock(a), Operator::Add, Value::Data(b))
            | (Value::Data(b), Operator::Add, Value::Clock(a)) => Ok(Value::Sum(a, b)),
            (_, operator, _) if operator.is_comparison() => self.fail(
                "clock-condition",
                "a condition on clocks can only be a conjunct of a guard, an invariant or a goal",
                span,
            ),
            _ => self.fail("bad-clock-operation", "clocks cannot be used so", span),
        }
    }

    /// An operation on integers, folded if both are known.
    pub(super) fn arithmetic(
        &mut self,
        operator: Operator,
        left: Expr,
        right: Expr,
        span: Span,
    ) -> Lower<Expr> {
        let (Some(a), Some(b)) = (left.as_const(), right.as_const()) else {
            return Ok(Expr::Binary(
                network_operator(operator),
                Box::new(left),
                Box::new(right),
                self.site,
            ));
        };
        let truth = |value: bool| Some(i32::from(value));
        let folded = match operator {
            Operator::Add => a.checked_add(b),
            Operator::Subtract => a.checked_sub(b),
            Operator::Multiply => a.checked_mul(b),
            Operator::Divide | Operator::Remainder if b == 0 => {
                return self.fail("division-by-zero", "a division by zero", span);
            }
            Operator::Divide => a.checked_div(b),
            Operator::Remainder => a.checked_rem(b),
            Operator::Less => truth(a < b),
            Operator::LessEqual => truth(a <= b),
            Operator::Equal => truth(a == b),
            Operator::NotEqual => truth(a != b),
            Operator::GreaterEqual => truth(a >= b),
            Operator::Greater => truth(a > b),
        };
        match folded {
            Some(value) => Ok(Expr::Const(value)),
            None => self.overflow(span),
        }
    }

    /// The negation of a number.
    pub(super) fn negate(&mut self, value: Expr, span: Span) -> Lower<Expr> {
        self.unary(UnaryOp::Negate, value, span)
    }
}

/// The element of an array (of a single variable: 0).
fn element(symbol: Symbol, index: Expr, site: SiteId) -> Value {
    match (symbol, index.as_const()) {
        (Symbol::Int { base, .. }, Some(k)) => Value::Data(Expr::load(base.plus(k as u32))),
        (Symbol::Int { base, length, .. }, None) => Value::Data(Expr::Load(Place {
            base,
            indices: vec![Index {
                value: index,
                stride: 1,
                length,
                site,
            }],
        })),
        (Symbol::Clock { base, .. }, Some(k)) => Value::Clock(ClockTerm {
            base: ClockId(base.0 + k as u32),
            index: None,
        }),
        (Symbol::Clock { base, length }, None) => Value::Clock(ClockTerm {
            base,
            index: Some((index, length)),
        }),
    }
}

fn network_operator(operator: Operator) -> BinaryOp {
    match operator {
        Operator::Add => BinaryOp::Add,
        Operator::Subtract => BinaryOp::Subtract,
        Operator::Multiply => BinaryOp::Multiply,
        Operator::Divide => BinaryOp::Divide,
        Operator::Remainder => BinaryOp::Remainder,
        Operator::Less => BinaryOp::Less,
        Operator::LessEqual => BinaryOp::LessEqual,
        Operator::Equal => BinaryOp::Equal,
        Operator::NotEqual => BinaryOp::NotEqual,
        Operator::GreaterEqual => BinaryOp::GreaterEqual,
        Operator::Greater => BinaryOp::Greater,
    }
}

/// A cell of a local variable.
pub(super) fn local_cell(offset: u32) -> Address {
    Address {
        region: Region::Local,
        offset,
    }
}
