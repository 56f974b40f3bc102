//! Types: what a declared name can hold, and how much room it takes.

use merkhet_network::Shape;
use std::fmt;
use std::sync::Arc;

/// The range of a plain `int`.
pub const INT: Type = Type::Int {
    low: -32768,
    high: 32767,
};

/// The range of an integer of which nothing is known (results of arithmetic, `const int`).
pub const WIDE: Type = Type::Int {
    low: i32::MIN,
    high: i32::MAX,
};

/// A type.
#[derive(Clone, PartialEq, Debug)]
pub enum Type {
    /// Of functions without a result.
    Void,
    /// An integer of a range.
    Int {
        /// Smallest value.
        low: i32,
        /// Largest value.
        high: i32,
    },
    /// 0 or 1.
    Bool,
    /// An element of a scalar set; sets with the same number are the same.
    Scalar {
        /// Which set.
        set: u32,
        /// How many elements it has.
        size: u32,
    },
    /// A clock.
    Clock,
    /// A channel.
    Channel {
        /// Declared urgent.
        urgent: bool,
        /// Declared broadcast.
        broadcast: bool,
    },
    /// An array.
    Array(Arc<ArrayType>),
    /// A structure.
    Struct(Arc<StructType>),
    /// A type outside the symbolic language, with its name.
    Unsupported(&'static str),
}

/// The layout of an array.
#[derive(Clone, PartialEq, Debug)]
pub struct ArrayType {
    /// The number of elements.
    pub length: u32,
    /// The index of the first element: not 0 where the array is indexed by a type such as `int[1,3]`.
    pub low: i32,
    /// The scalar set that indexes it, if it is one.
    pub scalar: Option<u32>,
    /// What it holds.
    pub element: Type,
    counts: Counts,
}

/// The layout of a structure.
#[derive(Clone, PartialEq, Debug)]
pub struct StructType {
    /// The fields in order.
    pub fields: Vec<Field>,
    /// The lattice that it is an element of: index into the table of lattices, and name.
    pub lattice: Option<(u32, Arc<str>)>,
    counts: Counts,
}

/// A field of a structure.
#[derive(Clone, PartialEq, Debug)]
pub struct Field {
    /// Its name.
    pub name: String,
    /// Its type.
    pub ty: Type,
}

/// How much room a type takes; saturating, so that absurd sizes can be refused before anything is allocated.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Counts {
    /// Integer cells.
    pub cells: u64,
    /// Clocks.
    pub clocks: u64,
    /// Channels.
    pub channels: u64,
    /// Nodes of the unfolded layout.
    pub nodes: u64,
    /// How deep the layout is nested.
    pub depth: u32,
}

impl Counts {
    /// The sum of all that has to be allocated.
    pub fn total(&self) -> u64 {
        self.cells
            .saturating_add(self.clocks)
            .saturating_add(self.channels)
            .max(self.nodes)
    }

    fn add(&mut self, other: Counts) {
        self.cells = self.cells.saturating_add(other.cells);
        self.clocks = self.clocks.saturating_add(other.clocks);
        self.channels = self.channels.saturating_add(other.channels);
        self.nodes = self.nodes.saturating_add(other.nodes);
        self.depth = self.depth.max(other.depth);
    }
}

impl Type {
    /// An array type.
    pub fn array(length: u32, low: i32, scalar: Option<u32>, element: Type) -> Type {
        let inner = element.counts();
        let times = |count: u64| count.saturating_mul(length as u64);
        let counts = Counts {
            cells: times(inner.cells),
            clocks: times(inner.clocks),
            channels: times(inner.channels),
            nodes: inner.nodes.saturating_add(1),
            depth: inner.depth.saturating_add(1),
        };
        Type::Array(Arc::new(ArrayType {
            length,
            low,
            scalar,
            element,
            counts,
        }))
    }

    /// A structure type.
    pub fn structure(fields: Vec<Field>) -> Type {
        Type::fields(fields, None)
    }

    /// The type of the elements of a lattice.
    pub fn lattice(fields: Vec<Field>, id: u32, name: Arc<str>) -> Type {
        Type::fields(fields, Some((id, name)))
    }

    fn fields(fields: Vec<Field>, lattice: Option<(u32, Arc<str>)>) -> Type {
        let mut counts = Counts {
            nodes: 1,
            ..Counts::default()
        };
        for field in &fields {
            counts.add(field.ty.counts());
        }
        counts.depth = counts.depth.saturating_add(1);
        Type::Struct(Arc::new(StructType {
            fields,
            lattice,
            counts,
        }))
    }

    /// How much room it takes.
    pub fn counts(&self) -> Counts {
        let one = Counts {
            nodes: 1,
            depth: 1,
            ..Counts::default()
        };
        match self {
            Type::Void | Type::Unsupported(_) => one,
            Type::Int { .. } | Type::Bool | Type::Scalar { .. } => Counts { cells: 1, ..one },
            Type::Clock => Counts { clocks: 1, ..one },
            Type::Channel { .. } => Counts { channels: 1, ..one },
            Type::Array(array) => array.counts,
            Type::Struct(structure) => structure.counts,
        }
    }

