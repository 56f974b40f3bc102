//! Backward propagation of bounds through edges that do not reset the clock, until a fixed point.

use merkhet_network::{ClockId, Network};

use super::effects::certain_resets;
use super::seeds::Seeds;
use super::{BoundsRow, NO_BOUND, Table};

/// Propagates within each process. Bounds that hold everywhere are left out of the rows.
pub(crate) fn backwards(network: &Network, seeds: &mut Seeds) -> Vec<Vec<Vec<BoundsRow>>> {
    let mut always = Vec::new();
    certain_resets(network, &network.before_update, &mut always);
    certain_resets(network, &network.after_update, &mut always);
    let mut result = Vec::with_capacity(network.processes.len());
    for (process, tables) in network.processes.iter().zip(&mut seeds.at) {
        let edges: Vec<_> = (process.edges.iter())
            .map(|edge| {
                let mut resets = always.clone();
                certain_resets(network, &edge.update, &mut resets);
                resets.sort_unstable();
                resets.dedup();
                (edge.source.index(), edge.target.index(), resets)
            })
            .collect();
        // Edges by target, so that a change at a location is handed on only where it can matter.
        let mut into = vec![Vec::new(); tables.len()];
        for (index, (_, target, _)) in edges.iter().enumerate() {
            into[*target].push(index);
        }
        let mut waiting: Vec<usize> = (0..tables.len()).collect();
        let mut queued = vec![true; tables.len()];
        while let Some(location) = waiting.pop() {
            queued[location] = false;
            for edge in &into[location] {
                let (source, target, resets) = &edges[*edge];
                if source != target && hand_on(tables, *source, *target, resets) && !queued[*source]
                {
                    queued[*source] = true;
                    waiting.push(*source);
                }
            }
        }
        let rows = tables.iter().map(|t| beyond(t, &seeds.everywhere));
        result.push(rows.collect());
    }
    result
}

/// Raises the bounds at `source` to those at `target` for the clocks that are not reset; says whether any rose.
fn hand_on(tables: &mut [Table], source: usize, target: usize, resets: &[ClockId]) -> bool {
    let mut changed = false;
    let mut resets = resets.iter().peekable();
    for clock in 0..tables[target].lower.len() {
        let id = ClockId::from(clock);
        if resets.next_if(|reset| **reset == id).is_some() {
            continue;
        }
        let (lower, upper) = (tables[target].lower[clock], tables[target].upper[clock]);
        changed |= tables[source].add(id, lower, upper);
    }
    changed
}

/// The rows of a table that say more than another one.
fn beyond(table: &Table, everywhere: &Table) -> Vec<BoundsRow> {
    let news = |row: &BoundsRow| {
        let clock = row.clock.index();
        row.lower > everywhere.lower[clock] || row.upper > everywhere.upper[clock]
    };
    let mut rows = table.rows();
    rows.retain(news);
    debug_assert!(
        rows.iter()
            .all(|r| r.lower != NO_BOUND || r.upper != NO_BOUND)
    );
    rows
}
