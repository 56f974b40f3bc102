//! One thread of a search.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use merkhet_semantics::{Explorer, Fault, State, Successor, System};

use super::GlobalId;
use super::batch::{Arrival, Batch};
use super::handed::Handed;
use super::shared::Shared;
use crate::search::Config;
use crate::search::frontier::Frontier;
use crate::search::step::{self, Step};
use crate::store::{Inclusion, Offer, Part, Prepared, StateId, Store};
use crate::tuning::{SPARE, THREADS_BATCH, THREADS_FLUSH};
use crate::verdict::StopReason;

/// Expansions between two reports to the observer.
const TELL: u64 = 64;

/// One thread: it owns the discrete states whose hash says so, with everything that is stored of them.
pub(super) struct Worker<'s, 'c: 's> {
    pub frontier: Frontier<'s, 'c>,
    system: &'s System,
    step: Step<'s>,
    shared: &'c Shared,
    number: usize,
    states_limit: Option<u64>,
    /// Expansions after which batches are sent that are not full.
    flush: u64,
    outboxes: Outboxes<'c>,
    received: Vec<Batch>,
    /// Zones are compared by simulation: stores need the bounds of what arrives.
    simulation: bool,
    lower: Vec<i32>,
    upper: Vec<i32>,
}

/// States for the other threads.
struct Outboxes<'c> {
    shared: &'c Shared,
    /// By thread.
    batches: Vec<Batch>,
    /// Empty ones, for their memory.
    spare: Vec<Batch>,
    /// Empty batches that are kept at most: a thread that receives more than it sends would hoard them.
    most_spare: usize,
    /// The states of a batch that is sent at once.
    full: usize,
}

/// The thread has to end; whoever wanted that has said why.
struct Ended;

