//! Code so simple that the caller may do it alone.

use crate::bounds::is_comparison;
use crate::code::compile::builder::ProgramBuilder;
use crate::code::machine::instruction::Slot;
use crate::expression::{BinaryOp, Expr, Stmt, UnaryOp};

/// What a piece of code amounts to. Slots are indices into the machine's memory.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Quick {
    /// The number in all states; no statements (with any number).
    Constant(i32),
    /// The slot's content.
    Cell(u32),
    /// 1 if the slot holds the number, else 0.
    CellEqual(u32, i32),
    /// 1 unless the slot holds the number, else 0.
    CellNotEqual(u32, i32),
    /// 1 if the slot's content is less than the number, else 0.
    CellLess(u32, i32),
    /// 1 if the slot's content is the number or more, else 0.
    CellNotLess(u32, i32),
    /// One assignment of a number that is in range to a slot.
    Set(u32, i32),
    /// None of these.
    Code,
}

impl ProgramBuilder<'_> {
    /// Classifies an expression.
    pub(crate) fn quick_expression(&self, expr: &Expr) -> Quick {
        match expr {
            Expr::Const(value) => Quick::Constant(*value),
            Expr::Load(_) => match self.plain_cell(expr) {
                Some(slot) => Quick::Cell(slot),
                None => Quick::Code,
            },
            Expr::At(process, location) => {
                Quick::CellEqual(self.layout.location(*process) as u32, location.0 as i32)
            }
            Expr::Unary(UnaryOp::Not, inner, _) => match self.quick_expression(inner) {
                Quick::Constant(value) => Quick::Constant(i32::from(value == 0)),
                Quick::Cell(slot) => Quick::CellEqual(slot, 0),
                Quick::CellEqual(slot, value) => Quick::CellNotEqual(slot, value),
                Quick::CellNotEqual(slot, value) => Quick::CellEqual(slot, value),
                Quick::CellLess(slot, value) => Quick::CellNotLess(slot, value),
                Quick::CellNotLess(slot, value) => Quick::CellLess(slot, value),
                other => other,
            },
            Expr::And(items) | Expr::Or(items) if items.len() == 1 => {
                match self.quick_expression(&items[0]) {
                    Quick::Constant(value) => Quick::Constant(i32::from(value != 0)),
                    Quick::Cell(slot) => Quick::CellNotEqual(slot, 0),
                    other => other,
                }
            }
            Expr::Binary(op, left, right, _) if is_comparison(*op) => match (&**left, &**right) {
                (cell, Expr::Const(value)) => self.quick_comparison(*op, cell, *value),
                (Expr::Const(value), cell) => self.quick_comparison(op.mirrored(), cell, *value),
                _ => Quick::Code,
            },
            _ => Quick::Code,
        }
    }

    fn quick_comparison(&self, op: BinaryOp, cell: &Expr, value: i32) -> Quick {
        let Some(slot) = self.plain_cell(cell) else {
            return Quick::Code;
        };
        match (op, value.checked_add(1)) {
            (BinaryOp::Equal, _) => Quick::CellEqual(slot, value),
            (BinaryOp::NotEqual, _) => Quick::CellNotEqual(slot, value),
            (BinaryOp::Less, _) => Quick::CellLess(slot, value),
            (BinaryOp::GreaterEqual, _) => Quick::CellNotLess(slot, value),
            (BinaryOp::LessEqual, Some(next)) => Quick::CellLess(slot, next),
            (BinaryOp::Greater, Some(next)) => Quick::CellNotLess(slot, next),
            _ => Quick::Code,
        }
    }

    /// The slot of an expression that only reads one changeable cell.
    fn plain_cell(&self, expr: &Expr) -> Option<Slot> {
        let Expr::Load(place) = expr else {
            return None;
        };
        let cell = place.fixed()?;
        match self.cell_interval(cell).as_point() {
            None => Some(self.layout.address(cell) as Slot),
            Some(_) => None,
        }
    }

    /// Classifies statements.
    pub(crate) fn quick_statements(&self, statements: &[Stmt]) -> Quick {
        match statements {
            [] => Quick::Constant(0),
            [
                Stmt::Assign {
                    target,
                    value: Expr::Const(value),
                    low,
                    high,
                    ..
                },
            ] if (low..=high).contains(&value) => match target.fixed() {
                Some(cell) => Quick::Set(self.layout.address(cell) as u32, *value),
                None => Quick::Code,
            },
            _ => Quick::Code,
        }
    }
}
