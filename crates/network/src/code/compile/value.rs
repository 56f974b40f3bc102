//! Expressions for their values.

use crate::code::compile::builder::ProgramBuilder;
use crate::code::machine::arithmetic;
use crate::code::machine::instruction::{Instruction, Slot};
use crate::expression::{BinaryOp, Expr, Quantifier, UnaryOp};
use crate::ids::{FunctionId, SiteId};
use crate::interval::Interval;
use crate::visit::{Visitor, walk_expr};

/// Where a value is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Operand {
    Const(i32),
    Slot(Slot),
}

/// A value that code has computed, and what is known of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Value {
    pub operand: Operand,
    pub interval: Interval,
}

impl Value {
    pub fn constant(value: i32) -> Value {
        Value {
            operand: Operand::Const(value),
            interval: Interval::point(value),
        }
    }

    /// What a slot holds; a number where only one is possible.
    pub fn slot(slot: Slot, interval: Interval) -> Value {
        match interval.as_point() {
            Some(value) => Value::constant(value),
            None => Value {
                operand: Operand::Slot(slot),
                interval,
            },
        }
    }

    pub fn as_const(self) -> Option<i32> {
        match self.operand {
            Operand::Const(value) => Some(value),
            Operand::Slot(_) => None,
        }
    }
}

impl ProgramBuilder<'_> {
    /// Emits code for an expression. The result is a number, a cell (not copied: see [`Self::protected`]) or the
    /// temporary that was next when the call was made; all later temporaries are free again.
    pub(crate) fn value(&mut self, expr: &Expr) -> Value {
        match expr {
            Expr::Const(value) => Value::constant(*value),
            Expr::Load(place) => self.load(place),
            Expr::At(process, location) => {
                let a = self.layout.location(*process) as Slot;
                let b = self.literal(location.0 as i32);
                let to = self.temporaries(1);
                self.emit(Instruction::Equal { to, a, b });
                Value::slot(to, Interval::BOOL)
            }
            Expr::Unary(op, operand, site) => self.unary(*op, operand, *site),
            Expr::Binary(op, left, right, site) => self.binary(*op, left, right, *site),
            Expr::And(_) | Expr::Or(_) => self.materialised(expr),
            Expr::Conditional(condition, then, otherwise) => {
                self.conditional(condition, then, otherwise)
            }
            Expr::Quantified {
                quantifier: Quantifier::Sum,
                ..
            } => self.sum(expr),
            Expr::Quantified { .. } => self.materialised(expr),
            Expr::Call {
                function,
                arguments,
                ..
            } => self.call(*function, arguments),
            Expr::Checked {
                value,
                low,
                high,
                site,
            } => {
                let value = self.value(value);
                self.check(value, *low, *high, *site);
                Value {
                    interval: value.interval.clamped(*low, *high),
                    ..value
                }
            }
            Expr::Then(statements, value) => {
                self.stmts(statements);
                self.value(value)
            }
        }
    }

    fn unary(&mut self, op: UnaryOp, operand: &Expr, site: SiteId) -> Value {
        let mark = self.temporary;
        let value = self.value(operand);
        if let Some(folded) = value
            .as_const()
            .and_then(|a| Self::folded(arithmetic::unary(op, a)))
        {
            self.temporary = mark;
            return Value::constant(folded);
        }
        let a = self.operand(value);
        self.temporary = mark;
        let to = self.temporaries(1);
        let instruction = match op {
            UnaryOp::Negate => Instruction::Negate { to, a },
            UnaryOp::Not => Instruction::Not { to, a },
            UnaryOp::BitNot => Instruction::BitNot { to, a },
            UnaryOp::Abs => Instruction::Abs { to, a },
        };
        self.emit_at(instruction, site);
        Value::slot(to, Interval::unary(op, value.interval))
    }

    /// Both operands, the left one safe from what the right one does.
    pub(crate) fn operands(&mut self, left: &Expr, right: &Expr) -> (Value, Value) {
        let left = self.value(left);
        let left = self.protected(left, [right]);
        (left, self.value(right))
    }

    fn binary(&mut self, op: BinaryOp, left: &Expr, right: &Expr, site: SiteId) -> Value {
        let mark = self.temporary;
        let (left, right) = self.operands(left, right);
        let folded = match (left.as_const(), right.as_const()) {
            (Some(a), Some(b)) => Self::folded(arithmetic::binary(op, a, b)),
            _ => Interval::compare(op, left.interval, right.interval).map(i32::from),
        };
        let (a, b) = (
            self.operand_unless(left, folded),
            self.operand_unless(right, folded),
        );
        self.temporary = mark;
        if let Some(folded) = folded {
            return Value::constant(folded);
        }
        let to = self.temporaries(1);
        self.emit_at(binary_instruction(op, to, a, b), site);
        Value::slot(to, Interval::binary(op, left.interval, right.interval))
    }

    /// No literal is made for an operation that folds away.
    fn operand_unless(&mut self, value: Value, folded: Option<i32>) -> Slot {
        match folded {
            Some(_) => 0,
            None => self.operand(value),
        }
    }

    /// The truth of a condition as 0 or 1.
    fn materialised(&mut self, expr: &Expr) -> Value {
        let to = self.temporaries(1);
        let mark = self.temporary;
        let (no, end) = (self.label(), self.label());
        self.jump_unless(expr, no);
        self.emit(Instruction::Set { to, value: 1 });
        self.jump(end);
        self.bind(no);
        self.emit(Instruction::Set { to, value: 0 });
        self.bind(end);
        self.temporary = mark;
        Value::slot(to, Interval::BOOL)
    }

    fn conditional(&mut self, condition: &Expr, then: &Expr, otherwise: &Expr) -> Value {
        let to = self.temporaries(1);
        let mark = self.temporary;
        let (no, end) = (self.label(), self.label());
        self.jump_unless(condition, no);
        self.temporary = mark;
        let first = self.value(then);
        self.store(to, first);
        self.temporary = mark;
        self.jump(end);
        self.bind(no);
        let second = self.value(otherwise);
        self.store(to, second);
        self.temporary = mark;
        self.bind(end);

        Value::slot(to, first.interval.hull(second.interval))
    }

    /// The value, copied to a temporary if evaluating what comes later may change the cell that holds it.
    pub(crate) fn protected<'e>(
        &mut self,
        value: Value,
        later: impl IntoIterator<Item = &'e Expr>,
    ) -> Value {
        let Operand::Slot(slot) = value.operand else {
            return value;
        };
        let Some(cell) = self.cell_at(slot) else {
            return value;
        };
        for expr in later {
            if may_write(expr) && self.footprints.expr(expr).writes.contains(cell) {
                let to = self.temporaries(1);
                self.emit(Instruction::Move { to, from: slot });
                return Value {
                    operand: Operand::Slot(to),
                    ..value
                };
            }
        }
        value
    }
}

