//! Arrival at a state and the passage of time.

use merkhet_lattice::zone;
use merkhet_network::LocationKind;
use merkhet_network::code::{Fault, FaultKind};

use crate::data::Evaluator;
use crate::fire::Firing;
use crate::system::System;

/// What the locations of a state say about time.
#[derive(Clone, Copy)]
pub(crate) struct Arrival {
    /// No location is urgent or committed.
    pub time_passes: bool,
    /// The invariants were asked already.
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
        let mut arrival = Arrival {
            time_passes: true,
            ask_at_entry: false,
        };
        self.invariants.clear();
        for process in 0..system.processes() {
            let location = system.location(process, &evaluator.machine.memory);
            arrival.time_passes &= location.kind == LocationKind::Normal;
            arrival.ask_at_entry |= location.ask_at_entry;
            if !location.data.holds(evaluator)? {
                return Ok(None);
            }
            location.clocks.collect(evaluator, &mut self.invariants)?;
        }
        self.any_stopped = false;
        if system.facts.has_stopwatches && arrival.time_passes {
            self.find_stopped(system, evaluator)?;
        }
        // Upper bounds that hold after a delay held before it: asking them once, after the delay, is enough.
        arrival.ask_at_entry |= !arrival.time_passes;
        let n = system.dimension;
        if arrival.ask_at_entry && !zone::constrain_all(&mut self.zone, n, &self.invariants) {
            return Ok(None);
        }
        Ok(Some(arrival))
    }

    /// Lets time pass within the invariants; says whether anything is left.
    pub fn delay(&mut self, system: &System) -> bool {
        let n = system.dimension;
        if self.any_stopped {
            let stopped = &self.stopped;
            zone::up_running(&mut self.zone, n, |row| !stopped[row]);
        } else {
            zone::up(&mut self.zone, n);
        }
        zone::constrain_all(&mut self.zone, n, &self.invariants)
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
