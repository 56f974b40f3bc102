//! What the declarations alone settle: a goal that no values within the declared ranges satisfy is not reached.
//!
//! This is asked only when a search has ended without an answer. Searching comes first because it meets the faults of the
//! model: a variable that would leave its range is what people look for with such queries.

use merkhet_network::bounds::Bounds;
use merkhet_network::interval::Interval;
use merkhet_network::{Expr, Formula, Network, Quantifier, Query, QueryKind, UnaryOp};

use crate::report::{Answer, Report};

/// Answers `E<>` and `A[]` by the declared ranges, if the search has not answered them.
pub(super) fn settle(network: &Network, query: &Query, mut report: Report) -> Report {
    if report.answer != Answer::Unknown {
        return report;
    }
    let answer = match &query.kind {
        QueryKind::Possibly(goal) if never(network, goal) => Answer::Violated,
        QueryKind::Invariantly(formula) if always(network, formula) => Answer::Satisfied,
        _ => return report,
    };
    let ended = report.reason.unwrap_or_default();
    report.answer = answer;
    report.reason = Some(format!(
        "by the declared ranges of the variables alone; the search for faults of the model did not end: {ended}"
    ));
    report
}

/// Whether a formula is false in every state.
fn never(network: &Network, formula: &Formula) -> bool {
    truth_of(network, formula) == Some(false)
}

/// Whether a formula is true in every state.
fn always(network: &Network, formula: &Formula) -> bool {
    truth_of(network, formula) == Some(true)
}

fn truth_of(network: &Network, formula: &Formula) -> Option<bool> {
    match formula {
        Formula::Data(expr) => truth(&mut Bounds::new(network), expr),
        Formula::Clock(_) | Formula::Deadlock => None,
        Formula::Not(inner) => truth_of(network, inner).map(|truth| !truth),
        Formula::And(parts) => all(parts.iter().map(|part| truth_of(network, part))),
        Formula::Or(parts) => any(parts.iter().map(|part| truth_of(network, part))),
    }
}

/// The truth of an expression that does not depend on the state.
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
        _ => bounds.of(expr).truth(),
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
