//! Expressions and statements over the flat memory: names, types and references are resolved.
//!
//! These trees are what analyses, printing and the independent judge read. The engine runs the code that
//! [`crate::code`] makes from them. Integers are 32 bits wide and arithmetic is modulo 2^32.

use crate::ids::{ClockId, FunctionId, LocationId, ProcessId, SiteId};
use crate::memory::Address;

/// One array index of a [`Place`] that is known at run time only.
#[derive(Clone, PartialEq, Debug)]
pub struct Index {
    /// The index; a fault if it is not in `0..length`.
    pub value: Expr,
    /// Cells (or clocks) from one element to the next.
    pub stride: u32,
    /// The number of elements.
    pub length: u32,
    /// Where it stands in the source.
    pub site: SiteId,
}

/// A cell that may depend on indices: `base + Σ index·stride`. Constant indices are folded into the base.
#[derive(Clone, PartialEq, Debug)]
pub struct Place {
    /// The cell for all indices 0.
    pub base: Address,
    /// The run-time indices, outermost first.
    pub indices: Vec<Index>,
}

/// A clock that may depend on indices, like [`Place`].
#[derive(Clone, PartialEq, Debug)]
pub struct ClockPlace {
    /// The clock for all indices 0.
    pub base: ClockId,
    /// The run-time indices, outermost first.
    pub indices: Vec<Index>,
}

/// Operators with one operand.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum UnaryOp {
    /// `-a`.
    Negate,
    /// `!a`: 1 if a is 0, else 0.
    Not,
    /// `~a`.
    BitNot,
    /// `abs(a)`.
    Abs,
}

/// Operators with two operands that are both always evaluated, left first. Comparisons give 0 or 1.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[allow(missing_docs)]
pub enum BinaryOp {
    Add,
    Subtract,
    Multiply,
    /// Rounds toward zero, as in C; a fault if the divisor is 0.
    Divide,
    /// Has the dividend's sign, as in C; a fault if the divisor is 0.
    Remainder,
    /// A fault if the exponent is negative.
    Power,
    BitAnd,
    BitOr,
    BitXor,
    /// A fault if the count is negative or above 31.
    ShiftLeft,
    /// Arithmetic shift; a fault if the count is negative or above 31.
    ShiftRight,
    Minimum,
    Maximum,
    Less,
    LessEqual,
    Equal,
    NotEqual,
    GreaterEqual,
    Greater,
}

impl BinaryOp {
    /// The comparison that holds where this one does not; `None` if this compares nothing.
    pub fn opposite(self) -> Option<BinaryOp> {
        use BinaryOp::*;
        Some(match self {
            Less => GreaterEqual,
            LessEqual => Greater,
            Equal => NotEqual,
            NotEqual => Equal,
            GreaterEqual => Less,
            Greater => LessEqual,
            _ => return None,
        })
    }

    /// The comparison with its sides exchanged; other operators stay as they are.
    #[must_use]
    pub fn mirrored(self) -> BinaryOp {
        use BinaryOp::*;
        match self {
            Less => Greater,
            LessEqual => GreaterEqual,
            GreaterEqual => LessEqual,
            Greater => Less,
            other => other,
        }
    }

    /// Whether two numbers compare so; always, if this compares nothing.
    #[inline]
    pub fn compares(self, left: i64, right: i64) -> bool {
        match self {
            BinaryOp::Less => left < right,
            BinaryOp::LessEqual => left <= right,
            BinaryOp::Equal => left == right,
            BinaryOp::NotEqual => left != right,
            BinaryOp::GreaterEqual => left >= right,
            BinaryOp::Greater => left > right,
            _ => true,
        }
    }
}

/// The quantifiers.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Quantifier {
    /// 1 if the body is non-zero for all values (stops at the first 0).
    Forall,
    /// 1 if the body is non-zero for some value (stops at the first).
    Exists,
    /// The sum of the body's values.
    Sum,
}

