//! Quantifiers as what they stand for: one condition for each value.
//!
//! The engine runs a quantifier as a loop. What measures how far a state is from a condition needs its parts: `forall` asks
//! for many things at once, and each that is there is progress.

use crate::code::machine::arithmetic;
use crate::expression::{Expr, Place, Quantifier};
use crate::memory::{Address, Region};
use crate::network::Network;
use crate::walk::visit::{Rewriter, rewrite_expr};

/// A `forall` as a conjunction and an `exists` as a disjunction of at most `most` instances of its body, with the variable's
/// value in its place; `None` for other expressions and larger ranges.
///
/// The instances are simplified: those of a conjunction that hold anyway are left out. Whoever evaluates the result may
/// miss a fault that the loop would meet, and never meets one where the loop decides without it and the condition is true.
pub fn unrolled(network: &Network, expr: &Expr, most: usize) -> Option<Expr> {
    let Expr::Quantified {
        quantifier,
        variable,
        low,
        high,
        body,
        ..
    } = expr
    else {
        return None;
    };
    let count = (i64::from(*high) - i64::from(*low) + 1).max(0);
    if *quantifier == Quantifier::Sum || count > most as i64 {
        return None;
    }
    let instances = (*low..=*high).map(|value| {
        let mut instance = (**body).clone();
        let variable = *variable;
        Instance {
            network,
            variable,
            value,
        }
        .expr(&mut instance);
        instance
    });
    let mut whole = match quantifier {
        Quantifier::Forall => Expr::And(instances.collect()),
        _ => Expr::Or(instances.collect()),
    };
    fold(&mut whole);
    Some(whole)
}

/// Puts a value in the place of a variable.
struct Instance<'n> {
    network: &'n Network,
    variable: Address,
    value: i32,
}

impl Rewriter for Instance<'_> {
    fn expr(&mut self, expr: &mut Expr) {
        rewrite_expr(self, expr);
        match expr {
            Expr::Load(place) => {
                let fixed = place.fixed();
                if fixed == Some(self.variable) {
                    *expr = Expr::Const(self.value);
                } else if let Some(cell) = fixed.filter(|cell| cell.region == Region::Constant)
                    && let Some(known) = self.network.constant_cells.get(cell.offset as usize)
                {
                    *expr = Expr::Const(known.initial);
                }
            }
            _ => fold(expr),
        }
    }

    fn place(&mut self, place: &mut Place) {
        for index in &mut place.indices {
            self.index(index);
        }
        let Place { base, indices } = place;
        indices.retain(|index| match index.value.as_const() {
            Some(value) if (0..i64::from(index.length)).contains(&i64::from(value)) => {
                *base = base.plus(value as u32 * index.stride);
                false
            }
            _ => true,
        });
    }
}

/// Simplifies an expression whose parts are simple.
fn fold(expr: &mut Expr) {
    let folded = match expr {
        Expr::Unary(op, operand, _) => {
            (operand.as_const()).and_then(|value| arithmetic::unary(*op, value).ok())
        }
        Expr::Binary(op, left, right, _) => match (left.as_const(), right.as_const()) {
            (Some(left), Some(right)) => arithmetic::binary(*op, left, right).ok(),
            _ => None,
        },
        Expr::Checked {
            value, low, high, ..
        } => value
            .as_const()
            .filter(|value| (*low..=*high).contains(value)),
        Expr::And(parts) => joined(parts, false),
        Expr::Or(parts) => joined(parts, true),
        Expr::Conditional(condition, then, otherwise) => {
            if let Some(value) = condition.as_const() {
                let branch = match value {
                    0 => otherwise,
                    _ => then,
                };
                *expr = std::mem::replace(branch, Expr::FALSE);
            }
            return;
        }
        _ => None,
    };
    if let Some(value) = folded {
        *expr = Expr::Const(value);
    }
}

/// Leaves out the parts that do not matter; the value, if that is clear. `decides` is the truth of a part that settles it.
fn joined(parts: &mut Vec<Expr>, decides: bool) -> Option<i32> {
    let truth = |part: &Expr| part.as_const().map(|value| value != 0);
    if parts.iter().any(|part| truth(part) == Some(decides)) {
        return Some(i32::from(decides));
    }
    parts.retain(|part| truth(part).is_none());
    parts.is_empty().then_some(i32::from(!decides))
}
