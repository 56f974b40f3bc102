//! Several different runs that show the same answer, short ones first.
//!
//! Breadth first over paths rather than states: a symbolic state may be expanded as often as runs are asked for, since
//! the k shortest paths to a goal pass through any state at most k times. A run ends at the first goal on its way.

use std::collections::HashMap;
use std::ops::ControlFlow;
use std::sync::atomic::Ordering;
use std::time::Instant;

use merkhet_analysis::Demand;
use merkhet_network::{Formula, Network, Query, QueryKind};
use merkhet_replay::Replayed;
use merkhet_search::SymbolicTrace;
use merkhet_semantics::{EdgeIndex, Explorer, Fault, GoalId, Options, State, Successor, System};

use super::evidence::{self, Evidence};
use crate::config::Config;
use crate::report::Failure;

/// Paths are given up beyond so many, whatever the limits say.
const MOST_PATHS: usize = 2_000_000;

/// Up to `number` runs that differ in their transitions, for `E<>` and `A[]`; fewer where there are fewer, or where a
/// limit is reached.
pub fn all_traces(
    network: &Network,
    query: &Query,
    config: &Config,
    number: usize,
) -> Result<Vec<Replayed>, Failure> {
    let goal = match &query.kind {
        QueryKind::Possibly(goal) => goal.clone(),
        QueryKind::Invariantly(formula) => Formula::Not(Box::new(formula.clone())),
        _ => {
            let message = "several traces can be had for E<> and A[] only";
            return Err(Failure::NotPermitted(message.into()));
        }
    };
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
        number,
        nodes: Vec::new(),
        seen: HashMap::new(),
        found: Vec::new(),
    };
    let explored = paths.explore(config);
    explored.map_err(|fault| Failure::of(network, &fault))?;
    let mut runs = Vec::new();
    for node in &paths.found {
        let trace = paths.path(*node);
        if let Evidence::Accepted(run) = evidence::concrete(network, query, &system, &trace)? {
            runs.push(*run);
        }
    }
    Ok(runs)
}

struct Node {
    parent: Option<usize>,
    edges: Vec<EdgeIndex>,
    /// The state; dropped once it is expanded.
    state: Option<(Vec<i32>, Vec<i32>)>,
}

struct Paths<'s> {
    system: &'s System,
    number: usize,
    nodes: Vec<Node>,
    /// How often each state was put on a path.
    seen: HashMap<(Vec<i32>, Vec<i32>), usize>,
    found: Vec<usize>,
}

impl Paths<'_> {
    fn explore(&mut self, config: &Config) -> Result<(), Fault> {
        let start = Instant::now();
        let system = self.system;
        let (mut explorer, mut tester) = (Explorer::new(system), Explorer::new(system));
        let mut fault = None;
        let _ = explorer
            .initial(&mut |successor| self.offer(&successor, None, &mut tester, &mut fault))?;
        let mut next = 0;
        while next < self.nodes.len() && self.found.len() < self.number && fault.is_none() {
            let limits = &config.limits;
            let over = limits.cancel.load(Ordering::Relaxed)
                || limits.timeout.is_some_and(|limit| start.elapsed() >= limit)
                || limits.states.is_some_and(|limit| next as u64 >= limit)
                || self.nodes.len() >= MOST_PATHS;
            if over {
                break;
            }
            if let Some((memory, zone)) = self.nodes[next].state.take() {
                let state = State {
                    memory: &memory,
                    zone: &zone,
                };
                let _ = explorer.successors(state, &mut |successor| {
                    self.offer(&successor, Some(next), &mut tester, &mut fault)
                })?;
            }
            next += 1;
        }
        fault.map_or(Ok(()), Err)
    }

    fn offer(
        &mut self,
        successor: &Successor<'_>,
        parent: Option<usize>,
        tester: &mut Explorer<'_>,
        fault: &mut Option<Fault>,
    ) -> ControlFlow<()> {
        let goal = match tester.satisfies(GoalId(0), successor.state, None) {
            Ok(goal) => goal,
            Err(problem) => {
                *fault = Some(problem);
                return ControlFlow::Break(());
            }
        };
        let state = (
            successor.state.memory.to_vec(),
            successor.state.zone.to_vec(),
        );
        if !goal {
            let times = self.seen.entry(state.clone()).or_default();
            *times += 1;
            if *times > self.number {
                return ControlFlow::Continue(());
            }
        }
        self.nodes.push(Node {
            parent,
            edges: successor.edges.to_vec(),
            state: (!goal).then_some(state),
        });
        if goal {
            self.found.push(self.nodes.len() - 1);
        }
        match self.found.len() < self.number {
            true => ControlFlow::Continue(()),
            false => ControlFlow::Break(()),
        }
    }

    fn path(&self, node: usize) -> SymbolicTrace {
        let mut transitions = Vec::new();
        let mut at = node;
        while let Some(parent) = self.nodes[at].parent {
            transitions.push(self.nodes[at].edges.clone());
            at = parent;
        }
        transitions.reverse();
        SymbolicTrace {
            transitions,
            goal: Some(GoalId(0)),
        }
    }
}
