//! Estimates in a store of their own, once they have had their first share.
//!
//! What is expanded by estimate comes in an order that proofs pay for: small zones come first, and what was found from them
//! is expanded again when larger ones turn up. On Fischer's protocol with eight processes 750 expansions by estimate made the
//! proof 12,000 longer. So, where a zone may subsume another one, the blind search begins anew in an empty store when the
//! estimates have used up what they get at first; they go on in the old one, with the share that their governor gives them.

use merkhet_semantics::System;

use super::{Budget, Config, Search, Status};
use crate::heuristic::Blind;
use crate::limits::Progress;
use crate::open::OpenList;
use crate::open::governor::{Governor, Turn};
use crate::store::Inclusion;
use crate::tuning;

/// The search that follows estimates, beside the one that took its place.
pub(super) struct Apart<'s, 'c: 's> {
    system: &'s System,
    config: Config<'c>,
    guided: Option<Box<Search<'s, 'c>>>,
    /// The work of the other search that the governor knows of.
    known: u64,
    over: bool,
}

impl<'s, 'c: 's> Apart<'s, 'c> {
    /// For an automatic search with this configuration; none where no state is larger than another.
    pub fn new(system: &'s System, config: &Config<'c>) -> Option<Apart<'s, 'c>> {
        let antichains = config.bitstate.is_none() && config.inclusion != Inclusion::None;
        (antichains && system.dimension() > 1).then(|| Apart {
            system,
            config: *config,
            guided: None,
            known: 0,
            over: false,
        })
    }

    /// Whether estimates are to go on instead of the search. Where they have just used up their first share, the search begins
    /// anew; says how many states it had expanded until then.
    #[inline]
    pub fn is_next(&mut self, search: &mut Search<'s, 'c>) -> (bool, u64) {
        if self.over {
            return (false, 0);
        }
        let work = search.frontier.work();
        let Some(guided) = &mut self.guided else {
            return match governor(search).is_some_and(Governor::has_given_up) {
                true if self.is_in_vain(search) => {
                    self.over = true;
                    (false, 0)
                }
                true => (false, self.begin(search)),
                false => (false, 0),
            };
        };
        let Some(governor) = governor_mut(guided) else {
            return (false, 0);
        };
        governor.waited(work - self.known);
        self.known = work;
        (governor.turn() == Turn::Guided, 0)
    }

    /// Whether so much was expanded in vain already that breadth first is about to go on beside: that one begins anew.
    fn is_in_vain(&self, search: &Search<'s, 'c>) -> bool {
        let waste = search.frontier.store.waste();
        let count = |tunable| self.config.count(tunable);
        let share = count(&tuning::SECOND_SHARE);
        waste.wasted >= count(&tuning::SECOND_LEAST)
            && waste.wasted.saturating_mul(share) >= waste.expanded
    }

    #[cold]
    fn begin(&mut self, search: &mut Search<'s, 'c>) -> u64 {
        let config = Config {
            limits: search.watch.rest(0),
            ..self.config
        };
        // It has no size: nothing is allocated, and nothing lost.
        let blind = Box::leak(Box::new(Blind));
        let mut fresh = Search::new(self.system, &config, blind);
        if let Some(governor) = governor_mut(&mut fresh) {
            governor.follows_nothing();
        }
        let work = search.frontier.work();
        fresh.frontier.goals = search.frontier.goals;
        fresh.frontier.statistics = search.frontier.statistics;
        fresh.frontier.has_worked(work);
        self.known = work;
        self.guided = Some(Box::new(std::mem::replace(search, fresh)));
        search.frontier.statistics.explored
    }

    /// Expands a state by estimate, on the account of the search.
    pub fn advance(
        &mut self,
        search: &mut Search<'s, 'c>,
        observe: &mut dyn FnMut(&Progress),
    ) -> (Status, u64) {
        let Some(guided) = &mut self.guided else {
            return (Status::BudgetSpent, 0);
        };
        let (before, work) = (guided.frontier.statistics, guided.frontier.work());
        let status = guided.advance(Budget::STEP, &mut |_| {});
        let after = guided.frontier.statistics;
        let statistics = &mut search.frontier.statistics;
        let explored = after.explored - before.explored;
        statistics.explored += explored;
        statistics.generated += after.generated - before.generated;
        statistics.estimates += after.estimates - before.estimates;
        statistics.inherited += after.inherited - before.inherited;
        statistics.best_estimate = after.best_estimate;
        search.frontier.has_worked(guided.frontier.work() - work);
        search.frontier.apart = guided.frontier.bytes();
        self.known = search.frontier.work();
        match status {
            Status::BudgetSpent => {}
            Status::Found => {
                let queue = guided.frontier.statistics.found_by;
                let found = guided.trace().zip(queue);
                if let Some((trace, queue)) = found {
                    return (search.found_beside(trace, queue), explored);
                }
            }
            // What it has seen or met, the search will see and meet.
            _ => {
                self.over = true;
                self.guided = None;
                search.frontier.apart = 0;
            }
        }
        if explored > 0 && search.explored().is_multiple_of(OBSERVE) {
            let depth = search.frontier.statistics.max_depth;
            observe(&search.progress(depth));
        }
        (Status::BudgetSpent, explored)
    }
}

/// Expansions between two reports.
const OBSERVE: u64 = <crate::store::Store as crate::passed::Passed>::OBSERVE;

fn governor<'f>(search: &'f Search<'_, '_>) -> Option<&'f Governor> {
    match &search.frontier.open {
        OpenList::Guided(guided) => guided.decides(),
        _ => None,
    }
}

fn governor_mut<'f>(search: &'f mut Search<'_, '_>) -> Option<&'f mut Governor> {
    match &mut search.frontier.open {
        OpenList::Guided(guided) => guided.governor(),
        _ => None,
    }
}
