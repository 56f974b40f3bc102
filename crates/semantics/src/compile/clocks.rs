//! Constraints on clocks: those with constant bounds are encoded once.

use merkhet_network::code::ProgramBuilder;
use merkhet_network::{ClockConstraint, ClockId};

use crate::compile::data;
use crate::data::{ClockPart, DynamicConstraint, Test, Value, packed};

/// The constraints of a guard or invariant.
pub(crate) fn part(builder: &mut ProgramBuilder<'_>, constraints: &[ClockConstraint]) -> ClockPart {
    let mut fixed = Vec::new();
    let mut dynamic = Vec::new();
    for constraint in constraints {
        let code = dynamic_constraint(builder, constraint);
        match (&code.condition, code.bound) {
            (Test::False, _) => {}
            (Test::True, Value::Const(value)) => match packed(value, code.strict, code.site) {
                Ok(bound) => fixed.push(merkhet_zones::zone::Constraint {
                    left: code.left,
                    right: code.right,
                    bound,
                }),
                // The fault comes when the constraint is first asked.
                Err(_) => dynamic.push(code),
            },
            _ => dynamic.push(code),
        }
    }
    ClockPart {
        fixed: fixed.into(),
        dynamic: dynamic.into(),
    }
}

/// One constraint, whatever its form.
pub(crate) fn dynamic_constraint(
    builder: &mut ProgramBuilder<'_>,
    constraint: &ClockConstraint,
) -> DynamicConstraint {
    let row = |clock: Option<ClockId>| clock.map_or(0, |clock| clock.0 as u16 + 1);
    DynamicConstraint {
        condition: data::condition(builder, constraint.condition.as_ref()),
        left: row(constraint.left),
        right: row(constraint.right),
        strict: constraint.strict,
        bound: data::value(builder, &constraint.bound),
        site: constraint.site,
    }
}
