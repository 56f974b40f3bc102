//! A* with the largest value of several databases finds shortest traces.
//!
//! `MERKHET_NETWORKS` sets the number of networks, `MERKHET_SEED` the first seed.

use merkhet_analysis::Demand;
use merkhet_explore::{
    Blind, Config, Estimate, Estimates, Heuristic, HeuristicFacts, Strategy, Unguided, Unranked,
    Verdict, search,
};
use merkhet_heuristics::DEAD_END;
use merkhet_heuristics::pa::{PredicateAbstraction, Stop};
use merkhet_network::{Formula, Network};
use merkhet_semantics::{GoalId, Options as Precision, State, System};
use merkhet_testing::{Profile, generate};

use crate::admissible::{goal, options, setting};

/// With few states, `pa` is cut off, or drops predicates that do not pay.
const NAMES: [&str; 4] = ["pa", "pa(states=4)", "pa:2abs", "pa:seed(states=100)"];

/// The most states of one search: exact comparisons need searches that end.
const STATES: u64 = 20_000;

struct Guide(PredicateAbstraction);

impl Estimates for Guide {
    fn facts(&self) -> HeuristicFacts {
        HeuristicFacts {
            admissible: true,
            consistent: false,
            safe_dead_ends: true,
        }
    }

    fn estimate(&mut self, state: State<'_>) -> Estimate {
        match self.0.estimate(state.memory, state.zone) {
            DEAD_END => Estimate::DeadEnd,
            value => Estimate::Finite(value),
        }
    }

    fn size(&self) -> usize {
        1
    }
}

impl Unguided for Guide {}

impl Unranked for Guide {}

/// The length of the trace and the states explored; `None` if the search did not end.
fn length(
    system: &System,
    strategy: Strategy,
    heuristic: &mut dyn Heuristic,
) -> Option<(Option<usize>, u64)> {
    let mut config = Config {
        strategy,
        goal: Some(GoalId(0)),
        ..Config::default()
    };
    config.limits.states = Some(STATES);
    let outcome = search(system, &config, heuristic, &mut |_| {}).ok()?;
    let explored = outcome.statistics.explored;
    match outcome.verdict {
        Verdict::Reachable(trace) => Some((Some(trace.transitions.len()), explored)),
        Verdict::Unreachable(_) => Some((None, explored)),
        Verdict::Unknown(_) => None,
    }
}

/// Compares with breadth first; gives the states explored by both.
fn check(network: &Network, formula: &Formula, seed: u64) -> Option<(u64, u64)> {
    let precision = Precision {
        demand: Demand {
            formulas: &[formula],
            ..Demand::default()
        },
        ..Precision::default()
    };
    let system = System::new(network, &precision).ok()?;
    let (shortest, blind) = length(&system, Strategy::BreadthFirst, &mut Blind)?;
    let name = NAMES[seed as usize % NAMES.len()];
    let abstraction = PredicateAbstraction::new(network, formula, options(name), Stop::default());
    let (found, explored) = length(&system, Strategy::AStar, &mut Guide(abstraction))?;
    assert_eq!(found, shortest, "seed {seed}, {name}: {formula:?}");
    Some((explored, blind))
}

#[test]
fn a_star_with_pattern_databases_equals_breadth_first() {
    let (mut explored, mut blind) = (0, 0);
    let first = setting("MERKHET_SEED", 300_000);
    for seed in first..first + setting("MERKHET_NETWORKS", 300) {
        let profile = match seed / 4 % 3 {
            0 => Profile::default(),
            1 => Profile::everything(),
            _ => Profile::diagonal(),
        };
        let (network, queries) = generate(seed, &profile);
        for formula in queries.iter().filter_map(goal) {
            if let Some((ours, others)) = check(&network, &formula, seed) {
                explored += ours;
                blind += others;
            }
        }
    }
    println!("{explored} states explored, {blind} by breadth first");
    assert!(0 < explored && explored < blind, "{explored} {blind}");
}
