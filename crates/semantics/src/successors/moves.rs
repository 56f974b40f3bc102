//! The transitions of a discrete state, worked out once for all its zones.
//!
//! Which edges go together, whether their data hold, what they assign, where they lead, which invariants and bounds count
//! there: none of it depends on the zone. Where many zones share a discrete state, all that is left to do for each of them
//! is to constrain, reset, delay and abstract. The outcome is the same, in the same order.
//!
//! The work is done on the clocks that matter: the source's zone has the rows that are kept at the source
//! ([`System::keeps`]), the target's those kept there, and one choice of rows leads from one to the other
//! (`reduced`).

use std::ops::{ControlFlow, Range};

use merkhet_zones::bound::Bound;
use merkhet_zones::zone::subset::{self, LANES};
use merkhet_zones::zone::{self, Constraint};

use crate::data::Evaluator;
use crate::state::{State, Successor};
use crate::successors::enumerate::{Candidate, Halt, Seen, Which, enumerate_seen};
use crate::successors::fire::{Firing, disables, run_updates};
use crate::successors::places::{Entry, Places};
use crate::successors::reduced::Translation;
use crate::system::System;
use crate::{EdgeIndex, Explorer, Extrapolation};

/// The transitions of some discrete states, in flat arrays.
#[derive(Clone, Debug, Default)]
pub struct Moves {
    moves: Vec<Move>,
    edges: Vec<EdgeIndex>,
    /// By position among the source's rows.
    guards: Vec<Constraint>,
    /// The clocks that are set to something else than zero, by position among the target's rows, and their values.
    sets: Vec<(u16, i32)>,
    /// By row of the target, the row of the source that it is a copy of, as [`subset::choose`] takes them.
    rows: Vec<u16>,
    places: Places,
}

/// A transition whose conditions on data hold: where its parts are in the arrays.
#[derive(Clone, Copy, Debug)]
struct Move {
    edges: (u32, u32),
    guard: (u32, u32),
    sets: (u32, u32),
    rows: u32,
    target: u32,
    /// The number of rows of the source.
    from: u16,
}

/// What is between two places of an array.
#[inline]
fn between<T>(all: &[T], (start, end): (u32, u32)) -> &[T] {
    &all[start as usize..end as usize]
}

impl System {
    /// Whether [`Explorer::work_out`] can do anything: not where the zone decides which transitions there are (priorities),
    /// how far time passes (urgent channels with clocks in a guard) or into how many parts a zone is split (differences of clocks); not with
    /// clocks that stand still, nor with meta variables, which the discrete state does not settle; nor with permutations, which
    /// depend on the zone, too.
    pub fn permits_moves(&self) -> bool {
        !self.facts.has_priorities
            && self.families.is_none()
            && !self.facts.has_urgent_clock_guards
            && self.differences.constraints.is_empty()
            && self.key_cells == self.ranges.len()
            && (self.locations.iter().flatten()).all(|location| location.rates.is_empty())
    }
}

impl<'s> Explorer<'s> {
    /// Works out the transitions of a discrete state and appends them. `None`, and nothing appended, if there are too many,
    /// if one does more to clocks than `reduced` knows, or if an evaluation fails: whether that is a fault depends on
    /// the zone.
    pub fn work_out(&mut self, memory: &[i32], moves: &mut Moves) -> Option<Range<u32>> {
        debug_assert!(self.system.permits_moves() && !self.firing.exact);
        let most = (self.system.most_moves, usize::MAX);
        self.work_out_seen(memory, None, most, moves)
    }

    /// As [`Explorer::work_out`], but the transitions alone that a zone does not rule out by single constraints; it has the
    /// rows that are kept at the discrete state. What was there is forgotten. For networks with so many clocks that whole
    /// zones take longer than this. `None` also where the targets would take more than so many bytes.
    pub fn work_out_for(
        &mut self,
        memory: &[i32],
        zone: &[Bound],
        bytes: usize,
        moves: &mut Moves,
    ) -> Option<Range<u32>> {
        moves.clear();
        self.work_out_seen(memory, Some(zone), (usize::MAX, bytes), moves)
    }

    fn work_out_seen(
        &mut self,
        memory: &[i32],
        zone: Option<&[Bound]>,
        (most, bytes): (usize, usize),
        moves: &mut Moves,
    ) -> Option<Range<u32>> {
        self.load(memory);
        let start = moves.moves.len();
        let (system, firing) = (self.system, &mut self.firing);
        let mut translation = Translation::new(system, memory, firing);
        let positions = zone.map(|_| translation.positions().to_vec());
        let seen = zone.map(|zone| Seen {
            zone,
            rows: translation.from,
            positions: positions.as_deref(),
        });
        let visit = |evaluator: &mut Evaluator<'s>, candidate: Candidate<'_>| {
            if moves.moves.len() - start == most || moves.places.bytes() > bytes {
                return Err(Halt::Stopped);
            }
            let result = moves.add(system, firing, evaluator, candidate, &mut translation);
            evaluator.machine.memory[..memory.len()].copy_from_slice(memory);
            result
        };
        let (stacks, evaluator) = (&mut self.stacks, &mut self.evaluator);
        let result = enumerate_seen(stacks, system, evaluator, memory, seen, Which::All, visit);
        if result.is_err() {
            moves.truncate(start);
            return None;
        }
        Some(start as u32..moves.moves.len() as u32)
    }

