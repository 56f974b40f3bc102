//! Bounds of clock differences: an integer with a strictness, packed into one `i32`.
//!
//! The packed form of `≤ c` is `2c + 1`, that of `< c` is `2c`: the order of the integers is the order of the
//! bounds, smaller means tighter. [`INFINITY`] is above every finite bound.
//!
//! Finite bounds lie in [`SMALLEST`]` .. INFINITY`, so that the sum of two of them never overflows. Constants of a
//! model must not exceed [`MAX_CONSTANT`] (the front end rejects larger ones with a located error). A sum that leaves
//! the range *saturates outwards*: above it becomes [`INFINITY`], below it becomes [`SMALLEST`]. Both only enlarge a
//! zone, so an "unreachable" stays right; a trace through such a zone is for the judge to confirm.

/// A packed bound; see the module's text.
pub type Bound = i32;

/// No bound: larger than every finite bound.
pub const INFINITY: Bound = 1 << 30;

/// The tightest finite bound, `<` the smallest constant.
pub const SMALLEST: Bound = lt(-MAX_CONSTANT);

/// `≤ 0`, the bound of `x - x` in every zone that is not empty.
pub const LE_ZERO: Bound = 1;

/// `< 0`.
pub const LT_ZERO: Bound = 0;

/// The largest clock constant that a model may use, `2^29 - 1`; the smallest is its negation.
pub const MAX_CONSTANT: i32 = (1 << 29) - 1;

/// In the L and U bounds of extrapolation and simulation: the clock has no such bound (`-∞`).
///
/// It is the one negative value that these arrays may hold. Its encoding makes `lt(-NO_BOUND)` equal [`INFINITY`],
/// so the kernels need no special case.
pub const NO_BOUND: i32 = -(1 << 29);

/// The bound `≤ constant`; the constant must be within ±[`MAX_CONSTANT`].
#[inline(always)]
pub const fn le(constant: i32) -> Bound {
    2 * constant + 1
}

/// The bound `< constant`; the constant must be within ±[`MAX_CONSTANT`].
#[inline(always)]
pub const fn lt(constant: i32) -> Bound {
    2 * constant
}

/// The integer of a finite bound.
#[inline(always)]
pub const fn constant(bound: Bound) -> i32 {
    bound >> 1
}

/// Whether a finite bound is `<` rather than `≤`.
#[inline(always)]
pub const fn is_strict(bound: Bound) -> bool {
    bound & 1 == 0
}

/// Whether the bound is [`INFINITY`].
#[inline(always)]
pub const fn is_infinite(bound: Bound) -> bool {
    bound == INFINITY
}

/// The sum, strict if either is strict, infinite if either is infinite, saturating outwards.
#[inline(always)]
pub const fn add(left: Bound, right: Bound) -> Bound {
    if left == INFINITY || right == INFINITY {
        return INFINITY;
    }
    // `≤ + ≤` carries one strictness bit too many, `≤ + <` one that must go, `< + <` none.
    let sum = left + right - ((left | right) & 1);
    if sum >= INFINITY {
        INFINITY
    } else if sum < SMALLEST {
        SMALLEST
    } else {
        sum
    }
}

/// The bound of `y - x` that holds exactly where the finite bound does not hold for `x - y`: `≤ c` becomes `< -c`.
#[inline(always)]
pub const fn negate(bound: Bound) -> Bound {
    1 - bound
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_keep_strictness() {
        assert_eq!(add(le(2), le(3)), le(5));
        assert_eq!(add(le(2), lt(3)), lt(5));
        assert_eq!(add(lt(2), le(-3)), lt(-1));
        assert_eq!(add(lt(2), lt(3)), lt(5));
        assert_eq!(add(INFINITY, le(-3)), INFINITY);
        assert_eq!(add(SMALLEST, INFINITY), INFINITY);
    }

    #[test]
    fn order_is_tightness() {
        assert!(lt(3) < le(3) && le(3) < lt(4) && le(MAX_CONSTANT) < INFINITY);
        assert!(SMALLEST < le(-MAX_CONSTANT));
    }

    #[test]
    fn sums_saturate_outwards() {
        assert_eq!(add(le(MAX_CONSTANT), le(MAX_CONSTANT)), INFINITY);
        assert_eq!(add(le(MAX_CONSTANT), le(0)), le(MAX_CONSTANT));
        assert_eq!(add(le(MAX_CONSTANT), le(1)), INFINITY);
        assert_eq!(add(le(-MAX_CONSTANT), le(-MAX_CONSTANT)), SMALLEST);
        assert_eq!(add(SMALLEST, SMALLEST), SMALLEST);
    }

    #[test]
    fn negation_is_the_complement() {
        assert_eq!(negate(le(5)), lt(-5));
        assert_eq!(negate(lt(5)), le(-5));
        assert_eq!(negate(negate(lt(-7))), lt(-7));
    }

    #[test]
    fn no_bound_needs_no_special_case() {
        assert_eq!(lt(-NO_BOUND), INFINITY);
        assert!(le(NO_BOUND) <= le(-MAX_CONSTANT));
    }
}
