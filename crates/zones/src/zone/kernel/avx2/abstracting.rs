//! Extrapolation and the simulation test.

use super::rows::{Rows, all, any, bits, lane_numbers, select};
use crate::bound::{Bound, INFINITY, LE_ZERO, NO_BOUND, SMALLEST, le, lt};
use crate::zone::kernel::Raised;
use crate::zone::rows::RowSet;
use std::arch::x86_64::*;

/// `lt(-limit)` for each lane, and zero in the lane of the reference clock.
#[inline]
#[target_feature(enable = "avx2")]
fn below_negated(limits: __m256i, is_reference: __m256i) -> __m256i {
    let negated = _mm256_sub_epi32(all(0), _mm256_slli_epi32::<1>(limits));
    _mm256_andnot_si256(is_reference, negated)
}

/// The lane of the reference clock in the chunk at `offset`.
#[inline]
#[target_feature(enable = "avx2")]
fn reference_lane(offset: usize) -> __m256i {
    _mm256_cmpeq_epi32(lane_numbers(), all(-(offset as i32)))
}

/// SAFETY: the zones must be valid for `n * n` bounds, `upper` for `n`; `lower.len()` must be `n`.
#[target_feature(enable = "avx2")]
pub(super) unsafe fn alu_violated<const C: usize, const SMALL: bool>(
    layout: Rows<C, SMALL>,
    small: *const Bound,
    large: *const Bound,
    lower: &[i32],
    upper: *const i32,
) -> bool {
    let n = layout.n;
    // SAFETY: both are rows of n numbers.
    let (lows, uppers) = unsafe { (layout.load(small), layout.load(upper)) };
    // The lower bounds of small for the clocks that are not above U; the others cannot violate anything.
    let mut lowest = lows;
    for (chunk, low) in lowest.iter_mut().enumerate() {
        let limit = below_negated(uppers[chunk], reference_lane(layout.offset(chunk)));
        let matters = _mm256_cmpgt_epi32(*low, limit);
        let matters = if SMALL {
            _mm256_and_si256(matters, layout.mask)
        } else {
            matters
        };
        *low = select(matters, *low, all(i32::MIN));
    }
    for (y, &lower_y) in lower.iter().enumerate() {
        let lower_y = if y == 0 { 0 } else { lower_y };
        if lower_y == NO_BOUND {
            continue;
        }
        let limit = all(lt(-lower_y));
        // SAFETY: row y is within both zones.
        let (ours, theirs) =
            unsafe { (layout.load(small.add(y * n)), layout.load(large.add(y * n))) };
        let mut violated = all(0);
        for chunk in 0..C {
            let tighter = _mm256_cmpgt_epi32(ours[chunk], theirs[chunk]);
            let sum = _mm256_add_epi32(_mm256_and_si256(theirs[chunk], all(!1)), limit);
            let beyond = _mm256_cmpgt_epi32(lowest[chunk], sum);
            violated = _mm256_or_si256(violated, _mm256_and_si256(tighter, beyond));
        }
        if any(violated) {
            return true;
        }
    }
    false
}

/// SAFETY: the zone must be valid for reading and `core` for writing `n * n` bounds, `upper` for reading `n`; `lower.len()`
/// must be `n`.
#[target_feature(enable = "avx2")]
pub(super) unsafe fn alu_core<const C: usize, const SMALL: bool>(
    layout: Rows<C, SMALL>,
    zone: *const Bound,
    lower: &[i32],
    upper: *const i32,
    core: *mut Bound,
) {
    let n = layout.n;
    // SAFETY: both are rows of n numbers.
    let (lows, uppers) = unsafe { (layout.load(zone), layout.load(upper)) };
    let (mut bases, mut highest) = (lows, lows);
    for (chunk, low) in lows.iter().enumerate() {
        let limit = below_negated(uppers[chunk], reference_lane(layout.offset(chunk)));
        let matters = _mm256_cmpgt_epi32(*low, limit);
        bases[chunk] = _mm256_and_si256(_mm256_add_epi32(*low, all(1)), all(!1));
        highest[chunk] = select(matters, all(i32::MAX), all(SMALLEST));
    }
    for (y, &lower_y) in lower.iter().enumerate() {
        let more = all(if y == 0 { 0 } else { 2 * lower_y });
        // SAFETY: row y is within the zone.
        let mut row = unsafe { layout.load(zone.add(y * n)) };
        for chunk in 0..C {
            let most = _mm256_add_epi32(bases[chunk], more);
            let least = _mm256_min_epi32(row[chunk], _mm256_min_epi32(most, highest[chunk]));
            row[chunk] = _mm256_max_epi32(least, all(SMALLEST));
        }
        // SAFETY: row y is within the core.
        unsafe { layout.store(core.add(y * n), row) }
    }
}

