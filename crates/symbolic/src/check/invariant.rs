//! Invariants by several searches in turns, until one comes to its end: who goes on next is decided here.
//!
//! Breadth first finds what is near, and ends soon where there is little to see. With pattern databases that are built
//! quickly, A* finds what is deep. Saturation proves what neither can. Clauses do well where diagrams explode. None is the
//! best for all: they take turns, twice as long each time. At first most of the work goes to guided search, since errors
//! are found in moments or not at all; later to saturation, since proofs take long. Work is counted in recursive steps of
//! the diagrams and in propagations of the solver, so that the same happens on every machine, as long as the variables
//! keep their order.

use super::turns::Turns;
use super::unrolled::Unrolled;
use crate::bdd::{Bdd, Relations};
use crate::explain::path::State;
use crate::guided::{Abstraction, Guided, GuidedReport, Prepared, Representation};
use crate::limits::{Budget, Limits, Stop};
use crate::reach::BreadthFirst;
use crate::relation::Model;
use merkhet_unroll::{Outcome, Proof, Report};

/// What the searches found.
pub(super) struct Found {
    /// Whether no bad state is reachable.
    pub(super) holds: bool,
    /// A shortest path to a bad state; without one, some search knows only that there is a path.
    pub(super) path: Option<Vec<State>>,
    /// All reachable states, where a search has seen them.
    pub(super) reachable: Option<Bdd>,
    /// What guided search did, where it came to the end first.
    pub(super) guided: Option<GuidedReport>,
    /// What the search by clauses did, where it came to the end first, and its proof.
    pub(super) unrolled: Option<Report>,
    pub(super) proof: Option<Proof>,
}

/// How a search by clauses begins, or what has been done of it.
pub(super) struct ByClauses<'a> {
    pub(super) begun: Option<Unrolled>,
    pub(super) begin: &'a dyn Fn() -> Result<Unrolled, Stop>,
    pub(super) limits: &'a Limits,
    /// The search is not begun in smaller turns.
    pub(super) from: u64,
}

impl Found {
    fn new(holds: bool) -> Found {
        Found {
            holds,
            path: None,
            reachable: None,
            guided: None,
            unrolled: None,
            proof: None,
        }
    }
}

/// A search in the schedule.
enum Part<'a> {
    BreadthFirst(BreadthFirst),
    /// Bounded model checking and induction.
    Clauses(Box<ByClauses<'a>>),
    /// Guided search; `None` until its databases are built.
    Guided(Option<Box<Guided>>),
    /// Saturation; the relations name what the cache knows of earlier turns.
    Saturation(Option<Relations>),
}

/// Searches until one has found whether a state of `bad` is reachable. `shortest`: it must show a shortest path.
pub(super) fn search(
    model: &Model,
    bad: &Bdd,
    mut clauses: ByClauses<'_>,
    turns: &Turns,
    shortest: bool,
) -> Result<Found, Stop> {
    let diagrams = &model.encoding.diagrams;
    let begin = diagrams.work();
    let mut turn = turns.first;
    clauses.from = turn * turns.before_clauses / turns.clauses;
    let mut parts = vec![
        Part::BreadthFirst(BreadthFirst::new(&model.initial)),
        Part::Guided(None),
        Part::Clauses(Box::new(clauses)),
    ];
    if model.relations.len() > 1 {
        parts.push(Part::Saturation(model.saturation_relations()));
    }
    // When saturation has found that there is an error: the end of the searches for the path.
    let mut known: Option<(u64, Bdd)> = None;
    loop {
        let mut left = Vec::new();
        for mut part in std::mem::take(&mut parts) {
            let share = part.share(turn, turns);
            match part.advance(model, bad, share, turns) {
                Ok(None) => left.push(part),
                Ok(Some(found)) if found.holds || found.path.is_some() => return Ok(found),
                Ok(Some(found)) => {
                    let spent = diagrams.work() - begin;
                    let end = diagrams.work() + turns.for_path * spent.max(Turns::USUAL.first);
                    known = found.reachable.map(|reachable| (end, reachable));
                }
                // What clauses cannot say others can.
                Err(Stop::Unsupported(_)) if matches!(part, Part::Clauses(_)) => {}
                // Others may need less.
                Err(Stop::Memory) if known.is_some() || has_others(&left, &parts) => {
                    diagrams.collect();
                }
                Err(stop) => return Err(stop),
            }
        }
        if let Some((end, reachable)) = &known
            && (left.is_empty() || !shortest && diagrams.work() >= *end)
        {
            return Ok(Found {
                reachable: Some(reachable.clone()),
                ..Found::new(false)
            });
        }
        parts = left;
        if parts.is_empty() {
            return Err(Stop::Memory);
        }
        turn *= 2;
    }
}

