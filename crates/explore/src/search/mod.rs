//! The one expansion loop with one thread, as a value that can be stopped and gone on with.

mod apart;
mod beside;
mod budget;
mod drive;
pub(crate) mod frontier;
mod looks;
pub(crate) mod moves;
mod rival;
pub(crate) mod step;
mod work;

use std::io::{self, Read, Write};

use merkhet_network::tuning::{Tunable, Tuning};
use merkhet_semantics::{Explorer, Fault, FaultKind, GoalId, Successor, System};

use crate::checkpoint;
use crate::heuristic::Heuristic;
use crate::limits::{Limits, Progress, Watch};
use crate::open::OpenList;
use crate::open::guided::Queue;
use crate::passed::{Passed, Transitions, Turn};
use crate::statistics::Statistics;
use crate::store::{Inclusion, StateId, Store};
use crate::strategy::Strategy;
use crate::trace::SymbolicTrace;
use crate::tuning;
use crate::unfold::unfold;
use crate::verdict::{Completeness, StopReason, Verdict};
pub use beside::{Beside, Share};
pub use budget::{Budget, Status, Width};
pub use drive::{Beyond, Policy, search, search_resumable, search_under};
use frontier::Frontier;
pub use looks::Looks;
pub use rival::Second;
use step::{Own, Sink, Step};

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
    /// When to stop.
    pub limits: Limits<'a>,
    /// The tunables that were set.
    pub tuning: Option<&'a Tuning>,
}

impl Config<'_> {
    /// The value of a tunable.
    pub(crate) fn tuned(&self, tunable: &Tunable) -> i64 {
        self.tuning
            .map_or(tunable.default, |tuning| tuning.get(tunable))
    }

    /// The value of a tunable that is not negative.
    pub fn count(&self, tunable: &Tunable) -> u64 {
        u64::try_from(self.tuned(tunable)).unwrap_or(0)
    }
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

/// A search that goes on as long as its caller wants. What it has seen is a [`Passed`].
pub struct Search<'s, 'c: 's, P = Store, T = Explorer<'s>> {
    watch: Watch<'c>,
    pub(crate) frontier: Frontier<'s, 'c, P>,
    step: Step<'s, T>,
    /// It stops only between two expansions, so that it can be written down whenever it stops; the caller looks at the limits.
    between: bool,
    /// Whether the initial states have been stored.
    begun: bool,
    /// The first failed evaluation, and the state from which it was made.
    fault: Option<(Fault, Option<StateId>)>,
    /// The states among which faults are looked for where there is no hope.
    looked_for_faults: u64,
    end: Option<End>,
}

/// How a search ended.
enum End {
    Found(StateId),
    FoundBeside(SymbolicTrace),
    Exhausted,
    Limit(StopReason),
    Refused,
}

impl End {
    fn status(&self) -> Status {
        match self {
            End::Found(_) | End::FoundBeside(_) => Status::Found,
            End::Exhausted => Status::Exhausted,
            End::Limit(reason) => Status::Limit(*reason),
            End::Refused => Status::Refused,
        }
    }
}

