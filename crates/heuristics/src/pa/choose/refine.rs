//! The refinement step: new predicates from an abstract path to the error (figure 3 of the paper).
//!
//! Where we differ: assignments of a transition are undone together, since the predicates in between speak of no state
//! of the system; conditions on one variable are one predicate, the set of its values; a guard and its negation are one
//! predicate.

use rustc_hash::FxHashSet;

use crate::pa::cases::Case;
use crate::pa::evaluate::at_location;
use crate::pa::predicate::{Condition, Predicate, of_clocks, of_mask};
use crate::pa::regress::weakest_precondition;
use crate::pa::slots::Slots;
use crate::pa::world::ClockBound;
use merkhet_network::{LocationId, Network};

/// A growing set of predicates, in the order of their discovery.
#[derive(Clone, Default, Debug)]
pub struct Predicates {
    /// The predicates.
    pub list: Vec<Predicate>,
    known: FxHashSet<Predicate>,
}

impl Predicates {
    /// Adds the predicate of a condition, with either sign; constants add nothing.
    pub fn add(&mut self, condition: Condition) {
        if let Condition::Literal(literal) = condition {
            self.insert(literal.predicate);
        }
    }

    /// Adds a predicate.
    pub fn insert(&mut self, predicate: Predicate) {
        if self.known.insert(predicate.clone()) {
            self.list.push(predicate);
        }
    }

    /// Takes predicates out, and does not add them again until [`Predicates::lift_ban`].
    pub fn ban(&mut self, predicates: &[Predicate]) {
        self.list.retain(|known| !predicates.contains(known));
    }

    /// Lets predicates in again that were taken out.
    pub fn lift_ban(&mut self) {
        self.known = self.list.iter().cloned().collect();
    }

    /// Whether it is in the set, or was.
    pub fn contains(&self, predicate: &Predicate) -> bool {
        self.known.contains(predicate)
    }

    /// The number of predicates.
    pub fn len(&self) -> usize {
        self.list.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    fn add_bounds(&mut self, bounds: &[ClockBound]) {
        for bound in bounds {
            self.add(of_clocks(bound.left, bound.right, bound.bound));
        }
    }

    /// Guards and invariants of a case, those on the locations of its own processes left out.
    pub fn add_conditions(&mut self, slots: &Slots, case: &Case) {
        for (slot, mask) in &case.masks {
            if slots.process(*slot).is_none() {
                self.add(of_mask(slots, *slot, *mask));
            }
        }
        for literal in &case.literals {
            self.insert(literal.predicate.clone());
        }
        self.add_bounds(&case.before);
    }
}

impl<T: IntoIterator<Item = Predicate>> From<T> for Predicates {
    fn from(all: T) -> Self {
        let mut predicates = Predicates::default();
        all.into_iter().for_each(|each| predicates.insert(each));
        predicates
    }
}

/// Which predicates a transition's assignments are undone in.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Undo {
    /// In all that there are, wherever on the path they came from: figure 3.
    All,
    /// In those that hold at this point of the path, as in figure 2: each is the weakest precondition of what follows.
    Alive,
}

/// Refines the predicates by a path to the error, given as its transitions in order; at most `most` predicates.
///
/// Gives the locations at which the path starts, as far as it says; `None` if it was found to be spurious for locations.
pub fn refine_path(
    network: &Network,
    slots: &Slots,
    predicates: &mut Predicates,
    path: &[&Case],
    undo: Undo,
    most: usize,
) -> Option<Vec<Option<LocationId>>> {
    let mut current: Vec<Option<LocationId>> = vec![None; network.processes.len()];
    let mut alive = predicates.clone();
    for case in path.iter().rev() {
        for (process, edge) in &case.edges {
            let edge = network.edge(*process, *edge);
            let known = &mut current[process.index()];
            if let Some(location) = *known
                && location != edge.target
            {
                // The path is spurious: the process would be at two places.
                predicates.add(at_location(slots, process.0, location.0));
                return None;
            }
            *known = Some(edge.source);
        }
        predicates.add_bounds(&case.after);
        alive.add_bounds(&case.after);
        let after = match undo {
            Undo::All => predicates.list.clone(),
            Undo::Alive => std::mem::take(&mut alive).list,
        };
        for predicate in &after {
            if let Some(condition) = weakest_precondition(slots, case, predicate) {
                alive.add(condition);
            }
        }
        alive.add_conditions(slots, case);
        for predicate in &alive.list {
            if predicates.len() >= most {
                return None;
            }
            predicates.insert(predicate.clone());
        }
    }
    Some(current)
}
