//! The independent judge of traces: interprets the expressions of a system state by state. It
//! knows the system only, no diagrams and no search.

mod arithmetic;
mod evaluate;
mod judge;
mod shows;
#[cfg(test)]
mod tests;

pub use evaluate::{Situation, possible_values};
pub use judge::{Judgement, judge};
pub use shows::shows;
