//! The memory in two runs of the same code, and what a condition says about it.

use merkhet_network::interval::Interval;
use merkhet_network::{Address, BinaryOp, Expr, Place, UnaryOp};
use rustc_hash::FxHashMap;

use super::evaluate::Reader;
use super::value::{Polarity, Value};

/// What is known of cells beyond what holds at the start.
#[derive(Clone, Default, Debug)]
pub(super) struct Memory {
    cells: FxHashMap<Address, Value>,
    /// No run comes here.
    pub dead: bool,
}

impl Memory {
    pub fn get(&self, cell: Address) -> Option<Value> {
        self.cells.get(&cell).copied()
    }

    pub fn set(&mut self, cell: Address, value: Value) {
        self.cells.insert(cell, value);
    }

    pub fn cells(&self) -> impl Iterator<Item = (Address, Value)> + '_ {
        self.cells.iter().map(|(cell, value)| (*cell, *value))
    }
}

impl Reader<'_> {
    /// Goes on with those runs only in which a condition has this truth. One with effects says nothing: its parts would be
    /// read after what they have changed.
    pub fn assume(&mut self, memory: &mut Memory, condition: &Expr, truth: bool) {
        let before = self.effects();
        self.narrow_by(memory, condition, truth);
        self.lost |= self.effects() != before;
    }

    fn narrow_by(&mut self, memory: &mut Memory, condition: &Expr, truth: bool) {
        match condition {
            Expr::Const(value) => memory.dead |= (*value != 0) != truth,
            Expr::Unary(UnaryOp::Not, inner, _) => self.assume(memory, inner, !truth),
            Expr::And(parts) | Expr::Or(parts) => {
                let all = matches!(condition, Expr::And(_)) == truth;
                if all {
                    parts
                        .iter()
                        .for_each(|part| self.assume(memory, part, truth));
                    return;
                }
                // One of them has this truth: it is the only one that may.
                let mut open = parts.iter().filter(|part| {
                    let value = self.peek(memory, part).truth().interval;
                    value.truth() != Some(!truth)
                });
                match (open.next(), open.next()) {
                    (None, _) => memory.dead = true,
                    (Some(only), None) => self.assume(memory, only, truth),
                    _ => {}
                }
            }
            Expr::Checked { value, .. } => self.assume(memory, value, truth),
            Expr::Call {
                function,
                arguments,
                ..
            } => self.assume_call(memory, *function, arguments, truth),
            Expr::Binary(op, left, right, _) => {
                let op = if truth {
                    *op
                } else {
                    op.opposite().unwrap_or(BinaryOp::Add)
                };
                let (a, b) = (self.peek(memory, left), self.peek(memory, right));
                self.narrow(memory, left, op, b.interval);
                self.narrow(memory, right, op.mirrored(), a.interval);
            }
            Expr::Load(_) => {
                let op = if truth {
                    BinaryOp::NotEqual
                } else {
                    BinaryOp::Equal
                };
                self.narrow(memory, condition, op, Interval::point(0));
            }
            _ => {}
        }
    }

    /// `expr op other` holds, where `other` lies within an interval.
    fn narrow(&mut self, memory: &mut Memory, expr: &Expr, op: BinaryOp, other: Interval) {
        let Expr::Load(place) = strip(expr) else {
            return;
        };
        let Some(cell) = self.fixed_cell(memory, place) else {
            return;
        };
        let value = self.load(memory, cell);
        let Interval { mut low, mut high } = value.interval;
        match op {
            BinaryOp::Less => high = high.min(other.high - 1),
            BinaryOp::LessEqual => high = high.min(other.high),
            BinaryOp::Greater => low = low.max(other.low + 1),
            BinaryOp::GreaterEqual => low = low.max(other.low),
            BinaryOp::Equal => (low, high) = (low.max(other.low), high.min(other.high)),
            BinaryOp::NotEqual => match other.as_point() {
                Some(point) if low == i64::from(point) => low += 1,
                Some(point) if high == i64::from(point) => high -= 1,
                _ => {}
            },
            _ => {}
        }
        if low > high {
            memory.dead = true;
            return;
        }
        let narrower = Value {
            interval: Interval::new(low, high),
            ..value
        };
        // One value is left: both runs have it.
        let polarity = Value::new(value.polarity, narrower.interval).polarity;
        memory.set(
            cell,
            Value {
                polarity,
                ..narrower
            },
        );
    }

    /// The value of an expression, without its effects.
    pub fn peek(&mut self, memory: &Memory, expr: &Expr) -> Value {
        self.expr(&mut memory.clone(), expr)
    }

    /// The cell that a place stands for, if that is certain.
    pub fn fixed_cell(&mut self, memory: &Memory, place: &Place) -> Option<Address> {
        let mut offset = 0;
        for index in &place.indices {
            let value = self.peek(memory, &index.value).interval.as_point()?;
            let value = u32::try_from(value).ok().filter(|v| *v < index.length)?;
            offset += value * index.stride;
        }
        Some(place.base.plus(offset))
    }

    /// What holds after one of two ways, which a condition of this polarity chose.
    pub fn merge(&mut self, condition: Polarity, then: Memory, otherwise: Memory) -> Memory {
        if then.dead {
            return otherwise;
        }
        if otherwise.dead {
            return then;
        }
        let mut merged = Memory::default();
        let other = otherwise.cells.keys();
        for &cell in then.cells.keys().chain(other) {
            if merged.cells.contains_key(&cell) {
                continue;
            }
            let (a, b) = (self.load(&then, cell), self.load(&otherwise, cell));
            let value = Value::either(condition, a, b);
            let id = self.fresh();
            merged.set(cell, value.named(id));
        }
        merged
    }
}

fn strip(expr: &Expr) -> &Expr {
    match expr {
        Expr::Checked { value, .. } => strip(value),
        other => other,
    }
}
