//! The one expansion loop.

use std::io;
use std::ops::ControlFlow;

use merkhet_semantics::{Explorer, Fault, FaultKind, GoalId, State, System};
use merkhet_zones::bound::Bound;

use crate::checkpoint::{self, Keeper};
use crate::frontier::Frontier;
use crate::heuristic::Heuristic;
use crate::limits::{Limits, Progress, Watch};
use crate::moves::MoveTable;
use crate::open::{OpenList, TieBreak};
use crate::scouts::Scouts;
use crate::statistics::Statistics;
use crate::store::{Inclusion, StateId, Store};
use crate::strategy::Strategy;
use crate::trace::SymbolicTrace;
use crate::verdict::{Completeness, StopReason, Verdict};

/// What to search for, and how.
#[derive(Clone, Copy, Debug, Default)]
pub struct Config<'a> {
    /// The order of expansion.
    pub strategy: Strategy,
    /// When states are superfluous. With differences of clocks in the system, [`Inclusion::Alu`] falls back to
    /// [`Inclusion::Zone`].
    pub inclusion: Inclusion,
    /// What to look for; nothing means to see everything.
    pub goal: Option<GoalId>,
    /// For random choices.
    pub seed: u64,
    /// Remember states by a few bits of a table of 2^n bits only: needs little memory and proves nothing.
    pub bitstate: Option<u32>,
    /// When to give up.
    pub limits: Limits<'a>,
}

/// The result of a search, with its store for those who want to look closer.
pub struct Outcome {
    /// What was found.
    pub verdict: Verdict,
    /// What it took.
    pub statistics: Statistics,
    /// The states seen. After an exhausted search with [`Inclusion::Zone`] (and no pruning) the live ones are an
    /// inductive invariant.
    pub store: Store,
}

/// An evaluation failed: the model is wrong at a state that can be reached.
#[derive(Clone, PartialEq, Debug)]
pub struct Failure {
    /// What went wrong, and where in the model.
    pub fault: Fault,
    /// How the state is reached from which it did.
    pub trace: SymbolicTrace,
    /// What the search had done until then.
    pub statistics: Statistics,
}

/// Searches a system. `observe` is called now and then.
pub fn search(
    system: &System,
    config: &Config<'_>,
    heuristic: &mut dyn Heuristic,
    observe: &mut dyn FnMut(&Progress),
) -> Result<Outcome, Box<Failure>> {
    conduct(system, config, heuristic, observe, None).0
}

/// What became of a search with one thread.
pub(crate) enum Alone {
    /// It has ended.
    Ended(Box<Outcome>),
    /// Others may go on from here.
    Wide(Box<Unfinished>),
    /// An evaluation failed.
    Faulty,
}

/// A search between two expansions.
pub(crate) struct Unfinished {
    pub store: Store,
    pub open: OpenList,
    pub statistics: Statistics,
    pub unsafe_pruning: bool,
}

/// As [`search`], until `wide` says of the numbers of states that wait and that were expanded that it is time for something
/// else.
pub(crate) fn search_while(
    system: &System,
    config: &Config<'_>,
    heuristic: &mut dyn Heuristic,
    observe: &mut dyn FnMut(&Progress),
    wide: impl Fn(usize, u64) -> bool,
) -> Alone {
    let mut search = Search::new(system, config, heuristic, false);
    let result = match search.run_while(observe, wide) {
        Ok(None) => {
            let frontier = search.frontier;
            return Alone::Wide(Box::new(Unfinished {
                store: frontier.store,
                open: frontier.open,
                statistics: frontier.statistics,
                unsafe_pruning: frontier.unsafe_pruning,
            }));
        }
        Ok(Some(verdict)) => Ok(verdict),
        // The end of the time is no fault, and comes out as it does elsewhere.
        Err(fault) => Err(fault),
    };
    match search.outcome(result) {
        Ok(outcome) => Alone::Ended(Box::new(outcome)),
        Err(_) => Alone::Faulty,
    }
}

/// The same for a search that is written down now and then, or goes on from where one was written down. An error is one
/// of the keeper or of what it kept.
pub fn search_kept(
    system: &System,
    config: &Config<'_>,
    heuristic: &mut dyn Heuristic,
    observe: &mut dyn FnMut(&Progress),
    keeper: &mut dyn Keeper,
) -> io::Result<Result<Outcome, Box<Failure>>> {
    if config.bitstate.is_some() {
        let message = "a search with bit-state hashing cannot be written down";
        return Err(io::Error::new(io::ErrorKind::Unsupported, message));
    }
    match conduct(system, config, heuristic, observe, Some(keeper)) {
        (_, Some(problem)) => Err(problem),
        (result, None) => Ok(result),
    }
}

