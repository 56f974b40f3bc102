//! The syntax tree of SMV text: modules, sections, expressions, all with spans.

use merkhet_syntax::{Diagnostic, Span};

/// A whole file: its modules in the order of the text.
#[derive(Clone, Debug, Default)]
pub struct Program {
    /// The modules; one of them is `main`.
    pub modules: Vec<Module>,
    /// Where each line of the text starts.
    pub lines: Vec<u32>,
}

impl Program {
    /// The line of a place in the text, counted from 1.
    pub fn line_of(&self, span: Span) -> u32 {
        self.lines.partition_point(|&start| start <= span.start) as u32
    }

    /// The specifications that cannot be read.
    pub fn unread(&self) -> impl Iterator<Item = &Unread> {
        let items = self.modules.iter().flat_map(|module| &module.items);
        items.filter_map(|item| match item {
            Item::Unread(unread) => Some(unread),
            _ => None,
        })
    }
}

/// A name and where it stands.
#[derive(Clone, Debug)]
pub struct Name {
    /// The text of the name.
    pub text: String,
    /// Where it stands.
    pub span: Span,
}

/// `MODULE name (parameters)` and its sections.
#[derive(Clone, Debug)]
pub struct Module {
    /// The module's name.
    pub name: Name,
    /// The formal parameters.
    pub parameters: Vec<Name>,
    /// The sections in the order of the text.
    pub items: Vec<Item>,
}

/// One section, or one line of a section.
#[derive(Clone, Debug)]
pub enum Item {
    /// A line of `VAR`, `IVAR` or `FROZENVAR`.
    Variable {
        /// Which of the three sections.
        kind: VariableKind,
        /// The variable's name.
        name: Name,
        /// Its type.
        ty: Type,
    },
    /// A line of `DEFINE`; the target may lie in an instance (`left.ack := …`).
    Define {
        /// What is defined.
        target: Expression,
        /// What it stands for.
        value: Expression,
    },
    /// `CONSTANTS a, b;`
    Constants(Vec<Name>),
    /// A line of `ASSIGN`.
    Assign {
        /// `init(x) :=`, `next(x) :=` or `x :=`.
        kind: AssignKind,
        /// The variable.
        target: Expression,
        /// Its value or values.
        value: Expression,
    },
    /// `INIT`, `TRANS` or `INVAR`.
    Constraint {
        /// Which of the three.
        kind: ConstraintKind,
        /// The constraint.
        value: Expression,
    },
    /// `FAIRNESS` or `JUSTICE`: holds infinitely often on every fair path.
    Justice(Expression),
    /// `COMPASSION (p, q)`: if `p` infinitely often, then `q` infinitely often.
    Compassion(Expression, Expression),
    /// A specification.
    Specification(Specification),
    /// A specification that cannot be read; the rest of the model can.
    Unread(Unread),
    /// `PRED` and `MIRROR`: for other tools; says nothing about the behaviour.
    Ignored,
    /// `ISA module`: takes over the sections of another module.
    Isa(Name),
}

/// Which section declares a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VariableKind {
    /// `VAR`.
    State,
    /// `IVAR`: chosen anew at each transition.
    Input,
    /// `FROZENVAR`: never changes.
    Frozen,
}

/// The three kinds of assignment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum AssignKind {
    /// `init(x) := …`
    Init,
    /// `next(x) := …`
    Next,
    /// `x := …`
    Current,
}

/// The three kinds of constraint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ConstraintKind {
    /// `INIT`
    Init,
    /// `TRANS`
    Trans,
    /// `INVAR`
    Invar,
}

/// A specification with its kind and optional name and context.
#[derive(Clone, Debug)]
pub struct Specification {
    /// Which logic.
    pub kind: SpecificationKind,
    /// `NAME n :=`, if given.
    pub name: Option<Name>,
    /// The formula.
    pub formula: Expression,
    /// `IN instance`, if given.
    pub context: Option<Expression>,
    /// The whole formula's place in the text.
    pub span: Span,
}

/// A specification that cannot be read.
#[derive(Clone, Debug)]
pub struct Unread {
    /// What stands there.
    pub text: String,
    /// Where.
    pub span: Span,
    /// Why it cannot be read.
    pub diagnostics: Vec<Diagnostic>,
}

