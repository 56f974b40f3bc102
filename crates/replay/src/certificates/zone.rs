//! Zones as plain difference bound matrices, each operation by its definition.
//!
//! A bound is `value * 2 + 1` for `≤ value` and `value * 2` for `< value`, in 64 bits; the larger, the weaker. Every
//! zone here is closed (all bounds are the tightest that follow) and not empty: an operation that could give the
//! empty zone returns an `Option`.

use crate::interpreter::ClockValue;
use crate::rules::Atom;

/// No bound.
pub(crate) const NO_BOUND: i64 = i64::MAX;
/// `≤ 0`.
pub(crate) const ZERO: i64 = 1;

/// The sum of two bounds: strict if one is.
pub(crate) fn add(a: i64, b: i64) -> i64 {
    if a == NO_BOUND || b == NO_BOUND {
        return NO_BOUND;
    }
    ((a >> 1) + (b >> 1)) * 2 + (a & b & 1)
}

/// The bound of a constraint.
pub(crate) fn bound(value: i64, strict: bool) -> i64 {
    value * 2 + i64::from(!strict)
}

/// The bound of the negated constraint, on the opposite difference: ¬(x − y ≤ c) is y − x < −c.
pub(crate) fn opposite(bound: i64) -> i64 {
    1 - bound
}

/// A zone that is kept and not worked on: in half the memory where its bounds fit.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Kept {
    /// With bounds of 32 bits, the largest of them for no bound.
    Narrow(Box<[i32]>),
    Wide(Zone),
}

impl From<Zone> for Kept {
    fn from(zone: Zone) -> Kept {
        let narrow = |&bound: &i64| match i32::try_from(bound) {
            _ if bound == NO_BOUND => Some(i32::MAX),
            Ok(fits) if fits != i32::MAX => Some(fits),
            _ => None,
        };
        match zone.bounds.iter().map(narrow).collect() {
            Some(bounds) => Kept::Narrow(bounds),
            None => Kept::Wide(zone),
        }
    }
}

fn widened(bound: &i32) -> i64 {
    match *bound {
        i32::MAX => NO_BOUND,
        bound => i64::from(bound),
    }
}

impl Kept {
    /// The zone again.
    pub(crate) fn zone(&self, dimension: usize) -> Zone {
        match self {
            Kept::Narrow(bounds) => Zone {
                dimension,
                bounds: bounds.iter().map(widened).collect(),
            },
            Kept::Wide(zone) => zone.clone(),
        }
    }

    /// Whether it holds all of a zone.
    pub(crate) fn includes(&self, zone: &Zone) -> bool {
        match self {
            Kept::Narrow(bounds) => {
                let mut pairs = bounds.iter().zip(&zone.bounds);
                pairs.all(|(own, other)| widened(own) >= *other)
            }
            Kept::Wide(own) => own.includes(zone),
        }
    }
}

/// A closed zone that is not empty.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Zone {
    dimension: usize,
    bounds: Vec<i64>,
}

impl Zone {
    /// All valuations.
    pub(crate) fn universe(dimension: usize) -> Zone {
        let mut zone = Zone {
            dimension,
            bounds: vec![NO_BOUND; dimension * dimension],
        };
        for row in 0..dimension {
            zone.set(row, row, ZERO);
            zone.set(0, row, ZERO);
        }
        zone
    }

    /// All clocks 0.
    pub(crate) fn origin(dimension: usize) -> Zone {
        Zone {
            dimension,
            bounds: vec![ZERO; dimension * dimension],
        }
    }

    /// From a matrix that need not be closed; clocks are never negative. `None` if it is empty.
    pub(crate) fn from_matrix(dimension: usize, matrix: &[i64]) -> Option<Zone> {
        let mut zone = Zone::universe(dimension);
        for (own, &given) in zone.bounds.iter_mut().zip(matrix) {
            *own = (*own).min(given);
        }
        zone.close()
    }