/// An expression with an integer value (Booleans are 0 and 1; any non-zero value counts as true).
#[derive(Clone, PartialEq, Debug)]
pub enum Expr {
    /// A number.
    Const(i32),
    /// The content of a cell.
    Load(Place),
    /// 1 if the process is at the location. Only in queries and generated conditions.
    At(ProcessId, LocationId),
    /// One operand.
    Unary(UnaryOp, Box<Expr>, SiteId),
    /// Two operands.
    Binary(BinaryOp, Box<Expr>, Box<Expr>, SiteId),
    /// Conjunction, left to right, stops at the first 0; the value is 0 or 1; empty is 1.
    And(Vec<Expr>),
    /// Disjunction, left to right, stops at the first non-zero; the value is 0 or 1; empty is 0.
    Or(Vec<Expr>),
    /// `condition ? then : otherwise`; one branch is evaluated.
    Conditional(Box<Expr>, Box<Expr>, Box<Expr>),
    /// A loop over a range with a variable in a [`crate::memory::Region::Local`] cell.
    Quantified {
        /// Which.
        quantifier: Quantifier,
        /// The variable's cell.
        variable: Address,
        /// First value.
        low: i32,
        /// Last value; no iteration if below `low`.
        high: i32,
        /// What is evaluated for each value.
        body: Box<Expr>,
        /// Where it stands.
        site: SiteId,
    },
    /// A function call, its result being one cell (0 for a `void` function).
    Call {
        /// The function.
        function: FunctionId,
        /// One for each parameter, evaluated left to right, before any parameter cell is written.
        arguments: Vec<Argument>,
        /// Where it stands.
        site: SiteId,
    },
    /// The value, which must be within `low..=high`: a fault otherwise (arguments, results, indices).
    Checked {
        /// The value.
        value: Box<Expr>,
        /// Smallest allowed.
        low: i32,
        /// Largest allowed.
        high: i32,
        /// Where it stands.
        site: SiteId,
    },
    /// Statements run for their effect, then a value: assignments, `++` and structure results inside expressions.
    Then(Vec<Stmt>, Box<Expr>),
}

/// An argument of a call.
#[derive(Clone, PartialEq, Debug)]
pub enum Argument {
    /// One cell's value (already checked against the parameter's range by [`Expr::Checked`] where needed).
    Value(Expr),
    /// An array or structure passed by value, with the number of cells to copy.
    Copy(Place, u32),
}

/// A statement.
#[derive(Clone, PartialEq, Debug)]
pub enum Stmt {
    /// Writes one cell. The value is evaluated first, then the target's indices; a fault if it is outside the range.
    Assign {
        /// The cell.
        target: Place,
        /// The value.
        value: Expr,
        /// Smallest value of the target's type.
        low: i32,
        /// Largest value of the target's type.
        high: i32,
        /// Where it stands.
        site: SiteId,
    },
    /// Copies consecutive cells, as if all were read before the first is written.
    Copy {
        /// First cell written.
        target: Place,
        /// First cell read.
        source: Place,
        /// How many.
        cells: u32,
    },
    /// Sets a clock to a value; a fault if it is negative.
    Reset {
        /// The clock.
        clock: ClockPlace,
        /// The value.
        value: Expr,
        /// Where it stands.
        site: SiteId,
    },
    /// Sets a clock to another clock's value at that moment plus a constant (flat models only).
    CopyClock {
        /// The clock that changes.
        target: ClockId,
        /// The clock that is read.
        source: ClockId,
        /// What is added.
        offset: i32,
    },
    /// Evaluates an expression for its effects.
    Evaluate(Expr),
    /// `if`.
    If {
        /// The condition.
        condition: Expr,
        /// If it is non-zero.
        then: Vec<Stmt>,
        /// If it is 0.
        otherwise: Vec<Stmt>,
    },
    /// `while` and `do … while`; `for(;;)` is lowered to it.
    While {
        /// The condition.
        condition: Expr,
        /// The body.
        body: Vec<Stmt>,
        /// False for `do … while`.
        test_first: bool,
        /// Where it stands.
        site: SiteId,
    },
    /// `for (i : T)`: the variable's cell runs over the range. The body may read it only.
    For {
        /// The variable's cell, in [`crate::memory::Region::Local`].
        variable: Address,
        /// First value.
        low: i32,
        /// Last value; no iteration if below `low`.
        high: i32,
        /// The body.
        body: Vec<Stmt>,
        /// Where it stands.
        site: SiteId,
    },
    /// Ends the function; a value goes to its result cell.
    Return(Option<Expr>),
    /// Ends the function with an array or structure as result: the function's result cells get a copy.
    ReturnCopy(Place, u32),
}

