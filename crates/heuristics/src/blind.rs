//! No estimate at all.

use merkhet_explore::{Blind, Heuristic, HeuristicFacts};
use merkhet_semantics::{State, System};

use crate::choice::{Make, Problem};
use crate::entry::{Build, Entry};
use crate::explanation::Explained;

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
    build: Build::Plain(&Nothing),
};

struct Nothing;

impl Make for Nothing {
    fn make(&self, _: &Problem<'_>, _: &System, _: usize) -> Box<dyn Heuristic> {
        Box::new(Blind)
    }

    fn explain(&self, _: &Problem<'_>, _: State<'_>) -> Explained {
        Explained::default()
    }
}