    pub(crate) fn get(&self, left: usize, right: usize) -> i64 {
        self.bounds[left * self.dimension + right]
    }

    fn set(&mut self, left: usize, right: usize, bound: i64) {
        self.bounds[left * self.dimension + right] = bound;
    }

    /// Floyd and Warshall's shortest paths; a negative cycle means that the zone is empty. It stops at the first one,
    /// before numbers can grow: until then every bound is the length of a path without repetition.
    fn close(mut self) -> Option<Zone> {
        for via in 0..self.dimension {
            for left in 0..self.dimension {
                for right in 0..self.dimension {
                    let around = add(self.get(left, via), self.get(via, right));
                    if around < self.get(left, right) {
                        self.set(left, right, around);
                    }
                }
            }
            if (0..self.dimension).any(|row| self.get(row, row) < ZERO) {
                return None;
            }
        }
        Some(self)
    }

    /// The part where x(left) − x(right) is within the bound.
    pub(crate) fn constrain(mut self, left: usize, right: usize, bound: i64) -> Option<Zone> {
        if bound >= self.get(left, right) {
            return Some(self);
        }
        if left == right || add(bound, self.get(right, left)) < ZERO {
            return None;
        }
        // One tightened bound: shortest paths change only where they lead over it.
        let old = self.clone();
        for from in 0..self.dimension {
            let there = add(old.get(from, left), bound);
            for to in 0..self.dimension {
                let around = add(there, old.get(right, to));
                if around < self.get(from, to) {
                    self.set(from, to, around);
                }
            }
        }
        Some(self)
    }

    /// The part where a constraint holds.
    pub(crate) fn constrain_atom(self, atom: Atom) -> Option<Zone> {
        self.constrain(atom.left, atom.right, bound(atom.bound, atom.strict))
    }

    /// The part where all constraints hold.
    pub(crate) fn constrain_all(self, atoms: &[Atom]) -> Option<Zone> {
        atoms
            .iter()
            .try_fold(self, |zone, &atom| zone.constrain_atom(atom))
    }

    /// The common part.
    pub(crate) fn intersect(&self, other: &Zone) -> Option<Zone> {
        let mut both = self.clone();
        for (own, &given) in both.bounds.iter_mut().zip(&other.bounds) {
            *own = (*own).min(given);
        }
        both.close()
    }

    /// Whether it holds all of the other.
    pub(crate) fn includes(&self, other: &Zone) -> bool {
        self.bounds.iter().zip(&other.bounds).all(|(a, b)| a >= b)
    }

    /// Whether a valuation, in units of 1/scale, is in it.
    pub(crate) fn contains(&self, values: &[i128], scale: i128) -> bool {
        (0..self.dimension).all(|left| {
            (0..self.dimension).all(|right| {
                let bound = self.get(left, right);
                let difference = values[left] - values[right];
                let limit = i128::from(bound >> 1) * scale;
                bound == NO_BOUND || difference < limit || (bound & 1 == 1 && difference == limit)
            })
        })
    }

    /// What is left without the other zone, as zones that do not overlap.
    pub(crate) fn subtract(&self, other: &Zone) -> Vec<Zone> {
        let mut pieces = Vec::new();
        let mut rest = self.clone();
        for left in 0..self.dimension {
            for right in 0..self.dimension {
                let limit = other.get(left, right);
                if left == right || limit >= rest.get(left, right) {
                    continue;
                }
                pieces.extend(rest.clone().constrain(right, left, opposite(limit)));
                match rest.constrain(left, right, limit) {
                    Some(inside) => rest = inside,
                    None => return pieces,
                }
            }
        }
        pieces
    }

    /// Every valuation that is reached by delay. With clocks that stand still it is the smallest zone around them,
    /// because the exact set needs constraints on four clocks.
    pub(crate) fn up(&self, running: &[bool]) -> Zone {
        let mut after = self.clone();
        for left in 0..self.dimension {
            for right in 0..self.dimension {
                if running[left] && !running[right] {
                    after.set(left, right, NO_BOUND);
                }
            }
        }
        after
    }

