//! Lattices: the order and join of symbolic states, zones among them.
//!
//! [`Lattice`] is what the search needs to know of a symbolic state: an order (larger means more behaviour), a join
//! and emptiness. [`zone`] is the kernel for sets of clock valuations (difference bound matrices), which works on
//! slices that the caller owns; [`Zone`] and [`Federation`] own their memory, for callers that are not in a hurry.
//! [`library`] holds the other lattices that models may use.

// The generator of random zones is shared by unit tests and the tests and benchmarks outside.
#[cfg(test)]
extern crate self as merkhet_lattice;

pub mod bound;
mod lattice;
pub mod library;
pub mod zone;

pub use lattice::Lattice;
pub use zone::federation::Federation;
pub use zone::owned::Zone;
