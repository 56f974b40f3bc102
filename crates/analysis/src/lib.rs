//! Static facts about a network that the exploration rests on.
//!
//! Nothing here knows zones or searches: [`bounds`] tells how precisely the values of each clock matter at each
//! location.

pub mod bounds;

pub use bounds::{BoundsRow, ClockBounds, Demand, Difference, Differences, mentions_deadlock};
