//! Several databases as one estimate.
//!
//! The maximum of admissible estimates is admissible. Their sum is, too, if no event changes kept
//! variables of two databases: every step then counts in one of them at most. (Korf, Felner:
//! "Disjoint pattern database heuristics", Artificial Intelligence 134, 2002.) The paper has the
//! maximum only.

use super::database::Database;
use crate::bdd::{Bdd, MultiTerminal};
use crate::limits::Stop;
use crate::relation::Model;
use crate::system::VariableId;
use std::collections::BTreeSet;

/// How an estimate is stored.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Representation {
    /// A list of diagrams, one per distance, as in the paper.
    #[default]
    Layers,
    /// One multi-terminal diagram, as the paper proposes for later.
    MultiTerminal,
}

/// How the estimates of several databases become one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Combination {
    /// Their maximum, always sound.
    #[default]
    Maximum,
    /// Their sum, for databases that no event changes together.
    Sum,
}

/// The estimates of all databases together.
pub(super) struct Estimator {
    /// Disjoint sets of states by estimate; states in none cannot reach the error.
    pub(super) sets: Vec<Bdd>,
    pub(super) multi: Option<MultiTerminal>,
    /// The variables that the estimate depends on.
    pub(super) kept: BTreeSet<VariableId>,
}

impl Estimator {
    pub(super) fn new(
        model: &Model<'_>,
        databases: &[Database],
        combination: Combination,
        representation: Representation,
    ) -> Result<Estimator, Stop> {
        let diagrams = &model.encoding.diagrams;
        // Estimates far above that of the initial states are never used: they are cut off.
        let known = databases
            .iter()
            .map(|database| database.initial_estimate().unwrap_or(0));
        let initial: usize = match combination {
            Combination::Maximum => known.max().unwrap_or(0),
            Combination::Sum => known.sum(),
        };
        let most = initial + initial / 8 + 1;
        let mut sets = vec![diagrams.constant(true)];
        for database in databases {
            sets = combine(model, &sets, &database.estimates(model)?, combination, most)?;
        }
        let multi = (representation == Representation::MultiTerminal).then(|| {
            let numbered: Vec<(Bdd, u32)> = sets
                .iter()
                .enumerate()
                .map(|(h, set)| (set.clone(), h as u32))
                .collect();
            diagrams.multi_terminal(&numbered, sets.len() as u32)
        });
        let kept = databases
            .iter()
            .flat_map(|database| database.kept())
            .copied()
            .collect();
        Ok(Estimator { sets, multi, kept })
    }
}

/// The sum if it is sound for these databases, otherwise the maximum.
pub(super) fn best_combination(model: &Model<'_>, databases: &[Database]) -> Combination {
    let shared = model.relations.iter().any(|relation| {
        let changes = |database: &&Database| {
            relation
                .changed
                .iter()
                .any(|id| database.kept().contains(id))
        };
        databases.iter().filter(changes).count() > 1
    });
    if shared {
        Combination::Maximum
    } else {
        Combination::Sum
    }
}

fn combine(
    model: &Model<'_>,
    first: &[Bdd],
    second: &[Bdd],
    combination: Combination,
    most: usize,
) -> Result<Vec<Bdd>, Stop> {
    let diagrams = &model.encoding.diagrams;
    let mut parts: Vec<Vec<Bdd>> = Vec::new();
    for (i, a) in first.iter().enumerate() {
        for (j, b) in second.iter().enumerate() {
            let both = diagrams.and(a, b)?;
            if diagrams.is_false(&both) {
                continue;
            }
            let estimate = match combination {
                Combination::Maximum => i.max(j),
                Combination::Sum => i + j,
            };
            let estimate = estimate.min(most);
            if parts.len() <= estimate {
                parts.resize_with(estimate + 1, Vec::new);
            }
            parts[estimate].push(both);
        }
    }
    parts
        .into_iter()
        .map(|pieces| diagrams.or_all(pieces))
        .collect()
}
