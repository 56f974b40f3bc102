//! The parts of a report, as plain data: what a query, its trace, its heuristic and its stages come to.

pub mod batch;
pub mod databases;
pub mod diagrams;
pub mod path;
pub mod processes;
pub mod quantity;
pub mod reductions;
pub mod results;
pub mod stage;
pub mod trace;
