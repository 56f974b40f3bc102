//! How searches that take turns share the work, counted in recursive steps of the diagrams and in propagations of the solver.

/// The turns of several searches.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Turns {
    /// The work of the search that is favoured in its first turn: a moment.
    pub first: u64,
    /// Guided search is favoured up to turns of this size, saturation in longer ones.
    pub last_guided: u64,
    /// The part of a turn that goes to guided search or saturation where the other is favoured.
    pub others: u64,
    /// The part of a turn that goes to breadth first.
    pub breadth_first: u64,
    /// The part of a turn that goes to clauses where guided search is favoured.
    pub clauses: u64,
    /// The part of a turn that goes to clauses where saturation is favoured.
    pub clauses_later: u64,
    /// How many times the first turn a turn must be for clauses to be written: most questions are answered before.
    pub before_clauses: u64,
    /// The part of a guided turn that is left for the search where the databases take all the rest.
    pub for_search: u64,
    /// How many times the work of saturation, which has found that there is an error, a search for a path to it may take.
    pub for_path: u64,
    /// Work after which the building of a model stops for a search by clauses, which needs none.
    pub first_build: u64,
    /// How many times as long the building may take each time after.
    pub next_build: u64,
}

impl Turns {
    /// The usual ones.
    pub const USUAL: Turns = Turns {
        first: 1 << 17,
        last_guided: 1 << 20,
        others: 4,
        breadth_first: 8,
        clauses: 8,
        clauses_later: 2,
        before_clauses: 4,
        for_search: 4,
        for_path: 4,
        first_build: 1 << 20,
        next_build: 4,
    };
}

impl Default for Turns {
    fn default() -> Turns {
        Turns::USUAL
    }
}
