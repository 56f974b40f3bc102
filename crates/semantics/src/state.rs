//! States and successors as the caller sees them.

use merkhet_lattice::bound::Bound;

/// An edge, numbered through the whole network: processes in order, each one's edges in order.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct EdgeIndex(pub u32);

impl EdgeIndex {
    /// As an index of slices.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// A symbolic state, in memory that the caller owns.
#[derive(Clone, Copy, Debug)]
pub struct State<'a> {
    /// Locations, state cells, meta cells: [`crate::System::cells`] of them.
    pub memory: &'a [i32],
    /// The zone, closed and not empty.
    pub zone: &'a [Bound],
}

/// A successor, valid until the sink returns.
#[derive(Clone, Copy, Debug)]
pub struct Successor<'a> {
    /// The edges that are taken together, in the order of their updates; empty for initial states.
    pub edges: &'a [EdgeIndex],
    /// The state that they lead to.
    pub state: State<'a>,
    /// The lower bounds of the clocks at its locations, by row of the zone (for comparison by simulation).
    pub lower: &'a [i32],
    /// The upper bounds, likewise.
    pub upper: &'a [i32],
    /// The part of the source's zone from which the transition is taken; empty for initial states and unless
    /// [`crate::Explorer::exact`] was asked for.
    pub source: &'a [Bound],
    /// The zone at the moment of arrival, before time passes; empty unless [`crate::Explorer::exact`] was asked for.
    pub entry: &'a [Bound],
}
