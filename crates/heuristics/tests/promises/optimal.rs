//! A* with admissible heuristics finds shortest traces with every inclusion and extrapolation; weighted A* keeps its bound.

use merkhet_analysis::Demand;
use merkhet_explore::{Blind, Config, Heuristic, Inclusion, Strategy, Verdict, search};
use merkhet_heuristics::HeuristicSpec;
use merkhet_network::{Formula, Network};
use merkhet_semantics::{Extrapolation, GoalId, Options, System};
use merkhet_testing::{Profile, generate};

use crate::{all, goal, prepared, setting, some};

const ABSTRACTIONS: [(Extrapolation, Inclusion); 4] = [
    (Extrapolation::LuPlus, Inclusion::Zone),
    (Extrapolation::LuPlus, Inclusion::Alu),
    (Extrapolation::M, Inclusion::Zone),
    (Extrapolation::LuPlus, Inclusion::None),
];

/// The most states of one search: exact comparisons need searches that end.
const STATES: u64 = 20_000;

/// The length of the trace; `Err` if the search did not end.
fn length(
    system: &System,
    strategy: Strategy,
    inclusion: Inclusion,
    heuristic: &mut dyn Heuristic,
) -> Result<Option<usize>, ()> {
    let mut config = Config {
        strategy,
        inclusion,
        goal: Some(GoalId(0)),
        ..Config::default()
    };
    config.limits.states = Some(STATES);
    match search(system, &config, heuristic, &mut |_| {}).map(|outcome| outcome.verdict) {
        Ok(Verdict::Reachable(trace)) => Ok(Some(trace.transitions.len())),
        Ok(Verdict::Unreachable(_)) => Ok(None),
        _ => Err(()),
    }
}

fn weighted(numerator: u32) -> Strategy {
    Strategy::WeightedAStar {
        numerator,
        denominator: 2,
    }
}

fn check(
    specs: &[&HeuristicSpec],
    network: &Network,
    formula: &Formula,
    seed: u64,
) -> Option<Option<usize>> {
    let (extrapolation, inclusion) = ABSTRACTIONS[(seed / 4) as usize % ABSTRACTIONS.len()];
    let options = Options {
        extrapolation,
        demand: Demand {
            formulas: &[formula],
            ..Demand::default()
        },
        ..Options::default()
    };
    let system = System::new(network, &options).ok()?;
    let bfs = length(&system, Strategy::BreadthFirst, inclusion, &mut Blind).ok()?;
    let context = format!("seed {seed}, {extrapolation:?} {inclusion:?} {formula:?}");
    for spec in specs.iter().filter(|spec| spec.is_admissible()) {
        let mut guide = prepared(spec, network, formula).make(&system, 0);
        let astar = length(&system, Strategy::AStar, inclusion, guide.as_mut()).ok()?;
        assert_eq!(astar, bfs, "{spec}, {context}");
    }
    let lower = specs.iter().find(|spec| spec.entry().name == "hl")?;
    let mut lower = prepared(lower, network, formula).make(&system, 0);
    for numerator in [2, 3, 10] {
        let found = length(&system, weighted(numerator), inclusion, lower.as_mut()).ok()?;
        assert_eq!(found.is_some(), bfs.is_some(), "{context}");
        if let (Some(found), Some(shortest)) = (found, bfs) {
            let within = 2 * found <= numerator as usize * shortest;
            assert!(
                within,
                "{found} for {shortest} with {numerator}/2: {context}"
            );
        }
    }
    Some(bfs)
}

/// The kinds of networks in turn.
fn profile(seed: u64) -> Profile {
    match seed % 5 {
        0 => Profile::default(),
        1 => Profile::everything(),
        2 => Profile::independent(),
        3 => Profile::diagonal(),
        _ => Profile {
            variables: 4,
            clocks: 1,
            ..Profile::everything()
        },
    }
}

#[test]
fn a_star_equals_breadth_first() {
    let all = all();
    let (mut compared, mut steps) = (0, 0);
    let first = setting("MERKHET_SEED", 100_000);
    for seed in first..first + setting("MERKHET_NETWORKS", 600) {
        let (network, queries) = generate(seed, &profile(seed));
        for formula in queries.iter().filter_map(goal) {
            let specs = some(&all, seed as usize);
            if let Some(length) = check(&specs, &network, &formula, seed) {
                compared += 1;
                steps += length.unwrap_or(0);
            }
        }
    }
    println!("{compared} goals compared, {steps} steps");
    assert!(
        compared > 100 && steps * 10 > compared,
        "{compared} {steps}"
    );
}
