//! What the threads share: mail, the end, the states that may still be expanded.

use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::Thread;
use std::time::Duration;

use merkhet_explore::{Progress, StopReason};
use merkhet_semantics::{Cancellation, Fault};

use super::GlobalId;
use super::batch::Batch;
use crate::order::Broken;

/// States that a thread expands before it looks for mail.
const TURN: u64 = 32;

/// How it all ended.
#[derive(Clone)]
pub(super) enum Ending {
    /// In everything that can be seen there is no goal.
    Exhausted,
    Found(GlobalId),
    Broken(Broken),
    /// An evaluation failed at this configuration.
    Fault(Fault, Option<GlobalId>),
    Limit(StopReason),
}

/// How far a thread has come, for the observer.
#[derive(Default)]
pub(super) struct Counts {
    pub stored: AtomicU64,
    pub waiting: AtomicU64,
    pub bytes: AtomicUsize,
}

#[derive(Default)]
struct Mailbox {
    batches: Mutex<Vec<Batch>>,
    arrived: Condvar,
}

pub(super) struct Shared {
    mailboxes: Vec<Mailbox>,
    pub counts: Vec<Counts>,
    /// Threads at work, and batches that are not dealt with: at 0 nothing can happen any more.
    pending: AtomicUsize,
    /// Bytes of batches on their way.
    travelling: AtomicUsize,
    /// States that may still be expanded, and that were.
    left: AtomicU64,
    begun: AtomicU64,
    ended: AtomicBool,
    ending: Mutex<Option<Ending>>,
    /// The thread that joins and refines is to end, and its memory.
    pub alone_ended: AtomicBool,
    pub alone_bytes: AtomicUsize,
    observer: Thread,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // A thread that panics leaves nothing half done; its panic is passed on when it is joined.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Ends the others if a thread panics, so that its panic comes to light.
pub(super) struct Guard<'a>(&'a Shared);

impl Drop for Guard<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.ends_alone();
        }
    }
}

impl Shared {
    /// For threads that divide the states among them, all at work; the calling thread observes.
    pub fn new(threads: usize, states: Option<u64>) -> Shared {
        Shared {
            mailboxes: (0..threads).map(|_| Mailbox::default()).collect(),
            counts: (0..threads).map(|_| Counts::default()).collect(),
            pending: AtomicUsize::new(threads),
            travelling: AtomicUsize::new(0),
            left: AtomicU64::new(states.unwrap_or(u64::MAX)),
            begun: AtomicU64::new(0),
            ended: AtomicBool::new(false),
            ending: Mutex::new(None),
            alone_ended: AtomicBool::new(false),
            alone_bytes: AtomicUsize::new(0),
            observer: std::thread::current(),
        }
    }

    pub fn threads(&self) -> usize {
        self.mailboxes.len()
    }

