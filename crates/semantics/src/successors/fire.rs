//! Taking a transition: updates, target invariants, delay, abstraction.

use merkhet_network::OutOfRange;
use merkhet_network::code::{ClockUpdate, CodeId, Fault, FaultKind};
use merkhet_zones::bound::Bound;
use merkhet_zones::zone::subset::Subset;
use merkhet_zones::zone::{self, Constraint};

use crate::data::{Evaluator, Update};
use crate::state::{Origin, State, Successor};
use crate::successors::enumerate::{Enumerator, Halt};
use crate::system::System;
use crate::{EdgeIndex, Extrapolation};

/// The buffers for taking transitions.
pub(crate) struct Firing {
    /// The zone that is worked on.
    pub zone: Vec<Bound>,
    /// The zone of a target with the rows kept there alone, and room for [`Subset::PADDING`] more entries.
    pub reduced: Vec<Bound>,
    /// The source's part, kept only where steps are recorded.
    pub source: Vec<Bound>,
    /// The zone at arrival, likewise.
    pub entry: Vec<Bound>,
    /// The invariants of the target's locations.
    pub invariants: Vec<Constraint>,
    pub lower: Vec<i32>,
    pub upper: Vec<i32>,
    /// Which clocks stand still (by row), if some do.
    pub stopped: Vec<bool>,
    pub any_stopped: bool,
    /// Zones that a delay or abstraction splits into.
    pub parts: Vec<Bound>,
    pub spare: Vec<Bound>,
    /// For urgent transitions: their enumeration, the target's discrete part, and their guards' zones.
    pub urgent: Enumerator,
    pub target: Vec<i32>,
    pub guards: Vec<Bound>,
    /// Zones are left exact and steps are recorded.
    pub exact: bool,
    /// Where the values of clocks come from, where steps are recorded.
    pub origins: Vec<Origin>,
}

/// Receives each part of a successor.
pub(crate) trait Emit {
    fn emit(&mut self, successor: Successor<'_>) -> Result<(), Halt>;
}

impl<F: FnMut(Successor<'_>) -> Result<(), Halt>> Emit for F {
    fn emit(&mut self, successor: Successor<'_>) -> Result<(), Halt> {
        self(successor)
    }
}

impl Firing {
    pub fn new(system: &System) -> Firing {
        let size = system.dimension * system.dimension;
        Firing {
            // Zeroed memory is not touched before it is used: a zone of 2,000 clocks takes 16 MB.
            zone: vec![0; size],
            reduced: vec![0; size + Subset::PADDING],
            source: vec![0; size],
            entry: vec![0; size],
            invariants: Vec::new(),
            lower: vec![0; system.dimension],
            upper: vec![0; system.dimension],
            stopped: vec![false; system.dimension],
            any_stopped: false,
            parts: Vec::new(),
            spare: Vec::new(),
            urgent: Enumerator::default(),
            target: Vec::new(),
            guards: Vec::new(),
            exact: false,
            origins: Vec::new(),
        }
    }

    /// Takes a transition from the part of the source's zone where the constraints hold.
    pub fn fire_where<'s>(
        &mut self,
        system: &'s System,
        evaluator: &mut Evaluator<'s>,
        source: State<'_>,
        edges: &[EdgeIndex],
        constraints: &[Constraint],
        emit: &mut impl Emit,
    ) -> Result<(), Halt> {
        self.zone.copy_from_slice(source.zone);
        if !zone::constrain_all(&mut self.zone, system.dimension, constraints) {
            return Ok(());
        }
        self.fire(system, evaluator, source.memory, edges, emit)
    }

