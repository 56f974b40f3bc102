//! Shorter runs near a known one.
//!
//! The states of the run are expanded, then their successors, and so on: neighbours in layers, as many as the allowance
//! permits. Where a successor's zone includes the zone of a state that is known, what leads on from that state leads on from
//! the successor too, so that the graph gets an edge there; the shortest path in it is the run that comes out. This is plan
//! neighborhood graph search (Nakhost and Müller, ICAPS 2010) with inclusion of zones in place of equality. When no state is
//! left from which a shorter run could lead, there is none.

use std::ops::ControlFlow;

use merkhet_semantics::{EdgeIndex, Explorer, Fault, GoalId, State, Successor, System};
use merkhet_zones::bound::Bound;
use merkhet_zones::zone;

use crate::store::states::{Single, States};
use crate::trace::SymbolicTrace;

/// What looking near a run may use up.
pub struct Allowance<'a> {
    /// Successors, each of which costs the same.
    pub successors: u64,
    /// Bytes.
    pub bytes: usize,
    /// Asked now and then: whether to end at once.
    pub stop: &'a mut dyn FnMut() -> bool,
}

/// What was found near a run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Nearby {
    /// A shorter run, if there is one.
    pub shorter: Option<SymbolicTrace>,
    /// There is no shorter one than this, or than the known one.
    pub complete: bool,
    /// Successors computed.
    pub successors: u64,
}

/// Expansions between two looks at the allowance.
const STRIDE: usize = 64;
/// Parts into which the zones on the run may fall.
const MOST_PARTS: usize = 16;
/// Not reached.
const FAR: u32 = u32::MAX;

/// Looks for a run to the goal with fewer transitions than a known one.
pub fn nearby(
    system: &System,
    goal: GoalId,
    known: &[Vec<EdgeIndex>],
    allowance: &mut Allowance<'_>,
) -> Result<Nearby, Fault> {
    let mut search = Search::new(system, goal);
    let mut outcome = Nearby {
        shorter: None,
        complete: false,
        successors: 0,
    };
    if search.follow(known, allowance)? {
        outcome.complete = search.explore(allowance);
        let path = search.graph.path();
        if path.len() < known.len() {
            outcome.shorter = Some(SymbolicTrace {
                transitions: path,
                goal: Some(goal),
            });
        }
    }
    outcome.successors = search.graph.successors;
    Ok(outcome)
}

/// A search in layers, with its buffers.
struct Search<'s> {
    explorer: Explorer<'s>,
    graph: Graph<'s>,
    memory: Vec<i32>,
    zone: Vec<Bound>,
    /// No evaluation has failed, so that nothing was left out.
    whole: bool,
}

impl<'s> Search<'s> {
    fn new(system: &'s System, goal: GoalId) -> Search<'s> {
        let dimension = system.dimension();
        Search {
            explorer: Explorer::new(system),
            graph: Graph::new(system, goal),
            memory: vec![0; system.cells().len()],
            zone: vec![0; dimension * dimension],
            whole: true,
        }
    }

    /// Takes in the states of the run; says whether it leads to the goal.
    fn follow(
        &mut self,
        known: &[Vec<EdgeIndex>],
        allowance: &mut Allowance<'_>,
    ) -> Result<bool, Fault> {
        let mut here = self.step(None, None)?;
        for (index, edges) in known.iter().enumerate() {
            let mut next = Vec::new();
            for state in here {
                for successor in self.step(Some(state), Some(edges))? {
                    if next.len() < MOST_PARTS && !next.contains(&successor) {
                        next.push(successor);
                    }
                }
            }
            if next.is_empty() || index % STRIDE == 0 && self.is_over(allowance) {
                return Ok(false);
            }
            here = next;
        }
        Ok(!self.graph.goals.is_empty())
    }

    /// Takes in the initial states, or the successors of a state, by one transition or by all; those that stand for them.
    fn step(&mut self, from: Option<u32>, only: Option<&[EdgeIndex]>) -> Result<Vec<u32>, Fault> {
        let graph = &mut self.graph;
        let (mut found, mut failed) = (Vec::new(), None);
        if let Some(from) = from {
            (graph.states).load_into(from, &mut self.memory, &mut self.zone);
        }
        let mut sink = |successor: Successor<'_>| match graph.offer(from, &successor) {
            Ok(number) => {
                found.push(number);
                ControlFlow::Continue(())
            }
            Err(fault) => {
                failed = Some(fault);
                ControlFlow::Break(())
            }
        };
        let state = State {
            memory: &self.memory,
            zone: &self.zone,
        };
        let ended = match (from, only) {
            (None, _) => self.explorer.initial(&mut sink)?,
            (Some(_), Some(edges)) => self.explorer.follow(state, edges, &mut sink)?,
            (Some(_), None) => self.explorer.successors(state, &mut sink)?,
        };
        match (ended, failed) {
            (ControlFlow::Break(()), Some(fault)) => Err(fault),
            _ => Ok(found),
        }
    }

