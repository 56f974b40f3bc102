//! A lowering run: its state, its limits, its messages, and what it leaves behind.

pub(crate) mod checkpoint;
pub mod limits;
pub(crate) mod lowerer;
pub(crate) mod report;
pub mod tables;
