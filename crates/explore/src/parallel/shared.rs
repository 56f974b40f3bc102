//! What the threads of a search share: mailboxes, the end, counts for the observer.

use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::Thread;

use merkhet_semantics::{Cancellation, Fault, FaultKind};

use super::batch::Batch;
use super::links::{Gate, GlobalId, Links, Part};
use super::owner::Owners;
use crate::search::frontier::Frontier;
use crate::verdict::StopReason;

/// Keeps what different threads write on different cache lines.
#[repr(align(128))]
pub(super) struct Padded<T>(pub T);

/// Batches that wait for a thread.
#[derive(Default)]
struct Mailbox {
    /// Whether there may be any; read without the lock.
    full: AtomicBool,
    inside: Mutex<Inside>,
    arrived: Condvar,
}

#[derive(Default)]
struct Inside {
    batches: Vec<Batch>,
    /// The owner sleeps until something arrives.
    asleep: bool,
}

/// How far a thread has come; it writes, the observer reads.
#[derive(Default)]
pub(super) struct Counts {
    pub explored: AtomicU64,
    pub stored: AtomicU64,
    pub waiting: AtomicU64,
    pub bytes: AtomicUsize,
    pub depth: AtomicU32,
    /// The smallest estimate, and one more; 0 if there is none.
    pub best_estimate: AtomicU64,
}

/// Why a search ended before everything was seen.
#[derive(Default)]
pub(super) struct Ending {
    /// A state that satisfies the goal.
    pub found: Option<GlobalId>,
    /// A failed evaluation, the depth of the state from which it was made, and that state.
    pub fault: Option<(Fault, u32, Option<GlobalId>)>,
    pub reason: Option<StopReason>,
}

/// What the threads of a search share.
pub(super) struct Shared {
    mailboxes: Vec<Padded<Mailbox>>,
    pub counts: Vec<Padded<Counts>>,
    pub owners: Owners,
    /// How often an idle thread looks for mail before it goes to sleep.
    spins: u64,
    /// Threads that are not idle, and batches that were sent and not yet dealt with. At 0 nothing can happen any more:
    /// a batch counts until its states are stored, and they are stored by a thread that counts.
    pending: Padded<AtomicUsize>,
    /// The bytes of batches under way.
    travelling: Padded<AtomicUsize>,
    /// States whose expansion was begun; counted only where they are limited.
    begun: AtomicU64,
    ended: AtomicBool,
    /// The cost of the cheapest goal so far.
    bound: AtomicU64,
    ending: Mutex<Ending>,
    /// Waits for the end.
    observer: Thread,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // A thread that panics holds no lock while it changes anything; the panic is passed on when it is joined.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Shared {
    /// For as many threads as own states, all of them at work, after a number of expansions; the calling thread observes.
    pub fn new(owners: Owners, expanded: u64, spins: u64) -> Shared {
        let threads = owners.count();
        Shared {
            mailboxes: (0..threads).map(|_| Padded(Mailbox::default())).collect(),
            counts: (0..threads).map(|_| Padded(Counts::default())).collect(),
            owners,
            spins,
            pending: Padded(AtomicUsize::new(threads)),
            travelling: Padded(AtomicUsize::new(0)),
            begun: AtomicU64::new(expanded),
            ended: AtomicBool::new(false),
            bound: AtomicU64::new(u64::MAX),
            ending: Mutex::default(),
            observer: std::thread::current(),
        }
    }

    pub fn threads(&self) -> usize {
        self.mailboxes.len()
    }

    /// Makes all threads come to an end.
    pub fn end(&self) {
        self.ended.store(true, Ordering::SeqCst);
        for Padded(mailbox) in &self.mailboxes {
            // Under the lock, so that no thread falls asleep between its look at the flag and the call.
            let _inside = lock(&mailbox.inside);
            mailbox.arrived.notify_all();
        }
        self.observer.unpark();
    }

    pub fn ending(self) -> Ending {
        self.ending
            .into_inner()
            .unwrap_or_else(PoisonError::into_inner)
    }

    /// The memory of all threads, as they told last, in bytes.
    pub fn bytes(&self) -> usize {
        let own = |Padded(counts): &Padded<Counts>| counts.bytes.load(Ordering::Relaxed);
        self.counts.iter().map(own).sum::<usize>() + self.travelling.0.load(Ordering::Relaxed)
    }
}

