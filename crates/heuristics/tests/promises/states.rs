//! Admissible values never exceed distances, consistent ones fall by one at most, and from safe dead ends no goal is reached: in
//! every state of the exact zone graph of random networks. A table of values changes none of them.
//!
//! `MERKHET_NETWORKS` sets the number of networks for each profile, `MERKHET_SEED` the first seed.

use std::collections::{HashMap, VecDeque};
use std::ops::ControlFlow;

use merkhet_analysis::Demand;
use merkhet_explore::Estimate;
use merkhet_heuristics::HeuristicSpec;
use merkhet_network::{Formula, Network};
use merkhet_semantics::{Explorer, Extrapolation, GoalId, Options as Precision, State, System};
use merkhet_testing::{Profile, generate};
use merkhet_zones::bound::Bound;

use crate::unmet::LIAR;
use crate::{all, goal, prepared, setting, some};

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

/// How often a heuristic said something.
fn check(specs: &[&HeuristicSpec], network: &Network, goal: &Formula) -> Result<u64, String> {
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
        return Ok(0);
    };
    let Some(graph) = graph(&system) else {
        return Ok(0);
    };
    let distances = distances(&graph);
    let mut informed = 0;
    for spec in specs {
        let prepared = prepared(spec, network, goal);
        let mut plain = prepared.make(&system, 0);
        let mut cached = prepared.make(&system, 16);
        let facts = plain.facts();
        if facts != spec.facts() || facts != cached.facts() {
            return Err(format!("{spec} claims {facts:?}, not {:?}", spec.facts()));
        }
        let mut values = Vec::new();
        for (memory, zone) in &graph.states {
            let state = State { memory, zone };
            let value = plain.estimate(state);
            if cached.estimate(state) != value {
                return Err(format!(
                    "{spec}: a table changes {value:?} at {memory:?} {zone:?}"
                ));
            }
            informed += u64::from(value > Estimate::Finite(0));
            values.push(value);
        }
        for (at, distance) in distances.iter().enumerate() {
            let wrong = match (values[at], distance) {
                (_, None) => false,
                (Estimate::DeadEnd, Some(_)) => facts.admissible || facts.safe_dead_ends,
                (Estimate::Finite(value), Some(distance)) => facts.admissible && value > *distance,
            };
            let fall = |source: &usize| match (values[*source], values[at]) {
                (Estimate::Finite(before), Estimate::Finite(after)) => before > after + 1,
                (before, after) => before > after,
            };
            if wrong || (facts.consistent && graph.sources[at].iter().any(fall)) {
                let state = &graph.states[at];
                return Err(format!(
                    "{spec}: {:?} at distance {distance:?}, {state:?}",
                    values[at]
                ));
            }
        }
    }
    Ok(informed)
}

fn all_networks(profile: &Profile, networks: u64) {
    let first = setting("MERKHET_SEED", 0);
    let (all, mut turn, mut informed) = (all(), 0, 0);
    for seed in first..first + setting("MERKHET_NETWORKS", networks) {
        let (network, queries) = generate(seed, profile);
        for goal in queries.iter().filter_map(goal) {
            turn += 1;
            match check(&some(&all, turn), &network, &goal) {
                Ok(found) => informed += found,
                Err(problem) => panic!("seed {seed}, {problem}\n{goal:?}"),
            }
        }
    }
    assert!(
        informed > networks,
        "the values say next to nothing: {informed}"
    );
}

#[test]
fn values_of_ordinary_networks() {
    all_networks(&Profile::default(), 60);
}

#[test]
fn values_with_differences_of_clocks() {
    all_networks(&Profile::diagonal(), 40);
}

#[test]
fn values_of_all_that_the_language_has() {
    all_networks(&Profile::everything(), 60);
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
    all_networks(&profile, 40);
}

#[test]
fn a_false_promise_is_found_out() {
    let liar = HeuristicSpec::of(&LIAR);
    let found = (0..20).any(|seed| {
        let (network, queries) = generate(seed, &Profile::default());
        let mut goals = queries.iter().filter_map(goal);
        goals.any(|goal| check(&[&liar], &network, &goal).is_err())
    });
    assert!(found);
}
