//! Declarations: variables, types, functions and the rarer ones.

use super::{Block, Expr, Instantiation, Name};
use crate::Span;

/// One declaration.
#[derive(Clone, PartialEq, Debug)]
pub enum Declaration {
    /// Variables, constants, clocks or channels.
    Variables(VariableDeclaration),
    /// `typedef`.
    Typedef(VariableDeclaration),
    /// A function.
    Function(Function),
    /// `Name(parameters) = Template(arguments);`
    Instantiation(Instantiation),
    /// `chan priority …;`
    ChannelPriority(ChannelPriority),
    /// `before_update { … }`: expressions in order.
    BeforeUpdate(Vec<Expr>, Span),
    /// `after_update { … }`: expressions in order.
    AfterUpdate(Vec<Expr>, Span),
    /// `progress { … }`.
    Progress(Vec<ProgressMeasure>, Span),
    /// `gantt { … }`: not read further.
    Gantt(Span),
    /// `extern name;`: a lattice supplied from outside the model.
    Extern(Name, Span),
    /// `lattice Name { fields; functions }`: a lattice written in the model.
    Lattice(Lattice),
    /// Something of the language outside its symbolic part, such as `import "…" { … }` or `dynamic T();`. There is
    /// no diagnostic for it: a later stage says what depends on it.
    Unsupported {
        /// What it is, as `an imported function`.
        what: &'static str,
        /// The names that it would declare.
        names: Vec<Name>,
        /// The whole declaration.
        span: Span,
    },
    /// A declaration that could not be read; there is a diagnostic for it.
    Broken(Span),
}

/// `type name[…] = …, …;`
#[derive(Clone, PartialEq, Debug)]
pub struct VariableDeclaration {
    /// The type that all of them share.
    pub type_spec: TypeSpec,
    /// The names with their dimensions and initial values.
    pub declarators: Vec<Declarator>,
    /// The whole declaration.
    pub span: Span,
}

/// A declared name.
#[derive(Clone, PartialEq, Debug)]
pub struct Declarator {
    /// The name.
    pub name: Name,
    /// Its array dimensions, outermost first.
    pub dimensions: Vec<Dimension>,
    /// Its initial value.
    pub initialiser: Option<Initialiser>,
}

/// The size of one array dimension.
#[derive(Clone, PartialEq, Debug)]
pub enum Dimension {
    /// A number of elements; a lone name here may also turn out to be that of a type.
    Size(Expr),
    /// The values of a type.
    Index(TypeSpec),
}

/// An initial value.
#[derive(Clone, PartialEq, Debug)]
pub enum Initialiser {
    /// An expression.
    Expr(Expr),
    /// `{ …, field: … }`
    List(Vec<InitialiserItem>, Span),
}

impl Initialiser {
    /// Visits the values in the order of the text.
    pub fn for_each_expr<'a>(&'a self, visit: &mut impl FnMut(&'a Expr)) {
        match self {
            Initialiser::Expr(expr) => visit(expr),
            Initialiser::List(items, _) => {
                items
                    .iter()
                    .for_each(|item| item.value.for_each_expr(visit));
            }
        }
    }

    /// Where it stands.
    pub fn span(&self) -> Span {
        match self {
            Initialiser::Expr(expr) => expr.span,
            Initialiser::List(_, span) => *span,
        }
    }
}

/// An element of a list of initial values.
#[derive(Clone, PartialEq, Debug)]
pub struct InitialiserItem {
    /// The struct field that it is for, where named.
    pub field: Option<Name>,
    /// Its value.
    pub value: Initialiser,
}

/// A type as written, with its prefixes.
#[derive(Clone, PartialEq, Debug)]
pub struct TypeSpec {
    /// `const`.
    pub constant: bool,
    /// `meta`.
    pub meta: bool,
    /// `urgent`.
    pub urgent: bool,
    /// `broadcast`.
    pub broadcast: bool,
    /// `hybrid`.
    pub hybrid: bool,
    /// The type itself.
    pub kind: TypeKind,
    /// The whole type with its prefixes.
    pub span: Span,
}

