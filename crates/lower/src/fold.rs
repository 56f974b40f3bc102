//! Builders of network expressions that fold constants. What would be a fault is left as it is.

use merkhet_network::{BinaryOp, Expr, SiteId, UnaryOp};

/// The value of an operation on constants, modulo 2^32; `None` where it is a fault.
pub fn evaluate(op: BinaryOp, a: i32, b: i32) -> Option<i32> {
    use BinaryOp::*;
    Some(match op {
        Add => a.wrapping_add(b),
        Subtract => a.wrapping_sub(b),
        Multiply => a.wrapping_mul(b),
        Divide => a.checked_div(b)?,
        Remainder if b == 0 => return None,
        Remainder => a.wrapping_rem(b),
        Power => a.wrapping_pow(u32::try_from(b).ok()?),
        BitAnd => a & b,
        BitOr => a | b,
        BitXor => a ^ b,
        ShiftLeft => a << u32::try_from(b).ok().filter(|&count| count < 32)?,
        ShiftRight => a >> u32::try_from(b).ok().filter(|&count| count < 32)?,
        Minimum => a.min(b),
        Maximum => a.max(b),
        Less => (a < b) as i32,
        LessEqual => (a <= b) as i32,
        Equal => (a == b) as i32,
        NotEqual => (a != b) as i32,
        GreaterEqual => (a >= b) as i32,
        Greater => (a > b) as i32,
    })
}

/// `left op right`.
pub fn binary(op: BinaryOp, left: Expr, right: Expr, site: SiteId) -> Expr {
    if let (Some(a), Some(b)) = (left.as_const(), right.as_const())
        && let Some(value) = evaluate(op, a, b)
    {
        return Expr::Const(value);
    }
    Expr::Binary(op, Box::new(left), Box::new(right), site)
}

/// `op operand`.
pub fn unary(op: UnaryOp, operand: Expr, site: SiteId) -> Expr {
    let folded = operand.as_const().map(|value| match op {
        UnaryOp::Negate => value.wrapping_neg(),
        UnaryOp::Not => (value == 0) as i32,
        UnaryOp::BitNot => !value,
        UnaryOp::Abs => value.wrapping_abs(),
    });
    match folded {
        Some(value) => Expr::Const(value),
        None if op == UnaryOp::Not => match operand.negated() {
            Expr::Unary(op, inner, _) => Expr::Unary(op, inner, site),
            other => other,
        },
        None => Expr::Unary(op, Box::new(operand), site),
    }
}

/// `left − right`, without the subtraction of 0.
pub fn difference(left: Expr, right: Expr, site: SiteId) -> Expr {
    match (left.as_const(), right.as_const()) {
        (_, Some(0)) => left,
        (Some(0), None) => unary(UnaryOp::Negate, right, site),
        _ => binary(BinaryOp::Subtract, left, right, site),
    }
}

/// `left + right`, without the addition of 0.
pub fn sum(left: Expr, right: Expr, site: SiteId) -> Expr {
    match (left.as_const(), right.as_const()) {
        (_, Some(0)) => left,
        (Some(0), _) => right,
        _ => binary(BinaryOp::Add, left, right, site),
    }
}

/// The sum of many, as a balanced tree: a chain of thousands would be too deep to walk.
pub fn sum_all(mut terms: Vec<Expr>, site: SiteId) -> Expr {
    while terms.len() > 1 {
        let mut next = Vec::with_capacity(terms.len().div_ceil(2));
        let mut rest = terms.into_iter();
        while let Some(left) = rest.next() {
            next.push(match rest.next() {
                Some(right) => sum(left, right, site),
                None => left,
            });
        }
        terms = next;
    }
    terms.pop().unwrap_or(Expr::Const(0))
}

/// 0 or 1.
pub fn boolean(expr: Expr) -> Expr {
    match expr {
        Expr::Const(value) => Expr::Const((value != 0) as i32),
        other if other.is_boolean() => other,
        other => Expr::binary(BinaryOp::NotEqual, other, Expr::Const(0)),
    }
}

/// Whether an expression always has a value, without effects: it may be left out where it does not matter.
fn is_total(expr: &Expr) -> bool {
    match expr {
        Expr::Const(_) | Expr::At(..) => true,
        Expr::Load(place) => place.indices.is_empty(),
        Expr::Unary(UnaryOp::Not, operand, _) => is_total(operand),
        Expr::Binary(op, left, right, _) => {
            use BinaryOp::*;
            matches!(
                op,
                Less | LessEqual | Equal | NotEqual | GreaterEqual | Greater | Minimum | Maximum
            ) && is_total(left)
                && is_total(right)
        }
        Expr::And(parts) | Expr::Or(parts) => parts.iter().all(is_total),
        _ => false,
    }
}

/// The flattened parts of a conjunction (`absorbing` 0) or disjunction (`absorbing` 1), folded.
fn flatten(parts: impl IntoIterator<Item = Expr>, conjunction: bool) -> Vec<Expr> {
    let absorbing = Expr::Const(!conjunction as i32);
    let mut all = Vec::new();
    for part in parts {
        match part {
            Expr::And(inner) if conjunction => all.extend(inner),
            Expr::Or(inner) if !conjunction => all.extend(inner),
            Expr::Const(value) if (value != 0) == conjunction => {}
            Expr::Const(_) => {
                // Whatever stands before it and cannot fail does not matter.
                while all.last().is_some_and(is_total) {
                    all.pop();
                }
                all.push(absorbing);
                break;
            }
            other => all.push(other),
        }
    }
    all
}

/// Conjunction; what follows a constant 0 is dropped.
pub fn and(parts: impl IntoIterator<Item = Expr>) -> Expr {
    let mut all = flatten(parts, true);
    match all.len() {
        0 => Expr::TRUE,
        1 => boolean(all.remove(0)),
        _ => Expr::And(all),
    }
}

/// Disjunction; what follows a constant other than 0 is dropped.
pub fn or(parts: impl IntoIterator<Item = Expr>) -> Expr {
    let mut all = flatten(parts, false);
    match all.len() {
        0 => Expr::FALSE,
        1 => boolean(all.remove(0)),
        _ => Expr::Or(all),
    }
}

/// Conjunction of which only the truth matters.
pub fn all(parts: impl IntoIterator<Item = Expr>) -> Expr {
    let mut all = flatten(parts, true);
    match all.len() {
        0 => Expr::TRUE,
        1 => all.remove(0),
        _ => Expr::And(all),
    }
}

/// Disjunction of which only the truth matters.
pub fn any(parts: impl IntoIterator<Item = Expr>) -> Expr {
    let mut any = flatten(parts, false);
    match any.len() {
        0 => Expr::FALSE,
        1 => any.remove(0),
        _ => Expr::Or(any),
    }
}

/// `condition ? then : otherwise`.
pub fn conditional(condition: Expr, then: Expr, otherwise: Expr) -> Expr {
    match condition.as_const() {
        Some(0) => otherwise,
        Some(_) => then,
        None => Expr::Conditional(Box::new(condition), Box::new(then), Box::new(otherwise)),
    }
}

/// The value, which must be in a range.
pub fn checked(value: Expr, low: i32, high: i32, site: SiteId) -> Expr {
    match value.as_const() {
        Some(constant) if (low..=high).contains(&constant) => value,
        _ => Expr::Checked {
            value: Box::new(value),
            low,
            high,
            site,
        },
    }
}

/// Negation of which only the truth matters.
pub fn not(expr: Expr) -> Expr {
    match expr {
        Expr::Unary(UnaryOp::Not, inner, _) => *inner,
        other => other.negated(),
    }
}
