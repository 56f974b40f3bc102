//! Algorithm 1 of the paper, with its updates.

use std::ops::ControlFlow;
use std::time::Instant;

use merkhet_explore::{
    Estimate, Heuristic, Limits, Progress, Statistics, StopReason, Strategy, SymbolicTrace,
};
use merkhet_network::Network;
use merkhet_semantics::{Explorer, Fault, GoalId, Pace, State, Successor, System};
use merkhet_zones::bound::Bound;

use crate::laws::Laws;
use crate::open::Open;
use crate::order::{Broken, Orders};
use crate::refine::{Refinement, Replay};
use crate::store::{NodeId, Store};
use crate::update::{Joining, Update};

/// What to look for, and how.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options<'a> {
    /// How configurations are added.
    pub update: Update,
    /// Which ones may be joined.
    pub joining: Joining,
    /// The order of expansion. A* is followed in its order, but shortest traces are not claimed.
    pub strategy: Strategy,
    /// What to look for; nothing means to see everything.
    pub goal: Option<GoalId>,
    /// For random choices.
    pub seed: u64,
    /// When to give up.
    pub limits: Limits<'a>,
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
    /// Pairs of configurations whose monotonicity was tested.
    pub pairs: u64,
    /// How many tests joins must pass after refinement.
    pub tests: usize,
    store: Store,
}

