//! Random networks: every search, inclusion and extrapolation agrees with the region graph, shortest traces are
//! shortest, and the judge accepts every trace.
//!
//! `MERKHET_NETWORKS` sets the number of networks for each profile, `MERKHET_SEED` the first seed. With
//! `MERKHET_ALL=1` every combination is tried on every query; otherwise each with one of the searches in turn.

use merkhet_analysis::Demand;
use merkhet_explore::{
    Blind, Config, Estimate, Estimates, HeuristicFacts, Inclusion, Outcome, Strategy, TieBreak,
    Unguided, Unranked, Verdict, concretise, search,
};
use merkhet_network::tuning::Tuning;
use merkhet_network::{Formula, Network, Query, QueryKind};
use merkhet_semantics::{Extrapolation, GoalId, Options, Scope, State, System};
use merkhet_testing::{Answer, Obstacle, Profile, RegionGraph, generate};

const STRATEGIES: [Strategy; 9] = [
    Strategy::Auto(TieBreak::Fifo),
    Strategy::Preferred(TieBreak::Lifo),
    Strategy::LargestFirst,
    Strategy::BreadthFirst,
    Strategy::DepthFirst,
    Strategy::RandomDepthFirst,
    Strategy::Greedy(TieBreak::Random),
    Strategy::AStar,
    Strategy::WeightedAStar {
        numerator: 3,
        denominator: 2,
    },
];

const ABSTRACTIONS: [(Extrapolation, Inclusion); 11] = [
    (Extrapolation::M, Inclusion::None),
    (Extrapolation::M, Inclusion::Zone),
    (Extrapolation::MPlus, Inclusion::None),
    (Extrapolation::MPlus, Inclusion::Zone),
    (Extrapolation::Lu, Inclusion::None),
    (Extrapolation::Lu, Inclusion::Zone),
    (Extrapolation::LuPlus, Inclusion::None),
    (Extrapolation::LuPlus, Inclusion::Zone),
    (Extrapolation::LuPlus, Inclusion::Alu),
    (Extrapolation::LuPlus, Inclusion::Adaptive),
    (Extrapolation::None, Inclusion::Alu),
];

fn setting(name: &str, default: u64) -> u64 {
    std::env::var(name)
        .ok()
        .and_then(|text| text.parse().ok())
        .unwrap_or(default)
}

/// What is looked for, and whether the query holds if it is found.
fn goal(query: &Query) -> Option<(Formula, bool)> {
    match &query.kind {
        QueryKind::Possibly(p) => Some((p.clone(), true)),
        QueryKind::Invariantly(p) => Some((Formula::Not(Box::new(p.clone())), false)),
        _ => None,
    }
}

fn run(
    system: &System,
    strategy: Strategy,
    inclusion: Inclusion,
    goal: Option<GoalId>,
    seed: u64,
) -> Outcome {
    let mut tuning = Tuning::default();
    if inclusion == Inclusion::Adaptive {
        // It changes its mind all the time.
        for setting in ["gain.trial=1", "gain.share=3", "gain.sample=1"] {
            let set = tuning.set(&[merkhet_explore::tuning::ALL], setting);
            set.expect("a tunable");
        }
    }
    let config = Config {
        strategy,
        inclusion,
        goal,
        seed,
        tuning: Some(&tuning),
        ..Config::default()
    };
    search(system, &config, &mut Blind, &mut |_| {}).expect("the oracle met no fault")
}

