//! Load a model, check a query, look at the verdict and the trace: plain data, with every trace accepted by an independent
//! judge (`merkhet-replay`) before it is reported.
//!
//! ```
//! use merkhet::{Answer, Config, Limits, Model, check};
//! use std::time::Duration;
//!
//! let text = "
//!     clock x;
//!     process Lamp() {
//!         state off, on { x <= 5 };
//!         init off;
//!         trans off -> on { assign x = 0; }, on -> off { guard x >= 2; };
//!     }
//!     system Lamp;";
//! let mut model = Model::read("lamp.xta", text.as_bytes());
//! assert!(!model.has_errors(), "{:?}", model.diagnostics);
//! let asked = model.query("E<> Lamp.on && x == 4");
//! let config = Config {
//!     search: Some("bfs".parse()?),
//!     limits: Limits { timeout: Some(Duration::from_secs(10)), ..Limits::default() },
//!     ..Config::default()
//! };
//! let (network, query) = (model.network().unwrap(), asked.query.as_ref().unwrap());
//! let report = check(network, query, &config, &mut |_progress| {})?;
//! assert_eq!(report.answer, Answer::Satisfied);
//! let run = report.trace.expect("a run that shows it");
//! let moves: Vec<_> = run.steps.iter().flat_map(|step| &step.edges).collect();
//! println!("{} after {} steps, {} explored", report.search, moves.len(), report.figures.explored);
//! // Times count in units of 1 / run.scale; the goal is met after waiting `last_delay` in the last state.
//! assert_eq!(run.end_time + run.last_delay, i128::from(4 * run.scale));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! What cannot be decided is [`Answer::Unknown`] with a [`Why`]; what stands in the way of checking at all is a
//! [`Failure`]. [`Model::read`] reads UPPAAL's languages, TChecker's and SMV, whose questions a [`Checker`] decides in one
//! way. [`Config`] has a field for every option of `merkhet check`, and the searches and heuristics by name
//! ([`ALL_SEARCHES`], [`HEURISTICS`]). [`explain`] shows what a heuristic sees, [`explore`] walks through symbolic states,
//! and [`lattice`] is for lattices written in Rust.

#![forbid(unsafe_code)]

mod check;
mod checker;
mod config;
mod diagrams;
pub mod explore;
mod failure;
mod joining;
pub mod lattice;
mod load;
mod memory;
mod options;
mod report;
mod search;
mod source;
pub mod tuning;
mod why;

pub use check::explain;
pub use check::{
    Cluster, ClusterReport, Identity, Ran, Traces, all_traces, check, check_guided,
    check_in_cluster, check_resumable, check_run, not_in_cluster,
};
pub use checker::{Checker, Work};
pub use config::{Config, ConfigError, Limits, Phase, PhaseCell, Spec, TraceKind};
pub use diagrams::{
    DIAGRAM_SEARCHES, DiagramOptions, DiagramSearch, SystemProof, check_with_diagrams,
};
pub use failure::Failure;
pub use joining::{JOINING_RULES, JoiningRule};
pub use load::{Model, ModelQuery, is_smv};
pub use memory::{peak_bytes as peak_memory, resident_bytes as resident_memory};
pub use merkhet_analysis::causal;
pub use merkhet_analysis::reduce::{
    Kind as ReductionKind, NotReduced, Part as RemovedPart, Reduction, Removed,
};
pub use merkhet_explore::{
    Exchange, Inclusion, Keeper, Lost, MOST_PROCESSES, PartKeeper, ProcessShare, Progress,
    StopReason, TieBreak,
};
pub use merkhet_finite as finite;
pub use merkhet_heuristics::{
    ALL as HEURISTICS, Entry as HeuristicEntry, HeuristicError, HeuristicSpec, Prune,
};
pub use merkhet_lattices::{Joining, UPDATES, Update};
pub use merkhet_lower as lower;
pub use merkhet_lower::UNSUPPORTED;
pub use merkhet_network as network;
pub use merkhet_replay as replay;
pub use merkhet_semantics::Extrapolation;
pub use merkhet_symbolic as symbolic;
pub use merkhet_syntax as syntax;
pub use merkhet_walks::Policy as WalkPolicy;
pub use options::{OPTIONS, OptionSpec, without_effect};
pub use report::{
    Answer, Bound, Databases, Figures, Length, Reduced, Report, Split, Summary, Value,
};
pub use search::{ALL_SEARCHES, SearchSpec, WalkKind, WalkSpec};
pub use source::EdgeText;
pub use why::{Explicit, Grounds, NoLeastTime, Remark, Unproved, Why};
