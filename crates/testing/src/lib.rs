//! Random networks and brute-force oracles for the tests of the other crates.
//!
//! - [`generate`] makes a small random network with queries from a seed; a [`Profile`] says what may occur in it.
//! - [`RegionGraph`] decides every kind of query exactly, by the construction of Alur and Dill, also with diagonal
//!   constraints, priorities and clock guards on broadcast receivers.
//! - [`DigitalGraph`] decides reachability for closed networks in integer time, by another way.
//! - [`running_example`] is a small system with known distances.
//! - [`walk`] makes random concrete runs, and [`is_run`] says whether a trace is one.
//! - [`minimise`] makes a network that shows a failure smaller.
//! - [`shared`] finds collections of models outside the repository, and [`skip`] says that a test does without them.
//!
//! Nothing here shares code with the engine nor with the judge.

#![forbid(unsafe_code)]

mod collections;
mod figure;
mod oracle;
mod random;

pub use collections::{shared, skip};
pub use figure::running_example;
pub use oracle::digital::DigitalGraph;
pub use oracle::discrete::{Discrete, Obstacle};
pub use oracle::region::Region;
pub use oracle::region_graph::{Node, RegionGraph};
pub use oracle::region_queries::{Answer, End, Range};
pub use oracle::walk::{is_run, walk};
pub use random::Random;
pub use random::generate::generate;
pub use random::minimise::minimise;
pub use random::profile::Profile;
