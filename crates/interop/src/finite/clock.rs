//! Clocks with integer values up to one above their largest bound.

use merkhet_finite::{ExpressionId, Node};
use merkhet_network::bounds::bounds;
use merkhet_network::visit::{Visitor, walk_stmt};
use merkhet_network::{ClockConstraint, Formula, Network, Stmt};

use super::expression::Scope;
use super::{Translate, Translator};

/// The value from which on a clock's values need not be told apart.
pub(super) struct Ceilings(Vec<i64>);

impl Ceilings {
    /// By all bounds of the network and of the goal. Refuses what integer times cannot show.
    pub(super) fn new(network: &Network, goal: &Formula) -> Translate<Ceilings> {
        let mut ceilings = Ceilings(vec![0; network.clocks.len()]);
        for process in &network.processes {
            for location in &process.locations {
                if !location.invariant.rates.is_empty() {
                    return Err("clocks that stop are not supported".into());
                }
                ceilings.extend(network, &location.invariant.clocks, Some(false))?;
            }
            for edge in &process.edges {
                ceilings.extend(network, &edge.guard.clocks, Some(false))?;
            }
        }
        ceilings.goal(network, goal)?;
        let mut resets = Resets {
            network,
            largest: 0,
        };
        let edges = network.processes.iter().flat_map(|process| &process.edges);
        edges
            .flat_map(|edge| &edge.update)
            .for_each(|stmt| resets.stmt(stmt));
        network
            .functions
            .iter()
            .flat_map(|f| &f.body)
            .for_each(|stmt| resets.stmt(stmt));
        for ceiling in &mut ceilings.0 {
            *ceiling = (*ceiling).max(resets.largest) + 1;
        }
        Ok(ceilings)
    }

    pub(super) fn of(&self, clock: usize) -> i64 {
        self.0.get(clock).copied().unwrap_or(0)
    }

    fn goal(&mut self, network: &Network, goal: &Formula) -> Translate<()> {
        match goal {
            // Whether a bound is closed depends on the sign: see `formula`.
            Formula::Clock(constraint) => {
                self.extend(network, std::slice::from_ref(constraint), None)
            }
            Formula::Not(inner) => self.goal(network, inner),
            Formula::And(parts) | Formula::Or(parts) => {
                parts.iter().try_for_each(|part| self.goal(network, part))
            }
            Formula::Data(_) | Formula::Deadlock => Ok(()),
        }
    }

    /// `strict`: the only strictness that is allowed.
    fn extend(
        &mut self,
        network: &Network,
        constraints: &[ClockConstraint],
        strict: Option<bool>,
    ) -> Translate<()> {
        for constraint in constraints {
            if constraint.is_difference() {
                return Err("a difference of clocks is compared".into());
            }
            if strict.is_some_and(|strict| strict != constraint.strict) {
                return Err(
                    "a clock has an open bound (< or >): integer times do not suffice".into(),
                );
            }
            let Some(clock) = constraint.left.or(constraint.right) else {
                continue;
            };
            let (low, high) = bounds(network, &constraint.bound);
            let largest = if constraint.is_upper() { high } else { -low };
            self.0[clock.index()] = self.0[clock.index()].max(largest);
        }
        Ok(())
    }
}

/// The largest value that a clock is set to.
struct Resets<'n> {
    network: &'n Network,
    largest: i64,
}

impl Visitor for Resets<'_> {
    fn stmt(&mut self, stmt: &Stmt) {
        if let Stmt::Reset { value, .. } = stmt {
            self.largest = self.largest.max(bounds(self.network, value).1);
        }
        walk_stmt(self, stmt);
    }
}

impl Translator<'_> {
    /// A closed bound on one clock; the condition in front of it is the caller's.
    pub(super) fn clock_bound(
        &mut self,
        constraint: &ClockConstraint,
        scope: &mut Scope,
    ) -> Translate<ExpressionId> {
        let (bound, _) = self.value(&constraint.bound, scope)?;
        let expressions = &mut self.system.expressions;
        match (constraint.left, constraint.right) {
            (Some(clock), None) => {
                let clock = self.variable(self.clocks[clock.index()], false);
                Ok(self
                    .system
                    .expressions
                    .relation(Node::LessEqual(clock, bound)))
            }
            (None, Some(clock)) => {
                let ty = expressions.type_of(bound);
                let least = expressions.add(Node::Negate(bound), ty);
                let clock = self.variable(self.clocks[clock.index()], false);
                Ok(self
                    .system
                    .expressions
                    .relation(Node::LessEqual(least, clock)))
            }
            (None, None) => {
                let zero = self.number(0);
                Ok(self
                    .system
                    .expressions
                    .relation(Node::LessEqual(zero, bound)))
            }
            (Some(_), Some(_)) => Err("a difference of clocks is compared".into()),
        }
    }

    /// A bound with its condition.
    pub(super) fn clock_constraint(
        &mut self,
        constraint: &ClockConstraint,
        scope: &mut Scope,
    ) -> Translate<ExpressionId> {
        let Some(condition) = &constraint.condition else {
            return self.clock_bound(constraint, scope);
        };
        let condition = self.condition(condition, scope)?;
        let bound = self.under(scope, condition, |this, scope| {
            this.clock_bound(constraint, scope)
        })?;
        Ok(self.system.expressions.implies(condition, bound))
    }
}
