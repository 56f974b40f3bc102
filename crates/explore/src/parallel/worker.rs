//! One thread of a search.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use merkhet_semantics::{Explorer, Fault, State, Successor, System};
use merkhet_zones::bound::Bound;

use super::GlobalId;
use super::batch::{Arrival, Batch, FULL};
use super::handed::Handed;
use super::shared::Shared;
use crate::search::Config;
use crate::search::frontier::Frontier;
use crate::search::moves::MoveTable;
use crate::store::{Inclusion, Offer, Part, Prepared, StateId};
use crate::verdict::StopReason;

/// After so many expansions all batches are sent, however small: the order of the search suffers if states travel long.
const FLUSH: u64 = 128;

/// So many empty batches are kept: a thread that receives more than it sends would hoard them.
const SPARE: usize = 128;

/// After so many expansions the observer is told.
const TELL: u64 = 64;

/// One thread: it owns the discrete states whose hash says so, with everything that is stored of them.
pub(super) struct Worker<'s, 'c: 's> {
    pub frontier: Frontier<'c>,
    system: &'s System,
    explorer: Explorer<'s>,
    /// Tests goals while the other explorer is in the middle of an expansion.
    tester: Explorer<'s>,
    table: MoveTable,
    shared: &'c Shared,
    number: usize,
    states_limit: Option<u64>,
    memory: Vec<i32>,
    zone: Vec<Bound>,
    /// Room for the rows of a zone that are kept.
    reduced: Vec<Bound>,
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
}

/// The thread has to end; whoever wanted that has said why.
struct Ended;

impl<'s, 'c: 's> Worker<'s, 'c> {
    pub fn new(
        system: &'s System,
        config: &Config<'c>,
        frontier: Frontier<'c>,
        shared: &'c Shared,
        number: usize,
    ) -> Self {
        let n = system.dimension();
        Worker {
            table: MoveTable::new(system, &frontier.store),
            frontier,
            system,
            explorer: Explorer::new(system).patient(shared.patience()),
            tester: Explorer::new(system).patient(shared.patience()),
            shared,
            number,
            states_limit: config.limits.states,
            memory: vec![0; system.cells().len()],
            zone: vec![0; n * n],
            reduced: vec![0; n * n],
            outboxes: Outboxes {
                shared,
                batches: (0..shared.threads()).map(|_| Batch::default()).collect(),
                spare: Vec::new(),
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
            tester: &mut self.tester,
            outboxes: &mut self.outboxes,
            number: self.number,
            parent: None,
            depth: 0,
        };
        let flow = self
            .explorer
            .initial(&mut |successor| sink.take(&successor));
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
        let frontier = &mut self.frontier;
        let (explorer, memory) = (&mut self.explorer, &mut self.memory);
        let moves = self.table.of(&frontier.store, id, explorer, memory);
        frontier.beside = self.table.bytes();
        if moves.is_none() || frontier.strategy.uses_estimates() {
            frontier.store.load_near(id, memory, &mut self.zone);
        }
        let entries = match &moves {
            Some(_) => frontier.store.load_reduced(id, &mut self.reduced),
            None => 0,
        };
        frontier.store.expanded(id);
        let at = GlobalId::new(self.number, id, self.shared.threads());
        let state = State {
            memory: &self.memory,
            zone: &self.zone,
        };
        let depth = frontier.store.depth(id);
        if let (true, Some(goal)) = (frontier.strategy.tests_when_expanded(), frontier.goal) {
            match self.tester.satisfies(goal, state, None) {
                Ok(false) => {}
                Ok(true) => {
                    self.shared.found(at);
                    return Err(Ended);
                }
                Err(fault) => {
                    self.fault(fault, depth, Some(at));
                    return Ok(());
                }
            }
        }
        let frontier = &mut self.frontier;
        frontier.statistics.explored += 1;
        frontier.statistics.max_depth = frontier.statistics.max_depth.max(depth);
        let mut sink = Sink {
            frontier,
            tester: &mut self.tester,
            outboxes: &mut self.outboxes,
            number: self.number,
            parent: Some(at),
            depth: depth + 1,
        };
        let flow = match moves {
            None => {
                let sink = &mut |successor: Successor<'_>| sink.take(&successor);
                self.explorer.successors(state, sink)
            }
            Some(numbers) => {
                let MoveTable { moves, targets, .. } = &mut self.table;
                let sink = &mut |place: u32, successor: Successor<'_>| {
                    sink.take_move(&mut targets[place as usize], &successor)
                };
                let zone = &self.reduced[..entries];
                Ok(self.explorer.take_moves(zone, moves, numbers, sink))
            }
        };
        self.frontier.open.end_batch();
        if let Err(fault) = flow {
            self.fault(fault, depth, Some(at));
        }
        let explored = self.frontier.statistics.explored;
        if explored.is_multiple_of(FLUSH) {
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
            if self.outboxes.spare.len() < SPARE {
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
            frontier.store.unpack_words(&mut self.memory);
            (self.system).bounds_at(&self.memory, &mut self.lower, &mut self.upper);
            (packed.lower, packed.upper) = (&self.lower, &self.upper);
        }
        let (parent, depth) = (arrival.parent, arrival.depth);
        let above = parent.map(|parent| StateId(parent.0));
        let Some(id) = frontier.offer(key, Offer::Packed(&packed), above, depth) else {
            return;
        };
        // Only what is asked for is unpacked.
        let state = if frontier.looks_at_states() {
            frontier
                .store
                .load_near(id, &mut self.memory, &mut self.zone);
            (self.system).bounds_at(&self.memory, &mut self.lower, &mut self.upper);
            State {
                memory: &self.memory,
                zone: &self.zone,
            }
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
        let result = frontier.admit(id, &successor, above, depth, &mut self.tester);
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
struct Sink<'a, 'f, 's, 'c> {
    frontier: &'a mut Frontier<'f>,
    tester: &'a mut Explorer<'s>,
    outboxes: &'a mut Outboxes<'c>,
    number: usize,
    parent: Option<GlobalId>,
    depth: u32,
}

impl Sink<'_, '_, '_, '_> {
    fn take(&mut self, successor: &Successor<'_>) -> ControlFlow<()> {
        let key = self.frontier.store.prepare(successor.state.memory);
        let owner = self.owner();
        if owner == self.number {
            self.store(key, successor);
        } else {
            self.send(owner, successor);
        }
        self.flow()
    }

    /// As [`Sink::take`], for a transition that is worked out: if it leads to a discrete part of the own ones, that is noted.
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
        let (depth, tester) = (self.depth, &mut *self.tester);
        let result = (self.frontier).add_to(part, successor, parent, depth, tester);
        self.report(result);
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
        if batch.len() >= FULL {
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
        let (depth, tester) = (self.depth, &mut *self.tester);
        let result = (self.frontier).add_prepared(key, successor, parent, depth, tester);
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
