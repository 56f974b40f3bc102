//! Several different runs that show the same answer, short ones first.
//!
//! Breadth first over paths rather than states: a symbolic state may be expanded as often as runs are asked for, since
//! the k shortest paths to a goal pass through any state at most k times. A run ends at the first goal on its way.

use std::collections::HashMap;
use std::ops::ControlFlow;
use std::rc::Rc;
use std::sync::atomic::Ordering;
use std::time::Instant;

use merkhet_analysis::Demand;
use merkhet_explore::{StopReason, SymbolicTrace};
use merkhet_network::{Formula, Network, Query, QueryKind};
use merkhet_replay::Replayed;
use merkhet_semantics::{
    EdgeIndex, Explorer, Fault, FaultKind, GoalId, Options, Patience, State, Successor, System,
};

use super::evidence::{self, Evidence};
use crate::config::{Config, Phase};
use crate::failure::Failure;
use crate::memory::for_states;
use crate::tuning;
use crate::why::Why;

/// What an allocation takes beside its content.
const ALLOCATION: usize = 16;
/// What a state takes beside its numbers and its place in the table: three allocations and two counters.
const STATE: usize = size_of::<Symbolic>() + 3 * ALLOCATION + 2 * size_of::<usize>();
/// A place in the table of states; it is at most seven eighths full.
const PLACE: usize = (size_of::<(Rc<Symbolic>, usize)>() + 1) * 8 / 7;

/// Runs that show the same answer.
#[derive(Clone, Debug)]
pub struct Traces {
    /// They differ in their transitions, short ones first.
    pub runs: Vec<Replayed>,
    /// Why there may be more, if there may: a limit.
    pub ended: Option<Why>,
}

/// Up to `number` runs that differ in their transitions, for `E<>` and `A[]`; fewer where there are fewer, or where a
/// limit is reached. The limits count from now on.
pub fn all_traces(
    network: &Network,
    query: &Query,
    config: &Config,
    number: usize,
) -> Result<Traces, Failure> {
    let goal = match &query.kind {
        QueryKind::Possibly(goal) => goal.clone(),
        QueryKind::Invariantly(formula) => Formula::Not(Box::new(formula.clone())),
        _ => {
            let message = "several traces can be had for E<> and A[] only";
            return Err(Failure::NotPermitted(message.into()));
        }
    };
    let start = Instant::now();
    config.limits.phase.enter(Phase::Traces);
    let demand = Demand {
        formulas: &[&goal],
        ..Demand::default()
    };
    let options = Options {
        demand,
        ..Options::default()
    };
    let system = System::new(network, &options).map_err(Failure::too_large)?;
    let mut paths = Paths {
        system: &system,
        config,
        start,
        number,
        nodes: Vec::new(),
        seen: HashMap::new(),
        found: Vec::new(),
        bytes: 0,
    };
    let mut ended = match paths.explore() {
        Ok(ended) => ended,
        Err(fault) if fault.kind == FaultKind::Ended => Some(paths.out_of_patience()),
        Err(fault) => return Err(Failure::of(network, &fault)),
    };
    let mut runs = Vec::new();
    for node in &paths.found {
        // The first run was asked for anyway; each of the others takes its time.
        if !runs.is_empty() && paths.is_impatient() {
            ended = Some(paths.out_of_patience());
            break;
        }
        let trace = paths.path(*node);
        if let Evidence::Accepted(run) = evidence::concrete(network, query, &system, &trace)? {
            runs.push(*run);
        }
    }
    Ok(Traces { runs, ended })
}

/// The discrete part and the zone of a state.
type Symbolic = (Vec<i32>, Vec<i32>);

struct Node {
    parent: Option<usize>,
    edges: Box<[EdgeIndex]>,
    /// The state; dropped once it is expanded.
    state: Option<Rc<Symbolic>>,
}

struct Paths<'s> {
    system: &'s System,
    config: &'s Config,
    start: Instant,
    number: usize,
    nodes: Vec<Node>,
    /// How often each state was put on a path.
    seen: HashMap<Rc<Symbolic>, usize>,
    found: Vec<usize>,
    /// What states and edges take, beside tables.
    bytes: usize,
}

