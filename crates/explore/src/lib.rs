//! Store, open lists and the one expansion loop that every search is a preset of.
//!
//! [`search`] explores a [`merkhet_semantics::System`] until a goal is found, everything has been seen or a limit is
//! reached. Breadth first, depth first, greedy and A* differ in the open list and the heuristic only ([`Strategy`]). A
//! [`Verdict`] says what was found and what was not proved.

#![forbid(unsafe_code)]

mod cache;
mod checkpoint;
pub mod concretise;
mod deep;
mod fastest;
mod frontier;
mod governor;
mod guided;
mod heuristic;
mod key;
mod limits;
pub mod liveness;
mod moves;
mod open;
mod parallel;
mod run;
mod scouts;
mod statistics;
pub mod store;
mod strategy;
mod trace;
mod verdict;
mod waiting;

pub use cache::{Cached, DEFAULT_ENTRIES};
pub use checkpoint::Keeper;
pub use concretise::{NotConcrete, Target, Throughout, concretise, concretise_to};
pub use fastest::{Fastest, NotFastest, fastest};
pub use guided::Queue;
pub use heuristic::{Blind, Estimate, Heuristic, HeuristicFacts, Preference};
pub use limits::{Limits, Progress};
pub use open::TieBreak;
pub use parallel::{MakeHeuristic, ParallelOutcome, search_in_parallel, search_with_threads};
pub use run::{Config, Failure, Outcome, search, search_kept};
pub use statistics::Statistics;
pub use store::{Inclusion, StateId, Store};
pub use strategy::Strategy;
pub use trace::SymbolicTrace;
pub use verdict::{Completeness, StopReason, Verdict};
