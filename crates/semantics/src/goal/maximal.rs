//! What searches for maximal runs ask beyond successors: may time pass for ever, and abstraction on request.

use merkhet_network::LocationKind;
use merkhet_network::code::Fault;
use merkhet_zones::bound::{Bound, INFINITY};
use merkhet_zones::{Federation, zone};

use crate::Explorer;
use crate::state::{State, Successor};
use crate::successors::enumerate::Halt;

impl Explorer<'_> {
    /// The valuations of a state's zone from which time can pass without end and without leaving the zone.
    ///
    /// The zone must be closed under delay within the invariants (it may be cut down further by constraints that hold
    /// along the delay).
    pub fn divergent(&mut self, state: State<'_>) -> Result<Federation, Fault> {
        self.load(state.memory);
        let system = self.system;
        let n = system.dimension;
        let mut left = Federation::new(n);
        let time_passes = (0..system.processes())
            .all(|p| system.location(p, state.memory).kind == LocationKind::Normal);
        let bounded = (1..n).any(|clock| state.zone[clock * n] != INFINITY);
        if !time_passes || bounded {
            return Ok(left);
        }
        left.assign(state.zone);
        if system.facts.has_urgent_channels {
            match self.firing.find_urgent(system, &mut self.evaluator) {
                Ok(false) => {}
                Ok(true) => {
                    let guards = self.firing.guards.clone();
                    for guard in guards.chunks_exact(n * n) {
                        let mut before = guard.to_vec();
                        zone::down(&mut before, n);
                        left.subtract_zone(&before);
                    }
                }
                Err(Halt::Fault(fault)) => return Err(fault),
                Err(Halt::Stopped) => {}
            }
        }
        Ok(left)
    }

    /// Enlarges a zone of a discrete state as the system's options say, also for an exact explorer; hands on the result,
    /// in several parts where differences of clocks split it.
    pub fn abstracted(
        &mut self,
        memory: &[i32],
        zone: &[Bound],
        sink: &mut dyn FnMut(&[Bound]),
    ) -> Result<(), Fault> {
        let system = self.system;
        self.firing.zone.copy_from_slice(zone);
        system.bounds_at(memory, &mut self.firing.lower, &mut self.firing.upper);
        if system.differences.constraints.is_empty() {
            self.firing.extrapolate(system);
            sink(&self.firing.zone);
            return Ok(());
        }
        let mut emit = |successor: Successor<'_>| {
            sink(successor.state.zone);
            Ok(())
        };
        match self.firing.finish_split(system, memory, &[], &mut emit) {
            Err(Halt::Fault(fault)) => Err(fault),
            Ok(()) | Err(Halt::Stopped) => Ok(()),
        }
    }
}
