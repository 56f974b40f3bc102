//! Choosing rows and columns of zones of up to 16 rows, a row at a time.

use super::rows::{all, any, lane_numbers, load_eight, select};
use crate::bound::{Bound, INFINITY, LE_ZERO};
use crate::zone::storage::narrow::Narrow;
use crate::zone::storage::subset::Subset;
use std::arch::x86_64::*;
use std::mem::MaybeUninit;

/// Which of 16 lanes go to eight others.
#[derive(Clone, Copy)]
struct Choice {
    lanes: __m256i,
    /// All ones where the lane is one of the last eight.
    from_last: __m256i,
}

impl Choice {
    #[inline]
    #[target_feature(enable = "avx2")]
    fn new(lanes: __m256i) -> Choice {
        Choice {
            lanes,
            from_last: _mm256_cmpgt_epi32(lanes, all(7)),
        }
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    fn of(self, first: __m256i, last: __m256i) -> __m256i {
        select(
            self.from_last,
            _mm256_permutevar8x32_epi32(last, self.lanes),
            _mm256_permutevar8x32_epi32(first, self.lanes),
        )
    }
}

/// Asserts that the rows are below `n`, 16 of them at once: those beyond the first `k` are 0.
///
/// SAFETY: `n` and `k` are at most 16, `n` is not 0; `zone` must be valid for reading `n * n` bounds, `rows` for 16, `part` for
/// writing `k * k` bounds and [`Subset::PADDING`] more.
#[target_feature(enable = "avx2")]
pub(super) unsafe fn choose(
    zone: *const Bound,
    n: usize,
    rows: *const u16,
    k: usize,
    part: *mut Bound,
) {
    // SAFETY: 16 row numbers.
    let numbers = unsafe { _mm256_loadu_si256(rows.cast()) };
    let beyond = _mm256_subs_epu16(numbers, _mm256_set1_epi16(n as i16 - 1));
    assert!(!any(beyond), "a row beyond the zone is chosen");
    let first_mask = _mm256_cmpgt_epi32(all(n as i32), lane_numbers());
    let last_mask = _mm256_cmpgt_epi32(all(n as i32 - 8), lane_numbers());
    // SAFETY: 16 row numbers.
    let [first_choice, last_choice] = [0, 8].map(|from| unsafe {
        Choice::new(_mm256_cvtepu16_epi32(_mm_loadu_si128(
            rows.add(from).cast(),
        )))
    });
    for index in 0..k {
        // SAFETY: masks keep reading within the row; what is written beyond a row of the part is written again by the next,
        // or is padding.
        unsafe {
            let row = zone.add(usize::from(*rows.add(index)) * n);
            let first = _mm256_maskload_epi32(row, first_mask);
            let to = part.add(index * k);
            if n <= 8 {
                let chosen = _mm256_permutevar8x32_epi32(first, first_choice.lanes);
                _mm256_storeu_si256(to.cast(), chosen);
                if k > 8 {
                    let chosen = _mm256_permutevar8x32_epi32(first, last_choice.lanes);
                    _mm256_storeu_si256(to.add(8).cast(), chosen);
                }
                continue;
            }
            let last = _mm256_maskload_epi32(row.wrapping_add(8), last_mask);
            _mm256_storeu_si256(to.cast(), first_choice.of(first, last));
            if k > 8 {
                _mm256_storeu_si256(to.add(8).cast(), last_choice.of(first, last));
            }
        }
    }
}

/// SAFETY: the subset must be one of at most 16 rows, `part.len()` the square of the number of chosen ones, `zone` valid for
/// writing the square of the number of all.
#[target_feature(enable = "avx2")]
pub(super) unsafe fn spread<T: Narrow>(subset: &Subset, part: &[T], zone: *mut Bound) {
    let (positions, k) = (subset.positions(), subset.rows().len());
    // Room for the part, and for what is read beyond its last row.
    let mut unpacked = [MaybeUninit::<Bound>::uninit(); 256 + 16];
    let wide: *mut Bound = unpacked.as_mut_ptr().cast();
    // SAFETY: the part has at most 256 entries.
    unsafe { unpack_all(part, wide) };
    let n = positions.len();
    // SAFETY: twice eight of sixteen numbers.
    let [first_choice, last_choice] = [0, 8].map(|from| unsafe {
        Choice::new(_mm256_loadu_si256(subset.sources.as_ptr().add(from).cast()))
    });
    for (index, position) in positions.iter().enumerate() {
        let (mut first, mut last) = (all(INFINITY), all(INFINITY));
        if *position == Subset::FREE {
            let diagonal = all(index as i32);
            let later = _mm256_add_epi32(lane_numbers(), all(8));
            first = select(
                _mm256_cmpeq_epi32(lane_numbers(), diagonal),
                all(LE_ZERO),
                first,
            );
            last = select(_mm256_cmpeq_epi32(later, diagonal), all(LE_ZERO), last);
        } else {
            // SAFETY: 16 entries from the row's start are within the buffer; those beyond the part, which were not written or
            // are zero, are chosen by no source.
            let (low, high) = unsafe {
                let row = wide.add(usize::from(*position) * k);
                (
                    _mm256_loadu_si256(row.cast()),
                    _mm256_loadu_si256(row.add(8).cast()),
                )
            };
            first = first_choice.of(low, high);
            if n > 8 {
                last = last_choice.of(low, high);
            }
        }
        // SAFETY: whole chunks are written only where they end within the zone; what they write beyond their row the next rows
        // write again.
        unsafe {
            let to = zone.add(index * n);
            if index * n + 16 <= n * n {
                _mm256_storeu_si256(to.cast(), first);
                if n > 8 {
                    _mm256_storeu_si256(to.add(8).cast(), last);
                }
            } else {
                let mut row = [0 as Bound; 16];
                _mm256_storeu_si256(row.as_mut_ptr().cast(), first);
                _mm256_storeu_si256(row.as_mut_ptr().add(8).cast(), last);
                std::ptr::copy_nonoverlapping(row.as_ptr(), to, n);
            }
        }
    }
}

/// SAFETY: `wide` must be valid for writing `part.len()` bounds and 16 more, which are set to zero.
#[inline]
#[target_feature(enable = "avx2")]
unsafe fn unpack_all<T: Narrow>(part: &[T], wide: *mut Bound) {
    let length = part.len();
    let mut start = 0;
    // SAFETY: chunks end at or before the length, or within the 16 more.
    unsafe {
        while start + 8 <= length {
            let entries = load_eight(part.as_ptr().add(start));
            _mm256_storeu_si256(wide.add(start).cast(), entries);
            start += 8;
        }
        for (index, entry) in part.iter().enumerate().skip(start) {
            wide.add(index).write(entry.widen());
        }
        _mm256_storeu_si256(wide.add(length).cast(), all(0));
        _mm256_storeu_si256(wide.add(length + 8).cast(), all(0));
    }
}
