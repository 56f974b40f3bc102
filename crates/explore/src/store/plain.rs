//! Symbolic states that are kept as they are, numbered as they are found: for searches that need each of them rather than
//! antichains.

use merkhet_semantics::{EdgeIndex, Successor, System};
use merkhet_zones::bound::Bound;
use merkhet_zones::zone;

use super::actions::Actions;
use super::states::{Single, States};
use super::{Insertion, NONE, StateId};
use crate::passed::Passed;

/// A state, or a path to one.
struct Node {
    /// Its state, which several paths may share.
    state: u32,
    parent: u32,
    depth: u32,
    action: [u32; 2],
}

/// Whoever wants to know the steps between states, those to known states included.
pub trait Steps {
    /// A step leads to a state; nothing: there is no room for that state. False ends the search.
    fn step(
        &mut self,
        from: Option<StateId>,
        successor: &Successor<'_>,
        to: Option<StateId>,
    ) -> bool;

    /// The memory in use, in bytes.
    fn bytes(&self) -> usize;
}

/// Wants to know nothing.
impl Steps for () {
    fn step(&mut self, _: Option<StateId>, _: &Successor<'_>, to: Option<StateId>) -> bool {
        to.is_some()
    }

    fn bytes(&self) -> usize {
        0
    }
}

/// Symbolic states as they are. Without more words, a state is superfluous if an equal one is there.
pub struct Plain<S = ()> {
    /// Who is told of steps.
    pub steps: S,
    states: States,
    nodes: Vec<Node>,
    /// By state, how many paths to it there are.
    paths: Vec<u32>,
    actions: Actions,
    /// The state that was offered last.
    offered: Single,
    including: bool,
    times: u32,
    most: usize,
}

impl Plain {
    /// Nothing seen yet.
    pub fn new(system: &System) -> Plain {
        Plain::telling(system, ())
    }

    /// A store in which a state is superfluous if one is there that includes it.
    pub fn including(system: &System) -> Plain {
        Plain {
            states: States::new(system),
            including: true,
            ..Plain::new(system)
        }
    }

    /// Keeps paths rather than states: a number of them to each state.
    pub fn paths(self, times: u32) -> Plain {
        Plain { times, ..self }
    }
}

impl<S: Steps> Plain<S> {
    /// Nothing seen yet; somebody is told of each step.
    pub fn telling(system: &System, steps: S) -> Plain<S> {
        let states = States::by_zone(system);
        Plain {
            steps,
            offered: states.room(),
            states,
            nodes: Vec::new(),
            paths: Vec::new(),
            actions: Actions::default(),
            including: false,
            times: 1,
            most: NONE as usize,
        }
    }

    /// There is no room for more states (or paths).
    pub fn at_most(self, most: usize) -> Plain<S> {
        let most = most.min(NONE as usize);
        Plain { most, ..self }
    }

    fn alike(&self) -> Option<u32> {
        let offered = &self.offered;
        let same = |number: &u32| match self.including {
            true => zone::includes(self.states.zone(*number), &offered.zone),
            false => true,
        };
        self.states.alike(offered).find(same)
    }
}

impl<S: Steps> Passed for Plain<S> {
    fn offer(
        &mut self,
        successor: &Successor<'_>,
        parent: Option<StateId>,
        depth: u32,
    ) -> Insertion {
        let state = successor.state;
        (self.states).pack_into(&mut self.offered, state.memory, state.zone);
        let alike = self.alike();
        if let Some(state) = alike
            && self.paths[state as usize] >= self.times
        {
            return match self.steps.step(parent, successor, Some(StateId(state))) {
                true => Insertion::Covered,
                false => Insertion::Refused,
            };
        }
        if self.nodes.len() >= self.most {
            return match self.steps.step(parent, successor, None) {
                true => Insertion::Covered,
                false => Insertion::Refused,
            };
        }
        let id = StateId(self.nodes.len() as u32);
        if !self.steps.step(parent, successor, Some(id)) {
            return Insertion::Refused;
        }
        let state = alike.unwrap_or_else(|| {
            self.paths.push(0);
            self.states.add(&self.offered)
        });
        self.paths[state as usize] += 1;
        self.nodes.push(Node {
            state,
            parent: parent.map_or(NONE, |id| id.0),
            depth,
            action: self.actions.encode(successor.edges),
        });
        Insertion::New(id)
    }

    fn load(&mut self, id: StateId, memory: &mut [i32], zone: &mut [Bound]) {
        let state = self.nodes[id.0 as usize].state;
        self.states.load_into(state, memory, zone);
    }

    fn depth(&self, id: StateId) -> u32 {
        self.nodes[id.0 as usize].depth
    }

    fn parent(&self, id: StateId) -> Option<(StateId, Vec<EdgeIndex>)> {
        let node = &self.nodes[id.0 as usize];
        (node.parent != NONE).then(|| (StateId(node.parent), self.actions.decode(node.action)))
    }

    fn inserted(&self) -> usize {
        self.nodes.len()
    }

    fn live(&self) -> usize {
        self.nodes.len()
    }

    fn bytes(&self) -> usize {
        self.states.bytes()
            + size_of_val(&*self.paths)
            + size_of_val(&*self.nodes)
            + self.actions.bytes()
            + self.steps.bytes()
    }
}
