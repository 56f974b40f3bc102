//! Looks into the depth next to a search for a proof, each in a small store of its own.
//!
//! Depth first finds what lies deep, but meets states with small zones first, which are subsumed by larger ones later:
//! in the store of a proof it makes more work than it does itself. (Extrapolation is not monotone: what small zones lead to
//! need not be covered by what larger ones lead to, so that the store does not even end up the same.) So where that happens
//! looks into the depth get a share of the expansions and of the memory, and leave the proof alone. Each look ends after
//! some states; later ones may take more. One of two goes in random order, since where depth first loses its way depends
//! on chance, and starting anew is cheap next to going on in the wrong place (Kupferschmid et al. 2006, section 7).

use merkhet_network::tuning::Tuning;
use merkhet_semantics::System;

use super::beside::Turns;
use super::{Budget, Config, Search, Status};
use crate::heuristic::Blind;
use crate::limits::{Limits, Progress};
use crate::open::OpenList;
use crate::open::governor::Governor;
use crate::open::guided::Queue;
use crate::passed::Passed;
use crate::store::Store;
use crate::strategy::Strategy;
use crate::trace::SymbolicTrace;
use crate::tuning;

/// What looks may cost.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Looks {
    /// Expansions for each of the first looks into the depth. Errors that depth first finds early are to be found early.
    pub first_share: u64,
    /// Expansions for each of the later looks: a long proof is to lose little.
    pub share: u64,
    /// The expansions of the first looks.
    pub early: u64,
    /// The expansions of one slice.
    pub slice: u64,
    /// The looks that may begin in one slice.
    pub per_slice: u32,
    /// The states of the look that says whether depth first makes mistakes.
    pub trial: u64,
    /// The states of the first look of each sort; the next ones have each time four times as many.
    pub first: u64,
    /// The memory of a look is at most this part of that of the proof …
    pub memory_share: usize,
    /// … or as many bytes.
    pub memory: usize,
}

impl Looks {
    /// With these numbers.
    pub fn of(tuning: &Tuning) -> Looks {
        let count = |tunable| tuning.count(tunable) as u64;
        Looks {
            first_share: count(&tuning::LOOKS_FIRST_SHARE),
            share: count(&tuning::LOOKS_SHARE),
            early: count(&tuning::LOOKS_EARLY),
            slice: count(&tuning::LOOKS_SLICE),
            per_slice: count(&tuning::LOOKS_PER_SLICE) as u32,
            trial: count(&tuning::LOOKS_TRIAL),
            first: count(&tuning::LOOKS_FIRST),
            memory_share: tuning.count(&tuning::LOOKS_MEMORY_SHARE),
            memory: tuning.count(&tuning::LOOKS_MEMORY),
        }
    }
}

/// Depth first, in order and at random.
const SORTS: u32 = 2;

/// The looks beside one search.
pub(super) struct Looking<'s, 'c: 's, 'b> {
    looks: Looks,
    /// Another way of looking.
    turns: Option<Turns<'b>>,
    system: &'s System,
    config: Config<'c>,
    look: Option<Box<Search<'s, 'c>>>,
    /// The number of the present look, or of the next one.
    number: u32,
    /// What the search next to it has expanded since the last slice.
    credit: u64,
    /// What the looks have expanded.
    explored: u64,
    /// What others than the search have expanded, on its account.
    pub others: u64,
    /// One look has seen everything: more would see the same.
    over: bool,
}

/// What came of a slice.
#[derive(Default)]
struct Slice {
    explored: u64,
    generated: u64,
    /// A run to the goal, with what found it.
    found: Option<(SymbolicTrace, Queue)>,
}

