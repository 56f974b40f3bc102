//! What grows during a search: the states seen, the open list and the counts.

use merkhet_network::SiteId;
use merkhet_network::tuning::Tuning;
use merkhet_semantics::{Explorer, Fault, FaultKind, GoalId, State, Successor, System};
use merkhet_zones::bound::Bound;

use crate::heuristic::{Estimate, Heuristic, Preference};
use crate::open::novelty::Novelty;
use crate::open::{OpenList, TieBreak};
use crate::passed::Passed;
use crate::search::Config;
use crate::search::work::Work;
use crate::statistics::Statistics;
use crate::store::{Covering, Inclusion, Insertion, Offer, Part, Prepared, StateId, Store};
use crate::strategy::{Place, Strategy, lower_bound};
use crate::tuning;

/// A search between two expansions.
pub(crate) struct Unfinished {
    pub store: Store,
    pub open: OpenList,
    pub statistics: Statistics,
    pub unsafe_pruning: bool,
}

/// What grows: the states seen, the open list and the counts.
pub(crate) struct Frontier<'s, 'c, P = Store> {
    pub strategy: Strategy,
    pub goal: Option<GoalId>,
    pub heuristic: &'c mut dyn Heuristic,
    /// Tests goals while the step's explorer is in the middle of an expansion.
    pub tester: Explorer<'s>,
    pub store: P,
    /// The memory of what is kept next to the store, in bytes.
    pub beside: usize,
    /// The memory of the looks beside the search, in bytes.
    pub looks: usize,
    /// The memory of those who look beside the search, in bytes.
    pub sides: usize,
    /// The memory of a second search beside this one, in bytes.
    pub rival: usize,
    /// The memory of a search that follows estimates beside this one, in bytes.
    pub apart: usize,
    pub open: OpenList,
    pub statistics: Statistics,
    novelty: Option<Novelty>,
    /// Whether the estimate of every initial state proves that no way leads to the goal.
    pub hopeless: Option<bool>,
    /// What a successor and an estimate cost, and the work so far.
    work: Work,
    estimate_work: (u64, u64),
    worked: u64,
    /// The heuristic was asked which transitions of the state that is expanded it prefers.
    prefers: bool,
    /// States were left out without certainty.
    pub unsafe_pruning: bool,
    /// The state at which the goal could not be evaluated.
    pub failed: Option<StateId>,
    /// The states that larger ones had subsumed when the last one was put on the open list.
    subsumed: usize,
    /// For least time: the best state so far with the key of its goal.
    pub best: Option<(u64, StateId)>,
    /// Goals that are looked for; the search goes on behind none of them.
    pub goals: usize,
    /// The states that were reached.
    pub reached: Vec<StateId>,
    /// The store refused a state: the search ends.
    pub refused: bool,
    /// Room for the discrete part and zone of a state that differ from what was found.
    cells: Vec<i32>,
    whole: Vec<Bound>,
}

/// An empty store of zones, as a search is to have it.
pub(crate) fn antichains(system: &System, config: &Config<'_>) -> Store {
    let inclusion = inclusion(system, config);
    match config.bitstate {
        Some(log_bits) => Store::bitstate(system, log_bits),
        None => {
            let covering = config.strategy.covering(config.goal.is_some());
            store(system, inclusion, covering, config)
        }
    }
}

/// An empty store with the tunables of a search.
pub(crate) fn store(
    system: &System,
    inclusion: Inclusion,
    covering: Covering,
    config: &Config<'_>,
) -> Store {
    match config.tuning {
        Some(tuning) => Store::tuned(system, inclusion, covering, tuning),
        None => Store::new(system, inclusion, covering),
    }
}

/// When states are superfluous, as far as that is sound for a system.
pub(crate) fn inclusion(system: &System, config: &Config<'_>) -> Inclusion {
    match config.inclusion {
        Inclusion::Alu | Inclusion::Adaptive if !system.permits_simulation() => Inclusion::Zone,
        inclusion => inclusion,
    }
}

