//! Array accesses: constant indices disappear, one run-time index is one instruction, more are summed up first.

use crate::code::compile::builder::ProgramBuilder;
use crate::code::compile::value::{Operand, Value};
use crate::code::machine::arithmetic;
use crate::code::machine::instruction::{Access, Instruction, Slot};
use crate::expression::{Expr, Index, Place};
use crate::ids::SiteId;
use crate::memory::Address;

/// A place whose indices have been evaluated; numbers are relative to `base`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Resolved {
    /// The cell (or clock) for run-time indices 0.
    pub base: u32,
    pub rest: Rest,
}

/// What is added to the base.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Rest {
    Nothing,
    /// One index, not checked yet.
    Index {
        index: Value,
        stride: u32,
        length: u32,
        site: SiteId,
    },
    /// The sum, checked, in a slot.
    Offset(Slot),
}

impl ProgramBuilder<'_> {
    /// A number that an index expression is known to be, without emitting anything.
    fn fold(&self, expr: &Expr) -> Option<i32> {
        match expr {
            Expr::Const(value) => Some(*value),
            Expr::Load(place) => self.cell_interval(place.fixed()?).as_point(),
            Expr::Unary(op, operand, _) => arithmetic::unary(*op, self.fold(operand)?).ok(),
            Expr::Binary(op, left, right, _) => {
                arithmetic::binary(*op, self.fold(left)?, self.fold(right)?).ok()
            }
            Expr::Checked {
                value, low, high, ..
            } => self
                .fold(value)
                .filter(|value| (low..=high).contains(&value)),
            _ => None,
        }
    }

    /// Evaluates indices one by one, each being checked before the next is evaluated.
    pub(crate) fn resolve(&mut self, base: u32, indices: &[Index]) -> Resolved {
        let mut base = base;
        let mut rest = Rest::Nothing;
        for index in indices {
            if let Some(value) = self.fold(&index.value)
                && (0..i64::from(index.length)).contains(&i64::from(value))
            {
                base += value as u32 * index.stride;
                continue;
            }
            // A former index is checked, and safe from this one's effects, before this one is evaluated.
            if let Some(offset) = self.offset_slot(rest) {
                rest = Rest::Offset(offset);
            }
            let mark = self.temporary;
            let value = self.value(&index.value);
            rest = match rest {
                Rest::Offset(to) => {
                    let slot = self.operand(value);
                    let access = self.index_access(index.stride, index.length);
                    self.emit_at(
                        Instruction::OffsetMore {
                            to,
                            index: slot,
                            access,
                        },
                        index.site,
                    );
                    self.temporary = mark;
                    Rest::Offset(to)
                }
                _ => Rest::Index {
                    index: value,
                    stride: index.stride,
                    length: index.length,
                    site: index.site,
                },
            };
        }
        Resolved { base, rest }
    }

    fn index_access(&mut self, stride: u32, length: u32) -> u32 {
        self.access(Access {
            base: 0,
            stride,
            length,
            low: i32::MIN,
            high: i32::MAX,
        })
    }

    /// The slot of a temporary that holds what is added to the base, checked; `None` for nothing.
    pub(crate) fn offset_slot(&mut self, rest: Rest) -> Option<Slot> {
        match rest {
            Rest::Nothing => None,
            Rest::Offset(slot) => Some(slot),
            Rest::Index {
                index,
                stride,
                length,
                site,
            } => {
                let slot = self.operand(index);
                let to = match slot {
                    slot if Self::is_temporary(slot) => slot,
                    _ => self.temporaries(1),
                };
                let access = self.index_access(stride, length);
                self.emit_at(
                    Instruction::Offset {
                        to,
                        index: slot,
                        access,
                    },
                    site,
                );
                Some(to)
            }
        }
    }

    /// Reads one cell.
    pub(crate) fn load(&mut self, place: &Place) -> Value {
        if let Some(cell) = place.fixed() {
            return Value::slot(self.slot(cell), self.cell_interval(cell));
        }
        let mark = self.temporary;
        self.bounds.assume_only(&self.known);
        let interval = self.bounds.of_place(place);
        let resolved = self.resolve(place.base.offset, &place.indices);
        let cell = Address {
            offset: resolved.base,
            ..place.base
        };
        let base = self.slot(cell);
        match resolved.rest {
            Rest::Nothing => {
                self.temporary = mark;
                Value::slot(base, self.cell_interval(cell))
            }
            Rest::Offset(offset) => {
                self.temporary = mark;
                let to = self.temporaries(1);
                self.emit(Instruction::Load { to, base, offset });
                Value::slot(to, interval)
            }
            Rest::Index {
                index,
                stride,
                length,
                site,
            } => {
                let slot = self.operand(index);
                self.temporary = mark;
                let to = self.temporaries(1);
                if stride == 1 && is_inside(index, length) {
                    self.emit(Instruction::Load {
                        to,
                        base,
                        offset: slot,
                    });
                } else {
                    let access = self.access(Access {
                        base,
                        stride,
                        length,
                        low: i32::MIN,
                        high: i32::MAX,
                    });
                    self.emit_at(
                        Instruction::LoadIndexed {
                            to,
                            index: slot,
                            access,
                        },
                        site,
                    );
                }
                Value::slot(to, interval)
            }
        }
    }

    /// Writes one cell, whose indices are evaluated now.
    pub(crate) fn store_to_place(
        &mut self,
        place: &Place,
        value: Value,
        (low, high): (i32, i32),
        site: SiteId,
    ) {
        let resolved = self.resolve(place.base.offset, &place.indices);
        let base = self.slot(Address {
            offset: resolved.base,
            ..place.base
        });
        match resolved.rest {
            Rest::Nothing => self.store_checked(base, value, low, high, site),
            Rest::Offset(offset) => {
                self.check(value, low, high, site);
                let value = self.operand(value);
                self.emit(Instruction::Store {
                    base,
                    offset,
                    value,
                });
            }
            Rest::Index {
                index,
                stride: 1,
                length,
                ..
            } if is_inside(index, length) => {
                self.check(value, low, high, site);
                let (offset, value) = (self.operand(index), self.operand(value));
                self.emit(Instruction::Store {
                    base,
                    offset,
                    value,
                });
            }
            Rest::Index {
                index,
                stride,
                length,
                site: index_site,
            } => {
                let access = self.access(Access {
                    base,
                    stride,
                    length,
                    low,
                    high,
                });
                let (index, value) = (self.operand(index), self.operand(value));
                self.emit_at_both(
                    Instruction::StoreIndexed {
                        index,
                        value,
                        access,
                    },
                    index_site,
                    site,
                );
            }
        }
    }
}

fn is_inside(index: Value, length: u32) -> bool {
    match index.operand {
        Operand::Const(_) => false,
        Operand::Slot(_) => {
            index
                .interval
                .within(0, length.saturating_sub(1).min(i32::MAX as u32) as i32)
                && length > 0
        }
    }
}
