//! Checks the specifications of a system: the entry of this crate.

mod complete;
mod compute;
mod session;
mod shorten;

use crate::bdd::DiagramStatistics;
use crate::cone::{cone_of_influence, restrict_to_cone};
use crate::guided::{Guidance, GuidedReport};
use crate::limits::{Limits, Stop};
use crate::ltl::with_tableau;
use crate::order::Order;
use crate::relation::RelationOptions;
use crate::system::trace::Trace;
use crate::system::{Formula, SpecificationKind, System, VariableId};
use session::{Session, build_model};
use std::collections::BTreeSet;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

/// How to check.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// When to stop.
    pub limits: Limits,
    /// Where the order of variables comes from.
    pub order: Order,
    /// Look for a better order of variables when there are so many nodes.
    pub reorder: Option<usize>,
    /// How the transition relation is built.
    pub relation: RelationOptions,
    /// Whether and how invariants are checked with pattern databases.
    pub guidance: Guidance,
    /// Keep all variables, also those that cannot matter.
    pub whole_system: bool,
    /// The time for each specification; the deadline in the limits holds for all together.
    pub timeout: Option<Duration>,
    /// Which path is wanted.
    pub trace: TraceKind,
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
    /// So many steps.
    Steps(u64),
    /// Some path never gets there (longest), or none does (shortest).
    Infinite,
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
}

/// Deep diagrams recurse deeply.
const STACK_BYTES: usize = 512 << 20;

/// Checks all specifications of a system, in their order.
pub fn check_system(system: &System, options: &Options) -> Vec<SpecResult> {
    std::thread::scope(|scope| {
        let work = || check_groups(system, options);
        let thread = std::thread::Builder::new()
            .stack_size(STACK_BYTES)
            .spawn_scoped(scope, work);
        match thread.map(|thread| thread.join()) {
            Ok(Ok(results)) => results,
            Ok(Err(panic)) => std::panic::resume_unwind(panic),
            Err(error) => {
                let stop = Stop::Unsupported(format!("no thread for the check: {error}"));
                let specifications = 0..system.specifications.len();
                specifications
                    .map(|index| unknown(system, index, stop.clone()))
                    .collect()
            }
        }
    })
}

/// Specifications with the same cone share one model. Small cones come first, but each answer
/// stands where its specification does.
fn check_groups(system: &System, options: &Options) -> Vec<SpecResult> {
    let everything: BTreeSet<VariableId> = system.variable_ids().collect();
    let mut groups: Vec<(BTreeSet<VariableId>, Vec<usize>)> = Vec::new();
    let mut results: Vec<Option<SpecResult>> = vec![None; system.specifications.len()];
    for (index, specification) in system.specifications.iter().enumerate() {
        if let Formula::Ltl(_) = specification.formula {
            results[index] = Some(check_linear(system, index, options));
            continue;
        }
        let cone = if options.whole_system {
            everything.clone()
        } else {
            cone_of_influence(system, &specification.formula)
        };
        match groups.iter_mut().find(|(known, _)| *known == cone) {
            Some((_, members)) => members.push(index),
            None => groups.push((cone, vec![index])),
        }
    }
    groups.sort_by_key(|(cone, _)| cone.len());
    for (cone, members) in groups {
        let reduced = restrict_to_cone(system, &cone);
        let start = Instant::now();
        tell(options, members[0]);
        match build_model(&reduced, options) {
            Ok(model) => {
                let mut session = Session::new(system, &cone, &model, options);
                let mut start = start;
                for index in members {
                    tell(options, index);
                    model
                        .encoding
                        .diagrams
                        .set_deadline(options.deadline(start));
                    results[index] = Some(session.check(index, start));
                    start = Instant::now();
                }
            }
            Err(stop) => {
                for index in members {
                    results[index] = Some(unknown(system, index, stop.clone()));
                }
            }
        }
    }
    let known = results.into_iter().enumerate();
    known
        .map(|(index, result)| result.unwrap_or_else(|| unknown(system, index, Stop::Cancelled)))
        .collect()
}

/// Linear time: the system with a tableau for the negated formula has no fair path.
fn check_linear(system: &System, index: usize, options: &Options) -> SpecResult {
    let start = Instant::now();
    tell(options, index);
    let (extended, violation) = match with_tableau(system, index) {
        Ok(extended) => extended,
        Err(stop) => return unknown(system, index, stop),
    };
    let cone = if options.whole_system {
        extended.variable_ids().collect()
    } else {
        cone_of_influence(&extended, &Formula::Invariant(violation))
    };
    let reduced = restrict_to_cone(&extended, &cone);
    match build_model(&reduced, options) {
        Ok(model) => {
            let mut session = Session::new(&extended, &cone, &model, options);
            session.check_linear(system, index, violation, start)
        }
        Err(stop) => unknown(system, index, stop),
    }
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
        notes: Vec::new(),
        statistics: Statistics::default(),
    }
}
