//! Expressions, of bounded height.

use super::{Name, TypeSpec};
use crate::Span;

/// An expression.
///
/// Its [height](Expr::height) is at most [`MAX_DEPTH`](crate::MAX_DEPTH) in every tree that the readers return.
#[derive(Clone, PartialEq, Debug)]
pub struct Expr {
    /// What it is.
    pub kind: ExprKind,
    /// The whole expression; parentheses around it are not included.
    pub span: Span,
    height: u16,
}

/// What an expression is.
#[derive(Clone, PartialEq, Debug)]
pub enum ExprKind {
    /// An integer; up to 2³¹, which only makes sense under a minus sign.
    Int(i64),
    /// `true` or `false`.
    Bool(bool),
    /// A number with a point or exponent.
    Double(f64),
    /// `"…"`
    String(String),
    /// A name.
    Name(String),
    /// `deadlock`.
    Deadlock,
    /// An operator before its operand.
    Unary {
        /// The operator.
        op: UnaryOp,
        /// The operand.
        operand: Box<Expr>,
    },
    /// An operator between its operands.
    ///
    /// Chains are left-associative, except that long runs of `&&`, of `||` and of `+` alone (more than 32 operands)
    /// are balanced, so that thousands of operands stay within the bounded height. The value is the same and the
    /// order of evaluation too.
    Binary {
        /// The operator.
        op: BinaryOp,
        /// The left operand.
        left: Box<Expr>,
        /// The right operand.
        right: Box<Expr>,
    },
    /// `target = value`, `target += value`, …
    Assign {
        /// The operator that combines the old value with the new one; `None` for a plain assignment.
        op: Option<BinaryOp>,
        /// What is assigned to.
        target: Box<Expr>,
        /// The value.
        value: Box<Expr>,
    },
    /// `++target`, `target--`, …
    Increment {
        /// What is changed.
        target: Box<Expr>,
        /// `--` rather than `++`.
        decrement: bool,
        /// Whether the operator stands after the target (the value is then the old one).
        postfix: bool,
    },
    /// `condition ? then : otherwise`
    Conditional {
        /// The condition.
        condition: Box<Expr>,
        /// The value where it holds.
        then: Box<Expr>,
        /// The value where not.
        otherwise: Box<Expr>,
    },
    /// `function(arguments)`; with a [`ExprKind::Field`] as function a method call, in queries also `Q(1)` of `Q(1).x`.
    Call {
        /// What is called.
        function: Box<Expr>,
        /// The arguments.
        arguments: Vec<Expr>,
    },
    /// `array[index]`
    Index {
        /// The array.
        array: Box<Expr>,
        /// The index.
        index: Box<Expr>,
    },
    /// `object.field`; in queries also `Process.location` and `Process.variable`.
    Field {
        /// The struct or process.
        object: Box<Expr>,
        /// The field.
        field: Name,
    },
    /// `clock'`
    Rate(Box<Expr>),
    /// `forall (variable : range) body` and the like.
    Quantified {
        /// Which one.
        quantifier: Quantifier,
        /// The variable.
        variable: Name,
        /// What it ranges over.
        range: Box<TypeSpec>,
        /// The body.
        body: Box<Expr>,
    },
    /// `a, b, …`: evaluated in order, the value is the last one.
    Comma(Vec<Expr>),
    /// Something of the language outside its symbolic part, such as `spawn T()`. There is no diagnostic for it.
    Unsupported {
        /// What it is, as `spawning a process`.
        what: &'static str,
    },
    /// An expression that could not be read; there is a diagnostic for it.
    Broken,
}

/// Operators before their operand.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum UnaryOp {
    /// `-`
    Negate,
    /// `+`
    Plus,
    /// `!`, `not`
    Not,
    /// `~`
    Complement,
}

