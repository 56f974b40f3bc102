//! The examples of the papers: values at the start, and dead ends after wrong choices.

use merkhet_heuristics::atg::Graph;
use merkhet_heuristics::distance::{Combination, Distance};
use merkhet_heuristics::{DEAD_END, Goal};
use merkhet_network::QueryKind;
use merkhet_testing::running_example;

/// Wehrle and Helmert 2009, section 3: d^L and d^U see three steps of one process, h^L lets the two others move at the
/// same time, h^U counts their moves one by one; none sees that they have to go back. The distance is 11.
#[test]
fn the_running_example_of_the_causal_graph_paper() {
    let (network, query) = running_example();
    let QueryKind::Possibly(formula) = &query.kind else {
        panic!("a reachability query");
    };
    let goal = Goal::of(&network, formula);
    let start = [0, 0, 0];
    let distance = |combination| Distance::new(&network, &goal, combination).value(&start);
    assert_eq!(distance(Combination::Maximum), 3);
    assert_eq!(distance(Combination::Sum), 3);
    let mut graph = Graph::new(&network, &goal);
    assert_eq!(graph.lower(&start), 5);
    assert_eq!(graph.upper(&start), 7);
    // The first steps: each of the two goes its way, the third one has to wait.
    let first: Vec<u32> = graph
        .solution()
        .filter(|step| step.layer == 1)
        .map(|step| step.edge.process.0)
        .collect();
    assert_eq!(first.len(), 2);
    assert!(first.contains(&0) && first.contains(&1));
    // The last one takes all three with it.
    let last = graph.solution().next().expect("a step");
    assert_eq!((last.layer, last.edge.process.0), (5, 2));
    assert_eq!(graph.lower(&[1, 3, 2]), 4, "three steps of p1, then c");
    assert_eq!(graph.upper(&[1, 3, 2]), 5, "p1 needs three steps, p2 one");
    assert_ne!(graph.lower(&[2, 2, 2]), DEAD_END);
}
