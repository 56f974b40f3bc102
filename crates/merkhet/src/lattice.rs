//! Lattices written in Rust, for models to import by `extern`.
//!
//! A type that implements [`Lattice`] becomes usable in models by saying how its elements lie in a state
//! ([`ModelLattice`]): fields and methods are declared in the models' own language, so that guards, updates, queries and
//! the judge know them; order and join are the Rust type's own.

use std::marker::PhantomData;
use std::sync::Arc;

pub use merkhet_lower::External;
pub use merkhet_network::{Native, NativeOrder};

/// A join semi-lattice whose order is behaviour: if `a ⊑ b`, whatever is possible from `a` is possible from `b`.
///
/// Laws: among elements that are not empty, `less_or_equal` is a partial order that agrees with `Eq`; an empty element is
/// below every other; `join` is the least upper bound, so `a ⊑ a ⊔ b` and `b ⊑ a ⊔ b`.
pub trait Lattice: Clone + Eq {
    /// The order `self ⊑ other`.
    fn less_or_equal(&self, other: &Self) -> bool;

    /// Replaces `self` by the least upper bound `self ⊔ other`; says whether `self` grew.
    fn join(&mut self, other: &Self) -> bool;

    /// Whether the element stands for no concrete state at all.
    fn is_empty(&self) -> bool;
}

/// A lattice whose elements are cells of a state.
pub trait ModelLattice: Lattice {
    /// A declaration `lattice Name { fields; methods }` in the models' language, without `leq` and `join`.
    const DECLARATION: &'static str;

    /// The element in the cells of the fields, in their order.
    fn from_cells(cells: &[i32]) -> Self;

    /// Writes the element into the cells of the fields.
    fn to_cells(&self, cells: &mut [i32]);
}

/// The lattice, for [`crate::Model::read_with`].
pub fn external<L: ModelLattice + 'static>() -> External {
    External {
        declaration: L::DECLARATION.into(),
        order: Some(Native(Arc::new(Encoded::<L>(PhantomData)))),
    }
}

struct Encoded<L>(PhantomData<fn() -> L>);

impl<L: ModelLattice> NativeOrder for Encoded<L> {
    fn leq(&self, left: &[i32], right: &[i32]) -> bool {
        L::from_cells(left).less_or_equal(&L::from_cells(right))
    }

    fn join(&self, left: &mut [i32], right: &[i32]) {
        let mut joined = L::from_cells(left);
        joined.join(&L::from_cells(right));
        joined.to_cells(left);
    }
}
