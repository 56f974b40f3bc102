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

/// Writes the *core* of a zone with respect to L and U: the part that decides which zones simulate it. O(n²).
///
/// By the theorem above, `small ⊆ aLU(large)` fails iff some entry of `large` is less than
///
/// > core(small)\[y,x\] = min(small\[y,x\], small\[0,x\] rounded up to `<`, plus L_y) if small\[0,x\] ≥ (≤, -U_x), else -∞
///
/// (bounds are integers, so that `(<, c - L_y) < small[0,x]` says no more than a bound on c). So the test is inclusion of
/// a core, entry by entry. The core is the supremum of `min(v(y), L_y + ε) - v(x)` over the valuations v of the zone with
/// `v(x) ≤ U_x`. If v' simulates such a v, then `v'(x) ≤ v(x)` and `min(v'(y), L_y + ε) ≥ min(v(y), L_y + ε)`: what
/// simulates a zone has a core that is nowhere smaller. Hence
///
/// > small ⊆ aLU(large) iff core(small) ≤ large iff core(small) ≤ core(large),
///
/// and sums over cores tell at once that many a zone does not simulate another.
#[inline]
pub fn alu_core(zone: &[Bound], n: usize, lower: &[i32], upper: &[i32], core: &mut [Bound]) {
    assert!(zone.len() == n * n && core.len() == n * n && lower.len() >= n && upper.len() >= n);
    kernel::alu_core(zone, n, lower, upper, core);
}
