//! Algorithm 1 of the paper: the search of [`merkhet_explore`] with configurations as its store, and what a goal that was
//! found in the abstraction means.

use merkhet_explore::{
    Budget, Config, Heuristic, Limits, Progress, Search, StateId, Statistics, Status, StopReason,
    Strategy, SymbolicTrace, Watch,
};
use merkhet_network::Network;
use merkhet_network::tuning::Tuning;
use merkhet_semantics::{Cancellation, Explorer, Fault, FaultKind, GoalId, State, System};
use merkhet_zones::bound::Bound;

use crate::laws::Laws;
use crate::order::{Broken, Orders};
use crate::refine::{Derived, Next, Refinement, Replay, Split};
use crate::store::Store;
use crate::update::{Joining, Rules, Update};

/// What to look for, and how.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options<'a> {
    /// How configurations are added.
    pub update: Update,
    /// Which ones may be joined.
    pub joining: Joining,
    /// What else has to permit a join.
    pub rules: Option<&'a Rules>,
    /// The order of expansion. A* is followed in its order, but shortest traces are not claimed.
    pub strategy: Strategy,
    /// What to look for; nothing means to see everything.
    pub goal: Option<GoalId>,
    /// For random choices.
    pub seed: u64,
    /// When to give up.
    pub limits: Limits<'a>,
    /// The tunables that were set.
    pub tuning: Option<&'a Tuning>,
    /// Test the monotonicity property on pairs of comparable configurations.
    pub check_monotone: bool,
}

/// What was found.
#[derive(Clone, PartialEq, Debug)]
pub enum Verdict {
    /// The goal is reached along this trace, which is exact.
    Reachable(SymbolicTrace),
    /// The goal cannot be reached (without a goal: everything has been seen).
    Unreachable,
    /// The goal is reached in the abstraction only; the sentence says which join is to blame.
    Inconclusive(String),
    /// A limit was reached.
    Unknown(StopReason),
}

/// The result of an exploration.
pub struct Outcome {
    /// What was found.
    pub verdict: Verdict,
    /// What it took.
    pub statistics: Statistics,
    /// Joins made.
    pub joins: u64,
    /// Refinements made.
    pub refinements: u32,
    /// Paths of the abstraction that do not exist, each with the join to blame.
    pub splits: Vec<Split>,
    /// Pairs of configurations whose monotonicity was tested.
    pub pairs: u64,
    /// How many tests joins must pass after refinement.
    pub tests: usize,
    pub(crate) store: Store,
}

impl Outcome {
    /// Hands on all configurations at the end that no other one covers.
    pub fn for_each(&self, each: &mut dyn FnMut(State<'_>)) {
        for (index, node) in self.store.nodes.iter().enumerate() {
            if node.alive {
                each(self.store.state(StateId(index as u32)));
            }
        }
    }
}

/// Why there is no result.
#[derive(Clone, PartialEq, Debug)]
pub enum Failure {
    /// An evaluation failed at a state that can be reached along the trace.
    Fault {
        /// What went wrong.
        fault: Fault,
        /// The way there.
        trace: SymbolicTrace,
    },
    /// A lattice does not keep its laws, or the model is not monotone.
    Broken(Broken),
}

/// What goes wrong inside.
pub(crate) enum Problem {
    Fault(Fault),
    Broken(Broken),
}

impl From<Fault> for Problem {
    fn from(fault: Fault) -> Problem {
        Problem::Fault(fault)
    }
}

impl From<Broken> for Problem {
    fn from(broken: Broken) -> Problem {
        Problem::Broken(broken)
    }
}

/// Explores a network with lattice variables. `observe` is called now and then.
pub fn explore(
    network: &Network,
    system: &System,
    options: &Options<'_>,
    heuristic: &mut dyn Heuristic,
    observe: &mut dyn FnMut(&Progress),
) -> Result<Outcome, Box<Failure>> {
    let mut run = Run::new(network, system, options, heuristic);
    let verdict = run.advance(Budget::UNLIMITED, observe)?;
    Ok(run.outcome(verdict.unwrap_or(Verdict::Unknown(StopReason::States))))
}

/// An exploration under way.
pub(crate) struct Run<'s, 'c: 's> {
    pub search: Search<'s, 'c, Configurations<'s>>,
    watch: Watch<'c>,
}

