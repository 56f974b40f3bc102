//! Path feasibility, state split and what is learnt from infeasible paths (definitions 5 to 7, algorithm 5).
//!
//! A path is feasible if its transitions can be followed from the initial state with exact elements. Which path led to
//! a goal is found by going back: every configuration remembers how it grew. A version of it that can follow the rest of
//! the path is either the first one, which came whole from its parent; or the version before can follow too; or the part
//! can that was joined to it, and then the path goes on at the parent of this part. Else the join is to blame
//! ([`Configurations::derive`]): only its result can follow the rest, none of its two parts. Going back leads from later
//! to earlier versions, so that it ends: at such a join or at the initial state, with a path that exists.
//!
//! What is learnt are *tests*: the rest of the path, and its ends (or the goal alone, the general form of the paper's "do
//! not join two states if the resulting state has a full database"). From then on two elements are joined only if the join
//! passes no test that both parts fail. So joins that are harmless stay.
//!
//! A discrete state that leads astray again is not joined at all any more, and after many refinements nothing
//! is: refining does not pay, and the search ends as a cover search.

use std::ops::ControlFlow;

use merkhet_explore::{StateId, SymbolicTrace};
use merkhet_network::tuning::Tuning;
use merkhet_semantics::{EdgeIndex, Explorer, Fault, GoalId, State};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::describe;
use crate::run::{Configurations, Failure, Verdict};
use crate::tuning::{PARTS, ROUNDS, STEPS_BACK, TESTS, TESTS_OF_PATH};
use crate::update::Update;

/// Splits that are described.
const MAX_SPLITS: usize = 20;

/// Transitions that can be taken one after the other, and perhaps the goal at the end.
#[derive(Clone, PartialEq, Debug)]
struct Test {
    transitions: Vec<Vec<EdgeIndex>>,
    goal: Option<GoalId>,
}

/// A path that exists in the abstraction only, and the join that is to blame.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Split {
    /// The transitions, the last being the one that cannot be taken (or that leads to where the goal does not hold).
    pub path: Vec<String>,
    /// The number of transitions before the join.
    pub after: usize,
    /// The locations at which elements were joined.
    pub at: String,
    /// The element that the join gave.
    pub element: String,
}

/// The numbers that it goes by ([`crate::tuning`]).
#[derive(Clone, Copy)]
struct Numbers {
    tests: usize,
    rounds: usize,
    steps_back: usize,
    tests_of_path: usize,
    parts: usize,
}

/// What was learnt.
pub(crate) struct Refinement {
    numbers: Numbers,
    tests: Vec<Test>,
    pub splits: Vec<Split>,
    /// How often a discrete state was split on account of a test that was known.
    again: FxHashMap<u32, u32>,
    forbidden: FxHashSet<u32>,
    /// Nothing is joined any more.
    hopeless: bool,
    pub rounds: u32,
}

/// What was learnt, to be written down.
#[derive(Default)]
pub(crate) struct Learnt {
    pub tests: Vec<(Vec<Vec<EdgeIndex>>, Option<GoalId>)>,
    pub again: Vec<(u32, u32)>,
    pub forbidden: Vec<u32>,
    pub hopeless: bool,
    pub rounds: u32,
    pub splits: Vec<Split>,
}

impl Refinement {
    /// What was learnt.
    pub fn learnt(&self) -> Learnt {
        let tests = self.tests.iter();
        Learnt {
            tests: tests
                .map(|test| (test.transitions.clone(), test.goal))
                .collect(),
            again: self
                .again
                .iter()
                .map(|(key, times)| (*key, *times))
                .collect(),
            forbidden: self.forbidden.iter().copied().collect(),
            hopeless: self.hopeless,
            rounds: self.rounds,
            splits: self.splits.clone(),
        }
    }

    /// Takes up what was learnt before.
    pub fn restore(&mut self, learnt: Learnt) {
        let tests = learnt.tests.into_iter();
        self.tests = tests
            .map(|(transitions, goal)| Test { transitions, goal })
            .collect();
        self.again = learnt.again.into_iter().collect();
        self.forbidden = learnt.forbidden.into_iter().collect();
        self.hopeless = learnt.hopeless;
        self.rounds = learnt.rounds;
        self.splits = learnt.splits;
    }

    /// Nothing learnt yet.
    pub fn new(tuning: &Tuning) -> Refinement {
        Refinement {
            numbers: Numbers {
                tests: tuning.count(&TESTS),
                rounds: tuning.count(&ROUNDS),
                steps_back: tuning.count(&STEPS_BACK),
                tests_of_path: tuning.count(&TESTS_OF_PATH),
                parts: tuning.count(&PARTS),
            },
            tests: Vec::new(),
            splits: Vec::new(),
            again: FxHashMap::default(),
            forbidden: FxHashSet::default(),
            hopeless: false,
            rounds: 0,
        }
    }

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
    Fails,
}

