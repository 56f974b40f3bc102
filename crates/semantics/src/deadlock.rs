//! Deadlock: valuations from which no transition is possible, now or after any delay.
//!
//! For each transition, the valuations are found that satisfy its guards and, after its updates, the target's
//! invariants; everything from which such a valuation is reached by a delay is subtracted from the zone. What remains is
//! the deadlock. Invariants permit the delay because the state's zone is closed under it. Urgent guards may forbid it: the
//! zone is then split as for delay (see `urgency`).

use merkhet_lattice::bound::{Bound, constant, is_strict, le, lt};
use merkhet_lattice::zone::{self, Constraint};
use merkhet_lattice::{Federation, bound};
use merkhet_network::LocationKind;
use merkhet_network::code::{ClockUpdate, Fault};

use crate::data::Evaluator;
use crate::enumerate::{Candidate, Halt, Which, enumerate};
use crate::fire::{disables, run_updates};
use crate::priority;
use crate::state::{Origin, State};
use crate::system::System;
use crate::urgency::strictly_after;
use crate::{EdgeIndex, Explorer};

impl Explorer<'_> {
    /// The valuations of `within` (a part of the state's zone) from which nothing is possible any more.
    ///
    /// Exact, unless a clock may stand still ([`System::permits_deadlock`]).
    pub fn deadlock(&mut self, state: State<'_>, within: &[Bound]) -> Result<Federation, Fault> {
        self.load(state.memory);
        match self.deadlocked(state, within) {
            Ok(dead) => Ok(dead),
            Err(Halt::Fault(fault)) => Err(fault),
            Err(Halt::Stopped) => Ok(Federation::new(self.system.dimension)),
        }
    }

    pub(crate) fn deadlocked(
        &mut self,
        state: State<'_>,
        within: &[Bound],
    ) -> Result<Federation, Halt> {
        let system = self.system;
        let n = system.dimension;
        let time_passes = (0..system.processes())
            .all(|p| system.location(p, state.memory).kind == LocationKind::Normal);
        let held = time_passes
            && system.facts.has_urgent_channels
            && self.firing.find_urgent(system, &mut self.evaluator)?;
        if held {
            return self.deadlocked_under_urgency(state, within);
        }
        let mut left = Federation::new(n);
        left.assign(within);
        self.each_possible(state, &mut |possible: &mut [Bound]| {
            if time_passes {
                zone::down(possible, n);
            }
            left.subtract_zone(possible);
            if left.is_empty() {
                Err(Halt::Stopped)
            } else {
                Ok(())
            }
        })?;
        Ok(left)
    }

    /// Calls back with the zones from which a transition can be taken at once, target invariants included.
    fn each_possible(
        &mut self,
        state: State<'_>,
        each: &mut dyn FnMut(&mut [Bound]) -> Result<(), Halt>,
    ) -> Result<(), Halt> {
        let system = self.system;
        let n = system.dimension;
        let mut extra = Vec::new();
        let result = if system.facts.has_priorities {
            let transitions =
                priority::ranked(&mut self.stacks, system, &mut self.evaluator, state)?;
            (0..transitions.len()).try_for_each(|index| {
                let edges = &transitions[index].edges;
                if !target_permits(system, &mut self.evaluator, state, edges, &mut extra)? {
                    return Ok(());
                }
                let mut parts = priority::possible(&transitions, index, n);
                let mut result = Ok(());
                parts.retain(|part, n| {
                    if result.is_ok() && zone::constrain_all(part, n, &extra) {
                        result = each(part);
                    }
                    false
                });
                result
            })
        } else {
            let mut possible = vec![0; n * n];
            let visit = |evaluator: &mut Evaluator<'_>, candidate: Candidate<'_>| {
                possible.copy_from_slice(state.zone);
                if zone::constrain_all(&mut possible, n, candidate.constraints)
                    && target_permits(system, evaluator, state, candidate.edges, &mut extra)?
                    && zone::constrain_all(&mut possible, n, &extra)
                {
                    each(&mut possible)?;
                }
                Ok(())
            };
            enumerate(
                &mut self.stacks,
                system,
                &mut self.evaluator,
                state,
                Which::All,
                visit,
            )
        };
        match result {
            Err(Halt::Fault(fault)) => Err(Halt::Fault(fault)),
            _ => Ok(()),
        }
    }

    /// With urgent guards: a valuation in a guard cannot delay; one before it cannot delay beyond its first moment.
    fn deadlocked_under_urgency(
        &mut self,
        state: State<'_>,
        within: &[Bound],
    ) -> Result<Federation, Halt> {
        let n = self.system.dimension;
        let mut possible = Federation::new(n);
        let guards = self.firing.guards.clone();
        self.each_possible(state, &mut |zone: &mut [Bound]| {
            possible.push(zone);
            Ok(())
        })?;
        let mut dead = Federation::new(n);
        let guards: Vec<&[Bound]> = guards.chunks_exact(n * n).collect();
        stuck(within, &guards, &mut Vec::new(), &possible, &mut dead);
        Ok(dead)
    }
}

