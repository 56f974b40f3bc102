//! Walks over expressions and statements: the recursion is written once, here.
//!
//! [`Visitor`] reads trees and [`Rewriter`] changes them in place. Neither follows calls into functions; what a call
//! touches is the business of [`crate::footprint`].

use crate::expression::{Argument, ClockPlace, Expr, Index, Place, Stmt};
use crate::ids::FunctionId;

pub use crate::bounds::{Bounds, bounds};
pub use crate::footprint::{CellSet, Footprint, Footprints};

/// Reads trees. Each method's default goes on to the parts; an override calls the matching `walk_…` to do the same.
pub trait Visitor {
    /// Any expression.
    fn expr(&mut self, expr: &Expr) {
        walk_expr(self, expr);
    }

    /// Any statement.
    fn stmt(&mut self, stmt: &Stmt) {
        walk_stmt(self, stmt);
    }

    /// Consecutive cells that are read, once their indices are known.
    fn read(&mut self, place: &Place, _cells: u32) {
        walk_indices(self, &place.indices);
    }

    /// Consecutive cells that are written.
    fn write(&mut self, place: &Place, _cells: u32) {
        walk_indices(self, &place.indices);
    }

    /// A clock that is set.
    fn reset(&mut self, clock: &ClockPlace) {
        walk_indices(self, &clock.indices);
    }

    /// A function that is called; its arguments are visited first.
    fn call(&mut self, _function: FunctionId) {}
}

/// Visits the indices of a place.
pub fn walk_indices<V: Visitor + ?Sized>(visitor: &mut V, indices: &[Index]) {
    for index in indices {
        visitor.expr(&index.value);
    }
}

/// Visits the parts of an expression, in the order of their evaluation.
pub fn walk_expr<V: Visitor + ?Sized>(visitor: &mut V, expr: &Expr) {
    match expr {
        Expr::Const(_) | Expr::At(..) => {}
        Expr::Load(place) => visitor.read(place, 1),
        Expr::Unary(_, operand, _) => visitor.expr(operand),
        Expr::Binary(_, left, right, _) => {
            visitor.expr(left);
            visitor.expr(right);
        }
        Expr::And(items) | Expr::Or(items) => items.iter().for_each(|item| visitor.expr(item)),
        Expr::Conditional(condition, then, otherwise) => {
            visitor.expr(condition);
            visitor.expr(then);
            visitor.expr(otherwise);
        }
        Expr::Quantified { variable, body, .. } => {
            visitor.write(&Place::cell(*variable), 1);
            visitor.expr(body);
        }
        Expr::Call {
            function,
            arguments,
            ..
        } => {
            for argument in arguments {
                match argument {
                    Argument::Value(value) => visitor.expr(value),
                    Argument::Copy(place, cells) => visitor.read(place, *cells),
                }
            }
            visitor.call(*function);
        }
        Expr::Checked { value, .. } => visitor.expr(value),
        Expr::Then(statements, value) => {
            walk_stmts(visitor, statements);
            visitor.expr(value);
        }
    }
}

/// Visits statements one after the other.
pub fn walk_stmts<V: Visitor + ?Sized>(visitor: &mut V, statements: &[Stmt]) {
    for statement in statements {
        visitor.stmt(statement);
    }
}

/// Visits the parts of a statement, in the order of their evaluation.
pub fn walk_stmt<V: Visitor + ?Sized>(visitor: &mut V, stmt: &Stmt) {
    match stmt {
        Stmt::Assign { target, value, .. } => {
            visitor.expr(value);
            visitor.write(target, 1);
        }
        Stmt::Copy {
            target,
            source,
            cells,
        } => {
            visitor.read(source, *cells);
            visitor.write(target, *cells);
        }
        Stmt::Reset { clock, value, .. } => {
            visitor.expr(value);
            visitor.reset(clock);
        }
        Stmt::CopyClock { target, .. } => visitor.reset(&ClockPlace {
            base: *target,
            indices: Vec::new(),
        }),
        Stmt::Evaluate(expr) => visitor.expr(expr),
        Stmt::If {
            condition,
            then,
            otherwise,
        } => {
            visitor.expr(condition);
            walk_stmts(visitor, then);
            walk_stmts(visitor, otherwise);
        }
        Stmt::While {
            condition, body, ..
        } => {
            visitor.expr(condition);
            walk_stmts(visitor, body);
        }
        Stmt::For { variable, body, .. } => {
            visitor.write(&Place::cell(*variable), 1);
            walk_stmts(visitor, body);
        }
        Stmt::Return(value) => value.iter().for_each(|value| visitor.expr(value)),
        Stmt::ReturnCopy(place, cells) => visitor.read(place, *cells),
    }
}

