//! Ranges of integers.

use crate::Lattice;

/// The integers from a lowest to a highest one, or none: ordered by inclusion, joined by the smallest range that
/// holds both.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Interval(Option<(i64, i64)>);

impl Interval {
    /// No integer.
    pub const EMPTY: Interval = Interval(None);

    /// The integers `low..=high`; none if `low > high`.
    pub fn new(low: i64, high: i64) -> Self {
        Interval((low <= high).then_some((low, high)))
    }

    /// One integer.
    pub fn single(value: i64) -> Self {
        Interval(Some((value, value)))
    }

    /// The lowest and the highest integer, if there is one.
    pub fn ends(self) -> Option<(i64, i64)> {
        self.0
    }

    /// Whether the integer is in the range.
    pub fn contains(self, value: i64) -> bool {
        self.0
            .is_some_and(|(low, high)| low <= value && value <= high)
    }

    /// The integers that are in both.
    pub fn meet(self, other: Interval) -> Interval {
        match (self.0, other.0) {
            (Some((a, b)), Some((c, d))) => Interval::new(a.max(c), b.min(d)),
            _ => Interval::EMPTY,
        }
    }

    /// The range of the sums; its ends stay within what an integer holds.
    pub fn plus(self, other: Interval) -> Interval {
        match (self.0, other.0) {
            (Some((a, b)), Some((c, d))) => {
                Interval(Some((a.saturating_add(c), b.saturating_add(d))))
            }
            _ => Interval::EMPTY,
        }
    }
}

impl Lattice for Interval {
    fn less_or_equal(&self, other: &Self) -> bool {
        self.meet(*other) == *self
    }

    fn join(&mut self, other: &Self) -> bool {
        let before = *self;
        *self = match (self.0, other.0) {
            (Some((a, b)), Some((c, d))) => Interval(Some((a.min(c), b.max(d)))),
            (None, right) => Interval(right),
            (left, None) => Interval(left),
        };
        *self != before
    }

    fn is_empty(&self) -> bool {
        self.0.is_none()
    }
}
