//! Clocks in expressions: sums, comparisons, rates, and indices that are unrolled.

use super::{clock_term, is_clock};
use crate::data::object::Object;
use crate::data::types::Type;
use crate::data::value::{ClockTerm, Form, Value};
use crate::fold;
use crate::naming::scope::Env;
use crate::run::lowerer::Lowerer;
use crate::run::report::Lower;
use merkhet_network::{
    self as net, ClockConstraint, ClockId, Expr as NetExpr, MAX_CLOCK_CONSTANT, SiteId, UnaryOp,
};
use merkhet_syntax::Span;
use merkhet_syntax::tree::{BinaryOp, Expr};

impl Lowerer<'_> {
    /// `left + right` or `left − right` where at least one has a clock in it.
    pub(super) fn clock_sum(
        &mut self,
        subtract: bool,
        (left, left_span): (Value, Span),
        (right, right_span): (Value, Span),
        span: Span,
    ) -> Lower<Value> {
        let left = self.as_term(left, left_span)?;
        let mut right = self.as_term(right, right_span)?;
        if subtract {
            right = self.negated_term(right, span);
        }
        let site = self.site(span);
        let offset = fold::sum(left.offset, right.offset, site);
        let plus = self.one_clock(left.plus, right.plus, span)?;
        let minus = self.one_clock(left.minus, right.minus, span)?;
        Ok(Value::Clock(ClockTerm {
            plus,
            minus,
            offset,
        }))
    }

    fn one_clock(
        &mut self,
        a: Option<Object>,
        b: Option<Object>,
        span: Span,
    ) -> Lower<Option<Object>> {
        match (a, b) {
            (Some(_), Some(_)) => self.error(
                "clock",
                "a constraint can only compare one clock, or the difference of two, with an integer",
                span,
            ),
            (a, b) => Ok(a.or(b)),
        }
    }

    fn as_term(&mut self, value: Value, span: Span) -> Lower<ClockTerm> {
        if let Some(term) = clock_term(&value) {
            return Ok(term);
        }
        let (offset, ty) = self.as_data(value, span)?;
        if !ty.is_integral() {
            return self.error("type", "scalars can only be compared and assigned", span);
        }
        Ok(ClockTerm {
            plus: None,
            minus: None,
            offset,
        })
    }

    pub(super) fn negated_term(&mut self, term: ClockTerm, span: Span) -> ClockTerm {
        let site = self.site(span);
        ClockTerm {
            plus: term.minus,
            minus: term.plus,
            offset: fold::unary(UnaryOp::Negate, term.offset, site),
        }
    }

    /// `left op right` where at least one has a clock in it.
    pub(super) fn compare_clocks(
        &mut self,
        op: BinaryOp,
        (left, left_span): (Value, Span),
        (right, right_span): (Value, Span),
        span: Span,
    ) -> Lower<Value> {
        let left = self.as_term(left, left_span)?;
        let right = self.as_term(right, right_span)?;
        let site = self.site(span);
        let bound = fold::difference(right.offset, left.offset, site);
        let (mut pluses, mut minuses) = (vec![], vec![]);
        pluses.extend(left.plus);
        pluses.extend(right.minus);
        minuses.extend(left.minus);
        minuses.extend(right.plus);
        cancel(&mut pluses, &mut minuses);
        if pluses.len() > 1 || minuses.len() > 1 {
            return self.error(
                "clock",
                "a constraint can only compare one clock, or the difference of two, with an integer",
                span,
            );
        }
        let (plus, minus) = (pluses.pop(), minuses.pop());
        if plus.is_none() && minus.is_none() {
            let zero = NetExpr::Const(0);
            let value = fold::binary(super::arithmetic_op(op), zero, bound, site);
            return Ok(Value::Data(value, Type::Bool));
        }
        self.check_bound(&bound, span)?;
        let pluses = self.cases(plus, span)?;
        let minuses = self.cases(minus, span)?;
        self.unroll((pluses.len() * minuses.len()) as u64, span)?;
        let mut cases = Vec::new();
        for (left_condition, left) in &pluses {
            for (right_condition, right) in &minuses {
                let condition = fold::and([left_condition.clone(), right_condition.clone()]);
                let form = constraint(op, *left, *right, bound.clone(), site);
                cases.push((condition, form));
            }
        }
        Ok(Value::Formula(select(cases)))
    }

    fn check_bound(&mut self, bound: &NetExpr, span: Span) -> Lower<()> {
        match bound.as_const() {
            Some(value) if value.unsigned_abs() > MAX_CLOCK_CONSTANT as u32 => self.error(
                "clock-constant",
                format!(
                    "{value} is too large to compare a clock with (at most {MAX_CLOCK_CONSTANT})"
                ),
                span,
            ),
            _ => Ok(()),
        }
    }

    /// The clocks that an object may stand for, each with the condition on its indices.
    fn cases(
        &mut self,
        object: Option<Object>,
        span: Span,
    ) -> Lower<Vec<(NetExpr, Option<ClockId>)>> {
        let Some(object) = object else {
            return Ok(vec![(NetExpr::TRUE, None)]);
        };
        let strides: Vec<u32> = object.indices.iter().map(|index| index.clocks).collect();
        let cases = self.index_cases(&object, object.clock, &strides, span)?;
        if cases
            .iter()
            .any(|(_, clock)| self.tables.hybrid.contains(clock))
        {
            return self.unsupported("a clock with rates other than 0 and 1", span);
        }
        let with_clock = |(condition, clock)| (condition, Some(ClockId(clock)));
        Ok(cases.into_iter().map(with_clock).collect())
    }

    /// The ids that an object with run-time indices may have, each with the condition on the indices.
    pub fn index_cases(
        &mut self,
        object: &Object,
        base: u32,
        strides: &[u32],
        span: Span,
    ) -> Lower<Vec<(NetExpr, u32)>> {
        let count = object.indices.iter().fold(1u64, |count, index| {
            count.saturating_mul(index.length as u64)
        });
        if !object.indices.is_empty() {
            self.unroll(count, span)?;
        }
        let mut cases = vec![(NetExpr::TRUE, base)];
        for (index, stride) in object.indices.iter().zip(strides) {
            let value = fold::checked(index.value.clone(), 0, index.length as i32 - 1, index.site);
            let mut next = Vec::with_capacity(cases.len() * index.length as usize);
            for (condition, base) in &cases {
                for k in 0..index.length {
                    let equal = fold::binary(
                        net::BinaryOp::Equal,
                        value.clone(),
                        NetExpr::Const(k as i32),
                        index.site,
                    );
                    next.push((fold::and([condition.clone(), equal]), base + k * stride));
                }
            }
            cases = next;
        }
        Ok(cases)
    }

    pub(super) fn rate(&mut self, env: &mut Env, clock: &Expr) -> Lower<Value> {
        match self.expression(env, clock)? {
            Value::Object(object) if object.ty == Type::Clock => Ok(Value::Rate(object)),
            Value::Unsupported(what, span) => Ok(Value::HybridRate(what, span)),
            _ => self.error("clock", "only clocks have a rate", clock.span),
        }
    }

    /// `clock' == value`.
    pub(super) fn compare_rate(
        &mut self,
        op: BinaryOp,
        left: (Value, Span),
        right: (Value, Span),
        span: Span,
    ) -> Lower<Value> {
        let (clock, value, value_span) = match (left, right) {
            ((Value::Rate(clock), _), (value, span)) => (clock, value, span),
            ((value, span), (Value::Rate(clock), _)) => (clock, value, span),
            _ => return self.error("clock", "a rate is compared with an integer", span),
        };
        if is_clock(&value) {
            self.odd_rate(&clock, "a rate that depends on a clock", span)?;
            return Ok(Value::Data(NetExpr::TRUE, Type::Bool));
        }
        if op != BinaryOp::Equal {
            return self.error("clock", "a rate is given as `clock' == value`", span);
        }
        let (value, _) = self.as_data(value, value_span)?;
        if value.as_const().is_some_and(|rate| rate != 0 && rate != 1) {
            self.odd_rate(&clock, "a rate other than 0 and 1", span)?;
            return Ok(Value::Data(NetExpr::TRUE, Type::Bool));
        }
        let site = self.site(span);
        let strides: Vec<u32> = clock.indices.iter().map(|index| index.clocks).collect();
        let cases = self.index_cases(&clock, clock.clock, &strides, span)?;
        let forms = cases.into_iter().map(|(condition, clock)| {
            let form = Form::Rate {
                clock,
                value: value.clone(),
                site,
                span,
            };
            (condition, form)
        });
        Ok(Value::Formula(select(forms.collect())))
    }
}

