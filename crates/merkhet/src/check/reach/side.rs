//! Searches beside the automatic one, in stores of their own.
//!
//! No order of expansion finds every error soon. Those that are worth a try take turns with the automatic search, paid in
//! its work ([`merkhet_explore::Beside`]): an estimate that sees other things than h^U, what is new, and the walks of
//! [`super::walk`]. What they store is thrown away, and what they find is a run like any other.

use std::time::Instant;

use merkhet_explore::{
    Beside, Budget, Config, Heuristic, Limits, Queue, Search, Status, Strategy, SymbolicTrace,
    TieBreak,
};
use merkhet_heuristics::{HeuristicSpec, causal, hamming};
use merkhet_semantics::System;

use crate::tuning::{BESIDE_MEMORY, BESIDE_MEMORY_SHARE, BESIDE_PREPARED};

/// A search by an order and an estimate.
#[derive(Clone, Copy)]
pub(super) struct Kind {
    /// What it is called where it finds the goal.
    pub name: &'static str,
    strategy: Strategy,
    heuristic: fn() -> HeuristicSpec,
    /// It prepares h^CG, which takes long where a network is large.
    pub by_causal_graph: bool,
}

/// The searches, in the order of their turns.
pub(super) const KINDS: [Kind; 3] = [
    Kind {
        name: "greedy search with hcg",
        strategy: Strategy::Greedy(TieBreak::Fifo),
        heuristic: || HeuristicSpec::of(&causal::ENTRY),
        by_causal_graph: true,
    },
    Kind {
        name: "novelty with hamming",
        strategy: Strategy::Novelty(1),
        heuristic: || HeuristicSpec::of(&hamming::ENTRY),
        by_causal_graph: false,
    },
    Kind {
        name: "greedy search with hamming",
        strategy: Strategy::Greedy(TieBreak::Fifo),
        heuristic: || HeuristicSpec::of(&hamming::ENTRY),
        by_causal_graph: false,
    },
];

/// Makes the heuristic of a search, if it can be made.
pub(super) type MakeOne<'f> = dyn Fn(HeuristicSpec) -> Option<Box<dyn Heuristic>> + Sync + 'f;

/// A search that goes on a little at a time. Nothing is prepared before its first turn.
pub(super) struct Side<'s, 'c: 's> {
    kind: Kind,
    system: &'s System,
    config: Config<'c>,
    make: &'c MakeOne<'c>,
    /// Where the heuristic is to stand.
    place: Option<&'c mut Option<Box<dyn Heuristic>>>,
    start: Instant,
    search: Option<Search<'s, 'c>>,
    /// The work that has to be due before anything is prepared, and that of preparing it.
    preparation: u64,
    found: Option<SymbolicTrace>,
    best: Option<u32>,
    progress: u64,
    /// The states that it has expanded, the work that it has done and the memory that it takes.
    figures: (u64, u64, usize),
    over: bool,
}

impl<'s, 'c: 's> Side<'s, 'c> {
    /// Beside a search with this configuration.
    pub fn new(
        kind: Kind,
        system: &'s System,
        config: &Config<'c>,
        make: &'c MakeOne<'c>,
        place: &'c mut Option<Box<dyn Heuristic>>,
    ) -> Side<'s, 'c> {
        Side {
            kind,
            system,
            config: *config,
            make,
            place: Some(place),
            start: Instant::now(),
            search: None,
            preparation: match kind.by_causal_graph {
                true => causal_size(system).saturating_mul(config.count(&BESIDE_PREPARED)),
                false => 0,
            },
            found: None,
            best: None,
            progress: 0,
            figures: (0, 0, 0),
            over: false,
        }
    }

    fn begin(&mut self) -> Option<()> {
        let heuristic = (self.make)((self.kind.heuristic)())?;
        let place = self.place.take()?;
        let limits = self.config.limits;
        let count = |tunable| self.config.count(tunable) as usize;
        let share = count(&BESIDE_MEMORY_SHARE).max(1);
        let most = (limits.memory).map_or_else(|| count(&BESIDE_MEMORY), |limit| limit / share);
        let config = Config {
            strategy: self.kind.strategy,
            limits: Limits {
                timeout: (limits.timeout).map(|limit| limit.saturating_sub(self.start.elapsed())),
                memory: Some(most / KINDS.len()),
                ..limits
            },
            ..self.config
        };
        let heuristic = place.insert(heuristic).as_mut();
        self.search = Some(Search::new(self.system, &config, heuristic));
        Some(())
    }

    /// The run to the goal, if it has found one, with its name.
    pub fn finish(self) -> Option<(SymbolicTrace, Queue)> {
        let name = self.kind.name;
        self.found.map(|trace| (trace, Queue::Side(name)))
    }
}

impl<'s, 'c: 's> Beside for Side<'s, 'c> {
    fn advance(&mut self, work: u64) -> bool {
        if self.search.is_none() && !self.over {
            if work < self.preparation {
                return false;
            }
            self.over = self.begin().is_none();
        }
        let Some(search) = self.search.as_mut().filter(|_| !self.over) else {
            return false;
        };
        let work = work.saturating_sub(self.preparation.saturating_sub(self.figures.1));
        let end = search.work().saturating_add(work);
        let mut status = Status::BudgetSpent;
        while status == Status::BudgetSpent && search.work() < end {
            status = search.advance(Budget::STEP, &mut |_| {});
        }
        let worked = search.work().saturating_add(self.preparation);
        self.figures = (search.explored(), worked, search.bytes());
        let best = search.best_estimate();
        if best < self.best || self.best.is_none() {
            self.progress += u64::from(self.best.is_some());
            self.best = best;
        }
        match status {
            Status::BudgetSpent => {}
            Status::Found => self.found = search.trace(),
            // What it has seen or met is for the automatic search to say.
            _ => {
                self.over = true;
                self.search = None;
                self.figures.2 = 0;
            }
        }
        self.found.is_some()
    }

    fn work(&self) -> u64 {
        self.figures.1
    }

    fn progress(&self) -> u64 {
        self.progress
    }

    fn figures(&self) -> (u64, usize) {
        (self.figures.0, self.figures.2)
    }

    fn weight(&self) -> u64 {
        1
    }

    fn is_over(&self) -> bool {
        self.over
    }
}

/// What the preparation of h^CG grows with: edges and cells.
pub(super) fn causal_size(system: &System) -> u64 {
    let cells = system.cells().len() - system.processes();
    (system.edge_count() as u64).saturating_mul(cells as u64)
}
