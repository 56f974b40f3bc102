//! Joining strategies and counter-example guided refinement for lattice automata.
//!
//! After Dalsgaard et al., "opaal: a lattice model checker" (2011), appendix B. A configuration is a discrete state with
//! a lattice element: the elements of all lattice variables and the zone of the clocks, side by side. [`explore`] is
//! algorithm 1, the search of `merkhet-explore`, with one of the [`Update`]s: simple (algorithm 2), cover (3), join (4), or joins that are taken back where
//! they were to blame for a path that does not exist (5).
//!
//! [`explore_in_turns`] joins and covers side by side: which of both is shorter, only the search shows.
//!
//! Cover is exact and join over-approximates, both under the monotonicity property: what a smaller element can do, a
//! larger one can do as well. [`proof`] shows that of a model, or names what stands in the way.
//! [`Options::check_monotone`] tests it along a search, on pairs only; the laws of lattices that come with a model are
//! always tested on samples.

#![forbid(unsafe_code)]

mod add;
mod checkpoint;
mod describe;
mod graph;
mod index;
mod laws;
mod monotone;
mod order;
pub mod proof;
mod refine;
mod run;
mod store;
mod threads;
pub mod tuning;
mod turns;
mod update;

pub use checkpoint::explore_resumable;
pub use order::Broken;
pub use refine::Split;
pub use run::{Failure, Options, Outcome, Verdict, explore};
pub use threads::explore_with_threads;
pub use turns::{Beside, explore_in_turns};
pub use update::{Joining, Rules, UPDATES, Update};
