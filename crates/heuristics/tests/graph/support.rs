//! What the tests share.

use std::collections::HashMap;

use merkhet_network::{Formula, Query, QueryKind};
use merkhet_testing::{Profile, RegionGraph};

/// `MERKHET_NETWORKS` and such, as elsewhere.
pub fn setting(name: &str, default: u64) -> u64 {
    std::env::var(name)
        .ok()
        .and_then(|text| text.parse().ok())
        .unwrap_or(default)
}

/// The kinds of networks in turn.
pub fn profile(seed: u64) -> Profile {
    match seed % 4 {
        0 => Profile::default(),
        1 => Profile::everything(),
        2 => Profile::independent(),
        _ => Profile {
            variables: 4,
            clocks: 1,
            ..Profile::everything()
        },
    }
}

/// What the query looks for.
pub fn goal(query: &Query) -> Option<Formula> {
    match &query.kind {
        QueryKind::Possibly(p) => Some(p.clone()),
        QueryKind::Invariantly(p) => Some(Formula::Not(Box::new(p.clone()))),
        _ => None,
    }
}

/// Locations and cells of each reachable discrete state, with its smallest distance over all clock values.
pub fn smallest_distances(
    graph: &RegionGraph,
    goal: &Formula,
) -> Option<HashMap<Vec<i32>, Option<u32>>> {
    let distances = graph.distances(goal).ok()?;
    let mut smallest = HashMap::new();
    for (node, distance) in graph.nodes.iter().zip(distances) {
        let locations = node.discrete.locations.iter().map(|l| l.0 as i32);
        let key = locations.chain(node.discrete.cells.iter().copied());
        let entry = smallest.entry(key.collect()).or_insert(distance);
        *entry = match (*entry, distance) {
            (Some(one), Some(other)) => Some(one.min(other)),
            (one, other) => one.or(other),
        };
    }
    Some(smallest)
}
