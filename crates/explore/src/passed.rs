//! What a search needs of the states that it has seen, and of the transitions that it follows.
//!
//! The loop is compiled once for each sort of store: for zones ([`Store`]), the fast case, nothing is called that is not
//! known then.

use std::ops::ControlFlow;

use merkhet_semantics::{EdgeIndex, Explorer, Fault, State, Successor};
use merkhet_zones::bound::Bound;

use crate::store::{Insertion, Size, StateId, Store};

/// What is to be done with a state that comes up on the open list.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Turn {
    /// It is to be expanded.
    Expand,
    /// It has become superfluous, or it is left for good.
    Skip,
    /// It ends the search.
    Goal,
}

/// The states that a search has seen, waiting ones included.
pub trait Passed {
    /// Expansions between two reports to the observer of a search.
    const OBSERVE: u64 = 4096;

    /// Depth first, a state that was expanded comes up again when all that was found from it has been taken: its
    /// second [`Passed::turn`] is when it is left for good.
    const RETURNS: bool = false;

    /// Takes a state in, unless what is there makes it superfluous.
    fn offer(
        &mut self,
        successor: &Successor<'_>,
        parent: Option<StateId>,
        depth: u32,
    ) -> Insertion;

    /// Whether a state on the open list is still to be expanded.
    fn waits(&self, _id: StateId) -> bool {
        true
    }

    /// A state comes up on the open list.
    #[inline]
    fn turn(&mut self, id: StateId) -> Turn {
        match self.waits(id) {
            true => Turn::Expand,
            false => Turn::Skip,
        }
    }

    /// Copies a state that waits, or has just been offered, into the caller's buffers.
    fn load(&mut self, id: StateId, memory: &mut [i32], zone: &mut [Bound]);

    /// A state has been loaded to be expanded.
    fn expanded(&mut self, _id: StateId) {}

    /// A new state is a dead end: it is not put on the open list.
    fn pruned(&mut self, _id: StateId) {}

    /// The length of the path by which a state was found.
    fn depth(&self, id: StateId) -> u32;

    /// The state from which a state was found, and the edges taken.
    fn parent(&self, id: StateId) -> Option<(StateId, Vec<EdgeIndex>)>;

    /// The number of states ever stored.
    fn inserted(&self) -> usize;

    /// The number of states that no later one made superfluous.
    fn live(&self) -> usize;

    /// The number of different discrete parts; 0 where that is not known.
    fn discrete(&self) -> usize {
        0
    }

    /// The memory in use, in bytes.
    fn bytes(&self) -> usize;

    /// How large the zone of the state is that was offered last: for orders that ask for it.
    fn size(&self) -> Size {
        Size::default()
    }

    /// The antichains of zones, if this is what they are: with them, transitions of crowded discrete parts are worked out once.
    #[inline]
    fn zones(&mut self) -> Option<&mut Store> {
        None
    }
}

impl Passed for Store {
    #[inline]
    fn offer(
        &mut self,
        successor: &Successor<'_>,
        parent: Option<StateId>,
        depth: u32,
    ) -> Insertion {
        self.insert(successor, parent, depth)
    }

    #[inline]
    fn waits(&self, id: StateId) -> bool {
        !self.is_removed(id)
    }

    #[inline]
    fn load(&mut self, id: StateId, memory: &mut [i32], zone: &mut [Bound]) {
        self.load_near(id, memory, zone);
    }

    #[inline]
    fn expanded(&mut self, id: StateId) {
        self.expanded(id);
    }

    #[inline]
    fn depth(&self, id: StateId) -> u32 {
        self.depth(id)
    }

    fn parent(&self, id: StateId) -> Option<(StateId, Vec<EdgeIndex>)> {
        self.parent(id)
    }

    #[inline]
    fn inserted(&self) -> usize {
        self.len()
    }

    #[inline]
    fn live(&self) -> usize {
        self.live()
    }

    fn discrete(&self) -> usize {
        self.discrete()
    }

    fn bytes(&self) -> usize {
        self.bytes()
    }

    #[inline]
    fn size(&self) -> Size {
        self.size()
    }

    #[inline]
    fn zones(&mut self) -> Option<&mut Store> {
        Some(self)
    }
}

/// Where successors come from: an explorer, or something that does more with what one finds.
pub trait Transitions<'s> {
    /// Hands on the initial states; says whether the sink ended it.
    fn initial(
        &mut self,
        sink: &mut impl FnMut(Successor<'_>) -> ControlFlow<()>,
    ) -> Result<ControlFlow<()>, Fault>;

    /// Hands on the successors of a state; says whether the sink ended it.
    fn successors(
        &mut self,
        state: State<'_>,
        sink: &mut impl FnMut(Successor<'_>) -> ControlFlow<()>,
    ) -> Result<ControlFlow<()>, Fault>;

    /// The explorer, if it is nothing else.
    #[inline]
    fn explorer(&mut self) -> Option<&mut Explorer<'s>> {
        None
    }
}

impl<'s> Transitions<'s> for Explorer<'s> {
    fn initial(
        &mut self,
        sink: &mut impl FnMut(Successor<'_>) -> ControlFlow<()>,
    ) -> Result<ControlFlow<()>, Fault> {
        self.initial(sink)
    }

    #[inline]
    fn successors(
        &mut self,
        state: State<'_>,
        sink: &mut impl FnMut(Successor<'_>) -> ControlFlow<()>,
    ) -> Result<ControlFlow<()>, Fault> {
        self.successors(state, sink)
    }

    #[inline]
    fn explorer(&mut self) -> Option<&mut Explorer<'s>> {
        Some(self)
    }
}
