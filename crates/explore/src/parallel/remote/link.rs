//! One process of a search: how its owner of states reaches the others.

use std::cell::{Cell, RefCell};
use std::time::{Duration, Instant};

use merkhet_semantics::{Cancellation, Fault, FaultKind};

use super::exchange::{Exchange, Lost, Share};
use super::kept::{self, Keeper};
use super::words::Word;
use crate::limits::{Progress, Watch};
use crate::parallel::batch::Batch;
use crate::parallel::links::{Gate, GlobalId, Links, Part};
use crate::parallel::owner::Owners;
use crate::search::frontier::Frontier;
use crate::verdict::StopReason;

/// Expansions between two looks at the clock, and the time between two turns of the exchange.
const LOOK: u32 = 16;
const TURN: Duration = Duration::from_micros(200);

/// How long an owner waits at once where it has nothing to do.
const WAIT: Duration = Duration::from_millis(20);

/// The time between two words on how far a process is.
const TELL: Duration = Duration::from_millis(200);

/// Bytes that may at least be on their way to one process, however many there are.
const LEAST_WINDOW: usize = 128 << 10;

/// Why a search ended.
#[derive(Default)]
pub(super) struct Ending {
    pub found: Option<(GlobalId, Option<u64>)>,
    pub fault: Option<(Fault, u32, Option<GlobalId>)>,
    pub reason: Option<StopReason>,
}

/// What the processes have agreed on, as one of them sees it.
pub(super) struct Link<'e> {
    pub exchange: RefCell<&'e mut dyn Exchange>,
    observe: RefCell<&'e mut dyn FnMut(&Progress)>,
    keeper: RefCell<Option<&'e mut dyn Keeper>>,
    pub watch: Watch<'e>,
    pub owners: Owners,
    number: usize,
    /// The number of the search.
    search: u64,
    pub ending: RefCell<Ending>,
    ended: Cell<bool>,
    bound: Cell<u64>,
    pub lost: RefCell<Option<Lost>>,
    /// Packets that have come and are not looked at yet.
    mail: RefCell<Vec<Vec<u8>>>,
    /// By process: bytes sent that it has not dealt with, and bytes of it that were dealt with and that it does not know of.
    under_way: RefCell<Vec<usize>>,
    dealt: RefCell<Vec<u64>>,
    window: usize,
    /// Too much is on its way.
    full: Cell<bool>,
    share: Cell<Share>,
    /// By process, how far it is; for the one that reports.
    shares: RefCell<Vec<Share>>,
    /// It was told that there are too many states.
    beyond: Cell<bool>,
    looks: Cell<u32>,
    turned: Cell<Instant>,
    told: Cell<Instant>,
    /// An expansion was broken off here: whatever else, not everything was seen.
    pub cut: Cell<Option<StopReason>>,
    /// A limit that everything ends with once it is written down.
    last: Cell<Option<StopReason>>,
    /// The parts of a checkpoint that are written.
    written: RefCell<Vec<Option<Vec<u8>>>>,
    writing: Cell<bool>,
    /// Words that are for whoever drives the search.
    pub others: RefCell<Vec<(usize, Word)>>,
    /// Words of the next search.
    early: RefCell<Vec<(usize, Vec<u8>)>>,
}

impl Drop for Link<'_> {
    fn drop(&mut self) {
        for (from, word) in self.early.get_mut().drain(..) {
            self.exchange.get_mut().put_back(from, word);
        }
    }
}

