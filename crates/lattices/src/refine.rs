//! Path feasibility, state split and what is learnt from infeasible paths (definitions 5 to 7, algorithm 5).
//!
//! A path is feasible if its transitions can be followed from the initial state with exact elements. If they cannot, the
//! last join before the transition that fails is split. What is learnt is a *test*: the transitions from the split state
//! to the one that fails. From then on two elements are joined there only if the join passes no test that both parts
//! fail, there and everywhere. The first test is of the failing step alone, the general form of the paper's "do not join
//! two states if the resulting state has a full database". A discrete state that leads astray again is not joined at all
//! any more, so that the search ends as a cover search at the latest.

use std::ops::ControlFlow;

use merkhet_explore::{StateId, SymbolicTrace};
use merkhet_semantics::{EdgeIndex, Explorer, Fault, GoalId, State};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::describe;
use crate::run::{Configurations, Failure, Verdict};
use crate::update::Update;

/// With more tests nothing new is learnt: discrete states are not joined any more.
const MAX_TESTS: usize = 400;

/// The states that a replay follows side by side, where zones split.
const MAX_PARTS: usize = 64;

/// Transitions that can be taken one after the other, and perhaps the goal at the end.
#[derive(Clone, PartialEq, Debug)]
struct Test {
    transitions: Vec<Vec<EdgeIndex>>,
    goal: Option<GoalId>,
}

/// What was learnt.
#[derive(Default)]
pub(crate) struct Refinement {
    tests: Vec<Test>,
    /// How often a discrete state was split on account of a test that was known.
    again: FxHashMap<u32, u32>,
    forbidden: FxHashSet<u32>,
    /// Nothing is joined any more.
    hopeless: bool,
    pub rounds: u32,
}

impl Refinement {
    /// Whether configurations of a discrete state may not be joined at all.
    pub fn forbids(&self, key: u32) -> bool {
        self.hopeless || self.forbidden.contains(&key)
    }

    /// The number of tests.
    pub fn tests(&self) -> usize {
        self.tests.len()
    }
}

/// How the search goes on.
pub(crate) enum Next {
    /// It has ended.
    Verdict(Verdict),
    /// From the beginning: what was seen is forgotten, what was learnt is kept.
    Anew,
    /// With these configurations, which wait again.
    Again(Vec<StateId>),
}

/// What came of following a path with exact elements.
pub(crate) enum Replay {
    Reached,
    /// The transition with this number cannot be taken; the number of all transitions stands for the goal.
    Fails(usize),
}

type Part = (Vec<i32>, Vec<merkhet_zones::bound::Bound>);

