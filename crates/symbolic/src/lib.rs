//! Finite systems as decision diagrams: images, pattern databases, guided invariant checking.

pub mod bdd;
pub mod check;
pub mod cone;
pub mod ctl;
pub mod encode;
mod explain;

pub mod guided;
pub mod limits;
mod ltl;
pub mod order;
mod reach;
pub mod relation;

pub use merkhet_finite as system;
