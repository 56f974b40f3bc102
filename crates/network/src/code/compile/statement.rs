//! Statements.

use crate::code::compile::builder::ProgramBuilder;
use crate::code::compile::place::Rest;
use crate::code::compile::value::may_write;
use crate::code::machine::instruction::{CopyAccess, Instruction, Slot};
use crate::expression::{BinaryOp, ClockPlace, Expr, Index, Place, Stmt};
use crate::ids::SiteId;
use crate::memory::Address;

impl ProgramBuilder<'_> {
    /// Emits code for statements in a row.
    pub(crate) fn stmts(&mut self, statements: &[Stmt]) {
        for statement in statements {
            let mark = self.temporary;
            self.stmt(statement);
            self.temporary = mark;
        }
    }

    fn stmt(&mut self, statement: &Stmt) {
        match statement {
            Stmt::Assign {
                target,
                value,
                low,
                high,
                site,
            } => self.assign(target, value, (*low, *high), *site),
            Stmt::Copy {
                target,
                source,
                cells,
            } => self.copy(target, source, *cells),
            Stmt::Reset { clock, value, site } => self.reset(clock, value, *site),
            Stmt::CopyClock {
                target,
                source,
                offset,
            } => self.emit(Instruction::CopyClock {
                target: target.0,
                source: source.0,
                offset: *offset,
            }),
            Stmt::Evaluate(Expr::Call {
                function,
                arguments,
                ..
            }) => self.call_statement(*function, arguments),
            Stmt::Evaluate(expr) => {
                self.value(expr);
            }
            Stmt::If {
                condition,
                then,
                otherwise,
            } => self.if_else(
                condition,
                |builder| builder.stmts(then),
                |builder| builder.stmts(otherwise),
                otherwise.is_empty(),
            ),
            Stmt::While {
                condition,
                body,
                test_first,
                site,
            } => self.while_loop(condition, body, *test_first, *site),
            Stmt::For { .. } => self.for_loop(statement),
            Stmt::Return(value) => self.return_value(value.as_ref()),
            Stmt::ReturnCopy(place, cells) => {
                if let Some(exit) = self.exits.last().copied() {
                    if let Some((result, size)) = exit.result {
                        self.copy(&Place::cell(result), place, size.min(*cells));
                    }
                    self.jump(exit.label);
                }
            }
        }
    }

    fn if_else(
        &mut self,
        condition: &Expr,
        then: impl FnOnce(&mut Self),
        otherwise: impl FnOnce(&mut Self),
        no_else: bool,
    ) {
        let no = self.label();
        self.jump_unless(condition, no);
        then(self);
        if no_else {
            return self.bind(no);
        }
        let end = self.label();
        self.jump(end);
        self.bind(no);
        otherwise(self);
        self.bind(end);
    }

    fn assign(&mut self, target: &Place, value: &Expr, range: (i32, i32), site: SiteId) {
        let Some(cell) = target.fixed() else {
            let value = self.value(value);
            let value = self.protected(value, target.indices.iter().map(|index| &index.value));
            return self.store_to_place(target, value, range, site);
        };
        match value {
            // Both arms store to the cell itself rather than to a temporary.
            Expr::Conditional(condition, then, otherwise) => self.if_else(
                condition,
                |builder| builder.assign(target, then, range, site),
                |builder| builder.assign(target, otherwise, range, site),
                false,
            ),
            Expr::Binary(op @ (BinaryOp::Add | BinaryOp::Subtract), left, right, sum_site)
                if **left == Expr::load(cell)
                    && self.increment(cell, *op, right, range, [*sum_site, site]) => {}
            _ => {
                let value = self.value(value);
                let slot = self.slot(cell);
                self.store_checked(slot, value, range.0, range.1, site);
            }
        }
    }

    /// `cell += by` with a check of the range as one instruction; false if the form does not fit.
    fn increment(
        &mut self,
        cell: Address,
        op: BinaryOp,
        by: &Expr,
        (low, high): (i32, i32),
        sites: [SiteId; 2],
    ) -> bool {
        if may_write(by) || self.cell_interval(cell).as_point().is_some() {
            return false;
        }
        let by = match (op, by) {
            (BinaryOp::Add, by) => self.value(by),
            (BinaryOp::Subtract, Expr::Const(number)) => {
                crate::code::compile::value::Value::constant(number.wrapping_neg())
            }
            _ => return false,
        };
        let range = self.range(low, high);
        let (cell, by) = (self.slot(cell), self.operand(by));
        self.emit_at_both(
            Instruction::AddChecked { cell, by, range },
            sites[0],
            sites[1],
        );
        true
    }

    /// The first slot and what is added to it at run time.
    pub(crate) fn place_slots(&mut self, place: &Place) -> (Slot, Option<Slot>) {
        let resolved = self.resolve(place.base.offset, &place.indices);
        let base = self.slot(Address {
            offset: resolved.base,
            ..place.base
        });
        (base, self.offset_slot(resolved.rest))
    }

    /// Copies cells between places.
    pub(crate) fn copy(&mut self, target: &Place, source: &Place, cells: u32) {
        let (from, from_offset) = self.place_slots(source);
        let (to, to_offset) = self.place_slots(target);
        self.copy_slots((to, to_offset), (from, from_offset), cells);
    }

    /// Copies cells between slots that are known, up to offsets.
    pub(crate) fn copy_slots(
        &mut self,
        (to, to_offset): (Slot, Option<Slot>),
        (from, from_offset): (Slot, Option<Slot>),
        cells: u32,
    ) {
        if cells == 0 {
            return;
        }
        if to_offset.is_none() && from_offset.is_none() {
            return self.emit(match cells {
                1 => Instruction::Move { to, from },
                _ => Instruction::Copy { to, from, cells },
            });
        }
        let copy = self.copy_access(CopyAccess {
            to,
            to_offset,
            from,
            from_offset,
            cells,
        });
        self.emit(Instruction::CopyIndexed { copy });
    }

    fn reset(&mut self, clock: &ClockPlace, value: &Expr, site: SiteId) {
        let value = self.value(value);
        let value = self.protected(
            value,
            clock.indices.iter().map(|index: &Index| &index.value),
        );
        let resolved = self.resolve(clock.base.0, &clock.indices);
        let offset = match resolved.rest {
            Rest::Nothing => None,
            rest => self.offset_slot(rest),
        };
        let value = self.operand(value);
        self.emit_at(
            match offset {
                None => Instruction::SetClock {
                    clock: resolved.base,
                    value,
                },
                Some(offset) => Instruction::SetClockIndexed {
                    base: resolved.base,
                    offset,
                    value,
                },
            },
            site,
        );
    }

    fn while_loop(&mut self, condition: &Expr, body: &[Stmt], test_first: bool, site: SiteId) {
        let (top, end) = (self.label(), self.label());
        self.bind(top);
        if test_first {
            self.jump_unless(condition, end);
            self.stmts(body);
        } else {
            self.stmts(body);
            self.jump_unless(condition, end);
        }
        let target = self.target(top);
        self.emit_at(Instruction::Repeat { target }, site);
        self.bind(end);
    }

    fn return_value(&mut self, value: Option<&Expr>) {
        let Some(exit) = self.exits.last().copied() else {
            return;
        };
        if let Some(value) = value {
            let value = self.value(value);
            if let Some((result, _)) = exit.result {
                let slot = self.slot(result);
                self.store(slot, value);
            }
        }
        self.jump(exit.label);
    }
}
