//! Names, types and template instantiation: from syntax trees to networks.

pub mod smv;
pub mod tck;
