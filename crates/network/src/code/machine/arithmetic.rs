//! The operators on numbers: shared by constant folding and the machine's rarer instructions.
//!
//! Results are taken modulo 2^32, as UPPAAL does: hash functions and processors are modelled with it. Where C has no
//! answer that all processors share (division by zero, the quotient of the smallest integer and -1, shifts by less than
//! 0 or more than 31 bits, negative exponents) there is a fault.

use crate::code::machine::fault::FaultKind;
use crate::expression::{BinaryOp, UnaryOp};

/// The value of a unary operator.
pub fn unary(op: UnaryOp, a: i32) -> Result<i32, FaultKind> {
    match op {
        UnaryOp::Negate => Ok(a.wrapping_neg()),
        UnaryOp::Not => Ok(i32::from(a == 0)),
        UnaryOp::BitNot => Ok(!a),
        UnaryOp::Abs => Ok(a.wrapping_abs()),
    }
}

/// The value of a binary operator.
pub fn binary(op: BinaryOp, a: i32, b: i32) -> Result<i32, FaultKind> {
    use BinaryOp::*;
    match op {
        Add => Ok(a.wrapping_add(b)),
        Subtract => Ok(a.wrapping_sub(b)),
        Multiply => Ok(a.wrapping_mul(b)),
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
        Ok(exponent) => Ok(a.wrapping_pow(exponent)),
    }
}

/// `a << b`; bits that do not fit are lost.
pub fn shift_left(a: i32, b: i32) -> Result<i32, FaultKind> {
    if !(0..32).contains(&b) {
        return Err(FaultKind::NegativeShift { count: b });
    }
    Ok(a << b)
}

/// `a >> b`, keeping the sign.
pub fn shift_right(a: i32, b: i32) -> Result<i32, FaultKind> {
    if !(0..32).contains(&b) {
        return Err(FaultKind::NegativeShift { count: b });
    }
    Ok(a >> b)
}
