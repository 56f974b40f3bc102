//! Conditions as jumps: conjunctions and disjunctions leave as soon as they are decided.

use crate::bounds::is_comparison;
use crate::code::compile::builder::{Label, ProgramBuilder};
use crate::code::compile::value::{Operand, Value};
use crate::code::machine::instruction::Instruction;
use crate::expression::{BinaryOp, Expr, Quantifier, UnaryOp};
use crate::interval::Interval;

impl ProgramBuilder<'_> {
    /// Goes to a label.
    pub(crate) fn jump(&mut self, to: Label) {
        let target = self.target(to);
        self.emit(Instruction::Jump { target });
    }

    /// Goes to a label if the expression is 0.
    pub(crate) fn jump_unless(&mut self, expr: &Expr, to: Label) {
        self.jump_if(expr, to, false);
    }

    /// Goes to a label if the truth of the expression is `sense`; goes on otherwise.
    pub(crate) fn jump_if(&mut self, expr: &Expr, to: Label, sense: bool) {
        let mark = self.temporary;
        match expr {
            Expr::Unary(UnaryOp::Not, inner, _) => self.jump_if(inner, to, !sense),
            Expr::And(items) => self.jump_if_items(items, to, sense, false),
            Expr::Or(items) => self.jump_if_items(items, to, sense, true),
            Expr::Binary(op, left, right, _) if is_comparison(*op) => {
                let (left, right) = self.operands(left, right);
                self.jump_if_compared(*op, left, right, to, sense);
            }
            Expr::At(process, location) => {
                let a = self.layout.location(*process) as u32;
                let value = location.0 as i32;
                let target = self.target(to);
                self.emit(match sense {
                    true => Instruction::JumpIs { a, value, target },
                    false => Instruction::JumpIsNot { a, value, target },
                });
            }
            Expr::Conditional(condition, then, otherwise) => {
                let (no, end) = (self.label(), self.label());
                self.jump_unless(condition, no);
                self.jump_if(then, to, sense);
                self.jump(end);
                self.bind(no);
                self.jump_if(otherwise, to, sense);
                self.bind(end);
            }
            Expr::Quantified {
                quantifier: Quantifier::Forall | Quantifier::Exists,
                ..
            } => self.jump_if_quantified(expr, to, sense),
            Expr::Then(statements, value) => {
                self.stmts(statements);
                self.jump_if(value, to, sense);
            }
            _ => {
                let value = self.value(expr);
                self.jump_if_compared(BinaryOp::NotEqual, value, Value::constant(0), to, sense);
            }
        }
        self.temporary = mark;
    }

    /// A conjunction (`absorbing` is false) or disjunction (true): the first item with that truth decides.
    fn jump_if_items(&mut self, items: &[Expr], to: Label, sense: bool, absorbing: bool) {
        if sense == absorbing {
            for item in items {
                self.jump_if(item, to, sense);
            }
            return;
        }
        let Some((last, others)) = items.split_last() else {
            return self.jump(to);
        };
        let decided = self.label();
        for item in others {
            self.jump_if(item, decided, absorbing);
        }
        self.jump_if(last, to, sense);
        self.bind(decided);
    }

    /// Goes to a label if the truth of `left op right` is `sense`.
    fn jump_if_compared(
        &mut self,
        op: BinaryOp,
        left: Value,
        right: Value,
        to: Label,
        sense: bool,
    ) {
        if let Some(outcome) = Interval::compare(op, left.interval, right.interval) {
            if outcome == sense {
                self.jump(to);
            }
            return;
        }
        let op = if sense {
            op
        } else {
            op.opposite().unwrap_or(BinaryOp::Equal)
        };
        let target = self.target(to);
        let instruction = match (left.operand, right.operand) {
            (Operand::Slot(a), Operand::Const(value)) => compare_with_number(op, a, value, target),
            (Operand::Const(value), Operand::Slot(a)) => {
                compare_with_number(op.mirrored(), a, value, target)
            }
            _ => {
                let (a, b) = (self.operand(left), self.operand(right));
                match op {
                    BinaryOp::Equal => Instruction::JumpEqual { a, b, target },
                    BinaryOp::Less => Instruction::JumpLess { a, b, target },
                    BinaryOp::GreaterEqual => Instruction::JumpGreaterEqual { a, b, target },
                    BinaryOp::Greater => Instruction::JumpLess { a: b, b: a, target },
                    BinaryOp::LessEqual => Instruction::JumpGreaterEqual { a: b, b: a, target },
                    _ => Instruction::JumpNotEqual { a, b, target },
                }
            }
        };
        self.emit(instruction);
    }
}

/// The comparisons with the greatest integer are decided by intervals before, so that `value + 1` exists.
fn compare_with_number(op: BinaryOp, a: u32, value: i32, target: u32) -> Instruction {
    match op {
        BinaryOp::Equal => Instruction::JumpIs { a, value, target },
        BinaryOp::Less => Instruction::JumpBelow { a, value, target },
        BinaryOp::GreaterEqual => Instruction::JumpNotBelow { a, value, target },
        BinaryOp::LessEqual => Instruction::JumpBelow {
            a,
            value: value.saturating_add(1),
            target,
        },
        BinaryOp::Greater => Instruction::JumpNotBelow {
            a,
            value: value.saturating_add(1),
            target,
        },
        _ => Instruction::JumpIsNot { a, value, target },
    }
}