    /// The rows of which all clocks run.
    pub(crate) fn all_running(&self) -> Vec<bool> {
        (0..self.dimension).map(|row| row > 0).collect()
    }

    /// Every valuation that is reached by a delay that is not 0; all clocks run.
    pub(crate) fn strictly_up(&self) -> Zone {
        let mut after = self.clone();
        for row in 1..self.dimension {
            after.set(row, 0, NO_BOUND);
            after.set(0, row, self.get(0, row) & !1);
        }
        after
    }

    /// Every valuation from which it is reached by delay; all clocks run.
    pub(crate) fn down(&self) -> Zone {
        let mut before = self.clone();
        for row in 1..self.dimension {
            // The least value of a clock is 0, or what its differences to other clocks, that are not negative, imply.
            let least = (1..self.dimension).map(|other| self.get(other, row)).min();
            before.set(0, row, least.unwrap_or(ZERO).min(ZERO));
        }
        before
    }

    /// What it says about three rows, the first being row 0.
    pub(crate) fn triangle(&self, first: usize, second: usize) -> Zone {
        let rows = [0, first, second];
        let bounds = rows
            .iter()
            .flat_map(|&left| rows.iter().map(move |&right| (left, right)));
        Zone {
            dimension: 3,
            bounds: bounds.map(|(left, right)| self.get(left, right)).collect(),
        }
    }

    pub(crate) fn dimension(&self) -> usize {
        self.dimension
    }

    /// The valuations after a transition's effect on the clocks.
    pub(crate) fn assign(&self, clocks: &[ClockValue]) -> Zone {
        let source = |row: usize| match row {
            0 => (0, 0),
            _ => {
                let value = clocks[row - 1];
                (value.source.map_or(0, |c| c.index() + 1), value.offset)
            }
        };
        let mut after = self.clone();
        for left in 0..self.dimension {
            for right in 0..self.dimension {
                let ((from, plus), (to, minus)) = (source(left), source(right));
                after.set(
                    left,
                    right,
                    add(self.get(from, to), bound(plus - minus, false)),
                );
            }
        }
        after
    }

    /// The valuations after a clock got any value between two numbers.
    pub(crate) fn between(&self, clock: usize, low: i64, high: i64) -> Zone {
        let mut after = self.clone();
        for other in (0..self.dimension).filter(|other| *other != clock) {
            after.set(clock, other, add(bound(high, false), self.get(0, other)));
            after.set(other, clock, add(self.get(other, 0), bound(-low, false)));
        }
        after
    }

    /// The smallest zone that holds both.
    pub(crate) fn hull(&self, other: &Zone) -> Zone {
        let mut both = self.clone();
        for (own, &given) in both.bounds.iter_mut().zip(&other.bounds) {
            *own = (*own).max(given);
        }
        both
    }

    /// The valuations that a transition's effect on the clocks brings into this zone.
    pub(crate) fn before(&self, clocks: &[ClockValue]) -> Option<Zone> {
        let mut before = Zone::universe(self.dimension);
        for left in 0..self.dimension {
            for right in 0..self.dimension {
                let limit = self.get(left, right);
                if limit == NO_BOUND {
                    continue;
                }
                let atom = Atom {
                    left,
                    right,
                    strict: limit & 1 == 0,
                    bound: limit >> 1,
                };
                before = before.constrain_atom(atom.before(clocks))?;
            }
        }
        Some(before)
    }

    /// The parts of it into which no delay leads from within: where a lower bound that belongs to it is met.
    pub(crate) fn floor(&self) -> Vec<Zone> {
        (1..self.dimension)
            .filter_map(|row| {
                let least = self.get(0, row);
                if least & 1 == 0 {
                    return None;
                }
                // 0 − x ≤ −c with x − 0 ≤ c.
                self.clone().constrain(row, 0, bound(-(least >> 1), false))
            })
            .collect()
    }
}
