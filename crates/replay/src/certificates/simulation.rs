//! Covering of zones by simulation: Z ⊆ a≼LU(Z').
//!
//! The preorder of Behrmann, Bouyer, Larsen and Pelánek ("Lower and upper bounds in zone-based abstractions of timed
//! automata", STTT 2006): v ≼ v' if for every clock x
//!
//! > v'(x) = v(x), or L(x) < v'(x) < v(x), or U(x) < v(x) < v'(x).
//!
//! a≼LU(Z') is the set of all v with v ≼ v' for some v' in Z' (Herbreteau, Srivathsan, Walukiewicz, "Better abstractions
//! for timed automata", LICS 2012, where a test for closed Z, Z' is given; the one below is derived anew and also allows
//! clocks that are kept exact).
//!
//! The test. For fixed v, the clock values v' with v ≼ v' form a box: from v(x) (included) if v(x) ≤ L(x), else from
//! L(x) (excluded), up to v(x) (included) if v(x) ≤ U(x), else without limit. So v lies in a≼LU(Z') iff that box meets
//! Z'. A box only adds constraints between a clock and 0, and Z' is closed, so the two are disjoint iff one constraint
//! y − x ≺ c of Z' contradicts the box's lower end of y and its upper end of x (x or y may be the constant 0). That is:
//!
//! - v(x) ≤ U(x), v(y) ≤ L(y) and not v(y) − v(x) ≺ c; or
//! - v(x) ≤ U(x), v(y) > L(y) and v(x) + c ≤ L(y), because y' > L(y) and y' ≺ v(x) + c cannot be met then.
//!
//! (For L(y) < 0 the lower end is 0 itself; that contradiction also follows from the constraint 0 − x of Z'.) Z is
//! covered iff no v in Z has this for any x, y. Each is a question whether Z, seen on the rows 0, x, y, meets a few
//! constraints, and both need a v in Z that violates y − x ≺ c: only pairs with a looser bound in Z matter.

use crate::certificates::zone::{NO_BOUND, Zone, opposite};
use crate::rules::Atom;

/// The clock is compared with nothing.
pub(crate) const NEVER: i64 = i64::MIN;
/// The clock is kept exact.
pub(crate) const ALWAYS: i64 = i64::MAX;

/// L and U by row; row 0 is not used.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Levels {
    pub lower: Vec<i64>,
    pub upper: Vec<i64>,
}

impl Levels {
    /// Every clock is kept exact: v ≼ v' only for v = v'.
    pub(crate) fn exact(dimension: usize) -> Levels {
        Levels {
            lower: vec![ALWAYS; dimension],
            upper: vec![ALWAYS; dimension],
        }
    }

    fn is_exact(&self, row: usize) -> bool {
        self.lower[row] == ALWAYS && self.upper[row] == ALWAYS
    }

    /// Whether v ≼ v' is symmetric: then it is a bisimulation wherever it is a simulation.
    pub(crate) fn is_symmetric(&self) -> bool {
        self.lower[1..] == self.upper[1..]
    }

    /// Whether v ≼ v' carries a constraint from v to v'.
    ///
    /// A lower bound x ≻ c is carried if c ≤ L(x): a smaller v'(x) is still above L(x). An upper bound x ≺ c is carried
    /// if c ≤ U(x): a larger v'(x) would need v(x) > U(x) ≥ c, so v violates it. Constraints that hold for all clock
    /// values or for none are carried anyway, and a difference is if both clocks are exact.
    pub(crate) fn carries(&self, atom: Atom) -> bool {
        match (atom.left, atom.right) {
            (left, right) if left == right => true,
            // x ≻ −bound, and x ≥ 0 holds anyway.
            (0, clock) => {
                let trivial = atom.bound > 0 || (atom.bound == 0 && !atom.strict);
                trivial || -atom.bound <= self.lower[clock]
            }
            // x ≺ bound, and x < 0 never holds.
            (clock, 0) => {
                let trivial = atom.bound < 0 || (atom.bound == 0 && atom.strict);
                trivial || atom.bound <= self.upper[clock]
            }
            (left, right) => self.is_exact(left) && self.is_exact(right),
        }
    }
}

/// Whether every valuation of a zone is simulated by one of the other.
pub(crate) fn covers(other: &Zone, zone: &Zone, levels: &Levels) -> bool {
    let rows = 0..zone.dimension();
    rows.clone().all(|x| {
        rows.clone()
            .all(|y| x == y || !uncovered(other.get(y, x), zone, levels, x, y))
    })
}

/// Whether some valuation of the zone has a box that contradicts y − x ≺ `limit`.
fn uncovered(limit: i64, zone: &Zone, levels: &Levels, x: usize, y: usize) -> bool {
    if limit >= zone.get(y, x) {
        return false;
    }
    let at_most = |zone: Zone, row: usize, value: i64| match value {
        ALWAYS => Some(zone),
        NEVER => None,
        _ => zone.constrain(row, 0, value * 2 + 1),
    };
    // Rows 1 and 2 of the triangle are x and y; the constant 0 stands for itself.
    let mut near = zone.triangle(x, y);
    if x != 0 {
        match at_most(near, 1, levels.upper[x]) {
            Some(part) => near = part,
            None => return false,
        }
    }
    let low = if y == 0 { ALWAYS } else { levels.lower[y] };
    let violates = |zone: Zone| zone.constrain(1, 2, opposite(limit)).is_some();
    if at_most(near.clone(), 2, low).is_some_and(violates) {
        return true;
    }
    if y == 0 || low == ALWAYS || low < 0 || limit == NO_BOUND {
        return false;
    }
    let above = near.constrain(0, 2, -low * 2);
    let room = low - (limit >> 1);
    above.is_some_and(|zone| zone.constrain(1, 0, room * 2 + 1).is_some())
}
