//! A state that is offered to a store: as the explorer found it, or as another store has packed it.

use merkhet_semantics::{EdgeIndex, Successor};
use merkhet_zones::bound::Bound;

use super::shapes::Shapes;
use super::signature::{Signature, Size};

/// The stored entries of a zone, in their width.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Entries<'a> {
    Bytes(&'a [i8]),
    Shorts(&'a [i16]),
    Words(&'a [Bound]),
}

/// A zone as stores keep it, with what is compared first.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PackedZone<'a> {
    /// Which rows there are; see [`super::shapes::Shape`].
    pub mask: &'a [u64],
    pub entries: Entries<'a>,
    pub signature: Signature,
    pub size: Size,
}

/// A state, all but its key, that another store of the same system has packed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Packed<'a> {
    pub edges: &'a [EdgeIndex],
    /// The values of the meta variables.
    pub meta: &'a [i32],
    pub zone: PackedZone<'a>,
    /// The bounds of the clocks by row; empty unless zones are compared by simulation.
    pub lower: &'a [i32],
    pub upper: &'a [i32],
}

/// A state that is offered to a store, which has been told its key.
#[derive(Clone, Copy)]
pub(crate) enum Offer<'a> {
    Found(&'a Successor<'a>),
    Packed(&'a Packed<'a>),
}

impl<'a> Offer<'a> {
    /// The edges that lead to it.
    #[inline]
    pub fn edges(self) -> &'a [EdgeIndex] {
        match self {
            Offer::Found(successor) => successor.edges,
            Offer::Packed(packed) => packed.edges,
        }
    }

    /// The values of the meta variables, which come after the cells of the key.
    #[inline]
    pub fn meta(self, key_cells: usize) -> &'a [i32] {
        match self {
            Offer::Found(successor) => &successor.state.memory[key_cells..],
            Offer::Packed(packed) => packed.meta,
        }
    }

    /// The number of its zone's shape.
    pub(super) fn shape(self, shapes: &mut Shapes) -> u32 {
        match self {
            Offer::Found(successor) => shapes.number(successor.lower, successor.upper),
            Offer::Packed(packed) => shapes.with_mask(packed.zone.mask),
        }
    }
}
