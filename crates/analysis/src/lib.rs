//! Static facts about a network that the exploration rests on, and transformations of networks.
//!
//! Nothing here knows zones or searches: [`bounds`] tells how precisely the values of each clock matter at each
//! location; [`live`] where the value of a variable is not read any more; [`causal`] which parts may have to change before others can; [`invariant`] which formulas hold whatever most of the network does; [`symmetry`] which processes may change places; [`reduce`] leaves out what a query does not need, with the way back for traces.

#![forbid(unsafe_code)]

pub mod bounds;
pub mod causal;
pub mod invariant;
pub mod live;
pub mod reduce;
pub mod symmetry;
pub mod tuning;

pub use bounds::{
    BoundsRow, ClockBounds, Demand, Difference, Differences, endless_difference, mentions_deadlock,
};
pub use live::{LiveCells, lasting_meta, reads_meta};
pub use reduce::Reduction;
pub use symmetry::Symmetry;
