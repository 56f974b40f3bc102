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
///
/// The sets of states with the same combined estimate can be large where the databases' own layers
/// are small. So they are not built for the list representation: a set is looked up in one database
/// after the other, as far as the search asks.
pub(super) struct Estimator {
    /// By database: disjoint sets of states by estimate; states in none cannot reach the error.
    layers: Vec<Vec<Bdd>>,
    combination: Combination,
    /// Estimates far above that of the initial states are of no use: they are cut off here.
    most: usize,
    pub(super) multi: Option<MultiTerminal>,
    /// The variables that the estimate depends on.
    pub(super) kept: BTreeSet<VariableId>,
}

impl Estimator {
    pub(super) fn new(
        model: &Model,
        databases: &[Database],
        combination: Combination,
        representation: Representation,
    ) -> Result<Estimator, Stop> {
        let known = databases
            .iter()
            .map(|database| database.initial_estimate().unwrap_or(0));
        let initial: usize = match combination {
            Combination::Maximum => known.max().unwrap_or(0),
            Combination::Sum => known.sum(),
        };
        let layers: Result<Vec<Vec<Bdd>>, Stop> = databases
            .iter()
            .map(|database| database.estimates(model))
            .collect();
        let mut estimator = Estimator {
            layers: layers?,
            combination,
            most: initial + initial / 8 + 1,
            multi: None,
            kept: databases
                .iter()
                .flat_map(|database| database.kept())
                .copied()
                .collect(),
        };
        if representation == Representation::MultiTerminal {
            estimator.multi = Some(estimator.multi_terminal(model)?);
        }
        Ok(estimator)
    }

    /// All estimates are below this.
    pub(super) fn bound(&self) -> usize {
        let greatest = self.layers.iter().map(|layers| layers.len() - 1);
        let greatest = match self.combination {
            Combination::Maximum => greatest.max().unwrap_or(0),
            Combination::Sum => greatest.sum(),
        };
        greatest.min(self.most) + 1
    }

    /// The states of a set whose estimate is `h`. The estimates of all of them must be `h` or more.
    pub(super) fn part(&self, model: &Model, set: &Bdd, h: usize) -> Result<Bdd, Stop> {
        if h < self.most {
            return self.exactly(model, set, h, &self.layers);
        }
        // Cut off: whatever can reach the error at all.
        let diagrams = &model.encoding.diagrams;
        let mut part = set.clone();
        for layers in &self.layers {
            part = diagrams.and(&part, &diagrams.or_all(layers.iter().cloned())?)?;
        }
        Ok(part)
    }

    /// The states of a set to which these databases together give the estimate `h`.
    fn exactly(
        &self,
        model: &Model,
        set: &Bdd,
        h: usize,
        databases: &[Vec<Bdd>],
    ) -> Result<Bdd, Stop> {
        let diagrams = &model.encoding.diagrams;
        let Some((first, rest)) = databases.split_first() else {
            // No database, no estimate; of a maximum `h` has been met by one of them.
            let met = h == 0 || self.combination == Combination::Maximum;
            return Ok(if met {
                set.clone()
            } else {
                diagrams.constant(false)
            });
        };
        let mut parts = Vec::new();
        for (own, layer) in first.iter().enumerate().take(h + 1) {
            let left = match self.combination {
                Combination::Maximum => h,
                Combination::Sum => h - own,
            };
            let part = diagrams.and(set, layer)?;
            if !diagrams.is_false(&part) {
                parts.push(self.exactly(model, &part, left, rest)?);
            }
        }
        diagrams.or_all(parts)
    }

    /// The estimates as one diagram.
    fn multi_terminal(&self, model: &Model) -> Result<MultiTerminal, Stop> {
        let diagrams = &model.encoding.diagrams;
        let mut sets = vec![diagrams.constant(true)];
        for layers in &self.layers {
            sets = combine(model, &sets, layers, self.combination, self.most)?;
        }
        let numbered: Vec<(Bdd, u32)> = sets
            .iter()
            .enumerate()
            .map(|(h, set)| (set.clone(), h as u32))
            .collect();
        Ok(diagrams.multi_terminal(&numbered, self.bound() as u32))
    }
}

/// The sum if it is sound for these databases, otherwise the maximum.
pub(super) fn best_combination(model: &Model, databases: &[Database]) -> Combination {
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
    model: &Model,
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