impl<'s, 'c: 's> Run<'s, 'c> {
    pub fn new(
        network: &'s Network,
        system: &'s System,
        options: &Options<'c>,
        heuristic: &'c mut dyn Heuristic,
    ) -> Run<'s, 'c> {
        let watch = Watch::new(options.limits);
        let cancellation = watch.cancellation();
        Run::cancelled_by(network, system, options, heuristic, watch, cancellation)
    }

    /// One that stops only between two expansions, where it can be written down. The caller looks at the limits.
    pub fn stopping_between_expansions(
        network: &'s Network,
        system: &'s System,
        options: &Options<'c>,
        heuristic: &'c mut dyn Heuristic,
    ) -> Run<'s, 'c> {
        let watch = Watch::new(options.limits);
        let never = Cancellation::default();
        let mut run = Run::cancelled_by(network, system, options, heuristic, watch, never);
        run.search = run.search.stopping_between_expansions();
        run
    }

    fn cancelled_by(
        network: &'s Network,
        system: &'s System,
        options: &Options<'c>,
        heuristic: &'c mut dyn Heuristic,
        watch: Watch<'c>,
        cancellation: Cancellation<'c>,
    ) -> Run<'s, 'c> {
        let config = Config {
            strategy: options.strategy,
            goal: options.goal,
            seed: options.seed,
            limits: options.limits,
            tuning: options.tuning,
            ..Config::default()
        };
        let seen = Configurations::new(network, system, options, cancellation);
        let explorer = Explorer::new(system).cancelled_by(cancellation);
        Run {
            search: Search::of(system, explorer, seen, watch.clone(), &config, heuristic),
            watch,
        }
    }

    /// Goes on until there is a verdict or the budget is spent.
    pub fn advance(
        &mut self,
        budget: Budget,
        observe: &mut dyn FnMut(&Progress),
    ) -> Result<Option<Verdict>, Box<Failure>> {
        let search = &mut self.search;
        loop {
            let next = match search.advance(budget, observe) {
                Status::Found => {
                    let found = search.found();
                    found.map_or(Ok(Next::Again(Vec::new())), |found| {
                        search.passed_mut().judge(found)
                    })?
                }
                Status::Exhausted if search.is_unsafe() => {
                    return Ok(Some(Verdict::Unknown(StopReason::Incomplete)));
                }
                Status::Exhausted => return Ok(Some(Verdict::Unreachable)),
                Status::Limit(reason) => return Ok(Some(Verdict::Unknown(reason))),
                Status::BudgetSpent => return Ok(None),
                Status::Fault => match search.fault() {
                    Some(&(fault, at)) => search.passed_mut().judge_fault(at, fault)?,
                    None => return Ok(Some(Verdict::Unknown(StopReason::Incomplete))),
                },
                Status::Refused => match search.passed_mut().problem.take() {
                    Some(Problem::Broken(broken)) => return Err(Box::new(Failure::Broken(broken))),
                    Some(Problem::Fault(fault)) if fault.kind != FaultKind::Ended => {
                        let at = search.passed().expanding;
                        search.passed_mut().judge_fault(at, fault)?
                    }
                    _ => return Ok(Some(Verdict::Unknown(self.watch.why_ended()))),
                },
            };
            match next {
                Next::Verdict(verdict) => return Ok(Some(verdict)),
                Next::Anew => search.restart(true, &[]),
                Next::Again(waiting) => search.restart(false, &waiting),
            }
        }
    }

    /// What it has seen.
    pub fn seen(&self) -> &Configurations<'s> {
        self.search.passed()
    }

    /// The states expanded.
    pub fn explored(&self) -> u64 {
        self.search.explored()
    }

    /// The result.
    pub fn outcome(mut self, verdict: Verdict) -> Outcome {
        let statistics = self.search.statistics();
        let seen = self.search.into_passed();
        Outcome {
            verdict,
            statistics,
            joins: seen.joins,
            refinements: seen.refinement.rounds,
            pairs: seen.pairs,
            tests: seen.refinement.tests(),
            splits: seen.refinement.splits,
            store: seen.store,
        }
    }
}

