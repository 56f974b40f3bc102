//! One owner of a search: a thread or a process.

use std::ops::ControlFlow;

use merkhet_semantics::{Explorer, Fault, State, Successor, System};

use super::batch::{Arrival, Batch};
use super::links::{Gate, GlobalId, Links, Part};
use crate::search::Config;
use crate::search::frontier::Frontier;
use crate::search::step::{self, Step};
use crate::store::{self, Inclusion, Offer, Prepared, StateId, Store};
use crate::tuning::{SPARE, THREADS_BATCH, THREADS_FLUSH};
use crate::verdict::StopReason;

/// Expansions between two reports to the observer.
const TELL: u64 = 64;

/// How one owner begins.
pub(super) enum Begin {
    /// With the initial states.
    First,
    /// With nothing: others will send something.
    Empty,
    /// With what it has taken over.
    Filled,
}

/// One owner: it has the discrete states whose hash says so, with everything that is stored of them.
pub(super) struct Worker<'s, 'c: 's, L> {
    pub frontier: Frontier<'s, 'c>,
    /// By state, the owner of its parent.
    pub origins: Vec<u16>,
    system: &'s System,
    step: Step<'s>,
    links: &'c L,
    number: usize,
    states_limit: Option<u64>,
    /// Expansions after which batches are sent that are not full.
    flush: u64,
    outboxes: Outboxes<'c, L>,
    received: Vec<Batch>,
    /// Goals have a cost: the search goes on until nothing cheaper waits.
    optimal: bool,
    /// Zones are compared by simulation: stores need the bounds of what arrives.
    simulation: bool,
    lower: Vec<i32>,
    upper: Vec<i32>,
}

/// States for the other owners.
struct Outboxes<'c, L> {
    links: &'c L,
    /// By owner.
    batches: Vec<Batch>,
    /// Empty ones, for their memory.
    spare: Vec<Batch>,
    /// Empty batches that are kept at most: a thread that receives more than it sends would hoard them.
    most_spare: usize,
    /// The states of a batch that is sent at once.
    full: usize,
}

/// The owner has to end; whoever wanted that has said why.
struct Ended;

