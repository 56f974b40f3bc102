//! Zones in little memory, and comparisons that do not unpack them.

pub mod lanes;
pub mod minimal;
pub mod narrow;
pub(crate) mod signature;
pub mod subset;
