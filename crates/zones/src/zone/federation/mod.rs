//! Federations: finite unions of zones, closed under subtraction.

pub(crate) mod subtract;

use super::*;
use crate::bound::Bound;

/// A union of closed zones that are not empty, in one flat buffer. The zones need not be disjoint.
#[derive(Clone, Debug)]
pub struct Federation {
    n: usize,
    zones: Vec<Bound>,
    /// The other half of subtraction's ping-pong, kept for its memory.
    scratch: Vec<Bound>,
}

impl Federation {
    /// The empty union over the clocks `1..n`.
    pub fn new(n: usize) -> Self {
        assert!(n > 0);
        Federation {
            n,
            zones: Vec::new(),
            scratch: Vec::new(),
        }
    }

    /// The dimension: the number of clocks and one.
    pub fn dimension(&self) -> usize {
        self.n
    }

    /// Whether there is no valuation in it.
    pub fn is_empty(&self) -> bool {
        self.zones.is_empty()
    }

    /// How many zones it is made of.
    pub fn len(&self) -> usize {
        self.zones.len() / (self.n * self.n)
    }

    /// The zones it is made of.
    pub fn zones(&self) -> impl ExactSizeIterator<Item = &[Bound]> {
        self.zones.chunks_exact(self.n * self.n)
    }

    /// Removes everything, keeping the memory.
    pub fn clear(&mut self) {
        self.zones.clear();
    }

    /// Makes it equal to one closed zone.
    pub fn assign(&mut self, zone: &[Bound]) {
        self.clear();
        self.push(zone);
    }

    /// Adds a closed zone, unless it is empty or inside one of the others; drops those that it includes.
    pub fn push(&mut self, zone: &[Bound]) {
        assert_eq!(zone.len(), self.n * self.n);
        if is_empty(zone) || self.zones().any(|present| includes(present, zone)) {
            return;
        }
        self.retain(|present, _| !includes(zone, present));
        self.zones.extend_from_slice(zone);
    }

    /// Adds all zones of another federation.
    pub fn union(&mut self, other: &Federation) {
        other.zones().for_each(|zone| self.push(zone));
    }

    /// Removes a closed zone.
    pub fn subtract_zone(&mut self, removed: &[Bound]) {
        if is_empty(removed) {
            return;
        }
        self.scratch.clear();
        for zone in self.zones.chunks_exact(self.n * self.n) {
            subtract(zone, removed, self.n, &mut self.scratch);
        }
        std::mem::swap(&mut self.zones, &mut self.scratch);
    }

    /// Removes all that is in another federation.
    pub fn subtract(&mut self, removed: &Federation) {
        for zone in removed.zones() {
            if self.is_empty() {
                return;
            }
            self.subtract_zone(zone);
        }
    }

    /// Intersects with `x_i - x_j ≺ bound`.
    pub fn constrain(&mut self, i: usize, j: usize, bound: Bound) {
        self.retain(|zone, n| constrain(zone, n, i, j, bound));
    }

    /// Whether the closed zone is inside the union. Exact: the zone may be covered by several together.
    pub fn includes_zone(&self, zone: &[Bound]) -> bool {
        if is_empty(zone) || self.zones().any(|present| includes(present, zone)) {
            return true;
        }
        let mut rest = Federation::new(self.n);
        rest.assign(zone);
        rest.subtract(self);
        rest.is_empty()
    }

    /// Whether the other federation is inside this one.
    pub fn includes(&self, other: &Federation) -> bool {
        other.zones().all(|zone| self.includes_zone(zone))
    }

    /// Lets time pass.
    pub fn up(&mut self) {
        self.for_each(up);
    }

    /// Goes back in time.
    pub fn down(&mut self) {
        self.for_each(down);
    }

    /// Forgets clock `x`.
    pub fn free(&mut self, x: usize) {
        self.for_each(|zone, n| free(zone, n, x));
    }

    /// Assigns `x := value`.
    pub fn reset(&mut self, x: usize, value: i32) {
        self.for_each(|zone, n| reset(zone, n, x, value));
    }

    /// Changes each zone by an operation that keeps it closed and not empty.
    pub fn for_each(&mut self, mut operation: impl FnMut(&mut [Bound], usize)) {
        let n = self.n;
        self.zones
            .chunks_exact_mut(n * n)
            .for_each(|zone| operation(zone, n));
    }

    /// Changes each zone by an operation that says whether it is to stay.
    pub fn retain(&mut self, mut keep: impl FnMut(&mut [Bound], usize) -> bool) {
        let (n, size) = (self.n, self.n * self.n);
        let mut kept = 0;
        for start in (0..self.zones.len()).step_by(size) {
            if keep(&mut self.zones[start..start + size], n) {
                self.zones.copy_within(start..start + size, kept);
                kept += size;
            }
        }
        self.zones.truncate(kept);
    }
}
