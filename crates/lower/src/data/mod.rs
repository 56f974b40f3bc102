//! Types, objects and the values of expressions.

pub(crate) mod memory;
pub(crate) mod object;
pub mod types;
pub(crate) mod value;
