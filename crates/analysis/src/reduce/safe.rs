//! Safe abstraction: one removal after the other, since each may make others possible.

use merkhet_network::Formula;
use merkhet_network::footprint::Footprints;

use super::facts::{Facts, of_formula};
use super::{Reduction, process, variable};

/// Removes all that can be removed.
pub(super) fn reduce(reduction: &mut Reduction, formula: &Formula) {
    while step(reduction, formula) {}
}

fn step(reduction: &mut Reduction, formula: &Formula) -> bool {
    let network = &reduction.network;
    let goal = of_formula(&mut Footprints::new(network), formula);
    let facts = Facts::new(network, reduction.limits);
    let cells = variable::candidates(&facts)
        .into_iter()
        .filter(|cell| !goal.reads.contains(*cell));
    let processes = network
        .process_ids()
        .filter(|process| !goal.locations.contains(process));
    let found = cells
        .filter_map(|cell| variable::remove(&facts, cell))
        .next()
        .or_else(|| {
            processes
                .filter_map(|candidate| process::remove(&facts, candidate))
                .next()
        });
    let Some((smaller, layer, removed)) = found else {
        return false;
    };
    reduction.push(smaller, layer, [removed]);
    true
}
