//! State formulas in negation normal form.

use merkhet_network::code::ProgramBuilder;
use merkhet_network::{Expr, Formula};

use crate::compile::{clocks, data};
use crate::goal::{Goal, Parts};

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
        Formula::And(parts) if positive => Goal::All(list(builder, parts, positive)),
        Formula::Or(parts) if !positive => Goal::All(list(builder, parts, positive)),
        Formula::And(parts) | Formula::Or(parts) => Goal::Any(list(builder, parts, positive)),
    }
}

/// The parts, with an order in which those on data alone come first and `deadlock` last: cheap tests decide early.
fn list(builder: &mut ProgramBuilder<'_>, parts: &[Formula], positive: bool) -> Parts {
    let written: Vec<Goal> = parts
        .iter()
        .map(|part| normal(builder, part, positive))
        .collect();
    let costs: Vec<u32> = written.iter().map(cost).collect();
    let mut cheap: Vec<u32> = (0..written.len() as u32).collect();
    cheap.sort_by_key(|part| costs[*part as usize]);
    Parts { written, cheap }
}

fn cost(goal: &Goal) -> u32 {
    match goal {
        Goal::Data(_) => 0,
        Goal::Clock(..) => 1,
        Goal::All(parts) | Goal::Any(parts) => {
            1 + parts.written.iter().map(cost).max().unwrap_or(0)
        }
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
