//! The commands, one file each.

mod causal;
pub mod certify;
pub mod check;
mod diagrams;
pub mod generate;
pub mod lint;
mod load;
pub mod show;
mod smv;