impl<'e> Link<'e> {
    pub fn new(
        exchange: &'e mut dyn Exchange,
        observe: &'e mut dyn FnMut(&Progress),
        keeper: Option<&'e mut dyn Keeper>,
        watch: Watch<'e>,
        owners: Owners,
        (search, window): (u64, u64),
    ) -> Link<'e> {
        let (number, count) = (exchange.number(), exchange.processes());
        let now = Instant::now();
        Link {
            exchange: RefCell::new(exchange),
            observe: RefCell::new(observe),
            keeper: RefCell::new(keeper),
            watch,
            owners,
            number,
            search,
            ending: RefCell::default(),
            ended: Cell::new(false),
            bound: Cell::new(u64::MAX),
            lost: RefCell::default(),
            mail: RefCell::default(),
            under_way: RefCell::new(vec![0; count]),
            dealt: RefCell::new(vec![0; count]),
            window: (window as usize / count).max(LEAST_WINDOW),
            full: Cell::new(false),
            share: Cell::default(),
            shares: RefCell::new(vec![Share::default(); count]),
            beyond: Cell::new(false),
            looks: Cell::new(0),
            turned: Cell::new(now),
            told: Cell::new(now),
            cut: Cell::new(None),
            last: Cell::new(None),
            written: RefCell::new(vec![None; count]),
            writing: Cell::new(false),
            others: RefCell::default(),
            early: RefCell::default(),
        }
    }

    fn count(&self) -> usize {
        self.owners.count()
    }

    pub fn is_first(&self) -> bool {
        self.number == 0
    }

    pub fn tell_one(&self, to: usize, word: &Word) {
        let mut exchange = self.exchange.borrow_mut();
        exchange.tell(to, word.encode(self.search));
    }

    pub fn tell_all(&self, word: &Word) {
        for to in (0..self.count()).filter(|to| *to != self.number) {
            self.tell_one(to, word);
        }
    }

    /// Says something to the process that reports; it may be this one.
    fn tell_first(&self, word: Word) {
        match self.is_first() {
            true => self.hear(0, word),
            false => self.tell_one(0, &word),
        }
    }

    /// Moves what is to be sent and what has come. Nothing happens any more once a process is lost.
    pub fn turn(&self, wait: Duration) {
        if self.lost.borrow().is_some() {
            return;
        }
        let turned = self.exchange.borrow_mut().turn(wait);
        self.turned.set(Instant::now());
        self.look_at_count();
        if let Err(lost) = turned {
            *self.lost.borrow_mut() = Some(lost);
            self.ended.set(true);
            return;
        }
        loop {
            let word = self.exchange.borrow_mut().told();
            let Some((from, word)) = word else { break };
            match Word::search(&word) {
                // Of a search that is over: what was dealt with late.
                Some(search) if search < self.search => {}
                // The sender knows already that this one is over, and has gone on.
                Some(search) if search > self.search => {
                    self.early.borrow_mut().push((from, word));
                }
                _ => match Word::decode(&word) {
                    Some((_, word)) => self.hear(from, word),
                    None => self.damaged(from),
                },
            }
        }
        while let Some(packet) = self.exchange.borrow_mut().receive() {
            self.mail.borrow_mut().push(packet);
        }
        if self.told.get().elapsed() >= TELL {
            self.told.set(Instant::now());
            self.tell_far();
            self.look_at_limits();
        }
    }

    fn damaged(&self, from: usize) {
        let why = "it sent something that no process of this program sends".into();
        let lost = Lost { process: from, why };
        self.lost.borrow_mut().get_or_insert(lost);
        self.ended.set(true);
    }

    fn hear(&self, from: usize, word: Word) {
        match word {
            Word::Dealt(bytes) => {
                let mut under_way = self.under_way.borrow_mut();
                under_way[from] = under_way[from].saturating_sub(bytes as usize);
                let full = under_way.iter().any(|bytes| *bytes > self.window);
                self.full.set(full);
            }
            Word::Far(share) => self.shares.borrow_mut()[from] = share,
            Word::Limit(reason) => self.limit(reason),
            Word::Stop(reason) => {
                self.ending.borrow_mut().reason.get_or_insert(reason);
                self.ended.set(true);
            }
            Word::Found(at, cost) => self.take_found(at, cost),
            Word::Fault(fault, depth, at, ends) => {
                let mut ending = self.ending.borrow_mut();
                let first = ending.fault.as_ref().is_none_or(|(_, d, _)| depth < *d);
                if first {
                    ending.fault = Some((fault, depth, at));
                }
                self.ended.set(self.ended.get() || ends);
            }
            Word::Pause => self.exchange.borrow_mut().pause(),
            Word::Written(known) => self.take_written(from, known),
            other => self.others.borrow_mut().push((from, other)),
        }
    }

    fn take_found(&self, at: GlobalId, cost: Option<u64>) {
        let mut ending = self.ending.borrow_mut();
        match cost {
            None => {
                ending.found.get_or_insert((at, None));
                self.ended.set(true);
            }
            Some(price) if price < self.bound.get() => {
                self.bound.set(price);
                ending.found = Some((at, cost));
            }
            Some(_) => {}
        }
    }

    /// A limit was reached somewhere: everything is written down, if that was asked for, and ends.
    fn limit(&self, reason: StopReason) {
        if self.last.get().is_some() || self.ended.get() {
            return;
        }
        if self.keeper.borrow().is_some() {
            self.last.set(Some(reason));
            self.begin_writing();
            return;
        }
        self.stop_all(reason);
    }

    fn stop_all(&self, reason: StopReason) {
        self.ending.borrow_mut().reason.get_or_insert(reason);
        self.ended.set(true);
        self.tell_all(&Word::Stop(reason));
    }

    fn begin_writing(&self) {
        if self.writing.get() {
            return;
        }
        self.writing.set(true);
        self.written.borrow_mut().fill(None);
        self.tell_all(&Word::Pause);
        self.exchange.borrow_mut().pause();
    }

    fn take_written(&self, from: usize, known: Vec<u8>) {
        let mut written = self.written.borrow_mut();
        written[from] = Some(known);
        let Some(all) = written.iter().cloned().collect::<Option<Vec<_>>>() else {
            return;
        };
        drop(written);
        if let Some(keeper) = self.keeper.borrow_mut().as_mut() {
            keeper.complete(&all);
        }
        self.writing.set(false);
        match self.last.get() {
            Some(reason) if !self.ended.get() => self.stop_all(reason),
            _ => {}
        }
    }

    /// How far this process is.
    pub fn share(&self) -> Share {
        let processor = self.exchange.borrow().processor().as_micros() as u64;
        Share {
            processor,
            ..self.share.get()
        }
    }

    fn tell_far(&self) {
        let share = self.share();
        if !self.is_first() {
            return self.tell_one(0, &Word::Far(share));
        }
        self.shares.borrow_mut()[0] = share;
        let shares = self.shares.borrow();
        self.exchange.borrow_mut().observe(&shares);
        let mut sum = Progress {
            elapsed: self.watch.elapsed(),
            ..Progress::default()
        };
        for share in shares.iter() {
            sum.explored += share.explored;
            sum.stored += share.stored;
            sum.waiting += share.waiting;
            sum.memory += share.memory;
            sum.depth = sum.depth.max(share.depth);
            let best = [sum.best_estimate, share.best_estimate];
            sum.best_estimate = best.into_iter().flatten().min();
        }
        (self.observe.borrow_mut())(&sum);
        let most = self.watch.limits().states;
        if most.is_some_and(|most| sum.explored >= most) {
            drop(shares);
            self.limit(StopReason::States);
        }
    }

    /// The states of this process alone may be too many already.
    fn look_at_count(&self) {
        let most = self.watch.limits().states;
        let beyond = most.is_some_and(|most| self.share.get().explored >= most);
        if beyond && !self.beyond.replace(true) {
            self.tell_first(Word::Limit(StopReason::States));
        }
    }

    fn look_at_limits(&self) {
        if self.ended.get() || self.last.get().is_some() {
            return;
        }
        let waiting: usize = self.mail.borrow().iter().map(Vec::len).sum();
        let bytes = self.share.get().memory as usize + waiting;
        if let Some(reason) = self.watch.look(|| bytes) {
            return self.tell_first(Word::Limit(reason));
        }
        let due = self.is_first()
            && (self.keeper.borrow_mut().as_mut()).is_some_and(|keeper| keeper.due());
        if due {
            self.begin_writing();
        }
    }

    /// Tells the senders what was dealt with.
    fn tell_dealt(&self, at_least: u64) {
        for from in 0..self.count() {
            let bytes = self.dealt.borrow()[from];
            if bytes > 0 && bytes >= at_least {
                self.dealt.borrow_mut()[from] = 0;
                self.tell_one(from, &Word::Dealt(bytes));
            }
        }
    }

    /// Everything has ended here: what is still on its way is thrown away, until nobody is at work.
    pub fn drain(&self) {
        loop {
            self.mail.borrow_mut().clear();
            let over = {
                let mut exchange = self.exchange.borrow_mut();
                if exchange.pauses() {
                    exchange.resume();
                }
                exchange.idle();
                exchange.is_over()
            };
            if over || self.lost.borrow().is_some() {
                return;
            }
            self.turn(WAIT);
        }
    }

    /// The next word of this sort for whoever drives the search; nothing if a process is lost.
    pub fn expect<T>(&self, take: impl Fn(usize, &Word) -> Option<T>) -> Result<T, Lost> {
        loop {
            let mut others = self.others.borrow_mut();
            let found = (others.iter().enumerate())
                .find_map(|(place, (from, word))| Some((place, take(*from, word)?)));
            if let Some((place, taken)) = found {
                others.remove(place);
                return Ok(taken);
            }
            drop(others);
            if let Some(lost) = self.lost.borrow().clone() {
                return Err(lost);
            }
            self.turn(WAIT);
        }
    }
}

