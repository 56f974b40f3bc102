//! How far a search goes until somebody decides how to go on, and how it stands then.

use crate::verdict::StopReason;

/// What a search may do until it comes back.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Budget {
    /// States that may be expanded.
    pub expansions: u64,
    /// States that may be taken from the open list, those included that larger ones have made superfluous meanwhile.
    pub steps: u64,
    /// It comes back when several threads could share the work.
    pub until_wide: Option<Width>,
}

impl Budget {
    /// No bound.
    pub const UNLIMITED: Budget = Budget {
        expansions: u64::MAX,
        steps: u64::MAX,
        until_wide: None,
    };

    /// Takes one state from the open list.
    pub const STEP: Budget = Budget {
        steps: 1,
        ..Budget::UNLIMITED
    };

    /// Expands up to `states` states.
    pub fn expansions(states: u64) -> Budget {
        Budget {
            expansions: states,
            ..Budget::UNLIMITED
        }
    }

    /// Goes on until the search is wide.
    pub fn until_wide(width: Width) -> Budget {
        Budget {
            until_wide: Some(width),
            ..Budget::UNLIMITED
        }
    }
}

/// When a search is wide: all three must hold.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Width {
    /// The least number of waiting states.
    pub waiting: usize,
    /// The expanded states for each waiting one, at most: a search with more is narrow.
    pub expanded_per_waiting: u64,
    /// The least number of states seen, expanded or waiting.
    pub seen: u64,
}

impl Width {
    /// Whether a search with these numbers of states is wide.
    pub fn is_reached(&self, waiting: usize, expanded: u64) -> bool {
        waiting >= self.waiting
            && waiting as u64 >= expanded / self.expanded_per_waiting
            && waiting as u64 + expanded >= self.seen
    }
}

/// How a search stands.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Status {
    /// The goal was found.
    Found,
    /// No state waits any more.
    Exhausted,
    /// A limit was reached.
    Limit(StopReason),
    /// The store of the states seen refused one; it knows why.
    Refused,
    /// The budget was spent; [`super::Search::advance`] goes on.
    BudgetSpent,
    /// An evaluation failed. [`super::Search::advance`] goes on without what is behind the fault, which can find the goal
    /// and prove nothing.
    Fault,
}
