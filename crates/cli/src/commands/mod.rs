//! The commands, one file each.

pub mod certify;
mod checking;
pub mod cluster;
pub mod editor;
pub mod help;
mod load;
mod models;
mod munta;
pub mod serve;
mod targets;

pub use checking::check;
pub use models::{convert, explain, generate, lint, show, simulate, states};
