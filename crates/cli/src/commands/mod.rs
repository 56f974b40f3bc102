//! The commands, one file each.

mod batch;
mod causal;
pub mod certify;
pub mod check;
pub mod convert;
mod diagrams;
pub mod explain;
pub mod generate;
pub mod help;
mod last_words;
pub mod lint;
mod load;
mod overwrite;
pub mod show;
mod show_system;
pub mod simulate;
pub mod states;
mod targets;
mod trace_file;
mod words;
