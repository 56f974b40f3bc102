//! The range of a difference of clocks, by asking how far it can be reached.
//!
//! Zones that are abstracted by maximal constants keep no relation between clocks beyond these (Bouyer, "Forward analysis of
//! updatable timed automata", FMSD 2004): the differences that they show need not occur, whatever the horizon. But
//! whether `x − y ≥ c` is reached is decided exactly, since the exploration splits zones by the differences of its
//! goal. Sets of reachable states are unions of regions, hence both ends are integers, reached or not.

use std::time::Instant;

use merkhet_analysis::Demand;
use merkhet_explore::{self as search, Blind, Inclusion, Strategy, Verdict};
use merkhet_network::{
    ClockConstraint, ClockId, Expr, Extremum, Formula, MAX_CLOCK_CONSTANT, SiteId,
};
use merkhet_semantics::{Extrapolation, GoalId, Options};

use super::super::Task;
use super::super::reach::{figures, limits};
use super::ends::{Range, negated};
use super::reading::states_for_growth;
use crate::failure::Failure;
use crate::report::{Bound, Figures};
use crate::tuning;
use crate::why::Why;

/// No answer, for a reason; or the search failed.
pub(super) enum Stop {
    Why(Why),
    Failure(Failure),
}

impl From<Failure> for Stop {
    fn from(failure: Failure) -> Stop {
        Stop::Failure(failure)
    }
}

/// The half units up to which bounds of clocks go.
const MOST: i64 = 2 * (MAX_CLOCK_CONSTANT / 4) as i64;

/// The questions about one difference.
pub(super) struct Questions<'q> {
    pub predicate: &'q Formula,
    pub start: Instant,
    /// What the searches took, together.
    pub figures: &'q mut Figures,
}

impl Questions<'_> {
    /// The wanted ends of `left − right` where the predicate holds; both absent if it holds nowhere.
    pub fn range(
        &mut self,
        task: &mut Task<'_>,
        extremum: Extremum,
        left: ClockId,
        right: ClockId,
    ) -> Result<Range, Stop> {
        let mut range = Range::default();
        if !self.reached(task, self.predicate)? {
            return Ok(range);
        }
        if extremum != Extremum::Infimum {
            range.high = Some(self.supremum(task, left, right)?);
        }
        if extremum != Extremum::Supremum {
            range.low = Some(negated(self.supremum(task, right, left)?));
        }
        Ok(range)
    }

    /// The supremum of `left − right`. In half units: 2c stands for "at least c", 2c + 1 for "more than c". What is
    /// reached of these is so from below, up to the one that is looked for.
    fn supremum(
        &mut self,
        task: &mut Task<'_>,
        left: ClockId,
        right: ClockId,
    ) -> Result<Bound, Stop> {
        let (mut reached, mut missed) = (None, None);
        let first = 2 * task.config.tuning.get(&tuning::HORIZON);
        let mut stride = first;
        let mut next = 0;
        loop {
            match self.reaches(task, left, right, next)? {
                true => reached = Some(next),
                false => missed = Some(next),
            }
            next = match (reached, missed) {
                (Some(reached), Some(missed)) if missed - reached == 1 => {
                    return Ok(match reached % 2 == 0 {
                        true => Bound::Reached(reached / 2),
                        false => Bound::NotReached((reached + 1) / 2),
                    });
                }
                (Some(reached), Some(missed)) => (reached + missed).div_euclid(2),
                (Some(reached), None) => {
                    if reached == first && self.grows(task, left, right)? {
                        return Ok(Bound::Infinite);
                    }
                    reached + stride
                }
                (None, _) => next - stride,
            };
            if reached.is_none() || missed.is_none() {
                if next.abs() > MOST {
                    let most = MOST / 2;
                    return Err(Stop::Why(Why::DifferenceBeyond(most)));
                }
                stride = next.abs().max(stride);
            }
        }
    }

    /// Whether the difference grows beyond every bound, as far as that is found out.
    fn grows(&mut self, task: &mut Task<'_>, left: ClockId, right: ClockId) -> Result<bool, Stop> {
        let most = states_for_growth(task.config, self.figures, 3);
        let found = task.is_unbounded(self.predicate, left, Some(right), most, self.start)?;
        Ok(found == Some(true))
    }

    /// Whether `left − right` comes to a number of half units where the predicate holds.
    fn reaches(
        &mut self,
        task: &mut Task<'_>,
        left: ClockId,
        right: ClockId,
        halves: i64,
    ) -> Result<bool, Stop> {
        let bound = i32::try_from(-halves.div_euclid(2)).unwrap_or(i32::MIN);
        let far = Formula::Clock(ClockConstraint {
            condition: None,
            left: Some(right),
            right: Some(left),
            strict: halves.rem_euclid(2) == 1,
            bound: Expr::Const(bound),
            site: SiteId::NONE,
        });
        self.reached(task, &Formula::And(vec![self.predicate.clone(), far]))
    }

    fn reached(&mut self, task: &mut Task<'_>, goal: &Formula) -> Result<bool, Stop> {
        let options = Options {
            extrapolation: Extrapolation::LuPlus,
            demand: Demand {
                formulas: &[goal],
                ..Demand::default()
            },
            forget_dead: task.config.forgets_dead(),
            ..Options::default()
        };
        let system = task.system(&options)?;
        if system.over_approximate() {
            return Err(Stop::Why(Why::OverApproximate));
        }
        let mut limits = limits(task.limits, 1);
        limits.timeout = (limits.timeout).map(|limit| limit.saturating_sub(self.start.elapsed()));
        let config = search::Config {
            strategy: Strategy::LargestFirst,
            inclusion: Inclusion::Zone,
            goal: Some(GoalId(0)),
            seed: task.config.seed,
            bitstate: None,
            limits,
            tuning: Some(&task.config.tuning),
        };
        let outcome = search::search(&system, &config, &mut Blind, task.observe);
        let outcome = outcome.map_err(|failure| task.fault(&system, &failure))?;
        let found = figures(&outcome.statistics, self.start);
        self.figures.explored += found.explored;
        self.figures.transitions += found.transitions;
        self.figures.stored = self.figures.stored.max(found.stored);
        self.figures.discrete = self.figures.discrete.max(found.discrete);
        self.figures.time = found.time;
        self.figures.peak_memory = found.peak_memory;
        match outcome.verdict {
            Verdict::Reachable(_) => Ok(true),
            Verdict::Unreachable(_) => Ok(false),
            Verdict::Unknown(reason) => Err(Stop::Why(reason.into())),
        }
    }
}
