//! Ends the program where a query overruns its limits.
//!
//! Searches look at time, memory and signals themselves and end with all that they know. What comes before and after them
//! (analysis, compilation, preparing a heuristic, making a run concrete) does not look, and is short except for huge
//! networks. So a thread of its own watches from outside: a second after a limit it writes the report with what is known
//! until then, and ends the program.

use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use merkhet::{Limits, Phase};

use crate::exit::Exit;
use crate::progress::ProgressView;

/// How long after a limit the library may take to end by itself.
const GRACE: Duration = Duration::from_secs(1);
/// The same where the search has ended and its memory is given back.
const ENDING: Duration = Duration::from_secs(10);
const LOOK: Duration = Duration::from_millis(50);

/// Why a query was ended, and what is known of it.
pub struct Overrun {
    /// The limit and the phase, in words.
    pub reason: String,
    /// How far the search had come when it told last.
    pub progress: ProgressView,
    /// Time since the query began.
    pub time: Duration,
}

/// Writes the report and says how the program ends.
pub type Farewell = Box<dyn FnOnce(&Overrun) -> Exit + Send>;

/// The thread that watches.
pub struct Guard {
    limits: Limits,
    watched: Arc<Mutex<Option<Watched>>>,
}

struct Watched {
    since: Instant,
    cancelled: Option<Instant>,
    progress: ProgressView,
    farewell: Farewell,
}

fn lock(watched: &Mutex<Option<Watched>>) -> MutexGuard<'_, Option<Watched>> {
    watched.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Guard {
    /// Starts the thread. Where the system has none to give, there is no guard.
    pub fn start(limits: &Limits) -> Guard {
        let guard = Guard {
            limits: limits.clone(),
            watched: Arc::default(),
        };
        let (limits, watched) = (limits.clone(), Arc::clone(&guard.watched));
        let work = move || {
            loop {
                std::thread::sleep(LOOK);
                let mut slot = lock(&watched);
                let reason = slot.as_mut().and_then(|query| query.overdue(&limits));
                if let (Some(reason), Some(query)) = (reason, slot.take_if(|_| reason.is_some())) {
                    // The lock is kept: the other thread must not write a report as well.
                    let overrun = Overrun {
                        reason: format!("{reason} while {}", limits.phase.get().words()),
                        progress: query.progress,
                        time: query.since.elapsed(),
                    };
                    let exit = (query.farewell)(&overrun);
                    std::process::exit(exit.code().into());
                }
            }
        };
        let _ = std::thread::Builder::new().name("guard".into()).spawn(work);
        guard
    }

    /// From now on the limits count for a query, or for reading the model.
    pub fn watch(&self, phase: Phase, farewell: Farewell) {
        self.watch_since(Instant::now(), phase, farewell);
    }

    /// The same for a query that began at a time.
    pub fn watch_since(&self, since: Instant, phase: Phase, farewell: Farewell) {
        self.limits.phase.enter(phase);
        *lock(&self.watched) = Some(Watched {
            since,
            cancelled: None,
            progress: ProgressView::default(),
            farewell,
        });
    }

    /// Tells how far the search has come.
    pub fn note(&self, progress: ProgressView) {
        if let Some(query) = lock(&self.watched).as_mut() {
            query.progress = progress;
        }
    }

    /// Nothing is watched from now on: the query has come to its end.
    pub fn rest(&self) {
        *lock(&self.watched) = None;
    }
}

impl Watched {
    /// The limit that was overrun, if one was.
    fn overdue(&mut self, limits: &Limits) -> Option<&'static str> {
        let grace = match limits.phase.get() {
            Phase::Ending => ENDING,
            _ => GRACE,
        };
        if limits.cancel.load(Ordering::SeqCst) {
            let since = self.cancelled.get_or_insert_with(Instant::now);
            if since.elapsed() >= grace {
                return Some("interrupted");
            }
        }
        if (limits.timeout).is_some_and(|limit| self.since.elapsed() >= limit + grace) {
            return Some("time limit reached");
        }
        let memory = limits.memory.filter(|limit| too_much(*limit));
        memory.map(|_| "memory limit reached")
    }
}

/// Whether the process is so far above its limit that the search's own account of its memory was wrong.
fn too_much(limit: u64) -> bool {
    let most = (limit + limit / 100 * 8).max(limit.saturating_add(32 << 20));
    merkhet::resident_memory() > most
}
