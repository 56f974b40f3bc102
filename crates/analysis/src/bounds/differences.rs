//! The differences of clocks that a network compares (diagonal constraints).
//!
//! Extrapolation is unsound in their presence (Bouyer, "Forward analysis of updatable timed automata", FMSD 2004). The
//! exploration splits zones by them as Bengtsson and Yi do ("On Clock Difference Constraints and Termination in
//! Reachability Analysis of Timed Automata", ICFEM 2003), for which two valuations must agree on each of them. After
//! a reset of one clock a difference constrains the other alone: both clocks therefore get symmetric bounds everywhere,
//! large enough for every value that they may be set to.

use merkhet_network::{ClockConstraint, ClockId, Formula, Network};

use super::seeds::range_of_bound;
use super::{Demand, Table, UNBOUNDED, effects};

/// `left − right ≺ bound`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Difference {
    /// The clock with the plus sign.
    pub left: ClockId,
    /// The clock with the minus sign.
    pub right: ClockId,
    /// The bound.
    pub bound: i32,
    /// `<` rather than `≤`.
    pub strict: bool,
}

/// All differences that are compared with constants.
#[derive(Clone, Default, Debug)]
pub struct Differences {
    /// Without repetitions, in order; each is in one direction only (its negation is the other side of the split).
    pub constraints: Vec<Difference>,
    /// Some clocks could not be handled by splitting and are never abstracted instead: the exploration is sound but
    /// may not terminate. Bounds with many values, stopwatches and clock copies lead to this.
    pub unabstracted: bool,
}

/// Most values that the bound of a difference may have to be split by.
const MAX_VALUES: i64 = 64;

/// Collects the differences and raises the bounds of their clocks.
pub(crate) fn collect(
    network: &Network,
    demand: &Demand<'_>,
    everywhere: &mut Table,
) -> Differences {
    let compared = compared(network, demand.formulas);
    let mut result = Differences::default();
    if compared.is_empty() {
        return result;
    }
    let inexact = effects::has_stopwatches(network) || effects::has_copies(network);
    let largest_reset = effects::largest_reset(network);
    for constraint in compared {
        let (Some(left), Some(right)) = (constraint.left, constraint.right) else {
            continue;
        };
        let (low, high) = range_of_bound(network, constraint);
        if inexact || has_many_values(low, high) {
            result.unabstracted = true;
            everywhere.add(left, UNBOUNDED, UNBOUNDED);
            everywhere.add(right, UNBOUNDED, UNBOUNDED);
            continue;
        }
        let strict = constraint.strict;
        for bound in low..=high {
            result.constraints.push(normal(left, right, bound, strict));
        }
        let reach = low.abs().max(high.abs()).saturating_add(largest_reset);
        everywhere.add(left, reach, reach);
        everywhere.add(right, reach, reach);
    }
    result.constraints.sort_unstable();
    result.constraints.dedup();
    result
}

/// All comparisons of differences in a network and in formulas.
fn compared<'a>(network: &'a Network, formulas: &[&'a Formula]) -> Vec<&'a ClockConstraint> {
    let mut compared = Vec::new();
    for process in &network.processes {
        let invariants = process.locations.iter().flat_map(|l| &l.invariant.clocks);
        let guards = process.edges.iter().flat_map(|e| &e.guard.clocks);
        compared.extend(invariants.chain(guards).filter(|c| c.is_difference()));
    }
    for formula in formulas {
        of_formula(formula, &mut compared);
    }
    compared
}

fn has_many_values(low: i32, high: i32) -> bool {
    i64::from(high) - i64::from(low) >= MAX_VALUES
}

/// A difference that is compared with more values than zones are split by: the exploration may have no end.
pub fn endless_difference<'a>(
    network: &'a Network,
    formulas: &[&'a Formula],
) -> Option<&'a ClockConstraint> {
    let many = |constraint: &&ClockConstraint| {
        let (low, high) = range_of_bound(network, constraint);
        has_many_values(low, high)
    };
    compared(network, formulas).into_iter().find(many)
}

/// Either the constraint or its negation, whichever has the smaller clock on the left: they split zones alike.
fn normal(left: ClockId, right: ClockId, bound: i32, strict: bool) -> Difference {
    if left <= right {
        Difference {
            left,
            right,
            bound,
            strict,
        }
    } else {
        Difference {
            left: right,
            right: left,
            bound: -bound,
            strict: !strict,
        }
    }
}

fn of_formula<'a>(formula: &'a Formula, found: &mut Vec<&'a ClockConstraint>) {
    match formula {
        Formula::Clock(constraint) if constraint.is_difference() => found.push(constraint),
        Formula::Data(_) | Formula::Clock(_) | Formula::Deadlock => {}
        Formula::Not(inner) => of_formula(inner, found),
        Formula::And(parts) | Formula::Or(parts) => {
            for part in parts {
                of_formula(part, found);
            }
        }
    }
}