impl<'s, 'c: 's> Search<'s, 'c> {
    /// A search of zones that has seen nothing. Its time limit counts from now on.
    pub fn new(
        system: &'s System,
        config: &Config<'c>,
        heuristic: &'c mut dyn Heuristic,
    ) -> Search<'s, 'c> {
        let watch = Watch::new(config.limits);
        let explorer = Explorer::new(system).cancelled_by(watch.cancellation());
        let store = frontier::antichains(system, config);
        Search::of(system, explorer, store, watch, config, heuristic)
    }

    /// What came of it. A search that has not ended has reached the limit that its caller set.
    pub fn outcome(mut self) -> Result<Outcome, Box<Failure>> {
        let statistics = self.statistics();
        let unsafe_pruning = self.frontier.unsafe_pruning;
        let verdict = match (&self.end, &self.fault) {
            (Some(End::Found(_) | End::FoundBeside(_)), _) => {
                Verdict::Reachable(self.trace().unwrap_or_default())
            }
            (_, Some((fault, at))) => {
                return Err(Box::new(Failure {
                    fault: *fault,
                    trace: match at {
                        Some(state) => {
                            let path = SymbolicTrace::to(&self.frontier.store, *state, None);
                            unfold(self.frontier.tester.system(), path)
                        }
                        None => SymbolicTrace::default(),
                    },
                    statistics,
                }));
            }
            (Some(End::Exhausted), None) if unsafe_pruning => {
                Verdict::Unknown(StopReason::Incomplete)
            }
            (Some(End::Exhausted), None) => {
                Verdict::Unreachable(Completeness::exhausted(statistics.explored))
            }
            (Some(End::Limit(reason)), None) => Verdict::Unknown(*reason),
            (Some(End::Refused) | None, None) => Verdict::Unknown(StopReason::States),
        };
        Ok(Outcome {
            verdict,
            statistics,
            store: self.frontier.store,
        })
    }

    /// Writes it down, between two expansions.
    fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        let system = self.frontier.tester.system();
        self.write_down(out, &mut |store, out| checkpoint::write(system, store, out))
    }

    /// Takes up one that was written down.
    fn resume(&mut self, input: &mut dyn Read) -> io::Result<()> {
        let system = self.frontier.tester.system();
        self.take_up(input, &mut |store, input| {
            checkpoint::read(system, store, input)
        })
    }

    /// Another search that runs beside it has found the goal.
    fn found_beside(&mut self, trace: SymbolicTrace, queue: Queue) -> Status {
        self.frontier.statistics.found_by = Some(queue);
        self.ended(End::FoundBeside(trace))
    }

    /// What runs beside it has found the goal, and keeps what shows that: this search proves nothing.
    fn left_to_other(&mut self) -> Status {
        self.ended(End::Limit(StopReason::Cancelled))
    }
}

impl<'s, 'c: 's, P: Passed> Search<'s, 'c, P> {
    /// Makes it stop only between two expansions, where it can be written down; the caller looks at the limits.
    pub fn stopping_between_expansions(mut self) -> Self {
        let system = self.frontier.tester.system();
        self.step.transitions = Explorer::new(system);
        self.frontier.tester = Explorer::new(system);
        self.between = true;
        self
    }
}

impl<'s, 'c: 's, P: Passed, T: Transitions<'s>> Search<'s, 'c, P, T> {
    /// Writes it down, between two expansions: what it has seen as the caller does, then what waits and the counts.
    pub fn write_down(
        &self,
        out: &mut dyn Write,
        seen: &mut dyn FnMut(&P, &mut dyn Write) -> io::Result<()>,
    ) -> io::Result<()> {
        let frontier = &self.frontier;
        seen(&frontier.store, out)?;
        checkpoint::write_open(
            &frontier.open,
            &frontier.statistics,
            frontier.unsafe_pruning,
            out,
        )
    }

    /// Takes up one that was written down, and has seen nothing itself; `seen` gives the number of states.
    pub fn take_up(
        &mut self,
        input: &mut dyn Read,
        seen: &mut dyn FnMut(&mut P, &mut dyn Read) -> io::Result<u32>,
    ) -> io::Result<()> {
        let frontier = &mut self.frontier;
        let states = seen(&mut frontier.store, input)?;
        frontier.unsafe_pruning =
            checkpoint::read_open(states, &mut frontier.open, &mut frontier.statistics, input)?;
        self.begun = true;
        Ok(())
    }

    /// The number of edges of the system.
    pub fn edges(&self) -> usize {
        self.frontier.tester.system().edge_count()
    }

    /// A search that has seen nothing, with a store and transitions of the caller's. The transitions are to be cancelled when
    /// the watch says so.
    pub fn of(
        system: &'s System,
        transitions: T,
        mut store: P,
        watch: Watch<'c>,
        config: &Config<'c>,
        heuristic: &'c mut dyn Heuristic,
    ) -> Search<'s, 'c, P, T> {
        let tester = Explorer::new(system).cancelled_by(watch.cancellation());
        let step = Step::new(system, transitions, &mut store, config, true);
        Search {
            watch,
            step,
            frontier: Frontier::new(tester, store, config, heuristic),
            between: false,
            begun: false,
            fault: None,
            looked_for_faults: config.count(&tuning::HOPELESS),
            end: None,
        }
    }

    /// Makes it look for several goals; it goes on behind none of them.
    pub fn collecting(mut self, goals: usize) -> Self {
        self.frontier.goals = goals;
        self
    }

    /// The goals that were reached, by a search that looks at states when they are found.
    pub fn goals(&self) -> &[StateId] {
        &self.frontier.reached
    }

