//! Lattice variables: parts of the state that are ordered by the behaviour that they allow.
//!
//! The cells of a lattice variable are ordinary cells of [`crate::Region::State`], so that guards, updates, queries and
//! the judge see nothing new. What is new is that two states that differ in these cells only may be compared and joined
//! (Dalsgaard et al. 2011, definitions 1 and 2): a [`LatticeType`] says how.

use std::fmt;
use std::sync::Arc;

use crate::expression::{Expr, Stmt};
use crate::ids::VariableId;
use crate::memory::{Address, Shape};

/// A lattice with its dimensions: how elements are compared and joined.
///
/// Both operations are code over two elements that the caller puts into the cells at `left` and `right`, in
/// [`crate::Region::Local`].
#[derive(Clone, PartialEq, Debug)]
pub struct LatticeType {
    /// Its name with its dimensions, as `UnionBitVector[5]`.
    pub name: String,
    /// The name of the declaration alone.
    pub declared: String,
    /// The layout of an element.
    pub shape: Shape,
    /// The cells of the first element.
    pub left: Address,
    /// The cells of the second element.
    pub right: Address,
    /// Not 0 where the first element is below the second one.
    pub leq: Expr,
    /// Replaces the first element by the join of both.
    pub join: Vec<Stmt>,
    /// Not 0 where the author of the model permits the two to be joined; absent means always. It may read the state.
    pub joinable: Option<Expr>,
    /// The order of each cell, where comparing and joining go cell by cell: it agrees with `leq` and `join`.
    pub cellwise: Option<Arc<[Direction]>>,
    /// Comparing and joining by code of the host program, in place of `leq` and `join`.
    pub native: Option<Native>,
    /// Whether it was written by the author of the model (or of a program around the library), so that its laws have to
    /// be checked.
    pub foreign: bool,
}

impl LatticeType {
    /// The number of cells of an element.
    pub fn cells(&self) -> usize {
        self.shape.cells() as usize
    }
}

/// How one cell contributes to the order of a lattice.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Direction {
    /// Larger values allow more; the join is the maximum.
    Up,
    /// Smaller values allow more; the join is the minimum.
    Down,
}

/// A variable, or a part of one, that holds an element of a lattice.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LatticeVariable {
    /// Its name, with indices and fields where it is a part.
    pub name: String,
    /// The variable that it is a part of.
    pub variable: VariableId,
    /// Its first cell, in [`crate::Region::State`].
    pub base: u32,
    /// Its lattice: index into [`crate::Network::lattices`].
    pub lattice: u32,
}

/// Comparing and joining elements of a lattice by code of the host program.
pub trait NativeOrder: Send + Sync {
    /// Whether the first element is below the second one.
    fn leq(&self, left: &[i32], right: &[i32]) -> bool;

    /// Replaces the first element by the join of both.
    fn join(&self, left: &mut [i32], right: &[i32]);
}

/// A shared [`NativeOrder`]; equal to itself only.
#[derive(Clone)]
pub struct Native(pub Arc<dyn NativeOrder>);

impl PartialEq for Native {
    fn eq(&self, other: &Native) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl fmt::Debug for Native {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Native")
    }
}

/// The declarations of a network's lattices and joining strategies in the models' language, so that it can be printed.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct LatticeSource {
    /// The declarations.
    pub text: String,
    /// The names that they declare.
    pub names: Vec<String>,
    /// What they need besides that cannot be declared again.
    pub problem: Option<String>,
}
