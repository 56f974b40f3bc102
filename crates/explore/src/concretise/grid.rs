//! Closed matrices of integer bounds, all of them `≤`: zones on a grid.

use merkhet_zones::bound::{self, Bound};

/// No bound. Sums of two stay far below overflow.
pub(super) const INFINITE: i64 = i64::MAX / 4;

/// A matrix of bounds: entry `i * n + j` is the largest value of `x_i − x_j`, in units of the grid.
#[derive(Clone, Debug)]
pub(super) struct Grid {
    pub n: usize,
    pub entries: Vec<i64>,
}

impl Grid {
    /// Every clock is zero.
    pub fn zero(n: usize) -> Grid {
        Grid {
            n,
            entries: vec![0; n * n],
        }
    }

    #[inline]
    pub fn get(&self, i: usize, j: usize) -> i64 {
        self.entries[i * self.n + j]
    }

    /// Intersects with a zone, whose strict bounds become one unit less; says whether anything is left.
    pub fn intersect(&mut self, zone: &[Bound], scale: i64) -> bool {
        let mut touched = vec![false; self.n];
        for (index, &entry) in zone.iter().enumerate() {
            if bound::is_infinite(entry) {
                continue;
            }
            let limit =
                i64::from(bound::constant(entry)) * scale - i64::from(bound::is_strict(entry));
            if limit < self.entries[index] && index / self.n != index % self.n {
                self.entries[index] = limit;
                touched[index / self.n] = true;
                touched[index % self.n] = true;
            }
        }
        self.close(&touched)
    }

    /// What two zones have in common, if anything.
    pub fn intersection(&self, other: &Grid) -> Option<Grid> {
        let mut both = self.clone();
        for (entry, limit) in both.entries.iter_mut().zip(&other.entries) {
            *entry = (*entry).min(*limit);
        }
        both.close(&vec![true; self.n]).then_some(both)
    }

    /// Closes through the rows that were touched.
    fn close(&mut self, touched: &[bool]) -> bool {
        let n = self.n;
        for k in (0..n).filter(|k| touched[*k]) {
            for i in 0..n {
                let first = self.entries[i * n + k];
                if first >= INFINITE {
                    continue;
                }
                for j in 0..n {
                    let sum = first + self.entries[k * n + j];
                    if sum < self.entries[i * n + j] {
                        self.entries[i * n + j] = sum;
                    }
                }
            }
        }
        (0..n).all(|i| self.entries[i * n + i] >= 0)
    }

    /// Lets time pass for the clocks that do not stand still.
    pub fn up(&mut self, stopped: &[bool]) {
        let n = self.n;
        let stands = |row: usize| row == 0 || stopped.get(row).is_some_and(|stopped| *stopped);
        for i in (1..n).filter(|i| !stands(*i)) {
            for j in (0..n).filter(|j| stands(*j)) {
                self.entries[i * n + j] = INFINITE;
            }
        }
    }
}