    fn is_over(&self, allowance: &mut Allowance<'_>) -> bool {
        self.graph.successors >= allowance.successors
            || self.graph.bytes() >= allowance.bytes
            || (allowance.stop)()
    }

    /// Expands states layer by layer; says whether no shorter run is left to be found.
    fn explore(&mut self, allowance: &mut Allowance<'_>) -> bool {
        loop {
            let shortest = self.graph.measure();
            let layer = self.graph.layer(shortest);
            if layer.is_empty() {
                return self.whole;
            }
            for (index, state) in layer.into_iter().enumerate() {
                if index % STRIDE == 0 && self.is_over(allowance) {
                    return false;
                }
                self.graph.expanded[state as usize] = true;
                self.whole &= self.step(Some(state), None).is_ok();
            }
        }
    }
}

/// A transition from a state to one whose zone includes that of the other.
#[derive(Clone, Copy)]
struct Link {
    from: u32,
    to: u32,
    action: u32,
}

/// The states that are known, with the transitions between them.
struct Graph<'s> {
    tester: Explorer<'s>,
    goal: GoalId,
    states: States,
    room: Single,
    links: Vec<Link>,
    actions: Actions,
    /// By state: the transitions from the start, at most.
    distance: Vec<u32>,
    expanded: Vec<bool>,
    initial: Vec<u32>,
    goals: Vec<u32>,
    successors: u64,
}

/// The edges of transitions, in flat arrays.
#[derive(Default)]
struct Actions {
    edges: Vec<EdgeIndex>,
    ends: Vec<usize>,
}

impl Actions {
    fn push(&mut self, edges: &[EdgeIndex]) -> u32 {
        self.edges.extend_from_slice(edges);
        self.ends.push(self.edges.len());
        self.ends.len() as u32 - 1
    }

    fn get(&self, action: u32) -> &[EdgeIndex] {
        let start = match action {
            0 => 0,
            action => self.ends[action as usize - 1],
        };
        &self.edges[start..self.ends[action as usize]]
    }
}

