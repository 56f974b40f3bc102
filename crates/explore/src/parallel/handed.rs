//! What one thread has done before the others came in: every thread takes over what it owns.

use merkhet_semantics::{State, Successor, System};

use super::links::GlobalId;
use super::owner::Owners;
use crate::open::OpenList;
use crate::search::frontier::{Frontier, Unfinished};
use crate::statistics::Statistics;
use crate::store::StateId;

/// A search that one thread has begun, divided.
pub(super) struct Handed {
    begun: Unfinished,
    /// By state of the search that was begun, which one it becomes.
    places: Vec<GlobalId>,
}

impl Handed {
    /// Divides a search. Nothing if it is to begin again: if it has several queues.
    pub fn new(begun: Unfinished, owners: &Owners, threads: usize) -> Option<Handed> {
        let store = &begun.store;
        if matches!(begun.open, OpenList::Guided(_)) {
            return None;
        }
        let mut taken = vec![0; threads];
        let place = |id| {
            let owner = owners.of(store.key(StateId(id)));
            let place = GlobalId::new(owner, StateId(taken[owner]));
            taken[owner] += 1;
            place
        };
        Some(Handed {
            places: (0..store.len() as u32).map(place).collect(),
            begun,
        })
    }

    /// What was done.
    pub fn statistics(&self) -> &Statistics {
        &self.begun.statistics
    }

    /// Gives an owner that has seen nothing what it owns, in the same order; says who owns the parents. The first one takes
    /// the counts.
    pub fn take_over(
        &self,
        system: &System,
        frontier: &mut Frontier<'_, '_>,
        thread: usize,
    ) -> Vec<u16> {
        let mut origins = Vec::new();
        let n = system.dimension();
        let (mut memory, mut zone) = (vec![0; system.cells().len()], vec![0; n * n]);
        let (mut lower, mut upper) = (vec![0; n], vec![0; n]);
        let store = &self.begun.store;
        for (id, place) in (0..).map(StateId).zip(&self.places) {
            if usize::from(place.owner) != thread {
                continue;
            }
            let (parent, edges) = store.parent(id).unzip();
            let parent = parent.map(|parent: StateId| self.places[parent.0 as usize]);
            origins.push(parent.map_or(thread as u16, |parent| parent.owner));
            let parent = parent.map(|parent| parent.id);
            let edges = edges.unwrap_or_default();
            let live = !store.is_removed(id);
            if live {
                store.load(id, &mut memory, &mut zone);
                system.bounds_at(&memory, &mut lower, &mut upper);
            }
            let successor = live.then_some(Successor {
                edges: &edges,
                state: State {
                    memory: &memory,
                    zone: &zone,
                },
                reduced: &[],
                lower: &lower,
                upper: &upper,
                source: &[],
                entry: &[],
                origins: &[],
                stopped: &[],
            });
            (frontier.store).restore(successor, &edges, parent, store.depth(id));
        }
        for (key, state) in self.begun.open.entries() {
            let place = self.places[state.0 as usize];
            if usize::from(place.owner) == thread {
                frontier.open.push(place.id, key);
            }
        }
        let random = frontier.open.random();
        frontier.open.restored(random);
        frontier.unsafe_pruning |= self.begun.unsafe_pruning;
        if thread == 0 {
            frontier.statistics = self.begun.statistics;
        }
        origins
    }
}
