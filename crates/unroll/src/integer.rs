//! Integers in two's complement, as wide as they need to be: the lowest bit first, the sign last.

use crate::gates::Gates;
use crate::word;
use batsat::Lit;
use merkhet_finite::Arithmetic;

/// An integer with a sign bit, never empty.
pub(crate) type Integer = Vec<Lit>;

pub(crate) fn constant(gates: &Gates, value: i64) -> Integer {
    let bits = 65 - (if value < 0 { !value } else { value }).leading_zeros() as usize;
    let bit = |at: usize| gates.constant(value >> at.min(63) & 1 == 1);
    (0..bits).map(bit).collect()
}

/// A number without a sign.
pub(crate) fn unsigned(gates: &Gates, bits: &[Lit]) -> Integer {
    let mut integer = bits.to_vec();
    integer.push(gates.constant(false));
    trimmed(integer)
}

/// Without repetitions of the sign.
pub(crate) fn trimmed(mut bits: Integer) -> Integer {
    while let [.., before, sign] = bits.as_slice()
        && before == sign
    {
        bits.pop();
    }
    bits
}

pub(crate) fn extended(a: &[Lit], width: usize) -> Integer {
    let mut bits = a.to_vec();
    if let Some(&sign) = a.last() {
        bits.resize(width.max(a.len()), sign);
    }
    bits
}

fn aligned(a: &[Lit], b: &[Lit], more: usize) -> (Integer, Integer) {
    let width = a.len().max(b.len()) + more;
    (extended(a, width), extended(b, width))
}

pub(crate) fn equal(gates: &mut Gates, a: &[Lit], b: &[Lit]) -> Lit {
    let (a, b) = aligned(a, b, 0);
    word::equal(gates, &a, &b)
}

pub(crate) fn less(gates: &mut Gates, a: &[Lit], b: &[Lit], or_equal: bool) -> Lit {
    let (a, b) = aligned(a, b, 0);
    word::less(gates, true, &a, &b, or_equal)
}

pub(crate) fn choose(gates: &mut Gates, condition: Lit, a: &[Lit], b: &[Lit]) -> Integer {
    let (a, b) = aligned(a, b, 0);
    let pairs = a.iter().zip(&b);
    let bits = pairs.map(|(&a, &b)| gates.choose(condition, a, b));
    trimmed(bits.collect())
}

/// The exact result, and where there is none: division by zero.
pub(crate) fn arithmetic(
    gates: &mut Gates,
    operator: Arithmetic,
    a: &[Lit],
    b: &[Lit],
) -> (Integer, Lit) {
    let no = gates.constant(false);
    match operator {
        Arithmetic::Add => {
            let (a, b) = aligned(a, b, 1);
            (trimmed(word::add(gates, &a, &b, no).0), no)
        }
        Arithmetic::Subtract => {
            let (a, b) = aligned(a, b, 1);
            (trimmed(word::subtract(gates, &a, &b).0), no)
        }
        Arithmetic::Multiply => {
            let width = a.len() + b.len();
            let (a, b) = (extended(a, width), extended(b, width));
            (trimmed(word::multiply(gates, &a, &b)), no)
        }
        Arithmetic::Divide | Arithmetic::Modulo => {
            let zero = !gates.any(b.iter().copied());
            let (a, b) = aligned(a, b, 1);
            let (quotient, remainder) = word::divide(gates, true, &a, &b);
            if operator == Arithmetic::Modulo {
                less_than_divisor(gates, &remainder, &b);
            }
            let result = match operator {
                Arithmetic::Divide => quotient,
                _ => remainder,
            };
            (trimmed(result), zero)
        }
    }
}

/// Says that a remainder is nearer to 0 than its divisor, where that is a number: true anyway, but a solver does not see it
/// through the division.
fn less_than_divisor(gates: &mut Gates, remainder: &[Lit], divisor: &[Lit]) {
    let bits: Option<Vec<bool>> = divisor.iter().map(|&bit| gates.constant_of(bit)).collect();
    let Some([bits @ .., false]) = bits.as_deref() else {
        return; // no number, or a negative one
    };
    if bits.contains(&true) {
        let negative = word::negate(gates, divisor);
        let below = less(gates, remainder, divisor, false);
        let above = less(gates, &negative, remainder, false);
        gates.assert(below);
        gates.assert(above);
    }
}
