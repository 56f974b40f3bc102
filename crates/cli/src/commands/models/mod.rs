//! Commands about a model without an answer to its queries: what it holds, how it runs, and other forms of it.

mod causal;
pub mod convert;
pub mod explain;
pub mod generate;
pub mod lint;
pub mod show;
mod show_system;
pub mod simulate;
pub mod states;
mod words;
