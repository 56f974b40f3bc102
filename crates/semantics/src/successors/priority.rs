//! Priorities: a transition is possible only where there is none of higher priority.
//!
//! A transition is there where its guards hold and its target's invariants do after its updates (UPPAAL's reference,
//! "Semantics", says "there is no action transition with a strictly higher priority"; David, Håkansson, Larsen and
//! Pettersson, "Model checking timed automata with priorities using DBM subtraction", FORMATS 2006). Delay is not
//! affected.
//!
//! All transitions of the state whose guards hold somewhere are listed first. From the highest priority downwards, the
//! zones of what is there with higher priority are subtracted from each; what is left may be several zones, each of
//! which is taken separately. The updates of a transition are run only where something is left, so that one that never
//! happens causes no fault.

use merkhet_zones::Federation;
use merkhet_zones::bound::Bound;
use merkhet_zones::zone;

use crate::EdgeIndex;
use crate::data::Evaluator;
use crate::state::State;
use crate::successors::enumerate::{Candidate, Enumerator, Halt, Which, enumerate};
use crate::successors::target::Demands;
use crate::system::System;

/// A transition of the state and the part of its zone where it is possible, target invariants and priorities included.
pub(crate) struct Ranked {
    pub edges: Vec<EdgeIndex>,
    pub possible: Federation,
    priority: (i32, i32),
    zone: Vec<Bound>,
}

/// All transitions whose guards hold somewhere in the state's zone, in the documented order.
pub(crate) fn ranked<'s>(
    stacks: &mut Enumerator,
    system: &'s System,
    evaluator: &mut Evaluator<'s>,
    state: State<'_>,
) -> Result<Vec<Ranked>, Halt> {
    let n = system.dimension;
    let mut found = Vec::new();
    let visit = |_: &mut Evaluator<'s>, candidate: Candidate<'_>| {
        let mut zone = state.zone.to_vec();
        if zone::constrain_all(&mut zone, n, candidate.constraints) {
            found.push(Ranked {
                edges: candidate.edges.to_vec(),
                possible: Federation::new(n),
                priority: system.priority(candidate.channel, candidate.edges),
                zone,
            });
        }
        Ok(())
    };
    enumerate(stacks, system, evaluator, state, Which::All, visit)?;
    restrict(system, evaluator, state, &mut found)?;
    Ok(found)
}

/// Finds out where each transition is possible.
fn restrict(
    system: &System,
    evaluator: &mut Evaluator<'_>,
    state: State<'_>,
    transitions: &mut [Ranked],
) -> Result<(), Halt> {
    let n = system.dimension;
    let mut order: Vec<usize> = (0..transitions.len()).collect();
    order.sort_by_key(|&index| std::cmp::Reverse(transitions[index].priority));
    let mut demands = Demands::default();
    // What is possible with a priority above the present one, and with the present one.
    let (mut higher, mut equal) = (Federation::new(n), Federation::new(n));
    let mut present = None;
    for index in order {
        let transition = &mut transitions[index];
        if present != Some(transition.priority) {
            higher.union(&equal);
            equal = Federation::new(n);
            present = Some(transition.priority);
        }
        let mut left = Federation::new(n);
        left.assign(&transition.zone);
        left.subtract(&higher);
        if left.is_empty() || !demands.find(system, evaluator, state, &transition.edges)? {
            continue;
        }
        left.retain(|part, n| zone::constrain_all(part, n, &demands.constraints));
        equal.union(&left);
        transition.possible = left;
    }
    Ok(())
}
