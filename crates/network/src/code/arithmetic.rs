//! The operators on numbers, exact or a fault: shared by constant folding and the machine's rarer instructions.

use super::fault::FaultKind;
use crate::expression::{BinaryOp, UnaryOp};

/// The value of a unary operator.
pub fn unary(op: UnaryOp, a: i32) -> Result<i32, FaultKind> {
    match op {
        UnaryOp::Negate => a.checked_neg().ok_or(FaultKind::Overflow),
        UnaryOp::Not => Ok(i32::from(a == 0)),
        UnaryOp::BitNot => Ok(!a),
        UnaryOp::Abs => a.checked_abs().ok_or(FaultKind::Overflow),
    }
}

/// The value of a binary operator.
pub fn binary(op: BinaryOp, a: i32, b: i32) -> Result<i32, FaultKind> {
    use BinaryOp::*;
    match op {
        Add => a.checked_add(b).ok_or(FaultKind::Overflow),
        Subtract => a.checked_sub(b).ok_or(FaultKind::Overflow),
        Multiply => a.checked_mul(b).ok_or(FaultKind::Overflow),
        Divide => divide(a, b),
        Remainder => remainder(a, b),
        Power => power(a, b),
        BitAnd => Ok(a & b),
        BitOr => Ok(a | b),
        BitXor => Ok(a ^ b),
        ShiftLeft => shift_left(a, b),
        ShiftRight => shift_right(a, b),
        Minimum => Ok(a.min(b)),
        Maximum => Ok(a.max(b)),
        Less => Ok(i32::from(a < b)),
        LessEqual => Ok(i32::from(a <= b)),
        Equal => Ok(i32::from(a == b)),
        NotEqual => Ok(i32::from(a != b)),
        GreaterEqual => Ok(i32::from(a >= b)),
        Greater => Ok(i32::from(a > b)),
    }
}

/// `a / b`, toward zero.
pub fn divide(a: i32, b: i32) -> Result<i32, FaultKind> {
    match b {
        0 => Err(FaultKind::DivisionByZero),
        _ => a.checked_div(b).ok_or(FaultKind::Overflow),
    }
}

/// `a % b`, with the sign of `a`.
pub fn remainder(a: i32, b: i32) -> Result<i32, FaultKind> {
    match b {
        0 => Err(FaultKind::DivisionByZero),
        // The quotient MIN / -1 does not fit, but the remainder does: it is 0.
        _ => Ok(a.wrapping_rem(b)),
    }
}

/// `a ** b`.
pub fn power(a: i32, b: i32) -> Result<i32, FaultKind> {
    match u32::try_from(b) {
        Err(_) => Err(FaultKind::NegativeExponent { exponent: b }),
        Ok(exponent) => a.checked_pow(exponent).ok_or(FaultKind::Overflow),
    }
}

/// `a << b`.
pub fn shift_left(a: i32, b: i32) -> Result<i32, FaultKind> {
    if !(0..32).contains(&b) {
        return Err(FaultKind::NegativeShift { count: b });
    }
    i32::try_from(i64::from(a) << b).map_err(|_| FaultKind::Overflow)
}

/// `a >> b`, keeping the sign.
pub fn shift_right(a: i32, b: i32) -> Result<i32, FaultKind> {
    if !(0..32).contains(&b) {
        return Err(FaultKind::NegativeShift { count: b });
    }
    Ok(a >> b)
}
