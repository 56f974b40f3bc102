//! One thread: it owns the discrete states whose hash says so.

use std::sync::atomic::Ordering;

use merkhet_explore::store::Insertion;
use merkhet_explore::{
    Budget, Config, Heuristic, Limits, Passed, Search, StateId, Status, StopReason, Watch,
};
use merkhet_network::Network;
use merkhet_semantics::{EdgeIndex, Explorer, FaultKind, Successor, System};
use merkhet_zones::bound::Bound;

use super::batch::Batch;
use super::shared::{Ending, Shared};
use super::{GlobalId, Share};
use crate::run::{Configurations, Options, Problem};

/// What a thread needs to begin.
pub(super) struct Work<'w> {
    pub network: &'w Network,
    pub system: &'w System,
    pub options: Options<'w>,
    pub shared: &'w Shared,
    pub number: usize,
}

/// The configurations of one thread; those of the others are sent to them.
struct Divided<'w> {
    own: Configurations<'w>,
    shared: &'w Shared,
    number: usize,
    outboxes: Vec<Batch>,
    spare: Vec<Batch>,
}

impl Work<'_> {
    /// The life of the thread.
    pub fn run(&self, heuristic: &mut dyn Heuristic) -> Share {
        let Work {
            network,
            system,
            shared,
            number,
            ..
        } = *self;
        let _guard = shared.guard();
        let limits = Limits {
            cancel: Some(shared.flag()),
            ..Limits::default()
        };
        let options = Options {
            limits,
            seed: self.options.seed.wrapping_add(number as u64),
            ..self.options
        };
        let config = Config {
            strategy: options.strategy,
            goal: options.goal,
            seed: options.seed,
            limits,
            tuning: options.tuning,
            ..Config::default()
        };
        let seen = Divided {
            own: Configurations::new(network, system, &options, shared.cancellation()),
            shared,
            number,
            outboxes: (0..shared.threads()).map(|_| Batch::default()).collect(),
            spare: Vec::new(),
        };
        let explorer = Explorer::new(system).cancelled_by(shared.cancellation());
        let watch = Watch::new(limits);
        let search = Search::of(system, explorer, seen, watch, &config, heuristic);
        let mut worker = Worker {
            search,
            work: self,
            bounds: (vec![0; system.dimension()], vec![0; system.dimension()]),
        };
        worker.live();
        let mut search = worker.search;
        let (statistics, unsafe_pruning) = (search.statistics(), search.is_unsafe());
        let own = search.into_passed().own;
        Share {
            statistics,
            joins: own.joins,
            pairs: own.pairs,
            unsafe_pruning,
            store: own.store,
        }
    }
}

struct Worker<'w, 's, 'c: 's> {
    search: Search<'s, 'c, Divided<'s>>,
    work: &'w Work<'w>,
    /// Room for the bounds of clocks at a state.
    bounds: (Vec<i32>, Vec<i32>),
}

