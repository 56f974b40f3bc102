//! Random networks and brute-force oracles for the tests of the other crates.
//!
//! - [`generate`] makes a small random network with queries from a seed; a [`Profile`] says what may occur in it.
//! - [`RegionGraph`] decides every kind of query exactly, by the construction of Alur and Dill, also with diagonal
//!   constraints, priorities and clock guards on broadcast receivers.
//! - [`DigitalGraph`] decides reachability for closed networks in integer time, by another way.
//! - [`running_example`] is a small system with known distances.
//! - [`walk`] makes random concrete runs, and [`is_run`] says whether a trace is one.
//! - [`minimise`] makes a network that shows a failure smaller.
//!
//! Nothing here shares code with the engine nor with the judge.

mod digital;
mod discrete;
mod evaluate;
mod figure;
mod generate;
mod independent;
mod minimise;
mod profile;
mod queries;
mod random;
mod region;
mod region_graph;
mod region_queries;
mod walk;

pub use digital::DigitalGraph;
pub use discrete::{Discrete, Obstacle};
pub use figure::running_example;
pub use generate::generate;
pub use minimise::minimise;
pub use profile::Profile;
pub use random::Random;
pub use region::Region;
pub use region_graph::{Node, RegionGraph};
pub use region_queries::{Answer, End, Range};
pub use walk::{is_run, walk};
