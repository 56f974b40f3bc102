//! Arithmetic on symbolic values: linear where that is possible, by trying values where it is not.

use merkhet_network::code::arithmetic;
use merkhet_network::{Address, BinaryOp, Expr};

use crate::pa::evaluate::{Evaluator, MOST_ROUNDS};
use crate::pa::linear::Linear;
use crate::pa::world::{Symbol, World};

impl Evaluator<'_> {
    /// A form whose values may leave 32 bits is not followed: overflow is a matter of the machine.
    pub(in crate::pa) fn exact(&self, symbol: Symbol) -> Symbol {
        symbol.filter(|form| form.is_exact(&self.slots))
    }

    /// Splits a world so that the form is a number in each; `None` if that were too many.
    pub(in crate::pa) fn numbers(
        &mut self,
        world: World,
        form: Linear,
    ) -> Vec<(World, Option<i64>)> {
        if let Some(number) = form.as_number() {
            return vec![(world, Some(number))];
        }
        let [(slot, by)] = form.terms[..] else {
            return vec![(world, None)];
        };
        let (low, high) = self.slots.range(slot);
        if high - low >= self.most.values || self.exhausted((high - low) as usize) {
            return vec![(world, None)];
        }
        let mut all = Vec::new();
        for value in low..=high {
            let mut world = world.clone();
            let only = self.slots.only(slot, value);
            if world.restrict(&self.slots, slot, only) {
                all.push((world, Some(by * value + form.constant)));
            }
        }
        all
    }

    pub(in crate::pa) fn fold_one(
        &mut self,
        world: World,
        value: Symbol,
        fold: impl Fn(i32) -> Option<i32>,
        into: &mut Vec<(World, Symbol)>,
    ) {
        let Some(form) = value else {
            into.push((world, None));
            return;
        };
        for (world, number) in self.numbers(world, form) {
            let folded = number.map(|number| i32::try_from(number).ok().and_then(&fold));
            match folded {
                None => into.push((world, None)),
                Some(None) => {} // a fault
                Some(Some(value)) => into.push((world, Some(Linear::number(value.into())))),
            }
        }
    }

    pub(in crate::pa) fn arithmetic(
        &mut self,
        op: BinaryOp,
        world: World,
        left: &Symbol,
        right: Symbol,
        into: &mut Vec<(World, Symbol)>,
    ) {
        let (Some(a), Some(b)) = (left, right) else {
            into.push((world, None));
            return;
        };
        let linear = match (op, a.as_number(), b.as_number()) {
            (BinaryOp::Add, ..) => a.plus(&b, 1),
            (BinaryOp::Subtract, ..) => a.plus(&b, -1),
            (BinaryOp::Multiply, Some(factor), _) => Linear::number(0).plus(&b, factor),
            (BinaryOp::Multiply, _, Some(factor)) => Linear::number(0).plus(a, factor),
            _ => None,
        };
        if linear.is_some() {
            into.push((world, self.exact(linear)));
            return;
        }
        for (world, first) in self.numbers(world, a.clone()) {
            let again = b.substitute(|slot| Some(world.before(&self.slots, slot)));
            let (Some(first), Some(b)) = (first, again) else {
                into.push((world, None));
                continue;
            };
            let Ok(first) = i32::try_from(first) else {
                continue;
            };
            let fold = |second: i32| arithmetic::binary(op, first, second).ok();
            self.fold_one(world, Some(b), fold, into);
        }
    }

    pub(in crate::pa) fn sum(
        &mut self,
        world: World,
        expr: &Expr,
        variable: Address,
        (low, high): (i32, i32),
        body: &Expr,
    ) -> Vec<(World, Symbol)> {
        if i64::from(high) - i64::from(low) >= MOST_ROUNDS {
            return self.unknown(world, expr);
        }
        let mut all = vec![(world, Some(Linear::number(0)))];
        for value in low..=high {
            let mut next = Vec::new();
            for (mut world, total) in all {
                let number = Some(Linear::number(value.into()));
                world.assign(&self.slots, variable, number);
                for (world, value) in self.value(world, body) {
                    let sum = total
                        .as_ref()
                        .zip(value)
                        .and_then(|(total, value)| total.plus(&value, 1));
                    next.push((world, self.exact(sum)));
                }
            }
            all = next;
        }
        all
    }
}
