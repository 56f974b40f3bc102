//! Guards and invariants: conjunctions are split into data and clock constraints.

use super::expression::{ClockTerm, Translator, Value};
use super::{Lower, Lowering};
use merkhet_network::{BinaryOp, ClockConstraint, ClockId, Expr, Guard, MAX_CLOCK_CONSTANT};
use merkhet_syntax::Span;
use merkhet_tck::tree::{Expression, ExpressionKind, Operator};

/// More cases of one constraint on elements of clock arrays are refused.
const MAX_CASES: usize = 1 << 14;

/// What a conjunction asks for, so far.
#[derive(Default)]
pub(super) struct Conjuncts {
    pub(super) data: Vec<Expr>,
    pub(super) clocks: Vec<ClockConstraint>,
}

impl Conjuncts {
    fn into_guard(mut self) -> Guard {
        self.data
            .retain(|part| part.as_const().is_none_or(|value| value == 0));
        let data = match self.data.len() {
            0 => None,
            1 => self.data.pop(),
            _ => Some(Expr::And(self.data)),
        };
        Guard {
            data,
            clocks: self.clocks,
        }
    }
}

impl Lowering<'_> {
    /// The conjunction of some formulas.
    pub(super) fn guard(&mut self, formulas: &[Expression], context: &str) -> Lower<Guard> {
        let mut conjuncts = Conjuncts::default();
        let mut result = Ok(());
        for formula in formulas {
            let parts = match &formula.kind {
                ExpressionKind::Conjunction(parts) => parts.as_slice(),
                _ => std::slice::from_ref(formula),
            };
            for part in parts {
                let site = self.site(part.span, context);
                let mut translator = Translator::new(&self.network, &self.symbols, site);
                let part = translator.conjunct(part, &mut conjuncts);
                let diagnostics = translator.diagnostics;
                diagnostics.into_iter().for_each(|d| self.report(d));
                result = result.and(part);
            }
        }
        result.map(|()| conjuncts.into_guard())
    }
}

impl Translator<'_> {
    /// Adds one conjunct.
    pub(super) fn conjunct(
        &mut self,
        formula: &Expression,
        conjuncts: &mut Conjuncts,
    ) -> Lower<()> {
        match &formula.kind {
            ExpressionKind::Conjunction(parts) => {
                for part in parts {
                    self.conjunct(part, conjuncts)?;
                }
                Ok(())
            }
            ExpressionKind::Binary(operator, left, right) if operator.is_comparison() => {
                self.comparison(*operator, left, right, formula.span, conjuncts)
            }
            _ => {
                conjuncts.data.push(self.data(formula)?);
                Ok(())
            }
        }
    }

    fn comparison(
        &mut self,
        operator: Operator,
        left: &Expression,
        right: &Expression,
        span: Span,
        conjuncts: &mut Conjuncts,
    ) -> Lower<()> {
        let (left, right) = (self.value(left)?, self.value(right)?);
        let (clock, other, operator, bound) = match (left, right) {
            (Value::Data(a), Value::Data(b)) => {
                conjuncts.data.push(self.arithmetic(operator, a, b, span)?);
                return Ok(());
            }
            (Value::Clock(a), Value::Data(b)) => (a, None, operator, b),
            (Value::Data(b), Value::Clock(a)) => (a, None, mirrored(operator), b),
            (Value::Difference(a, b), Value::Data(e)) => (a, Some(b), operator, e),
            (Value::Data(e), Value::Difference(a, b)) => (a, Some(b), mirrored(operator), e),
            (Value::Clock(a), Value::Clock(b)) => (a, Some(b), operator, Expr::Const(0)),
            _ => {
                let message = "clocks and differences of clocks are compared with integers only";
                return self.fail("bad-clock-operation", message, span);
            }
        };
        if let Some(value) = bound.as_const()
            && value.unsigned_abs() > MAX_CLOCK_CONSTANT as u32
        {
            let message = format!("bounds of clocks go up to {MAX_CLOCK_CONSTANT}");
            return self.fail("clock-bound-too-large", message, span);
        }
        let upper = |strict| (strict, false);
        let lower = |strict| (strict, true);
        let sides = match operator {
            Operator::Less => vec![upper(true)],
            Operator::LessEqual => vec![upper(false)],
            Operator::Greater => vec![lower(true)],
            Operator::GreaterEqual => vec![lower(false)],
            Operator::Equal => vec![upper(false), lower(false)],
            _ => {
                let message = "clocks cannot be compared with `!=`";
                return self.fail("bad-clock-operation", message, span);
            }
        };
        for (strict, reversed) in sides {
            let bound = match reversed {
                true => self.negate(bound.clone(), span)?,
                false => bound.clone(),
            };
            self.constrain(
                &clock,
                other.as_ref(),
                strict,
                reversed,
                bound,
                span,
                conjuncts,
            )?;
        }
        Ok(())
    }

    /// `clock − other ≺ bound`, or the other way round if `reversed`, for every clock that they may be.
    #[allow(clippy::too_many_arguments)]
    fn constrain(
        &mut self,
        clock: &ClockTerm,
        other: Option<&ClockTerm>,
        strict: bool,
        reversed: bool,
        bound: Expr,
        span: Span,
        conjuncts: &mut Conjuncts,
    ) -> Lower<()> {
        let first = clock.cases(self.site);
        let second: Vec<(Option<ClockId>, Option<Expr>)> = match other {
            None => vec![(None, None)],
            Some(term) => {
                let cases = term.cases(self.site).into_iter();
                cases.map(|(id, when)| (Some(id), when)).collect()
            }
        };
        if first.len() * second.len() > MAX_CASES {
            let message = "too many combinations of elements of clock arrays";
            return self.fail("too-many-clocks", message, span);
        }
        for (a, when_a) in &first {
            for (b, when_b) in &second {
                let condition = both(when_a.clone(), when_b.clone());
                if Some(*a) == *b {
                    // The difference of a clock and itself is 0: a condition on data alone.
                    let op = if strict {
                        BinaryOp::Less
                    } else {
                        BinaryOp::LessEqual
                    };
                    let holds = Expr::binary(op, Expr::Const(0), bound.clone());
                    conjuncts.data.push(match condition {
                        None => holds,
                        Some(condition) => Expr::Or(vec![condition.negated(), holds]),
                    });
                    continue;
                }
                let (left, right) = if reversed {
                    (*b, Some(*a))
                } else {
                    (Some(*a), *b)
                };
                conjuncts.clocks.push(ClockConstraint {
                    condition,
                    left,
                    right,
                    strict,
                    bound: bound.clone(),
                    site: self.site,
                });
            }
        }
        Ok(())
    }
}

fn both(a: Option<Expr>, b: Option<Expr>) -> Option<Expr> {
    match (a, b) {
        (Some(a), Some(b)) => Some(Expr::And(vec![a, b])),
        (a, b) => a.or(b),
    }
}

/// The comparison seen from the other side.
fn mirrored(operator: Operator) -> Operator {
    match operator {
        Operator::Less => Operator::Greater,
        Operator::LessEqual => Operator::GreaterEqual,
        Operator::GreaterEqual => Operator::LessEqual,
        Operator::Greater => Operator::Less,
        other => other,
    }
}