/// Whether an expression could write anything at all: most cannot, by their form.
pub(crate) fn may_write(expr: &Expr) -> bool {
    struct Search(bool);
    impl Visitor for Search {
        fn expr(&mut self, expr: &Expr) {
            match expr {
                Expr::Then(..) | Expr::Quantified { .. } => self.0 = true,
                _ => walk_expr(self, expr),
            }
        }

        fn call(&mut self, _: FunctionId) {
            self.0 = true;
        }
    }
    let mut search = Search(false);
    search.expr(expr);
    search.0
}

fn binary_instruction(op: BinaryOp, to: Slot, a: Slot, b: Slot) -> Instruction {
    use BinaryOp::*;
    match op {
        Add => Instruction::Add { to, a, b },
        Subtract => Instruction::Subtract { to, a, b },
        Multiply => Instruction::Multiply { to, a, b },
        Divide => Instruction::Divide { to, a, b },
        Remainder => Instruction::Remainder { to, a, b },
        Power => Instruction::Power { to, a, b },
        BitAnd => Instruction::BitAnd { to, a, b },
        BitOr => Instruction::BitOr { to, a, b },
        BitXor => Instruction::BitXor { to, a, b },
        ShiftLeft => Instruction::ShiftLeft { to, a, b },
        ShiftRight => Instruction::ShiftRight { to, a, b },
        Minimum => Instruction::Minimum { to, a, b },
        Maximum => Instruction::Maximum { to, a, b },
        Less => Instruction::Less { to, a, b },
        LessEqual => Instruction::LessEqual { to, a, b },
        Equal => Instruction::Equal { to, a, b },
        NotEqual => Instruction::NotEqual { to, a, b },
        GreaterEqual => Instruction::LessEqual { to, a: b, b: a },
        Greater => Instruction::Less { to, a: b, b: a },
    }
}