impl<'s, 'c: 's, 'b> Looking<'s, 'c, 'b> {
    /// For a search with this configuration.
    pub fn new(
        system: &'s System,
        config: &Config<'c>,
        looks: Looks,
        turns: Option<Turns<'b>>,
    ) -> Looking<'s, 'c, 'b> {
        Looking {
            looks,
            turns,
            system,
            config: *config,
            look: None,
            number: 0,
            credit: 0,
            explored: 0,
            others: 0,
            over: false,
        }
    }

    /// The search has gone on a little: takes a slice of looks, and others their turn, where these are due.
    #[inline]
    pub fn beside(
        &mut self,
        search: &mut Search<'s, 'c>,
        observe: &mut dyn FnMut(&Progress),
    ) -> Status {
        if let Some(status) = self.look(search, observe) {
            return status;
        }
        let frontier = &search.frontier;
        // What the search itself has expanded: with what waits, that says how far a proof is.
        let explored = (frontier.statistics.explored).saturating_sub(self.others);
        let (work, waiting) = (frontier.work(), frontier.open.len() as u64);
        if let Some(turns) = &mut self.turns
            && let Some(found) = turns.take(work, explored, waiting)
        {
            let (explored, bytes) = turns.figures();
            self.others += explored;
            search.frontier.statistics.explored += explored;
            search.frontier.sides = bytes;
            if found {
                return search.left_to_other();
            }
        }
        Status::BudgetSpent
    }

    /// Takes a slice if one is due.
    fn look(
        &mut self,
        search: &mut Search<'s, 'c>,
        observe: &mut dyn FnMut(&Progress),
    ) -> Option<Status> {
        let OpenList::Guided(guided) = &mut search.frontier.open else {
            return None;
        };
        let governor = guided.governor()?;
        if !self.is_due(governor) {
            return None;
        }
        let statistics = &mut search.frontier.statistics;
        let limits = search.watch.rest(statistics.explored);
        let slice = self.slice(governor, limits, search.frontier.store.bytes());
        let reported = statistics.explored / Store::OBSERVE;
        statistics.explored += slice.explored;
        statistics.generated += slice.generated;
        let (explored, depth) = (statistics.explored, statistics.max_depth);
        search.frontier.looks = self.look.as_ref().map_or(0, |look| look.frontier.bytes());
        if explored / Store::OBSERVE > reported {
            observe(&search.progress(depth));
        }
        let (trace, queue) = slice.found?;
        Some(search.found_beside(trace, queue))
    }

    /// The search next to it has expanded a state; says whether a slice is due.
    fn is_due(&mut self, governor: &Governor) -> bool {
        if governor.goes_deep() {
            // Without clocks no state is larger than another.
            return governor.wants_trial() && self.system.dimension() > 1;
        }
        self.credit += 1;
        let share = match self.explored < self.looks.early {
            true => self.looks.first_share,
            false => self.looks.share,
        };
        self.credit >= self.looks.slice * (share - 1) && !self.over
    }

    /// Expands some states. `limits` is what is left for them, `bytes` what the store of the proof takes.
    fn slice(&mut self, governor: &mut Governor, limits: Limits<'c>, bytes: usize) -> Slice {
        self.credit = 0;
        let mut slice = Slice::default();
        let trial = governor.wants_trial();
        let (most, begun) = match trial {
            true => (self.looks.trial, 1),
            false => (self.looks.slice, self.looks.per_slice),
        };
        let most = limits.states.map_or(most, |left| left.min(most));
        // Looks that end at once, such as when the time is over, must not go on for ever.
        let last = self.number.saturating_add(begun);
        while slice.explored < most && slice.found.is_none() && !self.over && self.number < last {
            let mut look = match self.look.take() {
                Some(look) => look,
                None => self.begin(limits, bytes),
            };
            let before = look.frontier.statistics;
            let budget = Budget::expansions(most - slice.explored);
            let status = look.advance(budget, &mut |_| {});
            let after = look.frontier.statistics;
            slice.explored += after.explored - before.explored;
            slice.generated += after.generated - before.generated;
            if trial {
                governor.deep_look(look.frontier.store.subsumed() as u64, after.explored);
            }
            match status {
                Status::BudgetSpent => self.look = Some(look),
                Status::Found => slice.found = look.trace().map(|trace| (trace, self.queue())),
                // The search next to it will see the same, and make the proof.
                Status::Exhausted => self.over = true,
                // A fault of the model: what it is worth is for the other search to say.
                Status::Limit(_) | Status::Refused | Status::Fault => {
                    self.number = self.number.saturating_add(1)
                }
            }
        }
        self.explored += slice.explored;
        self.others += slice.explored;
        if trial && governor.goes_deep() {
            // The search next to it goes deep itself.
            self.look = None;
        }
        slice
    }

    fn begin(&self, limits: Limits<'c>, bytes: usize) -> Box<Search<'s, 'c>> {
        let memory = self.looks.memory.max(bytes / self.looks.memory_share);
        let config = Config {
            strategy: match self.queue() {
                Queue::Shuffled(_) => Strategy::RandomDepthFirst,
                _ => Strategy::DepthFirst,
            },
            seed: self.seed(),
            limits: Limits {
                states: Some(self.looks.first << (2 * (self.number / SORTS)).min(40)),
                memory: Some(limits.memory.map_or(memory, |limit| limit.min(memory))),
                ..limits
            },
            ..self.config
        };
        // It has no size: nothing is allocated, and nothing lost.
        let blind = Box::leak(Box::new(Blind));
        Box::new(Search::new(self.system, &config, blind))
    }

    fn seed(&self) -> u64 {
        self.config.seed.wrapping_add(u64::from(self.number))
    }

    fn queue(&self) -> Queue {
        match self.number % SORTS {
            0 => Queue::Look,
            _ => Queue::Shuffled(self.seed()),
        }
    }
}
