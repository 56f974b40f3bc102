//! A second search for the same proof, in another order, while the first one works in vain.
//!
//! No order is good everywhere: where every run to a discrete state has the same length (jobs on machines, programs that
//! count), breadth first expands nothing in vain and the largest zones first expand most states several times; where
//! processes wait for each other it is the other way round (`docs/auto.md`). So the order is judged by what it does: a state
//! that was expanded and is then subsumed by a larger one was expanded in vain, and what was found from it, too. When that
//! makes up a share of the first search, breadth first begins beside it, in a store of its own; from then on the one that has
//! expanded less in vain goes on, and the first that has seen everything makes the proof.
//!
//! The cost of a wrong start is bounded. In the end both stores would hold the same maximal zones, L of them (up to the order in
//! which extrapolation meets them). The loser is advanced only while it has wasted no more than the winner, W at the end, so
//! that it has expanded at most L + W states, as the winner has. Where the first search wastes little it stays alone.
//!
//! A goal is another matter: the first search may be about to find what breadth first meets last, however little that wastes.
//! So the second one waits while estimates have the turn, and has a bounded lead (`second.lead`): a proof that it makes costs a
//! quarter more for the first search beside it, and a goal that it does not find five times as much at the worst.

use merkhet_network::tuning::Tuning;
use merkhet_semantics::{Explorer, System};

use super::{Budget, Config, Search, Status, frontier};
use crate::heuristic::Blind;
use crate::limits::{Progress, Watch};
use crate::open::guided::Queue;
use crate::store::{Covering, Inclusion, Store};
use crate::strategy::Strategy;
use crate::tuning;
use crate::verdict::StopReason;

/// When a second order is tried.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Second {
    /// States expanded in vain until then, at least.
    pub least: u64,
    /// One in this number of expansions was in vain; and the second search wastes that part of what the first one does.
    pub share: u64,
    /// Expansions of one turn.
    pub slice: u64,
    /// Where a goal is looked for: the second search has expanded at most this many times what the first one has.
    pub lead: u64,
}

impl Second {
    /// With these numbers.
    pub fn of(tuning: &Tuning) -> Second {
        let count = |tunable| tuning.count(tunable) as u64;
        Second {
            least: count(&tuning::SECOND_LEAST),
            share: count(&tuning::SECOND_SHARE),
            slice: count(&tuning::SECOND_SLICE),
            lead: count(&tuning::SECOND_LEAD),
        }
    }
}

/// The second search beside a first one.
pub(super) struct Rival<'s, 'c: 's> {
    second: Second,
    system: &'s System,
    config: Config<'c>,
    search: Option<Box<Search<'s, 'c>>>,
    /// The expansions of the first search after which it is judged again.
    next: u64,
    /// It has failed in a way that the first search has to make good.
    dismissed: bool,
}

