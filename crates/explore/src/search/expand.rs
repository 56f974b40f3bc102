//! The expansion of one state.

use std::ops::ControlFlow;

use merkhet_semantics::{Explorer, Fault, State};

use super::frontier::Frontier;
use super::moves::MoveTable;
use super::{Located, Search};
use crate::limits::Watch;
use crate::open::{OpenList, TieBreak};
use crate::store::StateId;
use crate::strategy::Strategy;
use crate::verdict::StopReason;

impl Search<'_, '_> {
    /// Computes the successors of a state.
    pub(super) fn expand(&mut self, id: StateId) -> Located<Expansion> {
        let (frontier, tester) = (&mut self.frontier, &mut self.tester);
        let (explorer, memory, zone) = (&mut self.explorer, &mut self.memory, &mut self.zone);
        let moves = self.table.of(&frontier.store, id, explorer, memory);
        frontier.beside = self.table.bytes();
        // The automatic search looks at states only as long as it makes estimates.
        let estimates = frontier.wants_estimates();
        if moves.is_none() || estimates {
            frontier.store.load_near(id, memory, zone);
        }
        let entries = match &moves {
            Some(_) => frontier.store.load_reduced(id, &mut self.reduced),
            None => 0,
        };
        frontier.store.expanded(id);
        let state = State {
            memory: &self.memory,
            zone: &self.zone,
        };
        let located = |fault| (fault, Some(id));
        if let (true, Some(goal)) = (frontier.strategy.tests_when_expanded(), frontier.goal)
            && tester.satisfies(goal, state, None).map_err(located)?
        {
            return Ok(Expansion::Found(id));
        }
        let prefers = match &frontier.open {
            OpenList::Guided(_) => estimates,
            _ => frontier.strategy == Strategy::Greedy(TieBreak::Preferred),
        };
        if prefers {
            frontier.heuristic.prepare(state);
            if let OpenList::Guided(guided) = &mut frontier.open {
                guided.prepared(frontier.heuristic.preparation());
            }
        }
        let depth = frontier.store.depth(id);
        frontier.statistics.explored += 1;
        frontier.statistics.max_depth = frontier.statistics.max_depth.max(depth);
        if estimates {
            let store = &frontier.store;
            let edges = || store.parent(id).map_or_else(Vec::new, |(_, edges)| edges);
            frontier.heuristic.expanding(state, &edges);
        }
        let mut sink = Sink {
            frontier,
            tester,
            watch: (!self.between).then_some(&mut self.watch),
            depth: depth + 1,
            found: Ok(None),
            stopped: None,
        };
        let flow = match moves {
            None => explorer.successors(state, &mut |successor| {
                let found = |sink: &mut Sink<'_, '_, '_, '_>| {
                    (sink.frontier).add(&successor, Some(id), sink.depth, sink.tester)
                };
                sink.take(found)
            }),
            Some(numbers) => {
                let MoveTable { moves, targets, .. } = &mut self.table;
                let zone = &self.reduced[..entries];
                Ok(
                    explorer.take_moves(zone, moves, numbers, &mut |place, successor| {
                        let part = &mut targets[place as usize];
                        let found = |sink: &mut Sink<'_, '_, '_, '_>| {
                            (sink.frontier).add_to(
                                part,
                                &successor,
                                Some(id),
                                sink.depth,
                                sink.tester,
                            )
                        };
                        sink.take(found)
                    }),
                )
            }
        };
        let (found, stopped) = (sink.found, sink.stopped);
        let _ = flow.map_err(located)?;
        self.frontier.open.end_batch();
        // The transition has been taken where it is the goal that cannot be evaluated behind it.
        let failed = self.frontier.failed.or(Some(id));
        Ok(match (found.map_err(|fault| (fault, failed))?, stopped) {
            (Some(found), _) => Expansion::Found(found),
            (None, Some(reason)) => Expansion::Stopped(reason),
            (None, None) => Expansion::Done,
        })
    }
}

/// Where the successors of a state go.
struct Sink<'a, 's, 'c, 'w> {
    frontier: &'a mut Frontier<'c>,
    tester: &'a mut Explorer<'s>,
    /// Looks at the limits after each successor, unless the search is to stop between two expansions only.
    watch: Option<&'a mut Watch<'w>>,
    depth: u32,
    found: Result<Option<StateId>, Fault>,
    stopped: Option<StopReason>,
}

impl<'a, 's, 'c, 'w> Sink<'a, 's, 'c, 'w> {
    /// Takes a successor; `add` puts it where it belongs.
    #[inline]
    fn take(
        &mut self,
        add: impl FnOnce(&mut Self) -> Result<Option<StateId>, Fault>,
    ) -> ControlFlow<()> {
        self.found = add(self);
        settled(&self.found)?;
        if let Some(watch) = &mut self.watch {
            self.stopped = watch.stop(0, || self.frontier.bytes());
        }
        match self.stopped {
            Some(_) => ControlFlow::Break(()),
            None => ControlFlow::Continue(()),
        }
    }
}

/// How the expansion of a state ended.
pub(super) enum Expansion {
    Done,
    Found(StateId),
    Stopped(StopReason),
}

/// Whether to go on after a successor.
pub(super) fn settled(found: &Result<Option<StateId>, Fault>) -> ControlFlow<()> {
    match found {
        Ok(None) => ControlFlow::Continue(()),
        _ => ControlFlow::Break(()),
    }
}