    /// What it has seen.
    pub fn passed(&self) -> &P {
        &self.frontier.store
    }

    /// What it has seen, for a caller that takes something back. What is to be expanded again, [`Search::restart`] is told.
    pub fn passed_mut(&mut self) -> &mut P {
        &mut self.frontier.store
    }

    /// What it has seen, at the end.
    pub fn into_passed(self) -> P {
        self.frontier.store
    }

    /// The state at which it has found the goal.
    pub fn found(&self) -> Option<StateId> {
        match self.end {
            Some(End::Found(state)) => Some(state),
            _ => None,
        }
    }

    /// The first failed evaluation, and the state from which it was made.
    pub fn fault(&self) -> Option<&(Fault, Option<StateId>)> {
        self.fault.as_ref()
    }

    /// Whether dead ends were pruned without certainty: then an exhausted search proves nothing.
    pub fn is_unsafe(&self) -> bool {
        self.frontier.unsafe_pruning
    }

    /// Goes on after its end or a fault: begins again from the initial states, and with these states, which wait again. What
    /// waited before still does, unless everything is to be forgotten.
    pub fn restart(&mut self, forget: bool, waiting: &[StateId]) {
        if forget {
            self.frontier.open.clear();
        }
        for state in waiting {
            self.frontier.open.push(*state, (0, 0));
        }
        self.frontier.open.end_batch();
        (self.begun, self.fault, self.end) = (false, None, None);
        self.frontier.failed = None;
        self.frontier.refused = false;
        self.frontier.reached.clear();
    }

    /// Takes a state in that somebody else has found, with its parent and depth there; says how the search stands if it cannot
    /// simply go on. A search that was exhausted goes on with it.
    pub fn take_in(
        &mut self,
        successor: &Successor<'_>,
        parent: Option<StateId>,
        depth: u32,
    ) -> Option<Status> {
        if let Some(End::Exhausted) = self.end {
            self.end = None;
        }
        let result = self.frontier.add(successor, parent, depth);
        // Whoever found it has counted it.
        self.frontier.statistics.generated -= 1;
        self.frontier.open.end_batch();
        match result {
            Ok(None) => None,
            Ok(Some(found)) => Some(self.reached(found)),
            Err(fault) => {
                let at = self.frontier.failed;
                Some(self.failed(fault, at))
            }
        }
    }

