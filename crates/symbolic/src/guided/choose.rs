//! Which variables abstractions keep: those the user names, or those that the program finds.
//!
//! The paper chose by hand. We split the variables of the error into groups that do not depend on
//! each other. The pattern of a group has the variables that change on a relaxed way to the error.
//! If the estimate for the initial states is less than the changes on that way (or there is no
//! such way), patterns grow: a variable that the pattern depends on is added if that raises the
//! estimate. Growth ends when no variable does, or with the budget.

use super::abstraction::AbstractModel;
use super::database::{Database, Ends, Extent};
use super::relaxed::relaxed_way;
use super::variables_of;
use crate::limits::{Budget, Stop};
use crate::relation::{Model, dependencies};
use crate::system::{Role, VariableId};
use std::collections::BTreeSet;

type Pattern = BTreeSet<VariableId>;

/// The variables that a user's list names.
pub(super) fn matching(model: &Model, names: &[String]) -> Result<Pattern, Stop> {
    let mut kept = Pattern::new();
    for name in names {
        let before = kept.len();
        for id in model.system.variable_ids() {
            let variable = model.system.variable(id);
            let matches = match name.strip_suffix('*') {
                Some(prefix) => variable.name.starts_with(prefix),
                None => variable.name == *name,
            };
            if matches && variable.role != Role::Input {
                kept.insert(id);
            }
        }
        if kept.len() == before {
            return Err(Stop::Options(format!(
                "no variable to keep is called `{name}`"
            )));
        }
    }
    Ok(kept)
}

/// Databases for the error, as far as that is allowed.
pub(super) fn choose(model: &Model, ends: &Ends, budget: Budget) -> Result<Vec<Database>, Stop> {
    let mut growth = Growth {
        model,
        ends: ends.clone(),
        needs: dependencies(&model.system),
        taken: Pattern::new(),
        budget,
    };
    let diagrams = &model.encoding.diagrams;
    let Some(mut seeds) = diagrams.allowed(budget, || growth.seeds())? else {
        return Ok(Vec::new());
    };
    let within = diagrams.allowed(budget, || relaxed_way(model, &ends.bad, &seeds))?;
    if let Some(Some(way)) = within {
        let patterns = joined(model, way.patterns);
        let mut databases = Vec::new();
        for pattern in &patterns {
            let database = growth.build(pattern, Extent::Beyond)?;
            if database.excludes() {
                return Ok(vec![database]);
            }
            databases.push(database);
        }
        let estimates = databases
            .iter()
            .map(|database| database.initial_estimate().unwrap_or(0));
        if estimates.sum::<usize>() >= way.steps {
            return Ok(databases);
        }
        seeds = patterns;
    }
    growth.taken = seeds.iter().flatten().copied().collect();
    let mut databases = Vec::new();
    for seed in seeds {
        let database = growth.grow(seed)?;
        if database.excludes() {
            return Ok(vec![database]);
        }
        databases.push(database);
    }
    Ok(databases)
}

/// Patterns that some event changes together become one: otherwise their estimates could not be
/// summed.
fn joined(model: &Model, patterns: Vec<Pattern>) -> Vec<Pattern> {
    let mut joined = patterns;
    for relation in &model.relations {
        let touched = |pattern: &Pattern| relation.changed.iter().any(|id| pattern.contains(id));
        let (together, apart): (Vec<Pattern>, Vec<Pattern>) =
            joined.into_iter().partition(|pattern| touched(pattern));
        joined = apart;
        if !together.is_empty() {
            joined.push(together.into_iter().flatten().collect());
        }
    }
    joined
}

struct Growth<'a> {
    model: &'a Model,
    ends: Ends,
    needs: Vec<Pattern>,
    /// Variables of any pattern: patterns stay disjoint, so that their estimates may be summed.
    taken: Pattern,
    budget: Budget,
}

