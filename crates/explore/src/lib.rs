//! Store, open lists and the one expansion loop that every search is a preset of.
//!
//! [`search`] explores a [`merkhet_semantics::System`] until a goal is found, everything has been seen or a limit is
//! reached. Breadth first, depth first, greedy and A* differ in the open list and the heuristic only ([`Strategy`]). A
//! [`Verdict`] says what was found and what was not proved.

#![forbid(unsafe_code)]

mod cache;
mod checkpoint;
pub mod concretise;
mod fastest;
mod heuristic;
mod key;
mod limits;
pub mod liveness;
mod nearby;
mod open;
mod parallel;
mod passed;
mod search;
mod statistics;
pub mod store;
mod strategy;
mod trace;
pub mod tuning;
mod unfold;
mod verdict;

pub use cache::{Cached, DEFAULT_ENTRIES};
pub use checkpoint::Keeper;
pub use concretise::{NotConcrete, Target, Throughout, concretise, concretise_to};
pub use fastest::{Fastest, NotFastest, fastest};
pub use heuristic::{
    Blind, Estimate, Estimates, Guides, Heuristic, HeuristicFacts, Keyed, Preference, Ranks,
    Unguided, Unranked,
};
pub use key::{Packer, hash as hash_words};
pub use limits::{Limits, Progress, Watch};
pub use nearby::{Allowance, Nearby, nearby};
pub use open::TieBreak;
pub use open::guided::Queue;
pub use parallel::{
    ClusterFailure, ClusterOutcome, Exchange, Lost, MOST_PROCESSES, MakeHeuristic, ParallelOutcome,
    PartKeeper, ProcessShare, search_in_cluster, search_in_parallel, search_with_threads,
};
pub use passed::{Passed, Transitions, Turn};
pub use search::{
    Beside, Beyond, Budget, Config, Failure, Looks, Outcome, Policy, Search, Second, Share, Status,
    Width, search, search_resumable, search_under,
};
pub use statistics::Statistics;
pub use store::{Inclusion, Plain, StateId, Store};
pub use strategy::Strategy;
pub use trace::SymbolicTrace;
pub use verdict::{Completeness, StopReason, Verdict};
