//! Where values live: every integer of a model is one cell of a flat memory.
//!
//! Arrays and structures are laid out contiguously (row-major, fields in order), so that an access is a base address
//! plus `index * stride` terms. Functions do not recurse, so their parameters and locals have fixed cells too, and a
//! reference parameter is resolved when the function is specialised: there are no pointers.

use crate::ids::{ProcessId, VariableId};

/// The kinds of memory.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Region {
    /// Part of the state.
    State,
    /// `meta` variables: they keep their value along a run, but two states that differ only here are equal.
    Meta,
    /// Constant arrays and structures that are indexed at run time (scalar constants are folded).
    Constant,
    /// Parameters, locals and results of functions, variables of quantifiers; dead between two evaluations.
    Local,
}

/// One cell.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Address {
    /// The kind of memory.
    pub region: Region,
    /// The index within the region.
    pub offset: u32,
}

impl Address {
    /// The cell `by` cells further on.
    #[must_use]
    pub const fn plus(self, by: u32) -> Address {
        Address {
            region: self.region,
            offset: self.offset + by,
        }
    }
}

/// What is known of a cell of [`Region::State`], [`Region::Meta`] or [`Region::Constant`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Cell {
    /// The smallest value that the declared type allows.
    pub low: i32,
    /// The largest value that the declared type allows.
    pub high: i32,
    /// The value in the initial state (of a constant: its value).
    pub initial: i32,
    /// The variable that it is part of.
    pub variable: VariableId,
}

/// The layout of a variable.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Shape {
    /// One cell holding an integer of a range.
    Int {
        /// Smallest value.
        low: i32,
        /// Largest value.
        high: i32,
    },
    /// One cell holding 0 or 1.
    Bool,
    /// One cell holding an element of a scalar set of the given size; only compared and assigned.
    Scalar {
        /// Number of elements.
        size: u32,
    },
    /// Consecutive elements.
    Array {
        /// How many.
        length: u32,
        /// Of what.
        element: Box<Shape>,
    },
    /// Consecutive fields.
    Struct {
        /// Name and shape of each.
        fields: Vec<(String, Shape)>,
    },
}

impl Shape {
    /// The number of cells.
    pub fn cells(&self) -> u32 {
        match self {
            Shape::Int { .. } | Shape::Bool | Shape::Scalar { .. } => 1,
            Shape::Array { length, element } => length.saturating_mul(element.cells()),
            Shape::Struct { fields } => fields
                .iter()
                .fold(0u32, |sum, (_, shape)| sum.saturating_add(shape.cells())),
        }
    }

    /// The range of a single cell's values, where the shape is one cell.
    pub fn range(&self) -> Option<(i32, i32)> {
        match *self {
            Shape::Int { low, high } => Some((low, high)),
            Shape::Bool => Some((0, 1)),
            Shape::Scalar { size } => Some((0, size.saturating_sub(1) as i32)),
            _ => None,
        }
    }

    /// The shape of the cell at `offset` within a variable of this shape, if there is such a cell.
    pub fn scalar_at(&self, offset: u32) -> Option<&Shape> {
        match self {
            Shape::Array { length, element } => {
                let size = element.cells().max(1);
                (offset / size < *length).then(|| element.scalar_at(offset % size))?
            }
            Shape::Struct { fields } => {
                let mut rest = offset;
                for (_, shape) in fields {
                    let size = shape.cells();
                    if rest < size {
                        return shape.scalar_at(rest);
                    }
                    rest -= size;
                }
                None
            }
            scalar => (offset == 0).then_some(scalar),
        }
    }

    /// The range of the cell at `offset` within a variable of this shape, if there is such a cell.
    pub fn cell_range(&self, offset: u32) -> Option<(i32, i32)> {
        self.scalar_at(offset)?.range()
    }

    /// The path to the cell at `offset` within a variable of this shape, such as `[2].x` (empty for a scalar).
    pub fn path(&self, offset: u32) -> String {
        match self {
            Shape::Array { element, .. } => {
                let size = element.cells().max(1);
                format!("[{}]{}", offset / size, element.path(offset % size))
            }
            Shape::Struct { fields } => {
                let mut rest = offset;
                for (name, shape) in fields {
                    let size = shape.cells();
                    if rest < size {
                        return format!(".{name}{}", shape.path(rest));
                    }
                    rest -= size;
                }
                String::new()
            }
            _ => String::new(),
        }
    }
}

/// A declared variable.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Variable {
    /// Its name; of a process's own variable `Process.name`.
    pub name: String,
    /// The process that declares it, if it is not global.
    pub owner: Option<ProcessId>,
    /// Its layout.
    pub shape: Shape,
    /// Its first cell.
    pub base: Address,
}

/// A parameter, result, local or scratch variable, or a loop variable: its cells are in [`Region::Local`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Local {
    /// Its name; possibly empty for what the front end made up.
    pub name: String,
    /// Its layout.
    pub shape: Shape,
    /// Its first cell.
    pub base: Address,
}
