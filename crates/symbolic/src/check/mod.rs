//! Checks the specifications of a system: the entry of this crate.

mod checker;
mod complete;
mod compute;
mod invariant;
mod session;
mod shorten;
mod turns;
mod unrolled;

pub use checker::{Checker, check_system};
pub use turns::Turns;
pub use unrolled::judge_certificate;

use crate::bdd::{DiagramStatistics, Reordering};
use crate::guided::{Guidance, GuidedReport};
use crate::limits::{Limits, Stop};
use crate::order::Order;
use crate::relation::RelationOptions;
use crate::system::trace::Trace;
use crate::system::{SpecificationKind, System};
use merkhet_unroll::certificate::Certificate;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

/// How to check.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// When to stop.
    pub limits: Limits,
    /// Where the order of variables comes from.
    pub order: Order,
    /// Look for a better order of variables when there are this many nodes.
    pub reorder: Reordering,
    /// How the transition relation is built.
    pub relation: RelationOptions,
    /// Whether and how invariants are checked with pattern databases.
    pub guidance: Guidance,
    /// How searches that take turns share the work.
    pub turns: Turns,
    /// Keep all variables, also those that cannot matter.
    pub whole_system: bool,
    /// The time for each specification; the deadline in the limits holds for all together.
    pub timeout: Option<Duration>,
    /// Which path is wanted.
    pub trace: TraceKind,
    /// Whether a proof is wanted where nothing is found.
    pub certificate: bool,
}

/// Which path is wanted where one can show an answer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TraceKind {
    /// None.
    None,
    /// A shortest one if that does not take too long, otherwise any.
    #[default]
    Some,
    /// For invariants a shortest one, whatever it takes.
    Shortest,
}

impl Options {
    /// When a specification whose check starts now must be decided.
    fn deadline(&self, start: Instant) -> Option<Instant> {
        let own = self.timeout.and_then(|timeout| start.checked_add(timeout));
        match (own, self.limits.deadline) {
            (Some(own), Some(all)) => Some(own.min(all)),
            (own, all) => own.or(all),
        }
    }
}

/// The answer to one specification.
#[derive(Clone, Debug)]
pub struct SpecResult {
    /// The text of the specification.
    pub text: String,
    /// Its name, if it has one.
    pub name: Option<String>,
    /// Its logic.
    pub kind: SpecificationKind,
    /// The answer.
    pub verdict: Verdict,
    /// A path that shows it, where one path can: checked by [`crate::system::replay`].
    pub trace: Option<Trace>,
    /// Why nothing was found, where that is the answer and can be shown.
    pub proof: Option<Certificate>,
    /// What else is worth knowing, for example that the relation is not total.
    pub notes: Vec<String>,
    /// Figures.
    pub statistics: Statistics,
}

/// The answer itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The specification holds.
    Holds,
    /// The specification fails.
    Fails,
    /// The answer to `COMPUTE`.
    Length(PathLength),
    /// The check ended early.
    Unknown(Stop),
}

/// A number of steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PathLength {
    /// After a number of steps.
    Steps(u64),
    /// Paths of any length never get there (longest), or none does (shortest).
    Infinite,
    /// No state of endless (and fair) paths is a start, or none is an end: there is no longest way.
    Undefined,
}

/// Figures about one check.
#[derive(Clone, Debug, Default)]
pub struct Statistics {
    /// Time for this specification, model building included for the first of a group.
    pub time: Duration,
    /// Variables of the system that matter for the specification.
    pub variables: usize,
    /// The diagrams so far, over all specifications that share them.
    pub diagrams: DiagramStatistics,
    /// The number of reachable states, if they were computed.
    pub reachable_states: Option<f64>,
    /// What the guided search did, if it ran.
    pub guided: Option<GuidedReport>,
    /// What the search by clauses did, if it decided.
    pub unrolled: Option<merkhet_unroll::Report>,
}

fn tell(options: &Options, index: usize) {
    let progress = &options.limits.progress;
    progress
        .specification
        .store(index as u64 + 1, Ordering::Relaxed);
    progress.depth.store(0, Ordering::Relaxed);
}

fn unknown(system: &System, index: usize, stop: Stop) -> SpecResult {
    let specification = &system.specifications[index];
    SpecResult {
        text: specification.text.clone(),
        name: specification.name.clone(),
        kind: specification.kind,
        verdict: Verdict::Unknown(stop),
        trace: None,
        proof: None,
        notes: Vec::new(),
        statistics: Statistics::default(),
    }
}