/// Operators between their operands.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum BinaryOp {
    /// `||`, `or`
    Or,
    /// `xor`
    Xor,
    /// `imply`
    Imply,
    /// `&&`, `and`
    And,
    /// `|`
    BitOr,
    /// `^`
    BitXor,
    /// `&`
    BitAnd,
    /// `==`
    Equal,
    /// `!=`
    NotEqual,
    /// `<`
    Less,
    /// `<=`
    LessEqual,
    /// `>=`
    GreaterEqual,
    /// `>`
    Greater,
    /// `<?`
    Min,
    /// `>?`
    Max,
    /// `<<`
    ShiftLeft,
    /// `>>`
    ShiftRight,
    /// `+`
    Add,
    /// `-`
    Subtract,
    /// `*`
    Multiply,
    /// `/`
    Divide,
    /// `%`
    Modulo,
    /// `**`
    Power,
}

/// Operators that bind a variable.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Quantifier {
    /// `forall`
    ForAll,
    /// `exists`
    Exists,
    /// `sum`
    Sum,
}

impl Expr {
    /// An expression, its height computed from its parts.
    pub fn new(kind: ExprKind, span: Span) -> Expr {
        let mut height = 0;
        kind.for_each_child(|child| height = child.height.max(height));
        if let ExprKind::Quantified { range, .. } = &kind {
            height = height.max(range.height());
        }
        Expr {
            kind,
            span,
            height: height.saturating_add(1),
        }
    }

    /// One more than the greatest height of its parts; 1 for names and literals.
    pub fn height(&self) -> u16 {
        self.height
    }
}

impl ExprKind {
    /// Visits the direct subexpressions in the order of the text (not those inside a quantifier's type).
    pub fn for_each_child<'a>(&'a self, mut visit: impl FnMut(&'a Expr)) {
        match self {
            ExprKind::Int(_)
            | ExprKind::Bool(_)
            | ExprKind::Double(_)
            | ExprKind::String(_)
            | ExprKind::Name(_)
            | ExprKind::Deadlock
            | ExprKind::Unsupported { .. }
            | ExprKind::Broken => {}
            ExprKind::Unary { operand: part, .. }
            | ExprKind::Increment { target: part, .. }
            | ExprKind::Field { object: part, .. }
            | ExprKind::Rate(part)
            | ExprKind::Quantified { body: part, .. } => visit(part),
            ExprKind::Binary {
                left: first,
                right: second,
                ..
            }
            | ExprKind::Assign {
                target: first,
                value: second,
                ..
            }
            | ExprKind::Index {
                array: first,
                index: second,
            } => {
                visit(first);
                visit(second);
            }
            ExprKind::Conditional {
                condition,
                then,
                otherwise,
            } => {
                visit(condition);
                visit(then);
                visit(otherwise);
            }
            ExprKind::Call {
                function,
                arguments,
            } => {
                visit(function);
                arguments.iter().for_each(visit);
            }
            ExprKind::Comma(parts) => parts.iter().for_each(visit),
        }
    }
}

impl BinaryOp {
    /// The operator as it is written.
    pub fn symbol(self) -> &'static str {
        match self {
            BinaryOp::Or => "||",
            BinaryOp::Xor => "xor",
            BinaryOp::Imply => "imply",
            BinaryOp::And => "&&",
            BinaryOp::BitOr => "|",
            BinaryOp::BitXor => "^",
            BinaryOp::BitAnd => "&",
            BinaryOp::Equal => "==",
            BinaryOp::NotEqual => "!=",
            BinaryOp::Less => "<",
            BinaryOp::LessEqual => "<=",
            BinaryOp::GreaterEqual => ">=",
            BinaryOp::Greater => ">",
            BinaryOp::Min => "<?",
            BinaryOp::Max => ">?",
            BinaryOp::ShiftLeft => "<<",
            BinaryOp::ShiftRight => ">>",
            BinaryOp::Add => "+",
            BinaryOp::Subtract => "-",
            BinaryOp::Multiply => "*",
            BinaryOp::Divide => "/",
            BinaryOp::Modulo => "%",
            BinaryOp::Power => "**",
        }
    }
}
