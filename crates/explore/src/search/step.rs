//! The expansion of one state, for searches with one thread and with several.

use std::ops::ControlFlow;

use merkhet_semantics::{Explorer, Fault, State, Successor, System};
use merkhet_zones::bound::Bound;

use super::Config;
use super::frontier::Frontier;
use super::moves::MoveTable;
use crate::limits::Watch;
use crate::passed::{Passed, Transitions};
use crate::store::{Part, StateId};
use crate::verdict::StopReason;

/// What expands states, with room for one.
pub(crate) struct Step<'s, T = Explorer<'s>> {
    pub transitions: T,
    table: MoveTable,
    /// The state that is being expanded; between two expansions, room for any.
    pub memory: Vec<i32>,
    pub zone: Vec<Bound>,
    /// Room for the rows of a zone that are kept.
    reduced: Vec<Bound>,
    /// The guide is told which state is being expanded. Several threads that share the work do not say so.
    tells: bool,
    lifetime: std::marker::PhantomData<&'s ()>,
}

/// Where the successors of a state go.
pub(crate) trait Sink<'s, 'c: 's, P> {
    fn frontier(&mut self) -> &mut Frontier<'s, 'c, P>;

    /// Takes a successor.
    fn take(&mut self, successor: &Successor<'_>) -> ControlFlow<()>;

    /// Takes a transition that is worked out, with the discrete part that it leads to, once that is known.
    fn take_move(&mut self, part: &mut Option<Part>, successor: &Successor<'_>) -> ControlFlow<()>;
}

impl<'s, T: Transitions<'s>> Step<'s, T> {
    pub fn new<P: Passed>(
        system: &System,
        transitions: T,
        passed: &mut P,
        config: &Config<'_>,
        tells: bool,
    ) -> Step<'s, T> {
        let bounds = system.dimension() * system.dimension();
        let shares = passed.zones().is_some_and(|store| store.shares_parts());
        Step {
            transitions,
            table: MoveTable::new(system.permits_moves() && shares, system, config),
            memory: vec![0; system.cells().len()],
            zone: vec![0; bounds],
            reduced: vec![0; bounds],
            tells,
            lifetime: std::marker::PhantomData,
        }
    }

    /// Hands on the successors of a state. True: it is not expanded, since it is the goal of a search that looks for it now.
    pub fn expand<'c: 's, P: Passed>(
        &mut self,
        id: StateId,
        sink: &mut impl Sink<'s, 'c, P>,
    ) -> Result<bool, Fault> {
        let frontier = sink.frontier();
        let moves = match (frontier.store.zones(), self.transitions.explorer()) {
            (Some(store), Some(explorer)) => {
                let (memory, zone) = (&mut self.memory, &mut self.reduced);
                self.table.of(store, id, explorer, memory, zone)
            }
            _ => None,
        };
        frontier.beside = self.table.bytes();
        // The automatic search looks at states only as long as it makes estimates.
        let estimates = frontier.wants_estimates();
        if moves.is_none() || estimates {
            (frontier.store).load(id, &mut self.memory, &mut self.zone);
        }
        let entries = match (&moves, frontier.store.zones()) {
            (Some(_), Some(store)) => store.load_reduced(id, &mut self.reduced),
            _ => 0,
        };
        frontier.store.expanded(id);
        if P::RETURNS {
            frontier.open.return_to(id);
        }
        if let Some(store) = frontier.store.zones()
            && store.is_to_switch()
        {
            store.switch(frontier.tester.system());
        }
        let state = State {
            memory: &self.memory,
            zone: &self.zone,
        };
        if let (true, Some(goal)) = (frontier.strategy.tests_when_expanded(), frontier.goal)
            && frontier.tester.satisfies(goal, state, None)?
        {
            return Ok(true);
        }
        if self.tells {
            frontier.prepare(id, state, estimates);
        }
        let depth = frontier.store.depth(id);
        frontier.statistics.explored += 1;
        frontier.statistics.max_depth = frontier.statistics.max_depth.max(depth);
        let flow = match (moves, self.transitions.explorer()) {
            (Some(worked), Some(explorer)) => {
                let (moves, targets, numbers) = self.table.get(&worked);
                let sink = &mut |place: u32, successor: Successor<'_>| {
                    sink.take_move(&mut targets[place as usize], &successor)
                };
                Ok(explorer.take_moves(&self.reduced[..entries], moves, numbers, sink))
            }
            _ => (self.transitions).successors(state, &mut |successor| sink.take(&successor)),
        };
        sink.frontier().open.end_batch();
        flow.map(|_| false)
    }
}

/// Puts successors where they belong, in a search with one thread.
pub(super) struct Own<'a, 's, 'c, 'w, P> {
    pub frontier: &'a mut Frontier<'s, 'c, P>,
    /// Looks at the limits after each successor, unless the search is to stop between two expansions only.
    pub watch: Option<&'a mut Watch<'w>>,
    pub parent: Option<StateId>,
    pub depth: u32,
    pub found: Result<Option<StateId>, Fault>,
    pub stopped: Option<StopReason>,
}

impl<'a, 's, 'c: 's, 'w, P: Passed> Own<'a, 's, 'c, 'w, P> {
    pub fn new(
        frontier: &'a mut Frontier<'s, 'c, P>,
        watch: Option<&'a mut Watch<'w>>,
        parent: Option<StateId>,
    ) -> Self {
        Own {
            depth: parent.map_or(0, |id| frontier.store.depth(id) + 1),
            frontier,
            watch,
            parent,
            found: Ok(None),
            stopped: None,
        }
    }

    /// What became of a successor.
    #[inline]
    fn settle(&mut self, found: Result<Option<StateId>, Fault>) -> ControlFlow<()> {
        self.found = found;
        let Ok(None) = self.found else {
            return ControlFlow::Break(());
        };
        if let Some(watch) = &mut self.watch {
            self.stopped = watch.stop(0, || self.frontier.bytes());
        }
        match self.stopped {
            Some(_) => ControlFlow::Break(()),
            None => ControlFlow::Continue(()),
        }
    }
}

impl<'s, 'c: 's, P: Passed> Sink<'s, 'c, P> for Own<'_, 's, 'c, '_, P> {
    #[inline]
    fn frontier(&mut self) -> &mut Frontier<'s, 'c, P> {
        self.frontier
    }

    #[inline]
    fn take(&mut self, successor: &Successor<'_>) -> ControlFlow<()> {
        let found = self.frontier.add(successor, self.parent, self.depth);
        self.settle(found)
    }

    #[inline]
    fn take_move(&mut self, part: &mut Option<Part>, successor: &Successor<'_>) -> ControlFlow<()> {
        let found = (self.frontier).add_to(part, successor, self.parent, self.depth);
        self.settle(found)
    }
}