impl Outcome {
    /// Hands on all configurations at the end that no other one covers.
    pub fn for_each(&self, each: &mut dyn FnMut(State<'_>)) {
        for (index, node) in self.store.nodes.iter().enumerate() {
            if node.alive {
                each(self.store.state(NodeId(index as u32)));
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
    let verdict = run.run(observe)?;
    let frontier = run.frontier;
    let mut statistics = frontier.statistics;
    statistics.stored = frontier.store.alive() as u64;
    statistics.inserted = frontier.store.nodes.len() as u64;
    statistics.discrete = frontier.store.discrete() as u64;
    statistics.memory = frontier.store.bytes() as u64;
    statistics.elapsed = frontier.start.elapsed();
    Ok(Outcome {
        verdict,
        statistics,
        joins: frontier.joins,
        refinements: frontier.refinement.rounds,
        pairs: frontier.pairs,
        tests: frontier.refinement.tests(),
        store: frontier.store,
    })
}

/// `observe` is called after so many expansions.
const OBSERVE: u64 = 64;

struct Run<'s, 'c> {
    explorer: Explorer<'s>,
    frontier: Frontier<'s, 'c>,
    memory: Vec<i32>,
    zone: Vec<Bound>,
}

/// What grows, and what is asked while a configuration is being expanded.
pub(crate) struct Frontier<'s, 'c> {
    pub system: &'s System,
    pub options: Options<'c>,
    pub tester: Explorer<'s>,
    pub orders: Orders<'s>,
    pub store: Store,
    open: Open,
    laws: Laws,
    heuristic: &'c mut dyn Heuristic,
    pub refinement: Refinement,
    pub statistics: Statistics,
    start: Instant,
    joins: u64,
    pub pairs: u64,
    joined_memory: Vec<i32>,
    joined_zone: Vec<Bound>,
    /// Dead ends were pruned without certainty.
    unsafe_pruning: bool,
    /// Time and memory are looked at every few milliseconds.
    pace: Pace,
    /// A limit was reached in the middle of an expansion.
    over: bool,
}

impl<'s, 'c> Run<'s, 'c> {
    fn new(
        network: &'s Network,
        system: &'s System,
        options: &Options<'c>,
        heuristic: &'c mut dyn Heuristic,
    ) -> Run<'s, 'c> {
        let orders = Orders::new(network, system.layout());
        let (cells, dimension) = (system.cells().len(), system.dimension());
        Run {
            explorer: Explorer::new(system),
            frontier: Frontier {
                system,
                options: *options,
                tester: Explorer::new(system),
                store: Store::new(cells, system.key_cells(), dimension, &orders),
                laws: Laws::new(&orders),
                orders,
                open: Open::new(options.strategy, options.seed),
                heuristic,
                refinement: Refinement::default(),
                statistics: Statistics::default(),
                start: Instant::now(),
                joins: 0,
                pairs: 0,
                joined_memory: vec![0; cells],
                joined_zone: vec![0; dimension * dimension],
                unsafe_pruning: false,
                pace: Pace::default(),
                over: false,
            },
            memory: vec![0; cells],
            zone: vec![0; dimension * dimension],
        }
    }

    fn run(&mut self, observe: &mut dyn FnMut(&Progress)) -> Result<Verdict, Box<Failure>> {
        let mut found = self.begin()?;
        loop {
            if let Some(goal) = found.take() {
                if let Some(verdict) = self.frontier.judge(goal)? {
                    return Ok(verdict);
                }
                found = self.begin()?;
                continue;
            }
            let Some(node) = self.frontier.next() else {
                return Ok(match self.frontier.unsafe_pruning {
                    true => Verdict::Unknown(StopReason::Incomplete),
                    false => Verdict::Unreachable,
                });
            };
            let explored = self.frontier.statistics.explored;
            let due = self.frontier.pace.due() || self.frontier.over;
            if let Some(reason) = self.frontier.must_stop(due) {
                return Ok(Verdict::Unknown(reason));
            }
            if explored.is_multiple_of(OBSERVE) {
                observe(&self.frontier.progress(node));
            }
            found = match self.expand(node) {
                Ok(found) => found,
                Err(Problem::Broken(broken)) => return Err(Box::new(Failure::Broken(broken))),
                Err(Problem::Fault(fault)) => {
                    if let Some(verdict) = self.frontier.judge_fault(node, fault)? {
                        return Ok(verdict);
                    }
                    self.begin()?
                }
            };
        }
    }

    /// Adds the initial configurations.
    fn begin(&mut self) -> Result<Option<NodeId>, Box<Failure>> {
        let frontier = &mut self.frontier;
        let mut found = Ok(None);
        let flow = self.explorer.initial(&mut |successor: Successor<'_>| {
            found = frontier.add(&successor, None, 0);
            settled(&found)
        });
        frontier.open.end_batch();
        let found = flow.map_err(Problem::from).and(found);
        found.map_err(|problem| Box::new(at_start(problem)))
    }

    fn expand(&mut self, node: NodeId) -> Result<Option<NodeId>, Problem> {
        let frontier = &mut self.frontier;
        let state = frontier.store.state(node);
        self.memory.copy_from_slice(state.memory);
        self.zone.copy_from_slice(state.zone);
        let depth = frontier.store.nodes[node.index()].depth;
        frontier.statistics.explored += 1;
        frontier.statistics.max_depth = frontier.statistics.max_depth.max(depth);
        let state = State {
            memory: &self.memory,
            zone: &self.zone,
        };
        let mut found = Ok(None);
        let flow = self
            .explorer
            .successors(state, &mut |successor: Successor<'_>| {
                found = frontier.add(&successor, Some(node), depth + 1);
                if frontier.pace.due() && frontier.must_stop(true).is_some() {
                    // The rest is left out; the next look at the limits ends the search.
                    frontier.over = true;
                    frontier.store.nodes[node.index()].waiting = true;
                    frontier.open.push(node, 0);
                    return ControlFlow::Break(());
                }
                settled(&found)
            });
        frontier.open.end_batch();
        let _ = flow?;
        found
    }
}

impl Frontier<'_, '_> {
    /// The next configuration that still waits; it does so no longer.
    fn next(&mut self) -> Option<NodeId> {
        while let Some(node) = self.open.pop() {
            let entry = &mut self.store.nodes[node.index()];
            if entry.alive && entry.waiting {
                entry.waiting = false;
                return Some(node);
            }
        }
        None
    }

    /// Puts a configuration on the open list (again), unless it is a dead end; says if the goal holds there.
    pub fn enqueue(&mut self, node: NodeId) -> Result<Option<NodeId>, Problem> {
        let state = self.store.state(node);
        if let Some(goal) = self.options.goal
            && self.tester.satisfies(goal, state, None)?
        {
            return Ok(Some(node));
        }
        let depth = self.store.nodes[node.index()].depth;
        let informed = matches!(
            self.options.strategy,
            Strategy::Greedy(_) | Strategy::AStar | Strategy::WeightedAStar { .. }
        );
        let mut estimate = 0;
        if informed {
            estimate = match self.heuristic.estimate(state) {
                Estimate::Finite(estimate) => estimate,
                Estimate::DeadEnd if self.heuristic.facts().safe_dead_ends => {
                    self.statistics.pruned += 1;
                    self.store.nodes[node.index()].waiting = false;
                    return Ok(None);
                }
                Estimate::DeadEnd => u32::MAX,
            };
            let best = &mut self.statistics.best_estimate;
            *best = Some(best.map_or(estimate, |best| best.min(estimate)));
        }
        let (depth, estimate) = (u64::from(depth), u64::from(estimate));
        let key = match self.options.strategy {
            Strategy::AStar => depth + estimate,
            Strategy::WeightedAStar {
                numerator,
                denominator,
            } => u64::from(denominator) * depth + u64::from(numerator) * estimate,
            _ => estimate,
        };
        self.open.push(node, key);
        let waiting = self.open.len() as u64;
        self.statistics.peak_waiting = self.statistics.peak_waiting.max(waiting);
        Ok(None)
    }

    /// Starts anew, keeping what was learnt.
    pub fn forget(&mut self) {
        self.store.clear();
        self.open.clear();
    }

    /// Takes back a discrete state and what was derived from it.
    pub fn split(&mut self, key: u32) {
        for node in self.store.take_back(key) {
            self.open.push(node, 0);
        }
        self.open.end_batch();
    }

    /// Looks at a new element, for the laws of its lattice.
    pub fn observe(&mut self, memory: &[i32]) -> Result<(), Problem> {
        Ok(self.laws.observe(&mut self.orders, memory)?)
    }

    /// Room for a joined configuration; the caller gives it back.
    pub fn take_buffers(&mut self) -> (Vec<i32>, Vec<Bound>) {
        (
            std::mem::take(&mut self.joined_memory),
            std::mem::take(&mut self.joined_zone),
        )
    }

    /// Gives the room back.
    pub fn return_buffers(&mut self, memory: Vec<i32>, zone: Vec<Bound>) {
        (self.joined_memory, self.joined_zone) = (memory, zone);
    }

    /// Counts a join.
    pub fn count_join(&mut self) {
        self.joins += 1;
    }

    /// Decides what a configuration in which the goal holds means; nothing: the abstraction was refined.
    fn judge(&mut self, found: NodeId) -> Result<Option<Verdict>, Box<Failure>> {
        let (transitions, nodes) = self.store.path(found);
        let goal = self.options.goal;
        let trace = |transitions| SymbolicTrace { transitions, goal };
        if !self.options.update.joins() {
            return Ok(Some(Verdict::Reachable(trace(transitions))));
        }
        match self.replay(&transitions, goal)? {
            Replay::Reached => Ok(Some(Verdict::Reachable(trace(transitions)))),
            Replay::Fails(at) => Ok(self.blame(&transitions, &nodes, at)),
        }
    }

    /// The same for a fault, which may be one of the abstraction only.
    fn judge_fault(&mut self, node: NodeId, fault: Fault) -> Result<Option<Verdict>, Box<Failure>> {
        let (transitions, nodes) = self.store.path(node);
        // Without a join on the way the elements are exact.
        let exact = !self.options.update.joins() || self.last_join(&nodes).is_none();
        let real = exact || self.faults(&transitions);
        if real {
            let trace = SymbolicTrace {
                transitions,
                goal: None,
            };
            return Err(Box::new(Failure::Fault { fault, trace }));
        }
        self.store.nodes[node.index()].waiting = true;
        self.open.push(node, 0);
        Ok(self.blame_fault(&nodes, fault))
    }

    fn must_stop(&self, look: bool) -> Option<StopReason> {
        let limits = &self.options.limits;
        let explored = self.statistics.explored;
        if limits.states.is_some_and(|most| explored >= most) {
            return Some(StopReason::States);
        }
        if !look {
            return None;
        }
        let set =
            |flag: &std::sync::atomic::AtomicBool| flag.load(std::sync::atomic::Ordering::Relaxed);
        if limits.cancel.is_some_and(set) {
            return Some(StopReason::Cancelled);
        }
        if (limits.timeout).is_some_and(|most| self.start.elapsed() >= most) {
            return Some(StopReason::Timeout);
        }
        (limits.memory)
            .is_some_and(|most| self.store.bytes() >= most)
            .then_some(StopReason::Memory)
    }

    fn progress(&self, node: NodeId) -> Progress {
        Progress {
            expanded: self.statistics.explored,
            stored: self.store.alive() as u64,
            waiting: self.open.len() as u64,
            memory: self.store.bytes() as u64,
            depth: self.store.nodes[node.index()].depth,
            best_estimate: self.statistics.best_estimate,
            elapsed: self.start.elapsed(),
        }
    }
}

fn settled(found: &Result<Option<NodeId>, Problem>) -> ControlFlow<()> {
    match found {
        Ok(None) => ControlFlow::Continue(()),
        _ => ControlFlow::Break(()),
    }
}

fn at_start(problem: Problem) -> Failure {
    match problem {
        Problem::Broken(broken) => Failure::Broken(broken),
        Problem::Fault(fault) => Failure::Fault {
            fault,
            trace: SymbolicTrace {
                transitions: Vec::new(),
                goal: None,
            },
        },
    }
}
