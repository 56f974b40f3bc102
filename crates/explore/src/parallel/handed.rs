//! What one thread has done before the others came in: every thread takes over what it owns.

use merkhet_semantics::{State, Successor, System};

use super::GlobalId;
use super::owner::Owners;
use crate::open::OpenList;
use crate::search::frontier::{Frontier, Unfinished};
use crate::statistics::Statistics;
use crate::store::StateId;

/// A search that one thread has begun, divided.
pub(super) struct Handed {
    begun: Unfinished,
    threads: usize,
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
            let place = GlobalId::new(owner, StateId(taken[owner]), threads);
            taken[owner] += 1;
            place
        };
        Some(Handed {
            places: (0..store.len() as u32).map(place).collect(),
            threads,
            begun,
        })
    }

    /// What was done.
    pub fn statistics(&self) -> &Statistics {
        &self.begun.statistics
    }

    /// Gives a thread that has seen nothing what it owns, in the same order. The first one takes the counts.
    pub fn take_over(&self, system: &System, frontier: &mut Frontier<'_, '_>, thread: usize) {
        let n = system.dimension();
        let (mut memory, mut zone) = (vec![0; system.cells().len()], vec![0; n * n]);
        let (mut lower, mut upper) = (vec![0; n], vec![0; n]);
        let store = &self.begun.store;
        for (id, place) in (0..).map(StateId).zip(&self.places) {
            if place.parts(self.threads).0 != thread {
                continue;
            }
            let (parent, edges) = store.parent(id).unzip();
            let parent = parent.map(|parent: StateId| StateId(self.places[parent.0 as usize].0));
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
            let (owner, id) = self.places[state.0 as usize].parts(self.threads);
            if owner == thread {
                frontier.open.push(id, key);
            }
        }
        let random = frontier.open.random();
        frontier.open.restored(random);
        frontier.unsafe_pruning |= self.begun.unsafe_pruning;
        if thread == 0 {
            frontier.statistics = self.begun.statistics;
        }
    }
}
