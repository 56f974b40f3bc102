//! The depth-first search's view of the states: which wait, which are on the path, and which are done with.

use std::cell::RefCell;
use std::rc::Rc;

use merkhet_network::Ending;
use merkhet_semantics::{EdgeIndex, Successor, System};
use merkhet_zones::bound::Bound;
use merkhet_zones::{Federation, zone};

use crate::passed::{Passed, Turn};
use crate::store::states::{Single, States};
use crate::store::{Insertion, StateId};

/// How a run can end in the state that is handed on: the transitions put it here, the store takes it with the state.
#[derive(Clone, Default)]
pub(super) struct Ends(Rc<RefCell<Option<(Ending, Federation)>>>);

impl Ends {
    pub fn put(&self, end: Option<(Ending, Federation)>) {
        *self.0.borrow_mut() = end;
    }

    fn take(&self) -> Option<(Ending, Federation)> {
        self.0.borrow_mut().take()
    }
}

/// Where the depth-first search stands with a state that it has entered.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Colour {
    /// On the current path.
    Open,
    /// Left for good: no maximal run from here keeps the formula. Every step from here leads into states that were left
    /// before, so that the order in which states are left is a ranking.
    Closed,
}

/// How a state was reached.
struct Origin {
    parent: Option<StateId>,
    edges: Box<[EdgeIndex]>,
    depth: u32,
}

/// A state that waits, in which a run may end.
struct Candidate {
    state: Single,
    origin: Origin,
    ending: Option<(Ending, Federation)>,
}

impl Candidate {
    fn bytes(&self) -> usize {
        size_of::<Candidate>() + self.state.bytes() + 4 * self.origin.edges.len()
    }
}

/// What a number on the open list stands for. Only states that wait or are on the path need one: numbers are used again.
enum Slot {
    Free,
    Waits(Box<Candidate>),
    /// A state that was entered, with how it was reached.
    OnPath(u32, Origin),
}

/// All states by their discrete part. A state is compared with the others when its turn comes, not when it is found: what
/// lies on the path then decides.
pub(super) struct Graph {
    states: States,
    colours: Vec<(Colour, u32)>,
    /// The states that are left for good, in this order.
    closed: Vec<u32>,
    slots: Vec<Slot>,
    free: Vec<StateId>,
    ends: Ends,
    /// The states of a path, at most.
    deepest: usize,
    /// The state of the path that the run which was found comes back to.
    cycle: Option<u32>,
    bytes: usize,
    /// The states and the memory of the search in front of this one.
    pub front: (usize, usize),
}

impl Graph {
    pub fn new(system: &System, deepest: usize, ends: Ends) -> Graph {
        Graph {
            states: States::new(system),
            colours: Vec::new(),
            closed: Vec::new(),
            slots: Vec::new(),
            free: Vec::new(),
            ends,
            deepest,
            cycle: None,
            bytes: 0,
            front: (0, 0),
        }
    }

    /// How the run ends whose last state the search has found, and from which of its valuations. A loop begins at a depth.
    pub fn ending(&mut self, last: StateId) -> (Ending, Option<Federation>) {
        match &mut self.slots[last.0 as usize] {
            Slot::Waits(candidate) => match (candidate.ending.take(), self.cycle) {
                (Some((ending, valuations)), _) => (ending, Some(valuations)),
                (None, depth) => (Ending::Loop(depth.unwrap_or(0) as usize), None),
            },
            Slot::Free | Slot::OnPath(..) => unreachable!("a run ends in a state that waits"),
        }
    }

    /// The states that are left for good, in this order.
    pub fn for_each_closed(&self, see: &mut dyn FnMut(&[i32], &[Bound])) {
        for number in &self.closed {
            let (memory, zone) = self.states.load(*number);
            see(&memory, &zone);
        }
    }

    fn origin(&self, id: StateId) -> &Origin {
        match &self.slots[id.0 as usize] {
            Slot::Waits(candidate) => &candidate.origin,
            Slot::OnPath(_, origin) => origin,
            Slot::Free => unreachable!("a number that is used no more"),
        }
    }

