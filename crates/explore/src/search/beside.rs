//! Another way of looking for the goal, in turns with a search.
//!
//! What runs beside stores nothing of what the search stores; it finds the goal or shows nothing. Its turns are paid in work
//! that the search has done, counted by what it touched and not by the clock, so that a run can be repeated.

use merkhet_network::tuning::Tuning;
use merkhet_semantics::System;

use crate::tuning;

/// Looks for the goal in its own way, a little at a time.
pub trait Beside {
    /// Goes on for a number of steps; true if it has found the goal, for which it keeps the evidence.
    fn advance(&mut self, steps: u64) -> bool;
}

/// How much of the work another way of looking gets.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Share {
    /// The work of the search before the first turn: what estimates find at once needs no company.
    pub after: u64,
    /// The work for each step at first.
    pub first: u64,
    /// The work for each step later.
    pub later: u64,
    /// The work until then.
    pub early: u64,
}

impl Share {
    /// With these numbers.
    pub fn of(tuning: &Tuning) -> Share {
        let count = |tunable| tuning.count(tunable) as u64;
        Share {
            after: count(&tuning::BESIDE_AFTER),
            first: count(&tuning::BESIDE_FIRST),
            later: count(&tuning::BESIDE_LATER),
            early: count(&tuning::BESIDE_EARLY),
        }
    }

    /// The steps that are due after so much work.
    fn due(&self, work: u64) -> u64 {
        let work = work.saturating_sub(self.after);
        work.min(self.early) / self.first + work.saturating_sub(self.early) / self.later
    }
}

/// Steps of one turn, at the least.
const TURN: u64 = 64;

/// Keeps the account of the two.
pub(super) struct Turns<'b> {
    other: &'b mut dyn Beside,
    share: Share,
    /// The work of one successor, in units of one without clocks and with few variables: copying, closing and comparing its
    /// zone goes with the square of the clocks.
    weight: u64,
    taken: u64,
}

impl<'b> Turns<'b> {
    pub fn new(system: &System, share: Share, other: &'b mut dyn Beside) -> Turns<'b> {
        let rows = system.dimension() as u64;
        let cells = system.cells().len() as u64;
        Turns {
            other,
            share,
            weight: (rows * rows + cells).div_ceil(tuning::CELLS_OF_A_UNIT),
            taken: 0,
        }
    }

    /// Gives the other one what it is due after this many successors of the search; true if that finds the goal.
    #[inline]
    pub fn take(&mut self, generated: u64) -> bool {
        let due = self.share.due(generated.saturating_mul(self.weight));
        due >= self.taken + TURN && self.advance(due)
    }

    #[cold]
    fn advance(&mut self, due: u64) -> bool {
        let steps = due - self.taken;
        self.taken = due;
        self.other.advance(steps)
    }
}

#[cfg(test)]
mod tests {
    use super::Share;

    #[test]
    fn steps_are_paid_in_work() {
        let share = Share {
            after: 100,
            first: 2,
            later: 10,
            early: 1000,
        };
        let due: Vec<u64> = [0, 100, 200, 1100, 2100].map(|work| share.due(work)).into();
        assert_eq!(due, [0, 0, 50, 500, 600]);
    }
}
