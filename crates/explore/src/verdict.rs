//! What a search found, and what it did not prove.

use std::fmt;

use crate::trace::SymbolicTrace;

/// The result of a search.
#[derive(Clone, PartialEq, Debug)]
pub enum Verdict {
    /// The goal is reached along the trace. If the system over-approximates, the trace must be confirmed.
    Reachable(SymbolicTrace),
    /// The goal cannot be reached.
    Unreachable(Completeness),
    /// Neither was shown.
    Unknown(StopReason),
}

/// The proof that nothing was left out: only an exhausted search whose prunings were all safe can make one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Completeness {
    expanded: u64,
}

impl Completeness {
    pub(crate) fn exhausted(expanded: u64) -> Completeness {
        Completeness { expanded }
    }

    /// The number of states that were expanded.
    pub fn expanded(&self) -> u64 {
        self.expanded
    }
}

/// Why a search ended without a verdict.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum StopReason {
    /// The time was up.
    Timeout,
    /// The memory was used up.
    Memory,
    /// The allowed number of states was expanded.
    States,
    /// The caller asked for it.
    Cancelled,
    /// Everything that was seen has been expanded, but states may have been missed: bit-state hashing, or a heuristic
    /// that took states for dead ends without being sure.
    Incomplete,
}

impl fmt::Display for StopReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            StopReason::Timeout => "time limit reached",
            StopReason::Memory => "memory limit reached",
            StopReason::States => "state limit reached",
            StopReason::Cancelled => "interrupted",
            StopReason::Incomplete => {
                "not found, but states may have been missed (bit-state hashing or unsafe pruning)"
            }
        })
    }
}