impl<'s, 'c: 's, P: Passed> Frontier<'s, 'c, P> {
    /// Nothing seen yet.
    pub fn new(
        tester: Explorer<'s>,
        store: P,
        config: &Config<'_>,
        heuristic: &'c mut dyn Heuristic,
    ) -> Self {
        let system = tester.system();
        Frontier {
            strategy: config.strategy,
            goal: config.goal,
            heuristic,
            store,
            beside: 0,
            looks: 0,
            sides: 0,
            rival: 0,
            apart: 0,
            open: match config.tuning {
                Some(tuning) => config.strategy.open_list(config.seed, tuning),
                None => config.strategy.open_list(config.seed, &Tuning::default()),
            },
            statistics: Statistics::default(),
            novelty: match config.strategy {
                Strategy::Novelty(width) => {
                    Some(Novelty::new(width, config.count(&tuning::PAIRED) as usize))
                }
                _ => None,
            },
            hopeless: None,
            work: Work::new(system),
            estimate_work: (
                config.count(&tuning::ESTIMATE),
                config.count(&tuning::ESTIMATE_EDGE),
            ),
            worked: 0,
            prefers: false,
            unsafe_pruning: config.bitstate.is_some(),
            failed: None,
            subsumed: 0,
            best: None,
            goals: 1,
            reached: Vec::new(),
            refused: false,
            cells: vec![0; system.cells().len()],
            whole: vec![0; system.dimension() * system.dimension()],
            tester,
        }
    }

    /// Takes the next state. A* takes them by the length of the shortest way to the goal that may lead through them: no way is
    /// shorter than what it says of the first one, since each has a state that waits.
    pub fn take(&mut self) -> Option<StateId> {
        if self.strategy == Strategy::AStar
            && self.heuristic.facts().admissible
            && let Some(length) = self.open.smallest_key()
        {
            let known = &mut self.statistics.at_least;
            *known = (*known).max(Some(length));
        }
        self.open.pop()
    }

    /// Stores a state and puts it on the open list, unless it is superfluous or a dead end; says if it is the goal.
    #[inline]
    pub fn add(
        &mut self,
        successor: &Successor<'_>,
        parent: Option<StateId>,
        depth: u32,
    ) -> Result<Option<StateId>, Fault> {
        self.statistics.generated += 1;
        match self.store.offer(successor, parent, depth) {
            Insertion::New(id) => self.admit_found(id, successor, parent, depth),
            Insertion::Covered => Ok(None),
            Insertion::Grown { id, waits } => self.admit_grown(id, waits, successor, parent),
            Insertion::Refused => Err(self.refuse()),
        }
    }

    /// As [`Frontier::add`], for a state with the given discrete part, which is looked up and noted if it is not known.
    #[inline]
    pub fn add_to(
        &mut self,
        part: &mut Option<Part>,
        successor: &Successor<'_>,
        parent: Option<StateId>,
        depth: u32,
    ) -> Result<Option<StateId>, Fault> {
        let Some(store) = self.store.zones() else {
            return self.add(successor, parent, depth);
        };
        self.statistics.generated += 1;
        let offer = Offer::Found(successor);
        let insertion = match *part {
            Some(part) => store.insert_into(part, offer, parent, depth),
            None => {
                let key = store.prepare(successor.state.memory);
                let insertion = store.insert_prepared(key, offer, parent, depth);
                *part = store.prepared_part(key);
                insertion
            }
        };
        match insertion {
            Insertion::New(id) => self.admit_found(id, successor, parent, depth),
            _ => Ok(None),
        }
    }

    /// A state that was there has become larger: it is to be expanded (again).
    #[cold]
    fn admit_grown(
        &mut self,
        id: StateId,
        waits: bool,
        successor: &Successor<'_>,
        parent: Option<StateId>,
    ) -> Result<Option<StateId>, Fault> {
        let (mut cells, mut whole) = (
            std::mem::take(&mut self.cells),
            std::mem::take(&mut self.whole),
        );
        self.store.load(id, &mut cells, &mut whole);
        let mut grown = *successor;
        grown.state = State {
            memory: &cells,
            zone: &whole,
        };
        let result = match waits {
            // It keeps its place in the open list; but the goal may hold there now.
            true => self.is_goal(id, grown.state),
            false => self.admit(id, &grown, parent, self.store.depth(id)),
        };
        (self.cells, self.whole) = (cells, whole);
        result
    }

    /// What ends a search whose store goes on no longer.
    #[cold]
    fn refuse(&mut self) -> Fault {
        self.refused = true;
        Fault {
            kind: FaultKind::Ended,
            site: SiteId::NONE,
        }
    }

    /// Whether [`Frontier::admit`] looks at states; if not they may be empty.
    pub fn looks_at_states(&self) -> bool {
        self.goal.is_some()
            || self.strategy.uses_estimates()
            || matches!(self.strategy, Strategy::LeastTime(_))
    }

    /// Whether states that are found now are estimated.
    pub fn wants_estimates(&self) -> bool {
        match &self.open {
            OpenList::Guided(guided) => guided.wants_estimates(),
            _ => self.strategy.uses_estimates(),
        }
    }

    /// Whether [`Frontier::admit`] looks at zones.
    fn looks_at_zones(&self) -> bool {
        let system = self.tester.system();
        self.goal.is_some_and(|goal| system.asks_zone(goal))
            || self.wants_estimates()
            || matches!(self.strategy, Strategy::LeastTime(_))
    }

    /// As [`Frontier::admit`], with the whole zone where somebody looks at it.
    #[inline]
    fn admit_found(
        &mut self,
        id: StateId,
        successor: &Successor<'_>,
        parent: Option<StateId>,
        depth: u32,
    ) -> Result<Option<StateId>, Fault> {
        if successor.reduced.is_empty() || !self.looks_at_zones() {
            return self.admit(id, successor, parent, depth);
        }
        let mut whole = std::mem::take(&mut self.whole);
        if let Some(store) = self.store.zones() {
            store.load_zone(id, &mut whole);
        }
        let mut successor = *successor;
        successor.state.zone = &whole;
        let result = self.admit(id, &successor, parent, depth);
        self.whole = whole;
        result
    }

    /// Tests the goal at a state that was found; says if the search has found enough.
    fn is_goal(&mut self, id: StateId, state: State<'_>) -> Result<Option<StateId>, Fault> {
        let (false, Some(goal)) = (self.strategy.tests_when_expanded(), self.goal) else {
            return Ok(None);
        };
        let holds = self.tester.satisfies(goal, state, None);
        match holds.inspect_err(|_| self.failed = Some(id))? {
            true => Ok(self.reach(id)),
            false => Ok(None),
        }
    }

    /// A goal was reached; says if it is the last one that is looked for.
    #[inline]
    fn reach(&mut self, id: StateId) -> Option<StateId> {
        self.reached.push(id);
        (self.reached.len() >= self.goals).then_some(id)
    }

    /// Tells the guide that a state is about to be expanded, and whether its successors will be estimated.
    pub fn prepare(&mut self, id: StateId, state: State<'_>, estimates: bool) {
        let prefers = match &self.open {
            OpenList::Guided(guided) => estimates && guided.affords(),
            _ => self.strategy == Strategy::Greedy(TieBreak::Preferred),
        };
        self.prefers = prefers;
        if prefers {
            self.heuristic.prepare(state);
            if let OpenList::Guided(guided) = &mut self.open {
                guided.prepared(self.heuristic.preparation());
            }
        }
        if estimates {
            let store = &self.store;
            let edges = || store.parent(id).map_or_else(Vec::new, |(_, edges)| edges);
            self.heuristic.expanding(state, &edges);
        }
    }

    /// Puts a new state on the open list, unless it is a dead end; says if it is the goal.
    pub fn admit(
        &mut self,
        id: StateId,
        successor: &Successor<'_>,
        parent: Option<StateId>,
        depth: u32,
    ) -> Result<Option<StateId>, Fault> {
        if let (false, Some(goal)) = (self.strategy.tests_when_expanded(), self.goal)
            && (self.tester.satisfies(goal, successor.state, None))
                .inspect_err(|_| self.failed = Some(id))?
        {
            let Strategy::LeastTime(row) = self.strategy else {
                return Ok(self.reach(id));
            };
            let best = &mut self.best;
            (self.tester).where_satisfied(goal, successor.state, &mut |zone| {
                let key = lower_bound(zone, row);
                if best.is_none_or(|(best, _)| key < best) {
                    *best = Some((key, id));
                }
            })?;
        }
        let wanted = self.wants_estimates();
        let inherited = match &mut self.open {
            OpenList::Guided(guided) if wanted && parent.is_some() => {
                guided.found(self.work.of(0, 1))
            }
            _ => None,
        };
        self.statistics.estimates += u64::from(wanted && inherited.is_none());
        self.statistics.inherited += u64::from(inherited.is_some());
        let estimate = match (wanted, inherited) {
            (false, _) => 0,
            (true, Some(inherited)) => inherited,
            (true, None) => match self.estimate(successor.state) {
                Estimate::Finite(estimate) => {
                    let best = &mut self.statistics.best_estimate;
                    *best = Some(best.map_or(estimate, |best| best.min(estimate)));
                    let penalty = match self.strategy {
                        Strategy::Greedy(_) => self.heuristic.penalty(successor, estimate),
                        _ => 0,
                    };
                    estimate.saturating_add(penalty)
                }
                Estimate::DeadEnd if self.heuristic.facts().safe_dead_ends && !self.automatic() => {
                    self.statistics.pruned += 1;
                    self.store.pruned(id);
                    return Ok(None);
                }
                // Not certain: such states come last. Nor are they pruned by the automatic search: nobody asked it to leave
                // anything out, and a fault of the model may lie there.
                Estimate::DeadEnd => u32::MAX,
            },
        };
        if parent.is_none() && self.automatic() {
            let dead = wanted && estimate == u32::MAX && self.heuristic.facts().safe_dead_ends;
            self.hopeless = Some(dead && self.hopeless != Some(false));
        }
        let subsumed = self.store.inserted() - self.store.live();
        let place = Place {
            depth,
            estimate,
            size: self.store.size(),
            replaces: subsumed > self.subsumed,
        };
        self.subsumed = subsumed;
        let key = match &mut self.novelty {
            None => self.strategy.key(place, successor.state.zone),
            Some(novelty) => (novelty.rank(successor.state.memory, estimate), estimate),
        };
        match &mut self.open {
            OpenList::Guided(guided)
                if wanted && !(guided.is_automatic() && estimate == u32::MAX) =>
            {
                let preference = match parent {
                    Some(_) if self.prefers => self.heuristic.preference(successor.edges),
                    _ => Preference::None,
                };
                guided.push(id, key, estimate, preference);
            }
            open => {
                let tie = match (self.strategy, parent) {
                    (Strategy::Greedy(TieBreak::Preferred), Some(_)) => {
                        self.heuristic.preference(successor.edges)
                    }
                    _ => Preference::First,
                };
                // Of equal estimates, the preferred ones come first.
                let tie = Preference::First as u32 - tie as u32;
                open.push(id, (key.0, key.1.saturating_add(tie)));
            }
        }
        if let OpenList::Guided(guided) = &mut self.open {
            guided.subsumed(subsumed);
        }
        let waiting = self.open.len() as u64;
        self.statistics.peak_waiting = self.statistics.peak_waiting.max(waiting);
        Ok(None)
    }

    fn automatic(&self) -> bool {
        matches!(&self.open, OpenList::Guided(guided) if guided.is_automatic())
    }

    fn estimate(&mut self, state: State<'_>) -> Estimate {
        let estimate = self.heuristic.estimate(state);
        let (each, touch) = self.estimate_work;
        self.worked += each + touch * self.heuristic.size() as u64;
        if let OpenList::Guided(guided) = &mut self.open {
            guided.estimated(self.heuristic.size(), estimate);
        }
        estimate
    }

    /// The work of the search so far.
    pub fn work(&self) -> u64 {
        self.worked
    }

    /// Adds work to the account of the search.
    pub fn has_worked(&mut self, work: u64) {
        self.worked += work;
    }

    /// A state has been expanded; `before` is how many successors there were until then.
    #[inline]
    pub fn charge(&mut self, before: u64) {
        let work = self.work.of(1, self.statistics.generated - before);
        self.worked += work;
        if let OpenList::Guided(guided) = &mut self.open {
            guided.charge(work);
        }
    }

    pub fn bytes(&self) -> usize {
        let novelty = self.novelty.as_ref().map_or(0, Novelty::bytes);
        let others = self.beside + self.looks + self.sides + self.rival + self.apart + novelty;
        self.store.bytes() + self.open.bytes() + others
    }

    /// The counts, with those that the store knows.
    pub fn finish(&mut self) -> Statistics {
        let memory = self.bytes() as u64;
        let statistics = &mut self.statistics;
        statistics.stored = self.store.live() as u64;
        statistics.inserted = self.store.inserted() as u64;
        statistics.discrete = self.store.discrete() as u64;
        statistics.memory = memory;
        *statistics
    }
}

impl<'s, 'c: 's> Frontier<'s, 'c> {
    /// Offers the store the state whose discrete part it has been told of last; returns its number if it is new.
    pub fn offer(
        &mut self,
        key: Prepared,
        offer: Offer<'_>,
        parent: Option<StateId>,
        depth: u32,
    ) -> Option<StateId> {
        self.statistics.generated += 1;
        match self.store.insert_prepared(key, offer, parent, depth) {
            Insertion::New(id) => Some(id),
            _ => None,
        }
    }

    /// As [`Frontier::add`] for the state whose discrete part the store has been told of last.
    pub fn add_prepared(
        &mut self,
        key: Prepared,
        successor: &Successor<'_>,
        parent: Option<StateId>,
        depth: u32,
    ) -> Result<Option<StateId>, Fault> {
        match self.offer(key, Offer::Found(successor), parent, depth) {
            Some(id) => self.admit_found(id, successor, parent, depth),
            None => Ok(None),
        }
    }

    /// What others may go on from.
    pub fn unfinished(self) -> Unfinished {
        Unfinished {
            store: self.store,
            open: self.open,
            statistics: self.statistics,
            unsafe_pruning: self.unsafe_pruning,
        }
    }
}
