//! What a search did, in numbers.

use std::time::Duration;

use crate::open::guided::Queue;

/// What a search did, in numbers. "Explored" always means expanded states.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Statistics {
    /// States whose successors were computed.
    pub explored: u64,
    /// Successors computed, covered ones included.
    pub generated: u64,
    /// States in the store at the end that no other one covers.
    pub stored: u64,
    /// States that were ever put into the store.
    pub inserted: u64,
    /// Different discrete parts.
    pub discrete: u64,
    /// States that the heuristic pruned as dead ends.
    pub pruned: u64,
    /// The largest number of waiting states.
    pub peak_waiting: u64,
    /// The largest depth of an expanded state.
    pub max_depth: u32,
    /// The smallest estimate, if a heuristic was used.
    pub best_estimate: Option<u32>,
    /// States that were estimated.
    pub estimates: u64,
    /// It ended since the estimates of the initial states prove that no way leads to the goal.
    pub hopeless: bool,
    /// States that got the estimate of the state that they were found from, since estimates cost too much.
    pub inherited: u64,
    /// For a search with several queues: the one that the goal was found by.
    pub found_by: Option<Queue>,
    /// A second search beside the first, by levels, came to the end: see [`crate::Second`].
    pub second: bool,
    /// For A* with an admissible heuristic: the least number of transitions on any way to the goal.
    pub at_least: Option<u64>,
    /// Bytes of store and open list at the end.
    pub memory: u64,
    /// Time taken.
    pub elapsed: Duration,
}

impl Statistics {
    /// Adds what another thread of the same search did. The peaks need not have been at the same time.
    pub fn add(&mut self, other: &Statistics) {
        self.explored += other.explored;
        self.generated += other.generated;
        self.stored += other.stored;
        self.inserted += other.inserted;
        self.discrete += other.discrete;
        self.pruned += other.pruned;
        self.peak_waiting += other.peak_waiting;
        self.max_depth = self.max_depth.max(other.max_depth);
        let best = [self.best_estimate, other.best_estimate];
        self.best_estimate = best.into_iter().flatten().min();
        self.memory += other.memory;
    }
}