impl TypeSpec {
    /// One more than the greatest height of the expressions and types in it.
    pub fn height(&self) -> u16 {
        let inner = match &self.kind {
            TypeKind::Int(Some(range)) => {
                let height = |bound: &Option<Expr>| bound.as_ref().map_or(0, Expr::height);
                height(&range.lower).max(height(&range.upper))
            }
            TypeKind::Scalar(size) => size.height(),
            TypeKind::Struct(fields) => fields.iter().map(StructField::height).max().unwrap_or(0),
            _ => 0,
        };
        inner.saturating_add(1)
    }
}

impl StructField {
    fn height(&self) -> u16 {
        let dimension = |dimension: &Dimension| match dimension {
            Dimension::Size(size) => size.height(),
            Dimension::Index(index) => index.height(),
        };
        self.dimensions
            .iter()
            .map(dimension)
            .fold(self.type_spec.height(), u16::max)
    }
}

/// A type without its prefixes.
#[derive(Clone, PartialEq, Debug)]
pub enum TypeKind {
    /// `int` or `int[lower, upper]`; also the type of `const N 5;` of the old language.
    Int(Option<Box<IntRange>>),
    /// `bool`.
    Bool,
    /// `clock`.
    Clock,
    /// `chan`.
    Channel,
    /// `double`.
    Double,
    /// `string`.
    String,
    /// `void`, of functions.
    Void,
    /// `scalar[size]`.
    Scalar(Box<Expr>),
    /// `struct { … }`.
    Struct(Vec<StructField>),
    /// A name declared by `typedef` (or `extern`, or `lattice`).
    Named(String),
    /// A type that could not be read.
    Broken,
}

/// The bounds of `int[lower, upper]`; either may be left out.
#[derive(Clone, PartialEq, Debug)]
pub struct IntRange {
    /// The smallest value.
    pub lower: Option<Expr>,
    /// The greatest value.
    pub upper: Option<Expr>,
}

/// `type name[…], …;` in a struct: one for each name.
#[derive(Clone, PartialEq, Debug)]
pub struct StructField {
    /// The type before the dimensions.
    pub type_spec: TypeSpec,
    /// The name.
    pub name: Name,
    /// Its array dimensions, outermost first.
    pub dimensions: Vec<Dimension>,
}

/// A parameter of a function, template or instantiation.
#[derive(Clone, PartialEq, Debug)]
pub struct Parameter {
    /// The type before the dimensions.
    pub type_spec: TypeSpec,
    /// Whether it is passed by reference (`&`).
    pub reference: bool,
    /// The name.
    pub name: Name,
    /// Its array dimensions, outermost first.
    pub dimensions: Vec<Dimension>,
    /// The whole parameter.
    pub span: Span,
}

/// A function.
#[derive(Clone, PartialEq, Debug)]
pub struct Function {
    /// What it returns.
    pub return_type: TypeSpec,
    /// Its name.
    pub name: Name,
    /// Its parameters.
    pub parameters: Vec<Parameter>,
    /// Its body.
    pub body: Block,
    /// Whether a part of it could not be read.
    pub broken: bool,
    /// The whole function.
    pub span: Span,
}

/// `chan priority a < default, b < c;`
#[derive(Clone, PartialEq, Debug)]
pub struct ChannelPriority {
    /// The groups that `<` separates, lowest first.
    pub groups: Vec<Vec<ChannelPriorityItem>>,
    /// The whole declaration.
    pub span: Span,
}

/// A member of a priority group.
#[derive(Clone, PartialEq, Debug)]
pub enum ChannelPriorityItem {
    /// `default`: all that is not named.
    Default(Span),
    /// A channel, an array of channels or an element of one.
    Channel(Expr),
}

/// `guard : measure;` in a progress block.
#[derive(Clone, PartialEq, Debug)]
pub struct ProgressMeasure {
    /// When it counts.
    pub guard: Option<Expr>,
    /// What grows.
    pub measure: Expr,
}

/// `lattice Name[dimension]… { fields; functions }`.
#[derive(Clone, PartialEq, Debug)]
pub struct Lattice {
    /// Its name.
    pub name: Name,
    /// The names of its dimensions, which variables of it give in brackets.
    pub dimensions: Vec<Name>,
    /// Its fields.
    pub fields: Vec<StructField>,
    /// Its functions.
    pub functions: Vec<Function>,
    /// The whole declaration.
    pub span: Span,
}
