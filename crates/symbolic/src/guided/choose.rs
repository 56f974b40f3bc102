//! Which variables an abstraction keeps: those the user names, or as many as the budget allows.
//!
//! The paper chose by hand. We start with the variables of the error and add those that they
//! depend on, nearest first, while databases can be built in the time that is left.

use super::database::Database;
use super::variables_of;
use crate::bdd::Bdd;
use crate::limits::Stop;
use crate::relation::{Model, dependencies};
use crate::system::{Role, VariableId};
use std::collections::BTreeSet;
use std::time::{Duration, Instant};

/// The variables that a user's list names.
pub(super) fn matching(model: &Model<'_>, names: &[String]) -> Result<BTreeSet<VariableId>, Stop> {
    let mut kept = BTreeSet::new();
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
            return Err(Stop::Unsupported(format!(
                "no variable to keep is called `{name}`"
            )));
        }
    }
    Ok(kept)
}

/// The best database that the budget allows.
pub(super) fn choose(
    model: &Model<'_>,
    bad: &Bdd,
    budget: Duration,
) -> Result<Vec<Database>, Stop> {
    let start = Instant::now();
    let ranks = by_distance(model, bad);
    let mut kept: BTreeSet<VariableId> = BTreeSet::new();
    let mut best: Option<Database> = None;
    for rank in ranks {
        kept.extend(rank);
        let rest = budget.saturating_sub(start.elapsed());
        let Some(database) = attempt(model, bad, &kept, rest, best.as_ref())? else {
            break;
        };
        let proved = database.excludes(model)?;
        best = Some(database);
        if proved {
            break;
        }
    }
    match best {
        Some(database) => Ok(vec![database]),
        None => Ok(vec![Database::build(model, bad, &kept, budget)?]),
    }
}

/// A larger database, if it can be expected to be ready in time and is.
fn attempt(
    model: &Model<'_>,
    bad: &Bdd,
    kept: &BTreeSet<VariableId>,
    rest: Duration,
    last: Option<&Database>,
) -> Result<Option<Database>, Stop> {
    if let Some(last) = last
        && last.time() * 4 > rest
    {
        return Ok(None); // the next one takes longer still
    }
    let database = Database::build(model, bad, kept, rest)?;
    Ok((database.is_complete() || last.is_none()).then_some(database))
}

/// The state variables by the number of dependencies that lie between them and the error.
fn by_distance(model: &Model<'_>, bad: &Bdd) -> Vec<Vec<VariableId>> {
    let needs = dependencies(model.system);
    let is_state = |id: &VariableId| model.system.variable(*id).role != Role::Input;
    let mut seen: BTreeSet<VariableId> = variables_of(model, bad).into_iter().collect();
    let mut ranks: Vec<Vec<VariableId>> = vec![seen.iter().copied().filter(is_state).collect()];
    loop {
        let last = &ranks[ranks.len() - 1];
        let next: BTreeSet<VariableId> = last
            .iter()
            .flat_map(|id| needs[id.index()].iter().copied())
            .filter(|id| !seen.contains(id))
            .collect();
        if next.is_empty() {
            return ranks;
        }
        seen.extend(&next);
        ranks.push(next.into_iter().filter(is_state).collect());
    }
}
