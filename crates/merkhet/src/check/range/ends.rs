//! The ends of a range of values, as zones and discrete states add to it.

use merkhet_semantics::Fault;
use merkhet_zones::bound::{Bound as Entry, INFINITY, constant, is_strict};

use crate::report::Bound;

/// What is known of one measure so far.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Range {
    pub low: Option<Bound>,
    pub high: Option<Bound>,
    /// Some value is above the horizon, how far is not known.
    pub beyond: bool,
}

impl Range {
    pub fn include(&mut self, low: Option<Bound>, high: Option<Bound>) {
        if let Some(low) = low {
            self.low = Some(self.low.map_or(low, |known| smaller(known, low)));
        }
        if let Some(high) = high {
            self.high = Some(self.high.map_or(high, |known| larger(known, high)));
        }
    }

    /// Adds the values of a clock (by its row) in a zone. The abstraction keeps what is at most the horizon, and may turn
    /// everything above it into "above the horizon".
    pub fn include_clock(
        &mut self,
        zone: &[Entry],
        n: usize,
        row: usize,
        horizon: i32,
        divergent: impl Fn() -> Result<bool, Fault>,
    ) -> Result<(), Fault> {
        let (upper, lower) = (zone[row * n], zone[row]);
        let low = -i64::from(constant(lower));
        let low = match is_strict(lower) {
            true => Bound::NotReached(low),
            false => Bound::Reached(low),
        };
        self.include(Some(low), None);
        if upper != INFINITY && constant(upper) <= horizon {
            let value = i64::from(constant(upper));
            let high = match is_strict(upper) {
                true => Bound::NotReached(value),
                false => Bound::Reached(value),
            };
            self.include(None, Some(high));
        } else if self.high != Some(Bound::Infinite) && divergent()? {
            self.include(None, Some(Bound::Infinite));
        } else if self.high != Some(Bound::Infinite) {
            self.beyond = true;
        }
        if self.high == Some(Bound::Infinite) {
            self.beyond = false;
        }
        Ok(())
    }

    /// Whether all values are above the horizon, so that the smallest of them is not known.
    pub fn starts_beyond(&self, horizon: i32) -> bool {
        match self.low {
            Some(Bound::NotReached(value)) => value >= horizon.into(),
            Some(Bound::Reached(value)) => value > horizon.into(),
            Some(Bound::Infinite) | None => false,
        }
    }

    /// The range of the negated values.
    pub fn negated(self) -> Range {
        Range {
            low: self.high.map(negated),
            high: self.low.map(negated),
            beyond: self.beyond,
        }
    }
}

/// This end of the negated values.
pub(super) fn negated(bound: Bound) -> Bound {
    match bound {
        Bound::Reached(value) => Bound::Reached(-value),
        Bound::NotReached(value) => Bound::NotReached(-value),
        Bound::Infinite => Bound::Infinite,
    }
}

/// The order of infima: smaller first; of equal ones the reached one.
fn smaller(a: Bound, b: Bound) -> Bound {
    use Bound::*;
    match (a, b) {
        (Infinite, _) | (_, Infinite) => Infinite,
        (Reached(x) | NotReached(x), Reached(y) | NotReached(y)) if x != y => {
            if x < y {
                a
            } else {
                b
            }
        }
        (Reached(_), _) => a,
        _ => b,
    }
}

fn larger(a: Bound, b: Bound) -> Bound {
    negated(smaller(negated(a), negated(b)))
}