impl<'s> Graph<'s> {
    fn new(system: &'s System, goal: GoalId) -> Graph<'s> {
        let states = States::new(system);
        Graph {
            tester: Explorer::new(system),
            goal,
            room: states.room(),
            states,
            links: Vec::new(),
            actions: Actions::default(),
            distance: Vec::new(),
            expanded: Vec::new(),
            initial: Vec::new(),
            goals: Vec::new(),
            successors: 0,
        }
    }

    /// The bytes that it takes.
    fn bytes(&self) -> usize {
        self.states.bytes()
            + 12 * self.links.len()
            + 8 * self.actions.ends.len()
            + 4 * self.actions.edges.len()
            + 5 * self.distance.len()
    }

    /// Takes a state in; the one that stands for it.
    fn offer(&mut self, from: Option<u32>, successor: &Successor<'_>) -> Result<u32, Fault> {
        self.successors += 1;
        let State { memory, zone } = successor.state;
        self.states.pack_into(&mut self.room, memory, zone);
        let distance = from.map_or(0, |from| self.distance[from as usize].saturating_add(1));
        let mut action = None;
        let mut cover = None;
        for known in self.states.alike(&self.room) {
            let other = self.states.zone(known);
            let better = distance < self.distance[known as usize];
            if let (true, Some(from)) = (better && zone::includes(zone, other), from) {
                let edges = successor.edges;
                let action = *action.get_or_insert_with(|| self.actions.push(edges));
                self.links.push(Link {
                    from,
                    to: known,
                    action,
                });
                self.distance[known as usize] = distance;
            }
            if self.distance[known as usize] <= distance && zone::includes(other, zone) {
                cover = Some(known);
            }
        }
        if let Some(cover) = cover {
            return Ok(cover);
        }
        let number = self.states.add(&self.room);
        self.distance.push(distance);
        self.expanded.push(false);
        match from {
            Some(from) => {
                let action = action.unwrap_or_else(|| self.actions.push(successor.edges));
                let to = number;
                self.links.push(Link { from, to, action });
            }
            None => self.initial.push(number),
        }
        if self.tester.satisfies(self.goal, successor.state, None)? {
            self.goals.push(number);
        }
        Ok(number)
    }

    /// The states from which a run shorter than this may lead and which are not expanded yet, the nearest to the start first.
    fn layer(&self, shortest: u32) -> Vec<u32> {
        let distance = |state: &u32| self.distance[*state as usize].saturating_add(1);
        let mut layer: Vec<u32> = (0..self.distance.len() as u32)
            .filter(|state| !self.expanded[*state as usize] && distance(state) < shortest)
            .collect();
        layer.sort_by_key(distance);
        layer
    }

    /// Works out all distances; that of the nearest goal.
    fn measure(&mut self) -> u32 {
        let (tree, _) = self.tree();
        let nearest = self.goals.iter().map(|goal| tree[*goal as usize]).min();
        self.distance = tree;
        nearest.unwrap_or(FAR)
    }

    /// By state: its distance from the start, and the link by which it is reached so.
    fn tree(&self) -> (Vec<u32>, Vec<u32>) {
        let states = self.distance.len();
        let mut ends = vec![0u32; states + 1];
        for link in &self.links {
            ends[link.from as usize + 1] += 1;
        }
        for state in 0..states {
            ends[state + 1] += ends[state];
        }
        let mut place = ends.clone();
        let mut outgoing = vec![0u32; self.links.len()];
        for (number, link) in self.links.iter().enumerate() {
            let place = &mut place[link.from as usize];
            outgoing[*place as usize] = number as u32;
            *place += 1;
        }
        let (mut distance, mut by) = (vec![FAR; states], vec![FAR; states]);
        let mut waiting = std::collections::VecDeque::from(self.initial.clone());
        for state in &self.initial {
            distance[*state as usize] = 0;
        }
        while let Some(state) = waiting.pop_front() {
            let range = ends[state as usize] as usize..ends[state as usize + 1] as usize;
            for number in &outgoing[range] {
                let to = self.links[*number as usize].to as usize;
                if distance[to] == FAR {
                    distance[to] = distance[state as usize] + 1;
                    by[to] = *number;
                    waiting.push_back(to as u32);
                }
            }
        }
        (distance, by)
    }

    /// The transitions to the nearest goal.
    fn path(&self) -> Vec<Vec<EdgeIndex>> {
        let (distance, by) = self.tree();
        let nearest = self
            .goals
            .iter()
            .min_by_key(|goal| distance[**goal as usize]);
        let mut transitions = Vec::new();
        let mut at = nearest.copied().unwrap_or_default();
        while let Some(link) = self.links.get(by[at as usize] as usize) {
            transitions.push(self.actions.get(link.action).to_vec());
            at = link.from;
        }
        transitions.reverse();
        transitions
    }
}
