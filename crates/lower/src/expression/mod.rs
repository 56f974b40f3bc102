//! Expressions: from trees with names to values over the flat memory.

mod access;
mod assign;
mod call;
mod clock;
mod compare;
mod logic;
mod quantifier;

pub use clock::negated_constraint;

use crate::data::memory::convert;
use crate::data::object::Object;
use crate::data::types::{Type, WIDE};
use crate::data::value::{ClockTerm, Form, Value};
use crate::fold;
use crate::naming::scope::{Env, Purpose, Symbol};
use crate::run::lowerer::Lowerer;
use crate::run::report::Lower;
use merkhet_network as net;
use merkhet_syntax::Span;
use merkhet_syntax::tree::{BinaryOp, Expr, ExprKind, UnaryOp};

impl Lowerer<'_> {
    /// What an expression means.
    pub fn expression(&mut self, env: &mut Env, expr: &Expr) -> Lower<Value> {
        self.work(expr.span)?;
        let span = expr.span;
        match &expr.kind {
            ExprKind::Int(value) => match i32::try_from(*value) {
                Ok(value) => Ok(number(value)),
                Err(_) => self.error("number-too-large", "this number exceeds 32 bits", span),
            },
            ExprKind::Bool(value) => Ok(Value::Data(net::Expr::Const(*value as i32), Type::Bool)),
            ExprKind::Double(_) => Ok(Value::Unsupported("a floating-point number", span)),
            ExprKind::String(_) => Ok(Value::Unsupported("a string", span)),
            ExprKind::Unsupported { what } => Ok(Value::Unsupported(what, span)),
            ExprKind::Name(name) => self.name(env, name, span),
            ExprKind::Deadlock if env.purpose == Purpose::Query => {
                Ok(Value::Formula(Form::Deadlock))
            }
            ExprKind::Deadlock => {
                self.error("type", "`deadlock` has its place in queries only", span)
            }
            ExprKind::Unary { op, operand } => self.unary(env, *op, operand, span),
            ExprKind::Binary { op, left, right } => self.binary(env, *op, left, right, span),
            ExprKind::Conditional {
                condition,
                then,
                otherwise,
            } => self.conditional(env, condition, then, otherwise, span),
            ExprKind::Index { array, index } => self.index(env, array, index, span),
            ExprKind::Field { object, field } => self.field(env, object, field),
            ExprKind::Call {
                function,
                arguments,
            } => self.call(env, function, arguments, span),
            ExprKind::Rate(clock) => self.rate(env, clock),
            ExprKind::Quantified {
                quantifier,
                variable,
                range,
                body,
            } => self.quantified(env, *quantifier, variable, range, body, span),
            ExprKind::Assign { .. } | ExprKind::Increment { .. } => {
                self.assignment_value(env, expr)
            }
            ExprKind::Comma(parts) => self.comma(env, parts, span),
            ExprKind::Broken => Err(crate::run::report::Reported),
        }
    }

    fn name(&mut self, env: &Env, name: &str, span: Span) -> Lower<Value> {
        match self.lookup(env, name, span)? {
            Symbol::Object(object) => Ok(Value::Object(object)),
            Symbol::Constant(value, ty) => Ok(Value::Data(net::Expr::Const(value), ty)),
            Symbol::Instance(id) => Ok(Value::Instance(id)),
            Symbol::Unsupported(what) => Ok(Value::Unsupported(what, span)),
            Symbol::Type(_) | Symbol::Lattice(_) => self.error(
                "type",
                format!("`{name}` is a type, where a value is expected"),
                span,
            ),
            Symbol::Function(_) => self.error(
                "type",
                format!("`{name}` is a function: its arguments are missing"),
                span,
            ),
            Symbol::Broken => Err(crate::run::report::Reported),
        }
    }

    /// An expression that must be one integer, Boolean or scalar.
    pub fn data(&mut self, env: &mut Env, expr: &Expr) -> Lower<(net::Expr, Type)> {
        let value = self.expression(env, expr)?;
        self.as_data(value, expr.span)
    }

    /// An expression that must be one integer or Boolean.
    pub fn integer(&mut self, env: &mut Env, expr: &Expr) -> Lower<net::Expr> {
        let (value, ty) = self.data(env, expr)?;
        if !ty.is_integral() {
            return self.error(
                "type",
                "an element of a scalar set is not a number",
                expr.span,
            );
        }
        Ok(value)
    }

    /// A value as one integer, Boolean or scalar.
    pub fn as_data(&mut self, value: Value, span: Span) -> Lower<(net::Expr, Type)> {
        let found = match self.as_number(value) {
            Value::Data(expr, ty) => return Ok((expr, ty)),
            Value::Object(object) if object.ty.is_cell() => {
                let ty = object.ty.clone();
                return Ok((self.load(object, span)?, ty));
            }
            Value::Formula(Form::Data(expr)) => return Ok((expr, Type::Bool)),
            Value::Unsupported(what, span) => return self.unsupported(what, span),
            Value::Object(object) => format!("`{}`", object.ty),
            Value::Clock(_) => "a clock".into(),
            Value::Rate(_) | Value::HybridRate(..) => "the rate of a clock".into(),
            Value::Formula(_) => "a clock constraint".into(),
            Value::Instance(_) | Value::Process(_) => "a process".into(),
            Value::Nothing(_) => "a function without result".into(),
        };
        self.error(
            "type",
            format!("an integer or Boolean is expected here, not {found}"),
            span,
        )
    }

    /// A value as a formula.
    pub fn as_form(&mut self, value: Value, span: Span) -> Lower<Form> {
        match value {
            Value::Formula(form) => Ok(form),
            other => {
                let (expr, ty) = self.as_data(other, span)?;
                if !ty.is_integral() {
                    return self.error(
                        "type",
                        "an element of a scalar set is not a truth value",
                        span,
                    );
                }
                Ok(Form::Data(expr))
            }
        }
    }

    /// A value of one cell, converted to a type and checked against its range.
    pub fn fitted(
        &mut self,
        value: net::Expr,
        from: &Type,
        to: &Type,
        span: Span,
    ) -> Lower<net::Expr> {
        if !to.accepts(from) {
            return self.error(
                "type",
                format!("a value of type `{to}` is expected, not `{from}`"),
                span,
            );
        }
        let value = convert(value, from, to);
        if to.contains(from) || *to == Type::Bool {
            return Ok(value);
        }
        let (low, high) = to.range().ok_or(crate::run::report::Reported)?;
        let site = self.site(span);
        Ok(fold::checked(value, low, high, site))
    }

    fn unary(&mut self, env: &mut Env, op: UnaryOp, operand: &Expr, span: Span) -> Lower<Value> {
        if let (UnaryOp::Negate, ExprKind::Int(value)) = (op, &operand.kind)
            && let Ok(value) = i32::try_from(-value)
        {
            return Ok(number(value));
        }
        let value = self.expression(env, operand)?;
        if let Value::Unsupported(..) = value {
            return Ok(value);
        }
        if op == UnaryOp::Not {
            return match self.as_form(value, operand.span)? {
                Form::Data(expr) => {
                    let site = self.site(span);
                    let negated = fold::unary(net::UnaryOp::Not, expr, site);
                    Ok(Value::Data(negated, Type::Bool))
                }
                form => Ok(Value::Formula(form.negated())),
            };
        }
        if let Some(term) = clock_term(&value) {
            return match op {
                UnaryOp::Plus => Ok(Value::Clock(term)),
                UnaryOp::Negate => Ok(Value::Clock(self.negated_term(term, span))),
                _ => self.error("type", "this operator does not apply to clocks", span),
            };
        }
        let (expr, ty) = self.as_data(value, operand.span)?;
        if !ty.is_integral() {
            return self.error("type", "scalars can only be compared and assigned", span);
        }
        let site = self.site(span);
        Ok(match op {
            UnaryOp::Plus => Value::Data(expr, WIDE),
            UnaryOp::Negate => Value::Data(fold::unary(net::UnaryOp::Negate, expr, site), WIDE),
            _ => Value::Data(fold::unary(net::UnaryOp::BitNot, expr, site), WIDE),
        })
    }

    fn binary(
        &mut self,
        env: &mut Env,
        op: BinaryOp,
        left: &Expr,
        right: &Expr,
        span: Span,
    ) -> Lower<Value> {
        let first = self.expression(env, left);
        let second = self.expression(env, right);
        let (first, second) = (first?, second?);
        for value in [&first, &second] {
            if let Value::HybridRate(what, span) = value {
                // Its value is an error wherever it is read, so its rate decides nothing.
                let message = format!("the rate of {what} is left out");
                self.warn(crate::run::report::UNSUPPORTED, message, *span);
                return Ok(Value::Data(net::Expr::TRUE, Type::Bool));
            }
        }
        if let (Value::Rate(clock), Value::Unsupported(..))
        | (Value::Unsupported(..), Value::Rate(clock)) = (&first, &second)
        {
            self.odd_rate(clock, "a rate other than 0 and 1", span)?;
            return Ok(Value::Data(net::Expr::TRUE, Type::Bool));
        }
        for value in [&first, &second] {
            if let Value::Unsupported(what, span) = value {
                return Ok(Value::Unsupported(what, *span));
            }
        }
        if let Value::Object(object) = &first
            && !matches!(&second, Value::Object(other) if other.ty == object.ty)
            && let Some(value) = self.operator(env, Some(op), object, right, span)
        {
            return value;
        }
        use BinaryOp::*;
        match op {
            Or | Xor | Imply | And => {
                self.logical(op, (first, left.span), (second, right.span), span)
            }
            Equal | NotEqual | Less | LessEqual | GreaterEqual | Greater => {
                self.compare(op, (first, left.span), (second, right.span), span)
            }
            Add | Subtract if is_clock(&first) || is_clock(&second) => self.clock_sum(
                op == Subtract,
                (first, left.span),
                (second, right.span),
                span,
            ),
            _ => self.arithmetic(op, (first, left.span), (second, right.span), span),
        }
    }

    fn arithmetic(
        &mut self,
        op: BinaryOp,
        (left, left_span): (Value, Span),
        (right, right_span): (Value, Span),
        span: Span,
    ) -> Lower<Value> {
        let first = self.as_data(left, left_span);
        let second = self.as_data(right, right_span);
        let ((left, left_type), (right, right_type)) = (first?, second?);
        if !left_type.is_integral() || !right_type.is_integral() {
            return self.error("type", "scalars can only be compared and assigned", span);
        }
        let site = self.site(span);
        let value = fold::binary(arithmetic_op(op), left, right, site);
        let ty = match value {
            net::Expr::Const(value) => Type::Int {
                low: value,
                high: value,
            },
            _ => WIDE,
        };
        Ok(Value::Data(value, ty))
    }
}

