//! Paths through the symbolic state space.

use merkhet_semantics::{EdgeIndex, GoalId};

use crate::passed::Passed;
use crate::store::StateId;

/// The transitions from the initial state to a state, and the formula that it satisfies.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct SymbolicTrace {
    /// The edges of each transition, in the order of their updates.
    pub transitions: Vec<Vec<EdgeIndex>>,
    /// What holds at the end, somewhere in the last state's zone.
    pub goal: Option<GoalId>,
}

impl SymbolicTrace {
    /// The path by which a stored state was found.
    pub fn to(store: &impl Passed, state: StateId, goal: Option<GoalId>) -> SymbolicTrace {
        let mut transitions = Vec::with_capacity(store.depth(state) as usize);
        let mut at = state;
        while let Some((parent, edges)) = store.parent(at) {
            transitions.push(edges);
            at = parent;
        }
        transitions.reverse();
        SymbolicTrace { transitions, goal }
    }
}