impl Links for Link<'_> {
    fn owners(&self) -> &Owners {
        &self.owners
    }

    #[inline]
    fn ended(&self) -> bool {
        self.ended.get()
    }

    fn cancellation(&self) -> Cancellation<'_> {
        // What is to be written down must not be in the middle of an expansion.
        match self.keeper.borrow().is_some() {
            true => Cancellation::default(),
            false => self.watch.cancellation(),
        }
    }

    fn found(&self, state: GlobalId, cost: Option<u64>) {
        if cost.is_some_and(|cost| cost >= self.bound.get()) {
            return;
        }
        self.take_found(state, cost);
        self.tell_all(&Word::Found(state, cost));
    }

    fn bound(&self) -> u64 {
        self.bound.get()
    }

    fn fault(&self, fault: Fault, depth: u32, at: Option<GlobalId>, goal: bool) {
        if fault.kind == FaultKind::Ended {
            // What the others do must not hide that successors are missing here.
            let reason = self.watch.why_ended();
            self.cut.set(Some(reason));
            return self.tell_first(Word::Limit(reason));
        }
        let word = Word::Fault(fault, depth, at, !goal);
        self.tell_all(&word);
        self.hear(self.number, word);
    }

    fn stop(&self, reason: StopReason) {
        self.tell_first(Word::Limit(reason));
    }

    #[inline]
    fn begin_expansion(&self, _: Option<u64>) -> bool {
        // The limit is for all processes together, and looked at elsewhere.
        true
    }

    fn send(&self, to: usize, mut batch: Batch) -> Option<Batch> {
        let mut packet = Vec::with_capacity(batch.bytes() / 2);
        batch.encode(&mut packet);
        let mut share = self.share.get();
        share.sent += batch.len() as u64;
        share.sent_bytes += packet.len() as u64;
        self.share.set(share);
        let mut under_way = self.under_way.borrow_mut();
        under_way[to] += packet.len();
        if under_way[to] > self.window {
            self.full.set(true);
        }
        self.exchange.borrow_mut().send(to, packet);
        batch.clear();
        Some(batch)
    }

    #[inline]
    fn has_mail(&self, _: usize) -> bool {
        let looks = self.looks.get() + 1;
        self.looks.set(looks);
        if looks >= LOOK {
            self.looks.set(0);
            if self.turned.get().elapsed() >= TURN {
                self.turn(Duration::ZERO);
            }
        }
        !self.mail.borrow().is_empty()
    }

    fn receive(&self, _: usize, batches: &mut Vec<Batch>) {
        for packet in self.mail.borrow_mut().drain(..) {
            let mut batch = Batch::default();
            if batch.decode(&packet).is_none() || usize::from(batch.from) >= self.count() {
                // Only what went wrong on the way is that.
                return self.damaged(batch.from.into());
            }
            let mut share = self.share.get();
            share.received += batch.len() as u64;
            self.share.set(share);
            batches.push(batch);
        }
    }

    fn dealt_with(&self, batch: &Batch) {
        self.dealt.borrow_mut()[usize::from(batch.from)] += batch.weight as u64;
        self.tell_dealt((self.window / 8) as u64);
    }

    #[inline]
    fn gate(&self) -> Gate {
        let exchange = self.exchange.borrow();
        match exchange.pauses() {
            true if exchange.is_still() && self.mail.borrow().is_empty() => Gate::Still,
            true => Gate::Closed,
            false if self.full.get() => Gate::Closed,
            false => Gate::Open,
        }
    }

    fn keep(&self, part: Part<'_, '_, '_>) {
        let mut known = Vec::new();
        if let Some(keeper) = self.keeper.borrow_mut().as_mut() {
            known = keeper.keep(&mut |out| kept::write(&self.owners, self.number, &part, out));
        }
        self.exchange.borrow_mut().resume();
        self.tell_first(Word::Written(known));
    }

    fn rest(&self) {
        self.tell_dealt(0);
        self.turn(Duration::from_millis(1));
    }

    fn wait(&self, _: usize) -> bool {
        self.tell_dealt(0);
        self.exchange.borrow_mut().idle();
        loop {
            self.turn(WAIT);
            if self.ended.get() {
                return false;
            }
            if !self.mail.borrow().is_empty() || self.exchange.borrow().pauses() {
                return true;
            }
            if self.exchange.borrow().is_over() {
                self.ended.set(true);
                return false;
            }
        }
    }

    fn tell(&self, _: usize, frontier: &Frontier<'_, '_>) {
        let statistics = &frontier.statistics;
        self.share.set(Share {
            explored: statistics.explored,
            stored: frontier.store.live() as u64,
            waiting: frontier.open.len() as u64,
            generated: statistics.generated,
            memory: frontier.bytes() as u64,
            depth: statistics.max_depth,
            best_estimate: statistics.best_estimate,
            ..self.share.get()
        });
    }
}
