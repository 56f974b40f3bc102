//! Making zones and telling empty ones.

use crate::bound::{Bound, INFINITY, LE_ZERO, LT_ZERO};

/// Makes the zone in which every clock is zero.
pub fn init_zero(zone: &mut [Bound], n: usize) {
    assert_eq!(zone.len(), n * n);
    zone.fill(LE_ZERO);
}

/// Makes the zone of all valuations: every clock at least zero.
pub fn init_universal(zone: &mut [Bound], n: usize) {
    assert_eq!(zone.len(), n * n);
    zone.fill(INFINITY);
    zone[..n].fill(LE_ZERO);
    for i in 1..n {
        zone[i * n + i] = LE_ZERO;
    }
}

/// Whether the zone has been found empty: closed zones show it in their first entry.
#[inline(always)]
pub fn is_empty(zone: &[Bound]) -> bool {
    zone[0] < LE_ZERO
}

/// Marks the zone as empty, whatever it holds.
#[inline(always)]
pub fn mark_empty(zone: &mut [Bound]) {
    zone[0] = LT_ZERO;
}
