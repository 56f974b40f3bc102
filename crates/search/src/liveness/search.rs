//! The depth-first search for a maximal run, and the reachability search in front of it for `-->`.

use std::collections::VecDeque;
use std::ops::ControlFlow;

use merkhet_lattice::bound::Bound;
use merkhet_lattice::zone;
use merkhet_network::Ending;
use merkhet_semantics::{EdgeIndex, Explorer, Fault, GoalId, State, System};

use super::arrival::{self, Arrival};
use super::graph::{Colour, Graph, Known, Node};

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
    /// Valuations of the last state from which the ending is possible (not for a lasso).
    pub last: Option<Vec<Bound>>,
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

/// A part of a successor, abstracted.
struct Candidate {
    memory: Vec<i32>,
    zone: Vec<Bound>,
    edges: Vec<EdgeIndex>,
    ending: Option<(Ending, Vec<Bound>)>,
}

struct Frame {
    node: u32,
    candidates: Vec<Candidate>,
    next: usize,
}

/// A state of the search in front (`-->`).
struct Reached {
    memory: Vec<i32>,
    zone: Vec<Bound>,
    parent: Option<u32>,
    edges: Vec<EdgeIndex>,
}

struct Search<'s, 'c> {
    goal: Liveness,
    exact: Explorer<'s>,
    graph: Graph,
    explored: u64,
    transitions: u64,
    other_bytes: usize,
    /// Asked now and then with states explored and bytes used; true ends the search.
    stop: &'c mut dyn FnMut(u64, usize) -> bool,
}

impl Liveness {
    /// Runs the search. `stop` is asked before each expansion with the number of states explored and the bytes used.
    pub fn search(
        self,
        system: &System,
        stop: &mut dyn FnMut(u64, usize) -> bool,
    ) -> Result<Outcome, Fault> {
        let exact = Explorer::exact(system);
        let (graph, other_bytes) = (Graph::default(), 0);
        let mut search = Search {
            goal: self,
            exact,
            graph,
            explored: 0,
            transitions: 0,
            other_bytes,
            stop,
        };
        let (found, reached) = match self.trigger {
            None => (search.start_initially()?, 0),
            Some(trigger) => search.start_anywhere(system, trigger)?,
        };
        Ok(Outcome {
            found,
            explored: search.explored,
            stored: search.graph.nodes.len() as u64 + reached,
            transitions: search.transitions,
        })
    }
}

impl Search<'_, '_> {
    fn start_initially(&mut self) -> Result<Found, Fault> {
        let mut starts = Vec::new();
        let _ = self.exact.initial(&mut |successor| {
            let state = successor.state;
            starts.push((
                state.memory.to_vec(),
                state.zone.to_vec(),
                successor.entry.to_vec(),
            ));
            ControlFlow::Continue(())
        })?;
        for (memory, delayed, entry) in starts {
            let candidates = self.candidates(&memory, &delayed, &entry, &[])?;
            match self.descend(candidates, &[])? {
                Found::None => {}
                found => return Ok(found),
            }
        }
        Ok(Found::None)
    }

    /// Visits all reachable states, and starts the search for a run in those with the trigger.
    fn start_anywhere(&mut self, system: &System, trigger: GoalId) -> Result<(Found, u64), Fault> {
        let mut explorer = Explorer::new(system);
        let keys = system.key_cells();
        let mut reached: Vec<Reached> = Vec::new();
        let mut by_key: std::collections::HashMap<Vec<i32>, Vec<u32>> = Default::default();
        let mut queue: VecDeque<u32> = VecDeque::new();
        let mut bytes = 0usize;
        let mut meet = |reached: &mut Vec<Reached>,
                        queue: &mut VecDeque<u32>,
                        state: State<'_>,
                        parent,
                        edges: &[EdgeIndex]| {
            let numbers = by_key.entry(state.memory[..keys].to_vec()).or_default();
            if numbers
                .iter()
                .any(|number| zone::includes(&reached[*number as usize].zone, state.zone))
            {
                return 0;
            }
            numbers.push(reached.len() as u32);
            queue.push_back(reached.len() as u32);
            let (memory, zone) = (state.memory.to_vec(), state.zone.to_vec());
            let size =
                size_of::<Reached>() + 4 * (2 * memory.len() + zone.len() + edges.len()) + 64;
            reached.push(Reached {
                memory,
                zone,
                parent,
                edges: edges.to_vec(),
            });
            size
        };
        let _ = explorer.initial(&mut |successor| {
            bytes += meet(&mut reached, &mut queue, successor.state, None, &[]);
            ControlFlow::Continue(())
        })?;
        while let Some(number) = queue.pop_front() {
            self.other_bytes = bytes;
            if self.stopping() {
                return Ok((Found::Stopped, reached.len() as u64));
            }
            let (memory, zone) = {
                let node = &reached[number as usize];
                (node.memory.clone(), node.zone.clone())
            };
            let state = State {
                memory: &memory,
                zone: &zone,
            };
            let mut triggered = Vec::new();
            explorer.where_satisfied(trigger, state, &mut |part| triggered.push(part.to_vec()))?;
            for part in triggered {
                let candidates = self.candidates(&memory, &zone, &part, &[])?;
                let prefix = prefix(&reached, number);
                match self.descend(candidates, &prefix)? {
                    Found::None => {}
                    found => return Ok((found, reached.len() as u64)),
                }
            }
            self.explored += 1;
            let transitions = &mut self.transitions;
            let _ = explorer.successors(state, &mut |successor| {
                *transitions += 1;
                bytes += meet(
                    &mut reached,
                    &mut queue,
                    successor.state,
                    Some(number),
                    successor.edges,
                );
                ControlFlow::Continue(())
            })?;
        }
        Ok((Found::None, reached.len() as u64))
    }