impl<'s, 'c: 's> Worker<'s, 'c> {
    pub fn new(
        system: &'s System,
        config: &Config<'c>,
        mut frontier: Frontier<'s, 'c>,
        shared: &'c Shared,
        number: usize,
    ) -> Self {
        let n = system.dimension();
        Worker {
            step: Step::new(
                system,
                Explorer::new(system).cancelled_by(shared.cancellation()),
                &mut frontier.store,
                config,
                false,
            ),
            frontier,
            system,
            shared,
            number,
            states_limit: config.limits.states,
            flush: config.count(&THREADS_FLUSH),
            outboxes: Outboxes {
                shared,
                batches: (0..shared.threads()).map(|_| Batch::default()).collect(),
                spare: Vec::new(),
                most_spare: config.count(&SPARE) as usize,
                full: config.count(&THREADS_BATCH) as usize,
            },
            received: Vec::new(),
            simulation: config.inclusion == Inclusion::Alu,
            lower: vec![0; n],
            upper: vec![0; n],
        }
    }

    /// Works until the search ends: goes on from what is handed to it, or begins, if it is the first.
    pub fn run(&mut self, handed: Option<Arc<Handed>>) {
        let _ = self.work(handed);
        self.tell();
    }

    fn work(&mut self, handed: Option<Arc<Handed>>) -> Result<(), Ended> {
        match handed {
            Some(handed) => handed.take_over(self.system, &mut self.frontier, self.number),
            None if self.number == 0 => self.begin()?,
            None => {}
        }
        loop {
            if self.shared.ended() {
                return Err(Ended);
            }
            if self.shared.has_mail(self.number) {
                self.receive()?;
            }
            match self.frontier.open.pop() {
                Some(state) if self.frontier.store.is_removed(state) => {}
                Some(state) => self.expand(state)?,
                None => {
                    self.outboxes.flush();
                    if !self.shared.has_mail(self.number) {
                        self.tell();
                        if !self.shared.wait(self.number) {
                            return Err(Ended);
                        }
                    }
                }
            }
        }
    }

    /// Stores the initial states.
    fn begin(&mut self) -> Result<(), Ended> {
        let mut sink = Sink {
            frontier: &mut self.frontier,
            outboxes: &mut self.outboxes,
            number: self.number,
            parent: None,
            depth: 0,
        };
        let flow = (self.step.transitions).initial(&mut |successor| sink.send_on(&successor));
        self.frontier.open.end_batch();
        if let Err(fault) = flow {
            self.fault(fault, 0, None);
        }
        self.check_size()
    }

    /// Computes the successors of a state.
    fn expand(&mut self, id: StateId) -> Result<(), Ended> {
        if !self.shared.begin_expansion(self.states_limit) {
            self.shared.stop(StopReason::States);
            return Err(Ended);
        }
        let at = GlobalId::new(self.number, id, self.shared.threads());
        let depth = self.frontier.store.depth(id);
        let mut sink = Sink {
            frontier: &mut self.frontier,
            outboxes: &mut self.outboxes,
            number: self.number,
            parent: Some(at),
            depth: depth + 1,
        };
        match self.step.expand(id, &mut sink) {
            Ok(false) => {}
            Ok(true) => {
                self.shared.found(at);
                return Err(Ended);
            }
            Err(fault) => self.fault(fault, depth, Some(at)),
        }
        let explored = self.frontier.statistics.explored;
        if explored.is_multiple_of(self.flush) {
            self.outboxes.flush();
        }
        if explored.is_multiple_of(TELL) {
            self.tell();
        }
        self.check_size()
    }

    /// Stores what the others have found.
    fn receive(&mut self) -> Result<(), Ended> {
        let mut received = std::mem::take(&mut self.received);
        self.shared.receive(self.number, &mut received);
        let single = self.frontier.store.single_sign();
        for mut batch in received.drain(..) {
            for arrival in batch.states(single) {
                self.take_in(arrival);
                if self.shared.ended() {
                    return Err(Ended);
                }
            }
            self.shared.dealt_with(&batch);
            batch.clear();
            if self.outboxes.spare.len() < self.outboxes.most_spare {
                self.outboxes.spare.push(batch);
            }
        }
        self.frontier.open.end_batch();
        self.received = received;
        self.check_size()
    }

    /// Stores a state that another thread has found.
    fn take_in(&mut self, arrival: Arrival<'_>) {
        let frontier = &mut self.frontier;
        let key = frontier.store.prepare_words(arrival.key);
        let mut packed = arrival.packed;
        if self.simulation {
            frontier.store.unpack_words(&mut self.step.memory);
            (self.system).bounds_at(&self.step.memory, &mut self.lower, &mut self.upper);
            (packed.lower, packed.upper) = (&self.lower, &self.upper);
        }
        let (parent, depth) = (arrival.parent, arrival.depth);
        let above = parent.map(|parent| StateId(parent.0));
        let Some(id) = frontier.offer(key, Offer::Packed(&packed), above, depth) else {
            return;
        };
        // Only what is asked for is unpacked.
        let state = if frontier.looks_at_states() {
            let Step { memory, zone, .. } = &mut self.step;
            frontier.store.load_near(id, memory, zone);
            (self.system).bounds_at(memory, &mut self.lower, &mut self.upper);
            State { memory, zone }
        } else {
            State {
                memory: &[],
                zone: &[],
            }
        };
        let successor = Successor {
            edges: arrival.packed.edges,
            state,
            reduced: &[],
            lower: &self.lower,
            upper: &self.upper,
            source: &[],
            entry: &[],
            origins: &[],
            stopped: &[],
        };
        let result = frontier.admit(id, &successor, above, depth);
        report(
            self.shared,
            self.number,
            frontier.goal.is_some(),
            result,
            parent,
            depth,
        );
    }

    fn fault(&self, fault: Fault, depth: u32, at: Option<GlobalId>) {
        let goal = self.frontier.goal.is_some();
        self.shared.fault(fault, depth, at, goal);
    }

    /// The numbers of states must not run out.
    fn check_size(&self) -> Result<(), Ended> {
        if self.frontier.store.len() < GlobalId::most(self.shared.threads()) {
            return Ok(());
        }
        self.shared.stop(StopReason::Memory);
        Err(Ended)
    }

    /// Tells the observer.
    fn tell(&self) {
        let counts = &self.shared.counts[self.number].0;
        let (frontier, relaxed) = (&self.frontier, Ordering::Relaxed);
        let best = frontier.statistics.best_estimate;
        counts.explored.store(frontier.statistics.explored, relaxed);
        counts.stored.store(frontier.store.live() as u64, relaxed);
        counts.waiting.store(frontier.open.len() as u64, relaxed);
        counts.bytes.store(frontier.bytes(), relaxed);
        counts.depth.store(frontier.statistics.max_depth, relaxed);
        let best = best.map_or(0, |best| u64::from(best) + 1);
        counts.best_estimate.store(best, relaxed);
    }
}

