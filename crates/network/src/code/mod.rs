//! Register bytecode: what the engine runs instead of walking trees.
//!
//! A [`ProgramBuilder`] compiles expressions, statements and the functions that they call; a [`Machine`] runs the
//! resulting [`Program`] over one flat memory ([`Layout`]) without allocating or recursing. Operands are slots of that
//! memory, literals included; conditions become jumps; small functions are inlined and short loops unrolled.
//!
//! The meaning is that of the trees, with these points settled:
//! - the indices of a place are evaluated and checked one by one, outermost first;
//! - an assignment evaluates its value, then the target's indices, then checks the range, then writes; a clock is set in
//!   the same order; a copy evaluates its source's indices first;
//! - a function that ends without `return` gives 0;
//! - arithmetic is modulo 2^32 ([`arithmetic`]); what leaves the range of a variable is a fault.

mod compile;
pub(crate) mod machine;

pub use compile::builder::ProgramBuilder;
pub use compile::constant::evaluate_constant;
pub use compile::quick::Quick;
pub use machine::arithmetic;
pub use machine::fault::{Fault, FaultKind};
pub use machine::layout::Layout;
pub use machine::program::{CodeId, Program};
pub use machine::{ClockUpdate, DEFAULT_FUEL, Machine};

#[cfg(test)]
mod tests;
