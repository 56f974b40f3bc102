//! Walks: runs of a network on concrete states, to find errors without storing anything.
//!
//! A walk begins at the initial state, chooses a transition that is possible now or after a delay, then its delay, and goes
//! on until a goal holds, nothing more can be done or it has reached its depth. Then the next one begins. The walks are
//! those of "Randomized Reachability Analysis in UPPAAL: Fast Error Detection in Timed Systems" (Kiviriga, Larsen, Nyman,
//! FMICS 2021). Guided walks begin at the best state seen so far ([`Lane::Guided`]).
//!
//! A state is one exact valuation, so that what is reached is reached, with stopwatches too. A walk that finds nothing
//! shows nothing. A run that is known, whoever has found it, is made shorter ([`Shortener`]).

#![forbid(unsafe_code)]

mod climb;
mod depths;
mod goal;
mod model;
mod near;
mod policy;
mod random;
mod run;
mod shorten;
mod state;
mod time;
pub mod tuning;
mod walker;

pub use depths::Depths;
pub use model::{Model, TooLarge};
pub use policy::Policy;
pub use shorten::{Purse, Shortener, TAKEN};
pub use walker::{Lane, Settings, Statistics, Walker};

pub use merkhet_network::code::Fault;
