//! The typed, instantiated, compiled form of a network of timed automata.
//!
//! Nothing here knows an input language. A [`Network`] holds processes, clocks, channels and a flat memory of integer
//! cells; guards, invariants, updates and functions are trees over that memory ([`Expr`], [`Stmt`]) without names,
//! types or references left to resolve.

pub mod code;
pub mod constraint;
pub mod expression;
pub mod ids;
pub mod lattice;
pub mod memory;
pub mod network;
pub mod print;
pub mod query;
pub mod trace;
pub mod tuning;
mod walk;

pub use constraint::{ClockConstraint, Guard, Invariant, MAX_CLOCK_CONSTANT, Rate};
pub use expression::{
    Argument, BinaryOp, ClockPlace, Expr, Function, Index, Place, Quantifier, Stmt, UnaryOp,
};
pub use ids::{
    ChannelId, ClockId, EdgeId, EventId, FunctionId, LocationId, ProcessId, SiteId, VariableId,
};
pub use lattice::{Direction, LatticeSource, LatticeType, LatticeVariable, Native, NativeOrder};
pub use memory::{Address, Cell, Local, Region, Shape, Variable};
pub use network::{
    Channel, ChannelKind, Clock, Edge, Location, LocationKind, Network, OutOfRange, Owner,
    Participant, Process, Site, Sync, SyncVector,
};
pub use query::{Extremum, Formula, Measure, Query, QueryKind};
pub use trace::{Ending, Step, Trace, Transition};
pub use tuning::{Tunable, Tuning, TuningError};
pub use walk::unroll::unrolled;
pub use walk::{bounds, footprint, interval, visit};