    /// Makes a slot free, and returns what was there.
    fn release(&mut self, id: StateId) -> Slot {
        let slot = std::mem::replace(&mut self.slots[id.0 as usize], Slot::Free);
        if let Slot::Waits(candidate) = &slot {
            self.bytes -= candidate.bytes();
        }
        slot
    }
}

impl Passed for Graph {
    const RETURNS: bool = true;

    fn offer(
        &mut self,
        successor: &Successor<'_>,
        parent: Option<StateId>,
        depth: u32,
    ) -> Insertion {
        let candidate = Box::new(Candidate {
            state: (self.states).pack(successor.state.memory, successor.state.zone),
            origin: Origin {
                parent,
                edges: successor.edges.into(),
                depth,
            },
            ending: self.ends.take(),
        });
        self.bytes += candidate.bytes();
        let slot = Slot::Waits(candidate);
        let id = match self.free.pop() {
            Some(id) => {
                self.slots[id.0 as usize] = slot;
                id
            }
            None => {
                self.slots.push(slot);
                StateId(self.slots.len() as u32 - 1)
            }
        };
        Insertion::New(id)
    }

    /// An ending, a cycle, a known state, one to go on from, or one that is left for good.
    fn turn(&mut self, id: StateId) -> Turn {
        let candidate = match &self.slots[id.0 as usize] {
            Slot::Waits(candidate) => candidate,
            Slot::Free => return Turn::Skip,
            Slot::OnPath(number, _) => {
                self.colours[*number as usize].0 = Colour::Closed;
                self.closed.push(*number);
                self.release(id);
                self.free.push(id);
                return Turn::Skip;
            }
        };
        if candidate.ending.is_some() {
            return Turn::Goal;
        }
        let wanted = &candidate.state;
        let mut known = false;
        for number in self.states.alike(wanted) {
            let zone = self.states.zone(number);
            match self.colours[number as usize] {
                (Colour::Open, depth) if zone::equal(zone, &wanted.zone) => {
                    self.cycle = Some(depth);
                    return Turn::Goal;
                }
                (Colour::Closed, _) if zone::includes(zone, &wanted.zone) => {
                    known = true;
                    break;
                }
                _ => {}
            }
        }
        if known || candidate.origin.depth as usize >= self.deepest {
            self.release(id);
            self.free.push(id);
            return Turn::Skip;
        }
        Turn::Expand
    }

    fn load(&mut self, id: StateId, memory: &mut [i32], zone: &mut [Bound]) {
        match &self.slots[id.0 as usize] {
            Slot::Waits(candidate) => self.states.unpack(&candidate.state, memory, zone),
            Slot::OnPath(number, _) => self.states.load_into(*number, memory, zone),
            Slot::Free => unreachable!("a number that is used no more"),
        }
    }

    /// It is on the path from now on.
    fn expanded(&mut self, id: StateId) {
        if let Slot::Waits(candidate) = self.release(id) {
            let Candidate { state, origin, .. } = *candidate;
            self.colours.push((Colour::Open, origin.depth));
            let number = self.states.add(&state);
            self.slots[id.0 as usize] = Slot::OnPath(number, origin);
        }
    }

    fn depth(&self, id: StateId) -> u32 {
        self.origin(id).depth
    }

    fn parent(&self, id: StateId) -> Option<(StateId, Vec<EdgeIndex>)> {
        let origin = self.origin(id);
        (origin.parent).map(|parent| (parent, origin.edges.to_vec()))
    }

    fn inserted(&self) -> usize {
        self.colours.len() + self.front.0
    }

    fn live(&self) -> usize {
        self.inserted()
    }

    fn bytes(&self) -> usize {
        self.bytes
            + size_of_val(&*self.colours)
            + size_of_val(&*self.slots)
            + 4 * (self.closed.len() + self.free.len())
            + self.states.bytes()
            + self.front.1
    }
}
