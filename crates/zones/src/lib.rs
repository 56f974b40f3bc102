//! Zones: sets of clock valuations as difference bound matrices.
//!
//! [`zone`] is the kernel; it works on slices that the caller owns. A [`Federation`] is a list of zones that owns its
//! memory, for subtraction. Extrapolations and simulation tests stand next to the operations they belong to.

// The generator of random zones is shared by unit tests and the tests and benchmarks outside.
#[cfg(test)]
extern crate self as merkhet_zones;

pub mod bound;
pub mod zone;

pub use zone::federation::Federation;