    /// The number of cells; types are refused before it can exceed `u32`.
    pub fn cells(&self) -> u32 {
        self.counts().cells.min(u32::MAX as u64) as u32
    }

    /// The values of a type that is one cell.
    pub fn range(&self) -> Option<(i32, i32)> {
        match *self {
            Type::Int { low, high } => Some((low, high)),
            Type::Bool => Some((0, 1)),
            Type::Scalar { size, .. } => Some((0, size as i32 - 1)),
            _ => None,
        }
    }

    /// Whether it is an integer or Boolean.
    pub fn is_integral(&self) -> bool {
        matches!(self, Type::Int { .. } | Type::Bool)
    }

    /// Whether it is one cell.
    pub fn is_cell(&self) -> bool {
        self.is_integral() || matches!(self, Type::Scalar { .. })
    }

    /// Whether it is an array or structure.
    pub fn is_aggregate(&self) -> bool {
        matches!(self, Type::Array(_) | Type::Struct(_))
    }

    /// The part of it outside the symbolic language, if there is one.
    pub fn unsupported(&self) -> Option<&'static str> {
        match self {
            Type::Unsupported(what) => Some(what),
            Type::Array(array) => array.element.unsupported(),
            Type::Struct(structure) => structure
                .fields
                .iter()
                .find_map(|field| field.ty.unsupported()),
            _ => None,
        }
    }

    /// Whether a value of the other type can be assigned to (or compared with) one of this type; ranges are checked
    /// at run time.
    pub fn accepts(&self, other: &Type) -> bool {
        match (self, other) {
            (Type::Int { .. } | Type::Bool, Type::Int { .. } | Type::Bool) => true,
            (Type::Scalar { set: a, .. }, Type::Scalar { set: b, .. }) => a == b,
            (Type::Clock, Type::Clock) | (Type::Channel { .. }, Type::Channel { .. }) => true,
            (Type::Array(a), Type::Array(b)) => {
                Arc::ptr_eq(a, b) || a.length == b.length && a.element.accepts(&b.element)
            }
            (Type::Struct(a), Type::Struct(b)) => {
                Arc::ptr_eq(a, b)
                    || (a.lattice == b.lattice || a.lattice.is_none() || b.lattice.is_none())
                        && a.fields.len() == b.fields.len()
                        && (a.fields.iter().zip(&b.fields))
                            .all(|(x, y)| x.name == y.name && x.ty.accepts(&y.ty))
            }
            _ => false,
        }
    }

    /// Whether every value of the other type is one of this type, cell by cell.
    pub fn contains(&self, other: &Type) -> bool {
        match (self, other) {
            (Type::Array(a), Type::Array(b)) => Arc::ptr_eq(a, b) || a.element.contains(&b.element),
            (Type::Struct(a), Type::Struct(b)) => {
                Arc::ptr_eq(a, b)
                    || (a.fields.iter().zip(&b.fields)).all(|(x, y)| x.ty.contains(&y.ty))
            }
            _ => match (self.range(), other.range()) {
                (Some((low, high)), Some((from, to))) => low <= from && to <= high,
                _ => false,
            },
        }
    }

    /// The layout of its cells; `None` where it has none.
    pub fn shape(&self) -> Option<Shape> {
        Some(match self {
            Type::Int { low, high } => Shape::Int {
                low: *low,
                high: *high,
            },
            Type::Bool => Shape::Bool,
            Type::Scalar { size, .. } => Shape::Scalar { size: *size },
            Type::Array(array) => Shape::Array {
                length: array.length,
                element: Box::new(array.element.shape()?),
            },
            Type::Struct(structure) => Shape::Struct {
                fields: structure
                    .fields
                    .iter()
                    .filter_map(|field| Some((field.name.clone(), field.ty.shape()?)))
                    .collect(),
            },
            _ => return None,
        })
    }
}

impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Type::Void => f.write_str("void"),
            Type::Int { .. } if *self == INT || *self == WIDE => f.write_str("int"),
            Type::Int { low, high } => write!(f, "int[{low},{high}]"),
            Type::Bool => f.write_str("bool"),
            Type::Scalar { size, .. } => write!(f, "scalar[{size}]"),
            Type::Clock => f.write_str("clock"),
            Type::Channel { urgent, broadcast } => write!(
                f,
                "{}{}chan",
                if *urgent { "urgent " } else { "" },
                if *broadcast { "broadcast " } else { "" }
            ),
            Type::Array(array) => {
                write!(f, "{}", array.element)?;
                write!(f, "[{}]", array.length)
            }
            Type::Struct(structure) => match &structure.lattice {
                Some((_, name)) => f.write_str(name),
                None => f.write_str("struct"),
            },
            Type::Unsupported(what) => f.write_str(what),
        }
    }
}
