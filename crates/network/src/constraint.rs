//! Constraints on clocks, guards and invariants.

use crate::expression::Expr;
use crate::ids::{ClockId, SiteId};

/// `left − right ≺ bound`, where an absent clock is the constant 0 and `≺` is `<` or `≤`.
///
/// `x ≤ 5` is `x − 0 ≤ 5`; `x > 5` is `0 − x < −5`. The bound is evaluated before the updates in a guard and after all
/// updates in an invariant. With a condition, the constraint counts only where the condition holds (`b imply x<5`,
/// `a[i]` unrolled, quantifiers unrolled).
#[derive(Clone, PartialEq, Debug)]
pub struct ClockConstraint {
    /// Counts only where this holds (`None`: always). Free of clocks and side effects.
    pub condition: Option<Expr>,
    /// The clock with the plus sign.
    pub left: Option<ClockId>,
    /// The clock with the minus sign.
    pub right: Option<ClockId>,
    /// `<` rather than `≤`.
    pub strict: bool,
    /// The bound; within ±[`MAX_CLOCK_CONSTANT`], a fault otherwise.
    pub bound: Expr,
    /// Where it stands.
    pub site: SiteId,
}

/// The largest absolute value of a clock bound or of a value assigned to a clock.
pub const MAX_CLOCK_CONSTANT: i32 = 1 << 28;

impl ClockConstraint {
    /// Whether both sides are clocks (a diagonal constraint).
    pub fn is_difference(&self) -> bool {
        self.left.is_some() && self.right.is_some()
    }

    /// Whether it bounds one clock from above.
    pub fn is_upper(&self) -> bool {
        self.left.is_some() && self.right.is_none()
    }

    /// Whether it bounds one clock from below.
    pub fn is_lower(&self) -> bool {
        self.left.is_none() && self.right.is_some()
    }
}

/// What an edge asks for: data and clocks, in conjunction. The data part is evaluated first.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Guard {
    /// The condition on data (`None`: true).
    pub data: Option<Expr>,
    /// The constraints on clocks.
    pub clocks: Vec<ClockConstraint>,
}

/// How fast a clock runs in a location.
#[derive(Clone, PartialEq, Debug)]
pub struct Rate {
    /// The clock.
    pub clock: ClockId,
    /// Its rate: 0 or 1, a fault otherwise.
    pub value: Expr,
    /// Where it stands.
    pub site: SiteId,
}

/// What must hold as long as a process is at a location.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Invariant {
    /// The condition on data (`None`: true).
    pub data: Option<Expr>,
    /// The constraints on clocks.
    pub clocks: Vec<ClockConstraint>,
    /// Rates other than the implicit 1.
    pub rates: Vec<Rate>,
}
