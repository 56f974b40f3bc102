//! Values never exceed distances: on random networks, for every state of the exact zone graph.
//!
//! `MERKHET_NETWORKS` sets the number of networks for each profile, `MERKHET_SEED` the first seed.

use std::collections::{HashMap, VecDeque};
use std::ops::ControlFlow;

use merkhet_analysis::Demand;
use merkhet_heuristics::HeuristicSpec;
use merkhet_heuristics::pa::{Options, PredicateAbstraction, Stop};
use merkhet_network::{Formula, Network, Query, QueryKind};
use merkhet_semantics::{Explorer, Extrapolation, GoalId, Options as Precision, State, System};
use merkhet_testing::{Profile, generate};
use merkhet_zones::bound::Bound;

const NAMES: [&str; 8] = [
    "pa",
    "pa(states=4)",
    "pa:syn",
    "pa:1abs",
    "pa:2abs",
    "pa:paths(q=2,l=w/2)",
    "pa:seed(states=100)",
    "pa:1abs(states=3,layers=2)",
];

pub fn setting(name: &str, default: u64) -> u64 {
    let text = std::env::var(name).ok();
    text.and_then(|text| text.parse().ok()).unwrap_or(default)
}

pub fn goal(query: &Query) -> Option<Formula> {
    match &query.kind {
        QueryKind::Possibly(p) => Some(p.clone()),
        QueryKind::Invariantly(p) => Some(Formula::Not(Box::new(p.clone()))),
        _ => None,
    }
}

/// The first states of the exact zone graph, with their successors and whether they meet the goal.
struct Graph {
    states: Vec<(Vec<i32>, Vec<Bound>)>,
    sources: Vec<Vec<usize>>,
    goals: Vec<usize>,
}

const MOST_STATES: usize = 400;

fn graph(system: &System) -> Option<Graph> {
    let mut graph = Graph {
        states: Vec::new(),
        sources: Vec::new(),
        goals: Vec::new(),
    };
    let mut known: HashMap<(Vec<i32>, Vec<Bound>), usize> = HashMap::new();
    let mut explorer = Explorer::new(system);
    let mut found = Vec::new();
    let _ = explorer
        .initial(&mut |successor| {
            found.push((
                successor.state.memory.to_vec(),
                successor.state.zone.to_vec(),
            ));
            ControlFlow::Continue(())
        })
        .ok()?;
    let mut queue = VecDeque::new();
    let mut add = |graph: &mut Graph, queue: &mut VecDeque<usize>, state, from: Option<usize>| {
        let next = graph.states.len();
        let at = match known.get(&state) {
            Some(at) => *at,
            None if next >= MOST_STATES => return,
            None => {
                known.insert(state.clone(), next);
                graph.states.push(state);
                graph.sources.push(Vec::new());
                queue.push_back(next);
                next
            }
        };
        graph.sources[at].extend(from);
    };
    for state in found {
        add(&mut graph, &mut queue, state, None);
    }
    let mut tester = Explorer::new(system);
    while let Some(at) = queue.pop_front() {
        let (memory, zone) = graph.states[at].clone();
        let state = State {
            memory: &memory,
            zone: &zone,
        };
        if tester.satisfies(GoalId(0), state, None).ok()? {
            graph.goals.push(at);
        }
        let mut found = Vec::new();
        let _ = explorer
            .successors(state, &mut |successor| {
                found.push((
                    successor.state.memory.to_vec(),
                    successor.state.zone.to_vec(),
                ));
                ControlFlow::Continue(())
            })
            .ok()?;
        for state in found {
            add(&mut graph, &mut queue, state, Some(at));
        }
    }
    Some(graph)
}

fn distances(graph: &Graph) -> Vec<Option<u32>> {
    let mut distances = vec![None; graph.states.len()];
    let mut queue = VecDeque::new();
    for goal in &graph.goals {
        distances[*goal] = Some(0);
        queue.push_back(*goal);
    }
    while let Some(at) = queue.pop_front() {
        for source in &graph.sources[at] {
            if distances[*source].is_none() {
                distances[*source] = distances[at].map(|distance: u32| distance + 1);
                queue.push_back(*source);
            }
        }
    }
    distances
}

fn check(seed: u64, network: &Network, goal: &Formula) -> u64 {
    let demand = Demand {
        formulas: &[goal],
        ..Demand::default()
    };
    let precision = Precision {
        extrapolation: Extrapolation::None,
        demand,
        ..Precision::default()
    };
    let Ok(system) = System::new(network, &precision) else {
        return 0;
    };
    let Some(graph) = graph(&system) else {
        return 0;
    };
    let distances = distances(&graph);
    let mut informed = 0;
    for name in NAMES {
        let options = options(name);
        let mut abstraction = PredicateAbstraction::new(network, goal, options, Stop::default());
        for ((memory, zone), distance) in graph.states.iter().zip(&distances) {
            let Some(distance) = distance else {
                continue;
            };
            let value = abstraction.estimate(memory, zone);
            assert!(
                value <= *distance,
                "seed {seed}, {name}: {value} at a state of distance {distance}\n{memory:?} {zone:?}\n{goal:?}"
            );
            informed += u64::from(value > 0);
        }
    }
    informed
}

fn all(profile: &Profile, networks: u64) {
    let first = setting("MERKHET_SEED", 0);
    let mut informed = 0;
    for seed in first..first + setting("MERKHET_NETWORKS", networks) {
        let (network, queries) = generate(seed, profile);
        for goal in queries.iter().filter_map(goal) {
            informed += check(seed, &network, &goal);
        }
    }
    assert!(
        informed > networks,
        "the values say next to nothing: {informed}"
    );
}

#[test]
fn values_of_ordinary_networks() {
    all(&Profile::default(), 60);
}

#[test]
fn values_with_differences_of_clocks() {
    all(&Profile::diagonal(), 40);
}

#[test]
fn values_of_all_that_the_language_has() {
    all(&Profile::everything(), 60);
}

#[test]
fn values_with_stopwatches_and_vectors() {
    let profile = Profile {
        stopwatches: true,
        vectors: true,
        faults: true,
        variables: 3,
        ..Profile::everything()
    };
    all(&profile, 40);
}

/// The options of a name of the family.
pub fn options(name: &str) -> Options {
    let spec: HeuristicSpec = name.parse().expect("a heuristic");
    *spec.options().expect("of the family")
}
