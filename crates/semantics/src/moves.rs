//! The transitions of a discrete state, worked out once for all its zones.
//!
//! Which edges go together, whether their data hold, what they assign, where they lead, which invariants and bounds count
//! there: none of it depends on the zone. Where many zones share a discrete state, all that is left to do for each of them
//! is to constrain, reset, delay and abstract. The outcome is the same, in the same order.

use std::ops::{ControlFlow, Range};

use merkhet_lattice::bound::Bound;
use merkhet_lattice::zone::{self, Constraint};
use merkhet_network::code::ClockUpdate;

use crate::data::Evaluator;
use crate::enumerate::{Candidate, Halt, Which, enumerate};
use crate::fire::{Firing, disables, run_updates, set_clock};
use crate::state::{State, Successor};
use crate::system::System;
use crate::{EdgeIndex, Explorer, Extrapolation};

/// A discrete state with more transitions than this is not worked out: the constraints that a zone would rule out early
/// are all there, and broadcasts combine them.
const MOST: usize = 256;

/// The transitions of some discrete states, in flat arrays.
#[derive(Clone, Debug, Default)]
pub struct Moves {
    moves: Vec<Move>,
    edges: Vec<EdgeIndex>,
    /// Guards and invariants.
    constraints: Vec<Constraint>,
    updates: Vec<ClockUpdate>,
    /// The targets' discrete parts.
    memory: Vec<i32>,
    /// By target, its lower bounds by row of the zones, then its upper bounds.
    bounds: Vec<i32>,
}

/// A transition whose conditions on data hold: where its parts are in the arrays. The invariants follow the guards.
#[derive(Clone, Copy, Debug)]
struct Move {
    edges: (u32, u32),
    guard: (u32, u32),
    invariants_end: u32,
    updates: (u32, u32),
    time_passes: bool,
    ask_at_entry: bool,
}

/// What is between two places of an array.
#[inline]
fn between<T>(all: &[T], (start, end): (u32, u32)) -> &[T] {
    &all[start as usize..end as usize]
}

impl System {
    /// Whether [`Explorer::work_out`] can do anything: not where the zone decides which transitions there are (priorities),
    /// how far time passes (urgent channels) or into how many parts a zone is split (differences of clocks); not with
    /// clocks that stand still, nor with meta variables, which the discrete state does not settle.
    pub fn permits_moves(&self) -> bool {
        !self.facts.has_priorities
            && !self.facts.has_urgent_channels
            && self.differences.constraints.is_empty()
            && self.key_cells == self.ranges.len()
            && (self.locations.iter().flatten()).all(|location| location.rates.is_empty())
    }
}

impl<'s> Explorer<'s> {
    /// Works out the transitions of a discrete state and appends them. `None`, and nothing appended, if there are too many
    /// or an evaluation fails: whether that is a fault depends on the zone.
    pub fn work_out(&mut self, memory: &[i32], moves: &mut Moves) -> Option<Range<u32>> {
        debug_assert!(self.system.permits_moves() && !self.firing.exact);
        self.load(memory);
        let start = moves.moves.len();
        let (system, firing) = (self.system, &mut self.firing);
        let visit = |evaluator: &mut Evaluator<'s>, candidate: Candidate<'_>| {
            if moves.moves.len() - start == MOST {
                return Err(Halt::Stopped);
            }
            let result = moves.add(system, firing, evaluator, candidate);
            evaluator.machine.memory[..memory.len()].copy_from_slice(memory);
            result
        };
        let state = State { memory, zone: &[] };
        let stacks = &mut self.stacks;
        let result = enumerate(
            stacks,
            system,
            &mut self.evaluator,
            state,
            Which::All,
            visit,
        );
        if result.is_err() {
            moves.truncate(system, start);
            return None;
        }
        Some(start as u32..moves.moves.len() as u32)
    }

    /// As [`Explorer::successors`], for a zone of a discrete state whose transitions are worked out: the sink is told the
    /// number of each, too. Says whether it ended it.
    pub fn take_moves(
        &mut self,
        zone: &[Bound],
        moves: &Moves,
        numbers: Range<u32>,
        sink: &mut impl FnMut(u32, Successor<'_>) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        for number in numbers {
            if self.firing.take(self.system, zone, moves, number) {
                let successor = self.firing.successor(
                    moves.target(self.system, number),
                    between(&moves.edges, moves.moves[number as usize].edges),
                    &self.firing.zone,
                );
                sink(number, successor)?;
            }
        }
        ControlFlow::Continue(())
    }
}

