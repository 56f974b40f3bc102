//! Transitions of discrete states that are expanded again and again, worked out once.
//!
//! Where every discrete part has one zone or two, this would take memory and bring nothing. So it begins when parts have
//! several on average, with those that have several, and ends when the table would no longer be small next to the store.

use std::ops::Range;

use merkhet_semantics::{Explorer, Moves};

use super::Config;
use crate::store::{Part, StateId, Store};
use crate::tuning::{CROWDED, MOVES_SMALL};

/// What is known of a discrete part.
#[derive(Clone, Copy)]
enum Known {
    Nothing,
    /// Its transitions cannot be worked out.
    Impossible,
    Moves(u32, u32),
}

/// The transitions of some discrete parts of a store.
pub(crate) struct MoveTable {
    permitted: bool,
    /// States for each discrete part, on average, from which on it is filled.
    crowded: usize,
    /// Bytes that it may grow to at least; further up to a quarter of the store.
    small: usize,
    pub moves: Moves,
    /// By place that transitions lead to, the discrete part in the store, once it has been looked up.
    pub targets: Vec<Option<Part>>,
    /// By discrete part.
    known: Vec<Known>,
    bytes: usize,
}

impl MoveTable {
    /// An empty table, which stays empty unless it is permitted to be filled.
    pub fn new(permitted: bool, config: &Config<'_>) -> MoveTable {
        MoveTable {
            permitted,
            crowded: config.count(&CROWDED) as usize,
            small: config.count(&MOVES_SMALL) as usize,
            moves: Moves::default(),
            targets: Vec::new(),
            known: Vec::new(),
            bytes: 0,
        }
    }

    /// The numbers of the transitions of a stored state, if they are worked out or ought to be. `memory` is room for its
    /// discrete part.
    #[inline]
    pub fn of(
        &mut self,
        store: &Store,
        state: StateId,
        explorer: &mut Explorer<'_>,
        memory: &mut [i32],
    ) -> Option<Range<u32>> {
        if !self.permitted || store.len() < self.crowded * store.discrete() {
            return None;
        }
        match self.known.get(store.part(state).index()) {
            Some(Known::Moves(start, end)) => Some(*start..*end),
            Some(Known::Impossible) => None,
            _ => self.work_out(store, state, explorer, memory),
        }
    }

    fn work_out(
        &mut self,
        store: &Store,
        state: StateId,
        explorer: &mut Explorer<'_>,
        memory: &mut [i32],
    ) -> Option<Range<u32>> {
        let part = store.part(state);
        if store.is_only(part) || self.bytes > self.small.max(store.bytes() / 4) {
            return None;
        }
        store.load_discrete(state, memory);
        let numbers = explorer.work_out(memory, &mut self.moves);
        if self.known.len() <= part.index() {
            self.known.resize(store.discrete(), Known::Nothing);
        }
        self.known[part.index()] = match &numbers {
            Some(numbers) => Known::Moves(numbers.start, numbers.end),
            None => Known::Impossible,
        };
        self.targets.resize(self.moves.places(), None);
        self.bytes = self.moves.bytes() + size_of_val(&*self.known) + size_of_val(&*self.targets);
        numbers
    }

    /// The memory in use, in bytes.
    pub fn bytes(&self) -> usize {
        self.bytes
    }
}
