//! How long a run may stay in a discrete state, for searches that care about every moment in between.

use merkhet_network::LocationKind;
use merkhet_network::code::Fault;
use merkhet_zones::bound::Bound;
use merkhet_zones::zone;

use crate::Explorer;
use crate::state::Successor;
use crate::successors::enumerate::Halt;
use crate::system::System;

/// A stay in a discrete state: where it begins, and where time leads from there.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Stay {
    /// The valuations at the beginning.
    pub entry: Vec<Bound>,
    /// Zones whose union holds every valuation of the stay. Several where urgent guards cut the passage of time: then time
    /// leads from one to another.
    pub zones: Vec<Vec<Bound>>,
    /// Whether time passes at all, from each valuation as far as the zones go; if not, the zones are the entry.
    pub time_passes: bool,
}

impl System {
    /// Whether no location of a state is urgent or committed.
    pub(crate) fn permits_delay(&self, memory: &[i32]) -> bool {
        (0..self.processes()).all(|p| self.location(p, memory).kind == LocationKind::Normal)
    }
}

impl Explorer<'_> {
    /// The stays that begin in a zone of a discrete state: one, or several where only a part is held up by an urgent
    /// guard, or none where an invariant fails. Nothing is abstracted.
    pub fn stays(&mut self, memory: &[i32], entry: &[Bound]) -> Result<Vec<Stay>, Fault> {
        let n = self.system.dimension;
        let permitted = self.system.permits_delay(memory);
        let guards = self.urgent_guards(memory)?;
        let held = |entry: &[Bound]| {
            let mut guards = guards.chunks_exact(n * n);
            guards.any(|guard| zone::includes(guard, entry))
        };
        let mut stays: Vec<Stay> = Vec::new();
        let mut emit = |successor: Successor<'_>| {
            let (entry, zone) = (successor.entry, successor.state.zone.to_vec());
            match stays.last_mut() {
                Some(stay) if stay.entry == entry => stay.zones.push(zone),
                _ => stays.push(Stay {
                    entry: entry.to_vec(),
                    zones: vec![zone],
                    time_passes: permitted && !held(entry),
                }),
            }
            Ok(())
        };
        self.load(memory);
        self.firing.zone.copy_from_slice(entry);
        let exact = std::mem::replace(&mut self.firing.exact, true);
        let result = self
            .firing
            .arrive(self.system, &mut self.evaluator, &[], &mut emit);
        self.firing.exact = exact;
        match result {
            Err(Halt::Fault(fault)) => Err(fault),
            Ok(()) | Err(Halt::Stopped) => Ok(stays),
        }
    }

    /// The stays of a successor that an exact explorer handed on: as [`Explorer::stays`], but for less where nothing is
    /// urgent. Of successors that differ in their zones only, one is to be asked for.
    pub fn stays_of(
        &mut self,
        memory: &[i32],
        entry: &[Bound],
        delayed: &[Bound],
    ) -> Result<Vec<Stay>, Fault> {
        if self.system.facts.has_urgent_channels {
            return self.stays(memory, entry);
        }
        Ok(vec![Stay {
            entry: entry.to_vec(),
            zones: vec![delayed.to_vec()],
            time_passes: self.system.permits_delay(memory),
        }])
    }

    /// Whether time passes in a discrete state after an arrival in a zone, which urgent guards do not split.
    pub fn time_passes(&mut self, memory: &[i32], entry: &[Bound]) -> Result<bool, Fault> {
        if !self.system.permits_delay(memory) {
            return Ok(false);
        }
        let n = self.system.dimension;
        let guards = self.urgent_guards(memory)?;
        let mut guards = guards.chunks_exact(n * n);
        Ok(!guards.any(|guard| zone::includes(guard, entry)))
    }

    /// The zones of the guards that hold up time in a discrete state.
    fn urgent_guards(&mut self, memory: &[i32]) -> Result<Vec<Bound>, Fault> {
        let system = self.system;
        if !system.facts.has_urgent_channels || !system.permits_delay(memory) {
            return Ok(Vec::new());
        }
        self.load(memory);
        match self.firing.find_urgent(system, &mut self.evaluator) {
            Ok(true) => Ok(self.firing.guards.clone()),
            Ok(false) | Err(Halt::Stopped) => Ok(Vec::new()),
            Err(Halt::Fault(fault)) => Err(fault),
        }
    }
}