/// The logic of a specification.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SpecificationKind {
    /// `SPEC`, `CTLSPEC`
    Ctl,
    /// `INVARSPEC`
    Invariant,
    /// `LTLSPEC`
    Ltl,
    /// `COMPUTE MIN [p, q]` or `COMPUTE MAX [p, q]`
    Compute,
}

/// A type in a variable declaration.
#[derive(Clone, Debug)]
pub struct Type {
    /// What type.
    pub kind: TypeKind,
    /// Where it stands.
    pub span: Span,
}

/// The types of SMV.
#[derive(Clone, Debug)]
pub enum TypeKind {
    /// `boolean`
    Boolean,
    /// `{a, b, 3}`
    Enumeration(Vec<Expression>),
    /// `low..high`
    Range(Expression, Expression),
    /// `unsigned word[n]` or `signed word[n]`
    Word {
        /// Whether values are read in two's complement.
        signed: bool,
        /// The number of bits.
        width: Expression,
    },
    /// `array low..high of type`
    Array {
        /// The least index.
        low: Expression,
        /// The greatest index.
        high: Expression,
        /// The type of the elements.
        element: Box<Type>,
    },
    /// `module(arguments)` or `process module(arguments)`
    Instance {
        /// Whether the instance interleaves with the others.
        process: bool,
        /// The module.
        module: Name,
        /// The actual parameters.
        arguments: Vec<Expression>,
    },
}

/// An expression or formula with its place.
#[derive(Clone, Debug)]
pub struct Expression {
    /// What expression.
    pub kind: ExpressionKind,
    /// Where it stands.
    pub span: Span,
    /// One more than the greatest height of a part; at most [`MAX_DEPTH`](merkhet_syntax::MAX_DEPTH), so
    /// that later stages may walk the tree by plain recursion.
    pub height: u16,
}

impl Expression {
    /// An expression; its height follows from its parts.
    pub fn new(kind: ExpressionKind, span: Span) -> Expression {
        let mut height = 0;
        kind.for_each_part(&mut |part| height = height.max(part.height));
        Expression {
            kind,
            span,
            height: height.saturating_add(1),
        }
    }
}

impl ExpressionKind {
    /// Calls `visit` on each direct part, from left to right.
    pub fn for_each_part<'a>(&'a self, visit: &mut dyn FnMut(&'a Expression)) {
        use ExpressionKind::*;
        match self {
            Boolean(_) | Integer(_) | Word(_) | Name(_) | SelfInstance => {}
            Member(a, _)
            | Unary(_, a)
            | Next(a)
            | Init(a)
            | Temporal(_, a)
            | Bounded(_, _, a)
            | Within(_, _, a) => {
                visit(a);
            }
            Index(a, b)
            | Binary(_, a, b)
            | Range(a, b)
            | Until(_, a, b)
            | BoundedUntil(_, _, a, b)
            | PathLength(_, a, b) => {
                visit(a);
                visit(b);
            }
            Select(a, b, c) | Conditional(a, b, c) => {
                visit(a);
                visit(b);
                visit(c);
            }
            Chain(_, parts) | Set(parts) | Call(_, parts) | Array(parts) => {
                parts.iter().for_each(visit)
            }
            Case(branches) => {
                for (condition, value) in branches {
                    visit(condition);
                    visit(value);
                }
            }
        }
    }
}

