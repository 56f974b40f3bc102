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

/// A part of a statement.
#[derive(Clone, Copy, Debug)]
pub enum Part<'a> {
    /// An expression that it evaluates.
    Expr(&'a Expr),
    /// A statement inside it.
    Statement(&'a Statement),
    /// A block inside it.
    Block(&'a Block),
}

impl StatementKind {
    /// Visits the direct parts in the order of their evaluation (not those inside the type of an iteration).
    pub fn for_each_part<'a>(&'a self, mut visit: impl FnMut(Part<'a>)) {
        match self {
            StatementKind::Expr(expr)
            | StatementKind::Assert(expr)
            | StatementKind::Return(Some(expr)) => visit(Part::Expr(expr)),
            StatementKind::Block(block) => visit(Part::Block(block)),
            StatementKind::If {
                branches,
                otherwise,
            } => {
                for (condition, then) in branches {
                    visit(Part::Expr(condition));
                    visit(Part::Statement(then));
                }
                otherwise
                    .iter()
                    .for_each(|inner| visit(Part::Statement(inner)));
            }
            StatementKind::For {
                start,
                condition,
                step,
                body,
            } => {
                for part in [start, condition, step].into_iter().flatten() {
                    visit(Part::Expr(part));
                }
                visit(Part::Statement(body));
            }
            StatementKind::Iteration { body, .. } => visit(Part::Statement(body)),
            StatementKind::While { condition, body }
            | StatementKind::DoWhile { body, condition } => {
                visit(Part::Expr(condition));
                visit(Part::Statement(body));
            }
            StatementKind::Return(None)
            | StatementKind::Empty
            | StatementKind::Break
            | StatementKind::Continue
            | StatementKind::Broken => {}
        }
    }
}

impl Block {
    /// Visits each expression that some statement or initialiser evaluates, however deep in blocks; not those inside
    /// other expressions or types.
    pub fn for_each_expr<'a>(&'a self, visit: &mut impl FnMut(&'a Expr)) {
        for declaration in &self.declarations {
            if let Declaration::Variables(variables) = declaration {
                let values = variables.declarators.iter();
                for value in values.filter_map(|declarator| declarator.initialiser.as_ref()) {
                    value.for_each_expr(visit);
                }
            }
        }
        for statement in &self.statements {
            statement.for_each_expr(visit);
        }
    }
}

impl Statement {
    fn for_each_expr<'a>(&'a self, visit: &mut impl FnMut(&'a Expr)) {
        self.kind.for_each_part(|part| match part {
            Part::Expr(expr) => visit(expr),
            Part::Statement(inner) => inner.for_each_expr(visit),
            Part::Block(block) => block.for_each_expr(visit),
        });
    }
}
