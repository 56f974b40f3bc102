//! When a search must stop, and what it tells while it runs.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

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
    pub expanded: u64,
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
pub(crate) struct Watch<'a> {
    limits: Limits<'a>,
    pub start: Instant,
    /// Counts the calls between two looks at the clock.
    calls: u32,
}

/// Time and memory are looked at once in so many calls.
const INTERVAL: u32 = 256;

impl<'a> Watch<'a> {
    pub fn new(limits: Limits<'a>) -> Watch<'a> {
        Watch {
            limits,
            start: Instant::now(),
            calls: 0,
        }
    }

    /// Whether the search must stop; `bytes` is asked now and then only.
    #[inline]
    pub fn stop(&mut self, expanded: u64, bytes: impl FnOnce() -> usize) -> Option<StopReason> {
        if self.limits.states.is_some_and(|limit| expanded >= limit) {
            return Some(StopReason::States);
        }
        self.calls += 1;
        if !self.calls.is_multiple_of(INTERVAL) {
            return None;
        }
        self.look(bytes)
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
