//! A heuristic of its own, as "add a heuristic" in CONTRIBUTING.md says: this file, and its line in the list.
//!
//! 1 where some process is not where the goal wants it, else 0. No transition can do better than reach the goal, so that it is
//! admissible, and it changes by 1 at most, so that it is consistent.

use merkhet_explore::{Estimate, Estimates, Heuristic, HeuristicFacts, Unguided, Unranked};
use merkhet_heuristics::choice::{Make, Problem};
use merkhet_heuristics::entry::{Build, Entry};
use merkhet_heuristics::{Explained, Goal};
use merkhet_semantics::{State, System};

/// 1 where a process is not where the goal wants it: its line in the list.
pub static ENTRY: Entry = Entry {
    name: "unmet",
    summary: "1 where a process is not where the goal wants it",
    description: "Only for tests.",
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
    build: Build::Plain(&Unmade),
};

/// Claims to be admissible, and says 3 everywhere: the tests must find out.
pub static LIAR: Entry = Entry {
    name: "liar",
    build: Build::Plain(&Lies),
    ..ENTRY
};

struct Lies;

impl Make for Lies {
    fn make(&self, _: &Problem<'_>, _: &System, _: usize) -> Box<dyn Heuristic> {
        Box::new(Lie)
    }

    fn explain(&self, _: &Problem<'_>, _: State<'_>) -> Explained {
        Explained::default()
    }
}

struct Lie;

impl Estimates for Lie {
    fn facts(&self) -> HeuristicFacts {
        ENTRY.facts
    }

    fn estimate(&mut self, _: State<'_>) -> Estimate {
        Estimate::Finite(3)
    }

    fn size(&self) -> usize {
        1
    }
}

impl Unguided for Lie {}

impl Unranked for Lie {}

struct Unmade;

impl Make for Unmade {
    fn make(&self, problem: &Problem<'_>, _: &System, _: usize) -> Box<dyn Heuristic> {
        Box::new(Unmet(problem.disjunctive_goal()))
    }

    fn explain(&self, _: &Problem<'_>, _: State<'_>) -> Explained {
        Explained::default()
    }
}

struct Unmet(Goal);

impl Estimates for Unmet {
    fn facts(&self) -> HeuristicFacts {
        ENTRY.facts
    }

    fn estimate(&mut self, state: State<'_>) -> Estimate {
        let met = self.0.disjuncts.iter().any(|conjunct| {
            let mut wanted = conjunct.locations.iter();
            wanted.all(|(process, set)| {
                let at = state.memory[process.index()];
                set.iter().any(|location| location.0 as i32 == at)
            })
        });
        Estimate::Finite(u32::from(!met))
    }

    fn size(&self) -> usize {
        1
    }
}

impl Unguided for Unmet {}

impl Unranked for Unmet {}
