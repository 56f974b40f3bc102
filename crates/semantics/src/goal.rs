//! State formulas, compiled: where in a state's zone do they hold?

use merkhet_lattice::bound::Bound;
use merkhet_lattice::zone;
use merkhet_network::code::Fault;

use crate::Explorer;
use crate::broadcast::negation;
use crate::data::{DynamicConstraint, Test};
use crate::enumerate::Halt;
use crate::state::State;

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
    All(Vec<Goal>),
    Any(Vec<Goal>),
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
        let mut first = None;
        let zone = state.zone.to_vec();
        match self.parts(&mut vec![goal], state, zone, &mut |zone: &[Bound]| {
            first = Some(zone.to_vec());
            Err(Halt::Stopped)
        }) {
            Ok(()) | Err(Halt::Stopped) => {}
            Err(Halt::Fault(fault)) => return Err(fault),
        }
        let holds = first.is_some();
        if let (Some(found), Some(zone)) = (found, first) {
            *found = zone;
        }
        Ok(holds)
    }

    /// Hands on zones whose union is the part of a state's zone in which a formula holds.
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
        match self.parts(&mut vec![goal], state, zone, &mut each) {
            Ok(()) | Err(Halt::Stopped) => Ok(()),
            Err(Halt::Fault(fault)) => Err(fault),
        }
    }

    /// Cuts the zone down by the pending conjuncts; hands on what is left, once for each way through disjunctions.
    fn parts<'g>(
        &mut self,
        pending: &mut Vec<&'g Goal>,
        state: State<'_>,
        mut zone: Vec<Bound>,
        each: &mut dyn FnMut(&[Bound]) -> Result<(), Halt>,
    ) -> Result<(), Halt> {
        let n = self.system.dimension;
        while let Some(goal) = pending.pop() {
            match goal {
                Goal::Data(test) => {
                    if !test.holds(&mut self.evaluator)? {
                        return Ok(());
                    }
                }
                Goal::Clock(constraint, holds) => {
                    let side = match (constraint.get(&mut self.evaluator)?, holds) {
                        (Some(constraint), true) => constraint,
                        (Some(constraint), false) => negation(constraint),
                        (None, true) => continue,
                        (None, false) => return Ok(()),
                    };
                    if !zone::constrain_all(&mut zone, n, &[side]) {
                        return Ok(());
                    }
                }
                // The last pushed is looked at first.
                Goal::All(parts) => pending.extend(parts.iter().rev()),
                Goal::Any(parts) => {
                    for part in parts {
                        let mut branch = pending.clone();
                        branch.push(part);
                        self.parts(&mut branch, state, zone.clone(), each)?;
                    }
                    return Ok(());
                }
                Goal::Deadlock(holds) => {
                    let dead = self.deadlocked(state, &zone)?;
                    let mut parts = dead;
                    if !holds {
                        let mut alive = merkhet_lattice::Federation::new(n);
                        alive.assign(&zone);
                        alive.subtract(&parts);
                        parts = alive;
                    }
                    for part in parts.zones() {
                        self.parts(&mut pending.clone(), state, part.to_vec(), each)?;
                    }
                    return Ok(());
                }
            }
        }
        each(&zone)
    }
}
