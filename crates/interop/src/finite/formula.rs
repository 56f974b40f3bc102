//! Goals and invariants.

use merkhet_finite::ExpressionId;
use merkhet_network::{ClockConstraint, Formula, OutOfRange, ProcessId};

use super::expression::Scope;
use super::{Translate, Translator};

impl Translator<'_> {
    /// A formula (`positive`) or its negation as a condition on states. Bounds of clocks must be closed in that sign.
    pub(super) fn formula(&mut self, formula: &Formula, positive: bool) -> Translate<ExpressionId> {
        let id = match formula {
            Formula::Data(expr) => {
                let mut scope = Scope::default();
                let id = self.condition(expr, &mut scope)?;
                if !scope.faults.is_empty() {
                    return Err("the query may fail to evaluate".into());
                }
                if positive {
                    id
                } else {
                    self.system.expressions.not(id)
                }
            }
            Formula::Clock(constraint) => self.bound(constraint, positive)?,
            Formula::Not(inner) => self.formula(inner, !positive)?,
            Formula::And(parts) | Formula::Or(parts) => {
                let and = matches!(formula, Formula::And(_)) == positive;
                let parts = parts.iter().map(|part| self.formula(part, positive));
                let parts: Vec<ExpressionId> = parts.collect::<Translate<_>>()?;
                if and {
                    self.system.expressions.and(parts)
                } else {
                    self.system.expressions.or(parts)
                }
            }
            Formula::Deadlock => {
                let plain = self.clocks.is_empty()
                    && self.system.invariants.is_empty()
                    && self.network.out_of_range == OutOfRange::Fault;
                if !plain {
                    return Err("`deadlock` needs a network without clocks and invariants".into());
                }
                let some = self.system.expressions.or(self.enabled.clone());
                if positive {
                    self.system.expressions.not(some)
                } else {
                    some
                }
            }
        };
        Ok(id)
    }

    fn bound(&mut self, constraint: &ClockConstraint, positive: bool) -> Translate<ExpressionId> {
        if constraint.strict == positive {
            return Err(
                "the query has an open bound on a clock: integer times do not suffice".into(),
            );
        }
        let mut scope = Scope::default();
        if positive {
            return self.clock_constraint(constraint, &mut scope);
        }
        // not (x < b) is x >= b; not (x > b) is x <= b.
        let closed = ClockConstraint {
            strict: false,
            ..constraint.clone()
        };
        let (bound, _) = self.value(&closed.bound, &mut scope)?;
        let expressions = &mut self.system.expressions;
        use merkhet_finite::Node;
        match (closed.left, closed.right) {
            (Some(clock), None) => {
                let clock = self.variable(self.clocks[clock.index()], false);
                Ok(self
                    .system
                    .expressions
                    .relation(Node::LessEqual(bound, clock)))
            }
            (None, Some(clock)) => {
                let ty = expressions.type_of(bound);
                let most = expressions.add(Node::Negate(bound), ty);
                let clock = self.variable(self.clocks[clock.index()], false);
                Ok(self
                    .system
                    .expressions
                    .relation(Node::LessEqual(clock, most)))
            }
            _ => Err("the query compares no single clock".into()),
        }
    }

    /// What holds while processes stay where they are.
    pub(super) fn invariants(&mut self) -> Translate<()> {
        for (index, process) in self.network.processes.iter().enumerate() {
            for (number, location) in process.locations.iter().enumerate() {
                let invariant = &location.invariant;
                if invariant.data.is_none() && invariant.clocks.is_empty() {
                    continue;
                }
                let here = self.at(ProcessId::from(index), number);
                let mut scope = Scope {
                    path: Some(here),
                    ..Scope::default()
                };
                let mut parts = Vec::new();
                if let Some(data) = &invariant.data {
                    parts.push(self.condition(data, &mut scope)?);
                }
                for constraint in &invariant.clocks {
                    parts.push(self.clock_constraint(constraint, &mut scope)?);
                }
                if !scope.faults.is_empty() {
                    return Err("an invariant may fail to evaluate".into());
                }
                let holds = self.system.expressions.and(parts);
                let implied = self.system.expressions.implies(here, holds);
                self.system.invariants.push(implied);
            }
        }
        Ok(())
    }
}
