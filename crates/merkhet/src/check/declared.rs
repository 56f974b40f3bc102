//! What the declarations alone settle: a goal that no values within the declared ranges satisfy is not reached. And what
//! the processes settle that write the variables of the goal, whatever the others do ([`merkhet_analysis::invariant`]).
//!
//! This counts only when a search has ended without an answer. Searching comes first because it meets the faults of the
//! model: a variable that would leave its range is what people look for with such queries.

use std::time::Duration;

use merkhet_analysis::invariant;
use merkhet_network::bounds::Bounds;
use merkhet_network::interval::Interval;
use merkhet_network::{BinaryOp, Expr, Formula, Network, Quantifier, Query, QueryKind, UnaryOp};

use crate::config::Config;
use crate::report::{Answer, Report};
use crate::tuning;
use crate::why::{Grounds, Remark};

/// What answers `E<>` and `A[]` without a search, if anything does. It is asked before, since there is no time left when a
/// limit has ended the search.
pub(super) fn foresee(
    network: &Network,
    query: &Query,
    config: &Config,
    timeout: Option<Duration>,
) -> Option<Grounds> {
    let (formula, wanted) = match &query.kind {
        QueryKind::Possibly(goal) => (goal, false),
        QueryKind::Invariantly(formula) => (formula, true),
        _ => return None,
    };
    if truth_of(network, formula) == Some(wanted) {
        return Some(Grounds::Ranges);
    }
    // What a transition leaves in a `meta` variable is not said to be anything afterwards.
    if !merkhet_analysis::reads_meta(network, query).is_empty() {
        return None;
    }
    let count = |tunable| config.tuning.count(tunable) as u64;
    let budget = timeout.map_or(count(&tuning::INVARIANT_STEPS), |time| {
        let milliseconds = u64::try_from(time.as_millis()).unwrap_or(u64::MAX);
        milliseconds
            .saturating_mul(count(&tuning::INVARIANT_RATE))
            .min(count(&tuning::INVARIANT_MOST))
    });
    invariant::is_always(network, formula, wanted, budget, &config.tuning)
        .then_some(Grounds::Writers)
}

/// Answers a query by what is known without a search, if the search has not answered it.
pub(super) fn settle(query: &Query, grounds: Option<Grounds>, mut report: Report) -> Report {
    let (Answer::Unknown(why), Some(grounds)) = (&report.answer, grounds) else {
        return report;
    };
    report.remarks.insert(0, Remark::By(grounds, why.clone()));
    report.answer = Answer::of(!matches!(query.kind, QueryKind::Possibly(_)));
    report
}

/// The truth of a formula that is the same in every state.
fn truth_of(network: &Network, formula: &Formula) -> Option<bool> {
    match formula {
        Formula::Data(expr) => truth(&mut Bounds::new(network), expr),
        Formula::Clock(_) | Formula::Deadlock => None,
        Formula::Not(inner) => truth_of(network, inner).map(|truth| !truth),
        Formula::And(parts) => all(parts.iter().map(|part| truth_of(network, part))),
        Formula::Or(parts) => any(parts.iter().map(|part| truth_of(network, part))),
    }
}

/// The truth of an expression that does not depend on the state, and whose evaluation cannot fail.
fn truth(bounds: &mut Bounds<'_>, expr: &Expr) -> Option<bool> {
    match expr {
        // Who asks `A[] true` wants to see everything.
        Expr::Const(_) => None,
        Expr::And(parts) => all(parts.iter().map(|part| truth(bounds, part))),
        Expr::Or(parts) => any(parts.iter().map(|part| truth(bounds, part))),
        Expr::Unary(UnaryOp::Not, inner, _) => truth(bounds, inner).map(|truth| !truth),
        Expr::Quantified {
            quantifier: quantifier @ (Quantifier::Forall | Quantifier::Exists),
            variable,
            low,
            high,
            body,
            ..
        } => {
            if low > high {
                return Some(*quantifier == Quantifier::Forall);
            }
            let mut inside = bounds.clone();
            inside.assume(*variable, Interval::new((*low).into(), (*high).into()));
            truth(&mut inside, body)
        }
        _ if may_fail(bounds, expr) => None,
        _ => bounds.of(expr).truth(),
    }
}

/// Whether an evaluation may have no value: such a query is answered by the fault, which a search finds.
fn may_fail(bounds: &mut Bounds<'_>, expr: &Expr) -> bool {
    let mut leaves = |value: &Expr, low: i64, high: i64| {
        let interval = bounds.of(value);
        may_fail(bounds, value) || interval.low < low || interval.high > high
    };
    match expr {
        Expr::Const(_) | Expr::At(..) => false,
        Expr::Load(place) => {
            (place.indices.iter()).any(|index| leaves(&index.value, 0, i64::from(index.length) - 1))
        }
        Expr::Checked {
            value, low, high, ..
        } => leaves(value, (*low).into(), (*high).into()),
        Expr::Unary(_, inner, _) => may_fail(bounds, inner),
        Expr::Binary(op, left, right, _) => {
            let divisor = bounds.of(right);
            let fails = match op {
                BinaryOp::Divide | BinaryOp::Remainder => divisor.low <= 0 && divisor.high >= 0,
                BinaryOp::Power | BinaryOp::ShiftLeft | BinaryOp::ShiftRight => true,
                _ => false,
            };
            fails || may_fail(bounds, left) || may_fail(bounds, right)
        }
        Expr::And(parts) | Expr::Or(parts) => parts.iter().any(|part| may_fail(bounds, part)),
        Expr::Conditional(condition, then, otherwise) => [condition, then, otherwise]
            .iter()
            .any(|part| may_fail(bounds, part)),
        Expr::Quantified {
            variable,
            low,
            high,
            body,
            ..
        } => {
            let mut inside = bounds.clone();
            inside.assume(*variable, Interval::new((*low).into(), (*high).into()));
            low <= high && may_fail(&mut inside, body)
        }
        Expr::Call { .. } | Expr::Then(..) => true,
    }
}

fn all(parts: impl Iterator<Item = Option<bool>>) -> Option<bool> {
    let mut settled = Some(true);
    for part in parts {
        match part {
            Some(false) => return Some(false),
            Some(true) => {}
            None => settled = None,
        }
    }
    settled
}

fn any(parts: impl Iterator<Item = Option<bool>>) -> Option<bool> {
    all(parts.map(|part| part.map(|truth| !truth))).map(|truth| !truth)
}
