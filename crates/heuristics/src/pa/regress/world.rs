//! One way through guards and updates: what it asks of the state before, and what it makes of each variable.

use std::collections::BTreeMap;

use merkhet_network::{Address, BinaryOp, Region};
use merkhet_zones::bound::{Bound, MAX_CONSTANT, le, lt};

use crate::pa::linear::Linear;
use crate::pa::predicate::{self, Condition, Literal};
use crate::pa::slots::Slots;

/// A value in terms of the state before; `None` if nothing is known.
pub type Symbol = Option<Linear>;

/// The value of a clock afterwards: that of a row before (0 is the constant zero) plus an offset.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ClockSymbol {
    /// Row and offset.
    Row(u16, i32),
    /// Any value.
    Unknown,
}

/// `x_left − x_right ≺ bound`, by rows.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct ClockBound {
    /// The row with the plus sign.
    pub left: u16,
    /// The row with the minus sign.
    pub right: u16,
    /// The packed bound.
    pub bound: Bound,
}

/// The bound `≺ constant`, if zones can express it.
pub fn packed(constant: i64, strict: bool) -> Option<Bound> {
    let within = constant.abs() <= i64::from(MAX_CONSTANT);
    within.then(|| match strict {
        true => lt(constant as i32),
        false => le(constant as i32),
    })
}

/// One way through guards and updates.
#[derive(Clone, Default, Debug)]
pub struct World {
    /// The values that dense slots can have before.
    pub masks: BTreeMap<u32, u64>,
    /// Further conditions on the state before.
    pub literals: Vec<Literal>,
    /// Conditions that no guard asks for: that values fit into what they are assigned to.
    pub implicit: Vec<Literal>,
    /// Slots that were assigned.
    pub slots: BTreeMap<u32, Symbol>,
    /// Local cells that were assigned.
    pub locals: BTreeMap<u32, Symbol>,
    /// Clocks that were set, by row.
    pub clocks: BTreeMap<u16, ClockSymbol>,
    /// Conditions on the clocks before.
    pub before: Vec<ClockBound>,
    /// Conditions on the clocks from the moment of arrival on.
    pub after: Vec<ClockBound>,
    /// A `return` was met in the function that is being followed.
    pub returned: bool,
}

impl World {
    /// Adds a condition on the state before; false if it contradicts what is known of one slot.
    pub fn assume(&mut self, slots: &Slots, condition: Condition) -> bool {
        let literal = match condition {
            Condition::Always => return true,
            Condition::Never => return false,
            Condition::Literal(literal) => literal,
        };
        match literal.mask(slots) {
            Some((slot, mask)) => self.restrict(slots, slot, mask),
            None => {
                if !self.literals.contains(&literal) {
                    self.literals.push(literal);
                }
                true
            }
        }
    }

    /// Restricts a dense slot; false if no value is left.
    pub fn restrict(&mut self, slots: &Slots, slot: u32, mask: u64) -> bool {
        let known = self.masks.entry(slot).or_insert_with(|| slots.full(slot));
        *known &= mask;
        *known != 0
    }

    /// The value of a slot before: a number if only one is possible.
    pub fn before(&self, slots: &Slots, slot: u32) -> Linear {
        match self.masks.get(&slot) {
            Some(mask) if mask.count_ones() == 1 => {
                Linear::number(slots.range(slot).0 + i64::from(mask.trailing_zeros()))
            }
            _ => Linear::slot(slot),
        }
    }

    /// The present value of a slot.
    pub fn slot(&self, slots: &Slots, slot: u32) -> Symbol {
        match self.slots.get(&slot) {
            Some(symbol) => symbol
                .clone()?
                .substitute(|slot| Some(self.before(slots, slot))),
            None => Some(self.before(slots, slot)),
        }
    }

    /// The present value of a cell; meta cells are not followed, constants are for the caller.
    pub fn cell(&self, slots: &Slots, address: Address) -> Symbol {
        match address.region {
            Region::State => self.slot(slots, slots.cell(address)?),
            Region::Local => {
                let symbol = self.locals.get(&address.offset)?.clone()?;
                symbol.substitute(|slot| Some(self.before(slots, slot)))
            }
            Region::Meta | Region::Constant => None,
        }
    }

    /// Assigns a cell.
    pub fn assign(&mut self, slots: &Slots, address: Address, symbol: Symbol) {
        match address.region {
            Region::State => {
                if let Some(slot) = slots.cell(address) {
                    self.slots.insert(slot, symbol);
                }
            }
            Region::Local => {
                self.locals.insert(address.offset, symbol);
            }
            Region::Meta | Region::Constant => {}
        }
    }

    /// The present value of a clock.
    pub fn clock(&self, row: u16) -> ClockSymbol {
        let known = self.clocks.get(&row).copied();
        known.unwrap_or(ClockSymbol::Row(row, 0))
    }

    /// `form ⋈ 0` for the value of an expression; an unknown value may satisfy anything.
    pub fn compare(&mut self, slots: &Slots, op: BinaryOp, form: &Symbol) -> bool {
        match form {
            Some(form) => self.assume(slots, predicate::of_comparison(slots, op, form)),
            None => true,
        }
    }

    /// The value lies within a range, or there is no transition.
    pub fn within(&mut self, slots: &Slots, value: &Symbol, low: i32, high: i32) -> bool {
        let ends = [
            (BinaryOp::GreaterEqual, i64::from(low)),
            (BinaryOp::LessEqual, i64::from(high)),
        ];
        for (op, end) in ends {
            let form = value
                .as_ref()
                .and_then(|form| form.plus(&Linear::number(end), -1));
            match form.map(|form| predicate::of_comparison(slots, op, &form)) {
                Some(Condition::Never) => return false,
                Some(Condition::Literal(literal)) if !self.implicit.contains(&literal) => {
                    self.implicit.push(literal);
                }
                _ => {}
            }
        }
        true
    }
}
