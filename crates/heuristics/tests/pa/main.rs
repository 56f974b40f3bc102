//! Predicate abstraction: the paper's examples, decisions, the subsumption tree.

mod decisions;
mod figures;
mod saved;
mod subsumption;
mod support;
mod z3;
