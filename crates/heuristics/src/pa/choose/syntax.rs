//! The predicates that stand in the text of a system: guards, invariants and locations, process by process.

use merkhet_network::{ClockConstraint, Expr, LocationId, ProcessId};

use crate::pa::evaluate::{Evaluator, at_location};
use crate::pa::predicate::{of_clocks, of_mask};
use crate::pa::refine::Predicates;
use crate::pa::world::World;

/// The predicates of a process.
pub fn of_process(evaluator: &mut Evaluator<'_>, process: ProcessId) -> Predicates {
    let network = evaluator.network;
    let source = network.process(process);
    let mut found = Predicates::default();
    for at in 0..source.locations.len() {
        let location = LocationId::from(at);
        found.add(at_location(&evaluator.slots, process.0, location.0));
    }
    for location in &source.locations {
        let invariant = &location.invariant;
        conditions(
            evaluator,
            invariant.data.as_ref(),
            &invariant.clocks,
            &mut found,
        );
    }
    for edge in &source.edges {
        let guard = &edge.guard;
        conditions(evaluator, guard.data.as_ref(), &guard.clocks, &mut found);
    }
    found
}

/// The predicates of one condition.
fn conditions(
    evaluator: &mut Evaluator<'_>,
    data: Option<&Expr>,
    clocks: &[ClockConstraint],
    into: &mut Predicates,
) {
    evaluator.start();
    let worlds = match data {
        Some(data) => evaluator.assume(World::default(), data, true),
        None => vec![World::default()],
    };
    for world in worlds {
        for (slot, mask) in &world.masks {
            into.add(of_mask(&evaluator.slots, *slot, *mask));
        }
        for literal in &world.literals {
            into.insert(literal.predicate.clone());
        }
        for constraint in clocks {
            if let Some(bound) = evaluator.clock_bound(&world, constraint) {
                into.add(of_clocks(bound.left, bound.right, bound.bound));
            }
        }
    }
}