/// The forms of expressions and formulas.
#[derive(Clone, Debug)]
pub enum ExpressionKind {
    /// `TRUE` or `FALSE`
    Boolean(bool),
    /// An integer.
    Integer(i64),
    /// A word constant, as in the text.
    Word(WordConstant),
    /// A plain name.
    Name(String),
    /// `self`
    SelfInstance,
    /// `a.b`
    Member(Box<Expression>, Name),
    /// `a[i]`
    Index(Box<Expression>, Box<Expression>),
    /// `w[high : low]`
    Select(Box<Expression>, Box<Expression>, Box<Expression>),
    /// `!a` or `-a`
    Unary(UnaryOperator, Box<Expression>),
    /// A binary operation.
    Binary(BinaryOperator, Box<Expression>, Box<Expression>),
    /// A chain of `&` or of `|` with two or more operands: long chains stay flat.
    Chain(ChainOperator, Vec<Expression>),
    /// `c ? a : b`
    Conditional(Box<Expression>, Box<Expression>, Box<Expression>),
    /// `case c : v; … esac`
    Case(Vec<(Expression, Expression)>),
    /// `{a, b}`
    Set(Vec<Expression>),
    /// `[a, b]`: the elements of an array, by their positions.
    Array(Vec<Expression>),
    /// `low..high` as a set.
    Range(Box<Expression>, Box<Expression>),
    /// `next(e)`
    Next(Box<Expression>),
    /// `init(e)`: only legal as the target of an assignment.
    Init(Box<Expression>),
    /// A built-in function such as `bool` or `extend`.
    Call(Function, Vec<Expression>),
    /// `EX`, `AG`, `F`, `O`, …
    Temporal(TemporalOperator, Box<Expression>),
    /// `E [p U q]`, `A [p U q]`, `p U q`, …
    Until(UntilOperator, Box<Expression>, Box<Expression>),
    /// A bounded operator with its interval, for example `EBF 2..5 p`.
    Bounded(BoundedOperator, Interval, Box<Expression>),
    /// `G`, `F`, `H` or `O` with an interval of steps: `F [2, 5] p`.
    Within(TemporalOperator, Interval, Box<Expression>),
    /// `E [p BU low..high q]` (true: for some path) or `A [p BU low..high q]`.
    BoundedUntil(bool, Interval, Box<Expression>, Box<Expression>),
    /// `MIN [p, q]` (false) or `MAX [p, q]` (true).
    PathLength(bool, Box<Expression>, Box<Expression>),
}

/// `low..high` of a bounded operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Interval {
    /// The least number of steps.
    pub low: u32,
    /// The greatest number of steps.
    pub high: u32,
}

/// A word constant taken apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WordConstant {
    /// Whether the word is read in two's complement.
    pub signed: bool,
    /// The number of bits.
    pub width: u32,
    /// The bits.
    pub bits: u64,
}

/// Operators with one operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnaryOperator {
    /// `!`
    Not,
    /// `-`
    Negate,
}

/// Operators with two operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)] // each variant is its operator, see `text`
pub enum BinaryOperator {
    Implies,
    Iff,
    Xor,
    Xnor,
    Equal,
    NotEqual,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    In,
    Union,
    ShiftLeft,
    ShiftRight,
    Add,
    Subtract,
    Multiply,
    Divide,
    Modulo,
    Concatenate,
}

impl BinaryOperator {
    /// The operator as it is written.
    pub fn text(self) -> &'static str {
        use BinaryOperator::*;
        match self {
            Implies => "->",
            Iff => "<->",
            Xor => "xor",
            Xnor => "xnor",
            Equal => "=",
            NotEqual => "!=",
            Less => "<",
            LessEqual => "<=",
            Greater => ">",
            GreaterEqual => ">=",
            In => "in",
            Union => "union",
            ShiftLeft => "<<",
            ShiftRight => ">>",
            Add => "+",
            Subtract => "-",
            Multiply => "*",
            Divide => "/",
            Modulo => "mod",
            Concatenate => "::",
        }
    }
}

/// Associative operators that are kept as flat chains.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChainOperator {
    /// `&`
    And,
    /// `|`
    Or,
}

/// Built-in functions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)] // each variant is the function of that name
pub enum Function {
    Bool,
    Word1,
    Signed,
    Unsigned,
    Extend,
    Resize,
    ToInt,
    Sizeof,
    Uwconst,
    Swconst,
    Count,
    Abs,
    Max,
    Min,
}

/// Temporal operators with one operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)] // each variant is its operator
pub enum TemporalOperator {
    Ex,
    Ax,
    Ef,
    Af,
    Eg,
    Ag,
    /// Linear time, future.
    F,
    G,
    X,
    /// Linear time, past.
    O,
    H,
    Y,
    Z,
}

/// Temporal operators with two operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UntilOperator {
    /// `E [p U q]`
    ExistsUntil,
    /// `A [p U q]`
    ForAllUntil,
    /// `p U q`
    Until,
    /// `p V q`
    Releases,
    /// `p S q`
    Since,
    /// `p T q`
    Triggered,
}

/// Temporal operators with an interval of steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)] // each variant is its operator
pub enum BoundedOperator {
    Ebf,
    Abf,
    Ebg,
    Abg,
}
