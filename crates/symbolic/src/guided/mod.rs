//! Guided invariant checking with symbolic pattern databases (Qian, Nymeyer: "Guided invariant
//! model checking based on abstraction and symbolic pattern databases", TACAS 2004).
//!
//! The abstraction hides variables ([`abstraction`]); backwards from the error
//! it gives layers of abstract states by distance ([`Database`], definition 3); the concrete
//! system is then searched by A* over sets of states ([`search`], figure 5).
//!
//! Where we differ from figure 5. Databases are built until a little after they meet the abstract
//! initial states, not to the fixed point. States in no layer of a complete database cannot reach the error
//! and are dropped; the figure queues them with an infinite estimate. States in no layer of an
//! incomplete database have the number of its layers as their estimate. The abstract check of line
//! 1 is the same backward search that builds the database: if it never meets the abstract initial
//! states, the invariant holds. Figure 5 tests the initial states only when they are popped; so do
//! we, with their real estimate instead of 0.

pub mod abstraction;
mod choose;
mod database;
mod estimator;
mod relaxed;
pub mod search;

pub use database::Database;
pub use estimator::{Combination, Representation};
pub use search::invar_check;

use crate::bdd::Bdd;
use crate::explain::path::State;
use crate::limits::Stop;
use crate::relation::Model;
use crate::system::VariableId;
use database::{Ends, Extent};
use estimator::{Estimator, best_combination};
use std::time::{Duration, Instant};

/// Whether and how invariants are checked with pattern databases.
#[derive(Clone, Debug, Default)]
pub enum Guidance {
    /// Without.
    #[default]
    Off,
    /// Without, breadth first by figure 3.
    BreadthFirst,
    /// With.
    On {
        /// Which variables the abstractions keep.
        abstraction: Abstraction,
        /// The time for building all databases.
        budget: Duration,
        /// How databases are stored.
        representation: Representation,
    },
}

impl Guidance {
    /// Automatic abstraction with the paper's budget of one minute.
    pub fn automatic() -> Guidance {
        Guidance::On {
            abstraction: Abstraction::Automatic,
            budget: Duration::from_secs(60),
            representation: Representation::Layers,
        }
    }
}

/// Which variables abstractions keep.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Abstraction {
    /// The program chooses: from the error's variables outwards, as far as the budget allows.
    Automatic,
    /// Each list is one database: full names of variables, or prefixes that end in `*`.
    Keep(Vec<Vec<String>>),
}

/// What the guided search did.
#[derive(Clone, Debug, Default)]
pub struct GuidedReport {
    /// The databases.
    pub databases: Vec<DatabaseReport>,
    /// How their estimates were combined.
    pub combination: Combination,
    /// The abstraction alone proved the invariant (line 1 of figure 5).
    pub proved_by_abstraction: bool,
    /// Sets of states taken from the queue and expanded.
    pub expanded_sets: usize,
    /// The number of steps of the shortest violation.
    pub depth: Option<usize>,
    /// Time for the databases.
    pub construction: Duration,
    /// Time for the search.
    pub search: Duration,
    /// Nodes that were allocated for the databases.
    pub construction_nodes: u64,
    /// Nodes that were allocated for the search.
    pub search_nodes: u64,
}

/// What is known of one database.
#[derive(Clone, Debug, Default)]
pub struct DatabaseReport {
    /// Names of the variables that the abstraction keeps.
    pub kept: Vec<String>,
    /// The greatest distance in it.
    pub depth: usize,
    /// Whether the backward search came to its end.
    pub complete: bool,
    /// Nodes of all its diagrams.
    pub nodes: usize,
    /// The estimate for the initial states.
    pub initial_estimate: Option<usize>,
    /// Time of construction.
    pub time: Duration,
}

/// The result of an invariant check.
pub struct Outcome {
    /// Whether the invariant holds.
    pub holds: bool,
    /// A shortest path to a violation.
    pub(crate) path: Option<Vec<State>>,
    /// What was done.
    pub report: GuidedReport,
}

impl Outcome {
    /// The number of steps of the shortest violation.
    pub fn depth(&self) -> Option<usize> {
        self.path.as_ref().map(|path| path.len() - 1)
    }
}

/// `GuidedInvarCheck`, figure 5: whether no state of `bad` is reachable.
pub fn check_invariant(model: &Model, bad: &Bdd, guidance: &Guidance) -> Result<Outcome, Stop> {
    let Guidance::On {
        abstraction,
        budget,
        representation,
    } = guidance
    else {
        return search::invar_check(model, bad);
    };
    let start = Instant::now();
    let before = model.encoding.diagrams.statistics().total_nodes;
    let ends = Ends {
        initial: model.initial.clone(),
        bad: bad.clone(),
    };
    let databases = match abstraction {
        Abstraction::Automatic => choose::choose(model, &ends, *budget)?,
        Abstraction::Keep(lists) => {
            let mut databases = Vec::new();
            for list in lists {
                let keep = choose::matching(model, list)?;
                let left = budget.saturating_sub(start.elapsed());
                databases.push(Database::build(model, &ends, &keep, left, Extent::Beyond)?);
            }
            databases
        }
    };
    let combination = best_combination(model, &databases);
    let mut report = GuidedReport {
        databases: databases
            .iter()
            .map(|database| database.report(model))
            .collect(),
        combination,
        ..GuidedReport::default()
    };
    if databases.iter().any(Database::excludes) {
        report.proved_by_abstraction = true;
        report.construction = start.elapsed();
        return Ok(Outcome {
            holds: true,
            path: None,
            report,
        });
    }
    let estimator = Estimator::new(model, &databases, combination, *representation)?;
    report.construction = start.elapsed();
    let allocated = || model.encoding.diagrams.statistics().total_nodes;
    report.construction_nodes = allocated() - before;
    let before = allocated();
    let mut outcome = search::guided(model, bad, &estimator, report)?;
    outcome.report.search_nodes = allocated() - before;
    Ok(outcome)
}

/// The variables with these bits, for callers that think in variables.
pub(crate) fn variables_of(model: &Model, set: &Bdd) -> Vec<VariableId> {
    let support: rustc_hash::FxHashSet<u32> =
        model.encoding.diagrams.support(set).into_iter().collect();
    model
        .system
        .variable_ids()
        .filter(|&id| {
            let bits = model.encoding.bits_of(id);
            bits.current
                .iter()
                .chain(&bits.next)
                .any(|bit| support.contains(bit))
        })
        .collect()
}
