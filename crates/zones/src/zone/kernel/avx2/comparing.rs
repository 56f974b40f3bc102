//! Comparing and joining whole zones, entry by entry.

use super::rows::{all, any, bits, load_eight};
use crate::bound::{Bound, INFINITY};
use crate::zone::kernel::scalar;
use crate::zone::storage::narrow::Narrow;
use std::arch::x86_64::*;

/// Calls `visit` with the start of each chunk of eight of `length ≥ 8` numbers; the last may overlap.
macro_rules! for_each_chunk {
    ($length:expr, |$start:ident| $body:block) => {
        let mut $start = 0;
        while $start + 8 <= $length {
            $body
            $start += 8;
        }
        if $start < $length {
            $start = $length - 8;
            $body
        }
    };
}

/// SAFETY: both must be valid for reading `start + 8` bounds.
#[inline]
#[target_feature(enable = "avx2")]
pub(super) unsafe fn greater_at(left: *const Bound, right: *const Bound, start: usize) -> __m256i {
    // SAFETY: as required.
    unsafe {
        _mm256_cmpgt_epi32(
            _mm256_loadu_si256(left.add(start).cast()),
            _mm256_loadu_si256(right.add(start).cast()),
        )
    }
}

/// SAFETY: both must be valid for reading `length ≥ 8` bounds.
#[target_feature(enable = "avx2")]
pub(super) unsafe fn any_greater(left: *const Bound, right: *const Bound, length: usize) -> bool {
    // SAFETY: no chunk ends beyond the length.
    unsafe {
        let mut start = 0;
        while start + 32 <= length {
            let first = _mm256_or_si256(
                greater_at(left, right, start),
                greater_at(left, right, start + 8),
            );
            let second = _mm256_or_si256(
                greater_at(left, right, start + 16),
                greater_at(left, right, start + 24),
            );
            if any(_mm256_or_si256(first, second)) {
                return true;
            }
            start += 32;
        }
        let mut found = greater_at(left, right, length - 8);
        while start + 8 < length {
            found = _mm256_or_si256(found, greater_at(left, right, start));
            start += 8;
        }
        any(found)
    }
}

/// SAFETY: both must be valid for reading `length ≥ 8` bounds.
#[target_feature(enable = "avx2")]
pub(super) unsafe fn find_greater(
    left: *const Bound,
    right: *const Bound,
    length: usize,
) -> Option<usize> {
    for_each_chunk!(length, |start| {
        // SAFETY: the chunk ends at or before the length.
        let found = bits(unsafe { greater_at(left, right, start) });
        if found != 0 {
            return Some(start + found.trailing_zeros() as usize);
        }
    });
    None
}

/// The plain form, which the compiler turns into vector instructions here; so for the next two.
#[target_feature(enable = "avx2")]
pub(super) fn sum_clamped(entries: &[Bound], limit: Bound) -> i32 {
    scalar::sum_clamped(entries, limit)
}

/// SAFETY: `zone` must be valid for reading and `packed` for writing `length ≥ 8` entries.
#[target_feature(enable = "avx2")]
pub(super) unsafe fn pack<T: Narrow>(zone: *const Bound, packed: *mut T, length: usize) -> bool {
    let (lowest, infinite) = (all(T::LOWEST.into()), all(T::INFINITE.into()));
    let infinity = all(INFINITY);
    let mut unfit = all(0);
    for_each_chunk!(length, |start| {
        // SAFETY: the chunk ends at or before the length; `Narrow` is sealed, so the size tells the type.
        unsafe {
            let entries = _mm256_loadu_si256(zone.add(start).cast());
            let is_infinite = _mm256_cmpeq_epi32(entries, infinity);
            let entries = _mm256_blendv_epi8(entries, infinite, is_infinite);
            let too_low = _mm256_cmpgt_epi32(lowest, entries);
            // Only what stands for infinity may be as large as that.
            let large = _mm256_cmpgt_epi32(infinite, entries);
            let too_high = _mm256_andnot_si256(_mm256_or_si256(large, is_infinite), all(-1));
            unfit = _mm256_or_si256(unfit, _mm256_or_si256(too_low, too_high));
            let (low, high) = (
                _mm256_castsi256_si128(entries),
                _mm256_extracti128_si256(entries, 1),
            );
            let words = _mm_packs_epi32(low, high);
            match size_of::<T>() {
                1 => _mm_storel_epi64(packed.add(start).cast(), _mm_packs_epi16(words, words)),
                2 => _mm_storeu_si128(packed.add(start).cast(), words),
                _ => _mm256_storeu_si256(packed.add(start).cast(), entries),
            }
        }
    });
    !any(unfit)
}

