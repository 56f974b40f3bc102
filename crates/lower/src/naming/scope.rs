//! Names and what they stand for.

use crate::data::object::Object;
use crate::data::types::Type;
use merkhet_syntax::Span;
use rustc_hash::FxHashMap;

/// Index of a [`Scope`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct ScopeId(pub u32);

/// What a name stands for.
#[derive(Clone, Debug)]
pub enum Symbol {
    /// A variable, clock, channel, or constant array or structure.
    Object(Object),
    /// A constant of one cell.
    Constant(i32, Type),
    /// A type.
    Type(Type),
    /// A lattice: index into the table of declared lattices.
    Lattice(u32),
    /// A function: index into the table of functions.
    Function(u32),
    /// A template or instance: index into the table of instances.
    Instance(u32),
    /// Something outside the symbolic language, with its sort.
    Unsupported(&'static str),
    /// A declaration that has an error; its uses are not reported again.
    Broken,
}

/// A declared name.
#[derive(Clone, Debug)]
pub struct Declared {
    /// What it stands for.
    pub symbol: Symbol,
    /// Where it is declared; nowhere for the prelude.
    pub span: Option<Span>,
    /// Its place in the order of declarations: a function sees only what comes before it.
    pub order: u32,
}

/// A set of declared names inside another one.
#[derive(Clone, Default, Debug)]
pub struct Scope {
    /// The scope around it.
    pub parent: Option<ScopeId>,
    /// Its names.
    pub names: FxHashMap<String, Declared>,
}

/// What is being lowered: decides what is allowed and how messages put it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Purpose {
    /// A declaration or argument.
    Declaration,
    /// The body of a function.
    Function,
    /// A guard.
    Guard,
    /// An invariant.
    Invariant,
    /// The channel of a synchronisation.
    Synchronisation,
    /// An update.
    Update,
    /// A query.
    Query,
}

impl Purpose {
    /// With its article, for messages.
    pub fn name(self) -> &'static str {
        match self {
            Purpose::Declaration => "a declaration",
            Purpose::Function => "a function",
            Purpose::Guard => "a guard",
            Purpose::Invariant => "an invariant",
            Purpose::Synchronisation => "a synchronisation",
            Purpose::Update => "an update",
            Purpose::Query => "a query",
        }
    }
}

/// Where an expression stands: which names it sees.
#[derive(Clone, Debug)]
pub struct Env {
    /// The scope around it.
    pub scope: ScopeId,
    /// Declarations of that scope and those around it with a larger order are not seen.
    pub visible: u32,
    /// Parameters and variables of functions, quantifiers and selects, innermost last.
    pub locals: Vec<(String, Symbol)>,
    /// What is being lowered.
    pub purpose: Purpose,
    /// What the function around it returns.
    pub result: Type,
}

impl Env {
    /// An environment that sees all of a scope.
    pub fn new(scope: ScopeId, purpose: Purpose) -> Env {
        Env {
            scope,
            visible: u32::MAX,
            locals: Vec::new(),
            purpose,
            result: Type::Void,
        }
    }
}