    fn stopping(&mut self) -> bool {
        let bytes = self.graph.bytes() + self.other_bytes;
        (self.stop)(self.explored, bytes)
    }

    /// Cuts an arrival down to the formula, finds endings, abstracts.
    fn candidates(
        &mut self,
        memory: &[i32],
        delayed: &[Bound],
        entry: &[Bound],
        edges: &[EdgeIndex],
    ) -> Result<Vec<Candidate>, Fault> {
        let Arrival { parts, outside } =
            arrival::within(&mut self.exact, self.goal.keep, memory, delayed, entry)?;
        let mut candidates = Vec::new();
        let state = State {
            memory,
            zone: delayed,
        };
        for part in parts {
            let mut ending = None;
            let for_ever = self.exact.divergent(State {
                memory,
                zone: &part.zone,
            })?;
            if let Some(zone) = for_ever.zones().next() {
                ending = Some((Ending::Diverges, zone.to_vec()));
            } else {
                let mut dead = self.exact.deadlock(state, &part.zone)?;
                if !dead.is_empty() {
                    let mut leaving = outside.clone();
                    leaving.down();
                    dead.subtract(&leaving);
                }
                if let Some(zone) = dead.zones().next() {
                    ending = Some((Ending::Deadlock, zone.to_vec()));
                }
            }
            let mut first = true;
            self.exact.abstracted(memory, &part.zone, &mut |zone| {
                let ending = if first { ending.take() } else { None };
                first = false;
                let (memory, edges) = (memory.to_vec(), edges.to_vec());
                candidates.push(Candidate {
                    memory,
                    zone: zone.to_vec(),
                    edges,
                    ending,
                });
            })?;
        }
        Ok(candidates)
    }

    fn expand(&mut self, node: u32) -> Result<Vec<Candidate>, Fault> {
        self.explored += 1;
        let (memory, zone) = {
            let node = &self.graph.nodes[node as usize];
            (node.memory.clone(), node.zone.clone())
        };
        let mut successors = Vec::new();
        let state = State {
            memory: &memory,
            zone: &zone,
        };
        let _ = self.exact.successors(state, &mut |successor| {
            let state = successor.state;
            let edges = successor.edges.to_vec();
            successors.push((
                state.memory.to_vec(),
                state.zone.to_vec(),
                successor.entry.to_vec(),
                edges,
            ));
            ControlFlow::Continue(())
        })?;
        self.transitions += successors.len() as u64;
        let mut all = Vec::new();
        for (memory, delayed, entry, edges) in successors {
            all.extend(self.candidates(&memory, &delayed, &entry, &edges)?);
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
                if frame.next == frame.candidates.len() {
                    self.graph.nodes[frame.node as usize].colour = Colour::Closed;
                    stack.pop();
                    continue;
                }
                let (parent, at) = (frame.node, frame.next);
                frame.next += 1;
                let empty = Candidate {
                    memory: Vec::new(),
                    zone: Vec::new(),
                    edges: Vec::new(),
                    ending: None,
                };
                let candidate = std::mem::replace(&mut frame.candidates[at], empty);
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
            memory,
            zone,
            edges,
            ending,
        } = candidate;
        if let Some((ending, last)) = ending {
            let run = self.run(prefix, parent, &edges, ending, Some(last));
            return Ok(Some(run));
        }
        let key = memory[..self.exact.system().key_cells()].to_vec();
        match self.graph.look_up(&key, &zone) {
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
            Known::New => {
                if self.stopping() {
                    return Ok(Some(Found::Stopped));
                }
                let colour = Colour::Open;
                let node = self.graph.add(
                    &key,
                    Node {
                        memory,
                        zone,
                        parent,
                        edges,
                        colour,
                    },
                );
                let candidates = self.expand(node)?;
                stack.push(Frame {
                    node,
                    candidates,
                    next: 0,
                });
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
        last: Option<Vec<Bound>>,
    ) -> Found {
        let mut transitions = prefix.to_vec();
        if let Some(parent) = parent {
            let path = self.graph.path(parent);
            transitions.extend(
                path[1..]
                    .iter()
                    .map(|node| self.graph.nodes[*node as usize].edges.clone()),
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
        transitions.push(reached[at as usize].edges.clone());
        at = parent;
    }
    transitions.reverse();
    transitions
}
