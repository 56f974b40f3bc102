//! A* over sets of states, and the unguided check that it is compared with.

use super::database::Database;
use super::{GuidedReport, Outcome};
use crate::bdd::Bdd;
use crate::explain::path::State;
use crate::limits::Stop;
use crate::relation::Model;
use std::collections::BTreeMap;
use std::time::Instant;

/// `InvarCheck`, figure 3: breadth first, from the frontier, until an error or the fixed point.
pub fn invar_check(model: &Model<'_>, bad: &Bdd) -> Result<Outcome, Stop> {
    let start = Instant::now();
    let mut report = GuidedReport::default();
    let path = match model.layers_to(&model.initial, bad)? {
        Ok(layers) => {
            report.expanded_sets = layers.len() - 1;
            let last = model
                .encoding
                .diagrams
                .and(&layers[layers.len() - 1], bad)?;
            Some(path_to(model, &layers, &last)?)
        }
        Err(_) => None,
    };
    report.depth = path.as_ref().map(|path| path.len() - 1);
    report.search = start.elapsed();
    Ok(Outcome {
        holds: path.is_none(),
        path,
        report,
    })
}

fn path_to(model: &Model<'_>, layers: &[Bdd], goal: &Bdd) -> Result<Vec<State>, Stop> {
    match model.pick(goal) {
        Some(end) => model.path_through(layers, end),
        None => Err(Stop::Model("an empty goal".into())),
    }
}

/// The queue of figure 5: sets of states by f = g + h, small h first among equals. Sets with the
/// same g and h are one.
struct SearchQueue(BTreeMap<(usize, usize), Bdd>);

impl SearchQueue {
    /// `QueueImage`: the parts of a set by the greatest estimate of all databases.
    fn queue_image(
        &mut self,
        model: &Model<'_>,
        databases: &[Database],
        set: Bdd,
        g: usize,
    ) -> Result<(), Stop> {
        let diagrams = &model.encoding.diagrams;
        let mut parts = vec![(0, set)];
        for database in databases {
            let mut finer = Vec::new();
            for (estimate, part) in parts {
                for (other, piece) in database.partition(model, &part)? {
                    finer.push((estimate.max(other), piece));
                }
            }
            parts = finer;
        }
        for (h, part) in parts {
            let key = (g + h, h);
            let joined = match self.0.remove(&key) {
                Some(waiting) => diagrams.or(&waiting, &part)?,
                None => part,
            };
            self.0.insert(key, joined);
        }
        Ok(())
    }
}

/// Lines 4 to 13 of figure 5.
///
/// Estimates of homomorphic abstractions (and their maximum, and cut-off ones) are consistent: they
/// fall by at most one a step. So a state is first expanded with its least g, and closed states
/// need no second look, whatever their g. What is popped may have been closed since it was queued:
/// it is subtracted first.
pub(super) fn guided(
    model: &Model<'_>,
    bad: &Bdd,
    databases: &[Database],
    mut report: GuidedReport,
) -> Result<Outcome, Stop> {
    let start = Instant::now();
    let diagrams = &model.encoding.diagrams;
    let mut queue = SearchQueue(BTreeMap::new());
    queue.queue_image(model, databases, model.initial.clone(), 0)?;
    let mut closed = diagrams.constant(false);
    // The sets that were expanded at each g: the way back.
    let mut expanded: Vec<Bdd> = Vec::new();
    while let Some(((f, h), popped)) = queue.0.pop_first() {
        diagrams.limits().check()?;
        let g = f - h;
        let frontier = diagrams.minus(&popped, &closed)?;
        if diagrams.is_false(&frontier) {
            continue;
        }
        let violating = if h == 0 {
            diagrams.and(&frontier, bad)?
        } else {
            diagrams.constant(false)
        };
        if !diagrams.is_false(&violating) {
            let mut layers: Vec<Bdd> = expanded[..g].to_vec();
            layers.push(violating.clone());
            let path = path_to(model, &layers, &violating)?;
            report.depth = Some(path.len() - 1);
            report.search = start.elapsed();
            return Ok(Outcome {
                holds: false,
                path: Some(path),
                report,
            });
        }
        report.expanded_sets += 1;
        closed = diagrams.or(&closed, &frontier)?;
        if expanded.len() <= g {
            expanded.resize(g + 1, diagrams.constant(false));
        }
        expanded[g] = diagrams.or(&expanded[g], &frontier)?;
        let image = diagrams.minus(&model.image(&frontier)?, &closed)?;
        queue.queue_image(model, databases, image, g + 1)?;
    }
    report.search = start.elapsed();
    Ok(Outcome {
        holds: true,
        path: None,
        report,
    })
}
