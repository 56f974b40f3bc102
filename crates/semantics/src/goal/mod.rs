//! State formulas, compiled: where in a state's zone do they hold?
//!
//! Cheap parts are looked at first. That may evaluate what the formula, read from left to right, guards from evaluation
//! (`(i < 3 && x >= 5) imply a[i] == 0`): so if an evaluation fails, the formula is looked at once more as it is written.

pub(crate) mod deadlock;
pub(crate) mod maximal;

use merkhet_network::code::Fault;
use merkhet_zones::bound::Bound;
use merkhet_zones::{Federation, zone};

use crate::Explorer;
use crate::data::{DynamicConstraint, Test};
use crate::state::State;
use crate::successors::broadcast::negation;
use crate::successors::enumerate::Halt;

/// A formula that a system was compiled with: its position in the list of formulas.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct GoalId(pub u32);

/// A formula in negation normal form; parts without clocks are one test.
#[derive(Clone, Debug)]
pub(crate) enum Goal {
    Data(Test),
    /// The constraint, or its negation.
    Clock(DynamicConstraint, bool),
    /// `deadlock`, or its negation.
    Deadlock(bool),
    All(Parts),
    Any(Parts),
}

/// The parts of a conjunction or a disjunction.
#[derive(Clone, Debug)]
pub(crate) struct Parts {
    pub written: Vec<Goal>,
    /// The order in which they are tried.
    pub cheap: Vec<u32>,
}

/// The ways through the disjunctions of a formula, one after the other.
struct Ways<'g> {
    /// Conjuncts still to be looked at: lists whose links lie in one vector, the newest last.
    links: Vec<Link<'g>>,
    /// The first conjunct to be looked at.
    pending: Option<u32>,
    /// What is left of the zone.
    zone: Vec<Bound>,
    /// Where ways part.
    choices: Vec<Choice<'g>>,
}

#[derive(Clone, Copy)]
struct Link<'g> {
    goal: &'g Goal,
    rest: Option<u32>,
}

/// What is still to be tried, and the conjuncts after it.
struct Choice<'g> {
    left: Left<'g>,
    rest: Option<u32>,
    /// How many links there were.
    links: usize,
}

enum Left<'g> {
    /// The parts of a disjunction from this one on, each in the zone.
    Parts(&'g Parts, usize, Vec<Bound>),
    /// Zones, the next one last.
    Zones(Vec<Vec<Bound>>),
}

impl<'g> Ways<'g> {
    fn push(&mut self, goal: &'g Goal, rest: Option<u32>) {
        self.links.push(Link { goal, rest });
        self.pending = Some(self.links.len() as u32 - 1);
    }

    fn choose(&mut self, left: Left<'g>) {
        self.choices.push(Choice {
            left,
            rest: self.pending,
            links: self.links.len(),
        });
    }
}

impl crate::System {
    /// Whether it depends on the zone of a state if a formula holds there.
    pub fn asks_zone(&self, goal: GoalId) -> bool {
        !matches!(self.goals[goal.0 as usize], Goal::Data(_))
    }
}

