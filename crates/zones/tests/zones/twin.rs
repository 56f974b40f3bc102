//! The naive twin: definitions written down, exact integers, Floyd–Warshall after everything.

use merkhet_zones::bound::{self, Bound, INFINITY};
use std::cmp::Ordering;

/// A bound: `None` is infinity, else the constant and whether it is non-strict.
pub type Exact = Option<(i64, bool)>;

pub fn order(left: Exact, right: Exact) -> Ordering {
    match (left, right) {
        (None, None) => Ordering::Equal,
        (None, _) => Ordering::Greater,
        (_, None) => Ordering::Less,
        (Some(left), Some(right)) => left.cmp(&right),
    }
}

pub fn plus(left: Exact, right: Exact) -> Exact {
    let ((a, a_le), (b, b_le)) = (left?, right?);
    Some((a + b, a_le && b_le))
}

fn smaller(left: Exact, right: Exact) -> Exact {
    if order(left, right) == Ordering::Greater {
        right
    } else {
        left
    }
}

fn larger(left: Exact, right: Exact) -> Exact {
    if order(left, right) == Ordering::Less {
        right
    } else {
        left
    }
}

pub fn decode(entry: Bound) -> Exact {
    (entry != INFINITY).then(|| (bound::constant(entry).into(), !bound::is_strict(entry)))
}

pub const ZERO: Exact = Some((0, true));

#[derive(Clone, Debug, PartialEq)]
pub struct Twin {
    pub n: usize,
    pub entries: Vec<Vec<Exact>>,
}

impl Twin {
    pub fn of(zone: &[Bound], n: usize) -> Self {
        let entries = (0..n)
            .map(|i| (0..n).map(|j| decode(zone[i * n + j])).collect())
            .collect();
        Twin { n, entries }
    }

    /// Floyd–Warshall; whether the zone is not empty.
    pub fn close(&mut self) -> bool {
        let n = self.n;
        for k in 0..n {
            for i in 0..n {
                for j in 0..n {
                    let sum = plus(self.entries[i][k], self.entries[k][j]);
                    self.entries[i][j] = smaller(self.entries[i][j], sum);
                    if i == j && order(self.entries[i][j], ZERO) == Ordering::Less {
                        return false;
                    }
                }
            }
        }
        true
    }

    pub fn constrain(&mut self, i: usize, j: usize, bound: Exact) -> bool {
        self.entries[i][j] = smaller(self.entries[i][j], bound);
        self.close()
    }

    pub fn intersect(&mut self, other: &Twin) -> bool {
        for i in 0..self.n {
            for j in 0..self.n {
                self.entries[i][j] = smaller(self.entries[i][j], other.entries[i][j]);
            }
        }
        self.close()
    }

    pub fn join(&mut self, other: &Twin) {
        for i in 0..self.n {
            for j in 0..self.n {
                self.entries[i][j] = larger(self.entries[i][j], other.entries[i][j]);
            }
        }
    }

    pub fn up(&mut self) {
        (1..self.n).for_each(|i| self.entries[i][0] = None);
    }

    pub fn down(&mut self) {
        (1..self.n).for_each(|i| self.entries[0][i] = ZERO);
        self.close();
    }

    /// `x := y + offset`, with a fresh clock for the new value if `y` is `x`; whether any valuation is left.
    pub fn shift(&mut self, x: usize, y: usize, offset: i64) -> bool {
        let fresh = self.n;
        self.n += 1;
        self.entries.iter_mut().for_each(|row| row.push(None));
        self.entries.push(vec![None; self.n]);
        self.entries[fresh][fresh] = ZERO;
        self.entries[0][fresh] = ZERO;
        let non_empty = self.constrain(fresh, y, Some((offset, true)))
            && self.constrain(y, fresh, Some((-offset, true)));
        self.entries.swap(x, fresh);
        self.entries.iter_mut().for_each(|row| row.swap(x, fresh));
        self.n -= 1;
        self.entries.truncate(self.n);
        self.entries.iter_mut().for_each(|row| row.truncate(fresh));
        non_empty
    }

    /// Drops all that is known of a clock but that it is not negative.
    pub fn free(&mut self, x: usize) {
        for i in 0..self.n {
            self.entries[x][i] = None;
            self.entries[i][x] = None;
        }
        self.entries[x][x] = ZERO;
        self.entries[0][x] = ZERO;
        self.close();
    }

    pub fn reset(&mut self, x: usize, value: i64) {
        self.free(x);
        self.constrain(x, 0, Some((value, true)));
        self.constrain(0, x, Some((-value, true)));
    }

    pub fn copy(&mut self, x: usize, y: usize) {
        if x != y {
            self.free(x);
            self.constrain(x, y, ZERO);
            self.constrain(y, x, ZERO);
        }
    }

    pub fn below(&self, other: &Twin) -> bool {
        let pairs = self
            .entries
            .iter()
            .flatten()
            .zip(other.entries.iter().flatten());
        pairs
            .into_iter()
            .all(|(&left, &right)| order(left, right) != Ordering::Greater)
    }

    /// ExtraLU and ExtraLU+ as in the paper, with `x > L` counted as above L in the plus form.
    pub fn extrapolate(&mut self, lower: &[i32], upper: &[i32], plus: bool) {
        let before = self.clone();
        // The part of valuations that are above the limit in this clock.
        let above = |x: usize, limit: i32| {
            x != 0
                && (limit < 0
                    || order(before.entries[0][x], Some((-i64::from(limit), false)))
                        != Ordering::Greater)
        };
        let pairs = (0..self.n).flat_map(|i| (0..lower.len()).map(move |j| (i, j)));
        for (i, j) in pairs.filter(|(i, j)| i != j) {
            let entry = &mut self.entries[i][j];
            let exceeds = |limit: i32| entry.is_some_and(|(c, _)| limit < 0 || c > limit.into());
            let falls_below =
                |limit: i32| entry.is_some_and(|(c, _)| limit < 0 || c < -i64::from(limit));
            let weakest = |limit: i32| {
                if limit >= 0 {
                    Some((-i64::from(limit), false))
                } else if i == 0 {
                    ZERO
                } else {
                    None
                }
            };
            if i > 0 && exceeds(lower[i]) {
                *entry = None;
            } else if !plus {
                if j > 0 && falls_below(upper[j]) {
                    *entry = weakest(upper[j]);
                }
            } else if above(i, lower[i]) {
                *entry = None;
            } else if above(j, upper[j]) {
                *entry = if i == 0 { weakest(upper[j]) } else { None };
            }
        }
        assert!(self.close());
    }
}
