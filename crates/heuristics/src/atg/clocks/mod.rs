//! Clocks in the abstract transition graph: what section 7 of the paper leaves open.
//!
//! Three kinds of facts strengthen h^L and h^U, each an over-approximation of what runs can do, so that h^L stays
//! admissible and an infinite value stays a proof. A search state is a zone; of it only bounds are read that hold for all
//! its valuations.
//!
//! 1. *Upper bounds need resets.* A clock never falls but by a reset. Where the zone's lower bound of x violates `x ≤ c`, an
//!    edge with this guard, or with this invariant at its source, or at its target unless its transition may set x, needs a
//!    transition before it that sets x to at most c. Such thresholds are values of an additional small cell for each
//!    clock: the zone gives the ones that it permits, resets bring others (`facts`, `compile`).
//! 2. *Lower bounds need time.* A guard `x ≥ c` at location l opens c time units after the last reset of x. The earliest
//!    time of that reset is followed along the edges of the process, location by location, as the paper proposes, and
//!    with it the earliest time at which each edge can be taken and the goal be met (`timed`). Every condition is achieved
//!    on its own and the maximum taken, as in the layers.
//! 3. *Time needs moves.* Invariants limit how long a process can do nothing. For each location and each number n the
//!    longest time is tabulated that can pass while the process takes n edges; read the other way round, the time until
//!    the goal forces a number of moves on each process (`horizon`). Moves of processes that never take part in the same
//!    transition add up.
//!
//! Facts about data are not combined with these, and urgency of channels, priorities and clock differences do not count.

mod compile;
mod estimate;
mod facts;
mod horizon;
mod own;
mod timed;

pub(super) use compile::{ClockCell, ClockCompiler, Timing};
pub(super) use estimate::Clocks;
pub(super) use horizon::Horizon;
pub(super) use own::inputs;
pub(super) use timed::{TimeModel, TimedEdge, Timer};
