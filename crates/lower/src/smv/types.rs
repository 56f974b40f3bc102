//! Domains of variables: enumerations, ranges, words.

use super::{Lower, Lowering};
use merkhet_finite::{Domain, Value};
use merkhet_smv::tree::{Expression, ExpressionKind, Type, TypeKind};
use merkhet_syntax::Span;

/// Larger domains and arrays are refused: every value is listed.
const MAX_VALUES: i64 = 1 << 20;

impl<'t> Lowering<'t> {
    pub(super) fn domain(&mut self, scope: usize, ty: &'t Type) -> Lower<Domain> {
        match &ty.kind {
            TypeKind::Boolean => Ok(Domain::Boolean),
            TypeKind::Range(low, high) => {
                let (low, high) = self.range(scope, low, high, ty.span)?;
                Ok(Domain::Values((low..=high).map(Value::Integer).collect()))
            }
            TypeKind::Enumeration(members) => self.enumeration(scope, members, ty.span),
            TypeKind::Word { signed, width } => {
                let bits = self.constant_integer(scope, width)?;
                if !(1..=64).contains(&bits) {
                    return self.fail("bad-word", "words have 1 to 64 bits", width.span);
                }
                Ok(Domain::Word {
                    signed: *signed,
                    width: bits as u8,
                })
            }
            TypeKind::Array { .. } | TypeKind::Instance { .. } => {
                self.fail("bad-type", "this type has no values", ty.span)
            }
        }
    }

    fn enumeration(
        &mut self,
        scope: usize,
        members: &'t [Expression],
        span: Span,
    ) -> Lower<Domain> {
        let mut values = Vec::new();
        for member in members {
            match &member.kind {
                // A symbol, also where a variable has the same name.
                ExpressionKind::Name(name) => values.push(Value::Symbol(self.symbol(name))),
                ExpressionKind::Boolean(value) => values.push(Value::Boolean(*value)),
                ExpressionKind::Range(low, high) => {
                    let (low, high) = self.range(scope, low, high, member.span)?;
                    values.extend((low..=high).map(Value::Integer));
                }
                _ => values.push(Value::Integer(self.constant_integer(scope, member)?)),
            }
        }
        let mut seen = rustc_hash::FxHashSet::default();
        values.retain(|&value| seen.insert(value));
        let booleans = values
            .iter()
            .filter(|value| matches!(value, Value::Boolean(_)))
            .count();
        match booleans {
            0 if values.is_empty() => self.fail("bad-type", "the enumeration is empty", span),
            0 => Ok(Domain::Values(values)),
            2 if values.len() == 2 => Ok(Domain::Boolean),
            _ => self.fail("bad-type", "truth values cannot be mixed with others", span),
        }
    }

    pub(super) fn range(
        &mut self,
        scope: usize,
        low: &'t Expression,
        high: &'t Expression,
        span: Span,
    ) -> Lower<(i64, i64)> {
        let low = self.constant_integer(scope, low)?;
        let high = self.constant_integer(scope, high)?;
        if low > high {
            return self.fail(
                "bad-range",
                format!("the range {low}..{high} is empty"),
                span,
            );
        }
        if high.saturating_sub(low) >= MAX_VALUES {
            let message = format!("the range {low}..{high} has more than {MAX_VALUES} values");
            return self.fail("bad-range", message, span);
        }
        Ok((low, high))
    }

    /// An integer that is known without running the model.
    pub(super) fn constant_integer(
        &mut self,
        scope: usize,
        expression: &'t Expression,
    ) -> Lower<i64> {
        let id = self.expression(scope, expression)?;
        match self.system.expressions.constant_of(id) {
            Some(Value::Integer(value)) => Ok(value),
            _ => self.fail(
                "not-constant",
                "a constant integer is needed here",
                expression.span,
            ),
        }
    }
}
