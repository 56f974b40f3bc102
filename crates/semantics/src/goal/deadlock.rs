//! Deadlock: valuations from which no transition is possible, now or after any delay.
//!
//! For each transition, the valuations are found that satisfy its guards and, after its updates, the target's
//! invariants; everything from which such a valuation is reached by a delay is subtracted from the zone. What remains is
//! the deadlock. Invariants permit the delay because the state's zone is closed under it. Urgent guards may forbid it: the
//! zone is then split as for delay (see `urgency`).

use merkhet_network::LocationKind;
use merkhet_network::code::Fault;
use merkhet_zones::Federation;
use merkhet_zones::bound::Bound;
use merkhet_zones::zone;

use crate::Explorer;
use crate::data::Evaluator;
use crate::state::State;
use crate::successors::enumerate::{Candidate, Halt, Which, enumerate};
use crate::successors::priority;
use crate::successors::target::Demands;
use crate::time::urgency::strictly_after;

impl Explorer<'_> {
    /// The valuations of `within` (a part of the state's zone) from which nothing is possible any more.
    ///
    /// Exact, unless a clock may stand still ([`crate::System::permits_deadlock`]).
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
        let mut left = Federation::new(self.system.dimension);
        self.subtract_alive(state, within, &mut left)?;
        Ok(left)
    }

    /// Whether something is possible from every valuation of a state, now or later; otherwise `self.left` is where nothing is.
    /// As [`Explorer::deadlock`], but without urgency and priorities it takes no memory: where deadlocks are looked for, every
    /// state is asked.
    pub(crate) fn is_alive(&mut self, state: State<'_>) -> Result<bool, Halt> {
        let mut left = std::mem::replace(&mut self.left, Federation::new(self.system.dimension));
        let result = self.subtract_alive(state, state.zone, &mut left);
        let alive = left.is_empty();
        self.left = left;
        result.map(|()| alive)
    }

    /// Makes `left` the valuations of `within` from which nothing is possible any more.
    fn subtract_alive(
        &mut self,
        state: State<'_>,
        within: &[Bound],
        left: &mut Federation,
    ) -> Result<(), Halt> {
        let system = self.system;
        let n = system.dimension;
        let time_passes = (0..system.processes())
            .all(|p| system.location(p, state.memory).kind == LocationKind::Normal);
        let held = time_passes
            && system.facts.has_urgent_channels
            && self.firing.find_urgent(system, &mut self.evaluator)?;
        if held {
            *left = self.deadlocked_under_urgency(state, within)?;
            return Ok(());
        }
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
        })
    }

    /// Calls back with the zones from which a transition can be taken at once, target invariants included.
    fn each_possible(
        &mut self,
        state: State<'_>,
        each: &mut dyn FnMut(&mut [Bound]) -> Result<(), Halt>,
    ) -> Result<(), Halt> {
        let system = self.system;
        let n = system.dimension;
        let result = if system.facts.has_priorities {
            let transitions =
                priority::ranked(&mut self.stacks, system, &mut self.evaluator, state)?;
            transitions.into_iter().try_for_each(|mut transition| {
                let mut result = Ok(());
                transition.possible.retain(|part, _| {
                    if result.is_ok() {
                        result = each(part);
                    }
                    false
                });
                result
            })
        } else {
            let (possible, demands) = (&mut self.possible, &mut self.demands);
            possible.resize(n * n, 0);
            let visit = |evaluator: &mut Evaluator<'_>, candidate: Candidate<'_>| {
                possible.copy_from_slice(state.zone);
                if zone::constrain_all(possible, n, candidate.constraints)
                    && demands.find(system, evaluator, state, candidate.edges)?
                    && zone::constrain_all(possible, n, &demands.constraints)
                {
                    each(possible)?;
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

    /// Adds the zones from which a transition can be taken at once. Priorities make no difference to whether there is one.
    ///
    /// The zone may hold valuations that no run reaches, so that an evaluation that fails is no fault of the model: if
    /// it can be reached the search comes to it by itself. Until then the transition counts as possible.
    fn find_possible(&mut self, state: State<'_>, possible: &mut Federation) -> Result<(), Halt> {
        let system = self.system;
        let n = system.dimension;
        let mut demands = Demands::default();
        let mut zone = vec![0; n * n];
        let visit = |evaluator: &mut Evaluator<'_>, candidate: Candidate<'_>| {
            zone.copy_from_slice(state.zone);
            if zone::constrain_all(&mut zone, n, candidate.constraints) {
                match demands.find(system, evaluator, state, candidate.edges) {
                    Ok(true) if zone::constrain_all(&mut zone, n, &demands.constraints) => {
                        possible.push(&zone)
                    }
                    Ok(_) => {}
                    Err(_) => possible.push(&zone),
                }
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
        // Urgency cuts the delay-closed zone into convex parts, the state's among them: what is possible later may lie
        // in another part. So look at everything that the invariants permit.
        let mut permitted = vec![0; n * n];
        zone::init_universal(&mut permitted, n);
        self.firing.zone.copy_from_slice(&permitted);
        self.firing.enter(self.system, &mut self.evaluator)?;
        zone::constrain_all(&mut permitted, n, &self.firing.invariants);
        let state = State {
            zone: &permitted,
            ..state
        };
        self.find_possible(state, &mut possible)?;
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