/// Changes trees in place: an override changes the node itself and calls the matching `rewrite_…` for its parts.
pub trait Rewriter {
    /// Any expression.
    fn expr(&mut self, expr: &mut Expr) {
        rewrite_expr(self, expr);
    }

    /// Any statement.
    fn stmt(&mut self, stmt: &mut Stmt) {
        rewrite_stmt(self, stmt);
    }

    /// Any place, read or written.
    fn place(&mut self, place: &mut Place) {
        rewrite_indices(self, &mut place.indices);
    }

    /// Any clock that is set through indices.
    fn clock_place(&mut self, clock: &mut ClockPlace) {
        rewrite_indices(self, &mut clock.indices);
    }

    /// Any run-time index.
    fn index(&mut self, index: &mut Index) {
        self.expr(&mut index.value);
    }
}

/// Rewrites indices.
pub fn rewrite_indices<R: Rewriter + ?Sized>(rewriter: &mut R, indices: &mut [Index]) {
    for index in indices {
        rewriter.index(index);
    }
}

/// Rewrites the parts of an expression.
pub fn rewrite_expr<R: Rewriter + ?Sized>(rewriter: &mut R, expr: &mut Expr) {
    match expr {
        Expr::Const(_) | Expr::At(..) => {}
        Expr::Load(place) => rewriter.place(place),
        Expr::Unary(_, operand, _) => rewriter.expr(operand),
        Expr::Binary(_, left, right, _) => {
            rewriter.expr(left);
            rewriter.expr(right);
        }
        Expr::And(items) | Expr::Or(items) => {
            items.iter_mut().for_each(|item| rewriter.expr(item));
        }
        Expr::Conditional(condition, then, otherwise) => {
            rewriter.expr(condition);
            rewriter.expr(then);
            rewriter.expr(otherwise);
        }
        Expr::Quantified { body, .. } => rewriter.expr(body),
        Expr::Call { arguments, .. } => {
            for argument in arguments {
                match argument {
                    Argument::Value(value) => rewriter.expr(value),
                    Argument::Copy(place, _) => rewriter.place(place),
                }
            }
        }
        Expr::Checked { value, .. } => rewriter.expr(value),
        Expr::Then(statements, value) => {
            rewrite_stmts(rewriter, statements);
            rewriter.expr(value);
        }
    }
}

/// Rewrites statements one after the other.
pub fn rewrite_stmts<R: Rewriter + ?Sized>(rewriter: &mut R, statements: &mut [Stmt]) {
    for statement in statements {
        rewriter.stmt(statement);
    }
}

/// Rewrites the parts of a statement.
pub fn rewrite_stmt<R: Rewriter + ?Sized>(rewriter: &mut R, stmt: &mut Stmt) {
    match stmt {
        Stmt::Assign { target, value, .. } => {
            rewriter.expr(value);
            rewriter.place(target);
        }
        Stmt::Copy { target, source, .. } => {
            rewriter.place(source);
            rewriter.place(target);
        }
        Stmt::Reset { clock, value, .. } => {
            rewriter.expr(value);
            rewriter.clock_place(clock);
        }
        Stmt::CopyClock { .. } => {}
        Stmt::Evaluate(expr) => rewriter.expr(expr),
        Stmt::If {
            condition,
            then,
            otherwise,
        } => {
            rewriter.expr(condition);
            rewrite_stmts(rewriter, then);
            rewrite_stmts(rewriter, otherwise);
        }
        Stmt::While {
            condition, body, ..
        } => {
            rewriter.expr(condition);
            rewrite_stmts(rewriter, body);
        }
        Stmt::For { body, .. } => rewrite_stmts(rewriter, body),
        Stmt::Return(value) => value.iter_mut().for_each(|value| rewriter.expr(value)),
        Stmt::ReturnCopy(place, _) => rewriter.place(place),
    }
}
