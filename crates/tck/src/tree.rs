//! What a text in TChecker's language says, with spans and without meaning.

use merkhet_syntax::Span;

/// A name with its place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Name {
    /// As written.
    pub text: String,
    /// Where.
    pub span: Span,
}

/// A whole file.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct System {
    /// The name that the `system` line gives.
    pub name: Option<Name>,
    /// `process:P`, in order.
    pub processes: Vec<Name>,
    /// `event:e`, in order.
    pub events: Vec<Name>,
    /// `clock:size:x`, in order.
    pub clocks: Vec<Clock>,
    /// `int:size:min:max:init:i`, in order.
    pub ints: Vec<Int>,
    /// `location:P:l{…}`, in order.
    pub locations: Vec<Location>,
    /// `edge:P:l:k:e{…}`, in order.
    pub edges: Vec<Edge>,
    /// `sync:P@e:Q@f?`, in order.
    pub synchronisations: Vec<Synchronisation>,
}

/// A clock or an array of clocks.
#[derive(Clone, PartialEq, Debug)]
pub struct Clock {
    /// How many.
    pub size: u32,
    /// Where the size stands.
    pub size_span: Span,
    /// Its name.
    pub name: Name,
}

/// A bounded integer or an array of them.
#[derive(Clone, PartialEq, Debug)]
pub struct Int {
    /// How many.
    pub size: u32,
    /// Where the size stands.
    pub size_span: Span,
    /// The smallest value.
    pub low: i32,
    /// The largest value.
    pub high: i32,
    /// The value at the start.
    pub initial: i32,
    /// Where the three numbers stand.
    pub range_span: Span,
    /// Its name.
    pub name: Name,
}

/// A location.
#[derive(Clone, PartialEq, Debug)]
pub struct Location {
    /// The process it belongs to.
    pub process: Name,
    /// Its name.
    pub name: Name,
    /// Whether the process may start here.
    pub initial: bool,
    /// No time passes, and the next transition involves a process at such a location.
    pub committed: bool,
    /// No time passes.
    pub urgent: bool,
    /// Goals refer to these.
    pub labels: Vec<Name>,
    /// What must hold here, in conjunction (one for each attribute).
    pub invariants: Vec<Expression>,
}

/// An edge.
#[derive(Clone, PartialEq, Debug)]
pub struct Edge {
    /// The process it belongs to.
    pub process: Name,
    /// From.
    pub source: Name,
    /// To.
    pub target: Name,
    /// The event that it carries.
    pub event: Name,
    /// What it asks for, in conjunction (one for each attribute).
    pub guards: Vec<Expression>,
    /// What it does, in order.
    pub statements: Vec<Statement>,
    /// The whole declaration.
    pub span: Span,
}

/// A synchronisation vector.
#[derive(Clone, PartialEq, Debug)]
pub struct Synchronisation {
    /// Who takes part, in order.
    pub participants: Vec<Participant>,
    /// The whole declaration.
    pub span: Span,
}

/// A participant `P@e` or `P@e?` of a vector.
#[derive(Clone, PartialEq, Debug)]
pub struct Participant {
    /// The process.
    pub process: Name,
    /// The event.
    pub event: Name,
    /// Whether the others may go without it.
    pub weak: bool,
}

/// An expression.
#[derive(Clone, PartialEq, Debug)]
pub struct Expression {
    /// What it is.
    pub kind: ExpressionKind,
    /// Where it stands.
    pub span: Span,
    /// The length of the longest way down; at most [`merkhet_syntax::MAX_DEPTH`].
    pub height: u16,
}

/// The forms of expressions.
#[derive(Clone, PartialEq, Debug)]
pub enum ExpressionKind {
    /// A number.
    Integer(i32),
    /// A variable or clock; in goals also a label or `Process.location`.
    Name(String),
    /// `v[e]`.
    Index(Name, Box<Expression>),
    /// `-e`.
    Negate(Box<Expression>),
    /// `!e`.
    Not(Box<Expression>),
    /// Arithmetic and comparisons.
    Binary(Operator, Box<Expression>, Box<Expression>),
    /// `a && b && …`.
    Conjunction(Vec<Expression>),
    /// `a || b || …`, in goals only.
    Disjunction(Vec<Expression>),
    /// `(if c then a else b)`.
    Conditional(Box<Expression>, Box<Expression>, Box<Expression>),
}

/// Operators with two operands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum Operator {
    Add,
    Subtract,
    Multiply,
    Divide,
    Remainder,
    Less,
    LessEqual,
    Equal,
    NotEqual,
    GreaterEqual,
    Greater,
}

impl Operator {
    /// Whether it compares.
    pub fn is_comparison(self) -> bool {
        use Operator::*;
        matches!(
            self,
            Less | LessEqual | Equal | NotEqual | GreaterEqual | Greater
        )
    }
}

/// A statement.
#[derive(Clone, PartialEq, Debug)]
pub struct Statement {
    /// What it is.
    pub kind: StatementKind,
    /// Where it stands.
    pub span: Span,
}

/// The forms of statements.
#[derive(Clone, PartialEq, Debug)]
pub enum StatementKind {
    /// `nop`.
    Nop,
    /// `v = e`, `v[i] = e`, for integers and clocks.
    Assign {
        /// What is written; a name or an indexed name.
        target: Expression,
        /// The value.
        value: Expression,
    },
    /// `if c then … else … end`.
    If {
        /// The condition.
        condition: Expression,
        /// If it holds.
        then: Vec<Statement>,
        /// If it does not.
        otherwise: Vec<Statement>,
    },
    /// `while c do … end`.
    While {
        /// The condition.
        condition: Expression,
        /// The body.
        body: Vec<Statement>,
    },
    /// `local v`, `local v = e`.
    Local {
        /// The variable.
        name: Name,
        /// Its value (absent: 0).
        value: Option<Expression>,
    },
    /// `local v[e]`, all 0.
    LocalArray {
        /// The variable.
        name: Name,
        /// How many; a constant.
        size: Expression,
    },
}

/// What is asked of a model.
#[derive(Clone, PartialEq, Debug)]
pub struct Goal {
    /// As written.
    pub text: String,
    /// `A[]` rather than `E<>`.
    pub invariant: bool,
    /// The formula; a list of labels is a conjunction.
    pub formula: Expression,
}