/// What a configuration in which the goal holds was made of.
pub(crate) enum Derived {
    /// A path with exact elements.
    Path(Vec<Vec<EdgeIndex>>),
    /// A version of a configuration by a join of which only the result can follow these transitions to the goal.
    Join(StateId, u32, Vec<Vec<EdgeIndex>>),
    /// Something is not remembered any more, or the path is too long.
    Unknown,
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
            parts = follow(&mut explorer, &parts, edges, self.refinement.numbers.parts)
                .map_err(|fault| failed(fault, at))?;
            if parts.is_empty() {
                return Ok(Replay::Fails);
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
        Ok(Replay::Fails)
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
            match follow(&mut explorer, &parts, edges, self.refinement.numbers.parts) {
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

    /// What a configuration in which the goal holds was made of.
    pub fn derive(&mut self, found: StateId) -> Derived {
        let mut explorer = Explorer::new(self.system);
        let (mut node, mut version) = (found, self.store.version(found));
        let mut rest = Test {
            transitions: Vec::new(),
            goal: self.goal,
        };
        for _ in 0..self.refinement.numbers.steps_back {
            self.work += 1 + rest.transitions.len() as u64;
            let Some(last) = version.checked_sub(1) else {
                // The first version came whole.
                let entry = &self.store.nodes[node.0 as usize];
                let Some(parent) = entry.first.parent else {
                    return Derived::Path(rest.transitions);
                };
                (rest.transitions).insert(0, self.store.edges(&entry.first).to_vec());
                (node, version) = (parent, entry.from);
                continue;
            };
            let mut passes = |(memory, zone): &Part| {
                let state = State { memory, zone };
                rest.passes(&mut explorer, state, self.refinement.numbers.parts)
                    .unwrap_or(true)
            };
            match self.store.element(node, last) {
                Some(before) if passes(&before) => {
                    version = last;
                    continue;
                }
                Some(_) => {}
                None => return Derived::Unknown,
            }
            let growth = &self.store.history(node)[last as usize];
            let edges = self.store.edges(&growth.arrival).to_vec();
            let Some(parent) = growth.arrival.parent else {
                return Derived::Join(node, version, rest.transitions);
            };
            let from = growth.from;
            let Some(start) = self.store.element(parent, from) else {
                return Derived::Unknown;
            };
            let Ok(parts) = follow(
                &mut Explorer::new(self.system),
                &[start],
                &edges,
                self.refinement.numbers.parts,
            ) else {
                return Derived::Unknown;
            };
            if !parts.iter().any(&mut passes) {
                return Derived::Join(node, version, rest.transitions);
            }
            rest.transitions.insert(0, edges);
            (node, version) = (parent, from);
        }
        Derived::Unknown
    }

    /// The goal holds in the abstraction only: says so, or learns from it.
    pub fn blame(&mut self, found: StateId, derived: Derived) -> Next {
        let (node, version, rest) = match derived {
            Derived::Join(node, version, rest) => (Some(node), version, rest),
            // It is not known how it came about: the last join on the way has to do.
            _ => {
                let (transitions, nodes) = self.store.path(found);
                let join = self.last_join(&nodes);
                let rest = join.map_or(Vec::new(), |join| transitions[join..].to_vec());
                let node = join.map(|join| nodes[join]);
                (node, node.map_or(0, |node| self.store.version(node)), rest)
            }
        };
        if let Some(node) = node {
            self.note_split(node, version, &rest);
        }
        if self.update == Update::Join {
            let place = self.describe(node, version, rest.last());
            return Next::Verdict(Verdict::Inconclusive(place));
        }
        self.refinement.rounds += 1;
        self.work += self.store.nodes.len() as u64;
        let Some(node) =
            node.filter(|_| self.refinement.rounds as usize <= self.refinement.numbers.rounds)
        else {
            return self.give_up_joining();
        };
        let mut new = false;
        let ends = rest.len() + 1 - self.refinement.numbers.tests_of_path.min(rest.len() + 1);
        for from in (ends..=rest.len()).chain([0]) {
            new |= self.learn(Test {
                transitions: rest[from..].to_vec(),
                goal: self.goal,
            });
        }
        if new {
            // Elements are like that at other places, too.
            return self.forget();
        }
        // The join is older than the test, or needs more of the past than a test sees; but it is not made a third time.
        let key = self.store.nodes[node.0 as usize].key;
        let again = self.refinement.again.entry(key).or_default();
        *again += 1;
        if *again > 1 && !self.refinement.forbidden.insert(key) {
            return self.give_up_joining();
        }
        self.take_back(key)
    }

    fn note_split(&mut self, node: StateId, version: u32, rest: &[Vec<EdgeIndex>]) {
        if self.refinement.splits.len() >= MAX_SPLITS {
            return;
        }
        let Some((memory, _)) = self.store.element(node, version) else {
            return;
        };
        let changed = self.store.changed(node, version);
        let (before, _) = self.store.path(node);
        let words = before
            .iter()
            .chain(rest)
            .map(|edges| self.transition(edges));
        let split = Split {
            path: words.collect(),
            after: before.len(),
            at: describe::locations(self.orders.network, &memory),
            element: describe::elements(&self.orders, &memory, &changed),
        };
        self.refinement.splits.push(split);
    }

    /// Adds a test; says whether it is new.
    fn learn(&mut self, test: Test) -> bool {
        let most = self.refinement.numbers.tests;
        let tests = &mut self.refinement.tests;
        let new = tests.len() < most && !tests.contains(&test);
        if new {
            tests.push(test);
        }
        new
    }

    /// An evaluation fails in the abstraction only: says so, or takes back the last join on the way.
    pub fn blame_fault(&mut self, nodes: &[StateId], fault: Fault) -> Next {
        let join = self.last_join(nodes);
        if self.update == Update::Join {
            let join = join.map(|join| nodes[join]);
            let version = join.map_or(0, |join| self.store.version(join));
            let place = self.describe(join, version, None);
            let place = format!("an evaluation fails in the abstraction ({fault}); {place}");
            return Next::Verdict(Verdict::Inconclusive(place));
        }
        self.refinement.rounds += 1;
        let key = join.map(|join| self.store.nodes[nodes[join].0 as usize].key);
        match key {
            Some(key) if self.refinement.forbidden.insert(key) => self.take_back(key),
            _ => self.give_up_joining(),
        }
    }

    /// Takes a discrete state back, with all that was derived from it.
    fn take_back(&mut self, key: u32) -> Next {
        if std::mem::take(&mut self.unrecorded) {
            // Of some configurations it is not known what they were derived from.
            self.records = true;
            return self.forget();
        }
        Next::Again(self.store.take_back(key, &self.orders))
    }

    fn give_up_joining(&mut self) -> Next {
        self.refinement.hopeless = true;
        self.forget()
    }

    /// Forgets what was seen, and keeps what was learnt.
    fn forget(&mut self) -> Next {
        self.store.clear();
        self.unrecorded = false;
        Next::Anew
    }

    /// The last configuration of a path that is a join.
    pub fn last_join(&self, nodes: &[StateId]) -> Option<usize> {
        let joined = |node: &StateId| self.store.nodes[node.0 as usize].joins > 0;
        nodes.iter().rposition(joined)
    }

    fn describe(
        &self,
        join: Option<StateId>,
        version: u32,
        failing: Option<&Vec<EdgeIndex>>,
    ) -> String {
        let step = match failing {
            Some(edges) => format!(
                "`{}` on the path to it is possible in the abstraction only",
                self.transition(edges)
            ),
            None => "it holds in the abstraction only".into(),
        };
        let known = join.and_then(|join| Some((join, self.store.element(join, version)?.0)));
        let Some((join, memory)) = known else {
            return step;
        };
        let changed = self.store.changed(join, version);
        format!(
            "{step}; to blame is a join at ({}), which gave {}",
            describe::locations(self.orders.network, &memory),
            describe::elements(&self.orders, &memory, &changed)
        )
    }

    /// Whether what was learnt permits a join.
    pub fn permits(&mut self, member: StateId, state: State<'_>, joined: State<'_>) -> bool {
        let Configurations {
            refinement,
            tester,
            store,
            work,
            ..
        } = self;
        for test in &refinement.tests {
            *work += 1 + test.transitions.len() as u64;
            // A test that goes wrong is no reason to join.
            let mut passes = |state| {
                test.passes(tester, state, refinement.numbers.parts)
                    .unwrap_or(true)
            };
            if passes(joined) && !passes(store.state(member)) && !passes(state) {
                return false;
            }
        }
        true
    }
}

impl Test {
    fn passes(
        &self,
        explorer: &mut Explorer<'_>,
        state: State<'_>,
        most: usize,
    ) -> Result<bool, Fault> {
        if let ([], Some(goal)) = (&self.transitions[..], self.goal) {
            return explorer.satisfies(goal, state, None);
        }
        let mut parts = vec![(state.memory.to_vec(), state.zone.to_vec())];
        for edges in &self.transitions {
            parts = follow(explorer, &parts, edges, most)?;
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
    most: usize,
) -> Result<Vec<Part>, Fault> {
    let mut next = Vec::new();
    for (memory, zone) in parts {
        let _ = explorer.follow(State { memory, zone }, edges, &mut |successor| {
            if next.len() >= most {
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
