//! Arithmetic on single values.

use crate::{Arithmetic, Value, Word};

pub(super) fn less(a: Value, b: Value, or_equal: bool) -> Option<Value> {
    let (a, b) = match (a, b) {
        (Value::Integer(a), Value::Integer(b)) => (i128::from(a), i128::from(b)),
        (Value::Word(a), Value::Word(b)) => (a.to_integer(), b.to_integer()),
        _ => return None,
    };
    Some(Value::Boolean(a < b || (or_equal && a == b)))
}

pub(super) fn arithmetic(operator: Arithmetic, a: Value, b: Value) -> Option<Value> {
    match (a, b) {
        (Value::Integer(a), Value::Integer(b)) => {
            let result = match operator {
                Arithmetic::Add => a.checked_add(b),
                Arithmetic::Subtract => a.checked_sub(b),
                Arithmetic::Multiply => a.checked_mul(b),
                Arithmetic::Divide => a.checked_div(b),
                Arithmetic::Modulo => a.checked_rem(b),
            };
            result.map(Value::Integer)
        }
        (Value::Word(a), Value::Word(b)) => {
            let (left, right) = (a.to_integer(), b.to_integer());
            let result = match operator {
                Arithmetic::Add => left + right,
                Arithmetic::Subtract => left - right,
                Arithmetic::Multiply => left.wrapping_mul(right),
                Arithmetic::Divide => left.checked_div(right)?,
                Arithmetic::Modulo => left.checked_rem(right)?,
            };
            Some(Value::Word(Word::new(a.signed, a.width, result as u64)))
        }
        _ => None,
    }
}

pub(super) fn negate(a: Value) -> Option<Value> {
    match a {
        Value::Integer(value) => value.checked_neg().map(Value::Integer),
        Value::Word(word) => Some(Value::Word(Word::new(
            word.signed,
            word.width,
            word.bits.wrapping_neg(),
        ))),
        _ => None,
    }
}

/// Distances outside `0..=width` have no meaning.
pub(super) fn shift(word: Word, distance: Value, left: bool) -> Option<Word> {
    let distance = match distance {
        Value::Integer(distance) => u32::try_from(distance).ok()?,
        Value::Word(distance) => u32::try_from(distance.bits).ok()?,
        _ => return None,
    };
    if distance > u32::from(word.width) {
        return None;
    }
    let bits = if left {
        (u128::from(word.bits) << distance) as u64
    } else {
        (word.to_integer() >> distance) as u64
    };
    Some(Word::new(word.signed, word.width, bits))
}
