//! Predicate abstraction: the paper's examples, admissibility on random networks, decisions, the subsumption tree.

mod admissible;
mod decisions;
mod figures;
mod optimal;
mod saved;
mod subsumption;
mod support;
mod z3;