/// The plain form, as above.
#[target_feature(enable = "avx2")]
pub(super) fn saturate<T: Narrow>(core: &[Bound], packed: &mut [T]) {
    scalar::saturate(core, packed)
}

/// SAFETY: `zone` must be valid for reading `n * n` bounds.
#[target_feature(enable = "avx2")]
pub(super) unsafe fn sum_lanes(zone: *const Bound, n: usize, limit: Bound) -> [u32; 4] {
    /// From the ninth less m on: m numbers of all ones, then zeros.
    static ONES_THEN_ZEROS: [i32; 16] = [-1, -1, -1, -1, -1, -1, -1, -1, 0, 0, 0, 0, 0, 0, 0, 0];
    let (low, high) = (all(-limit), all(limit));
    let clamped = |entries| _mm256_max_epi32(_mm256_min_epi32(entries, high), low);
    // SAFETY: the mask has eight numbers from there on.
    let mask = unsafe { _mm256_loadu_si256(ONES_THEN_ZEROS.as_ptr().add(8 - n % 8).cast()) };
    let mut sums = [all(0); 4];
    let mut lane = 0;
    for row in 0..n {
        let mut sum = sums[lane];
        let mut column = 0;
        while column + 8 <= n {
            // SAFETY: the chunk ends within the row.
            let entries = unsafe { _mm256_loadu_si256(zone.add(row * n + column).cast()) };
            sum = _mm256_add_epi32(sum, clamped(entries));
            column += 8;
        }
        if column < n {
            // SAFETY: only what is left of the row is read.
            let entries = unsafe { _mm256_maskload_epi32(zone.add(row * n + column), mask) };
            sum = _mm256_add_epi32(sum, clamped(entries));
        }
        sums[lane] = sum;
        lane = if lane == 3 { 1 } else { lane + 1 };
    }
    let total = |sum: __m256i| {
        let half = _mm_add_epi32(
            _mm256_castsi256_si128(sum),
            _mm256_extracti128_si256(sum, 1),
        );
        let quarter = _mm_add_epi32(half, _mm_shuffle_epi32(half, 0b1110));
        let last = _mm_add_epi32(quarter, _mm_shuffle_epi32(quarter, 1));
        _mm_cvtsi128_si32(last) as u32
    };
    sums.map(total)
}

#[target_feature(enable = "avx2")]
pub(super) fn unpack<T: Narrow>(packed: &[T], zone: &mut [Bound]) {
    scalar::unpack(packed, zone)
}

/// SAFETY: both must be valid for reading `length ≥ 8` bounds.
#[target_feature(enable = "avx2")]
pub(super) unsafe fn compare(
    left: *const Bound,
    right: *const Bound,
    length: usize,
) -> (bool, bool) {
    let (mut smaller, mut larger) = (all(0), all(0));
    for_each_chunk!(length, |start| {
        // SAFETY: the chunk ends at or before the length.
        unsafe {
            smaller = _mm256_or_si256(smaller, greater_at(right, left, start));
            larger = _mm256_or_si256(larger, greater_at(left, right, start));
        }
        if start % 64 == 56 && any(smaller) && any(larger) {
            return (true, true);
        }
    });
    (any(smaller), any(larger))
}

/// SAFETY: both must be valid for `length ≥ 8` bounds.
#[target_feature(enable = "avx2")]
pub(super) unsafe fn maximum(left: *mut Bound, right: *const Bound, length: usize) -> bool {
    let mut changed = all(0);
    for_each_chunk!(length, |start| {
        // SAFETY: the chunk ends at or before the length.
        unsafe {
            let (l, r) = (left.add(start).cast(), right.add(start).cast());
            let (before, other) = (_mm256_loadu_si256(l), _mm256_loadu_si256(r));
            changed = _mm256_or_si256(changed, _mm256_cmpgt_epi32(other, before));
            _mm256_storeu_si256(l, _mm256_max_epi32(before, other));
        }
    });
    any(changed)
}

/// SAFETY: both must be valid for reading `length ≥ 16` entries.
#[target_feature(enable = "avx2")]
pub(super) unsafe fn any_greater_narrow<T: Narrow>(
    left: *const T,
    right: *const T,
    length: usize,
) -> bool {
    // SAFETY: the size tells the type, since `Narrow` is sealed.
    unsafe {
        match size_of::<T>() {
            1 if length >= 32 => any_greater_bytes(left.cast(), right.cast(), length),
            1 => any_greater_few_bytes(left.cast(), right.cast(), length),
            2 => any_greater_words(left.cast(), right.cast(), length),
            _ => any_greater(left.cast(), right.cast(), length),
        }
    }
}

