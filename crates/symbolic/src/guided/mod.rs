//! Guided invariant checking with symbolic pattern databases (Qian, Nymeyer: "Guided invariant
//! model checking based on abstraction and symbolic pattern databases", TACAS 2004).
//!
//! The abstraction hides variables ([`abstraction`]); backwards from the error
//! it gives layers of abstract states by distance ([`Database`], definition 3); the concrete
//! system is then searched by A* over sets of states (`search`, figure 5).
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
mod search;

pub use database::Database;
pub use estimator::{Combination, Representation};
use search::{End, GuidedSearch};

use crate::bdd::Bdd;
use crate::explain::path::State;
use crate::limits::{Budget, Stop};
use crate::relation::Model;
use crate::system::VariableId;
use database::{Ends, Extent};
use estimator::{Estimator, best_combination};
use std::time::{Duration, Instant};

/// How invariants are checked.
#[derive(Clone, Debug, Default)]
pub enum Guidance {
    /// By all searches in turns, until one comes to an end.
    #[default]
    Schedule,
    /// All reachable states by saturation, without pattern databases.
    Off,
    /// Without, breadth first by figure 3.
    BreadthFirst,
    /// Without diagrams, by clauses: bounded model checking and induction.
    Clauses,
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

/// `GuidedInvarCheck`, figure 5, as a value that is advanced: first databases are built, then states are searched.
pub(crate) struct Guided {
    search: GuidedSearch,
    /// Whether what was allowed for the databases was used up before they were as wanted.
    cut: bool,
    report: GuidedReport,
}

/// What the construction of databases leads to.
pub(crate) enum Prepared {
    /// The abstraction alone proves the invariant (line 1).
    Proved(GuidedReport),
    /// The search can begin.
    Search(Box<Guided>),
}

impl Guided {
    /// Builds the databases, as far as that is allowed.
    pub(crate) fn prepare(
        model: &Model,
        bad: &Bdd,
        abstraction: &Abstraction,
        representation: Representation,
        budget: Budget,
    ) -> Result<Prepared, Stop> {
        let start = Instant::now();
        let before = model.encoding.diagrams.statistics().total_nodes;
        let ends = Ends {
            initial: model.initial.clone(),
            bad: bad.clone(),
        };
        let databases = match abstraction {
            Abstraction::Automatic => choose::choose(model, &ends, budget)?,
            Abstraction::Keep(lists) => {
                let build = |list: &Vec<String>| {
                    let keep = choose::matching(model, list)?;
                    Database::build(model, &ends, &keep, budget, Extent::Beyond)
                };
                lists.iter().map(build).collect::<Result<_, Stop>>()?
            }
        };
        let cut = model.encoding.diagrams.is_over(budget);
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
            return Ok(Prepared::Proved(report));
        }
        let estimator = Estimator::new(model, &databases, combination, representation)?;
        let search = GuidedSearch::new(model, estimator)?;
        report.construction = start.elapsed();
        report.construction_nodes = model.encoding.diagrams.statistics().total_nodes - before;
        Ok(Prepared::Search(Box::new(Guided {
            search,
            cut,
            report,
        })))
    }

    /// Whether more would have been done for the databases with more work.
    pub(crate) fn is_cut(&self) -> bool {
        self.cut
    }

    /// Whether the databases tell anything of the initial states.
    pub(crate) fn is_informed(&self) -> bool {
        let databases = self.report.databases.iter();
        databases
            .filter_map(|one| one.initial_estimate)
            .any(|h| h > 0)
    }

    /// Searches on, as far as that is allowed.
    pub(crate) fn advance(
        &mut self,
        model: &Model,
        bad: &Bdd,
        budget: Budget,
    ) -> Result<Option<Outcome>, Stop> {
        let start = Instant::now();
        let allocated = || model.encoding.diagrams.statistics().total_nodes;
        let before = allocated();
        let end = self.search.advance(model, bad, budget)?;
        self.report.search += start.elapsed();
        self.report.search_nodes += allocated() - before;
        self.report.expanded_sets = self.search.sets;
        Ok(end.map(|end| {
            let path = match end {
                End::Error(path) => Some(path),
                End::Nothing => None,
            };
            let mut report = self.report.clone();
            report.depth = path.as_ref().map(|path| path.len() - 1);
            Outcome {
                holds: path.is_none(),
                path,
                report,
            }
        }))
    }
}

/// Whether no state of `bad` is reachable, by one search to its end.
pub(crate) fn check_invariant(
    model: &Model,
    bad: &Bdd,
    guidance: &Guidance,
) -> Result<Outcome, Stop> {
    let Guidance::On {
        abstraction,
        budget,
        representation,
    } = guidance
    else {
        return search::invar_check(model, bad);
    };
    let budget = Budget::Until(Instant::now() + *budget);
    match Guided::prepare(model, bad, abstraction, *representation, budget)? {
        Prepared::Proved(report) => Ok(Outcome {
            holds: true,
            path: None,
            report,
        }),
        Prepared::Search(mut guided) => {
            let ended = guided.advance(model, bad, Budget::Work(u64::MAX))?;
            ended.ok_or(Stop::Budget)
        }
    }
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
