//! Boolean operators and `?:`, over data and over formulas with clocks.

use crate::data::memory::then as after;
use crate::data::types::{Type, WIDE};
use crate::data::value::{Form, Value};
use crate::fold;
use crate::naming::scope::Env;
use crate::run::lowerer::Lowerer;
use crate::run::report::Lower;
use merkhet_network::{self as net, Stmt};
use merkhet_syntax::Span;
use merkhet_syntax::tree::{BinaryOp, Expr};

impl Lowerer<'_> {
    pub(super) fn logical(
        &mut self,
        op: BinaryOp,
        (left, left_span): (Value, Span),
        (right, right_span): (Value, Span),
        span: Span,
    ) -> Lower<Value> {
        let first = self.as_form(left, left_span);
        let second = self.as_form(right, right_span);
        let form = match (op, first?, second?) {
            (BinaryOp::And, Form::Data(a), Form::Data(b)) => Form::Data(fold::and([a, b])),
            (BinaryOp::Or, Form::Data(a), Form::Data(b)) => Form::Data(fold::or([a, b])),
            (BinaryOp::Imply, Form::Data(a), Form::Data(b)) => {
                Form::Data(fold::or([a.negated(), b]))
            }
            (BinaryOp::And, a, b) => Form::and([a, b]),
            (BinaryOp::Or, a, b) => Form::or([a, b]),
            (BinaryOp::Imply, a, b) => Form::or([a.negated(), b]),
            (_, a, b) => {
                let site = self.site(span);
                exclusive(a, b, site)
            }
        };
        Ok(from_form(form))
    }

    pub(super) fn conditional(
        &mut self,
        env: &mut Env,
        condition: &Expr,
        then: &Expr,
        otherwise: &Expr,
        span: Span,
    ) -> Lower<Value> {
        let test = self.expression(env, condition);
        let first = self.expression(env, then);
        let second = self.expression(env, otherwise);
        let (test, first, second) = (test?, first?, second?);
        for value in [&test, &first, &second] {
            if let Value::Unsupported(what, span) = value {
                return Ok(Value::Unsupported(what, *span));
            }
        }
        let test = self.as_form(test, condition.span)?;
        let Form::Data(test) = test else {
            // A condition on clocks: only truth values can depend on it.
            let (first, second) = (
                self.as_form(first, then.span)?,
                self.as_form(second, otherwise.span)?,
            );
            let form = Form::and([
                Form::or([test.clone().negated(), first]),
                Form::or([test, second]),
            ]);
            return Ok(from_form(form));
        };
        match (first, second) {
            (Value::Nothing(a), Value::Nothing(b)) => {
                Ok(Value::Nothing(fold::conditional(test, a, b)))
            }
            (Value::Object(a), Value::Object(b)) if a.ty.is_aggregate() => {
                self.conditional_aggregate(test, a, b, span)
            }
            (a, b) if is_formula(&a) || is_formula(&b) => {
                let (a, b) = (
                    self.as_form(a, then.span)?,
                    self.as_form(b, otherwise.span)?,
                );
                let cases = vec![(test.clone(), a), (test.negated(), b)];
                Ok(Value::Formula(Form::Select(cases)))
            }
            (a, b) => {
                let (a, a_type) = self.as_data(a, then.span)?;
                let (b, b_type) = self.as_data(b, otherwise.span)?;
                if !a_type.accepts(&b_type) {
                    return self.error(
                        "type",
                        format!("the two values of `?:` differ in type: `{a_type}` and `{b_type}`"),
                        span,
                    );
                }
                let ty = join(&a_type, &b_type);
                Ok(Value::Data(fold::conditional(test, a, b), ty))
            }
        }
    }

    fn conditional_aggregate(
        &mut self,
        test: net::Expr,
        first: crate::data::object::Object,
        second: crate::data::object::Object,
        span: Span,
    ) -> Lower<Value> {
        if let Some(value) = test.as_const() {
            return Ok(Value::Object(if value != 0 { first } else { second }));
        }
        if !first.ty.accepts(&second.ty) || first.ty.counts().cells == 0 {
            return self.error("type", "the two values of `?:` differ in type", span);
        }
        let mut result = self.temporary(first.ty.clone(), span)?;
        let then = self.copy(&result, &first, span)?;
        let otherwise = self.copy(&result, &second, span)?;
        result.before = vec![Stmt::If {
            condition: test,
            then,
            otherwise,
        }];
        result.mutable = false;
        Ok(Value::Object(result))
    }

    /// `a, b, …`: all evaluated, the last one is the value.
    pub(super) fn comma(&mut self, env: &mut Env, parts: &[Expr], span: Span) -> Lower<Value> {
        let Some((last, first)) = parts.split_last() else {
            return self.error("type", "an empty list of expressions", span);
        };
        let mut before = Vec::new();
        for part in first {
            self.effect(env, part, &mut before)?;
        }
        match self.expression(env, last)? {
            Value::Data(expr, ty) => Ok(Value::Data(after(before, expr), ty)),
            Value::Nothing(expr) => Ok(Value::Nothing(after(before, expr))),
            other => {
                let (expr, ty) = self.as_data(other, last.span)?;
                Ok(Value::Data(after(before, expr), ty))
            }
        }
    }
}

/// A formula as a value: data where there is nothing else in it.
pub(super) fn from_form(form: Form) -> Value {
    match form {
        Form::Data(expr) => Value::Data(expr, Type::Bool),
        form => Value::Formula(form),
    }
}

fn is_formula(value: &Value) -> bool {
    matches!(value, Value::Formula(_))
}

/// The smallest type with all values of both.
fn join(a: &Type, b: &Type) -> Type {
    match (a, b) {
        (Type::Bool, Type::Bool) => Type::Bool,
        (Type::Scalar { .. }, _) => a.clone(),
        _ => match (a.range(), b.range()) {
            (Some((a_low, a_high)), Some((b_low, b_high))) => Type::Int {
                low: a_low.min(b_low),
                high: a_high.max(b_high),
            },
            _ => WIDE,
        },
    }
}

/// Exactly one of two.
pub(super) fn exclusive(a: Form, b: Form, site: net::SiteId) -> Form {
    match (a, b) {
        (Form::Data(a), Form::Data(b)) => Form::Data(fold::binary(
            net::BinaryOp::NotEqual,
            fold::boolean(a),
            fold::boolean(b),
            site,
        )),
        (Form::Data(a), other) | (other, Form::Data(a)) => Form::Select(vec![
            (a.clone().negated(), other.clone()),
            (a, other.negated()),
        ]),
        (a, b) => Form::or([
            Form::and([a.clone(), b.clone().negated()]),
            Form::and([a.negated(), b]),
        ]),
    }
}