/// SAFETY: both must be valid for reading `length ≥ 32` bytes.
#[target_feature(enable = "avx2")]
unsafe fn any_greater_bytes(left: *const i8, right: *const i8, length: usize) -> bool {
    // SAFETY: all ends are at or before the length.
    let greater = |start: usize| unsafe {
        let left = _mm256_loadu_si256(left.add(start).cast());
        _mm256_cmpgt_epi8(left, _mm256_loadu_si256(right.add(start).cast()))
    };
    let mut start = 0;
    while start + 64 <= length {
        if any(_mm256_or_si256(greater(start), greater(start + 32))) {
            return true;
        }
        start += 64;
    }
    let end = greater(length - 32);
    any(if start + 32 < length {
        _mm256_or_si256(end, greater(start))
    } else {
        end
    })
}

/// SAFETY: both must be valid for reading `16 ≤ length ≤ 32` bytes.
#[target_feature(enable = "avx2")]
unsafe fn any_greater_few_bytes(left: *const i8, right: *const i8, length: usize) -> bool {
    // SAFETY: both ends are at or before the length.
    let greater = |start: usize| unsafe {
        let left = _mm_loadu_si128(left.add(start).cast());
        _mm_cmpgt_epi8(left, _mm_loadu_si128(right.add(start).cast()))
    };
    _mm_movemask_epi8(_mm_or_si128(greater(0), greater(length - 16))) != 0
}

/// SAFETY: both must be valid for reading `length ≥ 16` words.
#[target_feature(enable = "avx2")]
unsafe fn any_greater_words(left: *const i16, right: *const i16, length: usize) -> bool {
    // SAFETY: all ends are at or before the length.
    let greater = |start: usize| unsafe {
        let left = _mm256_loadu_si256(left.add(start).cast());
        _mm256_cmpgt_epi16(left, _mm256_loadu_si256(right.add(start).cast()))
    };
    let mut start = 0;
    while start + 32 <= length {
        if any(_mm256_or_si256(greater(start), greater(start + 16))) {
            return true;
        }
        start += 32;
    }
    let end = greater(length - 16);
    any(if start + 16 < length {
        _mm256_or_si256(end, greater(start))
    } else {
        end
    })
}

/// SAFETY: both must be valid for reading `length ≥ 8` entries.
#[target_feature(enable = "avx2")]
pub(super) unsafe fn any_greater_mixed<T: Narrow>(
    left: *const Bound,
    right: *const T,
    length: usize,
) -> bool {
    // SAFETY: all ends are at or before the length.
    let greater = |start: usize| unsafe {
        _mm256_cmpgt_epi32(
            _mm256_loadu_si256(left.add(start).cast()),
            load_eight(right.add(start)),
        )
    };
    let mut start = 0;
    while start + 16 <= length {
        if any(_mm256_or_si256(greater(start), greater(start + 8))) {
            return true;
        }
        start += 16;
    }
    let end = greater(length - 8);
    any(if start + 8 < length {
        _mm256_or_si256(end, greater(start))
    } else {
        end
    })
}

/// SAFETY: `words` must be valid for reading `4 ≤ length ≤ 64` words.
#[target_feature(enable = "avx2")]
pub(super) unsafe fn compare_lanes(words: *const u64, length: usize, word: u64) -> (u64, u64) {
    let word = _mm256_set1_epi64x(word as i64);
    let (mut no_smaller, mut no_larger) = (0, 0);
    let mut start = 0;
    while start < length {
        let end = (start + 16).min(length);
        // Most of a long list is ruled out both ways: so four times four are looked at together first.
        if start + 16 == end {
            let mut either = _mm256_setzero_si256();
            for from in [start, start + 4, start + 8, start + 12] {
                // SAFETY: `start + 16` is at most the length.
                let others = unsafe { _mm256_loadu_si256(words.add(from).cast()) };
                let larger = _mm256_max_epi16(word, others);
                let same = _mm256_cmpeq_epi64(larger, others);
                either = _mm256_or_si256(either, same);
                either = _mm256_or_si256(either, _mm256_cmpeq_epi64(larger, word));
            }
            if !any(either) {
                start = end;
                continue;
            }
        }
        while start < end {
            // The last four may have been compared before: the bits are the same.
            let at = start.min(length - 4);
            // SAFETY: `at + 4` is at most the length.
            let others = unsafe { _mm256_loadu_si256(words.add(at).cast()) };
            let larger = _mm256_max_epi16(word, others);
            let equal = |lanes| {
                let equal = _mm256_castsi256_pd(_mm256_cmpeq_epi64(larger, lanes));
                u64::from(_mm256_movemask_pd(equal) as u32)
            };
            no_smaller |= equal(others) << at;
            no_larger |= equal(word) << at;
            start += 4;
        }
    }
    (no_smaller, no_larger)
}