    /// As [`Explorer::successors`], for a zone of a discrete state whose transitions are worked out, with the rows kept there
    /// alone ([`System::keeps`]); so are the successors' zones ([`Successor::reduced`]). The sink is told the number of the
    /// target's discrete part, too ([`Moves::places`]). Says whether it ended it.
    pub fn take_moves(
        &mut self,
        zone: &[Bound],
        moves: &Moves,
        numbers: Range<u32>,
        sink: &mut impl FnMut(u32, Successor<'_>) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let (n, cells) = (self.system.dimension, self.system.ranges.len());
        for step in &moves.moves[numbers.start as usize..numbers.end as usize] {
            if !step.is_possible(zone, moves) || !self.firing.take(self.system, zone, moves, step) {
                continue;
            }
            let places = &moves.places;
            let (lower, upper) = places.bounds(step.target, n);
            let rows = usize::from(places.get(step.target).rows);
            let successor = Successor {
                edges: between(&moves.edges, step.edges),
                state: State {
                    memory: places.memory(step.target, cells),
                    zone: &[],
                },
                reduced: &self.firing.reduced[..rows * rows],
                lower,
                upper,
                source: &[],
                entry: &[],
                origins: &[],
                stopped: &[],
            };
            sink(step.target, successor)?;
        }
        ControlFlow::Continue(())
    }
}

impl Move {
    /// Whether the zone leaves room for each of the guards by itself: most transitions are ruled out here.
    #[inline(always)]
    fn is_possible(&self, source: &[Bound], moves: &Moves) -> bool {
        let n = usize::from(self.from);
        let possible = |c: &Constraint| {
            zone::is_consistent_with(source, n, c.left.into(), c.right.into(), c.bound)
        };
        between(&moves.guards, self.guard).iter().all(possible)
    }
}

impl Firing {
    /// Takes a transition that is worked out, into `self.reduced`; says whether anything is left of the zone.
    fn take(&mut self, system: &System, source: &[Bound], moves: &Moves, step: &Move) -> bool {
        let place = moves.places.get(step.target);
        let (from, to) = (usize::from(step.from), usize::from(place.rows));
        let guard = between(&moves.guards, step.guard);
        let holds =
            |c: &Constraint| zone::implies(source, from, c.left.into(), c.right.into(), c.bound);
        let mut left = source;
        if !guard.iter().all(holds) {
            let part = &mut self.zone[..from * from];
            part.copy_from_slice(source);
            if !zone::constrain_all(part, from, guard) {
                return false;
            }
            left = part;
        }
        let rows = &moves.rows[step.rows as usize..][..to.max(LANES)];
        subset::choose(left, from, rows, to, &mut self.reduced);
        let zone = &mut self.reduced[..to * to];
        for (row, value) in between(&moves.sets, step.sets) {
            zone::reset(zone, to, (*row).into(), *value);
        }
        let invariants = moves.places.invariants(place);
        if place.ask_at_entry && !zone::constrain_all(zone, to, invariants) {
            return false;
        }
        if place.time_passes && !zone::up_within(zone, to, invariants) {
            return false;
        }
        let (lower, upper) = moves.places.kept_bounds(place);
        match system.extrapolation {
            Extrapolation::None => {}
            // The bounds are the same in both where they are to be maximal constants.
            Extrapolation::Lu | Extrapolation::M => {
                zone::extrapolate_lu(zone, to, lower, upper);
            }
            Extrapolation::LuPlus | Extrapolation::MPlus => {
                zone::extrapolate_lu_plus(zone, to, lower, upper);
            }
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
        translation: &mut Translation,
    ) -> Result<(), Halt> {
        translation.begin();
        let note = |update| {
            translation.update(update);
            true
        };
        match run_updates(system, evaluator, candidate.edges, note) {
            Ok(_) => {}
            Err(fault) if disables(system, &fault) => return Ok(()),
            Err(fault) => return Err(fault.into()),
        }
        system.forgetting.apply(&mut evaluator.machine.memory);
        let target = self.places.arrive(system, firing, evaluator)?;
        match self.places.get(target).entry {
            Entry::Possible => {}
            Entry::Impossible => return Ok(()),
            Entry::Untranslated => return Err(Halt::Stopped),
        }
        let positions = self.places.positions(target, system.dimension);
        if !translation.translate(positions, candidate.constraints) {
            return Err(Halt::Stopped);
        }
        self.moves.push(Move {
            edges: append(&mut self.edges, candidate.edges),
            guard: append(&mut self.guards, &translation.guard),
            sets: append(&mut self.sets, &translation.sets),
            rows: append(&mut self.rows, &translation.rows).0,
            target,
            from: translation.from as u16,
        });
        Ok(())
    }

    /// Forgets all.
    fn clear(&mut self) {
        self.truncate(0);
        self.places.clear();
    }

    /// Forgets the transitions from one on; what they lead to stays.
    fn truncate(&mut self, length: usize) {
        let Some(first) = self.moves.get(length).copied() else {
            return;
        };
        self.moves.truncate(length);
        self.edges.truncate(first.edges.0 as usize);
        self.guards.truncate(first.guard.0 as usize);
        self.sets.truncate(first.sets.0 as usize);
        self.rows.truncate(first.rows as usize);
    }

    /// The number of discrete parts that transitions lead to.
    pub fn places(&self) -> usize {
        self.places.len()
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
            + size_of_val(&*self.guards)
            + size_of_val(&*self.sets)
            + size_of_val(&*self.rows)
            + self.places.bytes()
    }
}

/// Appends to an array; says where it went.
fn append<T: Copy>(all: &mut Vec<T>, more: &[T]) -> (u32, u32) {
    let start = all.len() as u32;
    all.extend_from_slice(more);
    (start, all.len() as u32)
}
