//! When a search must stop, and what it tells while it runs.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use merkhet_semantics::{Cancellation, Pace};

use crate::verdict::StopReason;

/// What a search may use up.
#[derive(Clone, Copy, Debug, Default)]
pub struct Limits<'a> {
    /// The time after which it ends.
    pub timeout: Option<Duration>,
    /// The memory, in bytes, that store and open list may take.
    pub memory: Option<usize>,
    /// The number of states that may be expanded.
    pub states: Option<u64>,
    /// Ends the search when it becomes true.
    pub cancel: Option<&'a AtomicBool>,
}

/// How far a search has come.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Progress {
    /// States expanded.
    pub explored: u64,
    /// States stored.
    pub stored: u64,
    /// States that wait.
    pub waiting: u64,
    /// Bytes in use.
    pub memory: u64,
    /// The depth of the state that was expanded last.
    pub depth: u32,
    /// The smallest estimate so far.
    pub best_estimate: Option<u32>,
    /// Time since the start.
    pub elapsed: Duration,
}

/// Watches the limits of one search.
#[derive(Clone, Debug)]
pub struct Watch<'a> {
    limits: Limits<'a>,
    pub(crate) start: Instant,
    /// Time and memory are looked at every few milliseconds.
    pace: Pace,
}

impl<'a> Watch<'a> {
    /// Time counts from now on.
    pub fn new(limits: Limits<'a>) -> Watch<'a> {
        Watch::since(Instant::now(), limits)
    }

    /// Time counts from a moment before.
    pub fn since(start: Instant, limits: Limits<'a>) -> Watch<'a> {
        Watch {
            limits,
            start,
            pace: Pace::default(),
        }
    }

    /// What is left after a number of states.
    pub fn rest(&self, expanded: u64) -> Limits<'a> {
        let (timeout, states) = (self.limits.timeout, self.limits.states);
        Limits {
            timeout: timeout.map(|limit| limit.saturating_sub(self.start.elapsed())),
            states: states.map(|limit| limit.saturating_sub(expanded)),
            ..self.limits
        }
    }

    /// The limits without that of states, for one of several searches that are counted together.
    pub(crate) fn uncounted(&self) -> Limits<'a> {
        Limits {
            states: None,
            ..self.rest(0)
        }
    }

    /// The limits.
    pub(crate) fn limits(&self) -> Limits<'a> {
        self.limits
    }

    /// Changes the limit of memory.
    pub(crate) fn limit_memory(&mut self, memory: Option<usize>) {
        self.limits.memory = memory;
    }

    /// The time since the start.
    pub fn elapsed(&self) -> Duration {
        self.start.elapsed()
    }

    /// Whether the time is over or the caller wants no more.
    pub fn ended(&self) -> Option<StopReason> {
        self.look(|| 0)
    }

    /// Cancellation by these limits within one expansion.
    pub fn cancellation(&self) -> Cancellation<'a> {
        let deadline = (self.limits.timeout).and_then(|limit| self.start.checked_add(limit));
        Cancellation::until(deadline, self.limits.cancel)
    }

    /// Why work within one expansion was ended.
    pub fn why_ended(&self) -> StopReason {
        self.ended().unwrap_or(StopReason::Timeout)
    }

    /// Whether the search must stop; `bytes` is asked now and then only.
    #[inline]
    pub fn stop(&mut self, expanded: u64, bytes: impl FnOnce() -> usize) -> Option<StopReason> {
        if self.limits.states.is_some_and(|limit| expanded >= limit) {
            return Some(StopReason::States);
        }
        match self.pace.due() {
            true => self.look(bytes),
            false => None,
        }
    }

    /// Looks at time, memory and the caller's flag.
    #[cold]
    pub fn look(&self, bytes: impl FnOnce() -> usize) -> Option<StopReason> {
        if self
            .limits
            .cancel
            .is_some_and(|flag| flag.load(Ordering::Relaxed))
        {
            return Some(StopReason::Cancelled);
        }
        if self
            .limits
            .timeout
            .is_some_and(|limit| self.start.elapsed() >= limit)
        {
            return Some(StopReason::Timeout);
        }
        if self.limits.memory.is_some_and(|limit| bytes() >= limit) {
            return Some(StopReason::Memory);
        }
        None
    }
}
