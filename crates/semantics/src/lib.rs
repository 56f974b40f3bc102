//! The symbolic transition system of a network: successors over (discrete part, zone).
//!
//! A [`System`] is a network compiled for exploration; it is immutable and can be shared between threads. An
//! [`Explorer`] owns the work buffers of one thread and computes initial states, successors, goal tests and deadlocks.
//! States are plain slices that the caller owns ([`State`]); a successor is handed to the caller's sink and lives until
//! the sink returns, so that nothing is allocated per successor.
//!
//! # What a state is
//! The discrete part is a slice of cells: the location of each process, the state variables, the meta variables (which
//! are no part of a state's identity). The zone holds all valuations that are reached by a delay as long as the
//! invariants permit it, unless time is stopped: by an urgent or committed location, or by a synchronisation over an
//! urgent channel that is enabled.
//!
//! # Order
//! Successors come in a fixed order: by process (of the sender), then by edge in the order of the source; the receivers
//! of a channel by process, then by edge; the choices of several broadcast receivers with the first receiver's choice
//! changing slowest; vectors of flat models after all that, in their order. Where a transition has to be split into several
//! zones the parts follow each other.
//!
//! # Enabledness
//! A transition is enabled where the guards of all its edges hold. Where a target invariant fails, the transition does
//! not exist: a broadcast's receivers may not stay away for that, and an urgent channel stops time all the same; but
//! transitions of lower priority are put off only by those that exist.

#![forbid(unsafe_code)]

mod cancellation;
mod compile;
mod course;
mod data;
mod explorer;
mod goal;
mod options;
mod state;
mod successors;
mod symmetry;
mod system;
mod time;
pub mod tuning;

pub use cancellation::{Cancellation, Pace};
pub use compile::CompileError;
pub use course::{Course, Leg, NoCourse};
pub use explorer::Explorer;
pub use goal::GoalId;
pub use options::{Extrapolation, Options, Scope};
pub use state::{EdgeIndex, Origin, State, Successor};
pub use successors::moves::Moves;
pub use symmetry::Permutation;
pub use system::{CellRange, System};
pub use time::stay::Stay;

pub use merkhet_network::code::{ClockUpdate, Fault, FaultKind};
