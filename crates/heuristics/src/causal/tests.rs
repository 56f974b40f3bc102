//! The paper's running example, and estimates against true distances.

use merkhet_network::tuning::Tuning;
use merkhet_network::{Edge, EdgeId, EventId, Formula, LocationId, ProcessId, QueryKind, Sync};
use merkhet_testing::{Profile, generate, running_example};

use super::{CausalGraphHeuristic, ORDERS, Options, Order};
use crate::{DEAD_END, Goal};

fn goal(kind: &QueryKind) -> Option<Formula> {
    match kind {
        QueryKind::Possibly(formula) => Some(formula.clone()),
        _ => None,
    }
}

/// Every order, with one context and with several.
fn all() -> Vec<Options> {
    let with = |contexts| move |order| Options { order, contexts };
    let several = ORDERS.into_iter().filter(|order| *order != Order::Dynamic);
    ORDERS
        .into_iter()
        .map(with(1))
        .chain(several.map(with(4)))
        .collect()
}

#[test]
fn the_running_example() {
    let (network, query) = running_example();
    let formula = goal(&query.kind).expect("a reachability query");
    let goal = Goal::of(&network, &formula);
    for options in all() {
        let mut heuristic = CausalGraphHeuristic::new(&network, &goal, options, &Tuning::default());
        assert_eq!(heuristic.estimate(&[0, 0, 0]), 11, "{options:?}");
        // Section 4.2, the costs of the third process; section 4.1, those of the others.
        assert_eq!(heuristic.costs(&[0, 0, 0], 2), [0, 3, 6, 11]);
        assert_eq!(heuristic.costs(&[0, 0, 0], 0), [0, 1, 2, 3]);
        assert_eq!(heuristic.costs(&[0, 2, 0], 1), [2, 3, 0, 1]);
        assert_eq!(heuristic.estimate(&[0, 0, 3]), 0);
        assert_eq!(heuristic.estimate(&[2, 0, 0]), 9);
        // Before the third process can move, the first one must go from 0 to 2: by its first edge.
        assert_eq!(
            heuristic.first_edges(&[0, 0, 0]),
            [(ProcessId(0), EdgeId(0))]
        );
        assert!(heuristic.first_edges(&[0, 0, 3]).is_empty());
        // Again, from the tables.
        assert_eq!(heuristic.estimate(&[0, 0, 0]), 11);
    }
}

/// The second step needs the first process where the first step's cheapest set-up cannot come back from.
#[test]
fn several_contexts_find_what_one_misses() {
    let (mut network, query) = running_example();
    let edge = |source: u32, target: u32, sync: Sync| Edge {
        source: LocationId(source),
        target: LocationId(target),
        sync,
        ..network.processes[0].edges[0].clone()
    };
    let event = |number| Sync::Event(EventId(number));
    let first = vec![
        edge(0, 1, Sync::Internal),
        edge(0, 3, Sync::Internal),
        edge(3, 2, Sync::Internal),
        edge(1, 1, event(0)),
        edge(2, 2, event(0)),
        edge(2, 2, event(1)),
    ];
    let third = vec![edge(0, 1, event(0)), edge(1, 3, event(1))];
    (network.processes[0].edges, network.processes[2].edges) = (first, third);
    network.vectors[1].participants[0].process = ProcessId(0);
    network.vectors.pop();
    let formula = goal(&query.kind).expect("a reachability query");
    let goal = Goal::of(&network, &formula);
    let estimate = |contexts| {
        let order = Order::Depth;
        let options = Options { order, contexts };
        let mut heuristic = CausalGraphHeuristic::new(&network, &goal, options, &Tuning::default());
        (
            heuristic.estimate(&[0, 0, 0]),
            heuristic.first_edges(&[0, 0, 0]),
        )
    };
    assert_eq!(estimate(1), (DEAD_END, vec![]));
    // By the second edge of the first process, to 3 and 2; then both steps of the third.
    assert_eq!(estimate(2).0, 4);
    assert_eq!(estimate(8).0, 4);
}

#[test]
fn random_networks_have_estimates() {
    let mut finite = 0;
    for seed in 0..300 {
        let profile = match seed % 3 {
            0 => Profile::default(),
            1 => Profile::everything(),
            _ => Profile::independent(),
        };
        let (network, queries) = generate(seed, &profile);
        for formula in queries.iter().filter_map(|query| goal(&query.kind)) {
            let goal = Goal::of(&network, &formula);
            let memory = merkhet_network::code::Layout::of(&network).initial_memory(&network);
            for options in all() {
                let mut heuristic =
                    CausalGraphHeuristic::new(&network, &goal, options, &Tuning::default());
                let estimate = heuristic.estimate(&memory);
                assert_eq!(estimate, heuristic.estimate(&memory), "seed {seed}");
                finite += usize::from(estimate != DEAD_END && estimate > 0);
                let parts = heuristic.parts(&network, &memory);
                let sum = (parts.iter()).try_fold(0, |sum, part| Some(sum + part.value?));
                if estimate != DEAD_END {
                    assert_eq!(sum, Some(estimate), "seed {seed}, {options:?}: {parts:?}");
                }
            }
        }
    }
    assert!(finite > 150, "only {finite} estimates");
}
