//! What is to be checked of a system.

use super::ExpressionId;

/// A specification with its text.
#[derive(Clone, Debug)]
pub struct Specification {
    /// The formula's text, with ` IN instance` if it belongs to an instance.
    pub text: String,
    /// The name that the author gave it.
    pub name: Option<String>,
    /// Which logic it was written in.
    pub kind: SpecificationKind,
    /// The formula.
    pub formula: Formula,
}

/// The logic of a specification.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SpecificationKind {
    /// Branching time.
    Ctl,
    /// A condition on all reachable states.
    Invariant,
    /// Linear time.
    Ltl,
    /// A question for the length of paths.
    Compute,
}

/// A formula in one of the logics, with names resolved.
#[derive(Clone, Debug)]
pub enum Formula {
    /// Holds in all initial states.
    Ctl(Ctl),
    /// Holds in all reachable states.
    Invariant(ExpressionId),
    /// Holds on all fair paths from initial states.
    Ltl(Ltl),
    /// The least or greatest number of steps from one set of states to another.
    PathLength {
        /// Greatest instead of least.
        longest: bool,
        /// Where paths start.
        from: ExpressionId,
        /// Where paths end.
        to: ExpressionId,
    },
}

/// Branching-time formulas. Intervals count steps.
#[derive(Clone, Debug)]
pub enum Ctl {
    /// A condition on the state.
    Atom(ExpressionId),
    /// Negation.
    Not(Box<Ctl>),
    /// Conjunction.
    And(Vec<Ctl>),
    /// Disjunction.
    Or(Vec<Ctl>),
    /// Some next state.
    Ex(Box<Ctl>),
    /// Some reachable state; with an interval, after that many steps.
    Ef(Option<(u32, u32)>, Box<Ctl>),
    /// Some path all along; with an interval, during those steps.
    Eg(Option<(u32, u32)>, Box<Ctl>),
    /// Some path on which the first holds until the second.
    Eu(Option<(u32, u32)>, Box<Ctl>, Box<Ctl>),
    /// All next states.
    Ax(Box<Ctl>),
    /// All paths, some day.
    Af(Option<(u32, u32)>, Box<Ctl>),
    /// All reachable states.
    Ag(Option<(u32, u32)>, Box<Ctl>),
    /// All paths: the first holds until the second.
    Au(Option<(u32, u32)>, Box<Ctl>, Box<Ctl>),
}

/// Linear-time formulas, with past.
#[derive(Clone, Debug)]
pub enum Ltl {
    /// A condition on the state (and on the input of the step that follows).
    Atom(ExpressionId),
    /// Negation.
    Not(Box<Ltl>),
    /// Conjunction.
    And(Vec<Ltl>),
    /// Disjunction.
    Or(Vec<Ltl>),
    /// At the next state.
    Next(Box<Ltl>),
    /// The first until the second.
    Until(Box<Ltl>, Box<Ltl>),
    /// At the state before; false at the start.
    Yesterday(Box<Ltl>),
    /// The first since the second.
    Since(Box<Ltl>, Box<Ltl>),
}

impl Ctl {
    /// Appends the conditions on states in the formula.
    pub fn atoms(&self, found: &mut Vec<ExpressionId>) {
        match self {
            Ctl::Atom(id) => found.push(*id),
            Ctl::And(parts) | Ctl::Or(parts) => parts.iter().for_each(|part| part.atoms(found)),
            Ctl::Not(a)
            | Ctl::Ex(a)
            | Ctl::Ax(a)
            | Ctl::Ef(_, a)
            | Ctl::Af(_, a)
            | Ctl::Eg(_, a)
            | Ctl::Ag(_, a) => a.atoms(found),
            Ctl::Eu(_, a, b) | Ctl::Au(_, a, b) => {
                a.atoms(found);
                b.atoms(found);
            }
        }
    }
}

impl Ltl {
    /// Appends the conditions on states in the formula.
    pub fn atoms(&self, found: &mut Vec<ExpressionId>) {
        match self {
            Ltl::Atom(id) => found.push(*id),
            Ltl::And(parts) | Ltl::Or(parts) => parts.iter().for_each(|part| part.atoms(found)),
            Ltl::Not(a) | Ltl::Next(a) | Ltl::Yesterday(a) => a.atoms(found),
            Ltl::Until(a, b) | Ltl::Since(a, b) => {
                a.atoms(found);
                b.atoms(found);
            }
        }
    }
}
