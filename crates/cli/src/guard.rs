//! Ends the program where a query overruns its limits.
//!
//! Searches look at time, memory and signals themselves and end with all that they know. What comes before and after them
//! (analysis, compilation, preparing a heuristic, making a run concrete) does not look, and is short except for huge
//! networks. So a thread of its own watches from outside: a second after a limit it writes the report with what is known
//! until then, and ends the program. A checkpoint that is being written then is worth waiting for: it holds all that the
//! search has done, and takes longer the longer the search was.

use std::path::Path;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use merkhet::{Limits, Phase, StopReason};

use crate::exit::Exit;
use crate::output;
use crate::progress::ProgressView;
use crate::writing::Writing;

/// How long after a limit the library may take to end by itself.
const GRACE: Duration = Duration::from_secs(1);
/// How long it may take where the search has ended and its memory is given back.
const ENDING: Duration = Duration::from_secs(10);
/// How long a checkpoint that is being written may stand still; a disk that is busy with others answers late.
const STANDSTILL: Duration = Duration::from_secs(30);
const LOOK: Duration = Duration::from_millis(50);

/// Why a query was ended, and what is known of it.
pub struct Overrun {
    /// The limit.
    pub limit: StopReason,
    /// What was being done, in words.
    pub doing: &'static str,
    /// How far the search had come when it told last.
    pub progress: ProgressView,
    /// Time since the query began.
    pub time: Duration,
}

impl Overrun {
    /// The limit and what was being done, in words.
    pub fn reason(&self) -> String {
        format!("{} while {}", self.limit, self.doing)
    }
}

impl Drop for Guard {
    /// The run is at its end; the thread that watches may live on.
    fn drop(&mut self) {
        self.writing.release();
    }
}

/// Writes the report and says how the program ends.
pub type Farewell = Box<dyn FnOnce(&Overrun) -> Exit + Send>;

/// The thread that watches.
pub struct Guard {
    limits: Limits,
    watched: Arc<Mutex<Option<Watched>>>,
    writing: Arc<Writing>,
}

struct Watched {
    since: Instant,
    cancelled: Option<Instant>,
    /// How far the checkpoint had come when it moved last, and when that was seen.
    written: (u64, u64),
    moved: Option<Instant>,
    /// Whether the user knows that the program waits for it.
    told: bool,
    progress: ProgressView,
    farewell: Farewell,
}

