//! Brute-force oracles: every answer by enumeration, independent of the engine and of the judge.

pub(crate) mod digital;
pub(crate) mod discrete;
pub(crate) mod evaluate;
pub(crate) mod region;
pub(crate) mod region_graph;
pub(crate) mod region_queries;
pub(crate) mod walk;