impl Links for Shared {
    fn owners(&self) -> &Owners {
        &self.owners
    }

    #[inline]
    fn ended(&self) -> bool {
        self.ended.load(Ordering::Relaxed)
    }

    fn cancellation(&self) -> Cancellation<'_> {
        Cancellation::until(None, Some(&self.ended))
    }

    fn found(&self, state: GlobalId, cost: Option<u64>) {
        let mut ending = lock(&self.ending);
        let Some(cost) = cost else {
            ending.found.get_or_insert(state);
            drop(ending);
            return self.end();
        };
        if cost < self.bound.load(Ordering::Relaxed) {
            self.bound.store(cost, Ordering::Relaxed);
            ending.found = Some(state);
        }
    }

    fn bound(&self) -> u64 {
        self.bound.load(Ordering::Relaxed)
    }

    fn stop(&self, reason: StopReason) {
        lock(&self.ending).reason.get_or_insert(reason);
        self.end();
    }

    fn fault(&self, fault: Fault, depth: u32, at: Option<GlobalId>, goal: bool) {
        if fault.kind == FaultKind::Ended {
            // All have come to an end, and the reason is known.
            return;
        }
        let mut ending = lock(&self.ending);
        let first = ending.fault.as_ref().is_none_or(|(_, d, _)| depth < *d);
        if first {
            ending.fault = Some((fault, depth, at));
        }
        drop(ending);
        if !goal {
            self.end();
        }
    }

    #[inline]
    fn begin_expansion(&self, limit: Option<u64>) -> bool {
        limit.is_none_or(|limit| self.begun.fetch_add(1, Ordering::Relaxed) < limit)
    }

    fn send(&self, to: usize, batch: Batch) -> Option<Batch> {
        self.pending.0.fetch_add(1, Ordering::SeqCst);
        self.travelling
            .0
            .fetch_add(batch.bytes(), Ordering::Relaxed);
        let Padded(mailbox) = &self.mailboxes[to];
        let mut inside = lock(&mailbox.inside);
        inside.batches.push(batch);
        mailbox.full.store(true, Ordering::Release);
        if inside.asleep {
            mailbox.arrived.notify_one();
        }
        None
    }

    #[inline]
    fn has_mail(&self, of: usize) -> bool {
        self.mailboxes[of].0.full.load(Ordering::Acquire)
    }

    fn receive(&self, of: usize, batches: &mut Vec<Batch>) {
        let Padded(mailbox) = &self.mailboxes[of];
        let mut inside = lock(&mailbox.inside);
        std::mem::swap(&mut inside.batches, batches);
        mailbox.full.store(false, Ordering::Relaxed);
    }

    fn dealt_with(&self, batch: &Batch) {
        self.travelling
            .0
            .fetch_sub(batch.bytes(), Ordering::Relaxed);
        self.pending.0.fetch_sub(1, Ordering::SeqCst);
    }

    #[inline]
    fn gate(&self) -> Gate {
        Gate::Open
    }

    fn keep(&self, _: Part<'_, '_, '_>) {}

    fn rest(&self) {}

    fn wait(&self, of: usize) -> bool {
        if self.pending.0.fetch_sub(1, Ordering::SeqCst) == 1 {
            self.end();
            return false;
        }
        let Padded(mailbox) = &self.mailboxes[of];
        for _ in 0..self.spins {
            if self.has_mail(of) || self.ended() {
                break;
            }
            std::hint::spin_loop();
        }
        let mut inside = lock(&mailbox.inside);
        loop {
            if self.ended() {
                return false;
            }
            if !inside.batches.is_empty() {
                // The batches themselves keep the count above 0 until then.
                self.pending.0.fetch_add(1, Ordering::SeqCst);
                return true;
            }
            inside.asleep = true;
            inside = (mailbox.arrived.wait(inside)).unwrap_or_else(PoisonError::into_inner);
            inside.asleep = false;
        }
    }

    fn tell(&self, of: usize, frontier: &Frontier<'_, '_>) {
        let (Padded(counts), relaxed) = (&self.counts[of], Ordering::Relaxed);
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