fn conduct(
    system: &System,
    config: &Config<'_>,
    heuristic: &mut dyn Heuristic,
    observe: &mut dyn FnMut(&Progress),
    keeper: Option<&mut dyn Keeper>,
) -> (Result<Outcome, Box<Failure>>, Option<io::Error>) {
    let mut search = Search::new(system, config, heuristic, keeper.is_some());
    let mut problem = None;
    let result = match keeper {
        None => search.run(observe),
        Some(keeper) => search.run_kept(system, observe, keeper, &mut problem),
    };
    (search.outcome(result), problem)
}

impl Search<'_, '_> {
    fn outcome(mut self, result: Located<Verdict>) -> Result<Outcome, Box<Failure>> {
        let search = &mut self;
        let statistics = search.finish();
        match result {
            Ok(verdict) => Ok(Outcome {
                verdict,
                statistics,
                store: self.frontier.store,
            }),
            Err((fault, _)) if fault.kind == FaultKind::Ended => Ok(Outcome {
                verdict: Verdict::Unknown(search.watch.why_ended()),
                statistics,
                store: self.frontier.store,
            }),
            Err((fault, at)) => Err(Box::new(Failure {
                fault,
                trace: match at {
                    Some(state) => SymbolicTrace::to(&search.frontier.store, state, None),
                    None => SymbolicTrace {
                        transitions: Vec::new(),
                        goal: None,
                    },
                },
                statistics,
            })),
        }
    }
}

/// `observe` is called after so many expansions.
const OBSERVE: u64 = 4096;

pub(crate) struct Search<'s, 'c: 's> {
    explorer: Explorer<'s>,
    /// Tests goals while the other explorer is in the middle of an expansion.
    tester: Explorer<'s>,
    watch: Watch<'c>,
    frontier: Frontier<'c>,
    table: MoveTable,
    memory: Vec<i32>,
    zone: Vec<Bound>,
    /// Room for the rows of a zone that are kept.
    reduced: Vec<Bound>,
    /// Whether the search is written down: then it stops only between two expansions.
    kept: bool,
    /// Looks into the depth, for the automatic search.
    scouts: Option<Box<Scouts<'s, 'c>>>,
    /// Whether the initial states have been stored.
    begun: bool,
}

type Located<T> = Result<T, (Fault, Option<StateId>)>;

