//! What is asked of a network.

use crate::constraint::ClockConstraint;
use crate::expression::Expr;
use crate::ids::{ClockId, SiteId};

/// A state formula. Quantifiers over processes and clocks are unrolled; clock constraints here have no condition of
/// their own.
#[derive(Clone, PartialEq, Debug)]
pub enum Formula {
    /// A condition on locations and data, without side effects.
    Data(Expr),
    /// A constraint on clocks.
    Clock(ClockConstraint),
    /// No action is possible now nor after any delay.
    Deadlock,
    /// Negation.
    Not(Box<Formula>),
    /// Conjunction; empty is true.
    And(Vec<Formula>),
    /// Disjunction; empty is false.
    Or(Vec<Formula>),
}

/// What `sup`, `inf` or `bounds` measures.
#[derive(Clone, PartialEq, Debug)]
pub enum Measure {
    /// An integer expression.
    Data(Expr),
    /// `left − right`, where an absent clock is 0.
    Clock {
        /// The clock with the plus sign.
        left: Option<ClockId>,
        /// The clock with the minus sign.
        right: Option<ClockId>,
    },
}

/// Which ends of the range are asked for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Extremum {
    /// `sup`.
    Supremum,
    /// `inf`.
    Infimum,
    /// `bounds`: both.
    Both,
}

/// The forms of a query.
#[derive(Clone, PartialEq, Debug)]
pub enum QueryKind {
    /// `E<> p`.
    Possibly(Formula),
    /// `A[] p`.
    Invariantly(Formula),
    /// `E[] p`.
    PotentiallyAlways(Formula),
    /// `A<> p`.
    Eventually(Formula),
    /// `p --> q`, that is `A[] (p imply A<> q)`.
    LeadsTo(Formula, Formula),
    /// `sup{p}: e, …` and its kin: the range of each measure over the reachable states with `p`.
    Bounds {
        /// Which ends.
        extremum: Extremum,
        /// Only states with this count.
        predicate: Formula,
        /// What is measured, with its text.
        measures: Vec<(Measure, String)>,
    },
    /// Visit every reachable state and count (flat models without a goal).
    Explore,
}

/// A query with its text.
#[derive(Clone, PartialEq, Debug)]
pub struct Query {
    /// As written.
    pub text: String,
    /// The author's comment, possibly empty.
    pub comment: String,
    /// What is asked.
    pub kind: QueryKind,
    /// Where it stands.
    pub site: SiteId,
}