impl Configurations<'_> {
    /// Follows transitions from the initial state with exact elements.
    pub fn replay(
        &mut self,
        transitions: &[Vec<EdgeIndex>],
        goal: Option<GoalId>,
    ) -> Result<Replay, Box<Failure>> {
        let mut explorer = Explorer::new(self.system);
        let mut parts: Vec<Part> = Vec::new();
        let begun = explorer.initial(&mut |successor| {
            parts.push((
                successor.state.memory.to_vec(),
                successor.state.zone.to_vec(),
            ));
            ControlFlow::Continue(())
        });
        let failed = |fault, at: usize| {
            let trace = SymbolicTrace {
                transitions: transitions[..at].to_vec(),
                goal: None,
            };
            Box::new(Failure::Fault { fault, trace })
        };
        let _ = begun.map_err(|fault| failed(fault, 0))?;
        for (at, edges) in transitions.iter().enumerate() {
            parts = follow(&mut explorer, &parts, edges).map_err(|fault| failed(fault, at))?;
            if parts.is_empty() {
                return Ok(Replay::Fails(at));
            }
        }
        let Some(goal) = goal else {
            return Ok(Replay::Reached);
        };
        for (memory, zone) in &parts {
            let state = State { memory, zone };
            let holds = explorer.satisfies(goal, state, None);
            if holds.map_err(|fault| failed(fault, transitions.len()))? {
                return Ok(Replay::Reached);
            }
        }
        Ok(Replay::Fails(transitions.len()))
    }

    /// Whether an evaluation, that of the goal included, fails at the end of a path with exact elements.
    pub fn faults(&mut self, transitions: &[Vec<EdgeIndex>]) -> bool {
        let mut explorer = Explorer::new(self.system);
        let mut parts: Vec<Part> = Vec::new();
        let begun = explorer.initial(&mut |successor| {
            parts.push((
                successor.state.memory.to_vec(),
                successor.state.zone.to_vec(),
            ));
            ControlFlow::Continue(())
        });
        if begun.is_err() {
            return true;
        }
        for edges in transitions {
            match follow(&mut explorer, &parts, edges) {
                Ok(next) => parts = next,
                Err(_) => return true,
            }
        }
        let goal = self.goal;
        parts.iter().any(|(memory, zone)| {
            let state = State { memory, zone };
            let mut ignore = |_: merkhet_semantics::Successor<'_>| ControlFlow::Continue(());
            explorer.successors(state, &mut ignore).is_err()
                || goal.is_some_and(|goal| explorer.satisfies(goal, state, None).is_err())
        })
    }

    /// A path fails at a transition: says so, or learns from it.
    pub fn blame(&mut self, transitions: &[Vec<EdgeIndex>], nodes: &[StateId], at: usize) -> Next {
        let join = self.last_join(&nodes[..=at.min(nodes.len() - 1)]);
        if self.update == Update::Join {
            let place = self.describe(nodes, join, transitions.get(at));
            return Next::Verdict(Verdict::Inconclusive(place));
        }
        self.refinement.rounds += 1;
        let goal = (at == transitions.len()).then_some(self.goal).flatten();
        let end = (at + 1).min(transitions.len());
        let step = Test {
            transitions: transitions[at.min(end)..end].to_vec(),
            goal,
        };
        let Some(join) = join else {
            return self.give_up_joining();
        };
        if self.learn(step) {
            return self.forget();
        }
        let key = self.store.nodes[nodes[join].0 as usize].key;
        let test = Test {
            transitions: transitions[join..end].to_vec(),
            goal,
        };
        if !self.learn(test) {
            // The join may be older than the test; but it is not made a third time.
            let again = self.refinement.again.entry(key).or_default();
            *again += 1;
            if *again > 1 && !self.refinement.forbidden.insert(key) {
                return self.give_up_joining();
            }
        }
        Next::Again(self.store.take_back(key))
    }

    /// Adds a test; says whether it is new.
    fn learn(&mut self, test: Test) -> bool {
        let tests = &mut self.refinement.tests;
        let new = tests.len() < MAX_TESTS && !tests.contains(&test);
        if new {
            tests.push(test);
        }
        new
    }

    /// An evaluation fails in the abstraction only: says so, or takes back the last join on the way.
    pub fn blame_fault(&mut self, nodes: &[StateId], fault: Fault) -> Next {
        let join = self.last_join(nodes);
        if self.update == Update::Join {
            let place = self.describe(nodes, join, None);
            let place = format!("an evaluation fails in the abstraction ({fault}); {place}");
            return Next::Verdict(Verdict::Inconclusive(place));
        }
        self.refinement.rounds += 1;
        let key = join.map(|join| self.store.nodes[nodes[join].0 as usize].key);
        match key {
            Some(key) if self.refinement.forbidden.insert(key) => {
                Next::Again(self.store.take_back(key))
            }
            _ => self.give_up_joining(),
        }
    }

    fn give_up_joining(&mut self) -> Next {
        self.refinement.hopeless = true;
        self.forget()
    }

    /// Forgets what was seen, and keeps what was learnt.
    fn forget(&mut self) -> Next {
        self.store.clear();
        Next::Anew
    }

    /// The last configuration of a path that is a join.
    pub fn last_join(&self, nodes: &[StateId]) -> Option<usize> {
        let joined = |node: &StateId| self.store.nodes[node.0 as usize].joins > 0;
        nodes.iter().rposition(joined)
    }

    fn describe(
        &self,
        nodes: &[StateId],
        join: Option<usize>,
        failing: Option<&Vec<EdgeIndex>>,
    ) -> String {
        let step = match failing {
            Some(edges) => format!(
                "`{}` on the path to it is possible in the abstraction only",
                self.transition(edges)
            ),
            None => "it holds in the abstraction only".into(),
        };
        let Some(join) = join.filter(|join| self.store.nodes[nodes[*join].0 as usize].alive) else {
            return step;
        };
        let state = self.store.state(nodes[join]);
        let network = self.orders.network;
        format!(
            "{step}; to blame is a join at ({}), which gave {}",
            describe::locations(network, state.memory),
            describe::elements(&self.orders, state.memory)
        )
    }

    /// Whether what was learnt permits a join.
    pub fn permits(&mut self, member: StateId, state: State<'_>, joined: State<'_>) -> bool {
        let Configurations {
            refinement,
            tester,
            store,
            ..
        } = self;
        for test in &refinement.tests {
            // A test that goes wrong is no reason to join.
            let mut passes = |state| test.passes(tester, state).unwrap_or(true);
            if passes(joined) && !passes(store.state(member)) && !passes(state) {
                return false;
            }
        }
        true
    }
}

impl Test {
    fn passes(&self, explorer: &mut Explorer<'_>, state: State<'_>) -> Result<bool, Fault> {
        if let ([], Some(goal)) = (&self.transitions[..], self.goal) {
            return explorer.satisfies(goal, state, None);
        }
        let mut parts = vec![(state.memory.to_vec(), state.zone.to_vec())];
        for edges in &self.transitions {
            parts = follow(explorer, &parts, edges)?;
        }
        let Some(goal) = self.goal else {
            return Ok(!parts.is_empty());
        };
        for (memory, zone) in &parts {
            if explorer.satisfies(goal, State { memory, zone }, None)? {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

fn follow(
    explorer: &mut Explorer<'_>,
    parts: &[Part],
    edges: &[EdgeIndex],
) -> Result<Vec<Part>, Fault> {
    let mut next = Vec::new();
    for (memory, zone) in parts {
        let _ = explorer.follow(State { memory, zone }, edges, &mut |successor| {
            if next.len() >= MAX_PARTS {
                return ControlFlow::Break(());
            }
            next.push((
                successor.state.memory.to_vec(),
                successor.state.zone.to_vec(),
            ));
            ControlFlow::Continue(())
        })?;
    }
    Ok(next)
}
