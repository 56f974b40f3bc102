//! Moments and windows of time, exactly.
//!
//! A run stops at whole ticks only, of which a time unit of the model has [`crate::Model::scale`]. Moments are counted in
//! half ticks: an even number is a tick, an odd one stands for all that lies strictly between two ticks. So a strict bound
//! is as exact as another, and a window that is empty here is empty for all real numbers: clocks are set at ticks, so that
//! the truth of a constraint changes at ticks only.

/// A moment, in half ticks since the start.
pub(crate) type Moment = i64;

/// Later than every moment that a walk reaches.
pub(crate) const NEVER: Moment = 1 << 61;

/// A walk that comes so far ends: sums of moments and bounds do not overflow.
pub(crate) const LATEST: Moment = 1 << 60;

/// All moments between two, both included; none if the first is the later one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Window {
    pub low: Moment,
    pub high: Moment,
}

impl Window {
    pub const ALWAYS: Window = Window {
        low: -NEVER,
        high: NEVER,
    };
    pub const EMPTY: Window = Window { low: 1, high: 0 };

    #[inline]
    pub fn is_empty(self) -> bool {
        self.low > self.high
    }

    #[inline]
    pub fn and(self, other: Window) -> Window {
        Window {
            low: self.low.max(other.low),
            high: self.high.min(other.high),
        }
    }

    /// From the first to the last tick in it; empty if it lies between two ticks.
    #[inline]
    pub fn ticks(self) -> Window {
        Window {
            low: self.low + (self.low & 1),
            high: self.high & !1,
        }
    }

    /// The moment in it that is nearest to one; it must not be empty.
    #[inline]
    pub fn nearest(self, moment: Moment) -> Moment {
        moment.min(self.high).max(self.low)
    }

    #[inline]
    pub fn contains(self, moment: Moment) -> bool {
        self.low <= moment && moment <= self.high
    }
}

/// Removes a window from disjoint ones in ascending order.
pub(crate) fn subtract(windows: &mut Vec<Window>, cut: Window) {
    if cut.is_empty() {
        return;
    }
    let mut index = 0;
    while index < windows.len() {
        let window = windows[index];
        if window.and(cut).is_empty() {
            index += 1;
            continue;
        }
        let before = Window {
            high: cut.low - 1,
            ..window
        };
        let after = Window {
            low: cut.high + 1,
            ..window
        };
        windows.remove(index);
        for part in [before, after] {
            if !part.is_empty() {
                windows.insert(index, part);
                index += 1;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_gap_between_two_ticks_is_no_place_to_stop_at() {
        let gap = Window { low: 5, high: 5 };
        assert!(!gap.is_empty() && gap.ticks().is_empty());
        let open = Window { low: 5, high: 9 };
        assert_eq!(open.ticks(), Window { low: 6, high: 8 });
    }

    #[test]
    fn subtracting_leaves_what_lies_before_and_after() {
        let window = |low, high| Window { low, high };
        let mut windows = vec![window(0, 10), window(14, 20)];
        subtract(&mut windows, window(4, 15));
        assert_eq!(windows, [window(0, 3), window(16, 20)]);
        subtract(&mut windows, window(0, 3));
        assert_eq!(windows, [window(16, 20)]);
    }
}
