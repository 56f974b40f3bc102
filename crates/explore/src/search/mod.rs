//! The one expansion loop with one thread, as a value that can be stopped and gone on with.

mod budget;
mod drive;
mod expand;
pub(crate) mod frontier;
mod looks;
pub(crate) mod moves;

use std::io::{self, Read, Write};

use merkhet_semantics::{Explorer, Fault, FaultKind, GoalId, System};
use merkhet_zones::bound::Bound;

use crate::checkpoint;
use crate::heuristic::Heuristic;
use crate::limits::{Limits, Progress, Watch};
use crate::open::OpenList;
use crate::open::guided::Queue;
use crate::statistics::Statistics;
use crate::store::{Inclusion, StateId, Store};
use crate::strategy::Strategy;
use crate::trace::SymbolicTrace;
use crate::verdict::{Completeness, StopReason, Verdict};
pub use budget::{Budget, Status, Width};
pub use drive::{Beyond, Policy, search, search_kept, search_under};
use expand::{Expansion, settled};
use frontier::Frontier;
pub use looks::Looks;
use moves::MoveTable;

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

/// `observe` is called after so many expansions.
const OBSERVE: u64 = 4096;

/// A search that goes on as long as its caller wants.
pub struct Search<'s, 'c: 's> {
    system: &'s System,
    explorer: Explorer<'s>,
    /// Tests goals while the other explorer is in the middle of an expansion.
    tester: Explorer<'s>,
    watch: Watch<'c>,
    pub(crate) frontier: Frontier<'c>,
    table: MoveTable,
    memory: Vec<i32>,
    zone: Vec<Bound>,
    /// Room for the rows of a zone that are kept.
    reduced: Vec<Bound>,
    /// It stops only between two expansions, so that it can be written down whenever it stops; the caller looks at the limits.
    between: bool,
    /// Whether the initial states have been stored.
    begun: bool,
    /// The first failed evaluation, and the state from which it was made.
    fault: Option<(Fault, Option<StateId>)>,
    end: Option<End>,
}

/// How a search ended.
enum End {
    Found(SymbolicTrace),
    Exhausted,
    Limit(StopReason),
}

impl End {
    fn status(&self) -> Status {
        match self {
            End::Found(_) => Status::Found,
            End::Exhausted => Status::Exhausted,
            End::Limit(reason) => Status::Limit(*reason),
        }
    }
}

type Located<T> = Result<T, (Fault, Option<StateId>)>;

