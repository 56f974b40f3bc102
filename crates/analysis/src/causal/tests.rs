//! The paper's figure 3, cycles, and orders.

use merkhet_network::ProcessId;
use merkhet_testing::{Profile, generate, running_example};

use super::{Arc, CausalGraph, Grain, Vertex, components};

fn arcs(graph: &CausalGraph) -> Vec<(u32, u32)> {
    graph.arcs.iter().map(|arc| (arc.from, arc.to)).collect()
}

#[test]
fn figure_3() {
    let (network, _) = running_example();
    let graph = CausalGraph::new(&network, Grain::Cells);
    assert_eq!(arcs(&graph), [(0, 2), (1, 2)]);
    assert!(!graph.is_cyclic());
    // a and c need the first process, b and c the second.
    assert!(graph.arcs.iter().all(|arc| arc.weight == 2));
    let rank = graph.order();
    assert!(rank[0] < rank[2] && rank[1] < rank[2]);
    let text = graph.text(&network);
    assert!(text.contains("p1: independent"), "{text}");
    assert!(text.contains("p3 <- p1 (2), p2 (2)"), "{text}");
    assert!(graph.dot(&network).contains("v0 -> v2"));
    assert!(graph.svg(&network).starts_with("<svg"));
}

#[test]
fn components_are_in_topological_order() {
    let numbers = components(6, &[(0, 1), (1, 2), (2, 1), (2, 3), (4, 3), (5, 5)]);
    assert_eq!(numbers[1], numbers[2]);
    assert!(numbers[0] < numbers[1] && numbers[2] < numbers[3] && numbers[4] < numbers[3]);
    assert_eq!(components(0, &[]), [0u32; 0]);
}

#[test]
fn orders_of_random_graphs() {
    let mut acyclic = 0;
    for seed in 0..200 {
        let (network, _) = generate(seed, &Profile::default());
        for grain in [Grain::Cells, Grain::Variables] {
            let graph = CausalGraph::new(&network, grain);
            let rank = graph.order();
            let mut sorted = rank.clone();
            sorted.sort_unstable();
            let all: Vec<u32> = (0..rank.len() as u32).collect();
            assert_eq!(sorted, all, "seed {seed}: not an order");
            let processes = network.processes.len();
            let first = rank[..processes].iter().min();
            let last = rank[processes..].iter().max();
            assert!(
                last < first || last.is_none(),
                "seed {seed}: an automaton before a variable"
            );
            let within =
                |arc: &&super::Arc| (arc.from < processes as u32) == (arc.to < processes as u32);
            if !graph.is_cyclic() {
                acyclic += 1;
                for arc in graph.arcs.iter().filter(within) {
                    assert!(
                        rank[arc.from as usize] < rank[arc.to as usize],
                        "seed {seed}: not topological"
                    );
                }
            }
        }
    }
    assert!(acyclic > 20, "only {acyclic} graphs without cycles");
}

/// Five processes in a row, each on a cycle with its neighbours, and a goal for both ends.
#[test]
fn depth_first_keeps_the_chain_to_the_goal() {
    let row = 0..5u32;
    let neighbours = row.clone().flat_map(|from| {
        let around = [from.wrapping_sub(1), from + 1];
        around.into_iter().map(move |to| (from, to))
    });
    let arc = |(from, to)| Arc {
        from,
        to,
        weight: 1,
        cyclic: true,
    };
    let graph = CausalGraph {
        vertices: row
            .clone()
            .map(|at| Vertex::Process(ProcessId(at)))
            .collect(),
        arcs: neighbours.filter(|(_, to)| *to < 5).map(arc).collect(),
        components: vec![0; 5],
    };
    // All that may have to happen before the first one moves is known: no arc towards it is lost.
    assert_eq!(graph.order_depth_first(&[0, 4]), [4, 3, 2, 1, 0]);
    assert_eq!(graph.order_depth_first(&[4, 0]), [0, 1, 2, 3, 4]);
    // By distance, the two ends know nothing of each other.
    assert_eq!(graph.order_towards(&[0, 4]), [3, 1, 0, 2, 4]);
}
