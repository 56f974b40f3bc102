//! Follows conditions: the ways in which they hold or fail; see [`crate::pa::evaluate`].

use merkhet_network::{
    Address, BinaryOp, ClockConstraint, ClockId, Expr, Formula, Quantifier, UnaryOp,
};

use crate::pa::evaluate::{Evaluator, MOST_ROUNDS, Worlds, is_comparison};
use crate::pa::linear::Linear;
use crate::pa::world::{ClockBound, World, packed};

impl Evaluator<'_> {
    /// The worlds in which a condition holds (or, for false, fails).
    pub fn assume(&mut self, world: World, expr: &Expr, polarity: bool) -> Worlds {
        match expr {
            Expr::Const(value) if (*value != 0) == polarity => vec![world],
            Expr::Const(_) => Vec::new(),
            Expr::Unary(UnaryOp::Not, inner, _) => self.assume(world, inner, !polarity),
            Expr::And(parts) | Expr::Or(parts) => {
                if !self.is_pure(expr) {
                    let worlds = self.unknown(world, expr);
                    return worlds.into_iter().map(|(world, _)| world).collect();
                }
                let all = matches!(expr, Expr::And(_)) == polarity;
                self.assume_parts(world, parts, all, |this, world, part| {
                    this.assume(world, part, polarity)
                })
            }
            Expr::Quantified {
                quantifier,
                variable,
                low,
                high,
                body,
                ..
            } if *quantifier != Quantifier::Sum => {
                if i64::from(*high) - i64::from(*low) >= MOST_ROUNDS || !self.is_pure(expr) {
                    let worlds = self.unknown(world, expr);
                    return worlds.into_iter().map(|(world, _)| world).collect();
                }
                let all = (*quantifier == Quantifier::Forall) == polarity;
                self.assume_range(world, *variable, (*low, *high), body, polarity, all)
            }
            Expr::At(process, location) => {
                let slots = &self.slots;
                let value = world.slot(slots, process.0);
                let form = value.and_then(|at| at.plus(&Linear::number(location.0.into()), -1));
                let mut world = world;
                let op = if polarity {
                    BinaryOp::Equal
                } else {
                    BinaryOp::NotEqual
                };
                let holds = world.compare(slots, op, &form);
                holds.then_some(world).into_iter().collect()
            }
            Expr::Binary(op, left, right, _) if is_comparison(*op) => {
                let op = if polarity {
                    *op
                } else {
                    op.opposite().unwrap_or(*op)
                };
                let mut all = Vec::new();
                for (world, left) in self.value(world, left) {
                    for (mut world, right) in self.value(world, right) {
                        let known = |form: &Linear| {
                            form.substitute(|slot| Some(world.before(&self.slots, slot)))
                        };
                        let left = left.as_ref().and_then(known);
                        let form = left.zip(right).and_then(|(a, b)| a.plus(&b, -1));
                        if world.compare(&self.slots, op, &form) {
                            all.push(world);
                        }
                    }
                }
                all
            }
            _ => {
                let op = if polarity {
                    BinaryOp::NotEqual
                } else {
                    BinaryOp::Equal
                };
                let mut all = Vec::new();
                for (mut world, value) in self.value(world, expr) {
                    if world.compare(&self.slots, op, &value) {
                        all.push(world);
                    }
                }
                all
            }
        }
    }

    /// The worlds in which all parts hold, or any of them; `assume` says where one does.
    fn assume_parts<P>(
        &mut self,
        world: World,
        parts: &[P],
        all: bool,
        mut assume: impl FnMut(&mut Self, World, &P) -> Worlds,
    ) -> Worlds {
        if all {
            let mut worlds = vec![world];
            for part in parts {
                let mut next = Vec::new();
                for world in worlds {
                    next.extend(assume(self, world, part));
                }
                worlds = next;
            }
            return worlds;
        }
        if self.exhausted(parts.len()) {
            return vec![world];
        }
        // Ways that overlap do no harm: their union is what counts.
        let mut worlds = Vec::new();
        for part in parts {
            worlds.extend(assume(self, world.clone(), part));
        }
        worlds
    }

    fn assume_range(
        &mut self,
        world: World,
        variable: Address,
        (low, high): (i32, i32),
        body: &Expr,
        polarity: bool,
        all: bool,
    ) -> Worlds {
        let rounds = (i64::from(high) - i64::from(low) + 1).max(0) as usize;
        if !all && self.exhausted(rounds) {
            return vec![world];
        }
        let mut kept = vec![world];
        let mut found = Vec::new();
        for value in low..=high {
            let mut next = Vec::new();
            for mut world in kept.clone() {
                world.assign(&self.slots, variable, Some(Linear::number(value.into())));
                next.extend(self.assume(world, body, polarity));
            }
            match all {
                true => kept = next,
                false => found.extend(next),
            }
        }
        if all { kept } else { found }
    }

    /// A state formula over the state before.
    pub fn assume_formula(&mut self, world: World, formula: &Formula, polarity: bool) -> Worlds {
        match formula {
            Formula::Data(expr) => self.assume(world, expr, polarity),
            Formula::Deadlock => vec![world],
            Formula::Not(inner) => self.assume_formula(world, inner, !polarity),
            Formula::Clock(constraint) => {
                let mut world = world;
                let known = (constraint.bound.as_const())
                    .and_then(|bound| packed(bound.into(), constraint.strict));
                let row = |clock: Option<ClockId>| clock.map_or(0, |clock| clock.0 as u16 + 1);
                let (left, right) = (row(constraint.left), row(constraint.right));
                if let Some(bound) = known
                    && !self.stopwatches.contains(&left)
                    && !self.stopwatches.contains(&right)
                {
                    world.before.push(match polarity {
                        true => ClockBound { left, right, bound },
                        false => ClockBound {
                            left: right,
                            right: left,
                            bound: merkhet_zones::bound::negate(bound),
                        },
                    });
                }
                vec![world]
            }
            Formula::And(parts) | Formula::Or(parts) => {
                let all = matches!(formula, Formula::And(_)) == polarity;
                self.assume_parts(world, parts, all, |this, world, part| {
                    this.assume_formula(world, part, polarity)
                })
            }
        }
    }

    /// A constraint on clocks whose bound and condition have their present values; the weakest that it can come to.
    pub fn clock_bound(
        &mut self,
        world: &World,
        constraint: &ClockConstraint,
    ) -> Option<ClockBound> {
        let row = |clock: Option<ClockId>| clock.map_or(0, |id| id.0 as u16 + 1);
        let (left, right) = (row(constraint.left), row(constraint.right));
        if self.stopwatches.contains(&left) || self.stopwatches.contains(&right) {
            return None;
        }
        if let Some(condition) = &constraint.condition {
            // Only where it surely counts: no way is left on which the condition fails.
            let pure = self.is_pure(condition);
            if !pure || !self.assume(world.clone(), condition, false).is_empty() {
                return None;
            }
        }
        let values = self.value(world.clone(), &constraint.bound);
        let mut most = None;
        for (_, value) in values {
            let (_, high) = value?.bounds(&self.slots);
            most = most.max(Some(high));
        }
        let bound = packed(most?, constraint.strict)?;
        Some(ClockBound { left, right, bound })
    }
}