impl<'s, 'c: 's> Search<'s, 'c> {
    /// `kept`: the search is written down, so that it stops only between two expansions.
    pub fn new(
        system: &'s System,
        config: &Config<'c>,
        heuristic: &'c mut dyn Heuristic,
        kept: bool,
    ) -> Self {
        let watch = Watch::new(config.limits);
        let frontier = Frontier::new(system, config, heuristic);
        let explorer = || match kept {
            true => Explorer::new(system),
            false => Explorer::new(system).patient(watch.patience()),
        };
        Search {
            explorer: explorer(),
            tester: explorer(),
            watch,
            table: MoveTable::new(system, &frontier.store),
            frontier,
            memory: vec![0; system.cells().len()],
            zone: vec![0; system.dimension() * system.dimension()],
            reduced: vec![0; system.dimension() * system.dimension()],
            kept,
            scouts: matches!(config.strategy, Strategy::Auto(_))
                .then(|| Box::new(Scouts::new(system, config))),
            begun: false,
        }
    }

    /// As [`Search::run`]; the keeper is asked before each expansion. What it cannot do ends the search.
    fn run_kept(
        &mut self,
        system: &System,
        observe: &mut dyn FnMut(&Progress),
        keeper: &mut dyn Keeper,
        problem: &mut Option<io::Error>,
    ) -> Located<Verdict> {
        match self.resume(system, keeper) {
            Ok(true) => {}
            Ok(false) => {
                if let Some(found) = self.begin()? {
                    return Ok(self.reached(found));
                }
            }
            Err(error) => {
                *problem = Some(error);
                return Ok(Verdict::Unknown(StopReason::Cancelled));
            }
        }
        loop {
            let stop = self.must_stop();
            if stop.is_some() || keeper.due() {
                let frontier = &self.frontier;
                let parts = checkpoint::Parts {
                    store: &frontier.store,
                    open: &frontier.open,
                    statistics: &frontier.statistics,
                    unsafe_pruning: frontier.unsafe_pruning,
                };
                let kept = keeper.keep(&mut |out| checkpoint::write(system, &parts, out));
                if let Err(error) = kept {
                    *problem = Some(error);
                    return Ok(Verdict::Unknown(StopReason::Cancelled));
                }
            }
            if let Some(reason) = stop {
                return Ok(Verdict::Unknown(reason));
            }
            match self.step(observe)? {
                Some(verdict) => return Ok(verdict),
                None => continue,
            }
        }
    }

    /// Takes up what the keeper has; false if it has nothing.
    fn resume(&mut self, system: &System, keeper: &mut dyn Keeper) -> io::Result<bool> {
        let Some(mut input) = keeper.kept()? else {
            return Ok(false);
        };
        let frontier = &mut self.frontier;
        frontier.unsafe_pruning = checkpoint::read(
            system,
            &mut frontier.store,
            &mut frontier.open,
            &mut frontier.statistics,
            input.as_mut(),
        )?;
        Ok(true)
    }

    fn run(&mut self, observe: &mut dyn FnMut(&Progress)) -> Located<Verdict> {
        if let Some(found) = self.begin()? {
            return Ok(self.reached(found));
        }
        loop {
            match self.step(observe) {
                Ok(None) => {}
                Ok(Some(verdict)) => return Ok(verdict),
                Err(fault) => return self.beyond(fault, observe),
            }
            if let Some(verdict) = self.look_deep(observe) {
                return Ok(verdict);
            }
        }
    }

    /// Lets the scouts have their share, where going deep in the one store would make a proof longer.
    fn look_deep(&mut self, observe: &mut dyn FnMut(&Progress)) -> Option<Verdict> {
        let scouts = self.scouts.as_mut()?;
        let OpenList::Guided(guided) = &mut self.frontier.open else {
            return None;
        };
        let governor = guided.governor()?;
        if !scouts.is_due(governor) {
            return None;
        }
        let statistics = &mut self.frontier.statistics;
        let limits = self.watch.rest(statistics.explored);
        let slice = scouts.slice(governor, limits, self.frontier.store.bytes());
        let reported = statistics.explored / OBSERVE;
        statistics.explored += slice.explored;
        statistics.generated += slice.generated;
        self.frontier.scouts = scouts.bytes();
        if statistics.explored / OBSERVE > reported {
            let depth = statistics.max_depth;
            observe(&self.progress(depth));
        }
        let (trace, queue) = slice.found?;
        self.frontier.statistics.found_by = Some(queue);
        Some(Verdict::Reachable(trace))
    }

    /// Expands up to so many states; says how the search ends if it does.
    pub fn advance(&mut self, states: u64) -> Option<Located<Verdict>> {
        if !self.begun {
            match self.begin() {
                Ok(None) => {}
                Ok(Some(found)) => return Some(Ok(self.reached(found))),
                Err(fault) => return Some(Err(fault)),
            }
        }
        let end = self.frontier.statistics.explored + states;
        while self.frontier.statistics.explored < end {
            match self.step(&mut |_| {}) {
                Ok(None) => {}
                Ok(Some(verdict)) => return Some(Ok(verdict)),
                Err(fault) => return Some(Err(fault)),
            }
        }
        None
    }

    /// The states expanded, and the successors computed.
    pub fn counts(&self) -> (u64, u64) {
        let statistics = &self.frontier.statistics;
        (statistics.explored, statistics.generated)
    }

    /// The states that were given up because larger ones were found.
    pub fn given_up(&self) -> u64 {
        (self.frontier.store.len() - self.frontier.store.live()) as u64
    }

    /// The memory in use, in bytes.
    pub fn bytes(&self) -> usize {
        self.frontier.bytes()
    }

    /// A state has a faulty successor. A run to the goal that does not come through such a step is a run all the same,
    /// and a search that follows a heuristic or goes deep may meet the fault long before it: so it goes on for a while,
    /// without what is behind faults. Only finding the goal counts then; otherwise the first fault is what it ends with.
    /// Searches for shortest runs end at once, since a shorter one might lie behind the fault.
    fn beyond(
        &mut self,
        first: (Fault, Option<StateId>),
        observe: &mut dyn FnMut(&Progress),
    ) -> Located<Verdict> {
        // The end of the time is no fault.
        if first.0.kind == FaultKind::Ended
            || self.frontier.goal.is_none()
            || self.frontier.strategy.promises_optimum()
        {
            return Err(first);
        }
        let explored = self.frontier.statistics.explored;
        let most = explored.saturating_mul(4).saturating_add(100_000);
        self.frontier.open.end_batch();
        while self.frontier.statistics.explored < most {
            match self.step(observe) {
                Ok(None) => {}
                Ok(Some(verdict @ Verdict::Reachable(_))) => return Ok(verdict),
                Ok(Some(_)) => break,
                Err((fault, _)) if fault.kind == FaultKind::Ended => break,
                Err(_) => self.frontier.open.end_batch(),
            }
        }
        Err(first)
    }

    /// As [`Search::run`], until it is `wide`.
    fn run_while(
        &mut self,
        observe: &mut dyn FnMut(&Progress),
        wide: impl Fn(usize, u64) -> bool,
    ) -> Located<Option<Verdict>> {
        if let Some(found) = self.begin()? {
            return Ok(Some(self.reached(found)));
        }
        loop {
            let frontier = &self.frontier;
            if wide(frontier.open.len(), frontier.statistics.explored) {
                return Ok(None);
            }
            if let Some(verdict) = self.step(observe)? {
                return Ok(Some(verdict));
            }
        }
    }

    /// Expands the next state, or says how the search ends.
    fn step(&mut self, observe: &mut dyn FnMut(&Progress)) -> Located<Option<Verdict>> {
        let Some(state) = self.frontier.take() else {
            return Ok(Some(self.exhausted()));
        };
        if self.frontier.store.is_removed(state) {
            return Ok(None);
        }
        if !self.kept
            && let Some(reason) = self.must_stop()
        {
            return Ok(Some(Verdict::Unknown(reason)));
        }
        if let Some(best) = self.settled(state) {
            return Ok(Some(self.reached(best)));
        }
        match self.expand(state)? {
            Expansion::Done => {}
            Expansion::Found(found) => return Ok(Some(self.reached(found))),
            Expansion::Stopped(reason) => return Ok(Some(Verdict::Unknown(reason))),
        }
        if self.frontier.statistics.explored.is_multiple_of(OBSERVE) {
            observe(&self.progress(self.frontier.store.depth(state)));
        }
        Ok(None)
    }

    /// The verdict when no state waits any more.
    fn exhausted(&mut self) -> Verdict {
        if let Some((_, best)) = self.frontier.best {
            self.reached(best)
        } else if self.frontier.unsafe_pruning {
            Verdict::Unknown(StopReason::Incomplete)
        } else {
            let explored = self.frontier.statistics.explored;
            Verdict::Unreachable(Completeness::exhausted(explored))
        }
    }

    /// For least time: the best state, if no waiting one can be better. This one is the first of them.
    fn settled(&self, next: StateId) -> Option<StateId> {
        let (key, best) = self.frontier.best?;
        let Strategy::LeastTime(row) = self.frontier.strategy else {
            return None;
        };
        (self.frontier.store.lower_bound(next, row) >= key).then_some(best)
    }

    /// Stores the initial states.
    fn begin(&mut self) -> Located<Option<StateId>> {
        self.begun = true;
        let mut found = Ok(None);
        let (frontier, tester) = (&mut self.frontier, &mut self.tester);
        let flow = self.explorer.initial(&mut |successor| {
            found = frontier.add(&successor, None, 0, tester);
            settled(&found)
        });
        let _ = flow.map_err(|fault| (fault, None))?;
        frontier.open.end_batch();
        found.map_err(|fault| (fault, frontier.failed))
    }

    /// Computes the successors of a state.
    fn expand(&mut self, id: StateId) -> Located<Expansion> {
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
            watch: (!self.kept).then_some(&mut self.watch),
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

    fn must_stop(&mut self) -> Option<StopReason> {
        let frontier = &self.frontier;
        self.watch
            .stop(frontier.statistics.explored, || frontier.bytes())
    }

    fn reached(&mut self, state: StateId) -> Verdict {
        if let OpenList::Guided(guided) = &self.frontier.open {
            self.frontier.statistics.found_by = Some(guided.last());
        }
        Verdict::Reachable(SymbolicTrace::to(
            &self.frontier.store,
            state,
            self.frontier.goal,
        ))
    }

    fn progress(&self, depth: u32) -> Progress {
        let frontier = &self.frontier;
        Progress {
            expanded: frontier.statistics.explored,
            stored: frontier.store.live() as u64,
            waiting: frontier.open.len() as u64,
            memory: frontier.bytes() as u64,
            depth,
            best_estimate: frontier.statistics.best_estimate,
            elapsed: self.watch.start.elapsed(),
        }
    }

    fn finish(&mut self) -> Statistics {
        let mut statistics = self.frontier.finish();
        statistics.elapsed = self.watch.start.elapsed();
        statistics
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

enum Expansion {
    Done,
    Found(StateId),
    Stopped(StopReason),
}

fn settled(found: &Result<Option<StateId>, Fault>) -> ControlFlow<()> {
    match found {
        Ok(None) => ControlFlow::Continue(()),
        _ => ControlFlow::Break(()),
    }
}
