//! Assignments, `++` and `--`, and expressions evaluated for their effect.

use crate::data::memory::{convert, then};
use crate::data::object::Object;
use crate::data::types::{Type, WIDE};
use crate::data::value::Value;
use crate::fold;
use crate::naming::scope::{Env, Purpose, Symbol};
use crate::run::lowerer::Lowerer;
use crate::run::report::{Lower, UNSUPPORTED};
use merkhet_network::{self as net, Expr as NetExpr, Place, Stmt};
use merkhet_syntax::Span;
use merkhet_syntax::tree::{BinaryOp, Expr, ExprKind};

/// The pieces of an assignment.
struct Assignment<'e> {
    target: &'e Expr,
    op: Option<BinaryOp>,
    /// `None` is the 1 of `++` and `--`.
    value: Option<&'e Expr>,
    span: Span,
}

impl Lowerer<'_> {
    /// Statements for an expression that is evaluated for its effect.
    pub fn effect(&mut self, env: &mut Env, expr: &Expr, out: &mut Vec<Stmt>) -> Lower<()> {
        match &expr.kind {
            ExprKind::Assign { .. } | ExprKind::Increment { .. } => {
                self.assign(env, expr, out).map(|_| ())
            }
            ExprKind::Comma(parts) => {
                let mut result = Ok(());
                for part in parts {
                    result = result.and(self.effect(env, part, out));
                }
                result
            }
            ExprKind::Conditional {
                condition,
                then,
                otherwise,
            } => {
                let test = self.integer(env, condition);
                let (mut yes, mut no) = (Vec::new(), Vec::new());
                let first = self.effect(env, then, &mut yes);
                let second = self.effect(env, otherwise, &mut no);
                let condition = test?;
                first?;
                second?;
                out.push(Stmt::If {
                    condition,
                    then: yes,
                    otherwise: no,
                });
                Ok(())
            }
            _ => self.evaluated(env, expr, out),
        }
    }

    fn evaluated(&mut self, env: &mut Env, expr: &Expr, out: &mut Vec<Stmt>) -> Lower<()> {
        let value = match self.expression(env, expr)? {
            Value::Nothing(value) | Value::Data(value, _) => value,
            Value::Object(object) if object.ty.is_aggregate() => {
                out.extend(object.before);
                return Ok(());
            }
            Value::Object(Object {
                ty: Type::Clock, ..
            })
            | Value::Formula(_) => NetExpr::TRUE,
            Value::Unsupported(what, span) => return self.unsupported(what, span),
            other => self.as_data(other, expr.span)?.0,
        };
        if !contains_call(&value) {
            self.warn("no-effect", "this expression has no effect", expr.span);
        }
        if value.as_const().is_none() {
            out.push(Stmt::Evaluate(value));
        }
        Ok(())
    }

    /// An assignment whose value is used.
    pub(super) fn assignment_value(&mut self, env: &mut Env, expr: &Expr) -> Lower<Value> {
        let mut before = Vec::new();
        let postfix = matches!(expr.kind, ExprKind::Increment { postfix: true, .. });
        let Some((object, old)) = self.assign_keeping(env, expr, postfix, &mut before)? else {
            return Ok(Value::Nothing(then(before, NetExpr::Const(0))));
        };
        match old {
            Some(old) => Ok(Value::Data(then(before, old), object.ty)),
            None if object.ty.is_cell() => {
                let ty = object.ty.clone();
                let value = self.load(object, expr.span)?;
                Ok(Value::Data(then(before, value), ty))
            }
            None if object.ty.is_aggregate() => Ok(Value::Object(Object {
                before,
                mutable: false,
                ..object
            })),
            None => Ok(Value::Nothing(then(before, NetExpr::Const(0)))),
        }
    }

    fn assign(&mut self, env: &mut Env, expr: &Expr, out: &mut Vec<Stmt>) -> Lower<()> {
        self.assign_with(env, expr, false, out).map(|_| ())
    }

    /// Like [`Lowerer::assign`], with the object (its indices evaluated once) and its old value where asked for.
    fn assign_keeping(
        &mut self,
        env: &mut Env,
        expr: &Expr,
        keep_old: bool,
        out: &mut Vec<Stmt>,
    ) -> Lower<Option<(Object, Option<NetExpr>)>> {
        let mut statements = Vec::new();
        let Some(mut object) = self.assign_target(env, expr)? else {
            return Ok(None);
        };
        self.stabilise(&mut object, true, expr.span, &mut statements)?;
        let old = if keep_old && object.ty.is_cell() {
            let copy = self.temporary(object.ty.clone(), expr.span)?;
            let value = self.load(object.clone(), expr.span)?;
            statements.push(self.store(&copy, value, expr.span)?);
            Some(self.load(copy, expr.span)?)
        } else {
            None
        };
        self.assign_to(env, object.clone(), pieces(expr), &mut statements)?;
        out.extend(statements);
        Ok(Some((object, old)))
    }

    fn assign_with(
        &mut self,
        env: &mut Env,
        expr: &Expr,
        stable: bool,
        out: &mut Vec<Stmt>,
    ) -> Lower<()> {
        let Some(mut object) = self.assign_target(env, expr)? else {
            return Ok(());
        };
        let parts = pieces(expr);
        if parts.op.is_some() {
            self.stabilise(&mut object, stable, expr.span, out)?;
        }
        self.assign_to(env, object, parts, out)
    }

    /// What is assigned to; `None` where the assignment can be left out.
    fn assign_target(&mut self, env: &mut Env, expr: &Expr) -> Lower<Option<Object>> {
        let parts = pieces(expr);
        if matches!(
            env.purpose,
            Purpose::Guard | Purpose::Invariant | Purpose::Query | Purpose::Synchronisation
        ) {
            let message = format!("an assignment has no place in {}", env.purpose.name());
            return match parts.op {
                None => self.error_with_hint(
                    "side-effect",
                    message,
                    parts.span,
                    "values are compared with `==`",
                ),
                Some(_) => self.error("side-effect", message, parts.span),
            };
        }
        match self.expression(env, parts.target)? {
            Value::Object(object) if object.mutable => Ok(Some(object)),
            Value::Object(_) | Value::Data(..) => self.error(
                "assign-constant",
                "a constant cannot be assigned to",
                parts.target.span,
            ),
            Value::Unsupported(what, span) => {
                self.leave_out(env, what, span, parts.value)?;
                Ok(None)
            }
            _ => self.error("type", "this cannot be assigned to", parts.target.span),
        }
    }

    /// Leaves out an assignment to something that is not symbolic: it decides nothing, since its reads are errors.
    fn leave_out(
        &mut self,
        env: &Env,
        what: &'static str,
        span: Span,
        value: Option<&Expr>,
    ) -> Lower<()> {
        if value.is_some_and(|value| self.may_have_effect(env, value)) {
            return self.unsupported(what, span);
        }
        self.warn(
            UNSUPPORTED,
            format!("{what} is outside the symbolic language: assignments to it are left out"),
            span,
        );
        Ok(())
    }

    fn may_have_effect(&self, env: &Env, expr: &Expr) -> bool {
        let mut found = match &expr.kind {
            ExprKind::Assign { .. } | ExprKind::Increment { .. } => true,
            ExprKind::Call { function, .. } => match &function.kind {
                ExprKind::Name(name) => {
                    !matches!(self.resolve(env, name), None | Some(Symbol::Unsupported(_)))
                }
                _ => true,
            },
            _ => false,
        };
        expr.kind
            .for_each_child(|child| found = found || self.may_have_effect(env, child));
        found
    }

    fn assign_to(
        &mut self,
        env: &mut Env,
        object: Object,
        parts: Assignment<'_>,
        out: &mut Vec<Stmt>,
    ) -> Lower<()> {
        let span = parts.span;
        let value = match parts.value {
            Some(value) => self.expression(env, value)?,
            None => super::number(1),
        };
        let value_span = parts.value.map_or(span, |value| value.span);
        match &object.ty {
            Type::Clock => self.reset(&object, parts.op, (value, value_span), span, out),
            Type::Channel { .. } => self.error("type", "a channel cannot be assigned to", span),
            ty if ty.is_aggregate()
                && self.lattice_of(ty).is_some()
                && (parts.op.is_some()
                    || !matches!(&value, Value::Object(source) if source.ty == *ty)) =>
            {
                self.assign_element(env, object, parts, out)
            }
            ty if ty.is_aggregate() => match value {
                Value::Object(source) if parts.op.is_none() && ty.accepts(&source.ty) => {
                    if ty.counts().clocks + ty.counts().channels > 0 {
                        return self.error("type", "clocks and channels cannot be copied", span);
                    }
                    out.extend(self.copy(&object, &source, span)?);
                    Ok(())
                }
                Value::Unsupported(what, span) => self.unsupported(what, span),
                Value::Object(source) => self.error(
                    "type",
                    format!("a value of type `{ty}` is expected, not `{}`", source.ty),
                    value_span,
                ),
                _ => self.error(
                    "type",
                    format!("a value of type `{ty}` is expected"),
                    value_span,
                ),
            },
            _ => {
                let (mut value, mut ty) = self.as_data(value, value_span)?;
                if let Some(op) = parts.op {
                    if !object.ty.is_integral() || !ty.is_integral() {
                        return self.error(
                            "type",
                            "scalars can only be compared and assigned",
                            span,
                        );
                    }
                    let old = self.load(object.clone(), span)?;
                    let site = self.site(span);
                    value = fold::binary(super::arithmetic_op(op), old, value, site);
                    ty = WIDE;
                }
                if !object.ty.accepts(&ty) {
                    return self.error(
                        "type",
                        format!("a value of type `{}` is expected, not `{ty}`", object.ty),
                        value_span,
                    );
                }
                let value = convert(value, &ty, &object.ty);
                out.extend(object.before.iter().cloned());
                out.push(self.store(&object, value, span)?);
                Ok(())
            }
        }
    }

    /// Assigns a number to an element of a lattice: by its method for that, or to its only field.
    fn assign_element(
        &mut self,
        env: &mut Env,
        object: Object,
        parts: Assignment<'_>,
        out: &mut Vec<Stmt>,
    ) -> Lower<()> {
        if let Some(value) = parts.value
            && let Some(called) = self.operator(env, parts.op, &object, value, parts.span)
        {
            return match called? {
                Value::Nothing(call) | Value::Data(call, _) => {
                    out.push(Stmt::Evaluate(call));
                    Ok(())
                }
                _ => self.error(
                    "type",
                    "this method cannot stand for an operator",
                    parts.span,
                ),
            };
        }
        match self.only_field(&object) {
            Some(field) => self.assign_to(env, field, parts, out),
            None => {
                let message = format!(
                    "a value of type `{}` is expected, or a method for this operator",
                    object.ty
                );
                self.error("type", message, parts.span)
            }
        }
    }

    fn reset(
        &mut self,
        clock: &Object,
        op: Option<BinaryOp>,
        (value, value_span): (Value, Span),
        span: Span,
        out: &mut Vec<Stmt>,
    ) -> Lower<()> {
        if op.is_some() || super::is_clock(&value) {
            return self.error(
                "clock",
                "a clock can only be set to an integer that does not depend on clocks",
                span,
            );
        }
        let (value, ty) = self.as_data(value, value_span)?;
        if !ty.is_integral() {
            return self.error("type", "a clock is set to an integer", value_span);
        }
        let largest = net::MAX_CLOCK_CONSTANT;
        if let Some(constant) = value.as_const()
            && constant > largest
        {
            return self.error(
                "clock-constant",
                format!("{constant} is too large for a clock (at most {largest})"),
                value_span,
            );
        }
        let clock = self.clock_place(clock);
        let site = self.site(span);
        out.push(Stmt::Reset { clock, value, site });
        Ok(())
    }

    /// The statement that writes a value to an object of one cell.
    pub fn store(&mut self, object: &Object, value: NetExpr, span: Span) -> Lower<Stmt> {
        let target: Place = self.place(object, span)?;
        let (low, high) = object.ty.range().ok_or(crate::run::report::Reported)?;
        let site = self.site(span);
        Ok(Stmt::Assign {
            target,
            value,
            low,
            high,
            site,
        })
    }

    /// Makes sure that an object's indices are evaluated once only, by keeping them in temporary cells.
    pub(super) fn stabilise(
        &mut self,
        object: &mut Object,
        always: bool,
        span: Span,
        out: &mut Vec<Stmt>,
    ) -> Lower<()> {
        out.append(&mut object.before);
        for index in &mut object.indices {
            if index.value.as_const().is_some() || (!always && !contains_call(&index.value)) {
                continue;
            }
            let cell = self.local_cells("", &WIDE, span)?;
            let copy = Object::in_memory(WIDE, cell, true);
            let value = std::mem::replace(&mut index.value, NetExpr::load(cell));
            out.push(self.store(&copy, value, span)?);
        }
        Ok(())
    }
}

