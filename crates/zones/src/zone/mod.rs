//! Zones: convex sets of clock valuations as difference bound matrices (DBMs).
//!
//! A zone of *dimension* `n` speaks of the reference clock 0, which is always zero, and of the clocks `1..n`. It is a
//! slice of `n * n` [bounds](crate::bound), row by row: entry `i * n + j` bounds `x_i - x_j`. So row 0 holds the
//! negated lower bounds, column 0 the upper bounds. The caller owns the memory (an arena, a scratch buffer); no
//! operation of the hot path allocates.
//!
//! A zone is *closed* (canonical) if every entry is the tightest that the others imply. Then equal sets are equal
//! slices and inclusion is a comparison of entries. Unless an operation says otherwise, it takes closed zones that
//! are not empty, with all clocks at least zero, and leaves them so. An operation that may find the zone empty
//! returns `false` then and leaves it marked empty ([`is_empty`]) with otherwise unspecified entries.
//!
//! Every operation asserts the length of its slices: a wrong dimension is a bug of the caller.

mod abstraction;
mod basic;
mod close;
mod compare;
mod constrain;
mod delay;
pub mod federation;
mod kernel;
pub mod point;
mod print;
mod rows;
pub mod storage;
mod update;

pub use abstraction::extrapolate::{extrapolate_lu, extrapolate_lu_plus};
pub use abstraction::simulation::{alu_core, included_in_alu};
pub use basic::{init_universal, init_zero, is_empty, mark_empty};
pub use close::{close, close_through};
pub use compare::{Relation, equal, includes, relation, surely_disjoint};
pub use constrain::{Constraint, constrain, constrain_all, implies, intersect, is_consistent_with};
pub use delay::{down, up, up_running, up_within};
pub use federation::subtract::subtract;
pub use print::Printed;
pub use storage::signature::Signature;
pub use storage::{lanes, minimal, narrow, subset};
pub use update::{convex_union, copy, free, reset, shift};