/// Compares everything about one network; says what is wrong with it.
fn check(network: &Network, queries: &[Query], seed: u64) -> Result<usize, String> {
    let graph = match RegionGraph::build(network, queries, 4000) {
        Ok(graph) => graph,
        Err(Obstacle::Fault) => return check_fault(network),
        Err(_) => return Ok(0),
    };
    let mut compared = 0;
    for (position, (extrapolation, inclusion)) in ABSTRACTIONS.into_iter().enumerate() {
        let scope = if seed % 5 == position as u64 % 5 {
            Scope::Global
        } else {
            Scope::Local
        };
        let options = Options {
            extrapolation,
            scope,
            ..Options::default()
        };
        let system = System::new(network, &options).map_err(|e| e.to_string())?;
        if inclusion == Inclusion::Alu
            && extrapolation == Extrapolation::None
            && !system.permits_simulation()
        {
            continue;
        }
        let strategy = STRATEGIES[(seed as usize + position) % STRATEGIES.len()];
        let outcome = run(&system, strategy, inclusion, None, seed);
        let expected = graph.discrete_states().len();
        if outcome.statistics.discrete as usize != expected {
            return Err(format!(
                "{extrapolation:?} {inclusion:?} {strategy:?}: {} discrete states, not {expected}",
                outcome.statistics.discrete
            ));
        }
        for query in queries {
            let Some((formula, holds_if_found)) = goal(query) else {
                continue;
            };
            let Ok(Answer::Verdict(holds)) = graph.answer(query, 4000) else {
                continue;
            };
            let demand = Demand {
                formulas: &[&formula],
                ..Demand::default()
            };
            let options = Options {
                extrapolation,
                scope,
                demand,
                ..Options::default()
            };
            let system = System::new(network, &options).map_err(|e| e.to_string())?;
            let turn = compared;
            for (index, strategy) in STRATEGIES.into_iter().enumerate() {
                if setting("MERKHET_ALL", 0) == 0 && index != turn % STRATEGIES.len() {
                    continue;
                }
                let context = format!(
                    "{extrapolation:?} {inclusion:?} {strategy:?} {:?}",
                    query.kind
                );
                let outcome = run(&system, strategy, inclusion, Some(GoalId(0)), seed);
                compared += 1;
                let expected = holds == holds_if_found;
                match outcome.verdict {
                    Verdict::Reachable(trace) if expected => {
                        let shortest = graph.distance(&formula).map_err(|o| format!("{o:?}"))?;
                        let length = trace.transitions.len() as u32;
                        if matches!(strategy, Strategy::BreadthFirst | Strategy::AStar)
                            && Some(length) != shortest
                        {
                            return Err(format!(
                                "{context}: {length} transitions, not {shortest:?}"
                            ));
                        }
                        let run =
                            concretise(&system, &trace).map_err(|e| format!("{context}: {e:?}"))?;
                        merkhet_replay::judge_trace(network, query, &run)
                            .map_err(|e| format!("{context}: rejected: {e:?} {run:?}"))?;
                    }
                    Verdict::Unreachable(_) if !expected => {}
                    verdict => return Err(format!("{context}: {verdict:?}, expected {expected}")),
                }
            }
        }
    }
    Ok(compared)
}

/// Knows the true distance of some discrete states (the smallest over all their regions) and nothing of others: admissible,
/// but not consistent.
struct Patchy<'a> {
    distances: &'a std::collections::HashMap<Vec<i32>, Option<u32>>,
    cells: usize,
    seed: u64,
}

impl Estimates for Patchy<'_> {
    fn facts(&self) -> HeuristicFacts {
        HeuristicFacts {
            admissible: true,
            consistent: false,
            safe_dead_ends: true,
        }
    }

    fn estimate(&mut self, state: State<'_>) -> Estimate {
        let key = &state.memory[..self.cells];
        let mixed = key.iter().fold(self.seed, |sum, cell| {
            (sum ^ *cell as u64)
                .wrapping_mul(0x9e37_79b9_7f4a_7c15)
                .rotate_left(29)
        });
        match self.distances.get(key) {
            Some(None) => Estimate::DeadEnd,
            Some(Some(distance)) if mixed % 2 == 0 => Estimate::Finite(*distance),
            _ => Estimate::Finite(0),
        }
    }

    fn size(&self) -> usize {
        1
    }
}

impl Unguided for Patchy<'_> {}

impl Unranked for Patchy<'_> {}