fn pieces(expr: &Expr) -> Assignment<'_> {
    match &expr.kind {
        ExprKind::Assign { op, target, value } => Assignment {
            target,
            op: *op,
            value: Some(value),
            span: expr.span,
        },
        ExprKind::Increment {
            target, decrement, ..
        } => Assignment {
            target,
            op: Some(if *decrement {
                BinaryOp::Subtract
            } else {
                BinaryOp::Add
            }),
            value: None,
            span: expr.span,
        },
        _ => Assignment {
            target: expr,
            op: None,
            value: None,
            span: expr.span,
        },
    }
}

/// Whether statements or calls are in an expression: it should be evaluated once only.
pub fn contains_call(expr: &NetExpr) -> bool {
    let place = |place: &Place| {
        place
            .indices
            .iter()
            .any(|index| contains_call(&index.value))
    };
    match expr {
        NetExpr::Const(_) | NetExpr::At(..) => false,
        NetExpr::Load(from) => place(from),
        NetExpr::Unary(_, operand, _) => contains_call(operand),
        NetExpr::Binary(_, left, right, _) => contains_call(left) || contains_call(right),
        NetExpr::And(parts) | NetExpr::Or(parts) => parts.iter().any(contains_call),
        NetExpr::Conditional(test, then, otherwise) => [test, then, otherwise]
            .into_iter()
            .any(|part| contains_call(part)),
        NetExpr::Quantified { body, .. } => contains_call(body),
        NetExpr::Checked { value, .. } => contains_call(value),
        NetExpr::Call { .. } | NetExpr::Then(..) => true,
    }
}