    /// Takes a transition from all of `self.zone`. The evaluator's memory is the source's before and after.
    pub fn fire<'s>(
        &mut self,
        system: &'s System,
        evaluator: &mut Evaluator<'s>,
        source: &[i32],
        edges: &[EdgeIndex],
        emit: &mut impl Emit,
    ) -> Result<(), Halt> {
        if self.exact {
            self.source.copy_from_slice(&self.zone);
            Origin::identity(&mut self.origins, system.dimension);
        }
        let (zone, n) = (&mut self.zone, system.dimension);
        let (exact, origins) = (self.exact, &mut self.origins);
        let set = |update| {
            if exact {
                Origin::follow(origins, update);
            }
            set_clock(zone, n, update)
        };
        let result = match run_updates(system, evaluator, edges, set) {
            Ok(true) => {
                system.forgetting.apply(&mut evaluator.machine.memory);
                self.arrive(system, evaluator, edges, emit)
            }
            Ok(false) => Ok(()),
            Err(fault) if disables(system, &fault) => Ok(()),
            Err(fault) => Err(fault.into()),
        };
        evaluator.machine.memory[..source.len()].copy_from_slice(source);
        result
    }

    /// From the discrete state in the evaluator's memory and the zone at arrival: invariants, delay, abstraction.
    pub fn arrive<'s>(
        &mut self,
        system: &'s System,
        evaluator: &mut Evaluator<'s>,
        edges: &[EdgeIndex],
        emit: &mut impl Emit,
    ) -> Result<(), Halt> {
        let Some(target) = self.enter(system, evaluator)? else {
            return Ok(());
        };
        if target.time_passes
            && system.facts.has_urgent_channels
            && self.find_urgent(system, evaluator)?
        {
            return self.delay_urgently(system, evaluator, edges, emit);
        }
        if self.exact {
            // The entry must satisfy the invariants by itself: traces are made from it.
            let n = system.dimension;
            if !target.ask_at_entry && !zone::constrain_all(&mut self.zone, n, &self.invariants) {
                return Ok(());
            }
            self.entry.copy_from_slice(&self.zone);
        }
        if target.time_passes && !self.delay(system) {
            return Ok(());
        }
        self.finish(system, evaluator, edges, emit)
    }

    /// Abstracts the delayed zone and hands the successor on, in several parts where clock differences split it.
    pub fn finish<'s>(
        &mut self,
        system: &'s System,
        evaluator: &Evaluator<'s>,
        edges: &[EdgeIndex],
        emit: &mut impl Emit,
    ) -> Result<(), Halt> {
        let memory = &evaluator.machine.memory[..system.ranges.len()];
        system.bounds_at(memory, &mut self.lower, &mut self.upper);
        let abstracted = !self.exact && system.extrapolation != Extrapolation::None;
        if abstracted && !system.differences.constraints.is_empty() {
            return self.finish_split(system, memory, edges, emit);
        }
        if abstracted {
            self.extrapolate(system);
        }
        emit.emit(self.successor(memory, edges, &self.zone))
    }

    /// The successor with a zone.
    pub fn successor<'a>(
        &'a self,
        memory: &'a [i32],
        edges: &'a [EdgeIndex],
        zone: &'a [Bound],
    ) -> Successor<'a> {
        let recorded = if self.exact { self.zone.len() } else { 0 };
        let left = if edges.is_empty() { 0 } else { recorded };
        Successor {
            edges,
            state: State { memory, zone },
            reduced: &[],
            lower: &self.lower,
            upper: &self.upper,
            source: &self.source[..left],
            entry: &self.entry[..recorded],
            origins: if left == 0 { &[] } else { &self.origins },
            stopped: if self.any_stopped { &self.stopped } else { &[] },
        }
    }
}

/// Runs the updates of a transition on the evaluator's memory, moves the processes to the targets, and hands on in order
/// what happens to clocks. Says whether `set` always did.
pub(crate) fn run_updates(
    system: &System,
    evaluator: &mut Evaluator<'_>,
    edges: &[EdgeIndex],
    mut set: impl FnMut(ClockUpdate) -> bool,
) -> Result<bool, Fault> {
    if let Some(code) = system.before_update
        && !run(evaluator, code, &mut set)?
    {
        return Ok(false);
    }
    for edge in edges {
        match &system.edges[edge.index()].update {
            Update::Simple { cells, clocks } => {
                for (slot, value) in cells {
                    evaluator.machine.memory[*slot as usize] = *value;
                }
                for (clock, value) in clocks {
                    set(ClockUpdate::Set {
                        clock: *clock,
                        value: *value,
                    });
                }
            }
            Update::Code(code) => {
                if !run(evaluator, *code, &mut set)? {
                    return Ok(false);
                }
            }
        }
    }
    if let Some(code) = system.after_update
        && !run(evaluator, code, &mut set)?
    {
        return Ok(false);
    }
    for edge in edges {
        let code = &system.edges[edge.index()];
        evaluator.machine.memory[code.process as usize] = code.target;
    }
    Ok(true)
}

fn run(
    evaluator: &mut Evaluator<'_>,
    code: CodeId,
    set: &mut impl FnMut(ClockUpdate) -> bool,
) -> Result<bool, Fault> {
    evaluator.run(code)?;
    Ok(evaluator
        .machine
        .clock_updates
        .iter()
        .all(|update| set(*update)))
}

/// Carries out an update of a clock; says whether a valuation is left (a copy that would be negative leaves none).
#[inline]
pub(crate) fn set_clock(zone: &mut [Bound], n: usize, update: ClockUpdate) -> bool {
    match update {
        ClockUpdate::Set { clock, value } => {
            zone::reset(zone, n, clock.index() + 1, value);
            true
        }
        ClockUpdate::Copy {
            target,
            source,
            offset,
        } => zone::shift(zone, n, target.index() + 1, source.index() + 1, offset),
    }
}

/// Whether a fault only means that the transition does not exist.
pub(crate) fn disables(system: &System, fault: &Fault) -> bool {
    system.out_of_range == OutOfRange::Disable && matches!(fault.kind, FaultKind::OutOfRange { .. })
}
