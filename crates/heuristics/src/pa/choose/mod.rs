//! Where predicates come from, and which stay.

pub mod refine;
pub(in crate::pa) mod steady;
pub mod strategy;
pub(in crate::pa) mod syntax;
pub mod timing;
pub(in crate::pa) mod worth;