/// The formula of the one case that holds.
fn select(mut cases: Vec<(NetExpr, Form)>) -> Form {
    match cases.as_slice() {
        [(NetExpr::Const(1), _)] => cases.remove(0).1,
        _ => Form::Select(cases),
    }
}

/// Drops clocks that stand on both sides.
fn cancel(pluses: &mut Vec<Object>, minuses: &mut Vec<Object>) {
    let mut i = 0;
    while i < pluses.len() {
        match minuses.iter().position(|minus| *minus == pluses[i]) {
            Some(j) => {
                pluses.remove(i);
                minuses.remove(j);
            }
            None => i += 1,
        }
    }
}

/// `left − right op bound`.
fn constraint(
    op: BinaryOp,
    left: Option<ClockId>,
    right: Option<ClockId>,
    bound: NetExpr,
    site: SiteId,
) -> Form {
    let upper = |strict, bound| ClockConstraint {
        condition: None,
        left,
        right,
        strict,
        bound,
        site,
    };
    let lower = |strict, bound| ClockConstraint {
        condition: None,
        left: right,
        right: left,
        strict,
        bound: fold::unary(UnaryOp::Negate, bound, site),
        site,
    };
    match op {
        BinaryOp::Less => Form::Clock(upper(true, bound)),
        BinaryOp::LessEqual => Form::Clock(upper(false, bound)),
        BinaryOp::Greater => Form::Clock(lower(true, bound)),
        BinaryOp::GreaterEqual => Form::Clock(lower(false, bound)),
        BinaryOp::NotEqual => Form::Or(vec![
            Form::Clock(upper(true, bound.clone())),
            Form::Clock(lower(true, bound)),
        ]),
        _ => Form::And(vec![
            Form::Clock(upper(false, bound.clone())),
            Form::Clock(lower(false, bound)),
        ]),
    }
}

/// The constraint that holds exactly where another one does not.
pub fn negated_constraint(constraint: ClockConstraint) -> ClockConstraint {
    let site = constraint.site;
    ClockConstraint {
        left: constraint.right,
        right: constraint.left,
        strict: !constraint.strict,
        bound: fold::unary(UnaryOp::Negate, constraint.bound, site),
        ..constraint
    }
}
