//! The depth-first search for a maximal run, and the reachability search in front of it for `-->`.
//!
//! The search in front is the ordinary one, state by state. The depth-first order is its own: that a state is left for good
//! is an event between two expansions, when all that was found from it has been looked at; which successors are looked at
//! next depends on the path; and an ending found before a successor is stored ends everything. Open lists, which know
//! waiting states only, have no place for that. Limits and statistics are shared.

use std::ops::ControlFlow;

use merkhet_network::Ending;
use merkhet_semantics::{
    EdgeIndex, Explorer, Fault, FaultKind, GoalId, State, Stay, Successor, System,
};
use merkhet_zones::Federation;
use merkhet_zones::bound::Bound;

use super::arrival::{self, Arrival};
use super::graph::{Colour, Graph, Known, Node};
use crate::heuristic::Blind;
use crate::limits::{Progress, Watch};
use crate::passed::Passed;
use crate::search::{self, Budget};
use crate::store::states::Single;
use crate::store::{Plain, StateId};
use crate::trace::SymbolicTrace;
use crate::verdict::StopReason;

/// What to look for.
#[derive(Clone, Copy, Debug)]
pub struct Liveness {
    /// The formula that holds all along the run. The system's bounds must be symmetric ([`merkhet_analysis::Demand`]).
    pub keep: GoalId,
    /// The run may start in any reachable state with this formula (which implies `keep`); else in the initial state.
    pub trigger: Option<GoalId>,
}

/// A maximal run that was found.
#[derive(Clone, Debug)]
pub struct MaximalRun {
    /// The transitions from the initial state on; of a lasso the loop once.
    pub transitions: Vec<Vec<EdgeIndex>>,
    /// The number of transitions after which the formula holds.
    pub holds_from: usize,
    /// How it goes on.
    pub ending: Ending,
    /// Valuations of the last state from which the ending is possible (not for a lasso): all of them. Zones are enlarged
    /// on the way, so that some of the parts they fall into may hold no valuation that a run has.
    pub last: Option<Federation>,
}

/// What came of the search.
#[derive(Clone, Debug)]
pub enum Found {
    /// A run.
    Run(Box<MaximalRun>),
    /// There is none: everything was looked at.
    None,
    /// A limit was reached.
    Stopped(StopReason),
}

/// The result with its figures.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// What was found.
    pub found: Found,
    /// States whose successors were computed.
    pub explored: u64,
    /// States kept.
    pub stored: u64,
    /// Transitions computed.
    pub transitions: u64,
}

/// An evaluation failed: the model is wrong at a state that can be reached.
#[derive(Clone, Debug)]
pub struct Failure {
    /// What went wrong, and where in the model.
    pub fault: Fault,
    /// The figures until then.
    pub until_then: Outcome,
}

/// What was seen where there is no run: every state that a run could be in, with a ranking.
pub struct Proof {
    reached: Option<Plain>,
    graph: Graph,
}

