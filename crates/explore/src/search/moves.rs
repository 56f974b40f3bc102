//! Transitions of discrete states that are expanded again and again, worked out once.
//!
//! Where every discrete part has one zone or two, this would take memory and bring nothing. So it begins when parts have
//! several on average, with those that have several, and ends when the table would no longer be small next to the store.

use std::ops::Range;

use merkhet_semantics::{Explorer, Moves, System};
use merkhet_zones::bound::Bound;

use super::Config;
use crate::store::{Part, StateId, Store};
use crate::tuning::{CROWDED, MOVES_OWN, MOVES_SMALL, WIDE};

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
    moves: Moves,
    /// By place that transitions lead to, the discrete part in the store, once it has been looked up.
    targets: Vec<Option<Part>>,
    /// By discrete part.
    known: Vec<Known>,
    bytes: usize,
    /// The transitions of each state are worked out for itself: with many rows of zones this is faster.
    wide: bool,
    /// The transitions of the state that is being expanded, and room for their targets' parts.
    own: (Moves, Vec<Option<Part>>),
    /// Bytes that the targets of one state's transitions may take.
    own_bytes: usize,
}

/// Where the transitions of a state are that are worked out.
pub(crate) enum Worked {
    /// Among those that are kept.
    Kept(Range<u32>),
    /// By themselves, with the number of entries of the state's zone.
    Own(Range<u32>),
}

impl MoveTable {
    /// An empty table, which stays empty unless it is permitted to be filled.
    pub fn new(permitted: bool, system: &System, config: &Config<'_>) -> MoveTable {
        let wide = config.count(&WIDE) < system.dimension() as u64;
        MoveTable {
            wide: permitted && wide && system.frees_clocks(),
            own: Default::default(),
            own_bytes: config.count(&MOVES_OWN) as usize,
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
        store: &mut Store,
        state: StateId,
        explorer: &mut Explorer<'_>,
        memory: &mut [i32],
        zone: &mut [Bound],
    ) -> Option<Worked> {
        match self.kept(store, state, explorer, memory) {
            Some(numbers) => Some(Worked::Kept(numbers)),
            None if self.wide => self.work_out_own(store, state, explorer, memory, zone),
            None => None,
        }
    }

    /// The transitions with the parts in the store to which they lead, once these have been looked up.
    pub fn get(&mut self, worked: &Worked) -> (&Moves, &mut [Option<Part>], Range<u32>) {
        match worked {
            Worked::Kept(numbers) => (&self.moves, &mut self.targets, numbers.clone()),
            Worked::Own(numbers) => (&self.own.0, &mut self.own.1, numbers.clone()),
        }
    }

    /// Works out the transitions of one state.
    fn work_out_own(
        &mut self,
        store: &mut Store,
        state: StateId,
        explorer: &mut Explorer<'_>,
        memory: &mut [i32],
        zone: &mut [Bound],
    ) -> Option<Worked> {
        store.load_discrete_near(state, memory);
        let entries = store.load_reduced(state, zone);
        let (moves, targets) = &mut self.own;
        let numbers = explorer.work_out_for(memory, &zone[..entries], self.own_bytes, moves)?;
        targets.clear();
        targets.resize(moves.places(), None);
        Some(Worked::Own(numbers))
    }

    #[inline]
    fn kept(
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
