//! The depth-first search for a maximal run, and the reachability search in front of it for `-->`.

use std::ops::ControlFlow;

use merkhet_network::Ending;
use merkhet_semantics::{
    EdgeIndex, Explorer, Fault, FaultKind, GoalId, Patience, State, Stay, Successor, System,
};
use merkhet_zones::bound::Bound;
use merkhet_zones::{Federation, zone};

use super::arrival::{self, Arrival};
use super::graph::{Colour, Graph, Known, Node};
use super::states::{Packed, States};

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
    /// The formula holds from the state after so many transitions on.
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
    /// The caller stopped it.
    Stopped,
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

/// A part of a successor, abstracted.
struct Candidate {
    state: Packed,
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

/// How a state of the search in front (`-->`) was reached.
struct Reached {
    parent: Option<u32>,
    edges: Box<[EdgeIndex]>,
}

/// The search in front: all reachable states.
struct Front {
    states: States,
    reached: Vec<Reached>,
    edge_bytes: usize,
}

impl Front {
    fn new(system: &System) -> Front {
        Front {
            states: States::new(system),
            reached: Vec::new(),
            edge_bytes: 0,
        }
    }

    /// Keeps a state unless it lies in one that is known.
    fn meet(&mut self, state: State<'_>, parent: Option<u32>, edges: &[EdgeIndex]) {
        let packed = self.states.pack(state.memory, state.zone);
        let covers = |number| zone::includes(self.states.zone(number), &packed.zone);
        if self.states.alike(&packed).any(covers) {
            return;
        }
        self.states.add(&packed);
        self.edge_bytes += 4 * edges.len() + 16;
        self.reached.push(Reached {
            parent,
            edges: edges.into(),
        });
    }

    fn bytes(&self) -> usize {
        self.states.bytes() + self.reached.len() * size_of::<Reached>() + self.edge_bytes
    }
}

struct Search<'s, 'c> {
    goal: Liveness,
    exact: Explorer<'s>,
    graph: Graph,
    explored: u64,
    transitions: u64,
    /// What the search in front takes, and what lies on the stack.
    other_bytes: usize,
    stack_bytes: usize,
    /// The most states on the path, from where the formula begins to hold.
    deepest: usize,
    /// Asked now and then with states explored and bytes used; true ends the search.
    stop: &'c mut dyn FnMut(u64, usize) -> bool,
}

impl Liveness {
    /// Runs the search. `stop` is asked before each expansion with the number of states explored and the bytes used;
    /// `patience` counts within an expansion.
    pub fn search(
        self,
        system: &System,
        patience: Patience<'_>,
        stop: &mut dyn FnMut(u64, usize) -> bool,
    ) -> Result<Outcome, Failure> {
        self.search_within(system, usize::MAX, patience, stop)
    }

    /// The same, no deeper than `deepest` states: then only a run that is found means something.
    pub fn search_within(
        self,
        system: &System,
        deepest: usize,
        patience: Patience<'_>,
        stop: &mut dyn FnMut(u64, usize) -> bool,
    ) -> Result<Outcome, Failure> {
        let exact = Explorer::exact(system).patient(patience);
        let mut search = Search {
            goal: self,
            exact,
            graph: Graph::new(system),
            explored: 0,
            transitions: 0,
            other_bytes: 0,
            stack_bytes: 0,
            deepest,
            stop,
        };
        let mut front = Front::new(system);
        let found = match self.trigger {
            None => search.start_initially(),
            Some(trigger) => {
                let explorer = Explorer::new(system).patient(patience);
                search.start_anywhere(explorer, &mut front, trigger)
            }
        };
        let outcome = |found| Outcome {
            found,
            explored: search.explored,
            stored: (search.graph.nodes.len() + front.reached.len()) as u64,
            transitions: search.transitions,
        };
        match found {
            Ok(found) => Ok(outcome(found)),
            Err(fault) if fault.kind == FaultKind::Ended => Ok(outcome(Found::Stopped)),
            Err(fault) => Err(Failure {
                fault,
                until_then: outcome(Found::Stopped),
            }),
        }
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

    /// Visits all reachable states, and starts the search for a run in those with the trigger.
    fn start_anywhere(
        &mut self,
        mut explorer: Explorer<'_>,
        front: &mut Front,
        trigger: GoalId,
    ) -> Result<Found, Fault> {
        let _ = explorer.initial(&mut |successor| {
            front.meet(successor.state, None, &[]);
            ControlFlow::Continue(())
        })?;
        // The states are visited in the order in which they were met.
        let mut number = 0;
        while (number as usize) < front.reached.len() {
            self.other_bytes = front.bytes();
            if self.stopping() {
                return Ok(Found::Stopped);
            }
            let (memory, zone) = front.states.load(number);
            let state = State {
                memory: &memory,
                zone: &zone,
            };
            let mut triggered = Vec::new();
            explorer.where_satisfied(trigger, state, &mut |part| triggered.push(part.to_vec()))?;
            for part in triggered {
                let stays = self.exact.stays(&memory, &part)?;
                let candidates = self.candidates(&memory, &stays, &[])?;
                let prefix = prefix(&front.reached, number);
                match self.descend(candidates, &prefix)? {
                    Found::None => {}
                    found => return Ok(found),
                }
            }
            self.explored += 1;
            let transitions = &mut self.transitions;
            let _ = explorer.successors(state, &mut |successor| {
                *transitions += 1;
                front.meet(successor.state, Some(number), successor.edges);
                ControlFlow::Continue(())
            })?;
            number += 1;
        }
        Ok(Found::None)
    }

    fn stopping(&mut self) -> bool {
        let bytes = self.graph.bytes() + self.other_bytes + self.stack_bytes;
        (self.stop)(self.explored, bytes)
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
                    self.graph.nodes[parent as usize].colour = Colour::Closed;
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
                if self.stopping() {
                    return Ok(Some(Found::Stopped));
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

/// The transitions from the initial state to a reached one.
fn prefix(reached: &[Reached], number: u32) -> Vec<Vec<EdgeIndex>> {
    let mut transitions = Vec::new();
    let mut at = number;
    while let Some(parent) = reached[at as usize].parent {
        transitions.push(reached[at as usize].edges.to_vec());
        at = parent;
    }
    transitions.reverse();
    transitions
}
