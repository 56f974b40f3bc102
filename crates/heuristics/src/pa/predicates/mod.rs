//! Predicates over slots, and vectors of their truth values.

pub mod linear;
pub mod predicate;
pub mod slots;
pub mod vector;
