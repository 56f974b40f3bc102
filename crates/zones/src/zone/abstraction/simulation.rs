//! Inclusion up to simulation: is a zone inside the abstraction of another, without ever building the abstraction?
//!
//! F. Herbreteau, B. Srivathsan, I. Walukiewicz: Better abstractions for timed automata, LICS 2012. The abstraction
//! `aLU(Z)` holds the valuations that some valuation of Z simulates as far as comparisons with lower bounds up to L
//! and upper bounds up to U can tell; it is in general not convex, and no sound abstraction by L and U is coarser.
//! Both zones are given as they are, not extrapolated. It is not symmetric.

use crate::bound::Bound;
use crate::zone::kernel;

/// Whether `small ⊆ aLU(large)`. O(n²).
///
/// `lower[x]` is the largest constant of a guard `x > c` or `x ≥ c` that matters, `upper[x]` of `x < c` or `x ≤ c`,
/// [`NO_BOUND`](crate::bound::NO_BOUND) if there is none; index 0 is not read. Sound for reachability in models
/// without clock differences in guards; not for deadlocks or liveness.
///
/// Theorem 34 of the paper, in our notation: it fails iff there are x, y (0 included) with `small[0,x] ≥ (≤, -U_x)`,
/// `large[y,x] < small[y,x]` and `large[y,x] + (<, -L_y) < small[0,x]`.
#[inline]
pub fn included_in_alu(
    small: &[Bound],
    large: &[Bound],
    n: usize,
    lower: &[i32],
    upper: &[i32],
) -> bool {
    assert!(small.len() == n * n && large.len() == n * n && lower.len() >= n && upper.len() >= n);
    !kernel::alu_violated(small, large, n, lower, upper)
}
