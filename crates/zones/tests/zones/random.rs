//! Random zones from a seed.

use merkhet_zones::bound::{Bound, le, lt};
use merkhet_zones::zone;

/// How many rounds to run: the usual number times `MERKHET_TEST_FACTOR`, for long runs.
pub fn rounds(usual: u64) -> u64 {
    let factor = std::env::var("MERKHET_TEST_FACTOR")
        .ok()
        .and_then(|factor| factor.parse().ok());
    usual * factor.unwrap_or(1)
}

/// A small generator (splitmix64), so that a failure is reproduced by its seed.
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number in `low..=high`.
    pub fn range(&mut self, low: i64, high: i64) -> i64 {
        low + (self.next() % (high - low + 1) as u64) as i64
    }

    pub fn index(&mut self, length: usize) -> usize {
        self.range(0, length as i64 - 1) as usize
    }

    pub fn chance(&mut self, percent: i64) -> bool {
        self.range(0, 99) < percent
    }

    pub fn clock(&mut self, n: usize) -> usize {
        1 + self.index(n - 1)
    }

    pub fn bound(&mut self, low: i64, high: i64) -> Bound {
        let constant = self.range(low, high) as i32;
        if self.chance(50) {
            le(constant)
        } else {
            lt(constant)
        }
    }

    /// A closed zone that is not empty, with constants up to `max`, as a run of an automaton could give it.
    pub fn zone(&mut self, n: usize, max: i64) -> Vec<Bound> {
        let mut result = vec![0; n * n];
        if self.chance(60) {
            zone::init_zero(&mut result, n);
        } else {
            zone::init_universal(&mut result, n);
        }
        for _ in 0..self.range(1, 3 + 2 * n as i64) {
            self.step(&mut result, n, max);
        }
        result
    }

    fn step(&mut self, current: &mut [Bound], n: usize, max: i64) {
        if n == 1 {
            return;
        }
        let (x, y) = (self.clock(n), self.clock(n));
        match self.range(0, 9) {
            0..=2 => zone::up(current, n),
            3..=4 => zone::reset(current, n, x, self.range(0, max) as i32),
            5 => zone::free(current, n, x),
            6 => zone::copy(current, n, x, y),
            _ => {
                let (i, j) = match self.range(0, 2) {
                    0 => (x, 0),
                    1 => (0, x),
                    _ => (x, y),
                };
                let (low, high) = if i == 0 {
                    (-max, 0)
                } else if j == 0 {
                    (0, max)
                } else {
                    (-max, max)
                };
                let bound = self.bound(low, high);
                if i != j && zone::is_consistent_with(current, n, i, j, bound) {
                    assert!(zone::constrain(current, n, i, j, bound));
                }
            }
        }
    }

    /// L or U bounds for extrapolation.
    pub fn clock_bounds(&mut self, n: usize, max: i64) -> Vec<i32> {
        let bound = |random: &mut Self| {
            if random.chance(20) {
                merkhet_zones::bound::NO_BOUND
            } else {
                random.range(0, max) as i32
            }
        };
        (0..n).map(|_| bound(self)).collect()
    }
}
