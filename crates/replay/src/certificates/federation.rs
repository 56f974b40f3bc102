//! Finite unions of zones, and time within them.
//!
//! The operators on time follow Cassez, David, Fleury, Larsen and Lime ("Efficient on-the-fly algorithms for the
//! analysis of timed games", CONCUR 2005, section 4): for a convex goal, avoiding a union is avoiding each part,
//! because the delays that avoid one part form an interval that starts at 0, and such intervals are nested.

use crate::certificates::zone::Zone;
use crate::condition::Condition;
use crate::fault::Fault;
use crate::rules::Atom;

/// A union of zones.
#[derive(Clone, Debug, Default)]
pub(crate) struct Federation {
    pub zones: Vec<Zone>,
}

impl From<Zone> for Federation {
    fn from(zone: Zone) -> Federation {
        Federation { zones: vec![zone] }
    }
}

impl Federation {
    pub(crate) fn empty() -> Federation {
        Federation::default()
    }

    /// Where all constraints hold.
    pub(crate) fn conjunction(dimension: usize, atoms: &[Atom]) -> Federation {
        let zone = Zone::universe(dimension).constrain_all(atoms);
        Federation {
            zones: zone.into_iter().collect(),
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.zones.is_empty()
    }

    /// Adds a zone, dropping what is included in single zones.
    pub(crate) fn push(&mut self, zone: Zone) {
        if self.zones.iter().any(|own| own.includes(&zone)) {
            return;
        }
        self.zones.retain(|own| !zone.includes(own));
        self.zones.push(zone);
    }

    pub(crate) fn union(mut self, other: Federation) -> Federation {
        for zone in other.zones {
            self.push(zone);
        }
        self
    }

    pub(crate) fn intersect(&self, other: &Federation) -> Federation {
        let mut both = Federation::empty();
        for a in &self.zones {
            for b in &other.zones {
                if let Some(zone) = a.intersect(b) {
                    both.push(zone);
                }
            }
        }
        both
    }

    pub(crate) fn constrain_all(&self, atoms: &[Atom]) -> Federation {
        let mut part = Federation::empty();
        for zone in &self.zones {
            if let Some(zone) = zone.clone().constrain_all(atoms) {
                part.push(zone);
            }
        }
        part
    }

    pub(crate) fn subtract_zone(&self, other: &Zone) -> Federation {
        let mut rest = Federation::empty();
        for zone in &self.zones {
            for piece in zone.subtract(other) {
                rest.push(piece);
            }
        }
        rest
    }

    pub(crate) fn subtract(&self, other: &Federation) -> Federation {
        let mut rest = self.clone();
        for zone in &other.zones {
            if rest.is_empty() {
                break;
            }
            rest = rest.subtract_zone(zone);
        }
        rest
    }

    pub(crate) fn includes(&self, other: &Federation) -> bool {
        other.zones.iter().all(|zone| {
            self.zones.iter().any(|own| own.includes(zone))
                || Federation::from(zone.clone()).subtract(self).is_empty()
        })
    }

    pub(crate) fn contains(&self, values: &[i128], scale: i128) -> bool {
        self.zones.iter().any(|zone| zone.contains(values, scale))
    }

    /// The valuations of `within` where a condition holds, given those that are deadlocks.
    pub(crate) fn satisfying(
        &self,
        condition: &Condition,
        deadlocks: &Federation,
    ) -> Result<Federation, Fault> {
        if self.is_empty() {
            return Ok(Federation::empty());
        }
        Ok(match condition {
            Condition::Known(true) => self.clone(),
            Condition::Known(false) => Federation::empty(),
            Condition::Clock(atom) => self.constrain_all(&[*atom]),
            Condition::Deadlock(true) => self.intersect(deadlocks),
            Condition::Deadlock(false) => self.subtract(deadlocks),
            Condition::And(parts) => {
                let mut rest = self.clone();
                for part in parts {
                    rest = rest.satisfying(part, deadlocks)?;
                }
                rest
            }
            Condition::Or(parts) => {
                let careful = condition.may_fail();
                let (mut sum, mut rest) = (Federation::empty(), self.clone());
                for part in parts {
                    let found = rest.satisfying(part, deadlocks)?;
                    if careful {
                        rest = rest.subtract(&found);
                    }
                    sum = sum.union(found);
                }
                sum
            }
            Condition::Fails(fault) => return Err(*fault),
        })
    }
}

/// The valuations from which some delay d leads into `goal` while every moment of [0, d] avoids `bad` and every moment
/// of [0, d) avoids `hurry`. All clocks run.
pub(crate) fn time_predecessors(
    goal: &Federation,
    bad: &Federation,
    hurry: &Federation,
) -> Federation {
    let mut all = Federation::empty();
    for zone in &goal.zones {
        let mut from = Federation::from(zone.down());
        for avoided in &bad.zones {
            from = from.intersect(&avoiding(zone, avoided));
        }
        for avoided in &hurry.zones {
            from = from.intersect(&avoiding_before(zone, avoided));
        }
        all = all.union(from);
    }
    all
}

/// From where a delay leads into the goal without meeting `bad`, at its end included: `bad` never comes, or it comes
/// after a moment in the goal.
fn avoiding(goal: &Zone, bad: &Zone) -> Federation {
    let below = bad.down();
    let mut from = Federation::from(goal.down()).subtract_zone(&below);
    if let Some(sooner) = goal.intersect(&below) {
        for zone in sooner.subtract(bad) {
            from.push(zone.down());
        }
    }
    from
}

/// As [`avoiding`], but the end of the delay may be the first moment in `hurry`.
fn avoiding_before(goal: &Zone, hurry: &Zone) -> Federation {
    let mut from = avoiding(goal, hurry);
    if let Some(now) = goal.intersect(hurry) {
        from.push(now);
    }
    for floor in hurry.floor() {
        if let Some(first) = goal.intersect(&floor) {
            from.push(first.down());
        }
    }
    from
}

/// The valuations that delays from a zone reach if no moment before the end of the delay may be in `hurry`. All clocks
/// run.
pub(crate) fn time_successors(start: &Zone, hurry: &Federation) -> Federation {
    let mut to = Federation::from(all_up(start));
    for avoided in &hurry.zones {
        to = to.intersect(&leaving(start, avoided));
    }
    to
}

/// As [`time_successors`], where no moment, the end included, may be in `bad`.
///
/// For a fixed end the moments of the start from which the way to it meets no `bad` zone lie at the end of the line, for
/// each zone: the one that leaves least decides, so that avoiding each part is avoiding the union.
pub(crate) fn time_successors_avoiding(
    start: &Zone,
    bad: &Federation,
    hurry: &Federation,
) -> Federation {
    let mut to = time_successors(start, hurry);
    for avoided in &bad.zones {
        if to.is_empty() {
            break;
        }
        to = to.intersect(&passing(start, avoided));
    }
    to
}

/// Where delays from the start end without meeting `bad`, at their end included: it has not come yet, or it was left
/// behind before the start.
fn passing(start: &Zone, bad: &Zone) -> Federation {
    let after = all_up(bad);
    let mut to = Federation::from(all_up(start)).subtract_zone(&after);
    if let Some(later) = start.intersect(&after) {
        for zone in later.subtract(bad) {
            to.push(all_up(&zone));
        }
    }
    to
}

fn all_up(zone: &Zone) -> Zone {
    zone.up(&zone.all_running())
}

/// Where delays from the start end without meeting `hurry` before their end: no delay at all, `hurry` not met in the
/// whole past, or left behind before the start.
fn leaving(start: &Zone, hurry: &Zone) -> Federation {
    let mut to = Federation::from(start.clone());
    for zone in all_up(start).subtract(&hurry.strictly_up()) {
        to.push(zone);
    }
    if let Some(later) = start.intersect(&all_up(hurry)) {
        for zone in later.subtract(hurry) {
            to.push(all_up(&zone));
        }
    }
    to
}
