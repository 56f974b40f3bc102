//! Statements of functions.

use super::{Declaration, Expr, Name, TypeSpec};
use crate::Span;

/// `{ declarations statements }`.
#[derive(Clone, PartialEq, Debug)]
pub struct Block {
    /// The local variables.
    pub declarations: Vec<Declaration>,
    /// The statements.
    pub statements: Vec<Statement>,
    /// With its braces.
    pub span: Span,
}

/// A statement.
#[derive(Clone, PartialEq, Debug)]
pub struct Statement {
    /// What it does.
    pub kind: StatementKind,
    /// The whole statement.
    pub span: Span,
}

/// What a statement does.
#[derive(Clone, PartialEq, Debug)]
pub enum StatementKind {
    /// `;`
    Empty,
    /// An expression, evaluated for its effect.
    Expr(Expr),
    /// A block.
    Block(Block),
    /// `if … else if … else …`
    If {
        /// Conditions with what follows them; never empty.
        branches: Vec<(Expr, Statement)>,
        /// The last `else`.
        otherwise: Option<Box<Statement>>,
    },
    /// `for (start; condition; step) body`; comma lists are [`super::ExprKind::Comma`].
    For {
        /// Before the loop.
        start: Option<Box<Expr>>,
        /// Before each round.
        condition: Option<Box<Expr>>,
        /// After each round.
        step: Option<Box<Expr>>,
        /// The loop's body.
        body: Box<Statement>,
    },
    /// `for (variable : range) body`
    Iteration {
        /// The variable.
        variable: Name,
        /// What it ranges over.
        range: TypeSpec,
        /// The loop's body.
        body: Box<Statement>,
    },
    /// `while (condition) body`
    While {
        /// Before each round.
        condition: Expr,
        /// The loop's body.
        body: Box<Statement>,
    },
    /// `do body while (condition);`
    DoWhile {
        /// The loop's body.
        body: Box<Statement>,
        /// After each round.
        condition: Expr,
    },
    /// `return …;`
    Return(Option<Expr>),
    /// `assert …;`
    Assert(Expr),
    /// `break;`
    Break,
    /// `continue;`
    Continue,
    /// A statement that could not be read; there is a diagnostic for it.
    Broken,
}