/// A function without reference parameters and without recursion; its cells are fixed.
#[derive(Clone, PartialEq, Debug)]
pub struct Function {
    /// Its name, with the process in front where it is local to one.
    pub name: String,
    /// First cell (in [`crate::memory::Region::Local`]) and number of cells of each parameter.
    pub parameters: Vec<(Address, u32)>,
    /// The result's first cell and number of cells; `None` for `void`.
    pub result: Option<(Address, u32)>,
    /// The body. Locals are initialised by explicit statements at its start.
    pub body: Vec<Stmt>,
}

impl Place {
    /// A cell without run-time indices.
    pub const fn cell(base: Address) -> Place {
        Place {
            base,
            indices: Vec::new(),
        }
    }

    /// The place that lies a number of cells further on.
    #[must_use]
    pub fn plus(&self, by: u32) -> Place {
        Place {
            base: self.base.plus(by),
            indices: self.indices.clone(),
        }
    }

    /// The cell, if no index is known at run time only.
    pub fn fixed(&self) -> Option<Address> {
        self.indices.is_empty().then_some(self.base)
    }
}

impl Stmt {
    /// Whether it may end the function that it stands in.
    pub fn may_return(&self) -> bool {
        match self {
            Stmt::Return(_) | Stmt::ReturnCopy(..) => true,
            Stmt::If {
                then, otherwise, ..
            } => then.iter().chain(otherwise).any(Stmt::may_return),
            Stmt::While { body, .. } | Stmt::For { body, .. } => body.iter().any(Stmt::may_return),
            _ => false,
        }
    }
}

impl Expr {
    /// Truth.
    pub const TRUE: Expr = Expr::Const(1);
    /// Falsehood.
    pub const FALSE: Expr = Expr::Const(0);

    /// The content of a fixed cell.
    pub const fn load(base: Address) -> Expr {
        Expr::Load(Place::cell(base))
    }

    /// A binary operation without a source position.
    pub fn binary(op: BinaryOp, left: Expr, right: Expr) -> Expr {
        Expr::Binary(op, Box::new(left), Box::new(right), SiteId::NONE)
    }

    /// The number, if it is one.
    pub fn as_const(&self) -> Option<i32> {
        match self {
            Expr::Const(value) => Some(*value),
            _ => None,
        }
    }

    /// Logical negation, folded where it is trivial.
    #[must_use]
    pub fn negated(self) -> Expr {
        match self {
            Expr::Const(value) => Expr::Const((value == 0) as i32),
            Expr::Unary(UnaryOp::Not, inner, _) if inner.is_boolean() => *inner,
            other => Expr::Unary(UnaryOp::Not, Box::new(other), SiteId::NONE),
        }
    }

    /// Whether the value can only be 0 or 1, by the form of the expression.
    pub fn is_boolean(&self) -> bool {
        use BinaryOp::*;
        match self {
            Expr::Const(value) => matches!(value, 0 | 1),
            Expr::At(..) | Expr::And(_) | Expr::Or(_) | Expr::Unary(UnaryOp::Not, ..) => true,
            Expr::Binary(Less | LessEqual | Equal | NotEqual | GreaterEqual | Greater, ..) => true,
            Expr::Quantified { quantifier, .. } => *quantifier != Quantifier::Sum,
            Expr::Conditional(_, then, otherwise) => then.is_boolean() && otherwise.is_boolean(),
            _ => false,
        }
    }
}