/// A* finds shortest traces with heuristics that are admissible only, with every inclusion.
#[test]
fn a_star_is_optimal_with_inconsistent_heuristics() {
    for seed in 0..setting("MERKHET_NETWORKS", 150) {
        let (network, queries) = generate(seed, &Profile::default());
        let Ok(graph) = RegionGraph::build(&network, &queries, 4000) else {
            continue;
        };
        for query in &queries {
            let Some((formula, _)) = goal(query) else {
                continue;
            };
            let Ok(distances) = graph.distances(&formula) else {
                continue;
            };
            let mut smallest = std::collections::HashMap::new();
            for (node, distance) in graph.nodes.iter().zip(&distances) {
                let locations = node.discrete.locations.iter().map(|l| l.0 as i32);
                let key: Vec<i32> = locations
                    .chain(node.discrete.cells.iter().copied())
                    .collect();
                let entry = smallest.entry(key).or_insert(*distance);
                *entry = match (*entry, *distance) {
                    (Some(one), Some(other)) => Some(one.min(other)),
                    (one, other) => one.or(other),
                };
            }
            let demand = Demand {
                formulas: &[&formula],
                ..Demand::default()
            };
            let options = Options {
                demand,
                ..Options::default()
            };
            let system = System::new(&network, &options).expect("a network that compiles");
            for inclusion in [Inclusion::None, Inclusion::Zone, Inclusion::Alu] {
                let (strategy, goal) = (Strategy::AStar, Some(GoalId(0)));
                let config = Config {
                    strategy,
                    inclusion,
                    goal,
                    ..Config::default()
                };
                let cells = system.key_cells();
                let mut heuristic = Patchy {
                    distances: &smallest,
                    cells,
                    seed,
                };
                let outcome =
                    search(&system, &config, &mut heuristic, &mut |_| {}).expect("no fault");
                let length = match outcome.verdict {
                    Verdict::Reachable(trace) => Some(trace.transitions.len() as u32),
                    _ => None,
                };
                let expected = distances.first().copied().flatten();
                assert_eq!(
                    length, expected,
                    "seed {seed} {inclusion:?} {:?}",
                    query.kind
                );
                // Stopped anywhere before, it says truly how long a trace is at least.
                for states in [0, 1, 3, 7, 20] {
                    let mut config = config;
                    config.limits.states = Some(states);
                    let outcome =
                        search(&system, &config, &mut heuristic, &mut |_| {}).expect("no fault");
                    if let (Some(least), Some(length)) = (outcome.statistics.at_least, expected) {
                        assert!(least <= u64::from(length), "seed {seed}, {states} states");
                    }
                }
            }
        }
    }
}

/// A fault that can be reached ends every full exploration.
fn check_fault(network: &Network) -> Result<usize, String> {
    for (extrapolation, inclusion) in ABSTRACTIONS {
        let options = Options {
            extrapolation,
            ..Options::default()
        };
        let system = System::new(network, &options).map_err(|e| e.to_string())?;
        if inclusion == Inclusion::Alu && !system.permits_simulation() {
            continue;
        }
        let config = Config {
            inclusion,
            ..Config::default()
        };
        if search(&system, &config, &mut Blind, &mut |_| {}).is_ok() {
            return Err(format!(
                "{extrapolation:?} {inclusion:?}: the fault was not met"
            ));
        }
    }
    Ok(1)
}

fn check_profile(name: &str, profile: &Profile, networks: u64) {
    let first = setting("MERKHET_SEED", 0);
    let mut compared = 0;
    for seed in first..first + setting("MERKHET_NETWORKS", networks) {
        if setting("MERKHET_TRACE", 0) != 0 {
            eprintln!("{name} {seed}");
        }
        let (network, queries) = generate(seed, profile);
        match check(&network, &queries, seed) {
            Ok(count) => compared += count,
            Err(problem) => {
                let small =
                    merkhet_testing::minimise(&network, |n| check(n, &queries, seed).is_err());
                let problem_small = check(&small, &queries, seed).err();
                panic!("{name}, seed {seed}: {problem}\nminimised: {problem_small:?}\n{small:#?}");
            }
        }
    }
    println!("{name}: {compared} verdicts compared");
    assert!(compared > 0, "{name}: nothing was compared");
}

#[test]
fn default_networks() {
    check_profile("default", &Profile::default(), 400);
}

#[test]
fn timed_networks() {
    check_profile("timed", &Profile::timed(), 400);
}

#[test]
fn networks_with_differences() {
    check_profile("diagonal", &Profile::diagonal(), 400);
}

#[test]
fn networks_with_everything() {
    check_profile("everything", &Profile::everything(), 500);
}

#[test]
fn networks_with_faults() {
    check_profile(
        "faults",
        &Profile {
            faults: true,
            ..Profile::default()
        },
        300,
    );
}
