//! A* over sets of states, and the unguided check that it is compared with.

use super::estimator::Estimator;
use super::{GuidedReport, Outcome};
use crate::bdd::Bdd;
use crate::explain::path::State;
use crate::limits::{Budget, Stop};
use crate::relation::{LocalRelation, Model};
use std::collections::BTreeMap;
use std::time::Instant;

/// `InvarCheck`, figure 3: breadth first, from the frontier, until an error or the fixed point.
pub fn invar_check(model: &Model, bad: &Bdd) -> Result<Outcome, Stop> {
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

fn path_to(model: &Model, layers: &[Bdd], goal: &Bdd) -> Result<Vec<State>, Stop> {
    match model.pick(goal) {
        Some(end) => model.path_through(layers, end),
        None => Err(Stop::Model("an empty goal".into())),
    }
}

/// States that wait with the same g.
#[derive(Clone)]
struct Waiting {
    /// Their estimate is h.
    exact: Bdd,
    /// Their estimate is h or more.
    rest: Bdd,
    /// They were expanded with g - 1, but only by events that an estimate can see. The other events
    /// lead to states with this g and the same estimate h.
    deferred: Bdd,
}

/// The queue of figure 5: sets of states by f = g + h, small h first among equals. Sets with the
/// same g and h are one.
///
/// Figure 5 looks an image up in all layers, from the largest estimate down. We go up instead, and
/// only as far as the search asks: most states have estimates so large that they are never popped.
/// For the same reason events that change no kept variable are put off: they cost a step and bring
/// the error no nearer, so the states they lead to have a greater f. (Yoshizumi, Miura, Ishida: "A*
/// with partial expansion for large branching factor problems", AAAI 2000.)
struct SearchQueue {
    estimator: Estimator,
    /// Whether each local relation changes a kept variable.
    visible: Vec<bool>,
    waiting: BTreeMap<(usize, usize), Waiting>,
}

impl SearchQueue {
    /// `QueueImage`: a set of states at distance g from the start. None of them is nearer to the
    /// error than `least`, so layers below that need no look.
    fn queue_image(&mut self, model: &Model, set: Bdd, g: usize, least: usize) -> Result<(), Stop> {
        let diagrams = &model.encoding.diagrams;
        if let Some(multi) = &self.estimator.multi {
            for (h, part) in diagrams.partition(&set, multi)? {
                if (h as usize) < self.estimator.bound() {
                    let empty = self.empty(model);
                    self.add(
                        model,
                        (g + h as usize, h as usize),
                        Waiting {
                            exact: part,
                            ..empty
                        },
                    )?;
                }
            }
            return Ok(());
        }
        let empty = self.empty(model);
        let rest = Waiting { rest: set, ..empty };
        self.add(model, (g + least, least), rest)
    }

    fn empty(&self, model: &Model) -> Waiting {
        let none = model.encoding.diagrams.constant(false);
        Waiting {
            exact: none.clone(),
            rest: none.clone(),
            deferred: none,
        }
    }

    fn add(&mut self, model: &Model, key: (usize, usize), new: Waiting) -> Result<(), Stop> {
        let diagrams = &model.encoding.diagrams;
        let joined = match self.waiting.remove(&key) {
            Some(old) => Waiting {
                exact: diagrams.or(&old.exact, &new.exact)?,
                rest: diagrams.or(&old.rest, &new.rest)?,
                deferred: diagrams.or(&old.deferred, &new.deferred)?,
            },
            None => new,
        };
        self.waiting.insert(key, joined);
        Ok(())
    }

    /// The next (g, h, set): states with this estimate, and none with a smaller f anywhere.
    fn pop(&mut self, model: &Model) -> Result<Option<(usize, usize, Bdd)>, Stop> {
        let diagrams = &model.encoding.diagrams;
        let Some(((f, h), waiting)) = self.waiting.pop_first() else {
            return Ok(None);
        };
        let mut set = waiting.exact;
        if !diagrams.is_false(&waiting.rest) {
            let part = self.estimator.part(model, &waiting.rest, h)?;
            set = diagrams.or(&set, &part)?;
            let more = diagrams.minus(&waiting.rest, &part)?;
            // Above the last layer there is nothing: such states cannot reach the error.
            if !diagrams.is_false(&more) && h + 1 < self.estimator.bound() {
                let empty = self.empty(model);
                self.add(
                    model,
                    (f + 1, h + 1),
                    Waiting {
                        rest: more,
                        ..empty
                    },
                )?;
            }
        }
        if !diagrams.is_false(&waiting.deferred) {
            let late = model.image_by(&waiting.deferred, |id| !self.visible[id])?;
            set = diagrams.or(&set, &late)?;
        }
        Ok(Some((f - h, h, set)))
    }
}

/// Lines 4 to 13 of figure 5, set by set.
///
/// Estimates of homomorphic abstractions (and their maximum, their sum over disjoint patterns, and
/// cut-off ones) are consistent: they fall by at most one a step. So a state is first expanded with
/// its least g, and closed states need no second look, whatever their g. What is popped may have
/// been closed since it was queued: it is subtracted first.
pub(crate) struct GuidedSearch {
    queue: SearchQueue,
    closed: Bdd,
    /// The sets that were expanded at each g: the way back.
    expanded: Vec<Bdd>,
    /// Sets of states taken from the queue and expanded.
    pub(super) sets: usize,
}

/// How a search ends.
pub(crate) enum End {
    /// With a shortest path to an error.
    Error(Vec<State>),
    /// Nothing is left: no error can be reached.
    Nothing,
}

impl GuidedSearch {
    pub(super) fn new(model: &Model, estimator: Estimator) -> Result<GuidedSearch, Stop> {
        let changes = |relation: &LocalRelation| {
            relation
                .changed
                .iter()
                .any(|id| estimator.kept.contains(id))
        };
        let visible: Vec<bool> = model.relations.iter().map(changes).collect();
        let mut queue = SearchQueue {
            estimator,
            visible,
            waiting: BTreeMap::new(),
        };
        queue.queue_image(model, model.initial.clone(), 0, 0)?;
        Ok(GuidedSearch {
            queue,
            closed: model.encoding.diagrams.constant(false),
            expanded: Vec::new(),
            sets: 0,
        })
    }

    /// Goes on to the end, as far as that is allowed. A step that is stopped has changed nothing.
    pub(super) fn advance(
        &mut self,
        model: &Model,
        bad: &Bdd,
        budget: Budget,
    ) -> Result<Option<End>, Stop> {
        let diagrams = &model.encoding.diagrams;
        loop {
            let waiting = self.queue.waiting.clone();
            let (closed, expanded) = (self.closed.clone(), self.expanded.clone());
            match diagrams.allowed(budget, || self.step(model, bad))? {
                Some(None) => {}
                Some(end) => return Ok(end),
                None => {
                    self.queue.waiting = waiting;
                    (self.closed, self.expanded) = (closed, expanded);
                    return Ok(None);
                }
            }
        }
    }

    fn step(&mut self, model: &Model, bad: &Bdd) -> Result<Option<End>, Stop> {
        let diagrams = &model.encoding.diagrams;
        diagrams.check_limits()?;
        let Some((g, h, popped)) = self.queue.pop(model)? else {
            return Ok(Some(End::Nothing));
        };
        let frontier = diagrams.minus(&popped, &self.closed)?;
        if diagrams.is_false(&frontier) {
            return Ok(None);
        }
        if h == 0 && !diagrams.disjoint(&frontier, bad)? {
            let violating = diagrams.and(&frontier, bad)?;
            let mut layers: Vec<Bdd> = self.expanded[..g].to_vec();
            layers.push(violating.clone());
            return Ok(Some(End::Error(path_to(model, &layers, &violating)?)));
        }
        diagrams.report_depth(g);
        self.closed = diagrams.or(&self.closed, &frontier)?;
        if self.expanded.len() <= g {
            self.expanded.resize(g + 1, diagrams.constant(false));
        }
        self.expanded[g] = diagrams.or(&self.expanded[g], &frontier)?;
        let image = model.image_by(&frontier, |id| self.queue.visible[id])?;
        let image = diagrams.minus(&image, &self.closed)?;
        if !diagrams.is_false(&image) {
            // A step brings the error nearer by one at most.
            self.queue
                .queue_image(model, image, g + 1, h.saturating_sub(1))?;
        }
        let empty = self.queue.empty(model);
        let deferred = Waiting {
            deferred: frontier,
            ..empty
        };
        self.queue.add(model, (g + h + 1, h), deferred)?;
        self.sets += 1;
        Ok(None)
    }
}
