//! How vectors meet rows, and a few words for vector instructions.

use crate::bound::{Bound, INFINITY};
use crate::zone::storage::narrow::Narrow;
use std::arch::x86_64::*;

/// How a row of `n` bounds is cut into `C` chunks; `SMALL` if it is shorter than one.
#[derive(Clone, Copy)]
pub(super) struct Rows<const C: usize, const SMALL: bool> {
    pub(super) n: usize,
    /// For small rows: the lanes in use, and the permutation that brings the last four of them to the front.
    pub(super) mask: __m256i,
    last_four: __m256i,
}

pub(super) type Chunks<const C: usize> = [__m256i; C];

impl<const C: usize, const SMALL: bool> Rows<C, SMALL> {
    #[inline]
    #[target_feature(enable = "avx2")]
    pub(super) fn new(n: usize) -> Self {
        debug_assert!(if SMALL {
            (4..8).contains(&n)
        } else {
            n.div_ceil(8) == C
        });
        let lanes = lane_numbers();
        let mask = _mm256_cmpgt_epi32(_mm256_set1_epi32(n as i32), lanes);
        let last_four = _mm256_add_epi32(lanes, _mm256_set1_epi32(n as i32 - 4));
        Rows { n, mask, last_four }
    }

    #[inline(always)]
    pub(super) fn offset(self, chunk: usize) -> usize {
        if SMALL {
            0
        } else if chunk + 1 == C {
            self.n - 8
        } else {
            8 * chunk
        }
    }

    /// SAFETY: `row` must be valid for reading `n` bounds.
    #[inline]
    #[target_feature(enable = "avx2")]
    pub(super) unsafe fn load(self, row: *const Bound) -> Chunks<C> {
        std::array::from_fn(|chunk| {
            if SMALL {
                // SAFETY: only the first n lanes are read.
                unsafe { _mm256_maskload_epi32(row, self.mask) }
            } else {
                // SAFETY: the chunk ends at or before the row's end.
                unsafe { _mm256_loadu_si256(row.add(self.offset(chunk)).cast()) }
            }
        })
    }

    /// SAFETY: `row` must be valid for writing `n` bounds.
    #[inline]
    #[target_feature(enable = "avx2")]
    pub(super) unsafe fn store(self, row: *mut Bound, chunks: Chunks<C>) {
        for (chunk, &values) in chunks.iter().enumerate() {
            if SMALL {
                let end = _mm256_permutevar8x32_epi32(values, self.last_four);
                // SAFETY: n ≥ 4, so both halves lie within the row. (A masked store is slow on some processors.)
                unsafe {
                    _mm_storeu_si128(row.cast(), _mm256_castsi256_si128(values));
                    _mm_storeu_si128(row.add(self.n - 4).cast(), _mm256_castsi256_si128(end));
                }
            } else {
                // SAFETY: the chunk ends at or before the row's end.
                unsafe { _mm256_storeu_si256(row.add(self.offset(chunk)).cast(), values) }
            }
        }
    }
}

#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn lane_numbers() -> __m256i {
    _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7)
}

#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn all(value: i32) -> __m256i {
    _mm256_set1_epi32(value)
}

#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn any(mask: __m256i) -> bool {
    _mm256_testz_si256(mask, mask) == 0
}

/// One bit for each lane.
#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn bits(mask: __m256i) -> u64 {
    u64::from(_mm256_movemask_ps(_mm256_castsi256_ps(mask)) as u32)
}

/// Eight packed entries, unpacked.
///
/// SAFETY: `entries` must be valid for reading eight.
#[inline]
#[target_feature(enable = "avx2")]
pub(super) unsafe fn load_eight<T: Narrow>(entries: *const T) -> __m256i {
    // SAFETY: as required; `Narrow` is sealed, so the size tells the type.
    let values = unsafe {
        match size_of::<T>() {
            1 => _mm256_cvtepi8_epi32(_mm_loadl_epi64(entries.cast())),
            2 => _mm256_cvtepi16_epi32(_mm_loadu_si128(entries.cast())),
            _ => return _mm256_loadu_si256(entries.cast()),
        }
    };
    select(
        _mm256_cmpeq_epi32(values, all(T::INFINITE.into())),
        all(INFINITY),
        values,
    )
}

/// Where `condition`, `then`, else `otherwise`.
#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn select(condition: __m256i, then: __m256i, otherwise: __m256i) -> __m256i {
    _mm256_blendv_epi8(otherwise, then, condition)
}