fn lock(watched: &Mutex<Option<Watched>>) -> MutexGuard<'_, Option<Watched>> {
    watched.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Guard {
    /// Starts the thread. Where the system has none to give, there is no guard.
    pub fn start(limits: &Limits, writing: Writing) -> Guard {
        let guard = Guard {
            limits: limits.clone(),
            watched: Arc::default(),
            writing: Arc::new(writing),
        };
        let (limits, watched) = (limits.clone(), Arc::clone(&guard.watched));
        let writing = Arc::clone(&guard.writing);
        let work = move || {
            loop {
                std::thread::sleep(LOOK);
                let mut slot = lock(&watched);
                let limit = slot
                    .as_mut()
                    .and_then(|query| query.overdue(&limits, &writing));
                if let (Some(limit), Some(query)) = (limit, slot.take_if(|_| limit.is_some())) {
                    // The lock is kept: the other thread must not write a report as well.
                    let phase = limits.phase.get();
                    let doing = match writing.at_work() {
                        true => "writing the checkpoint, which stands still",
                        false => phase.words(),
                    };
                    // Where the search came to its end by itself, the last checkpoint holds all of it.
                    if let Some(lost) = writing.lost().filter(|_| phase != Phase::Ending) {
                        output::warning(&lost);
                    }
                    let overrun = Overrun {
                        limit,
                        doing,
                        progress: query.progress,
                        time: query.since.elapsed(),
                    };
                    let exit = (query.farewell)(&overrun);
                    writing.release();
                    std::process::exit(exit.code().into());
                }
            }
        };
        let _ = std::thread::Builder::new().name("guard".into()).spawn(work);
        guard
    }

    /// Where the search tells of the checkpoint that it writes.
    pub fn writing(&self) -> Arc<Writing> {
        Arc::clone(&self.writing)
    }

    /// From now on the limits count for a query, or for reading the model.
    pub fn watch(&self, phase: Phase, farewell: Farewell) {
        self.watch_since(Instant::now(), phase, farewell);
    }

    /// From now on the limits count for a command that has nothing to report when they end it but that.
    pub fn end_with_error(&self, phase: Phase) {
        self.watch(
            phase,
            Box::new(|overrun| {
                output::error(&overrun.reason());
                Exit::Undecided
            }),
        );
    }

    /// Watches a query that began at a time.
    pub fn watch_since(&self, since: Instant, phase: Phase, farewell: Farewell) {
        self.limits.phase.enter(phase);
        *lock(&self.watched) = Some(Watched::new(since, farewell));
    }

    /// Does the work of writing a file. One that may be a pipe, which waits for whoever reads it, is written under the
    /// limits of a query that began at a time; `lost` writes the report where they end it.
    pub fn while_writing(
        &self,
        path: &Path,
        since: Instant,
        lost: Box<dyn FnOnce() -> Exit + Send>,
        write: impl FnOnce() -> Result<(), String>,
    ) -> Result<(), String> {
        if !output::is_special(path) {
            return write();
        }
        let name = path.display().to_string();
        self.watch_since(
            since,
            Phase::Writing,
            Box::new(move |overrun| {
                output::error(&format!("cannot write {name}: {}", overrun.limit));
                lost()
            }),
        );
        let written = write();
        self.rest();
        written
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
    fn new(since: Instant, farewell: Farewell) -> Watched {
        Watched {
            since,
            cancelled: None,
            written: (0, 0),
            moved: None,
            told: false,
            progress: ProgressView::default(),
            farewell,
        }
    }

    /// The limit that was overrun, if one was.
    fn overdue(&mut self, limits: &Limits, writing: &Writing) -> Option<StopReason> {
        let (written, at_work) = (writing.progress(), writing.at_work());
        if written != self.written {
            (self.written, self.moved) = (written, Some(Instant::now()));
        }
        if limits.cancel.load(Ordering::SeqCst) && self.cancelled.is_none() {
            self.cancelled = Some(Instant::now());
        }
        let timeout = limits.timeout.and_then(|time| self.since.checked_add(time));
        for (reached, reason) in [
            (self.cancelled, StopReason::Cancelled),
            (timeout, StopReason::Timeout),
        ] {
            let Some(reached) = reached else { continue };
            if at_work && reached.elapsed() >= GRACE && !std::mem::replace(&mut self.told, true) {
                writing.tell();
            }
            let grace = match limits.phase.get() {
                _ if at_work => STANDSTILL,
                Phase::Ending => ENDING,
                _ => GRACE,
            };
            // A search that has written looks at its limits afterwards: only from then on it is late.
            let last = self.moved.map_or(reached, |moved| moved.max(reached));
            if last.elapsed() >= grace {
                return Some(reason);
            }
        }
        let memory = limits.memory.filter(|limit| too_much(*limit));
        memory.map(|_| StopReason::Memory)
    }
}

/// Whether the process is so far above its limit that the search's own account of its memory was wrong.
fn too_much(limit: u64) -> bool {
    merkhet::resident_memory() > most_memory(limit)
}

/// What a process with this limit may take before it is ended: a tenth more, or 8 MiB, which are the steps in which
/// allocators ask the system for memory.
fn most_memory(limit: u64) -> u64 {
    limit.saturating_add((limit / 10).max(8 << 20))
}

#[cfg(test)]
mod tests {
    use super::{GRACE, STANDSTILL, Watched};
    use crate::exit::Exit;
    use crate::writing::Writing;
    use merkhet::{Limits, StopReason};
    use std::sync::atomic::Ordering;
    use std::time::{Duration, Instant};

    /// Why a query is stopped, by a limit and by a signal, given how long its time is over and its checkpoint stands still.
    fn late(over: Duration, still: Option<Duration>, at_work: bool) -> [Option<StopReason>; 2] {
        let ago = |time: Duration| {
            Instant::now()
                .checked_sub(time)
                .expect("a machine that is up")
        };
        let writing = Writing::new(None);
        if at_work {
            writing.begin();
        }
        [false, true].map(|signal| {
            let mut query = Watched::new(ago(over), Box::new(|_| Exit::Undecided));
            query.moved = still.map(ago);
            let limits = Limits {
                timeout: (!signal).then_some(Duration::ZERO),
                ..Limits::default()
            };
            limits.cancel.store(signal, Ordering::SeqCst);
            query.cancelled = signal.then(|| ago(over));
            query.overdue(&limits, &writing)
        })
    }

    #[test]
    fn a_checkpoint_is_waited_for_while_it_moves() {
        let short = Duration::from_millis(100);
        let ended = [Some(StopReason::Timeout), Some(StopReason::Cancelled)];
        assert_eq!(late(GRACE, None, false), ended);
        assert_eq!(late(short, None, false), [None, None]);
        // Long after the limit, but it moved just now.
        assert_eq!(late(3 * GRACE, Some(short), true), [None, None]);
        assert_eq!(late(3 * GRACE, Some(2 * GRACE), true), [None, None]);
        assert_eq!(late(2 * STANDSTILL, Some(STANDSTILL), true), ended);
        // It is complete: the search has its second to see that its time is over.
        assert_eq!(late(3 * GRACE, Some(short), false), [None, None]);
        assert_eq!(late(3 * GRACE, Some(GRACE), false), ended);
    }
}
