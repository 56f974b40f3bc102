//! Delay under urgent channels whose synchronisations have clock guards.
//!
//! Time may pass from a valuation v to v + d unless some v + d' with 0 ≤ d' < d satisfies the guard of an urgent
//! transition. For one convex guard g, let A(g) hold the valuations that lie strictly after one of g. A valuation in g
//! does not move. One that is in A(g) but not in g has left g behind and is not held up by it. Any other may move as
//! long as it does not enter A(g): to the first moment of g, if there is one. Several guards are dealt with one after
//! the other, by splitting the zone; the result is a list of zones.

use merkhet_zones::bound::{Bound, INFINITY};
use merkhet_zones::zone;

use crate::EdgeIndex;
use crate::compile::spots::Spot;
use crate::data::Evaluator;
use crate::state::State;
use crate::successors::enumerate::{Halt, Which, enumerate};
use crate::successors::fire::{Emit, Firing};
use crate::system::System;

impl Firing {
    /// Finds the guards of the urgent transitions of the discrete state in the evaluator's memory; says whether there
    /// are any.
    pub fn find_urgent<'s>(
        &mut self,
        system: &'s System,
        evaluator: &mut Evaluator<'s>,
    ) -> Result<bool, Halt> {
        let memory = &evaluator.machine.memory;
        if !(system.spots.of(memory)).any(|spot| spot.flags & Spot::SENDS_URGENTLY != 0) {
            return Ok(false);
        }
        let n = system.dimension;
        let mut stacks = std::mem::take(&mut self.urgent);
        let mut guards = std::mem::take(&mut self.guards);
        self.target.clear();
        self.target
            .extend_from_slice(&evaluator.machine.memory[..system.ranges.len()]);
        let state = State {
            memory: &self.target,
            zone: &[],
        };
        guards.clear();
        let mut held = false;
        let visit = |_: &mut Evaluator<'s>,
                     candidate: crate::successors::enumerate::Candidate<'_>| {
            if candidate.constraints.is_empty() {
                // Nothing else matters: time stands still everywhere.
                held = true;
                return Err(Halt::Stopped);
            }
            let start = guards.len();
            guards.resize(start + n * n, 0);
            zone::init_universal(&mut guards[start..], n);
            if !zone::constrain_all(&mut guards[start..], n, candidate.constraints) {
                guards.truncate(start);
            }
            Ok(())
        };
        let result = enumerate(&mut stacks, system, evaluator, state, Which::Urgent, visit);
        if held {
            guards.resize(n * n, 0);
            zone::init_universal(&mut guards, n);
        }
        self.urgent = stacks;
        self.guards = guards;
        match result {
            Err(Halt::Fault(fault)) => Err(Halt::Fault(fault)),
            _ => Ok(!self.guards.is_empty()),
        }
    }

    /// Lets time pass as far as the urgent guards found before permit it, and hands all parts on.
    pub fn delay_urgently<'s>(
        &mut self,
        system: &'s System,
        evaluator: &mut Evaluator<'s>,
        edges: &[EdgeIndex],
        emit: &mut impl Emit,
    ) -> Result<(), Halt> {
        let n = system.dimension;
        if !zone::constrain_all(&mut self.zone, n, &self.invariants) {
            return Ok(());
        }
        let start = self.zone.clone();
        let guards = std::mem::take(&mut self.guards);
        let mut work = Held {
            firing: self,
            system,
            evaluator,
            edges,
            emit,
            guards: &guards,
            cuts: Vec::new(),
        };
        let result = work.split(&start, 0);
        self.guards = guards;
        result
    }
}

/// A delay that urgent guards hold up.
struct Held<'a, 's, E> {
    firing: &'a mut Firing,
    system: &'s System,
    evaluator: &'a mut Evaluator<'s>,
    edges: &'a [EdgeIndex],
    emit: &'a mut E,
    guards: &'a [Bound],
    /// What lies strictly after the guards that hold up the present part.
    cuts: Vec<Vec<Bound>>,
}

impl<E: Emit> Held<'_, '_, E> {
    /// Splits a part by the guards from one on.
    fn split(&mut self, part: &[Bound], index: usize) -> Result<(), Halt> {
        let n = self.system.dimension;
        let size = n * n;
        let Some(guard) = self.guards.chunks_exact(size).nth(index) else {
            return self.pass(part);
        };
        let mut inside = part.to_vec();
        if zone::intersect(&mut inside, guard, n) {
            self.firing.entry.copy_from_slice(&inside);
            self.hand_on(&inside)?;
        }
        let mut outside = Vec::new();
        zone::subtract(part, guard, n, &mut outside);
        let mut after = guard.to_vec();
        strictly_after(&mut after, n);
        for part in outside.chunks_exact(size) {
            if self.firing.any_stopped {
                // With stopped clocks the past of a zone is no zone: let time pass, which only adds behaviour.
                self.split(part, index + 1)?;
                continue;
            }
            let mut past = part.to_vec();
            if zone::intersect(&mut past, &after, n) {
                self.split(&past, index + 1)?;
            }
            let mut before = Vec::new();
            zone::subtract(part, &after, n, &mut before);
            self.cuts.push(after.clone());
            for part in before.chunks_exact(size) {
                self.split(part, index + 1)?;
            }
            self.cuts.pop();
        }
        Ok(())
    }

    /// Lets time pass from a part that no guard holds.
    fn pass(&mut self, part: &[Bound]) -> Result<(), Halt> {
        let n = self.system.dimension;
        self.firing.entry.copy_from_slice(part);
        self.firing.zone.copy_from_slice(part);
        if !self.firing.delay(self.system) {
            return Ok(());
        }
        let mut parts = self.firing.zone.clone();
        for cut in &self.cuts {
            let mut rest = Vec::new();
            for part in parts.chunks_exact(n * n) {
                zone::subtract(part, cut, n, &mut rest);
            }
            parts = rest;
        }
        for part in parts.chunks_exact(n * n) {
            self.hand_on(part)?;
        }
        Ok(())
    }

    fn hand_on(&mut self, delayed: &[Bound]) -> Result<(), Halt> {
        self.firing.zone.copy_from_slice(delayed);
        self.firing
            .finish(self.system, self.evaluator, self.edges, self.emit)
    }
}

/// From a zone to the valuations w such that w − e is in it for some e > 0: no upper bounds, strict lower ones.
///
/// Eliminating e from the constraints gives exactly these, since the differences of a closed zone imply the rest.
pub(crate) fn strictly_after(zone: &mut [Bound], n: usize) {
    for i in 1..n {
        zone[i * n] = INFINITY;
        zone[i] &= !1;
    }
}