impl Growth<'_> {
    fn build(&self, pattern: &Pattern, extent: Extent) -> Result<Database, Stop> {
        Database::build(self.model, &self.ends, pattern, self.budget, extent)
    }

    /// The ends, with everything but the given variables hidden.
    fn nearby(&self, variables: Pattern) -> Result<Ends, Stop> {
        let wide = AbstractModel::new(self.model, &variables)?;
        Ok(Ends {
            initial: wide.project(self.model, &self.ends.initial)?,
            bad: wide.project(self.model, &self.ends.bad)?,
        })
    }

    fn trial(&self, ends: &Ends, pattern: &Pattern) -> Result<Database, Stop> {
        Database::build(self.model, ends, pattern, self.budget, Extent::ToInitial)
    }

    /// The variables of the error, grouped: two are together if one depends on the other.
    fn seeds(&self) -> Result<Vec<Pattern>, Stop> {
        // What all states satisfy (codes that number values, for one) is not the error's business.
        let diagrams = &self.model.encoding.diagrams;
        let error = diagrams.simplify(&self.ends.bad, &self.model.invariant)?;
        let mut rest: Pattern = variables_of(self.model, &error)
            .into_iter()
            .filter(|id| self.model.system.variable(*id).role != Role::Input)
            .collect();
        let mut seeds = Vec::new();
        while let Some(first) = rest.pop_first() {
            let mut seed = Pattern::from([first]);
            let mut waiting = vec![first];
            while let Some(id) = waiting.pop() {
                let near: Vec<VariableId> = rest
                    .iter()
                    .filter(|other| {
                        self.needs[id.index()].contains(other)
                            || self.needs[other.index()].contains(&id)
                    })
                    .copied()
                    .collect();
                for other in near {
                    rest.remove(&other);
                    seed.insert(other);
                    waiting.push(other);
                }
            }
            seeds.push(seed);
        }
        Ok(seeds)
    }

    /// A database for a pattern that a seed grows to: variables are added while they raise the estimate. All that raise it
    /// in one round are added at once: in circuits each gate on the way to the error is needed by itself.
    ///
    /// The best database of all that were tried is kept: where nothing is left to go beyond the initial states with the
    /// last pattern, it is the answer.
    fn grow(&mut self, seed: Pattern) -> Result<Database, Stop> {
        let mut best = self.start(seed)?;
        let Some(mut estimate) = best.initial_estimate() else {
            return Ok(best); // the abstraction proves the invariant
        };
        let mut pattern = best.kept().clone();
        // Candidates that did not help; tried again once the pattern has its final size.
        let mut refused = Pattern::new();
        let mut grown_since = false;
        while !self.is_over() {
            let candidates: Pattern = pattern
                .iter()
                .flat_map(|id| self.needs[id.index()].iter().copied())
                .filter(|id| !self.taken.contains(id) && !refused.contains(id))
                .filter(|id| self.model.system.variable(*id).role != Role::Input)
                .collect();
            if candidates.is_empty() {
                if !grown_since {
                    break;
                }
                refused.clear();
                grown_since = false;
                continue;
            }
            // What all trials of this round keep or hide is projected once.
            let wide = pattern.union(&candidates).copied().collect();
            let diagrams = &self.model.encoding.diagrams;
            let Some(near) = diagrams.allowed(self.budget, || self.nearby(wide))? else {
                break;
            };
            for candidate in candidates {
                if self.is_over() {
                    break;
                }
                diagrams.check_limits()?;
                let mut larger = pattern.clone();
                larger.insert(candidate);
                let database = self.trial(&near, &larger)?;
                match database.initial_estimate() {
                    None if database.excludes() => return Ok(database),
                    Some(better) if better > estimate => {
                        estimate = better;
                        pattern = larger;
                        best = database;
                        self.taken.insert(candidate);
                        grown_since = true;
                    }
                    _ => {
                        refused.insert(candidate);
                    }
                }
            }
        }
        let further = self.build(&pattern, Extent::Beyond)?;
        let reaches = further.excludes() || further.initial_estimate() >= best.initial_estimate();
        Ok(if reaches { further } else { best })
    }

    /// A database for the seed, or, where that is too large, for the one of its variables that gives most.
    fn start(&self, seed: Pattern) -> Result<Database, Stop> {
        let diagrams = &self.model.encoding.diagrams;
        let first = match seed.len() {
            0 | 1 => self.budget,
            _ => diagrams.half(self.budget),
        };
        let whole = Database::build(self.model, &self.ends, &seed, first, Extent::ToInitial)?;
        if whole.excludes() || whole.initial_estimate() > Some(0) || seed.len() < 2 {
            return Ok(whole);
        }
        let mut best = whole;
        for id in seed {
            if self.is_over() {
                break;
            }
            let own = Pattern::from([id]);
            let database = self.build(&own, Extent::ToInitial)?;
            if database.excludes() {
                return Ok(database);
            }
            if database.initial_estimate() > best.initial_estimate() {
                best = database;
            }
        }
        Ok(best)
    }

    fn is_over(&self) -> bool {
        self.model.encoding.diagrams.is_over(self.budget)
    }
}
