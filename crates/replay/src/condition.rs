//! State formulas in one discrete state: what is left of them are constraints on clocks and deadlock.
//!
//! Formulas are read from left to right: a part of a conjunction counts only where those before it hold, a part of a
//! disjunction only where those before it do not. So an evaluation that fails is a fault only where its part counts.

use merkhet_network::Formula;

use crate::fault::Fault;
use crate::rules::{Atom, Discrete, Rules};

/// A formula with its data evaluated.
#[derive(Clone, Debug)]
pub(crate) enum Condition {
    Known(bool),
    Clock(Atom),
    /// Whether deadlock is asked for, rather than its absence.
    Deadlock(bool),
    And(Vec<Condition>),
    Or(Vec<Condition>),
    /// Its evaluation fails.
    Fails(Fault),
}

impl Condition {
    /// The formula, or its negation, in a discrete state. Negation is driven down to the constraints.
    pub(crate) fn of(
        rules: Rules<'_>,
        state: &Discrete,
        formula: &Formula,
        positive: bool,
    ) -> Condition {
        let parts = |list: &[Formula]| -> Vec<Condition> {
            list.iter()
                .map(|part| Condition::of(rules, state, part, positive))
                .collect()
        };
        match formula {
            Formula::Data(expression) => match rules.truth(state, Some(expression)) {
                Ok(truth) => Condition::Known(truth == positive),
                Err(fault) => Condition::Fails(fault),
            },
            Formula::Clock(constraint) => match rules.atom(state, constraint) {
                // A constraint whose condition does not hold asks for nothing.
                Ok(None) => Condition::Known(positive),
                Ok(Some(atom)) if positive => Condition::Clock(atom),
                Ok(Some(atom)) => Condition::Clock(atom.negated()),
                Err(fault) => Condition::Fails(fault),
            },
            Formula::Deadlock => Condition::Deadlock(positive),
            Formula::Not(inner) => Condition::of(rules, state, inner, !positive),
            Formula::And(list) if positive => Condition::And(parts(list)),
            Formula::And(list) => Condition::Or(parts(list)),
            Formula::Or(list) if positive => Condition::Or(parts(list)),
            Formula::Or(list) => Condition::And(parts(list)),
        }
    }

    /// Whether the evaluation of some part fails, be it one that counts or not.
    pub(crate) fn may_fail(&self) -> bool {
        match self {
            Condition::Fails(_) => true,
            Condition::And(parts) | Condition::Or(parts) => parts.iter().any(Condition::may_fail),
            Condition::Known(_) | Condition::Clock(_) | Condition::Deadlock(_) => false,
        }
    }

    /// Collects the constraints on clocks.
    pub(crate) fn atoms(&self, into: &mut Vec<Atom>) {
        match self {
            Condition::Known(_) | Condition::Deadlock(_) | Condition::Fails(_) => {}
            Condition::Clock(atom) => into.push(*atom),
            Condition::And(parts) | Condition::Or(parts) => {
                parts.iter().for_each(|part| part.atoms(into));
            }
        }
    }

    /// Whether deadlock occurs in it.
    pub(crate) fn asks_deadlock(&self) -> bool {
        match self {
            Condition::Known(_) | Condition::Clock(_) | Condition::Fails(_) => false,
            Condition::Deadlock(_) => true,
            Condition::And(parts) | Condition::Or(parts) => {
                parts.iter().any(Condition::asks_deadlock)
            }
        }
    }

    /// Its truth for values in units of 1/scale, given whether the state is a deadlock.
    pub(crate) fn holds(
        &self,
        values: &[i128],
        scale: i128,
        deadlock: bool,
    ) -> Result<bool, Fault> {
        let decides = |parts: &[Condition], truth: bool| {
            for part in parts {
                if part.holds(values, scale, deadlock)? == truth {
                    return Ok(truth);
                }
            }
            Ok(!truth)
        };
        match self {
            Condition::Known(truth) => Ok(*truth),
            Condition::Clock(atom) => Ok(atom.holds(values, scale)),
            Condition::Deadlock(positive) => Ok(deadlock == *positive),
            Condition::And(parts) => decides(parts, false),
            Condition::Or(parts) => decides(parts, true),
            Condition::Fails(fault) => Err(*fault),
        }
    }
}

/// Whether deadlock occurs anywhere in a formula.
pub(crate) fn mentions_deadlock(formula: &Formula) -> bool {
    match formula {
        Formula::Data(_) | Formula::Clock(_) => false,
        Formula::Deadlock => true,
        Formula::Not(inner) => mentions_deadlock(inner),
        Formula::And(list) | Formula::Or(list) => list.iter().any(mentions_deadlock),
    }
}