    /// The states that wait.
    pub fn waiting(&self) -> usize {
        self.frontier.open.len()
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

    /// What it has done so far, in nanoseconds of a machine of 2024, about, counted in what was touched.
    pub fn work(&self) -> u64 {
        self.frontier.work()
    }

    /// The smallest estimate so far.
    pub fn best_estimate(&self) -> Option<u32> {
        self.frontier.statistics.best_estimate
    }

    /// The memory that it takes, in bytes.
    pub fn bytes(&self) -> usize {
        self.frontier.bytes()
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

    /// The run to the goal that it has found.
    pub fn trace(&self) -> Option<SymbolicTrace> {
        match &self.end {
            Some(End::Found(state)) => {
                let frontier = &self.frontier;
                let path = SymbolicTrace::to(&frontier.store, *state, frontier.goal);
                Some(unfold(frontier.tester.system(), path))
            }
            Some(End::FoundBeside(trace)) => Some(trace.clone()),
            _ => None,
        }
    }

    /// Expands the next state, unless it has become superfluous; says how the search stands if it cannot simply go on.
    fn step(&mut self, observe: &mut dyn FnMut(&Progress)) -> Option<Status> {
        let Some(state) = self.frontier.take() else {
            return Some(match self.frontier.best {
                Some((_, best)) => self.reached(best),
                None => self.ended(End::Exhausted),
            });
        };
        match self.frontier.store.turn(state) {
            Turn::Expand => {}
            Turn::Skip => return None,
            Turn::Goal => return Some(self.reached(state)),
        }
        if !self.between
            && let Some(reason) = self.must_stop()
        {
            return Some(self.ended(End::Limit(reason)));
        }
        if self.gives_up() {
            self.frontier.statistics.hopeless = true;
            return Some(self.ended(End::Exhausted));
        }
        if let Some(best) = self.settled(state) {
            return Some(self.reached(best));
        }
        let before = self.frontier.statistics.generated;
        let watch = (!self.between).then_some(&mut self.watch);
        let mut own = Own::new(&mut self.frontier, watch, Some(state));
        let flow = self.step.expand(state, &mut own);
        let (found, stopped) = (own.found, own.stopped);
        self.frontier.charge(before);
        match (flow, found, stopped) {
            (Ok(true), ..) => return Some(self.reached(state)),
            (Ok(false), Ok(Some(found)), _) => return Some(self.reached(found)),
            (Ok(false), Ok(None), None) => {}
            (Ok(false), Ok(None), Some(reason)) => return Some(self.ended(End::Limit(reason))),
            (Err(fault), ..) => return Some(self.failed(fault, Some(state))),
            // The transition has been taken where it is the goal that cannot be evaluated behind it.
            (_, Err(fault), _) => {
                let at = self.frontier.failed.or(Some(state));
                return Some(self.failed(fault, at));
            }
        }
        if self.reports() {
            observe(&self.progress(self.frontier.store.depth(state)));
        }
        None
    }

    /// The goal cannot be reached, as its estimate proves, and faults of the model have been looked for among some states:
    /// close to the start they are worth more than the answer.
    fn gives_up(&self) -> bool {
        self.frontier.hopeless == Some(true) && self.explored() >= self.looked_for_faults
    }

    /// For least time: the best state, if no waiting one can be better. This one is the first of them.
    fn settled(&mut self, next: StateId) -> Option<StateId> {
        let (key, best) = self.frontier.best?;
        let Strategy::LeastTime(row) = self.frontier.strategy else {
            return None;
        };
        let store = self.frontier.store.zones()?;
        (store.lower_bound(next, row) >= key).then_some(best)
    }

    /// Stores the initial states.
    fn begin(&mut self) -> Option<Status> {
        self.begun = true;
        let mut own = Own::new(&mut self.frontier, None, None);
        let flow = (self.step.transitions).initial(&mut |successor| own.take(&successor));
        let found = own.found;
        if let Err(fault) = flow {
            return Some(self.failed(fault, None));
        }
        self.frontier.open.end_batch();
        match found {
            Ok(None) => None,
            Ok(Some(found)) => Some(self.reached(found)),
            Err(fault) => Some(self.failed(fault, self.frontier.failed)),
        }
    }

    /// A search that this one needs, within its limits, has expanded a state: it counts as one of this search.
    pub(crate) fn expanded_elsewhere(&mut self, observe: &mut dyn FnMut(&Progress)) {
        self.frontier.statistics.explored += 1;
        if self.reports() {
            observe(&self.progress(0));
        }
    }

    /// Where successors come from.
    pub(crate) fn transitions(&self) -> &T {
        &self.step.transitions
    }

    /// Where successors come from, for a caller that says where to begin.
    pub(crate) fn transitions_mut(&mut self) -> &mut T {
        &mut self.step.transitions
    }

    /// Why work within one expansion was ended.
    pub(crate) fn why_ended(&self) -> StopReason {
        self.watch.why_ended()
    }

    /// Whether the observer is told: at the start more often, since single expansions may take seconds.
    fn reports(&self) -> bool {
        let explored = self.explored();
        explored.is_multiple_of(P::OBSERVE) || explored.is_power_of_two()
    }

    /// The limit that is reached, if one is.
    pub(crate) fn must_stop(&mut self) -> Option<StopReason> {
        let frontier = &self.frontier;
        self.watch
            .stop(frontier.statistics.explored, || frontier.bytes())
    }

    /// The limit that is reached, if one is: it ends then.
    pub fn stops(&mut self) -> Option<StopReason> {
        let reason = self.must_stop();
        self.end = reason.map(End::Limit);
        reason
    }

    fn ended(&mut self, end: End) -> Status {
        self.end.insert(end).status()
    }

    /// An evaluation failed; the first one counts. The end of the time is no fault, nor is cancellation in the store.
    fn failed(&mut self, fault: Fault, at: Option<StateId>) -> Status {
        if self.frontier.refused {
            return self.ended(End::Refused);
        }
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
        self.ended(End::Found(state))
    }

    fn progress(&self, depth: u32) -> Progress {
        let frontier = &self.frontier;
        Progress {
            explored: frontier.statistics.explored,
            stored: frontier.store.live() as u64,
            waiting: frontier.open.len() as u64,
            memory: frontier.bytes() as u64,
            depth,
            best_estimate: frontier.statistics.best_estimate,
            elapsed: self.watch.start.elapsed(),
        }
    }
}
