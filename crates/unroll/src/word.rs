//! Arithmetic on words: literals, the lowest bit first.

use crate::gates::Gates;
use batsat::Lit;

/// A sum with carry in; bits beyond the width are dropped.
pub(crate) fn add(gates: &mut Gates, a: &[Lit], b: &[Lit], carry: Lit) -> (Vec<Lit>, Lit) {
    let mut carry = carry;
    let mut sum = Vec::with_capacity(a.len());
    for (&a, &b) in a.iter().zip(b) {
        let half = gates.xor(a, b);
        sum.push(gates.xor(half, carry));
        carry = gates.choose(half, carry, a);
    }
    (sum, carry)
}

/// `a - b`, and whether `a >= b` as unsigned numbers.
pub(crate) fn subtract(gates: &mut Gates, a: &[Lit], b: &[Lit]) -> (Vec<Lit>, Lit) {
    let flipped: Vec<Lit> = b.iter().map(|&bit| !bit).collect();
    let one = gates.constant(true);
    add(gates, a, &flipped, one)
}

pub(crate) fn negate(gates: &mut Gates, a: &[Lit]) -> Vec<Lit> {
    let zero = vec![gates.constant(false); a.len()];
    subtract(gates, &zero, a).0
}

pub(crate) fn negate_if(gates: &mut Gates, a: &[Lit], condition: Lit) -> Vec<Lit> {
    let flipped: Vec<Lit> = a.iter().map(|&bit| gates.xor(bit, condition)).collect();
    let zero = vec![gates.constant(false); a.len()];
    add(gates, &flipped, &zero, condition).0
}

/// The low bits of a product.
pub(crate) fn multiply(gates: &mut Gates, a: &[Lit], b: &[Lit]) -> Vec<Lit> {
    let no = gates.constant(false);
    let mut product = vec![no; a.len()];
    for (shift, &factor) in b.iter().enumerate().take(a.len()) {
        if factor == no {
            continue;
        }
        let mut row = vec![no; shift];
        for &bit in a.iter().take(a.len() - shift) {
            row.push(gates.and(bit, factor));
        }
        product = add(gates, &product, &row, no).0;
    }
    product
}

/// Truncating division of words of one width: quotient and remainder. Without meaning where `b` is zero.
pub(crate) fn divide(
    gates: &mut Gates,
    signed: bool,
    a: &[Lit],
    b: &[Lit],
) -> (Vec<Lit>, Vec<Lit>) {
    let no = gates.constant(false);
    let sign = |bits: &[Lit]| match bits.last() {
        Some(&bit) if signed => bit,
        _ => no,
    };
    let (sign_a, sign_b) = (sign(a), sign(b));
    let a = negate_if(gates, a, sign_a);
    // One bit more, so that the remainder can be doubled.
    let mut divisor = negate_if(gates, b, sign_b);
    divisor.push(no);
    let mut remainder = vec![no; divisor.len()];
    let mut quotient = vec![no; a.len()];
    for position in (0..a.len()).rev() {
        remainder.pop();
        remainder.insert(0, a[position]);
        let (difference, fits) = subtract(gates, &remainder, &divisor);
        for (bit, reduced) in remainder.iter_mut().zip(difference) {
            *bit = gates.choose(fits, reduced, *bit);
        }
        quotient[position] = fits;
    }
    remainder.pop();
    let negative = gates.xor(sign_a, sign_b);
    (
        negate_if(gates, &quotient, negative),
        negate_if(gates, &remainder, sign_a),
    )
}

pub(crate) fn equal(gates: &mut Gates, a: &[Lit], b: &[Lit]) -> Lit {
    let pairs: Vec<Lit> = a.iter().zip(b).map(|(&a, &b)| gates.same(a, b)).collect();
    gates.all(pairs)
}

/// `a < b` or `a <= b`, on words of one width.
pub(crate) fn less(gates: &mut Gates, signed: bool, a: &[Lit], b: &[Lit], or_equal: bool) -> Lit {
    let mut less = gates.constant(or_equal);
    for (&a, &b) in a.iter().zip(b) {
        let differ = gates.xor(a, b);
        less = gates.choose(differ, b, less);
    }
    if signed && let (Some(&a), Some(&b)) = (a.last(), b.last()) {
        // Where the signs differ, the negative one is less.
        let differ = gates.xor(a, b);
        less = gates.choose(differ, a, less);
    }
    less
}

/// A shift by as many places as another word says; the second part is where that is more than the width.
pub(crate) fn shift(
    gates: &mut Gates,
    a: &[Lit],
    distance: &[Lit],
    left: bool,
    fill: Lit,
) -> (Vec<Lit>, Lit) {
    let mut bits = a.to_vec();
    for (position, &far) in distance.iter().enumerate() {
        let by = 1usize.checked_shl(position as u32).unwrap_or(usize::MAX);
        bits = (0..bits.len())
            .map(|at| {
                let source = match left {
                    true => at.checked_sub(by),
                    false => at.checked_add(by),
                };
                let moved = source.and_then(|source| bits.get(source).copied());
                gates.choose(far, moved.unwrap_or(fill), bits[at])
            })
            .collect();
    }
    let most = constant(gates, a.len() as u64, distance.len().max(64));
    let mut distance = distance.to_vec();
    distance.resize(most.len(), gates.constant(false));
    let too_far = less(gates, false, &most, &distance, false);
    (bits, too_far)
}

/// A number in binary.
pub(crate) fn constant(gates: &Gates, value: u64, width: usize) -> Vec<Lit> {
    let bit = |position: usize| position < 64 && value >> position & 1 == 1;
    (0..width).map(|at| gates.constant(bit(at))).collect()
}