/// The configurations that a search has seen, and what was learnt of them.
pub(crate) struct Configurations<'s> {
    pub system: &'s System,
    pub update: Update,
    pub joining: Joining,
    pub rules: Rules,
    pub goal: Option<GoalId>,
    pub check_monotone: bool,
    pub tester: Explorer<'s>,
    pub orders: Orders<'s>,
    pub store: Store,
    pub laws: Laws,
    pub refinement: Refinement,
    pub joins: u64,
    pub pairs: u64,
    /// All ways to a configuration are noted, not only after the first join; some were not.
    pub records: bool,
    pub unrecorded: bool,
    /// What was done so far: configurations offered and compared, transitions followed to test joins.
    pub work: u64,
    /// The configuration that is being expanded.
    pub expanding: Option<StateId>,
    /// The one that was looked at last, and which version of it.
    pub loaded: Option<(StateId, u32)>,
    /// With several threads: the version of the parent that the one being added was found from. Parents have numbers then that
    /// mean something to all threads together only.
    pub sent_from: Option<u32>,
    /// Why the last one was refused.
    pub problem: Option<Problem>,
    /// Room for a joined configuration.
    pub joined_memory: Vec<i32>,
    pub joined_zone: Vec<Bound>,
    /// Room for the configurations that a new one covers.
    pub covered: Vec<StateId>,
}

impl<'s> Configurations<'s> {
    pub fn new(
        network: &'s Network,
        system: &'s System,
        options: &Options<'_>,
        cancellation: Cancellation<'s>,
    ) -> Configurations<'s> {
        let orders = Orders::new(network, system.layout());
        let (cells, dimension) = (system.cells().len(), system.dimension());
        Configurations {
            system,
            update: options.update,
            joining: options.joining,
            rules: options.rules.cloned().unwrap_or_default(),
            goal: options.goal,
            check_monotone: options.check_monotone,
            tester: Explorer::new(system).cancelled_by(cancellation),
            store: Store::new(system, &orders),
            laws: Laws::new(&orders),
            orders,
            refinement: match options.tuning {
                Some(tuning) => Refinement::new(tuning),
                None => Refinement::new(&Tuning::default()),
            },
            joins: 0,
            pairs: 0,
            records: false,
            unrecorded: false,
            work: 0,
            expanding: None,
            loaded: None,
            sent_from: None,
            problem: None,
            joined_memory: vec![0; cells],
            joined_zone: vec![0; dimension * dimension],
            covered: Vec::new(),
        }
    }

    /// Decides what a configuration in which the goal holds means.
    pub fn judge(&mut self, found: StateId) -> Result<Next, Box<Failure>> {
        let goal = self.goal;
        if !self.update.joins() {
            let (transitions, _) = self.store.path(found);
            let trace = SymbolicTrace { transitions, goal };
            return Ok(Next::Verdict(Verdict::Reachable(trace)));
        }
        let derived = self.derive(found);
        let transitions = match &derived {
            Derived::Path(transitions) => transitions.clone(),
            _ => self.store.path(found).0,
        };
        if let Replay::Reached = self.replay(&transitions, goal)? {
            let trace = SymbolicTrace { transitions, goal };
            return Ok(Next::Verdict(Verdict::Reachable(trace)));
        }
        Ok(self.blame(found, derived))
    }

    /// Judges a fault, which may be one of the abstraction only.
    pub fn judge_fault(&mut self, at: Option<StateId>, fault: Fault) -> Result<Next, Box<Failure>> {
        let path = at.map(|at| self.store.path(at));
        let (transitions, nodes) = path.unwrap_or_default();
        // Without a join on the way the elements are exact.
        let exact = !self.update.joins() || self.last_join(&nodes).is_none();
        if exact || self.faults(&transitions) {
            let trace = SymbolicTrace {
                transitions,
                goal: None,
            };
            return Err(Box::new(Failure::Fault { fault, trace }));
        }
        // Its expansion has been broken off.
        let expanding = self.expanding.filter(|node| self.store.wait(*node));
        Ok(match self.blame_fault(&nodes, fault) {
            Next::Again(waiting) => Next::Again(expanding.into_iter().chain(waiting).collect()),
            next => next,
        })
    }
}