fn has_others(done: &[Part], waiting: &[Part]) -> bool {
    !done.is_empty() || !waiting.is_empty()
}

impl Part<'_> {
    /// What it gets of a turn.
    fn share(&self, turn: u64, turns: &Turns) -> u64 {
        let guided = turn <= turns.last_guided;
        match self {
            Part::BreadthFirst(_) => turn / turns.breadth_first,
            Part::Clauses(_) if guided => turn / turns.clauses,
            Part::Clauses(_) => turn / turns.clauses_later,
            Part::Guided(_) if guided => turn,
            Part::Saturation(_) if !guided => turn,
            Part::Guided(_) | Part::Saturation(_) => turn / turns.others,
        }
    }

    /// Goes on for an amount of work; the answer, if it came to an end.
    fn advance(
        &mut self,
        model: &Model,
        bad: &Bdd,
        share: u64,
        turns: &Turns,
    ) -> Result<Option<Found>, Stop> {
        let budget = Budget::Work(model.encoding.diagrams.work() + share);
        match self {
            Part::Clauses(clauses) => clauses.advance(share),
            Part::BreadthFirst(search) => breadth_first(search, model, bad, budget),
            Part::Guided(search) => guided(search, model, bad, (share, turns.for_search), budget),
            Part::Saturation(relations) => saturation(relations.as_ref(), model, bad, budget),
        }
    }
}

impl ByClauses<'_> {
    fn advance(&mut self, share: u64) -> Result<Option<Found>, Stop> {
        let search = match &mut self.begun {
            Some(search) => search,
            None if share < self.from => return Ok(None),
            None => self.begun.insert((self.begin)()?),
        };
        let outcome = search.advance(share, self.limits)?;
        let report = Some(search.report());
        Ok(outcome.map(|outcome| match outcome {
            Outcome::Path(path) => Found {
                path: Some(path),
                unrolled: report,
                ..Found::new(false)
            },
            Outcome::Proof(proof) => Found {
                proof: Some(proof),
                unrolled: report,
                ..Found::new(true)
            },
        }))
    }
}

fn breadth_first(
    search: &mut BreadthFirst,
    model: &Model,
    bad: &Bdd,
    budget: Budget,
) -> Result<Option<Found>, Stop> {
    let diagrams = &model.encoding.diagrams;
    loop {
        match diagrams.allowed(budget, || search.step(model, bad))? {
            None => return Ok(None),
            Some(None) => {}
            Some(Some(false)) => {
                return Ok(Some(Found {
                    reachable: Some(search.reached.clone()),
                    ..Found::new(true)
                }));
            }
            Some(Some(true)) => {
                let last = &search.layers[search.layers.len() - 1];
                let end = model.pick(&diagrams.and(last, bad)?);
                let end = end.ok_or(Stop::Model("the last layer misses the goal".into()))?;
                return Ok(Some(Found {
                    path: Some(model.path_through(&search.layers, end)?),
                    ..Found::new(false)
                }));
            }
        }
    }
}

fn guided(
    search: &mut Option<Box<Guided>>,
    model: &Model,
    bad: &Bdd,
    (share, for_search): (u64, u64),
    budget: Budget,
) -> Result<Option<Found>, Stop> {
    let diagrams = &model.encoding.diagrams;
    // Databases that were cut short are built anew with more work, instead of going on with what they tell.
    if search.as_ref().is_none_or(|search| search.is_cut()) {
        let building = Budget::Work(diagrams.work() + share - share / for_search);
        let prepare = || {
            let (abstraction, kind) = (Abstraction::Automatic, Representation::Layers);
            Guided::prepare(model, bad, &abstraction, kind, building)
        };
        match diagrams.allowed(budget, prepare)? {
            None => return Ok(None),
            Some(Prepared::Proved(report)) => {
                return Ok(Some(Found {
                    guided: Some(report),
                    ..Found::new(true)
                }));
            }
            Some(Prepared::Search(ready)) => *search = Some(ready),
        }
    }
    let Some(search) = search.as_mut().filter(|search| search.is_informed()) else {
        return Ok(None); // with nothing to guide it, it is breadth first
    };
    let outcome = search.advance(model, bad, budget)?;
    Ok(outcome.map(|outcome| Found {
        path: outcome.path,
        guided: Some(outcome.report),
        ..Found::new(outcome.holds)
    }))
}

fn saturation(
    relations: Option<&Relations>,
    model: &Model,
    bad: &Bdd,
    budget: Budget,
) -> Result<Option<Found>, Stop> {
    let diagrams = &model.encoding.diagrams;
    let work = || {
        let reachable = model.reachable_with(relations)?;
        let holds = diagrams.disjoint(&reachable, bad)?;
        Ok(Found {
            reachable: Some(reachable),
            ..Found::new(holds)
        })
    };
    diagrams.allowed(budget, work)
}
