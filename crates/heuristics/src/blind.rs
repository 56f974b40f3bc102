//! No estimate at all.

use merkhet_explore::{Blind, HeuristicFacts};

use crate::entry::{Build, Entry};

/// `none`.
pub static ENTRY: Entry = Entry {
    name: "none",
    summary: "0 everywhere",
    description: "Knows nothing: every state counts as near. A* with it is breadth-first search; it is there to compare with.",
    variants: &[],
    options: &[],
    facts: HeuristicFacts {
        admissible: true,
        consistent: true,
        safe_dead_ends: true,
    },
    inadmissible_with: None,
    citation: "",
    databases: false,
    build: Build::Plain(|_, _| Box::new(Blind)),
};
