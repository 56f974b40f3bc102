//! The paper's running example, and estimates against true distances.

use merkhet_network::{EdgeId, Formula, ProcessId, QueryKind};
use merkhet_testing::{Profile, generate, running_example};

use super::{CausalGraphHeuristic, ORDERS, Options};
use crate::{DEAD_END, Goal};

fn goal(kind: &QueryKind) -> Option<Formula> {
    match kind {
        QueryKind::Possibly(formula) => Some(formula.clone()),
        _ => None,
    }
}

#[test]
fn the_running_example() {
    let (network, query) = running_example();
    let formula = goal(&query.kind).expect("a reachability query");
    let goal = Goal::of(&network, &formula);
    for (name, order, _) in ORDERS {
        let options = Options { order: *order };
        let mut heuristic = CausalGraphHeuristic::new(&network, &goal, options);
        assert_eq!(heuristic.estimate(&[0, 0, 0]), 11, "{name}");
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
            for (_, order, _) in ORDERS {
                let options = Options { order: *order };
                let mut heuristic = CausalGraphHeuristic::new(&network, &goal, options);
                let estimate = heuristic.estimate(&memory);
                assert_eq!(estimate, heuristic.estimate(&memory), "seed {seed}");
                finite += usize::from(estimate != DEAD_END && estimate > 0);
            }
        }
    }
    assert!(finite > 150, "only {finite} estimates");
}