impl<'s, 'c: 's> Search<'s, 'c> {
    /// A search that has seen nothing. Its time limit counts from now on.
    pub fn new(
        system: &'s System,
        config: &Config<'c>,
        heuristic: &'c mut dyn Heuristic,
    ) -> Search<'s, 'c> {
        let watch = Watch::new(config.limits);
        let frontier = Frontier::new(system, config, heuristic);
        let bounds = system.dimension() * system.dimension();
        Search {
            system,
            explorer: Explorer::new(system).patient(watch.patience()),
            tester: Explorer::new(system).patient(watch.patience()),
            watch,
            table: MoveTable::new(system, &frontier.store),
            frontier,
            memory: vec![0; system.cells().len()],
            zone: vec![0; bounds],
            reduced: vec![0; bounds],
            between: false,
            begun: false,
            fault: None,
            end: None,
        }
    }

    /// Makes it stop only between two expansions, where it can be written down.
    fn stopping_between_expansions(mut self) -> Self {
        self.explorer = Explorer::new(self.system);
        self.tester = Explorer::new(self.system);
        self.between = true;
        self
    }

    /// Goes on until the search ends or the budget is spent. `observe` is called now and then.
    pub fn advance(&mut self, budget: Budget, observe: &mut dyn FnMut(&Progress)) -> Status {
        if let Some(end) = &self.end {
            return end.status();
        }
        if !self.begun
            && let Some(status) = self.begin()
        {
            return status;
        }
        let last = (self.explored()).saturating_add(budget.expansions);
        let mut steps = budget.steps;
        loop {
            let (waiting, explored) = (self.frontier.open.len(), self.explored());
            let wide = |width: Width| width.is_reached(waiting, explored);
            if explored >= last || steps == 0 || budget.until_wide.is_some_and(wide) {
                return Status::BudgetSpent;
            }
            steps -= 1;
            if let Some(status) = self.step(observe) {
                return status;
            }
        }
    }

    /// Whether it may find the goal after a failed evaluation: a search for a shortest run may not, and one that fails at
    /// the start has nothing to go on with.
    pub fn may_go_on(&self) -> bool {
        self.frontier.goal.is_some()
            && !self.frontier.strategy.promises_optimum()
            && self.explored() > 0
    }

    /// The states expanded.
    pub fn explored(&self) -> u64 {
        self.frontier.statistics.explored
    }

    /// What it has done so far.
    pub fn statistics(&mut self) -> Statistics {
        let mut statistics = self.frontier.finish();
        statistics.elapsed = self.watch.start.elapsed();
        statistics
    }

    /// What came of it. A search that has not ended has reached the limit that its caller set.
    pub fn outcome(mut self) -> Result<Outcome, Box<Failure>> {
        let statistics = self.statistics();
        let store = self.frontier.store;
        let verdict = match (self.end, self.fault) {
            (Some(End::Found(trace)), _) => Verdict::Reachable(trace),
            (_, Some((fault, at))) => {
                return Err(Box::new(Failure {
                    fault,
                    trace: match at {
                        Some(state) => SymbolicTrace::to(&store, state, None),
                        None => SymbolicTrace::default(),
                    },
                    statistics,
                }));
            }
            (Some(End::Exhausted), None) if self.frontier.unsafe_pruning => {
                Verdict::Unknown(StopReason::Incomplete)
            }
            (Some(End::Exhausted), None) => {
                Verdict::Unreachable(Completeness::exhausted(statistics.explored))
            }
            (Some(End::Limit(reason)), None) => Verdict::Unknown(reason),
            (None, None) => Verdict::Unknown(StopReason::States),
        };
        Ok(Outcome {
            verdict,
            statistics,
            store,
        })
    }

    /// The run to the goal that it has found.
    fn into_trace(self) -> Option<SymbolicTrace> {
        match self.end {
            Some(End::Found(trace)) => Some(trace),
            _ => None,
        }
    }

    /// Writes it down, between two expansions.
    fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        let frontier = &self.frontier;
        let parts = checkpoint::Parts {
            store: &frontier.store,
            open: &frontier.open,
            statistics: &frontier.statistics,
            unsafe_pruning: frontier.unsafe_pruning,
        };
        checkpoint::write(self.system, &parts, out)
    }

    /// Takes up one that was written down.
    fn resume(&mut self, input: &mut dyn Read) -> io::Result<()> {
        let frontier = &mut self.frontier;
        frontier.unsafe_pruning = checkpoint::read(
            self.system,
            &mut frontier.store,
            &mut frontier.open,
            &mut frontier.statistics,
            input,
        )?;
        self.begun = true;
        Ok(())
    }

    /// Expands the next state, unless it has become superfluous; says how the search stands if it cannot simply go on.
    fn step(&mut self, observe: &mut dyn FnMut(&Progress)) -> Option<Status> {
        let Some(state) = self.frontier.take() else {
            return Some(match self.frontier.best {
                Some((_, best)) => self.reached(best),
                None => self.ended(End::Exhausted),
            });
        };
        if self.frontier.store.is_removed(state) {
            return None;
        }
        if !self.between
            && let Some(reason) = self.must_stop()
        {
            return Some(self.ended(End::Limit(reason)));
        }
        if let Some(best) = self.settled(state) {
            return Some(self.reached(best));
        }
        match self.expand(state) {
            Ok(Expansion::Done) => {}
            Ok(Expansion::Found(found)) => return Some(self.reached(found)),
            Ok(Expansion::Stopped(reason)) => return Some(self.ended(End::Limit(reason))),
            Err(fault) => return Some(self.failed(fault)),
        }
        if self.explored().is_multiple_of(OBSERVE) {
            observe(&self.progress(self.frontier.store.depth(state)));
        }
        None
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
    fn begin(&mut self) -> Option<Status> {
        self.begun = true;
        let mut found = Ok(None);
        let (frontier, tester) = (&mut self.frontier, &mut self.tester);
        let flow = self.explorer.initial(&mut |successor| {
            found = frontier.add(&successor, None, 0, tester);
            settled(&found)
        });
        if let Err(fault) = flow {
            return Some(self.failed((fault, None)));
        }
        frontier.open.end_batch();
        match found {
            Ok(None) => None,
            Ok(Some(found)) => Some(self.reached(found)),
            Err(fault) => {
                let at = frontier.failed;
                Some(self.failed((fault, at)))
            }
        }
    }

    /// The limit that is reached, if one is.
    fn must_stop(&mut self) -> Option<StopReason> {
        let frontier = &self.frontier;
        self.watch
            .stop(frontier.statistics.explored, || frontier.bytes())
    }

    /// Whether a limit is reached: it ends then.
    fn stops(&mut self) -> bool {
        let reason = self.must_stop();
        self.end = reason.map(End::Limit);
        reason.is_some()
    }

    fn ended(&mut self, end: End) -> Status {
        self.end.insert(end).status()
    }

    /// An evaluation failed; the first one counts. The end of the time is no fault.
    fn failed(&mut self, (fault, at): (Fault, Option<StateId>)) -> Status {
        if fault.kind == FaultKind::Ended {
            let reason = self.watch.why_ended();
            return self.ended(End::Limit(reason));
        }
        self.frontier.open.end_batch();
        self.fault.get_or_insert((fault, at));
        Status::Fault
    }

    fn reached(&mut self, state: StateId) -> Status {
        if let OpenList::Guided(guided) = &self.frontier.open {
            self.frontier.statistics.found_by = Some(guided.last());
        }
        let trace = SymbolicTrace::to(&self.frontier.store, state, self.frontier.goal);
        self.ended(End::Found(trace))
    }

    /// Another search that runs beside it has found the goal.
    fn found_beside(&mut self, trace: SymbolicTrace, queue: Queue) -> Status {
        self.frontier.statistics.found_by = Some(queue);
        self.ended(End::Found(trace))
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
}
