//! State formulas in negation normal form.

use merkhet_network::code::ProgramBuilder;
use merkhet_network::{Expr, Formula};

use crate::compile::{clocks, data};
use crate::goal::Goal;

/// Compiles a formula. Parts without clocks and `deadlock` become one test.
pub(crate) fn goal(builder: &mut ProgramBuilder<'_>, formula: &Formula) -> Goal {
    normal(builder, formula, true)
}

fn normal(builder: &mut ProgramBuilder<'_>, formula: &Formula, positive: bool) -> Goal {
    if let Some(expr) = as_data(formula) {
        let expr = if positive { expr } else { expr.negated() };
        return Goal::Data(data::test(builder, &expr));
    }
    match formula {
        Formula::Data(expr) => Goal::Data(data::test(builder, expr)),
        Formula::Clock(constraint) => {
            Goal::Clock(clocks::dynamic_constraint(builder, constraint), positive)
        }
        Formula::Deadlock => Goal::Deadlock(positive),
        Formula::Not(inner) => normal(builder, inner, !positive),
        Formula::And(parts) if positive => Goal::All(sorted(builder, parts, positive)),
        Formula::Or(parts) if !positive => Goal::All(sorted(builder, parts, positive)),
        Formula::And(parts) | Formula::Or(parts) => Goal::Any(sorted(builder, parts, positive)),
    }
}

/// The parts, those on data alone together and first, `deadlock` last: cheap tests decide early.
fn sorted(builder: &mut ProgramBuilder<'_>, parts: &[Formula], positive: bool) -> Vec<Goal> {
    let mut goals: Vec<Goal> = parts
        .iter()
        .map(|part| normal(builder, part, positive))
        .collect();
    goals.sort_by_key(cost);
    goals
}

fn cost(goal: &Goal) -> u32 {
    match goal {
        Goal::Data(_) => 0,
        Goal::Clock(..) => 1,
        Goal::All(parts) | Goal::Any(parts) => 1 + parts.iter().map(cost).max().unwrap_or(0),
        Goal::Deadlock(_) => 1000,
    }
}

/// The formula as one expression, if it speaks of the discrete part only.
fn as_data(formula: &Formula) -> Option<Expr> {
    match formula {
        Formula::Data(expr) => Some(expr.clone()),
        Formula::Clock(_) | Formula::Deadlock => None,
        Formula::Not(inner) => Some(as_data(inner)?.negated()),
        Formula::And(parts) => Some(Expr::And(parts.iter().map(as_data).collect::<Option<_>>()?)),
        Formula::Or(parts) => Some(Expr::Or(parts.iter().map(as_data).collect::<Option<_>>()?)),
    }
}
