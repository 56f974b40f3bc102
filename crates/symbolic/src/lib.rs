//! Finite systems as decision diagrams: images, pattern databases, guided invariant checking.

pub mod bdd;
pub mod ctl;
pub mod encode;
pub mod limits;
pub mod order;
mod reach;
pub mod relation;
pub mod system;
