//! Constraints and resets of clocks for all states of a box at once: a bound that differs from state to state counts as the
//! weakest of them.

use merkhet_network::interval::Interval;
use merkhet_network::{ClockConstraint, ClockPlace, MAX_CLOCK_CONSTANT};

use super::values::{Checked, Part, Reader, TooMuch, within};
use crate::certificates::zone::{bound, opposite};
use crate::rules::row;

impl Reader<'_> {
    /// Keeps of a part what may satisfy a constraint; says whether anything may.
    pub(super) fn constrain(
        &mut self,
        part: &mut Part<'_>,
        constraint: &ClockConstraint,
    ) -> Checked<bool> {
        if let Some(condition) = &constraint.condition {
            match self.value(part, condition)?.map(Interval::truth) {
                // It counts in all states.
                Some(Some(true)) => {}
                Some(_) => return Ok(true),
                None => return Ok(false),
            }
        }
        let Some(limit) = self.limit(part, constraint)? else {
            return Ok(false);
        };
        let (left, right) = (row(constraint.left), row(constraint.right));
        let weakest = bound(limit.high, constraint.strict);
        Ok(part.narrow_zone(|zone| zone.constrain(left, right, weakest)))
    }

    /// Keeps of a part what may not satisfy a constraint; says whether anything may.
    pub(super) fn violate(
        &mut self,
        part: &mut Part<'_>,
        constraint: &ClockConstraint,
    ) -> Checked<bool> {
        if let Some(condition) = &constraint.condition
            && !self.assume(part, condition, true)?
        {
            return Ok(false);
        }
        let Some(limit) = self.limit(part, constraint)? else {
            return Ok(false);
        };
        let (left, right) = (row(constraint.left), row(constraint.right));
        let weakest = opposite(bound(limit.low, constraint.strict));
        Ok(part.narrow_zone(|zone| zone.constrain(right, left, weakest)))
    }

    /// The values of a bound; none if all are beyond what a bound may be.
    fn limit(
        &mut self,
        part: &mut Part<'_>,
        constraint: &ClockConstraint,
    ) -> Checked<Option<Interval>> {
        self.without_effects(&constraint.bound)?;
        let value = self.value(part, &constraint.bound)?;
        Ok(value.and_then(|value| within(value, -MAX_CLOCK_CONSTANT, MAX_CLOCK_CONSTANT)))
    }

    /// The row of a clock; none if an index is always outside.
    pub(super) fn clock(
        &mut self,
        part: &mut Part<'_>,
        place: &ClockPlace,
    ) -> Checked<Option<usize>> {
        let mut clock = row(Some(place.base));
        for index in &place.indices {
            self.without_effects(&index.value)?;
            let value = self.value(part, &index.value)?;
            let last = i32::try_from(index.length)
                .unwrap_or(i32::MAX)
                .saturating_sub(1);
            let Some(value) = value.and_then(|value| within(value, 0, last)) else {
                return Ok(None);
            };
            // Which one it is depends on the state.
            let value = value.as_point().ok_or(TooMuch)?;
            clock += value as usize * index.stride as usize;
        }
        Ok(Some(clock))
    }
}