impl Explorer<'_> {
    /// Whether a formula holds for some valuation of a state's zone. If so, and `found` is given, it receives a zone of
    /// such valuations, which is closed.
    pub fn satisfies(
        &mut self,
        goal: GoalId,
        state: State<'_>,
        found: Option<&mut Vec<Bound>>,
    ) -> Result<bool, Fault> {
        self.load(state.memory);
        let goal = &self.system.goals[goal.0 as usize];
        if let Goal::Data(test) = goal {
            let holds = test.holds(&mut self.evaluator)?;
            if let Some(found) = found.filter(|_| holds) {
                found.clear();
                found.extend_from_slice(state.zone);
            }
            return Ok(holds);
        }
        if let Goal::Deadlock(true) = goal {
            if let Ok(alive) = self.is_alive(state) {
                if let (Some(found), Some(zone)) = (found, self.left.zones().next()) {
                    found.clear();
                    found.extend_from_slice(zone);
                }
                return Ok(!alive);
            }
            self.load(state.memory);
        }
        let mut first = None;
        let zone = state.zone.to_vec();
        match self.parts(goal, state, zone, &mut |zone: &[Bound]| {
            first = Some(zone.to_vec());
            Err(Halt::Stopped)
        }) {
            Ok(()) | Err(Halt::Stopped) => {}
            Err(Halt::Fault(_)) => {
                let parts = self.as_written(goal, state)?;
                first = parts.zones().next().map(<[Bound]>::to_vec);
            }
        }
        let holds = first.is_some();
        if let (Some(found), Some(zone)) = (found, first) {
            *found = zone;
        }
        Ok(holds)
    }

    /// Hands on zones whose union is the part of a state's zone in which a formula holds. They may overlap.
    pub fn where_satisfied(
        &mut self,
        goal: GoalId,
        state: State<'_>,
        sink: &mut dyn FnMut(&[Bound]),
    ) -> Result<(), Fault> {
        self.load(state.memory);
        let goal = &self.system.goals[goal.0 as usize];
        let zone = state.zone.to_vec();
        let mut each = |zone: &[Bound]| {
            sink(zone);
            Ok(())
        };
        match self.parts(goal, state, zone, &mut each) {
            Ok(()) | Err(Halt::Stopped) => Ok(()),
            Err(Halt::Fault(_)) => {
                let parts = self.as_written(goal, state)?;
                parts.zones().for_each(sink);
                Ok(())
            }
        }
    }

    /// Cuts the zone down by the goal's conjuncts; hands on what is left, once for each way through disjunctions.
    fn parts(
        &mut self,
        goal: &Goal,
        state: State<'_>,
        zone: Vec<Bound>,
        each: &mut dyn FnMut(&[Bound]) -> Result<(), Halt>,
    ) -> Result<(), Halt> {
        let mut ways = Ways {
            links: Vec::new(),
            pending: None,
            zone,
            choices: Vec::new(),
        };
        ways.push(goal, None);
        loop {
            if self.follow_way(&mut ways, state)? {
                each(&ways.zone)?;
            }
            if !self.turn(&mut ways)? {
                return Ok(());
            }
        }
    }

    /// Follows a way to its end, or to where ways part: whether something is left at the end.
    fn follow_way(&mut self, ways: &mut Ways<'_>, state: State<'_>) -> Result<bool, Halt> {
        let n = self.system.dimension;
        while let Some(at) = ways.pending {
            let Link { goal, rest } = ways.links[at as usize];
            ways.pending = rest;
            match goal {
                Goal::Data(test) => {
                    if !test.holds(&mut self.evaluator)? {
                        return Ok(false);
                    }
                }
                Goal::Clock(constraint, holds) => {
                    if !self.cut(constraint, *holds, &mut ways.zone)? {
                        return Ok(false);
                    }
                }
                Goal::All(parts) => {
                    for part in parts.cheap.iter().rev() {
                        ways.push(&parts.written[*part as usize], ways.pending);
                    }
                }
                Goal::Any(parts) => {
                    let zone = std::mem::take(&mut ways.zone);
                    ways.choose(Left::Parts(parts, 0, zone));
                    return Ok(false);
                }
                Goal::Deadlock(holds) => {
                    let mut zone = Federation::new(n);
                    zone.assign(&ways.zone);
                    let parts = self.deadlocked_in(&zone, *holds, state)?;
                    let mut parts: Vec<_> = parts.zones().map(<[Bound]>::to_vec).collect();
                    parts.reverse();
                    ways.choose(Left::Zones(parts));
                    return Ok(false);
                }
            }
        }
        Ok(true)
    }

    /// Goes back to where ways part and takes the next one; whether there is one. Where one part of a disjunction holds all
    /// over the zone, the others add nothing.
    fn turn<'g>(&mut self, ways: &mut Ways<'g>) -> Result<bool, Halt> {
        while let Some(choice) = ways.choices.last_mut() {
            ways.links.truncate(choice.links);
            ways.pending = choice.rest;
            let (part, zone) = match &mut choice.left {
                Left::Zones(zones) => match zones.pop() {
                    Some(zone) => {
                        ways.zone = zone;
                        return Ok(true);
                    }
                    None => {
                        ways.choices.pop();
                        continue;
                    }
                },
                Left::Parts(parts, next, zone) => {
                    let Some(part) = parts.cheap.get(*next) else {
                        ways.choices.pop();
                        continue;
                    };
                    *next += 1;
                    (&parts.written[*part as usize], zone)
                }
            };
            match part {
                Goal::Data(test) => {
                    if test.holds(&mut self.evaluator)? {
                        ways.zone = std::mem::take(zone);
                        ways.choices.pop();
                        return Ok(true);
                    }
                }
                Goal::Clock(constraint, holds) => {
                    ways.zone.clone_from(zone);
                    if self.cut(constraint, *holds, &mut ways.zone)? {
                        if ways.zone == *zone {
                            ways.choices.pop();
                        }
                        return Ok(true);
                    }
                }
                part => {
                    ways.zone.clone_from(zone);
                    let rest = ways.pending;
                    ways.push(part, rest);
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }

    /// Cuts a zone down by a constraint or its negation; whether something is left.
    fn cut(
        &mut self,
        constraint: &DynamicConstraint,
        holds: bool,
        zone: &mut [Bound],
    ) -> Result<bool, Fault> {
        let side = match (constraint.get(&mut self.evaluator)?, holds) {
            (Some(constraint), true) => constraint,
            (Some(constraint), false) => negation(constraint),
            (None, holds) => return Ok(holds),
        };
        Ok(zone::constrain_all(zone, self.system.dimension, &[side]))
    }

    /// The valuations with a deadlock, or those without.
    fn deadlocked_in(
        &mut self,
        zones: &Federation,
        holds: bool,
        state: State<'_>,
    ) -> Result<Federation, Halt> {
        let mut found = Federation::new(self.system.dimension);
        for zone in zones.zones() {
            let dead = self.deadlocked(state, zone)?;
            if holds {
                found.union(&dead);
            } else {
                let mut alive = Federation::new(self.system.dimension);
                alive.assign(zone);
                alive.subtract(&dead);
                found.union(&alive);
            }
        }
        self.load(state.memory);
        Ok(found)
    }

    /// Where a formula holds in a state's zone, its parts evaluated as they are written: a part of a conjunction only where
    /// those before it hold, a part of a disjunction only where those before it do not.
    fn as_written(&mut self, goal: &Goal, state: State<'_>) -> Result<Federation, Fault> {
        self.load(state.memory);
        let mut zone = Federation::new(self.system.dimension);
        zone.assign(state.zone);
        match self.holding(goal, zone, state) {
            Ok(parts) => Ok(parts),
            Err(Halt::Fault(fault)) => Err(fault),
            Err(Halt::Stopped) => Ok(Federation::new(self.system.dimension)),
        }
    }

    fn holding(
        &mut self,
        goal: &Goal,
        zones: Federation,
        state: State<'_>,
    ) -> Result<Federation, Halt> {
        let nothing = Federation::new(self.system.dimension);
        if zones.is_empty() {
            return Ok(zones);
        }
        match goal {
            Goal::Data(test) => match test.holds(&mut self.evaluator)? {
                true => Ok(zones),
                false => Ok(nothing),
            },
            Goal::Clock(constraint, holds) => {
                let mut found = nothing;
                for zone in zones.zones() {
                    let mut part = zone.to_vec();
                    if self.cut(constraint, *holds, &mut part)? {
                        found.push(&part);
                    }
                }
                Ok(found)
            }
            Goal::Deadlock(holds) => self.deadlocked_in(&zones, *holds, state),
            Goal::All(parts) => {
                let mut left = zones;
                for part in &parts.written {
                    left = self.holding(part, left, state)?;
                }
                Ok(left)
            }
            Goal::Any(parts) => {
                let (mut found, mut left) = (nothing, zones);
                for part in &parts.written {
                    let here = self.holding(part, left.clone(), state)?;
                    left.subtract(&here);
                    found.union(&here);
                }
                Ok(found)
            }
        }
    }
}
