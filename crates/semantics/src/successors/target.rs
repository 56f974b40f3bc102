//! What the target of a transition asks of the clocks before it is taken.

use merkhet_network::code::{ClockUpdate, Fault};
use merkhet_zones::bound::{self, Bound, constant, is_strict, le, lt};
use merkhet_zones::zone::Constraint;

use crate::EdgeIndex;
use crate::data::Evaluator;
use crate::state::{Origin, State};
use crate::successors::fire::{disables, run_updates};
use crate::system::System;

/// What the target of a transition asks of the clocks, as constraints on their values before the updates.
#[derive(Default)]
pub(crate) struct Demands {
    /// What [`Demands::find`] found last.
    pub constraints: Vec<Constraint>,
    /// Where the values of clocks come from.
    origins: Vec<Origin>,
    /// The invariants of the target.
    invariants: Vec<Constraint>,
}

impl Demands {
    /// Finds what the target of a transition asks. `false` if its invariants on data fail. The evaluator's memory is the
    /// state's before and after.
    pub fn find(
        &mut self,
        system: &System,
        evaluator: &mut Evaluator<'_>,
        state: State<'_>,
        edges: &[EdgeIndex],
    ) -> Result<bool, Fault> {
        let Demands {
            constraints,
            origins,
            ..
        } = self;
        constraints.clear();
        Origin::identity(origins, system.dimension);
        let result = run_updates(system, evaluator, edges, |update| {
            Origin::follow(origins, update);
            if let ClockUpdate::Copy { target, .. } = update {
                // A copy below zero leaves no valuation.
                let Origin { row, offset } = origins[target.index() + 1];
                constraints.push(Constraint {
                    left: 0,
                    right: row as u16,
                    bound: clamped(offset, false),
                });
            }
            true
        });
        let permitted = match result {
            Ok(_) => self.add_invariants(system, evaluator),
            Err(fault) if disables(system, &fault) => Ok(false),
            Err(fault) => Err(fault),
        };
        evaluator.machine.memory[..state.memory.len()].copy_from_slice(state.memory);
        permitted
    }

    /// The invariants at the evaluator's discrete state, translated to the values before the updates.
    fn add_invariants(
        &mut self,
        system: &System,
        evaluator: &mut Evaluator<'_>,
    ) -> Result<bool, Fault> {
        self.invariants.clear();
        for process in 0..system.processes() {
            let location = system.location(process, &evaluator.machine.memory);
            if !location.data.holds(evaluator)? {
                return Ok(false);
            }
            location.clocks.collect(evaluator, &mut self.invariants)?;
        }
        for invariant in &self.invariants {
            let left = self.origins[usize::from(invariant.left)];
            let right = self.origins[usize::from(invariant.right)];
            let value = i64::from(constant(invariant.bound)) - left.offset + right.offset;
            let bound = clamped(value, is_strict(invariant.bound));
            self.constraints.push(Constraint {
                left: left.row as u16,
                right: right.row as u16,
                bound,
            });
        }
        Ok(true)
    }
}

/// A bound whose constant may be beyond what zones hold; no clock's value is.
fn clamped(value: i64, strict: bool) -> Bound {
    let limit = i64::from(bound::MAX_CONSTANT);
    let value = value.clamp(-limit, limit) as i32;
    if strict { lt(value) } else { le(value) }
}
