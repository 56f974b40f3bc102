//! The stack of the automatic search.

use std::collections::VecDeque;

use crate::store::StateId;

/// A stack whose search is now and then put off: what others find meanwhile goes below what it has found itself, so that
/// it goes on where it was.
#[derive(Default)]
pub(crate) struct Deep {
    states: VecDeque<StateId>,
    /// How many successors of the present state are on top.
    batch: usize,
}

impl Deep {
    /// Adds a state; `own`: it was found depth first.
    pub fn push(&mut self, state: StateId, own: bool) {
        match own {
            true => {
                self.states.push_back(state);
                self.batch += 1;
            }
            false => self.states.push_front(state),
        }
    }

    /// The successors of one state come in their order, as in the depth-first search alone.
    pub fn end_batch(&mut self) {
        let (first, len) = (self.states.len() - self.batch, self.states.len());
        for at in 0..self.batch / 2 {
            self.states.swap(first + at, len - 1 - at);
        }
        self.batch = 0;
    }

    pub fn pop(&mut self) -> Option<StateId> {
        self.states.pop_back()
    }

    pub fn retain(&mut self, keep: impl Fn(StateId) -> bool) {
        self.states.retain(|state| keep(*state));
    }

    pub fn len(&self) -> usize {
        self.states.len()
    }
}