impl<'s, 'c: 's> Rival<'s, 'c> {
    /// For a search with this configuration; none where no state is larger than another.
    pub fn new(system: &'s System, config: &Config<'c>, second: Second) -> Option<Rival<'s, 'c>> {
        let antichains = config.bitstate.is_none() && config.inclusion != Inclusion::None;
        (antichains && system.dimension() > 1).then(|| Rival {
            second,
            system,
            config: *config,
            search: None,
            next: second.least,
            dismissed: false,
        })
    }

    /// Whether it is to go on instead of the first search.
    #[inline]
    pub fn is_next(&mut self, first: &Search<'s, 'c>) -> bool {
        let waste = first.frontier.store.waste();
        if waste.expanded < self.next || self.dismissed {
            return false;
        }
        self.judge(first)
    }

    #[cold]
    fn judge(&mut self, first: &Search<'s, 'c>) -> bool {
        let waste = first.frontier.store.waste();
        let statistics = &first.frontier.statistics;
        let enough = waste.wasted >= self.second.least
            && waste.wasted.saturating_mul(self.second.share) >= waste.expanded;
        let next = match &self.search {
            // What is left of the number of states is for one step at least.
            _ if first.watch.rest(statistics.explored).states == Some(0) => false,
            // As long as estimates are worth their cost, what they expand in vain says nothing of the blind order, and the
            // goal may be the next state.
            _ if first.frontier.wants_estimates() => false,
            Some(search) => {
                let own = search.frontier.store.waste();
                let ahead = own.expanded > waste.expanded.saturating_mul(self.second.lead);
                let wasted = own.wasted.saturating_mul(self.second.share);
                wasted < waste.wasted && !(ahead && first.frontier.goal.is_some())
            }
            None if enough => {
                self.search = Some(self.begin(first));
                true
            }
            None => false,
        };
        if !next {
            self.next = waste.expanded + self.second.slice;
        }
        next
    }

    /// Lets it go on for a turn, on the account of the first search. Where it ends with a result, it takes the first one's place.
    pub fn advance(
        &mut self,
        first: &mut Search<'s, 'c>,
        observe: &mut dyn FnMut(&Progress),
    ) -> Status {
        let Some(search) = &mut self.search else {
            return Status::BudgetSpent;
        };
        let statistics = &mut first.frontier.statistics;
        let left = first.watch.rest(statistics.explored).states;
        let slice = left.map_or(self.second.slice, |left| left.min(self.second.slice));
        let bytes = first.frontier.store.bytes() + first.frontier.open.bytes();
        let memory = first.watch.limits().memory;
        search
            .watch
            .limit_memory(memory.map(|limit| limit.saturating_sub(bytes)));
        let before = search.frontier.statistics;
        let reported = statistics.explored / OBSERVE;
        let status = search.advance(Budget::expansions(slice), &mut |_| {});
        let after = search.frontier.statistics;
        statistics.explored += after.explored - before.explored;
        statistics.generated += after.generated - before.generated;
        first.frontier.rival = search.frontier.bytes();
        if statistics.explored / OBSERVE > reported {
            let depth = after.max_depth;
            observe(&first.progress(depth));
        }
        match status {
            Status::BudgetSpent => status,
            Status::Found | Status::Exhausted => {
                search.frontier.statistics.explored = first.frontier.statistics.explored;
                search.frontier.statistics.generated = first.frontier.statistics.generated;
                search.frontier.statistics.estimates = first.frontier.statistics.estimates;
                search.frontier.statistics.second = true;
                if status == Status::Found {
                    search.frontier.statistics.found_by = Some(Queue::Levels);
                }
                std::mem::swap(first, search);
                self.dismiss(first);
                status
            }
            Status::Limit(reason @ (StopReason::Timeout | StopReason::Cancelled)) => {
                first.ended(super::End::Limit(reason))
            }
            // Without room for two, or with a fault of the model, the first one goes on alone.
            Status::Limit(_) | Status::Refused | Status::Fault => {
                self.dismiss(first);
                Status::BudgetSpent
            }
        }
    }

    /// The first search has no room left: says whether there is some after the second one has gone.
    pub fn makes_room(&mut self, first: &mut Search<'s, 'c>) -> bool {
        let there = self.search.is_some();
        if there {
            self.dismiss(first);
            first.end = None;
        }
        there
    }

    fn dismiss(&mut self, first: &mut Search<'s, 'c>) {
        self.search = None;
        self.dismissed = true;
        first.frontier.rival = 0;
    }

    fn begin(&self, first: &Search<'s, 'c>) -> Box<Search<'s, 'c>> {
        let config = Config {
            strategy: Strategy::BreadthFirst,
            limits: first.watch.uncounted(),
            ..self.config
        };
        let watch = Watch::new(config.limits);
        let explorer = Explorer::new(self.system).cancelled_by(watch.cancellation());
        // It promises no shortest run.
        let inclusion = frontier::inclusion(self.system, &config);
        let store = frontier::store(self.system, inclusion, Covering::Always, &config);
        // It has no size: nothing is allocated, and nothing lost.
        let blind = Box::leak(Box::new(Blind));
        Box::new(Search::of(
            self.system,
            explorer,
            store,
            watch,
            &config,
            blind,
        ))
    }
}

/// Expansions between two reports.
const OBSERVE: u64 = <Store as crate::passed::Passed>::OBSERVE;
