//! Differences of times: the earliest solution, kept while constraints are added one by one.
//!
//! Each constraint says that one time is at least another one plus a weight. The times kept are the least ones that satisfy
//! all constraints so far, counted from time 0. A new constraint that they violate raises a time, and others with it: as
//! Cotton and Maler do (SAT 2006, section 3), the time that has to rise furthest is settled first, so that each is
//! settled once. The constraints have no solution exactly if the time that the new one starts from, or time 0, has to rise.
//!
//! Strict constraints add one infinitesimal. Times are pairs, compared as such; [`Times::scale`] says which fraction of
//! a time unit the infinitesimal can be.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Time units and infinitesimals.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub(super) struct Moment {
    pub units: i64,
    pub more: i64,
}

impl Moment {
    fn plus(self, other: Moment) -> Moment {
        Moment {
            units: self.units + other.units,
            more: self.more + other.more,
        }
    }

    fn minus(self, other: Moment) -> Moment {
        Moment {
            units: self.units - other.units,
            more: self.more - other.more,
        }
    }
}

/// `later − earlier ≥ least`, whatever its sign.
#[derive(Clone, Copy, Debug)]
pub(super) struct AtLeast {
    pub later: u32,
    pub earlier: u32,
    pub least: Moment,
}

/// There is no solution.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Contradiction;

/// The least solution of some constraints.
#[derive(Clone, Debug, Default)]
pub(super) struct Times {
    moments: Vec<Moment>,
    constraints: Vec<AtLeast>,
    /// By time, the newest constraint that it is the earlier one of.
    newest: Vec<u32>,
    /// By constraint, the one before of the same time.
    older: Vec<u32>,
    /// By time, how far it has to rise, while a constraint is added.
    rises: Vec<Moment>,
    heap: BinaryHeap<(Moment, Reverse<u32>)>,
    settled: Vec<u32>,
}

const NONE: u32 = u32::MAX;
/// A time that was settled by the constraint that is being added.
const SETTLED: Moment = Moment { units: -1, more: 0 };

impl Times {
    /// Only time 0.
    pub fn new() -> Times {
        let mut times = Times::default();
        times.add_time();
        times
    }

    /// Adds a time, 0 so far; says its number.
    pub fn add_time(&mut self) -> u32 {
        self.moments.push(Moment::default());
        self.rises.push(Moment::default());
        self.newest.push(NONE);
        self.moments.len() as u32 - 1
    }

    /// The least value of a time.
    pub fn moment(&self, time: u32) -> Moment {
        self.moments[time as usize]
    }

    /// The number of infinitesimals that make one time unit such that strict constraints stay strict.
    pub fn scale(&self) -> i64 {
        1 + self
            .moments
            .iter()
            .map(|moment| moment.more)
            .fold(0, i64::max)
    }

    /// Adds a constraint. After a contradiction nothing may be asked any more.
    pub fn add(&mut self, constraint: AtLeast) -> Result<(), Contradiction> {
        let AtLeast {
            later,
            earlier,
            least,
        } = constraint;
        if later == earlier {
            return match least > Moment::default() {
                true => Err(Contradiction),
                false => Ok(()),
            };
        }
        self.older.push(self.newest[earlier as usize]);
        self.newest[earlier as usize] = self.constraints.len() as u32;
        self.constraints.push(constraint);
        let rise = self.moment(earlier).plus(least).minus(self.moment(later));
        if rise <= Moment::default() {
            return Ok(());
        }
        self.rises[later as usize] = rise;
        self.heap.push((rise, Reverse(later)));
        let result = self.settle(earlier);
        for time in self.settled.drain(..) {
            self.rises[time as usize] = Moment::default();
        }
        result
    }

    /// Raises times, the one that rises furthest first. The least solution has none that could rise less.
    fn settle(&mut self, origin: u32) -> Result<(), Contradiction> {
        while let Some((rise, Reverse(time))) = self.heap.pop() {
            let at = time as usize;
            if self.rises[at] != rise {
                continue;
            }
            if time == origin || time == 0 {
                return Err(Contradiction);
            }
            self.moments[at] = self.moments[at].plus(rise);
            self.rises[at] = SETTLED;
            self.settled.push(time);
            let mut next = self.newest[at];
            while next != NONE {
                let AtLeast { later, least, .. } = self.constraints[next as usize];
                next = self.older[next as usize];
                let known = self.rises[later as usize];
                let rise = self.moments[at].plus(least).minus(self.moment(later));
                if known != SETTLED && rise > known && rise > Moment::default() {
                    self.rises[later as usize] = rise;
                    self.heap.push((rise, Reverse(later)));
                }
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::{AtLeast, Contradiction, Moment, Times};
    use merkhet_testing::Random;

    /// The least solution by relaxing all constraints until nothing changes.
    fn plainly(times: usize, constraints: &[AtLeast]) -> Result<Vec<Moment>, Contradiction> {
        let mut moments = vec![Moment::default(); times];
        for _ in 0..=times {
            let mut changed = false;
            for one in constraints {
                let least = moments[one.earlier as usize].plus(one.least);
                if moments[one.later as usize] < least {
                    moments[one.later as usize] = least;
                    changed = true;
                }
            }
            if moments[0] != Moment::default() {
                return Err(Contradiction);
            }
            if !changed {
                return Ok(moments);
            }
        }
        Err(Contradiction)
    }

    #[test]
    fn least_solutions_are_those_of_relaxing_everything() {
        let (mut solved, mut contradictions) = (0, 0);
        for seed in 0..3000 {
            let mut random = Random::new(seed);
            let count = 2 + random.below(7);
            let mut times = Times::new();
            let mut all = Vec::new();
            for later in 1..count as u32 {
                times.add_time();
                let least = Moment::default();
                all.push(AtLeast {
                    later,
                    earlier: later - 1,
                    least,
                });
            }
            for _ in 0..random.below(12) {
                all.push(AtLeast {
                    later: random.below(count) as u32,
                    earlier: random.below(count) as u32,
                    least: Moment {
                        units: random.below(12) as i64 - 7,
                        more: random.below(2) as i64,
                    },
                });
            }
            let expected = plainly(count, &all);
            let added = all.iter().try_for_each(|one| times.add(*one));
            assert_eq!(added.is_err(), expected.is_err(), "seed {seed}");
            let Ok(expected) = expected else {
                contradictions += 1;
                continue;
            };
            solved += 1;
            let found: Vec<Moment> = (0..count as u32).map(|time| times.moment(time)).collect();
            assert_eq!(found, expected, "seed {seed}");
            let scale = times.scale();
            let value = |time: u32| found[time as usize].units * scale + found[time as usize].more;
            for one in &all {
                let difference = value(one.later) - value(one.earlier);
                assert!(
                    difference >= one.least.units * scale + one.least.more,
                    "seed {seed}"
                );
            }
        }
        assert!(
            solved > 500 && contradictions > 500,
            "{solved}, {contradictions}"
        );
    }
}