impl Paths<'_> {
    /// Looks for paths; says which limit ended that, if one did.
    fn explore(&mut self) -> Result<Option<Why>, Fault> {
        let (system, limits) = (self.system, &self.config.limits);
        let deadline = (limits.timeout).and_then(|limit| self.start.checked_add(limit));
        let patience = Patience::until(deadline, Some(&limits.cancel));
        let mut explorer = Explorer::new(system).patient(patience);
        let mut tester = Explorer::new(system).patient(patience);
        let mut fault = None;
        let _ = explorer
            .initial(&mut |successor| self.offer(&successor, None, &mut tester, &mut fault))?;
        let mut next = 0;
        while next < self.nodes.len() && self.found.len() < self.number && fault.is_none() {
            if let Some(limit) = self.limit(next) {
                return Ok(Some(limit));
            }
            if let Some(symbolic) = self.nodes[next].state.take() {
                let state = State {
                    memory: &symbolic.0,
                    zone: &symbolic.1,
                };
                let _ = explorer.successors(state, &mut |successor| {
                    self.offer(&successor, Some(next), &mut tester, &mut fault)
                })?;
            }
            next += 1;
        }
        fault.map_or(Ok(None), Err)
    }

    /// The limit that is reached before a path is gone on with, if one is.
    fn limit(&self, next: usize) -> Option<Why> {
        let limits = &self.config.limits;
        let tables = self.nodes.capacity() * size_of::<Node>() + self.seen.capacity() * PLACE;
        let bytes = self.bytes + tables;
        if self.is_impatient() {
            Some(self.out_of_patience())
        } else if limits.states.is_some_and(|limit| next as u64 >= limit) {
            Some(StopReason::States.into())
        } else if (limits.memory.map(for_states)).is_some_and(|limit| bytes as u64 >= limit) {
            Some(StopReason::Memory.into())
        } else if self.nodes.len() >= self.config.tuning.count(&tuning::PATHS) {
            Some(Why::TooManyPaths)
        } else {
            None
        }
    }

    /// Whether the time is over or the caller wants no more.
    fn is_impatient(&self) -> bool {
        let limits = &self.config.limits;
        limits.cancel.load(Ordering::Relaxed)
            || (limits.timeout).is_some_and(|limit| self.start.elapsed() >= limit)
    }

    fn out_of_patience(&self) -> Why {
        Why::Limit(match self.config.limits.cancel.load(Ordering::Relaxed) {
            true => StopReason::Cancelled,
            false => StopReason::Timeout,
        })
    }

    fn offer(
        &mut self,
        successor: &Successor<'_>,
        parent: Option<usize>,
        tester: &mut Explorer<'_>,
        fault: &mut Option<Fault>,
    ) -> ControlFlow<()> {
        let State { memory, zone } = successor.state;
        let goal = match tester.satisfies(GoalId(0), successor.state, None) {
            Ok(goal) => goal,
            Err(problem) => {
                *fault = Some(problem);
                return ControlFlow::Break(());
            }
        };
        let mut state = None;
        if !goal {
            let (symbolic, times) = self.times((memory.to_vec(), zone.to_vec()));
            if times > self.number {
                return ControlFlow::Continue(());
            }
            state = Some(symbolic);
        }
        self.bytes += size_of_val(successor.edges) + ALLOCATION;
        self.nodes.push(Node {
            parent,
            edges: successor.edges.into(),
            state,
        });
        if goal {
            self.found.push(self.nodes.len() - 1);
        }
        match self.found.len() < self.number {
            true => ControlFlow::Continue(()),
            false => ControlFlow::Break(()),
        }
    }

    /// Counts how often a state was met, this time included.
    fn times(&mut self, symbolic: Symbolic) -> (Rc<Symbolic>, usize) {
        let known = self.seen.get_key_value(&symbolic);
        let state = match known {
            Some((state, _)) => Rc::clone(state),
            None => {
                let cells = symbolic.0.len() + symbolic.1.len();
                self.bytes += STATE + cells * size_of::<i32>();
                Rc::new(symbolic)
            }
        };
        let times = self.seen.entry(Rc::clone(&state)).or_default();
        *times += 1;
        (state, *times)
    }

    fn path(&self, node: usize) -> SymbolicTrace {
        let mut transitions = Vec::new();
        let mut at = node;
        while let Some(parent) = self.nodes[at].parent {
            transitions.push(self.nodes[at].edges.to_vec());
            at = parent;
        }
        transitions.reverse();
        SymbolicTrace {
            transitions,
            goal: Some(GoalId(0)),
        }
    }
}
