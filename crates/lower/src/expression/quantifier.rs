//! `forall`, `exists` and `sum`: loops over data; unrolled where clocks or processes depend on the variable.

use super::logic;
use crate::data::object::Object;
use crate::data::types::{Type, WIDE};
use crate::data::value::{Form, Value};
use crate::fold;
use crate::naming::scope::{Env, Symbol};
use crate::run::lowerer::Lowerer;
use crate::run::report::Lower;
use merkhet_network as net;
use merkhet_syntax::Span;
use merkhet_syntax::tree::{Expr, ExprKind, Name, Quantifier, TypeSpec};

impl Lowerer<'_> {
    pub(super) fn quantified(
        &mut self,
        env: &mut Env,
        quantifier: Quantifier,
        variable: &Name,
        range: &TypeSpec,
        body: &Expr,
        span: Span,
    ) -> Lower<Value> {
        let (ty, low, high) = self.loop_range(env, range)?;
        let depth = env.locals.len();
        let value = if self.needs_unrolling(env, &mut vec![&variable.text], body) {
            self.unrolled(env, quantifier, variable, (&ty, low, high), body, span)
        } else {
            self.looped(env, quantifier, variable, (&ty, low, high), body, span)
        };
        env.locals.truncate(depth);
        value
    }

    /// The type that a variable of a quantifier, loop or select runs over, and its first and last value.
    pub fn loop_range(&mut self, env: &mut Env, range: &TypeSpec) -> Lower<(Type, i32, i32)> {
        let ty = self.type_spec(env, range)?;
        match ty.range() {
            Some((low, high)) => Ok((ty, low, high)),
            None => self.error(
                "type",
                format!("a bounded integer or scalar type is expected here, not `{ty}`"),
                range.span,
            ),
        }
    }

    fn looped(
        &mut self,
        env: &mut Env,
        quantifier: Quantifier,
        variable: &Name,
        (ty, low, high): (&Type, i32, i32),
        body: &Expr,
        span: Span,
    ) -> Lower<Value> {
        let cell = self.local_cells(&variable.text, ty, variable.span)?;
        let object = Object::in_memory(ty.clone(), cell, false);
        env.locals
            .push((variable.text.clone(), Symbol::Object(object)));
        let value = self.expression(env, body)?;
        if let Value::Unsupported(..) = value {
            return Ok(value);
        }
        let (body_value, body_type) = self.as_data(value, body.span)?;
        if !body_type.is_integral() {
            return self.error(
                "type",
                "the body of a quantifier is an integer or Boolean",
                body.span,
            );
        }
        let (quantifier, result) = match quantifier {
            Quantifier::ForAll => (net::Quantifier::Forall, Type::Bool),
            Quantifier::Exists => (net::Quantifier::Exists, Type::Bool),
            Quantifier::Sum => (net::Quantifier::Sum, WIDE),
        };
        let expr = net::Expr::Quantified {
            quantifier,
            variable: cell,
            low,
            high,
            body: Box::new(body_value),
            site: self.site(span),
        };
        Ok(Value::Data(expr, result))
    }

    fn unrolled(
        &mut self,
        env: &mut Env,
        quantifier: Quantifier,
        variable: &Name,
        (ty, low, high): (&Type, i32, i32),
        body: &Expr,
        span: Span,
    ) -> Lower<Value> {
        self.unroll((high as i64 - low as i64 + 1).max(0) as u64, span)?;
        let depth = env.locals.len();
        let mut forms = Vec::new();
        let mut terms = Vec::new();
        for value in low..=high {
            env.locals.truncate(depth);
            let symbol = Symbol::Constant(value, ty.clone());
            env.locals.push((variable.text.clone(), symbol));
            let value = self.expression(env, body)?;
            if let Value::Unsupported(..) = value {
                return Ok(value);
            }
            match quantifier {
                Quantifier::Sum => terms.push(self.as_data(value, body.span)?.0),
                _ => forms.push(self.as_form(value, body.span)?),
            }
        }
        let all_data = forms.iter().all(|form| form.as_data().is_some());
        let data = |forms: Vec<Form>| {
            forms.into_iter().filter_map(|form| match form {
                Form::Data(expr) => Some(expr),
                _ => None,
            })
        };
        Ok(match quantifier {
            Quantifier::Sum => {
                let site = self.site(span);
                Value::Data(fold::sum_all(terms, site), WIDE)
            }
            Quantifier::ForAll if all_data => Value::Data(fold::and(data(forms)), Type::Bool),
            Quantifier::Exists if all_data => Value::Data(fold::or(data(forms)), Type::Bool),
            Quantifier::ForAll => logic::from_form(Form::and(forms)),
            Quantifier::Exists => logic::from_form(Form::or(forms)),
        })
    }

    /// Whether clocks, processes or `deadlock` occur in an expression; `bound` are names that quantifiers inside bind.
    fn needs_unrolling<'e>(&self, env: &Env, bound: &mut Vec<&'e str>, expr: &'e Expr) -> bool {
        match &expr.kind {
            ExprKind::Deadlock => true,
            ExprKind::Name(name) => {
                !bound.contains(&name.as_str())
                    && match self.resolve(env, name) {
                        Some(Symbol::Instance(_)) => true,
                        Some(Symbol::Object(object)) => object.ty.counts().clocks > 0,
                        _ => false,
                    }
            }
            ExprKind::Quantified { variable, body, .. } => {
                bound.push(&variable.text);
                let found = self.needs_unrolling(env, bound, body);
                bound.pop();
                found
            }
            kind => {
                let mut found = false;
                kind.for_each_child(|child| {
                    found = found || self.needs_unrolling(env, bound, child);
                });
                found
            }
        }
    }
}
