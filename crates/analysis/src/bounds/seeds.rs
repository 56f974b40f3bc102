//! Where bounds come from: the constraints of guards, invariants and the query, before propagation.

use merkhet_network::{ChannelKind, ClockConstraint, Formula, MAX_CLOCK_CONSTANT, Network, Sync};

use super::{Demand, NO_BOUND, Table, UNBOUNDED};

/// Bounds before propagation.
pub(crate) struct Seeds {
    /// By process and location.
    pub at: Vec<Vec<Table>>,
    /// At every location vector.
    pub everywhere: Table,
}

/// The smallest and largest value of a bound, within what a clock may be compared with (beyond it is a fault).
pub(crate) fn range_of_bound(network: &Network, constraint: &ClockConstraint) -> (i32, i32) {
    let (low, high) = merkhet_network::bounds::bounds(network, &constraint.bound);
    let limit = MAX_CLOCK_CONSTANT as i64;
    (
        low.clamp(-limit, limit) as i32,
        high.clamp(-limit, limit) as i32,
    )
}

/// Adds a constraint's constants to a table. Differences are not handled here.
pub(crate) fn add(
    network: &Network,
    constraint: &ClockConstraint,
    symmetric: bool,
    table: &mut Table,
) {
    let (low, high) = range_of_bound(network, constraint);
    match (constraint.left, constraint.right) {
        // x ≤ high: a negative bound holds for no value, so that none needs to be told apart.
        (Some(clock), None) if high >= 0 => {
            let lower = if symmetric { high } else { NO_BOUND };
            table.add(clock, lower, high);
        }
        // x ≥ −low.
        (None, Some(clock)) if low <= 0 => {
            let upper = if symmetric { -low } else { NO_BOUND };
            table.add(clock, -low, upper);
        }
        _ => {}
    }
}

/// Adds the constants of a formula that is looked for in the given polarity.
fn add_formula(
    network: &Network,
    formula: &Formula,
    positive: bool,
    symmetric: bool,
    table: &mut Table,
) {
    match formula {
        Formula::Data(_) | Formula::Deadlock => {}
        Formula::Clock(constraint) if positive || symmetric => {
            add(network, constraint, symmetric, table);
        }
        Formula::Clock(constraint) => {
            // ¬(x ≤ c) is x > c: the same constant on the other side.
            let (low, high) = range_of_bound(network, constraint);
            match (constraint.left, constraint.right) {
                (Some(clock), None) if high >= 0 => {
                    table.add(clock, high, NO_BOUND);
                }
                (None, Some(clock)) if low <= 0 => {
                    table.add(clock, NO_BOUND, -low);
                }
                _ => {}
            }
        }
        Formula::Not(inner) => add_formula(network, inner, !positive, symmetric, table),
        Formula::And(parts) | Formula::Or(parts) => {
            for part in parts {
                add_formula(network, part, positive, symmetric, table);
            }
        }
    }
}

/// Collects the bounds that stand in the network and in the query.
pub(crate) fn collect(network: &Network, demand: &Demand<'_>, symmetric: bool) -> Seeds {
    let clocks = network.clocks.len();
    let mut everywhere = Table::new(clocks);
    for formula in demand.formulas {
        add_formula(network, formula, true, symmetric, &mut everywhere);
    }
    for clock in demand.exact {
        everywhere.add(*clock, UNBOUNDED, UNBOUNDED);
    }
    let all_negated = symmetric || network.has_priorities();
    let mut at = Vec::with_capacity(network.processes.len());
    for process in &network.processes {
        let mut tables = vec![Table::new(clocks); process.locations.len()];
        for (location, table) in process.locations.iter().zip(&mut tables) {
            for constraint in &location.invariant.clocks {
                // With priorities it also matters that a target's invariant does not hold.
                add(network, constraint, all_negated, table);
            }
        }
        for edge in &process.edges {
            let both = all_negated || used_negatively(network, edge.sync);
            for constraint in &edge.guard.clocks {
                add(network, constraint, both, &mut tables[edge.source.index()]);
            }
            // The target's invariant is asked at entry: the clocks that the edge does not reset must be precise enough
            // for it already at the source. Propagation does that, since the target's own bounds hold it.
        }
        at.push(tables);
    }
    Seeds { at, everywhere }
}

/// Whether it matters that the guards of edges with this synchronisation do *not* hold.
fn used_negatively(network: &Network, sync: Sync) -> bool {
    match sync {
        Sync::Internal => false,
        Sync::Send(channel) => network.channels[channel.index()].urgent,
        Sync::Receive(channel) => {
            let channel = &network.channels[channel.index()];
            channel.urgent || channel.kind == ChannelKind::Broadcast
        }
        // A weak participant of a vector takes part wherever its location has such an edge, whatever the guard says.
        Sync::Event(_) => false,
    }
}
