//! Times for the transitions of a run, without a matrix: see [`merkhet_semantics::Course`].
//!
//! A clock's value is the present time less that of its last update, plus what it was set to then. So everything that is asked
//! of clocks is a difference of two times, and memory and time grow with the run, not with the square of the clocks.

use merkhet_network::Trace;
use merkhet_semantics::{ClockUpdate, Course, EdgeIndex, Leg, NoCourse, System};
use merkhet_zones::bound::{self};
use merkhet_zones::zone::Constraint;

use super::times::{AtLeast, Contradiction, Moment, Times};
use super::{Target, assemble};

/// Ways through the disjunctions of a goal that are tried.
const WAYS: usize = 1000;

/// Where a clock's value comes from.
#[derive(Clone, Copy)]
struct Origin {
    /// The time of its last update.
    time: u32,
    /// Its value then.
    value: i64,
}

/// A run whose times are being found.
struct Run {
    times: Times,
    /// By row, but for the first.
    origins: Vec<Origin>,
    /// Only whole time units: strict constraints are taken as one unit more.
    whole: bool,
}

/// Finds times for transitions such that the target holds in the end, the earliest ones: in whole time units, if that is
/// possible. `None` where that takes zones.
pub(super) fn concretise(
    system: &System,
    transitions: &[Vec<EdgeIndex>],
    target: Target<'_>,
) -> Option<Trace> {
    if target.zones.is_some() || target.throughout.is_some() {
        return None;
    }
    // The least time may be no whole one.
    let whole = match target.smallest {
        Some(_) => Err(NotThis),
        None => follow(system, transitions, target, true),
    };
    let (run, last) = whole
        .or_else(|_| follow(system, transitions, target, false))
        .ok()?;
    let scale = run.scale();
    let at = |time: u32| {
        let Moment { units, more } = run.moment(time);
        units * scale + more
    };
    let delays: Vec<i64> = (1..=last).map(|time| at(time) - at(time - 1)).collect();
    Some(assemble(system, transitions, scale, &delays))
}

/// The times of a run, and the number of the last one.
fn follow(
    system: &System,
    transitions: &[Vec<EdgeIndex>],
    target: Target<'_>,
    whole: bool,
) -> Result<(Times, u32), NotThis> {
    let mut run = Run {
        times: Times::new(),
        origins: vec![Origin { time: 0, value: 0 }; system.dimension()],
        whole,
    };
    let (mut course, first) = Course::new(system)?;
    run.take(&first, 0)?;
    let mut frozen = first.frozen;
    for edges in transitions {
        let time = run.next(frozen)?;
        let leg = course.take(edges)?;
        run.take(&leg, time)?;
        frozen = leg.frozen;
    }
    let time = run.next(frozen)?;
    run.ask_all(&course.end(), time)?;
    let Some(goal) = target.goal else {
        return Ok((run.times, time));
    };
    let ways = course.ways(goal, WAYS)?;
    let (before, origins) = (run.times, run.origins);
    for way in &ways {
        let mut run = Run {
            times: before.clone(),
            origins: origins.clone(),
            whole,
        };
        if run.ask_all(way, time).is_ok() {
            return Ok((run.times, time));
        }
    }
    Err(NotThis)
}

/// Not in this way.
struct NotThis;

impl From<NoCourse> for NotThis {
    fn from(_: NoCourse) -> NotThis {
        NotThis
    }
}

impl From<Contradiction> for NotThis {
    fn from(_: Contradiction) -> NotThis {
        NotThis
    }
}

impl Run {
    /// The time of the next transition, at least that of the last, which is the same if no time passes.
    fn next(&mut self, frozen: bool) -> Result<u32, Contradiction> {
        let later = self.times.add_time();
        let least = Moment::default();
        let earlier = later - 1;
        self.times.add(AtLeast {
            later,
            earlier,
            least,
        })?;
        if frozen {
            self.times.add(AtLeast {
                later: earlier,
                earlier: later,
                least,
            })?;
        }
        Ok(later)
    }

    /// What a transition asks for and does.
    fn take(&mut self, leg: &Leg, time: u32) -> Result<(), Contradiction> {
        self.ask_all(&leg.before, time)?;
        for update in &leg.updates {
            match update {
                ClockUpdate::Set { clock, value } => {
                    let value = i64::from(*value);
                    self.origins[clock.index() + 1] = Origin { time, value };
                }
                ClockUpdate::Copy {
                    target,
                    source,
                    offset,
                } => {
                    let mut origin = self.origins[source.index() + 1];
                    origin.value += i64::from(*offset);
                    self.origins[target.index() + 1] = origin;
                }
            }
        }
        self.ask_all(&leg.after, time)
    }

    fn ask_all(&mut self, constraints: &[Constraint], time: u32) -> Result<(), Contradiction> {
        constraints.iter().try_for_each(|one| self.ask(one, time))
    }

    /// `left − right ≺ c` at a time. A clock is that time less the origin's, plus the value then; what is in row 0 is 0,
    /// which is that time less itself.
    fn ask(&mut self, constraint: &Constraint, time: u32) -> Result<(), Contradiction> {
        if bound::is_infinite(constraint.bound) {
            return Ok(());
        }
        let origin = |row: u16| match row {
            0 => Origin { time, value: 0 },
            row => self.origins[usize::from(row)],
        };
        let (left, right) = (origin(constraint.left), origin(constraint.right));
        // (t − t_l + v_l) − (t − t_r + v_r) ≺ c, so t_l − t_r ≥ v_l − v_r − c, or more than that.
        let units = left.value - right.value - i64::from(bound::constant(constraint.bound));
        let strict = i64::from(bound::is_strict(constraint.bound));
        let least = match self.whole {
            true => Moment {
                units: units + strict,
                more: 0,
            },
            false => Moment {
                units,
                more: strict,
            },
        };
        self.times.add(AtLeast {
            later: left.time,
            earlier: right.time,
            least,
        })
    }
}
