//! State formulas in one discrete state: what is left of them are constraints on clocks and deadlock.

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
}

impl Condition {
    /// The formula, or its negation, in a discrete state. Negation is driven down to the constraints.
    pub(crate) fn of(
        rules: Rules<'_>,
        state: &Discrete,
        formula: &Formula,
        positive: bool,
    ) -> Result<Condition, Fault> {
        let parts = |list: &[Formula]| -> Result<Vec<Condition>, Fault> {
            list.iter()
                .map(|part| Condition::of(rules, state, part, positive))
                .collect()
        };
        Ok(match formula {
            Formula::Data(expression) => {
                Condition::Known(rules.truth(state, Some(expression))? == positive)
            }
            Formula::Clock(constraint) => match rules.atom(state, constraint)? {
                // A constraint whose condition does not hold asks for nothing.
                None => Condition::Known(positive),
                Some(atom) if positive => Condition::Clock(atom),
                Some(atom) => Condition::Clock(atom.negated()),
            },
            Formula::Deadlock => Condition::Deadlock(positive),
            Formula::Not(inner) => Condition::of(rules, state, inner, !positive)?,
            Formula::And(list) if positive => Condition::And(parts(list)?),
            Formula::And(list) => Condition::Or(parts(list)?),
            Formula::Or(list) if positive => Condition::Or(parts(list)?),
            Formula::Or(list) => Condition::And(parts(list)?),
        })
    }

    /// Collects the constraints on clocks.
    pub(crate) fn atoms(&self, into: &mut Vec<Atom>) {
        match self {
            Condition::Known(_) | Condition::Deadlock(_) => {}
            Condition::Clock(atom) => into.push(*atom),
            Condition::And(parts) | Condition::Or(parts) => {
                parts.iter().for_each(|part| part.atoms(into));
            }
        }
    }

    /// Whether deadlock occurs in it.
    pub(crate) fn asks_deadlock(&self) -> bool {
        match self {
            Condition::Known(_) | Condition::Clock(_) => false,
            Condition::Deadlock(_) => true,
            Condition::And(parts) | Condition::Or(parts) => {
                parts.iter().any(Condition::asks_deadlock)
            }
        }
    }

    /// Its truth for values in units of 1/scale, given whether the state is a deadlock.
    pub(crate) fn holds(&self, values: &[i128], scale: i128, deadlock: bool) -> bool {
        match self {
            Condition::Known(truth) => *truth,
            Condition::Clock(atom) => atom.holds(values, scale),
            Condition::Deadlock(positive) => deadlock == *positive,
            Condition::And(parts) => parts.iter().all(|p| p.holds(values, scale, deadlock)),
            Condition::Or(parts) => parts.iter().any(|p| p.holds(values, scale, deadlock)),
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
