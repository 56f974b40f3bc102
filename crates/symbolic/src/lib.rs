//! Finite systems as decision diagrams: images, pattern databases, guided invariant checking.

pub mod system;
