//! A zone that owns its memory.

use super::*;
use crate::Lattice;
use crate::bound::Bound;

/// A closed zone with its own memory; an empty one is always stored as the same matrix, so `Eq` is equality of sets.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Zone {
    n: usize,
    entries: Box<[Bound]>,
}

impl Zone {
    /// All valuations of the clocks `1..n`.
    pub fn universal(n: usize) -> Self {
        assert!(n > 0);
        let mut entries = vec![0; n * n].into_boxed_slice();
        init_universal(&mut entries, n);
        Zone { n, entries }
    }

    /// The one valuation in which all clocks are zero.
    pub fn zero(n: usize) -> Self {
        let mut zone = Zone::universal(n);
        init_zero(&mut zone.entries, n);
        zone
    }

    /// No valuation.
    pub fn empty(n: usize) -> Self {
        let mut zone = Zone::universal(n);
        zone.normalise(false);
        zone
    }

    /// A copy of closed entries, or of entries marked empty.
    pub fn from_entries(entries: &[Bound], n: usize) -> Self {
        assert!(n > 0 && entries.len() == n * n);
        let mut zone = Zone {
            n,
            entries: entries.into(),
        };
        zone.normalise(!is_empty(entries));
        zone
    }

    /// The dimension: the number of clocks and one.
    pub fn dimension(&self) -> usize {
        self.n
    }

    /// The entries, row by row.
    pub fn entries(&self) -> &[Bound] {
        &self.entries
    }

    fn normalise(&mut self, non_empty: bool) -> bool {
        if !non_empty {
            self.entries.fill(crate::bound::LT_ZERO);
        }
        non_empty
    }

    /// Changes the entries of a zone that is not empty by an operation that says whether it still is not.
    pub fn update(&mut self, operation: impl FnOnce(&mut [Bound], usize) -> bool) -> bool {
        if is_empty(&self.entries) {
            return false;
        }
        let non_empty = operation(&mut self.entries, self.n);
        self.normalise(non_empty)
    }

    /// Intersects with `x_i - x_j ≺ bound`; returns whether the zone is not empty.
    pub fn constrain(&mut self, i: usize, j: usize, bound: Bound) -> bool {
        self.update(|entries, n| constrain(entries, n, i, j, bound))
    }

    /// Intersects with another zone; returns whether the zone is not empty.
    pub fn intersect(&mut self, other: &Zone) -> bool {
        assert_eq!(self.n, other.n);
        if other.is_empty() {
            return self.normalise(false);
        }
        self.update(|entries, n| intersect(entries, &other.entries, n))
    }

    /// Lets time pass.
    pub fn up(&mut self) {
        self.update(|entries, n| {
            up(entries, n);
            true
        });
    }

    /// Goes back in time.
    pub fn down(&mut self) {
        self.update(|entries, n| {
            down(entries, n);
            true
        });
    }

    /// Assigns `x := value`.
    pub fn reset(&mut self, x: usize, value: i32) {
        self.update(|entries, n| {
            reset(entries, n, x, value);
            true
        });
    }

    /// Forgets clock `x`.
    pub fn free(&mut self, x: usize) {
        self.update(|entries, n| {
            free(entries, n, x);
            true
        });
    }
}

impl Lattice for Zone {
    fn less_or_equal(&self, other: &Self) -> bool {
        self.is_empty() || (!other.is_empty() && includes(&other.entries, &self.entries))
    }

    fn join(&mut self, other: &Self) -> bool {
        if other.is_empty() {
            return false;
        }
        if self.is_empty() {
            self.clone_from(other);
            return true;
        }
        convex_union(&mut self.entries, &other.entries, self.n)
    }

    fn is_empty(&self) -> bool {
        is_empty(&self.entries)
    }
}

impl std::fmt::Debug for Zone {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            out,
            "{}",
            Printed::new(&self.entries, self.n, |i| format!("x{i}"))
        )
    }
}