impl Firing {
    /// Takes a transition that is worked out; says whether anything is left of the zone.
    #[inline]
    fn take(&mut self, system: &System, source: &[Bound], moves: &Moves, number: u32) -> bool {
        let n = system.dimension;
        let step = &moves.moves[number as usize];
        let guard = between(&moves.constraints, step.guard);
        let possible = |c: &Constraint| {
            zone::is_consistent_with(source, n, c.left.into(), c.right.into(), c.bound)
        };
        if !guard.iter().all(possible) {
            return false;
        }
        let zone = &mut self.zone;
        zone.copy_from_slice(source);
        if !zone::constrain_all(zone, n, guard)
            || !between(&moves.updates, step.updates)
                .iter()
                .all(|update| set_clock(zone, n, *update))
        {
            return false;
        }
        let invariants = between(&moves.constraints, (step.guard.1, step.invariants_end));
        if step.ask_at_entry && !zone::constrain_all(zone, n, invariants) {
            return false;
        }
        if step.time_passes && !zone::up_within(zone, n, invariants) {
            return false;
        }
        let bounds = &moves.bounds[number as usize * 2 * n..][..2 * n];
        self.lower.copy_from_slice(&bounds[..n]);
        self.upper.copy_from_slice(&bounds[n..]);
        if system.extrapolation != Extrapolation::None {
            self.extrapolate(system);
        }
        true
    }
}

impl Moves {
    /// Appends a transition, unless the data of the target's invariants or an assignment out of range rule it out. Leaves
    /// the evaluator at the target.
    fn add<'s>(
        &mut self,
        system: &'s System,
        firing: &mut Firing,
        evaluator: &mut Evaluator<'s>,
        candidate: Candidate<'_>,
    ) -> Result<(), Halt> {
        let updates = self.updates.len();
        let note = |update| {
            self.updates.push(update);
            true
        };
        match run_updates(system, evaluator, candidate.edges, note) {
            Ok(_) => {}
            Err(fault) if disables(system, &fault) => {
                self.updates.truncate(updates);
                return Ok(());
            }
            Err(fault) => {
                self.updates.truncate(updates);
                return Err(fault.into());
            }
        }
        system.forgetting.apply(&mut evaluator.machine.memory);
        let arrival = match firing.collect_invariants(system, evaluator) {
            Ok(Some(arrival)) => arrival,
            failed => {
                self.updates.truncate(updates);
                return failed.map(|_| ()).map_err(Halt::from);
            }
        };
        let guard = append(&mut self.constraints, candidate.constraints);
        self.moves.push(Move {
            edges: append(&mut self.edges, candidate.edges),
            guard,
            invariants_end: append(&mut self.constraints, &firing.invariants).1,
            updates: (updates as u32, self.updates.len() as u32),
            time_passes: arrival.time_passes,
            ask_at_entry: arrival.ask_at_entry,
        });
        let target = &evaluator.machine.memory[..system.ranges.len()];
        self.memory.extend_from_slice(target);
        system.bounds_at(target, &mut firing.lower, &mut firing.upper);
        self.bounds.extend_from_slice(&firing.lower);
        self.bounds.extend_from_slice(&firing.upper);
        Ok(())
    }

    /// Forgets the transitions from one on.
    fn truncate(&mut self, system: &System, length: usize) {
        let (edges, constraints, updates) = match self.moves.get(length) {
            Some(first) => (first.edges.0, first.guard.0, first.updates.0),
            None => return,
        };
        self.moves.truncate(length);
        self.edges.truncate(edges as usize);
        self.constraints.truncate(constraints as usize);
        self.updates.truncate(updates as usize);
        self.memory.truncate(length * system.ranges.len());
        self.bounds.truncate(length * 2 * system.dimension);
    }

    /// The number of transitions.
    pub fn len(&self) -> usize {
        self.moves.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.moves.is_empty()
    }

    /// The memory in use, in bytes.
    pub fn bytes(&self) -> usize {
        size_of_val(&*self.moves)
            + size_of_val(&*self.edges)
            + size_of_val(&*self.constraints)
            + size_of_val(&*self.updates)
            + size_of_val(&*self.memory)
            + size_of_val(&*self.bounds)
    }

    fn target(&self, system: &System, number: u32) -> &[i32] {
        let cells = system.ranges.len();
        &self.memory[number as usize * cells..][..cells]
    }
}

/// Appends to an array; says where it went.
fn append<T: Copy>(all: &mut Vec<T>, more: &[T]) -> (u32, u32) {
    let start = all.len() as u32;
    all.extend_from_slice(more);
    (start, all.len() as u32)
}