/// A literal.
pub fn number(value: i32) -> Value {
    let ty = Type::Int {
        low: value,
        high: value,
    };
    Value::Data(net::Expr::Const(value), ty)
}

/// Whether a value is a clock or a sum with one.
fn is_clock(value: &Value) -> bool {
    match value {
        Value::Clock(_) => true,
        Value::Object(object) => object.ty == Type::Clock,
        _ => false,
    }
}

/// A clock or a sum with one, as a term.
fn clock_term(value: &Value) -> Option<ClockTerm> {
    match value {
        Value::Clock(term) => Some(term.clone()),
        Value::Object(
            object @ Object {
                ty: Type::Clock, ..
            },
        ) => Some(ClockTerm {
            plus: Some(object.clone()),
            minus: None,
            offset: net::Expr::Const(0),
        }),
        _ => None,
    }
}

/// The network's operator for arithmetic and comparisons.
fn arithmetic_op(op: BinaryOp) -> net::BinaryOp {
    match op {
        BinaryOp::Add => net::BinaryOp::Add,
        BinaryOp::Subtract => net::BinaryOp::Subtract,
        BinaryOp::Multiply => net::BinaryOp::Multiply,
        BinaryOp::Divide => net::BinaryOp::Divide,
        BinaryOp::Modulo => net::BinaryOp::Remainder,
        BinaryOp::Power => net::BinaryOp::Power,
        BinaryOp::BitAnd => net::BinaryOp::BitAnd,
        BinaryOp::BitOr => net::BinaryOp::BitOr,
        BinaryOp::BitXor => net::BinaryOp::BitXor,
        BinaryOp::ShiftLeft => net::BinaryOp::ShiftLeft,
        BinaryOp::ShiftRight => net::BinaryOp::ShiftRight,
        BinaryOp::Min => net::BinaryOp::Minimum,
        BinaryOp::Max => net::BinaryOp::Maximum,
        BinaryOp::Less => net::BinaryOp::Less,
        BinaryOp::LessEqual => net::BinaryOp::LessEqual,
        BinaryOp::Equal => net::BinaryOp::Equal,
        BinaryOp::NotEqual => net::BinaryOp::NotEqual,
        BinaryOp::GreaterEqual => net::BinaryOp::GreaterEqual,
        BinaryOp::Greater => net::BinaryOp::Greater,
        // The logical operators never come here.
        BinaryOp::Or | BinaryOp::Imply => net::BinaryOp::Maximum,
        BinaryOp::Xor => net::BinaryOp::NotEqual,
        BinaryOp::And => net::BinaryOp::Minimum,
    }
}
