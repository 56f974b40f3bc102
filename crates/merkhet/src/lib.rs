//! The library facade: check a model and get a report of plain data.
//!
//! [`Model::read`] turns text into an instantiated network with its queries; [`check()`] decides a query and returns a
//! [`Report`]. Every trace in a report has been accepted by the independent judge (`merkhet-replay`).

#![forbid(unsafe_code)]

pub mod check;
mod checker;
mod config;
mod diagrams;
pub mod explore;
mod failure;
pub mod lattice;
mod load;
mod memory;
mod report;
mod search;
mod source;
pub mod tuning;
mod why;

pub use check::explain;
pub use check::{Ran, Traces, all_traces, check, check_kept, fingerprint};
pub use checker::{Checker, Work};
pub use config::{Config, ConfigError, Limits, Phase, PhaseCell, Spec, TraceKind};
pub use diagrams::{DIAGRAM_SEARCHES, DiagramOptions, DiagramSearch, check_with_diagrams};
pub use failure::Failure;
pub use load::{Model, ModelQuery, is_smv};
pub use memory::{peak_bytes as peak_memory, resident_bytes as resident_memory};
pub use merkhet_analysis::causal;
pub use merkhet_analysis::reduce::{
    Kind as ReductionKind, NotReduced, Part as RemovedPart, Reduction, Removed,
};
pub use merkhet_explore::{Inclusion, Keeper, Progress, StopReason, TieBreak};
pub use merkhet_finite as finite;
pub use merkhet_heuristics::{
    ALL as HEURISTICS, Entry as HeuristicEntry, HeuristicError, HeuristicSpec, Prune,
};
pub use merkhet_lattices::{JOININGS, Joining, UPDATES, Update};
pub use merkhet_lower as lower;
pub use merkhet_lower::UNSUPPORTED;
pub use merkhet_network as network;
pub use merkhet_replay as replay;
pub use merkhet_semantics::Extrapolation;
pub use merkhet_symbolic as symbolic;
pub use merkhet_syntax as syntax;
pub use merkhet_walks::Policy as WalkPolicy;
pub use report::{Answer, Bound, Databases, Figures, Length, Reduced, Report, Summary, Value};
pub use search::{ALL_SEARCHES, SearchSpec, WalkKind, WalkSpec};
pub use source::EdgeText;
pub use why::{Explicit, Grounds, NoLeastTime, Remark, Why};
