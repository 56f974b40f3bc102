//! Priorities: a transition is possible only where none of higher priority is enabled (its guards count, not its target's
//! invariants).
//!
//! All transitions of the state are listed first. From the zone of each, the zones of those of higher priority are
//! subtracted; what is left may be several zones, each of which is taken separately. Delay is not affected.

use merkhet_lattice::Federation;
use merkhet_lattice::bound::Bound;
use merkhet_lattice::zone;

use crate::EdgeIndex;
use crate::data::Evaluator;
use crate::enumerate::{Candidate, Enumerator, Halt, Which, enumerate};
use crate::state::State;
use crate::system::System;

/// A transition of the state with its priority and the part of the state's zone where it is enabled.
pub(crate) struct Ranked {
    pub edges: Vec<EdgeIndex>,
    pub priority: (i32, i32),
    pub zone: Vec<Bound>,
}

/// All transitions that are enabled somewhere in the state's zone.
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
                priority: system.priority(candidate.channel, candidate.edges),
                zone,
            });
        }
        Ok(())
    };
    enumerate(stacks, system, evaluator, state, Which::All, visit)?;
    Ok(found)
}

/// Where a transition is possible: its zone without those of higher priority.
pub(crate) fn possible(transitions: &[Ranked], index: usize, n: usize) -> Federation {
    let mut left = Federation::new(n);
    left.assign(&transitions[index].zone);
    for other in transitions {
        if other.priority > transitions[index].priority {
            left.subtract_zone(&other.zone);
        }
        if left.is_empty() {
            break;
        }
    }
    left
}