impl<'s, 'c: 's, L: Links> Worker<'s, 'c, L> {
    pub fn new(
        system: &'s System,
        config: &Config<'c>,
        mut frontier: Frontier<'s, 'c>,
        links: &'c L,
        number: usize,
    ) -> Self {
        let n = system.dimension();
        Worker {
            step: Step::new(
                system,
                Explorer::new(system).cancelled_by(links.cancellation()),
                &mut frontier.store,
                config,
                false,
            ),
            optimal: frontier.goal.is_some() && frontier.strategy.cost(0).is_some(),
            frontier,
            origins: Vec::new(),
            system,
            links,
            number,
            states_limit: config.limits.states,
            flush: config.count(&THREADS_FLUSH),
            outboxes: Outboxes {
                links,
                batches: (0..links.owners().count())
                    .map(|_| Batch::of(number))
                    .collect(),
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

    /// Works until the search ends.
    pub fn run(&mut self, begin: Begin) {
        let _ = self.work(begin);
        self.tell();
    }

    fn work(&mut self, begin: Begin) -> Result<(), Ended> {
        if let Begin::First = begin {
            self.begin()?;
        }
        loop {
            if self.links.ended() {
                return Err(Ended);
            }
            if self.links.has_mail(self.number) {
                self.receive()?;
            }
            match self.links.gate() {
                Gate::Open => {}
                Gate::Closed => {
                    self.outboxes.flush();
                    self.links.rest();
                    continue;
                }
                Gate::Still => {
                    self.links.keep(Part {
                        frontier: &self.frontier,
                        origins: &self.origins,
                    });
                    continue;
                }
            }
            self.leave_what_is_no_better();
            match self.frontier.open.pop() {
                Some(state) if self.frontier.store.is_removed(state) => {}
                Some(state) => self.expand(state)?,
                None => {
                    self.outboxes.flush();
                    if !self.links.has_mail(self.number) {
                        self.tell();
                        if !self.links.wait(self.number) {
                            return Err(Ended);
                        }
                    }
                }
            }
        }
    }

    /// Hash-distributed A* (Kishimoto, Fukunaga and Botea, ICAPS 2009): a goal that was found is the best one as soon as no
    /// owner has a state that waits whose estimate is smaller.
    fn leave_what_is_no_better(&mut self) {
        let bound = match self.optimal {
            true => self.links.bound(),
            false => return,
        };
        if bound != u64::MAX
            && (self.frontier.open.smallest_key()).is_some_and(|smallest| smallest >= bound)
        {
            self.frontier.open.clear();
        }
    }

    /// Stores the initial states.
    fn begin(&mut self) -> Result<(), Ended> {
        let mut sink = Sink {
            frontier: &mut self.frontier,
            outboxes: &mut self.outboxes,
            number: self.number,
            origins: &mut self.origins,
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
        if !self.links.begin_expansion(self.states_limit) {
            self.links.stop(StopReason::States);
            return Err(Ended);
        }
        let at = GlobalId::new(self.number, id);
        let depth = self.frontier.store.depth(id);
        let mut sink = Sink {
            frontier: &mut self.frontier,
            outboxes: &mut self.outboxes,
            number: self.number,
            origins: &mut self.origins,
            parent: Some(at),
            depth: depth + 1,
        };
        match self.step.expand(id, &mut sink) {
            Ok(false) => {}
            Ok(true) => {
                let cost = self.frontier.strategy.cost(depth);
                self.links.found(at, cost);
                if cost.is_none() {
                    return Err(Ended);
                }
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
        self.links.receive(self.number, &mut received);
        let single = self.frontier.store.single_sign();
        for mut batch in received.drain(..) {
            for arrival in batch.states(single) {
                self.take_in(arrival);
                if self.links.ended() {
                    return Err(Ended);
                }
            }
            self.links.dealt_with(&batch);
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
        let above = parent.map(|parent| parent.id);
        let Some(id) = frontier.offer(key, Offer::Packed(&packed), above, depth) else {
            return;
        };
        let origin = parent.map_or(self.number as u16, |parent| parent.owner);
        self.origins.push(origin);
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
            self.links,
            self.number,
            frontier.goal.is_some(),
            result,
            parent,
            depth,
        );
    }

    fn fault(&self, fault: Fault, depth: u32, at: Option<GlobalId>) {
        let goal = self.frontier.goal.is_some();
        self.links.fault(fault, depth, at, goal);
    }

    /// The numbers of states must not run out.
    fn check_size(&self) -> Result<(), Ended> {
        if self.frontier.store.len() < GlobalId::MOST {
            return Ok(());
        }
        self.links.stop(StopReason::Memory);
        Err(Ended)
    }

    /// Tells the observer.
    fn tell(&self) {
        self.links.tell(self.number, &self.frontier);
    }
}

/// Takes successors: into the own store, or to their owner.
struct Sink<'a, 's, 'f, 'c, L> {
    frontier: &'a mut Frontier<'s, 'f>,
    outboxes: &'a mut Outboxes<'c, L>,
    origins: &'a mut Vec<u16>,
    number: usize,
    parent: Option<GlobalId>,
    depth: u32,
}

impl<'s, 'f: 's, L: Links> step::Sink<'s, 'f, Store> for Sink<'_, 's, 'f, '_, L> {
    fn frontier(&mut self) -> &mut Frontier<'s, 'f> {
        self.frontier
    }

    fn take(&mut self, successor: &Successor<'_>) -> ControlFlow<()> {
        self.send_on(successor)
    }

    /// If it leads to a discrete part of the own ones, that is noted.
    fn take_move(
        &mut self,
        part: &mut Option<store::Part>,
        successor: &Successor<'_>,
    ) -> ControlFlow<()> {
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
        let parent = self.parent.map(|parent| parent.id);
        let result = (self.frontier).add_to(part, successor, parent, self.depth);
        self.report(result);
        self.flow()
    }
}

impl<'s, 'f: 's, L: Links> Sink<'_, 's, 'f, '_, L> {
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
        self.outboxes.links.owners().of(key)
    }

    fn send(&mut self, owner: usize, successor: &Successor<'_>) {
        let batch = &mut self.outboxes.batches[owner];
        let store = &mut self.frontier.store;
        batch.push(
            store,
            successor,
            self.parent.map(|parent| parent.id),
            self.depth,
        );
        if batch.len() >= self.outboxes.full {
            self.outboxes.send(owner);
        }
    }

    fn flow(&self) -> ControlFlow<()> {
        match self.outboxes.links.ended() {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        }
    }

    fn report(&mut self, result: Result<Option<StateId>, Fault>) {
        // What was stored just now was found from here.
        let origin = self.number as u16;
        self.origins.resize(self.frontier.store.len(), origin);
        let (links, goal) = (self.outboxes.links, self.frontier.goal.is_some());
        report(links, self.number, goal, result, self.parent, self.depth);
    }

    /// Into the own store, which has prepared the key.
    fn store(&mut self, key: Prepared, successor: &Successor<'_>) {
        let parent = self.parent.map(|parent| parent.id);
        let result = (self.frontier).add_prepared(key, successor, parent, self.depth);
        self.report(result);
    }
}

/// Tells the others if a state was the goal, or if its test failed. `parent` and `depth` are of that state.
fn report<L: Links>(
    links: &L,
    number: usize,
    goal: bool,
    result: Result<Option<StateId>, Fault>,
    parent: Option<GlobalId>,
    depth: u32,
) {
    match result {
        Ok(None) => {}
        Ok(Some(found)) => links.found(GlobalId::new(number, found), None),
        Err(fault) => links.fault(fault, depth, parent, goal),
    }
}

impl<L: Links> Outboxes<'_, L> {
    fn send(&mut self, to: usize) {
        let mut next = self.spare.pop().unwrap_or_default();
        next.from = self.batches[to].from;
        let batch = std::mem::replace(&mut self.batches[to], next);
        if let Some(empty) = self.links.send(to, batch) {
            self.spare.push(empty);
        }
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
