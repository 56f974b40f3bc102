//! Expressions of the network as expressions of the finite system.

use merkhet_finite::{Arithmetic, ExpressionId, Kind, Node, Type};
use merkhet_network::interval::Interval;
use merkhet_network::{
    Address, Argument, BinaryOp, ClockId, Expr, Index, Place, Quantifier, Region, UnaryOp,
};
use rustc_hash::FxHashMap;

use super::{Translate, Translator};

/// Arrays with more elements are not taken apart.
const MOST_ELEMENTS: usize = 256;

/// Loops with more rounds are not unrolled.
pub(super) const MOST_ROUNDS: i64 = 1024;

const SCALAR: Type = Type {
    kind: Kind::Scalar,
    set: false,
};

/// A value with the range that it is in.
pub type Ranged = (ExpressionId, Interval);

/// Where an expression is evaluated: what earlier statements assigned, and on which condition it is reached.
#[derive(Clone, Default)]
pub(super) struct Scope {
    pub(super) cells: FxHashMap<Address, Ranged>,
    pub(super) clocks: FxHashMap<ClockId, ExpressionId>,
    /// `None`: always.
    pub(super) path: Option<ExpressionId>,
    /// When an evaluation fails.
    pub(super) faults: Vec<ExpressionId>,
}

impl Translator<'_> {
    /// Runs `work` where a further condition holds.
    pub(super) fn under<T>(
        &mut self,
        scope: &mut Scope,
        condition: ExpressionId,
        work: impl FnOnce(&mut Self, &mut Scope) -> Translate<T>,
    ) -> Translate<T> {
        let outer = scope.path;
        scope.path = Some(match outer {
            Some(path) => self.system.expressions.and([path, condition]),
            None => condition,
        });
        let result = work(self, scope);
        scope.path = outer;
        result
    }

    fn fault(&mut self, condition: ExpressionId, scope: &mut Scope) {
        let reached = match scope.path {
            Some(path) => self.system.expressions.and([path, condition]),
            None => condition,
        };
        scope.faults.push(reached);
    }

    /// Whether a value is outside a range, where that is possible.
    pub(super) fn check_range(
        &mut self,
        value: Ranged,
        low: i32,
        high: i32,
        scope: &mut Scope,
    ) -> Interval {
        let (id, interval) = value;
        if !interval.within(low, high) {
            let (least, most) = (self.number(low.into()), self.number(high.into()));
            let expressions = &mut self.system.expressions;
            let below = expressions.relation(Node::Less(id, least));
            let above = expressions.relation(Node::Less(most, id));
            let outside = expressions.or([below, above]);
            self.fault(outside, scope);
        }
        interval.clamped(low, high)
    }

    /// `if condition then a else b`.
    pub(super) fn choose(&mut self, condition: ExpressionId, a: Ranged, b: Ranged) -> Ranged {
        if a.0 == b.0 {
            return a;
        }
        let always = self.system.expressions.boolean(true);
        let id = self
            .system
            .expressions
            .case(vec![(condition, a.0), (always, b.0)], SCALAR);
        (id, a.1.hull(b.1))
    }

    /// An expression as a truth value.
    pub(super) fn condition(&mut self, expr: &Expr, scope: &mut Scope) -> Translate<ExpressionId> {
        match expr {
            Expr::At(process, location) => Ok(self.at(*process, location.index())),
            Expr::Unary(UnaryOp::Not, inner, _) => {
                let inner = self.condition(inner, scope)?;
                Ok(self.system.expressions.not(inner))
            }
            Expr::And(parts) => self.chain(parts, true, scope),
            Expr::Or(parts) => self.chain(parts, false, scope),
            Expr::Binary(op, a, b, _) if merkhet_network::bounds::is_comparison(*op) => {
                let (a, b) = (self.value(a, scope)?.0, self.value(b, scope)?.0);
                let expressions = &mut self.system.expressions;
                Ok(match op {
                    BinaryOp::Less => expressions.relation(Node::Less(a, b)),
                    BinaryOp::LessEqual => expressions.relation(Node::LessEqual(a, b)),
                    BinaryOp::Greater => expressions.relation(Node::Less(b, a)),
                    BinaryOp::GreaterEqual => expressions.relation(Node::LessEqual(b, a)),
                    BinaryOp::Equal => expressions.equal(a, b),
                    _ => {
                        let equal = expressions.equal(a, b);
                        expressions.not(equal)
                    }
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
                let forall = *quantifier == Quantifier::Forall;
                self.rounds(*low, *high)?;
                let mut parts = Vec::new();
                for value in *low..=*high {
                    let number = self.number(value.into());
                    scope
                        .cells
                        .insert(*variable, (number, Interval::point(value)));
                    parts.push(self.condition(body, scope)?);
                }
                let expressions = &mut self.system.expressions;
                Ok(if forall {
                    expressions.and(parts)
                } else {
                    expressions.or(parts)
                })
            }
            _ => {
                let (value, interval) = self.value(expr, scope)?;
                if let Some(truth) = interval.truth() {
                    return Ok(self.system.expressions.boolean(truth));
                }
                let zero = self.number(0);
                let equal = self.system.expressions.equal(value, zero);
                Ok(self.system.expressions.not(equal))
            }
        }
    }

    /// Conjunction or disjunction: a part is evaluated only if those before it do not decide.
    fn chain(&mut self, parts: &[Expr], and: bool, scope: &mut Scope) -> Translate<ExpressionId> {
        let outer = scope.path;
        let mut known = Vec::new();
        for part in parts {
            let truth = self.condition(part, scope)?;
            known.push(truth);
            let going_on = if and {
                truth
            } else {
                self.system.expressions.not(truth)
            };
            scope.path = Some(match scope.path {
                Some(path) => self.system.expressions.and([path, going_on]),
                None => going_on,
            });
        }
        scope.path = outer;
        let expressions = &mut self.system.expressions;
        Ok(if and {
            expressions.and(known)
        } else {
            expressions.or(known)
        })
    }

    pub(super) fn rounds(&self, low: i32, high: i32) -> Translate<()> {
        match i64::from(high) - i64::from(low) < MOST_ROUNDS {
            true => Ok(()),
            false => Err("a loop has too many rounds".into()),
        }
    }

    /// An expression as a number.
    pub(super) fn value(&mut self, expr: &Expr, scope: &mut Scope) -> Translate<Ranged> {
        match expr {
            Expr::Const(value) => Ok((self.number((*value).into()), Interval::point(*value))),
            Expr::Load(place) => self.load(place, scope),
            Expr::Unary(UnaryOp::Negate, a, _) => {
                let (a, interval) = self.value(a, scope)?;
                let id = self.system.expressions.add(Node::Negate(a), SCALAR);
                fitting(
                    id,
                    Interval::unary(UnaryOp::Negate, interval),
                    -interval.high,
                    -interval.low,
                )
            }
            Expr::Unary(UnaryOp::Abs, a, _) => {
                let a = self.value(a, scope)?;
                let zero = self.number(0);
                let negative = self.system.expressions.relation(Node::Less(a.0, zero));
                let minus = self.system.expressions.add(Node::Negate(a.0), SCALAR);
                let interval = Interval::unary(UnaryOp::Abs, a.1);
                let chosen = self.choose(negative, (minus, interval), (a.0, interval));
                fitting(chosen.0, interval, 0, a.1.high.max(-a.1.low))
            }
            Expr::Binary(op, a, b, _) if !merkhet_network::bounds::is_comparison(*op) => {
                let (a, b) = (self.value(a, scope)?, self.value(b, scope)?);
                self.arithmetic(*op, a, b)
            }
            Expr::Conditional(condition, then, otherwise) => {
                let condition = self.condition(condition, scope)?;
                let not = self.system.expressions.not(condition);
                let a = self.under(scope, condition, |this, scope| this.value(then, scope))?;
                let b = self.under(scope, not, |this, scope| this.value(otherwise, scope))?;
                Ok(self.choose(condition, a, b))
            }
            Expr::Quantified {
                quantifier: Quantifier::Sum,
                variable,
                low,
                high,
                body,
                ..
            } => {
                self.rounds(*low, *high)?;
                let mut sum = (self.number(0), Interval::point(0));
                for value in *low..=*high {
                    let number = self.number(value.into());
                    scope
                        .cells
                        .insert(*variable, (number, Interval::point(value)));
                    let part = self.value(body, scope)?;
                    sum = self.arithmetic(BinaryOp::Add, sum, part)?;
                }
                Ok(sum)
            }
            Expr::Checked {
                value, low, high, ..
            } => {
                let value = self.value(value, scope)?;
                let interval = self.check_range(value, *low, *high, scope);
                Ok((value.0, interval))
            }
            Expr::Then(statements, value) => {
                self.statements(statements, scope)?;
                self.value(value, scope)
            }
            Expr::Call {
                function,
                arguments,
                ..
            } => self.call(function.index(), arguments, scope),
            Expr::Unary(UnaryOp::BitNot, ..) => Err("bit operations are not supported".into()),
            _ => {
                let truth = self.condition(expr, scope)?;
                let id = self.system.expressions.add(Node::ToInteger(truth), SCALAR);
                Ok((id, Interval::BOOL))
            }
        }
    }

    fn arithmetic(&mut self, op: BinaryOp, a: Ranged, b: Ranged) -> Translate<Ranged> {
        let interval = Interval::binary(op, a.1, b.1);
        let node = |operator| Node::Arithmetic(operator, a.0, b.0);
        let zero = b.1.low <= 0 && 0 <= b.1.high;
        let node = match op {
            BinaryOp::Add => node(Arithmetic::Add),
            BinaryOp::Subtract => node(Arithmetic::Subtract),
            BinaryOp::Multiply => node(Arithmetic::Multiply),
            BinaryOp::Divide if !zero => node(Arithmetic::Divide),
            BinaryOp::Remainder if !zero => node(Arithmetic::Modulo),
            BinaryOp::Minimum | BinaryOp::Maximum => {
                let less = self.system.expressions.relation(Node::Less(a.0, b.0));
                let (first, second) = if op == BinaryOp::Minimum {
                    (a, b)
                } else {
                    (b, a)
                };
                let chosen = self.choose(less, first, second);
                return Ok((chosen.0, interval));
            }
            BinaryOp::Divide | BinaryOp::Remainder => return Err("a divisor may be 0".into()),
            _ => return Err("bit operations and powers are not supported".into()),
        };
        let id = self.system.expressions.add(node, SCALAR);
        let corners = [
            (a.1.low, b.1.low),
            (a.1.low, b.1.high),
            (a.1.high, b.1.low),
            (a.1.high, b.1.high),
        ];
        let exact = |(a, b): (i64, i64)| match op {
            BinaryOp::Add => a + b,
            BinaryOp::Subtract => a - b,
            BinaryOp::Multiply => a * b,
            _ => 0,
        };
        let (low, high) = corners
            .iter()
            .map(|c| exact(*c))
            .fold((0, 0), |(l, h), x| (l.min(x), h.max(x)));
        fitting(id, interval, low, high)
    }

    /// The cells that a place may be, each with the condition on its indices.
    pub(super) fn candidates(
        &mut self,
        base: u32,
        indices: &[Index],
        scope: &mut Scope,
    ) -> Translate<Vec<(u32, Option<ExpressionId>)>> {
        let mut all = vec![(base, None)];
        for index in indices {
            let value = self.value(&index.value, scope)?;
            self.check_range(value, 0, index.length as i32 - 1, scope);
            let first = value.1.low.clamp(0, i64::from(index.length));
            let last = value.1.high.clamp(-1, i64::from(index.length) - 1);
            let mut longer = Vec::new();
            for number in first..=last {
                let constant = self.number(number);
                let here = self.system.expressions.equal(value.0, constant);
                for (offset, condition) in &all {
                    let both = match condition {
                        Some(condition) => self.system.expressions.and([*condition, here]),
                        None => here,
                    };
                    longer.push((offset + number as u32 * index.stride, Some(both)));
                }
            }
            if longer.len() > MOST_ELEMENTS {
                return Err("an array has too many elements".into());
            }
            all = longer;
        }
        Ok(all)
    }

    fn load(&mut self, place: &Place, scope: &mut Scope) -> Translate<Ranged> {
        if let Some(address) = place.fixed() {
            return self.cell(address, scope);
        }
        let region = place.base.region;
        let mut result = None;
        for (offset, condition) in self.candidates(place.base.offset, &place.indices, scope)? {
            let cell = self.cell(Address { region, offset }, scope)?;
            result = Some(match (result, condition) {
                (Some(so_far), Some(condition)) => self.choose(condition, cell, so_far),
                _ => cell,
            });
        }
        result.ok_or_else(|| "an index is always out of range".into())
    }

    pub(super) fn cell(&mut self, address: Address, scope: &Scope) -> Translate<Ranged> {
        if let Some(known) = scope.cells.get(&address) {
            return Ok(*known);
        }
        let offset = address.offset as usize;
        let declared = self.network.cells(address.region).get(offset).copied();
        match (address.region, declared) {
            (Region::State, Some(cell)) => {
                let id = self.variable(self.cells[offset], false);
                Ok((id, Interval::new(cell.low.into(), cell.high.into())))
            }
            (Region::Constant, Some(cell)) => Ok((
                self.number(cell.initial.into()),
                Interval::point(cell.initial),
            )),
            _ => Err("a local variable is read before it is written".into()),
        }
    }

    fn call(
        &mut self,
        function: usize,
        arguments: &[Argument],
        scope: &mut Scope,
    ) -> Translate<Ranged> {
        let function = self
            .network
            .functions
            .get(function)
            .ok_or("an unknown function")?;
        let mut values = Vec::new();
        for argument in arguments {
            match argument {
                Argument::Value(value) => values.push(vec![self.value(value, scope)?]),
                Argument::Copy(place, cells) => {
                    let parts = (0..*cells).map(|by| self.load(&place.plus(by), scope));
                    values.push(parts.collect::<Translate<_>>()?);
                }
            }
        }
        for ((first, _), values) in function.parameters.iter().zip(values) {
            for (by, value) in values.into_iter().enumerate() {
                scope.cells.insert(first.plus(by as u32), value);
            }
        }
        self.body(&function.body, function.result, scope)?;
        match function.result {
            Some((result, 1)) => self.cell(result, scope),
            _ => Ok((self.number(0), Interval::point(0))),
        }
    }
}

/// Refuses values that may leave 32 bits.
fn fitting(id: ExpressionId, interval: Interval, low: i64, high: i64) -> Translate<Ranged> {
    match i64::from(i32::MIN) <= low && high <= i64::from(i32::MAX) {
        true => Ok((id, interval)),
        false => Err("a number may overflow".into()),
    }
}