impl Proof {
    /// Hands over the states that can be reached, where a run may start in any of them.
    pub fn for_each_reached(&mut self, system: &System, see: &mut dyn FnMut(State<'_>)) {
        let Some(reached) = &mut self.reached else {
            return;
        };
        let n = system.dimension();
        let (mut memory, mut zone) = (vec![0; system.cells().len()], vec![0; n * n]);
        for number in 0..reached.inserted() as u32 {
            reached.load(StateId(number), &mut memory, &mut zone);
            see(State {
                memory: &memory,
                zone: &zone,
            });
        }
    }

    /// Hands over the states with the formula: each step leads from one into earlier ones.
    pub fn for_each_ranked(&self, see: &mut dyn FnMut(State<'_>)) {
        for number in &self.graph.closed {
            let (memory, zone) = self.graph.states.load(*number);
            see(State {
                memory: &memory,
                zone: &zone,
            });
        }
    }
}

/// A part of a successor, abstracted.
struct Candidate {
    state: Single,
    edges: Box<[EdgeIndex]>,
    ending: Option<(Ending, Federation)>,
}

/// A successor as an exact explorer hands it on.
struct Step {
    memory: Vec<i32>,
    delayed: Vec<Bound>,
    entry: Vec<Bound>,
    edges: Vec<EdgeIndex>,
}

impl Step {
    /// Keeps a successor, unless it is only another part of the stay of the one before.
    fn keep(steps: &mut Vec<Step>, successor: &Successor<'_>) {
        let same = |before: &Step| {
            before.edges == successor.edges
                && before.entry == successor.entry
                && before.memory == successor.state.memory
        };
        if !steps.last().is_some_and(same) {
            steps.push(Step {
                memory: successor.state.memory.to_vec(),
                delayed: successor.state.zone.to_vec(),
                entry: successor.entry.to_vec(),
                edges: successor.edges.to_vec(),
            });
        }
    }
}

impl Candidate {
    fn bytes(&self) -> usize {
        size_of::<Candidate>() + self.state.bytes() + 4 * self.edges.len()
    }
}

struct Frame {
    node: u32,
    /// What is still to be looked at, the next one last.
    candidates: Vec<Candidate>,
}

struct Search<'s, 'c> {
    goal: Liveness,
    exact: Explorer<'s>,
    graph: Graph,
    explored: u64,
    transitions: u64,
    /// What the search in front has stored, and the memory that it takes.
    before: u64,
    other_bytes: usize,
    /// What lies on the stack.
    stack_bytes: usize,
    /// The most states on the path, from where the formula begins to hold.
    deepest: usize,
    /// All states that can be reached, where they were looked at.
    reached: Option<Plain>,
    watch: Watch<'c>,
    observe: &'c mut dyn FnMut(&Progress),
}

impl Liveness {
    /// Runs the search. `observe` is called now and then.
    pub fn search(
        self,
        system: &System,
        watch: Watch<'_>,
        observe: &mut dyn FnMut(&Progress),
    ) -> Result<Outcome, Failure> {
        self.search_within(system, usize::MAX, watch, observe)
    }

    /// A search no deeper than `deepest` states: only a run that is found means something.
    pub fn search_within(
        self,
        system: &System,
        deepest: usize,
        watch: Watch<'_>,
        observe: &mut dyn FnMut(&Progress),
    ) -> Result<Outcome, Failure> {
        let (found, _) = self.run(system, deepest, watch, observe);
        found
    }

    /// As [`Liveness::search`], with what was seen where there is no run.
    pub fn prove(
        self,
        system: &System,
        watch: Watch<'_>,
        observe: &mut dyn FnMut(&Progress),
    ) -> Result<(Outcome, Option<Proof>), Failure> {
        let (outcome, proof) = self.run(system, usize::MAX, watch, observe);
        let outcome = outcome?;
        let proof = matches!(outcome.found, Found::None).then_some(proof);
        Ok((outcome, proof))
    }

    fn run(
        self,
        system: &System,
        deepest: usize,
        watch: Watch<'_>,
        observe: &mut dyn FnMut(&Progress),
    ) -> (Result<Outcome, Failure>, Proof) {
        let mut search = Search {
            goal: self,
            exact: Explorer::exact(system).cancelled_by(watch.cancellation()),
            graph: Graph::new(system),
            explored: 0,
            transitions: 0,
            before: 0,
            other_bytes: 0,
            stack_bytes: 0,
            deepest,
            reached: None,
            watch,
            observe,
        };
        let found = match self.trigger {
            None => search.start_initially(),
            Some(trigger) => search.start_anywhere(system, trigger),
        };
        let outcome = |found| Outcome {
            found,
            explored: search.explored,
            stored: search.graph.nodes.len() as u64 + search.before,
            transitions: search.transitions,
        };
        let outcome = match found {
            Ok(found) => Ok(outcome(found)),
            Err(fault) if fault.kind == FaultKind::Ended => {
                Ok(outcome(Found::Stopped(search.watch.why_ended())))
            }
            Err(fault) => Err(Failure {
                fault,
                until_then: outcome(Found::None),
            }),
        };
        let proof = Proof {
            reached: search.reached,
            graph: search.graph,
        };
        (outcome, proof)
    }
}

impl Search<'_, '_> {
    fn start_initially(&mut self) -> Result<Found, Fault> {
        let mut starts = Vec::new();
        let _ = self.exact.initial(&mut |successor| {
            Step::keep(&mut starts, &successor);
            ControlFlow::Continue(())
        })?;
        for start in starts {
            let candidates = self.arrivals(&start)?;
            match self.descend(candidates, &[])? {
                Found::None => {}
                found => return Ok(found),
            }
        }
        Ok(Found::None)
    }

    /// Visits all reachable states, in the order in which they are met, and starts the search for a run in those with the
    /// trigger. Limits are looked at here, since they are those of both searches together.
    fn start_anywhere(&mut self, system: &System, trigger: GoalId) -> Result<Found, Fault> {
        let unlimited = Watch::new(self.watch.uncounted());
        let explorer = Explorer::new(system).cancelled_by(self.watch.cancellation());
        let (config, mut guide) = (search::Config::default(), Blind);
        let states = Plain::including(system);
        let mut front =
            search::Search::of(system, explorer, states, unlimited, &config, &mut guide);
        let mut tester = Explorer::new(system).cancelled_by(self.watch.cancellation());
        let mut status = front.advance(Budget::expansions(0), &mut |_| {});
        let n = system.dimension();
        let (mut memory, mut zone) = (vec![0; system.cells().len()], vec![0; n * n]);
        let mut next = StateId(0);
        loop {
            self.before = front.passed().inserted() as u64;
            self.other_bytes = front.passed().bytes();
            match (status, front.fault()) {
                (search::Status::Limit(reason), _) => return Ok(Found::Stopped(reason)),
                (_, Some((fault, _))) => return Err(*fault),
                _ if u64::from(next.0) == self.before => {
                    self.reached = Some(front.into_passed());
                    return Ok(Found::None);
                }
                _ => {}
            }
            if let Some(reason) = self.stopping() {
                return Ok(Found::Stopped(reason));
            }
            front.passed_mut().load(next, &mut memory, &mut zone);
            let state = State {
                memory: &memory,
                zone: &zone,
            };
            let mut triggered = Vec::new();
            tester.where_satisfied(trigger, state, &mut |part| triggered.push(part.to_vec()))?;
            for part in triggered {
                let stays = self.exact.stays(&memory, &part)?;
                let candidates = self.candidates(&memory, &stays, &[])?;
                let prefix = SymbolicTrace::to(front.passed(), next, None).transitions;
                match self.descend(candidates, &prefix)? {
                    Found::None => {}
                    found => return Ok(found),
                }
            }
            let before = front.statistics().generated;
            status = front.advance(Budget::STEP, &mut |_| {});
            self.explored += 1;
            self.transitions += front.statistics().generated - before;
            next.0 += 1;
        }
    }

    /// Looks at the limits before a state is expanded.
    fn stopping(&mut self) -> Option<StopReason> {
        let bytes = self.graph.bytes() + self.other_bytes + self.stack_bytes;
        if self.explored > 0 && self.explored.is_multiple_of(<Plain>::OBSERVE) {
            (self.observe)(&Progress {
                explored: self.explored,
                stored: self.graph.nodes.len() as u64 + self.before,
                memory: bytes as u64,
                elapsed: self.watch.elapsed(),
                ..Progress::default()
            });
        }
        self.watch.stop(self.explored, || bytes)
    }

    fn arrivals(&mut self, step: &Step) -> Result<Vec<Candidate>, Fault> {
        let stays = (self.exact).stays_of(&step.memory, &step.entry, &step.delayed)?;
        self.candidates(&step.memory, &stays, &step.edges)
    }

    fn candidates(
        &mut self,
        memory: &[i32],
        stays: &[Stay],
        edges: &[EdgeIndex],
    ) -> Result<Vec<Candidate>, Fault> {
        let mut candidates = Vec::new();
        for stay in stays {
            self.stay(memory, stay, edges, &mut candidates)?;
        }
        Ok(candidates)
    }

    /// Cuts a stay down to the formula, finds endings, abstracts.
    fn stay(
        &mut self,
        memory: &[i32],
        stay: &Stay,
        edges: &[EdgeIndex],
        candidates: &mut Vec<Candidate>,
    ) -> Result<(), Fault> {
        let Arrival { parts, outside } =
            arrival::within(&mut self.exact, self.goal.keep, memory, stay)?;
        for part in parts {
            let mut ending = None;
            let for_ever = self.exact.divergent(State {
                memory,
                zone: &part.zone,
            })?;
            if !for_ever.is_empty() {
                ending = Some((Ending::Diverges, for_ever));
            } else {
                let mut dead = self.dead(memory, stay, &part.zone)?;
                if !dead.is_empty() && stay.time_passes {
                    // The time that still passes is a part of the run.
                    let mut leaving = outside.clone();
                    leaving.down();
                    dead.subtract(&leaving);
                }
                if !dead.is_empty() {
                    ending = Some((Ending::Deadlock, dead));
                }
            }
            let mut first = true;
            let states = &self.graph.states;
            self.exact.abstracted(memory, &part.zone, &mut |zone| {
                let ending = if first { ending.take() } else { None };
                first = false;
                candidates.push(Candidate {
                    state: states.pack(memory, zone),
                    edges: edges.into(),
                    ending,
                });
            })?;
        }
        Ok(())
    }

    /// The valuations of a part of a stay from which nothing is possible any more.
    fn dead(&mut self, memory: &[i32], stay: &Stay, part: &[Bound]) -> Result<Federation, Fault> {
        // Several zones mean urgent guards, and then the deadlock does not depend on the state's zone.
        let zone = stay.zones.first().map_or(part, Vec::as_slice);
        self.exact.deadlock(State { memory, zone }, part)
    }

    fn expand(&mut self, node: u32) -> Result<Vec<Candidate>, Fault> {
        self.explored += 1;
        let (memory, zone) = self.graph.states.load(node);
        let mut successors = Vec::new();
        let state = State {
            memory: &memory,
            zone: &zone,
        };
        let _ = self.exact.successors(state, &mut |successor| {
            Step::keep(&mut successors, &successor);
            ControlFlow::Continue(())
        })?;
        self.transitions += successors.len() as u64;
        let mut all = Vec::new();
        for successor in &successors {
            all.extend(self.arrivals(successor)?);
        }
        Ok(all)
    }

    fn descend(
        &mut self,
        roots: Vec<Candidate>,
        prefix: &[Vec<EdgeIndex>],
    ) -> Result<Found, Fault> {
        let mut stack: Vec<Frame> = Vec::new();
        for root in roots {
            if let Some(found) = self.enter(root, None, prefix, &mut stack)? {
                return Ok(found);
            }
            while let Some(frame) = stack.last_mut() {
                let parent = frame.node;
                let Some(candidate) = frame.candidates.pop() else {
                    self.graph.close(parent);
                    stack.pop();
                    continue;
                };
                self.stack_bytes -= candidate.bytes();
                if let Some(found) = self.enter(candidate, Some(parent), prefix, &mut stack)? {
                    return Ok(found);
                }
            }
        }
        Ok(Found::None)
    }

    /// Looks at a state: an ending, a cycle, a known one, or one to go on from.
    fn enter(
        &mut self,
        candidate: Candidate,
        parent: Option<u32>,
        prefix: &[Vec<EdgeIndex>],
        stack: &mut Vec<Frame>,
    ) -> Result<Option<Found>, Fault> {
        let Candidate {
            state,
            edges,
            ending,
        } = candidate;
        if let Some((ending, last)) = ending {
            let run = self.run(prefix, parent, &edges, ending, Some(last));
            return Ok(Some(run));
        }
        match self.graph.look_up(&state) {
            Known::Covered => Ok(None),
            Known::OnPath(start) => {
                let at = self.graph.path(start).len() - 1 + prefix.len();
                Ok(Some(self.run(
                    prefix,
                    parent,
                    &edges,
                    Ending::Loop(at),
                    None,
                )))
            }
            Known::New if stack.len() >= self.deepest => Ok(None),
            Known::New => {
                if let Some(reason) = self.stopping() {
                    return Ok(Some(Found::Stopped(reason)));
                }
                let node = self.graph.add(
                    &state,
                    Node {
                        parent,
                        edges,
                        colour: Colour::Open,
                    },
                );
                let mut candidates = self.expand(node)?;
                candidates.reverse();
                self.stack_bytes += candidates.iter().map(Candidate::bytes).sum::<usize>();
                stack.push(Frame { node, candidates });
                Ok(None)
            }
        }
    }

    fn run(
        &self,
        prefix: &[Vec<EdgeIndex>],
        parent: Option<u32>,
        edges: &[EdgeIndex],
        ending: Ending,
        last: Option<Federation>,
    ) -> Found {
        let mut transitions = prefix.to_vec();
        if let Some(parent) = parent {
            let path = self.graph.path(parent);
            transitions.extend(
                path[1..]
                    .iter()
                    .map(|node| self.graph.nodes[*node as usize].edges.to_vec()),
            );
            transitions.push(edges.to_vec());
        }
        Found::Run(Box::new(MaximalRun {
            transitions,
            holds_from: prefix.len(),
            ending,
            last,
        }))
    }
}
