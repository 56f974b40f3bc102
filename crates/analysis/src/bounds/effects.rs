//! What updates do to clocks, as far as bounds are concerned.

use merkhet_network::{ClockId, Expr, MAX_CLOCK_CONSTANT, Network, Stmt};

use super::seeds::Seeds;
use super::{NO_BOUND, Table, UNBOUNDED};

/// The clocks that an update certainly sets to a value that does not depend on clocks, in order of the statements.
///
/// Resets under a condition, in a loop or of an array element that is known at run time only may not happen, so they do
/// not count. A function's resets count up to its first statement that may return.
pub(crate) fn certain_resets(network: &Network, update: &[Stmt], found: &mut Vec<ClockId>) {
    for statement in update {
        match statement {
            Stmt::Reset { clock, .. } if clock.indices.is_empty() => found.push(clock.base),
            Stmt::CopyClock { target, .. } => found.retain(|clock| clock != target),
            Stmt::Evaluate(Expr::Call { function, .. }) => {
                certain_resets(network, &network.functions[function.index()].body, found);
            }
            _ if statement.may_return() => return,
            _ => {}
        }
    }
}

/// Calls back for each statement that may be run by a transition (each function's body once).
fn each_statement(network: &Network, mut visit: impl FnMut(&Stmt)) {
    fn walk(statements: &[Stmt], visit: &mut impl FnMut(&Stmt)) {
        for statement in statements {
            visit(statement);
            match statement {
                Stmt::If {
                    then, otherwise, ..
                } => {
                    walk(then, visit);
                    walk(otherwise, visit);
                }
                Stmt::While { body, .. } | Stmt::For { body, .. } => walk(body, visit),
                _ => {}
            }
        }
    }
    let edges = network.processes.iter().flat_map(|p| &p.edges);
    let updates = edges.map(|e| &e.update);
    let bodies = network.functions.iter().map(|f| &f.body);
    for statements in updates
        .chain(bodies)
        .chain([&network.before_update, &network.after_update])
    {
        walk(statements, &mut visit);
    }
}

/// Whether some clock is set to another clock's value.
pub(crate) fn has_copies(network: &Network) -> bool {
    let mut found = false;
    each_statement(network, |s| found |= matches!(s, Stmt::CopyClock { .. }));
    found
}

/// Whether some clock may stand still.
pub(crate) fn has_stopwatches(network: &Network) -> bool {
    let locations = network.processes.iter().flat_map(|p| &p.locations);
    locations
        .flat_map(|l| &l.invariant.rates)
        .any(|rate| rate.value.as_const() != Some(1))
}

/// The largest value that some clock may be set to.
pub(crate) fn largest_reset(network: &Network) -> i32 {
    let mut largest = 0;
    each_statement(network, |statement| {
        if let Stmt::Reset { value, .. } = statement {
            let (_, high) = merkhet_network::bounds::bounds(network, value);
            largest = largest.max(high.clamp(0, MAX_CLOCK_CONSTANT as i64) as i32);
        }
    });
    largest
}

/// Makes the bounds of clocks that are copied global and closed under the copies: after `x := y + c`, the bounds of `x`
/// count for `y`, less `c`. Copies may be made by another process than the one that compares, hence globally.
pub(crate) fn close_under_copies(network: &Network, seeds: &mut Seeds) {
    let mut copies = Vec::new();
    each_statement(network, |statement| {
        if let Stmt::CopyClock {
            target,
            source,
            offset,
        } = statement
        {
            copies.push((*target, *source, *offset));
        }
    });
    if copies.is_empty() {
        return;
    }
    let mut involved = vec![false; network.clocks.len()];
    for (target, source, _) in &copies {
        involved[target.index()] = true;
        involved[source.index()] = true;
    }
    for table in seeds.at.iter_mut().flatten() {
        for clock in (0..involved.len()).filter(|clock| involved[*clock]) {
            let (lower, upper) = (table.lower[clock], table.upper[clock]);
            seeds.everywhere.add(ClockId::from(clock), lower, upper);
        }
    }
    // Bounds that still grow after as many rounds as there are clocks grow without end: x := x − 1 in a loop.
    for round in 0..=network.clocks.len() {
        let mut changed = false;
        for (target, source, offset) in &copies {
            let lower = shifted(seeds.everywhere.lower[target.index()], *offset);
            let upper = shifted(seeds.everywhere.upper[target.index()], *offset);
            if raise(
                &mut seeds.everywhere,
                *source,
                lower,
                upper,
                round == network.clocks.len(),
            ) {
                changed = true;
            }
        }
        if !changed {
            return;
        }
    }
    // What became unbounded in the last round reaches its sources too.
    while copies.iter().any(|(target, source, _)| {
        let unbounded = |bound: i32| {
            if bound == UNBOUNDED {
                UNBOUNDED
            } else {
                NO_BOUND
            }
        };
        let lower = unbounded(seeds.everywhere.lower[target.index()]);
        let upper = unbounded(seeds.everywhere.upper[target.index()]);
        seeds.everywhere.add(*source, lower, upper)
    }) {}
}

fn raise(table: &mut Table, clock: ClockId, lower: i32, upper: i32, give_up: bool) -> bool {
    let grows = |new: i32, old: i32| if new > old && give_up { UNBOUNDED } else { new };
    let lower = grows(lower, table.lower[clock.index()]);
    let upper = grows(upper, table.upper[clock.index()]);
    table.add(clock, lower, upper)
}

/// The bound that `y` needs for `y + offset` to have this one; a negative one tells no values apart.
fn shifted(bound: i32, offset: i32) -> i32 {
    if bound == NO_BOUND || bound == UNBOUNDED {
        return bound;
    }
    let needed = bound as i64 - offset as i64;
    if needed < 0 {
        NO_BOUND
    } else {
        needed.min(MAX_CLOCK_CONSTANT as i64) as i32
    }
}