/// Adds to `dead` the valuations of a part from which nothing possible is reached, under the guards that are left and
/// those (given by what lies strictly after them) that hold the part up.
fn stuck(
    part: &[Bound],
    guards: &[&[Bound]],
    cuts: &mut Vec<Vec<Bound>>,
    possible: &Federation,
    dead: &mut Federation,
) {
    let n = possible.dimension();
    let mut rest = Federation::new(n);
    let Some((guard, guards)) = guards.split_first() else {
        let mut reached = possible.clone();
        cuts.iter().for_each(|cut| reached.subtract_zone(cut));
        reached.down();
        rest.assign(part);
        rest.subtract(&reached);
        dead.union(&rest);
        return;
    };
    let mut inside = part.to_vec();
    if zone::intersect(&mut inside, guard, n) {
        rest.assign(&inside);
        rest.subtract(possible);
        dead.union(&rest);
    }
    let mut after = guard.to_vec();
    strictly_after(&mut after, n);
    let mut outside = Vec::new();
    zone::subtract(part, guard, n, &mut outside);
    for part in outside.chunks_exact(n * n) {
        let mut past = part.to_vec();
        if zone::intersect(&mut past, &after, n) {
            stuck(&past, guards, cuts, possible, dead);
        }
        let mut before = Vec::new();
        zone::subtract(part, &after, n, &mut before);
        cuts.push(after.clone());
        for part in before.chunks_exact(n * n) {
            stuck(part, guards, cuts, possible, dead);
        }
        cuts.pop();
    }
}

/// What the target of a transition asks of the clocks, as constraints on their values before the updates. `false` if
/// its invariants on data fail.
fn target_permits(
    system: &System,
    evaluator: &mut Evaluator<'_>,
    state: State<'_>,
    edges: &[EdgeIndex],
    extra: &mut Vec<Constraint>,
) -> Result<bool, Fault> {
    extra.clear();
    let mut origins = Vec::new();
    Origin::identity(&mut origins, system.dimension);
    let result = run_updates(system, evaluator, edges, |update| {
        Origin::follow(&mut origins, update);
        if let ClockUpdate::Copy { target, .. } = update {
            // A copy below zero leaves no valuation.
            let Origin { row, offset } = origins[target.index() + 1];
            extra.push(Constraint {
                left: 0,
                right: row as u16,
                bound: clamped(offset, false),
            });
        }
        true
    });
    let permitted = match result {
        Ok(_) => invariants_before(system, evaluator, &origins, extra),
        Err(fault) if disables(system, &fault) => Ok(false),
        Err(fault) => Err(fault),
    };
    evaluator.machine.memory[..state.memory.len()].copy_from_slice(state.memory);
    permitted
}

/// The invariants at the evaluator's discrete state, translated to the values before the updates.
fn invariants_before(
    system: &System,
    evaluator: &mut Evaluator<'_>,
    origins: &[Origin],
    extra: &mut Vec<Constraint>,
) -> Result<bool, Fault> {
    let mut invariants = Vec::new();
    for process in 0..system.processes() {
        let location = system.location(process, &evaluator.machine.memory);
        if !location.data.holds(evaluator)? {
            return Ok(false);
        }
        location.clocks.collect(evaluator, &mut invariants)?;
    }
    for invariant in invariants {
        let left = origins[usize::from(invariant.left)];
        let right = origins[usize::from(invariant.right)];
        let value = i64::from(constant(invariant.bound)) - left.offset + right.offset;
        let bound = clamped(value, is_strict(invariant.bound));
        extra.push(Constraint {
            left: left.row as u16,
            right: right.row as u16,
            bound,
        });
    }
    Ok(true)
}

/// A bound whose constant may be beyond what zones hold; no clock's value is.
fn clamped(value: i64, strict: bool) -> Bound {
    let limit = i64::from(bound::MAX_CONSTANT);
    let value = value.clamp(-limit, limit) as i32;
    if strict { lt(value) } else { le(value) }
}