/// SAFETY: the zone must be valid for `n * n` bounds, `upper` for `n`; `lower.len()` must be `n`.
#[target_feature(enable = "avx2")]
pub(super) unsafe fn raise_lu_plus<const C: usize, const SMALL: bool>(
    layout: Rows<C, SMALL>,
    zone: *mut Bound,
    lower: &[i32],
    upper: *const i32,
) -> Raised {
    let n = layout.n;
    // SAFETY: all three are rows of n numbers.
    let (lows, lowers, uppers) = unsafe {
        (
            layout.load(zone),
            layout.load(lower.as_ptr()),
            layout.load(upper),
        )
    };
    let (mut first_row, mut gone) = (lows, lows);
    let (mut above_lower, mut above_upper, mut changed) = (0, 0, all(0));
    for chunk in 0..C {
        let offset = layout.offset(chunk);
        let reference = reference_lane(offset);
        let clocks = _mm256_andnot_si256(reference, if SMALL { layout.mask } else { all(-1) });
        let low = lows[chunk];
        let not_above = _mm256_cmpgt_epi32(low, below_negated(lowers[chunk], reference));
        above_lower |= bits(_mm256_andnot_si256(not_above, clocks)) << offset;
        let limit = below_negated(uppers[chunk], reference);
        gone[chunk] = _mm256_andnot_si256(_mm256_cmpgt_epi32(low, limit), clocks);
        above_upper |= bits(gone[chunk]) << offset;
        let raised = select(gone[chunk], _mm256_min_epi32(limit, all(LE_ZERO)), low);
        changed = _mm256_or_si256(changed, _mm256_cmpgt_epi32(raised, low));
        first_row[chunk] = raised;
    }
    if any(changed) {
        // SAFETY: the first row.
        unsafe { layout.store(zone, first_row) }
    }
    let above_lower = RowSet::from_bits(above_lower);
    let mut raised = Raised {
        changed: any(changed),
        above_upper: RowSet::from_bits(above_upper),
        above_lower,
        ..Raised::default()
    };
    for (i, &lower_i) in lower.iter().enumerate().skip(1) {
        let dead = above_lower.contains(i);
        let limit = all(if dead { i32::MIN } else { le(lower_i) });
        // SAFETY: row i is within the zone.
        let mut row = unsafe { layout.load(zone.add(i * n)) };
        let (mut changed, mut lost) = (all(0), all(0));
        for chunk in 0..C {
            let entry = row[chunk];
            let diagonal =
                _mm256_cmpeq_epi32(lane_numbers(), all(i as i32 - layout.offset(chunk) as i32));
            let goes = _mm256_or_si256(_mm256_cmpgt_epi32(entry, limit), gone[chunk]);
            let finite = _mm256_andnot_si256(diagonal, _mm256_cmpgt_epi32(all(INFINITY), entry));
            let finite = if SMALL {
                _mm256_and_si256(finite, layout.mask)
            } else {
                finite
            };
            let goes = _mm256_and_si256(goes, finite);
            row[chunk] = select(goes, all(INFINITY), entry);
            changed = _mm256_or_si256(changed, goes);
            lost = _mm256_or_si256(lost, _mm256_andnot_si256(gone[chunk], goes));
        }
        if any(changed) {
            raised.changed = true;
            if !dead && any(lost) {
                raised.lost.insert(i);
            }
            // SAFETY: row i is within the zone.
            unsafe { layout.store(zone.add(i * n), row) }
        }
    }
    raised
}

/// SAFETY: the zone must be valid for `n * n` bounds, `upper` for `n`; `lower.len()` must be `n`.
#[target_feature(enable = "avx2")]
pub(super) unsafe fn raise_lu<const C: usize, const SMALL: bool>(
    layout: Rows<C, SMALL>,
    zone: *mut Bound,
    lower: &[i32],
    upper: *const i32,
) -> RowSet {
    let n = layout.n;
    // SAFETY: a row of n numbers.
    let mut floors = unsafe { layout.load(upper) };
    for (chunk, floor) in floors.iter_mut().enumerate() {
        *floor = below_negated(*floor, reference_lane(layout.offset(chunk)));
    }
    let mut rows_changed = RowSet::default();
    for (i, &lower_i) in lower.iter().enumerate() {
        let limit = all(if i == 0 { INFINITY } else { le(lower_i) });
        let highest_floor = all(if i == 0 { LE_ZERO } else { INFINITY });
        // SAFETY: row i is within the zone.
        let mut row = unsafe { layout.load(zone.add(i * n)) };
        let mut changed = all(0);
        for chunk in 0..C {
            let entry = row[chunk];
            let diagonal =
                _mm256_cmpeq_epi32(lane_numbers(), all(i as i32 - layout.offset(chunk) as i32));
            let raised = _mm256_max_epi32(entry, _mm256_min_epi32(floors[chunk], highest_floor));
            let raised = select(_mm256_cmpgt_epi32(entry, limit), all(INFINITY), raised);
            row[chunk] = select(diagonal, entry, raised);
            changed = _mm256_or_si256(changed, _mm256_cmpgt_epi32(row[chunk], entry));
        }
        if SMALL {
            changed = _mm256_and_si256(changed, layout.mask);
        }
        if any(changed) {
            rows_changed.insert(i);
            // SAFETY: row i is within the zone.
            unsafe { layout.store(zone.add(i * n), row) }
        }
    }
    rows_changed
}