    pub fn guard(&self) -> Guard<'_> {
        Guard(self)
    }

    pub fn ended(&self) -> bool {
        self.ended.load(Ordering::Relaxed)
    }

    pub fn flag(&self) -> &AtomicBool {
        &self.ended
    }

    pub fn cancellation(&self) -> Cancellation<'_> {
        Cancellation::until(None, Some(&self.ended))
    }

    /// All threads are to end.
    pub fn ends_alone(&self) {
        self.ended.store(true, Ordering::SeqCst);
        self.alone_ended.store(true, Ordering::SeqCst);
        for mailbox in &self.mailboxes {
            // Under the lock, so that no thread falls asleep between its look at the flag and the call.
            let _batches = lock(&mailbox.batches);
            mailbox.arrived.notify_all();
        }
        self.observer.unpark();
    }

    /// All threads are to end, for this reason if there is none yet. A goal that was found counts more than what ended the
    /// search otherwise.
    pub fn end(&self, ending: Ending) {
        let mut known = lock(&self.ending);
        let replaces = match (&*known, &ending) {
            (None, _) => true,
            (Some(Ending::Found(_)), _) => false,
            (_, Ending::Found(_)) => true,
            _ => false,
        };
        if replaces {
            *known = Some(ending);
        }
        drop(known);
        self.ends_alone();
    }

    pub fn stop(&self, reason: StopReason) {
        self.end(Ending::Limit(reason));
    }

    /// An evaluation failed. The search for a goal goes on elsewhere: whether it is found must not depend on who was faster.
    pub fn note_fault(&self, fault: Fault, at: Option<GlobalId>) {
        lock(&self.ending).get_or_insert(Ending::Fault(fault, at));
    }

    /// How it ended.
    pub fn ending(&self) -> Ending {
        lock(&self.ending).clone().unwrap_or(Ending::Exhausted)
    }

    /// Ends joining where it takes memory that covering needs; says whether it did.
    pub fn leave_alone(&self) -> bool {
        self.alone_bytes.load(Ordering::Relaxed) > 0
            && (!self.alone_ended.swap(true, Ordering::SeqCst)
                || self.alone_bytes.load(Ordering::Relaxed) > 0)
    }

    /// States that a thread may expand now; nothing if no more may be.
    pub fn allowance(&self) -> Option<u64> {
        let mut left = self.left.load(Ordering::Relaxed);
        loop {
            let take = left.min(TURN);
            if take == 0 {
                self.stop(StopReason::States);
                return None;
            }
            let rest = left - take;
            let relaxed = Ordering::Relaxed;
            match (self.left).compare_exchange_weak(left, rest, relaxed, relaxed) {
                Ok(_) => {
                    self.begun.fetch_add(take, relaxed);
                    return Some(take);
                }
                Err(now) => left = now,
            }
        }
    }

    /// States that were not expanded after all.
    pub fn give_back(&self, states: u64) {
        self.left.fetch_add(states, Ordering::Relaxed);
        self.begun.fetch_sub(states, Ordering::Relaxed);
    }

    pub fn bytes(&self) -> usize {
        let relaxed = Ordering::Relaxed;
        let own: usize = (self.counts.iter())
            .map(|counts| counts.bytes.load(relaxed))
            .sum();
        own + self.travelling.load(relaxed) + self.alone_bytes.load(relaxed)
    }

    pub fn progress(&self, elapsed: Duration) -> Progress {
        let relaxed = Ordering::Relaxed;
        let sum = |of: fn(&Counts) -> &AtomicU64| -> u64 {
            self.counts
                .iter()
                .map(|counts| of(counts).load(relaxed))
                .sum()
        };
        Progress {
            explored: self.begun.load(relaxed),
            stored: sum(|counts| &counts.stored),
            waiting: sum(|counts| &counts.waiting),
            memory: self.bytes() as u64,
            elapsed,
            ..Progress::default()
        }
    }

    pub fn send(&self, to: usize, batch: Batch) {
        self.pending.fetch_add(1, Ordering::SeqCst);
        self.travelling.fetch_add(batch.bytes(), Ordering::Relaxed);
        let mailbox = &self.mailboxes[to];
        lock(&mailbox.batches).push(batch);
        mailbox.arrived.notify_one();
    }

    /// Takes all batches for a thread, into a list that is empty.
    pub fn receive(&self, of: usize, batches: &mut Vec<Batch>) {
        std::mem::swap(&mut *lock(&self.mailboxes[of].batches), batches);
    }

    /// The configurations of a batch have been stored by a thread that is at work.
    pub fn dealt_with(&self, batch: &Batch) {
        self.travelling.fetch_sub(batch.bytes(), Ordering::Relaxed);
        self.pending.fetch_sub(1, Ordering::SeqCst);
    }

    /// A thread has nothing to do and has sent everything: waits for mail; says whether there is any.
    pub fn wait(&self, of: usize) -> bool {
        if self.pending.fetch_sub(1, Ordering::SeqCst) == 1 {
            self.ends_alone();
            return false;
        }
        let mailbox = &self.mailboxes[of];
        let mut batches = lock(&mailbox.batches);
        loop {
            if self.ended() {
                return false;
            }
            if !batches.is_empty() {
                // The batches themselves keep the count above 0 until then.
                self.pending.fetch_add(1, Ordering::SeqCst);
                return true;
            }
            batches = (mailbox.arrived.wait(batches)).unwrap_or_else(PoisonError::into_inner);
        }
    }
}
