//! Estimates next to true distances: in every reachable state of random networks, by the region graph.

use merkhet_heuristics::atg::Graph;
use merkhet_heuristics::{DEAD_END, Goal};
use merkhet_network::{Formula, Network};
use merkhet_testing::{RegionGraph, generate};

use crate::support::{goal, profile, setting, smallest_distances};

/// How many states were compared, and in how many an estimate said something.
#[derive(Default, Debug)]
pub struct Compared {
    pub states: usize,
    pub positive: usize,
    dead_ends: usize,
    exact: usize,
}

/// Compares the estimates of every reachable state with its distance.
pub fn check(
    network: &Network,
    formula: &Formula,
    graph: &RegionGraph,
) -> Result<Compared, String> {
    let mut compared = Compared::default();
    let Some(distances) = smallest_distances(graph, formula) else {
        return Ok(compared);
    };
    let goal = Goal::of(network, formula);
    let mut atg = Graph::new(network, &goal);
    for (memory, distance) in &distances {
        let hl = atg.lower(memory);
        let hu = atg.upper(memory);
        let again = atg.lower(memory);
        for (name, value, admissible) in [("hl", hl, true), ("hu", hu, false)] {
            let wrong = match *distance {
                Some(_) if value == DEAD_END => true,
                Some(distance) => admissible && value > distance,
                None => false,
            };
            if wrong {
                return Err(format!(
                    "{name} is {value} at {memory:?}, distance {distance:?}"
                ));
            }
        }
        if again != hl || hu < hl || (hu == DEAD_END) != (hl == DEAD_END) {
            return Err(format!("h^L {hl}, {again}, h^U {hu} at {memory:?}"));
        }
        compared.states += 1;
        compared.positive += usize::from(hl > 0 && hl != DEAD_END);
        compared.dead_ends += usize::from(hl == DEAD_END);
        compared.exact += usize::from(Some(hl) == *distance);
    }
    Ok(compared)
}

/// h^L is at most the distance; neither estimate is infinite where the goal can be reached.
#[test]
fn estimates_keep_what_they_promise() {
    let mut sum = Compared::default();
    let first = setting("MERKHET_SEED", 0);
    for seed in first..first + setting("MERKHET_NETWORKS", 2000) {
        let (network, queries) = generate(seed, &profile(seed));
        let Ok(graph) = RegionGraph::build(&network, &queries, 3000) else {
            continue;
        };
        for formula in queries.iter().filter_map(goal) {
            match check(&network, &formula, &graph) {
                Ok(compared) => {
                    sum.states += compared.states;
                    sum.positive += compared.positive;
                    sum.dead_ends += compared.dead_ends;
                    sum.exact += compared.exact;
                }
                Err(problem) => panic!("seed {seed}, {formula:?}: {problem}\n{network:#?}"),
            }
        }
    }
    println!("{sum:?}");
    assert!(sum.positive * 20 > sum.states, "{sum:?}: too easy");
    assert!(sum.dead_ends * 20 > sum.states, "{sum:?}: too easy");
    assert!(sum.exact * 4 > sum.states, "{sum:?}: says nothing");
}