impl Worker<'_, '_, '_> {
    fn live(&mut self) {
        let (shared, number) = (self.work.shared, self.work.number);
        let mut received = Vec::new();
        while !shared.ended() {
            shared.receive(number, &mut received);
            for batch in received.drain(..) {
                self.take_in(&batch);
                shared.dealt_with(&batch);
                self.search.passed_mut().keep(batch);
            }
            let Some(budget) = shared.allowance() else {
                return;
            };
            let before = self.search.explored();
            let status = self.search.advance(Budget::expansions(budget), &mut |_| {});
            shared.give_back(budget.saturating_sub(self.search.explored() - before));
            self.search.passed_mut().flush();
            self.tell();
            if !self.goes_on(status) {
                return;
            }
        }
    }

    /// What a status means for the others; says whether there is more to do.
    fn goes_on(&mut self, status: Status) -> bool {
        let (shared, number) = (self.work.shared, self.work.number);
        let threads = shared.threads();
        let global = |id| GlobalId::new(number, id, threads);
        match status {
            Status::BudgetSpent => {
                if self.search.passed().own.store.nodes.len() < GlobalId::most(threads) {
                    return true;
                }
                shared.stop(StopReason::Memory);
                false
            }
            Status::Exhausted => shared.wait(number),
            Status::Found => {
                if let Some(found) = self.search.found() {
                    shared.end(Ending::Found(global(found)));
                }
                false
            }
            Status::Limit(reason) => {
                // Most often the others have come to an end, and the reason is known.
                shared.stop(reason);
                false
            }
            Status::Refused => {
                let seen = &mut self.search.passed_mut().own;
                let at = seen.expanding.map(global);
                match seen.problem.take() {
                    Some(Problem::Broken(broken)) => shared.end(Ending::Broken(broken)),
                    Some(Problem::Fault(fault)) if fault.kind != FaultKind::Ended => {
                        shared.end(Ending::Fault(fault, at));
                    }
                    _ => shared.stop(StopReason::Cancelled),
                }
                false
            }
            Status::Fault => {
                let Some(&(fault, at)) = self.search.fault() else {
                    shared.stop(StopReason::Incomplete);
                    return false;
                };
                let at = at.map(global);
                // Where elements are joined, it may be one of the abstraction only, which is judged at the end.
                if self.work.options.goal.is_none() || self.work.options.update.joins() {
                    shared.end(Ending::Fault(fault, at));
                    return false;
                }
                shared.note_fault(fault, at);
                true
            }
        }
    }

    /// Stores what others have found.
    fn take_in(&mut self, batch: &Batch) {
        for arriving in batch.iter() {
            let state = arriving.state;
            let (lower, upper) = &mut self.bounds;
            self.work.system.bounds_at(state.memory, lower, upper);
            let successor = Successor {
                edges: arriving.edges,
                state,
                reduced: &[],
                lower,
                upper,
                source: &[],
                entry: &[],
                origins: &[],
                stopped: &[],
            };
            self.search.passed_mut().own.sent_from = Some(arriving.from);
            let status = (self.search).take_in(&successor, arriving.parent, arriving.depth);
            let own = &mut self.search.passed_mut().own;
            (own.sent_from, own.expanding) = (None, None);
            if let Some(status) = status
                && !self.goes_on(status)
            {
                return;
            }
        }
    }

    /// Tells the observer.
    fn tell(&self) {
        let counts = &self.work.shared.counts[self.work.number];
        let seen = &self.search.passed().own.store;
        let relaxed = Ordering::Relaxed;
        counts.stored.store(seen.alive() as u64, relaxed);
        counts.waiting.store(self.search.waiting() as u64, relaxed);
        counts.bytes.store(self.search.bytes(), relaxed);
    }
}

impl Divided<'_> {
    fn send(&mut self, to: usize) {
        let next = self.spare.pop().unwrap_or_default();
        let batch = std::mem::replace(&mut self.outboxes[to], next);
        self.shared.send(to, batch);
    }

    /// Sends everything.
    fn flush(&mut self) {
        for to in 0..self.outboxes.len() {
            if !self.outboxes[to].is_empty() {
                self.send(to);
            }
        }
    }

    /// Keeps a batch for its memory.
    fn keep(&mut self, mut batch: Batch) {
        if self.spare.len() < 2 * self.outboxes.len() {
            batch.clear();
            self.spare.push(batch);
        }
    }
}

impl Passed for Divided<'_> {
    const OBSERVE: u64 = Configurations::OBSERVE;

    fn offer(
        &mut self,
        successor: &Successor<'_>,
        parent: Option<StateId>,
        depth: u32,
    ) -> Insertion {
        let threads = self.outboxes.len();
        // What was sent comes with the number of its parent among all threads.
        if self.own.sent_from.is_some() {
            return self.own.offer(successor, parent, depth);
        }
        let owner = self.own.store.owner(successor.state.memory, threads);
        let from = self.own.version_of(parent);
        let global = parent.map(|parent| StateId(GlobalId::new(self.number, parent, threads).0));
        if owner == self.number {
            self.own.sent_from = Some(from);
            let insertion = self.own.offer(successor, global, depth);
            self.own.sent_from = None;
            self.own.expanding = parent;
            return insertion;
        }
        // Every thread finds the initial states by itself.
        if parent.is_some() {
            self.outboxes[owner].push(successor, global, from, depth);
            if self.outboxes[owner].is_full() {
                self.send(owner);
            }
        }
        Insertion::Covered
    }

    fn waits(&self, id: StateId) -> bool {
        self.own.waits(id)
    }

    fn load(&mut self, id: StateId, memory: &mut [i32], zone: &mut [Bound]) {
        self.own.load(id, memory, zone);
    }

    fn expanded(&mut self, id: StateId) {
        self.own.expanded(id);
    }

    fn pruned(&mut self, id: StateId) {
        self.own.pruned(id);
    }

    fn depth(&self, id: StateId) -> u32 {
        self.own.depth(id)
    }

    /// Not asked for while several threads work: parents belong to any of them.
    fn parent(&self, _id: StateId) -> Option<(StateId, Vec<EdgeIndex>)> {
        None
    }

    fn inserted(&self) -> usize {
        self.own.inserted()
    }

    fn live(&self) -> usize {
        self.own.live()
    }

    fn discrete(&self) -> usize {
        self.own.discrete()
    }

    fn bytes(&self) -> usize {
        let boxes = self.outboxes.iter().map(Batch::bytes);
        self.own.bytes() + boxes.sum::<usize>()
    }
}
