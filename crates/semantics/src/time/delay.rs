//! Arrival at a state and the passage of time.

use merkhet_network::code::{Fault, FaultKind};
use merkhet_zones::zone;

use crate::compile::spots::Spot;
use crate::data::Evaluator;
use crate::successors::fire::Firing;
use crate::system::System;

/// What the locations of a state say about time.
#[derive(Clone, Copy)]
pub(crate) struct Arrival {
    /// No location is urgent or committed.
    pub time_passes: bool,
    /// The invariants are asked before time passes.
    pub ask_at_entry: bool,
}

impl Firing {
    /// Collects the invariants at the evaluator's discrete state, and asks them of the zone where that must be done
    /// before time passes. `None` if the state cannot be entered.
    pub fn enter(
        &mut self,
        system: &System,
        evaluator: &mut Evaluator<'_>,
    ) -> Result<Option<Arrival>, Fault> {
        let Some(arrival) = self.collect_invariants(system, evaluator)? else {
            return Ok(None);
        };
        let n = system.dimension;
        if arrival.ask_at_entry && !zone::constrain_all(&mut self.zone, n, &self.invariants) {
            return Ok(None);
        }
        Ok(Some(arrival))
    }

    /// Collects the invariants at the evaluator's discrete state. `None` if their data do not hold.
    #[inline]
    pub fn collect_invariants(
        &mut self,
        system: &System,
        evaluator: &mut Evaluator<'_>,
    ) -> Result<Option<Arrival>, Fault> {
        self.invariants.clear();
        let mut flags = 0;
        for &process in &system.spots.asked {
            let process = process as usize;
            let spot = system.spots.at(process, &evaluator.machine.memory);
            flags |= spot.flags;
            // Most have none or one: copying those one by one is faster than a call.
            for constraint in system.spots.fixed(spot) {
                self.invariants.push(*constraint);
            }
            if spot.flags & (Spot::DATA | Spot::DYNAMIC) != 0 {
                let location = system.location(process, &evaluator.machine.memory);
                if !location.data.holds(evaluator)? {
                    return Ok(None);
                }
                for constraint in &location.clocks.dynamic {
                    self.invariants.extend(constraint.get(evaluator)?);
                }
            }
        }
        let mut arrival = Arrival {
            time_passes: flags & Spot::STOPS_TIME == 0,
            ask_at_entry: flags & Spot::ASK_AT_ENTRY != 0,
        };
        self.any_stopped = false;
        if flags & Spot::RATES != 0 && arrival.time_passes {
            self.find_stopped(system, evaluator)?;
        }
        // Upper bounds that hold after a delay held before it: asking them once, after the delay, is enough.
        arrival.ask_at_entry |= !arrival.time_passes;
        Ok(Some(arrival))
    }

    /// Lets time pass within the invariants; says whether anything is left.
    pub fn delay(&mut self, system: &System) -> bool {
        let n = system.dimension;
        if self.any_stopped {
            let stopped = &self.stopped;
            zone::up_running(&mut self.zone, n, |row| !stopped[row]);
            return zone::constrain_all(&mut self.zone, n, &self.invariants);
        }
        zone::up_within(&mut self.zone, n, &self.invariants)
    }

    /// A clock stands still if the invariant of some location says so, whatever the others say.
    fn find_stopped(
        &mut self,
        system: &System,
        evaluator: &mut Evaluator<'_>,
    ) -> Result<(), Fault> {
        self.stopped.fill(false);
        for process in 0..system.processes() {
            for (row, value, site) in &system.location(process, &evaluator.machine.memory).rates {
                let value = value.get(evaluator)?;
                if !(0..=1).contains(&value) {
                    let (low, high) = (0, 1);
                    return Err(Fault {
                        kind: FaultKind::OutOfRange { value, low, high },
                        site: *site,
                    });
                }
                if value == 0 {
                    self.stopped[usize::from(*row)] = true;
                    self.any_stopped = true;
                }
            }
        }
        Ok(())
    }
}