/// Takes successors: into the own store, or to their owner.
struct Sink<'a, 's, 'f, 'c> {
    frontier: &'a mut Frontier<'s, 'f>,
    outboxes: &'a mut Outboxes<'c>,
    number: usize,
    parent: Option<GlobalId>,
    depth: u32,
}

impl<'s, 'f: 's> step::Sink<'s, 'f, Store> for Sink<'_, 's, 'f, '_> {
    fn frontier(&mut self) -> &mut Frontier<'s, 'f> {
        self.frontier
    }

    fn take(&mut self, successor: &Successor<'_>) -> ControlFlow<()> {
        self.send_on(successor)
    }

    /// If it leads to a discrete part of the own ones, that is noted.
    fn take_move(&mut self, part: &mut Option<Part>, successor: &Successor<'_>) -> ControlFlow<()> {
        if part.is_none() {
            let key = self.frontier.store.prepare(successor.state.memory);
            let owner = self.owner();
            if owner == self.number {
                self.store(key, successor);
                *part = self.frontier.store.prepared_part(key);
            } else {
                self.send(owner, successor);
            }
            return self.flow();
        }
        let parent = self.parent.map(|parent| StateId(parent.0));
        let result = (self.frontier).add_to(part, successor, parent, self.depth);
        self.report(result);
        self.flow()
    }
}

impl<'s, 'f: 's> Sink<'_, 's, 'f, '_> {
    fn send_on(&mut self, successor: &Successor<'_>) -> ControlFlow<()> {
        let key = self.frontier.store.prepare(successor.state.memory);
        let owner = self.owner();
        if owner == self.number {
            self.store(key, successor);
        } else {
            self.send(owner, successor);
        }
        self.flow()
    }

    /// The owner of the state that the store has prepared.
    #[inline]
    fn owner(&self) -> usize {
        let key = self.frontier.store.prepared_words();
        self.outboxes.shared.owners.of(key)
    }

    fn send(&mut self, owner: usize, successor: &Successor<'_>) {
        let batch = &mut self.outboxes.batches[owner];
        let store = &mut self.frontier.store;
        batch.push(store, successor, self.parent, self.depth);
        if batch.len() >= self.outboxes.full {
            self.outboxes.send(owner);
        }
    }

    fn flow(&self) -> ControlFlow<()> {
        match self.outboxes.shared.ended() {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        }
    }

    fn report(&self, result: Result<Option<StateId>, Fault>) {
        let (shared, goal) = (self.outboxes.shared, self.frontier.goal.is_some());
        report(shared, self.number, goal, result, self.parent, self.depth);
    }

    /// Into the own store, which has prepared the key.
    fn store(&mut self, key: Prepared, successor: &Successor<'_>) {
        let parent = self.parent.map(|parent| StateId(parent.0));
        let result = (self.frontier).add_prepared(key, successor, parent, self.depth);
        self.report(result);
    }
}

/// Tells the others if a state was the goal, or if its test failed. `parent` and `depth` are of that state.
fn report(
    shared: &Shared,
    number: usize,
    goal: bool,
    result: Result<Option<StateId>, Fault>,
    parent: Option<GlobalId>,
    depth: u32,
) {
    match result {
        Ok(None) => {}
        Ok(Some(found)) => shared.found(GlobalId::new(number, found, shared.threads())),
        Err(fault) => shared.fault(fault, depth, parent, goal),
    }
}

impl Outboxes<'_> {
    fn send(&mut self, to: usize) {
        let next = self.spare.pop().unwrap_or_default();
        let batch = std::mem::replace(&mut self.batches[to], next);
        self.shared.send(to, batch);
    }

    /// Sends everything.
    fn flush(&mut self) {
        for to in 0..self.batches.len() {
            if self.batches[to].len() > 0 {
                self.send(to);
            }
        }
    }
}
