//! The library of lattices that models may use beside zones.
//!
//! A. E. Dalsgaard and others: opaal, a lattice model checker, NFM 2011, names them: bit vectors and power sets,
//! present and absent sets of databases, ranges of integers, cache ages, and their products.

mod bits;
mod cache;
mod integers;
mod interval;
mod present_absent;
mod product;
mod sets;

pub use bits::BitVector;
pub use cache::MustCache;
pub use integers::{MaxInteger, MinInteger};
pub use interval::Interval;
pub use present_absent::PresentAbsent;
pub use sets::{MaySet, MustSet};
