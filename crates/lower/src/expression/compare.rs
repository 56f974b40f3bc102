//! Comparisons: of integers, scalars, clocks, formulas, arrays and structures.

use super::{arithmetic_op, is_clock, logic};
use crate::data::memory::then;
use crate::data::object::Object;
use crate::data::types::{Type, WIDE};
use crate::data::value::Value;
use crate::fold;
use crate::run::lowerer::Lowerer;
use crate::run::report::Lower;
use merkhet_network::{self as net, Expr as NetExpr, Quantifier};
use merkhet_syntax::Span;
use merkhet_syntax::tree::BinaryOp;

/// Arrays up to this length are compared element by element, longer ones in a loop.
const UNROLLED_LENGTH: u32 = 8;

impl Lowerer<'_> {
    pub(super) fn compare(
        &mut self,
        op: BinaryOp,
        left: (Value, Span),
        right: (Value, Span),
        span: Span,
    ) -> Lower<Value> {
        match (&left.0, &right.0) {
            (Value::Rate(_), _) | (_, Value::Rate(_)) => {
                return self.compare_rate(op, left, right, span);
            }
            (a, b) if is_clock(a) || is_clock(b) => {
                return self.compare_clocks(op, left, right, span);
            }
            (Value::Formula(_), _) | (_, Value::Formula(_)) => {
                return self.compare_formulas(op, left, right, span);
            }
            (Value::Object(a), Value::Object(b))
                if a.ty.is_aggregate()
                    && b.ty.is_aggregate()
                    && (matches!(op, BinaryOp::Equal | BinaryOp::NotEqual)
                        || self.lattice_of(&a.ty).is_none()) =>
            {
                let (a, b) = (a.clone(), b.clone());
                return self.compare_aggregates(op, a, b, span);
            }
            _ => {}
        }
        let first = self.as_data(left.0, left.1);
        let second = self.as_data(right.0, right.1);
        let ((left, left_type), (right, right_type)) = (first?, second?);
        if !left_type.accepts(&right_type) {
            return self.error(
                "type",
                format!("`{left_type}` and `{right_type}` cannot be compared"),
                span,
            );
        }
        let equality = matches!(op, BinaryOp::Equal | BinaryOp::NotEqual);
        if !left_type.is_integral() && !equality {
            return self.error("type", "scalars have no order", span);
        }
        let site = self.site(span);
        let value = fold::binary(arithmetic_op(op), left, right, site);
        Ok(Value::Data(value, Type::Bool))
    }

    fn compare_formulas(
        &mut self,
        op: BinaryOp,
        left: (Value, Span),
        right: (Value, Span),
        span: Span,
    ) -> Lower<Value> {
        let a = self.as_form(left.0, left.1)?;
        let b = self.as_form(right.0, right.1)?;
        let site = self.site(span);
        let different = logic::exclusive(a, b, site);
        match op {
            BinaryOp::NotEqual => Ok(logic::from_form(different)),
            BinaryOp::Equal => Ok(logic::from_form(different.negated())),
            _ => self.error(
                "type",
                "truth values of clock constraints have no order",
                span,
            ),
        }
    }

    fn compare_aggregates(
        &mut self,
        op: BinaryOp,
        mut left: Object,
        mut right: Object,
        span: Span,
    ) -> Lower<Value> {
        if !left.ty.accepts(&right.ty) || left.ty.counts().clocks + left.ty.counts().channels > 0 {
            return self.error("type", "these two cannot be compared", span);
        }
        let mut before = std::mem::take(&mut left.before);
        before.append(&mut right.before);
        let equal = self.equal_cells(&left, &right, span)?;
        let value = match op {
            BinaryOp::Equal => equal,
            BinaryOp::NotEqual => equal.negated(),
            _ => return self.error("type", "arrays and structures have no order", span),
        };
        Ok(Value::Data(then(before, value), Type::Bool))
    }

    fn equal_cells(&mut self, left: &Object, right: &Object, span: Span) -> Lower<NetExpr> {
        let site = self.site(span);
        match left.ty.clone() {
            Type::Array(array) if array.length <= UNROLLED_LENGTH => {
                let mut parts = Vec::new();
                for k in 0..array.length as i32 {
                    let index = NetExpr::Const(k);
                    if let (Some(a), Some(b)) = (
                        left.clone().nth(index.clone(), site),
                        right.clone().nth(index, site),
                    ) {
                        parts.push(self.equal_cells(&a, &b, span)?);
                    }
                }
                self.unroll(parts.len() as u64, span)?;
                Ok(fold::and(parts))
            }
            Type::Array(array) => {
                let variable = self.local_cells("", &WIDE, span)?;
                let index = NetExpr::load(variable);
                let body = match (
                    left.clone().nth(index.clone(), site),
                    right.clone().nth(index, site),
                ) {
                    (Some(a), Some(b)) => self.equal_cells(&a, &b, span)?,
                    _ => NetExpr::TRUE,
                };
                Ok(NetExpr::Quantified {
                    quantifier: Quantifier::Forall,
                    variable,
                    low: 0,
                    high: array.length as i32 - 1,
                    body: Box::new(body),
                    site,
                })
            }
            Type::Struct(structure) => {
                let mut parts = Vec::new();
                for field in &structure.fields {
                    if let (Some(a), Some(b)) = (
                        left.clone().field(&field.name),
                        right.clone().field(&field.name),
                    ) {
                        parts.push(self.equal_cells(&a, &b, span)?);
                    }
                }
                self.unroll(parts.len() as u64, span)?;
                Ok(fold::and(parts))
            }
            _ => {
                let a = self.load(left.clone(), span)?;
                let b = self.load(right.clone(), span)?;
                Ok(fold::binary(net::BinaryOp::Equal, a, b, site))
            }
        }
    }
}
