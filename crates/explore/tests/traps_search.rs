//! Where searches have been wrong: each trap by its name.

mod support;

use merkhet_analysis::Demand;
use merkhet_explore::*;
use merkhet_network::*;
use merkhet_semantics::{Extrapolation, GoalId, Options, State, System};
use merkhet_testing::{Profile, RegionGraph, generate};
use support::check::{duration, reach, run};
use support::*;

fn system(network: &Network, goal: &Formula) -> System {
    let demand = Demand {
        formulas: &[goal],
        ..Demand::default()
    };
    let options = Options {
        demand,
        ..Options::default()
    };
    System::new(network, &options).expect("a network that compiles")
}

/// Estimates by a function of the first process's location.
struct ByLocation {
    facts: HeuristicFacts,
    estimate: fn(i32) -> Estimate,
}

impl Estimates for ByLocation {
    fn facts(&self) -> HeuristicFacts {
        self.facts
    }

    fn estimate(&mut self, state: State<'_>) -> Estimate {
        (self.estimate)(state.memory[0])
    }

    fn size(&self) -> usize {
        1
    }
}

impl Unguided for ByLocation {}

impl Unranked for ByLocation {}

fn guided(system: &System, strategy: Strategy, heuristic: &mut ByLocation) -> Outcome {
    let config = Config {
        strategy,
        goal: Some(GoalId(0)),
        ..Config::default()
    };
    search(system, &config, heuristic, &mut |_| {}).expect("no fault")
}

fn length(outcome: &Outcome) -> Option<usize> {
    match &outcome.verdict {
        Verdict::Reachable(trace) => Some(trace.transitions.len()),
        _ => None,
    }
}

/// Two ways to location 3: a long one with a large zone, which a heuristic prefers, and a short one with a small zone. The
/// small zone is included in the large one but has the smaller depth.
#[test]
fn a_star_with_inclusion_keeps_the_shorter_path() {
    let mut model = Model::default();
    let x = model.clock("x");
    let p = model.process("P", 8);
    // The long way: 0 → 1 → 2 → 3.
    model.edge(p, 0, 1);
    model.edge(p, 1, 2);
    model.edge(p, 2, 3);
    // The short way: 0 → 4 → 3, only late.
    model.edge(p, 0, 4);
    model.edge(p, 4, 3).guard.clocks = vec![at_least(x, 2)];
    model.edge(p, 3, 5);
    let edge = model.edge(p, 5, 6);
    edge.guard.clocks = vec![at_least(x, 2)];
    let goal = at(p, 6);
    let system = system(&model.network, &goal);
    // Admissible, but not consistent: it knows nothing of the long way.
    let mut heuristic = ByLocation {
        facts: HeuristicFacts {
            admissible: true,
            consistent: false,
            safe_dead_ends: true,
        },
        estimate: |location| match location {
            0 => Estimate::Finite(4),
            4 => Estimate::Finite(3),
            7 => Estimate::DeadEnd,
            _ => Estimate::Finite(0),
        },
    };
    let outcome = guided(&system, Strategy::AStar, &mut heuristic);
    assert_eq!(length(&outcome), Some(4));
    assert_eq!(
        length(&run(
            &system,
            Strategy::BreadthFirst,
            Inclusion::Zone,
            Some(GoalId(0))
        )),
        Some(4)
    );
    // Greedy search may drop the shorter path.
    let outcome = guided(&system, Strategy::Greedy(TieBreak::Fifo), &mut heuristic);
    assert_eq!(length(&outcome), Some(5));
}

/// Dead ends that are not certain come last, but come; nothing is proved where they are never reached by the loop.
#[test]
fn uncertain_dead_ends_are_not_pruned() {
    let mut model = Model::default();
    let p = model.process("P", 3);
    model.edge(p, 0, 1);
    model.edge(p, 1, 2);
    let goal = at(p, 2);
    let system = system(&model.network, &goal);
    let mut heuristic = ByLocation {
        facts: HeuristicFacts::default(),
        estimate: |_| Estimate::DeadEnd,
    };
    for strategy in [Strategy::Greedy(TieBreak::Fifo), Strategy::AStar] {
        assert_eq!(length(&guided(&system, strategy, &mut heuristic)), Some(2));
    }
    heuristic.facts.safe_dead_ends = true;
    let outcome = guided(&system, Strategy::Greedy(TieBreak::Fifo), &mut heuristic);
    assert!(
        matches!(outcome.verdict, Verdict::Unreachable(_)),
        "it was told that it is safe"
    );
    assert_eq!(outcome.statistics.pruned, 1);
}

/// Breadth first tests when states are found, A* when they are expanded: the counts differ, the traces do not.
#[test]
fn explored_counts_expanded_states() {
    let mut model = Model::default();
    let p = model.process("P", 4);
    for location in 0..3 {
        model.edge(p, location, location + 1);
    }
    let goal = at(p, 3);
    let system = system(&model.network, &goal);
    let breadth = run(
        &system,
        Strategy::BreadthFirst,
        Inclusion::Zone,
        Some(GoalId(0)),
    );
    let star = run(&system, Strategy::AStar, Inclusion::Zone, Some(GoalId(0)));
    assert_eq!(
        (length(&breadth), breadth.statistics.explored),
        (Some(3), 3)
    );
    assert_eq!((length(&star), star.statistics.explored), (Some(3), 3));
    let full = run(&system, Strategy::BreadthFirst, Inclusion::Zone, None);
    assert_eq!(full.statistics.explored, 4);
    assert_eq!(full.statistics.discrete, 4);
}

/// The goal needs a delay in the last state.
#[test]
fn a_goal_on_clocks_is_delayed_into() {
    let mut model = Model::default();
    let x = model.clock("x");
    let p = model.process("P", 2);
    model.edge(p, 0, 1).update = vec![reset(x, 0)];
    let goal = Formula::And(vec![at(p, 1), Formula::Clock(above(x, 3))]);
    let trace = reach(&model.network, &goal).expect("by waiting");
    assert_eq!(trace.steps.len(), 1);
    assert!(trace.last_delay > 3 * trace.scale);
    model.location(p, 1).invariant.clocks = vec![at_most(x, 3)];
    assert!(reach(&model.network, &goal).is_none());
}

/// A negated formula with clocks: every valuation that does not satisfy it counts.
#[test]
fn negations_and_disjunctions_on_clocks() {
    let mut model = Model::default();
    let (x, y) = (model.clock("x"), model.clock("y"));
    let p = model.process("P", 1);
    let edge = model.edge(p, 0, 0);
    edge.guard.clocks = vec![at_least(y, 2)];
    edge.update = vec![reset(y, 0)];
    model.location(p, 0).invariant.clocks = vec![at_most(y, 3)];
    let inside = Formula::Or(vec![
        Formula::Clock(at_most(y, 2)),
        Formula::Clock(at_least(y, 3)),
    ]);
    let between = Formula::Not(Box::new(inside));
    assert!(reach(&model.network, &between).is_some());
    let never = Formula::Not(Box::new(Formula::Or(vec![
        Formula::Clock(at_most(y, 3)),
        Formula::Clock(below(x, 1)),
    ])));
    assert!(reach(&model.network, &never).is_none());
}

/// Fewest transitions and least time are different searches; the infimum may not be reached.
#[test]
fn least_time_is_not_fewest_transitions() {
    let mut model = Model::default();
    let x = model.clock("x");
    let p = model.process("P", 4);
    model.edge(p, 0, 3).guard.clocks = vec![at_least(x, 9)];
    let edge = model.edge(p, 0, 1);
    edge.guard.clocks = vec![above(x, 2)];
    edge.update = vec![reset(x, 0)];
    model.edge(p, 1, 2).guard.clocks = vec![at_least(x, 3)];
    model.edge(p, 2, 3);
    let goal = at(p, 3);
    let shortest = reach(&model.network, &goal).expect("directly");
    assert_eq!((shortest.steps.len(), duration(&shortest)), (1, (9, 1)));
    let config = Config::default();
    let result = fastest(&model.network, &goal, &shortest, &config, &mut |_| {}).expect("a run");
    assert_eq!((result.time, result.exceeded), (5, true), "more than 5");
    assert_eq!(result.trace.steps.len(), 3);
    model.network.processes[0].edges[1].guard.clocks = vec![at_least(x, 2)];
    let result = fastest(&model.network, &goal, &shortest, &config, &mut |_| {}).expect("a run");
    assert_eq!((result.time, result.exceeded), (5, false));
}

/// A loop without time does not keep the search for least time busy for ever.
#[test]
fn least_time_ends_beside_endless_loops() {
    let mut model = Model::default();
    let (x, y) = (model.clock("x"), model.clock("y"));
    let p = model.process("P", 1);
    let edge = model.edge(p, 0, 0);
    edge.guard.clocks = vec![at_most(y, 1)];
    edge.update = vec![reset(y, 0)];
    let goal = Formula::Clock(at_least(x, 20));
    let known = reach(&model.network, &goal).expect("by waiting");
    let result = fastest(
        &model.network,
        &goal,
        &known,
        &Config::default(),
        &mut |_| {},
    )
    .expect("a run");
    assert_eq!((result.time, result.exceeded), (20, false));
}

#[test]
fn the_seed_decides_a_random_search() {
    let (network, goal) = fischer(4, 3, 2);
    let system = system(&network, &goal);
    let search = |seed| {
        let config = Config {
            strategy: Strategy::RandomDepthFirst,
            goal: Some(GoalId(0)),
            seed,
            ..Config::default()
        };
        let outcome = search(&system, &config, &mut Blind, &mut |_| {}).expect("no fault");
        (outcome.statistics.explored, outcome.statistics.generated)
    };
    assert_eq!(search(7), search(7));
    assert!((0..10).any(|seed| search(seed) != search(7)));
}

/// Bit-state hashing finds what it finds, and never proves that something is not there.
#[test]
fn bitstate_hashing_proves_nothing() {
    for (wait, reachable) in [(1, true), (2, false)] {
        let (network, goal) = fischer(3, 2, wait);
        let system = system(&network, &goal);
        let config = Config {
            goal: Some(GoalId(0)),
            bitstate: Some(24),
            ..Config::default()
        };
        let outcome = search(&system, &config, &mut Blind, &mut |_| {}).expect("no fault");
        match outcome.verdict {
            Verdict::Reachable(trace) => {
                assert!(reachable);
                concretise(&system, &trace).expect("a run");
            }
            verdict => {
                assert!(!reachable);
                assert_eq!(verdict, Verdict::Unknown(StopReason::Incomplete));
            }
        }
    }
}

/// States that differ in meta variables only are one state; their values are kept along a path.
#[test]
fn meta_variables_are_no_part_of_the_state() {
    let mut model = Model::default();
    let count = model.meta("count", 0, 100, 0);
    let p = model.process("P", 2);
    let more = Expr::binary(BinaryOp::Add, Expr::load(count), Expr::Const(1));
    let add = model.assign(count, more);
    model.edge(p, 0, 1).update = vec![add.clone()];
    model.edge(p, 1, 0).update = vec![add];
    let goal = Formula::Data(equals(count, 2));
    let system = system(&model.network, &goal);
    let outcome = run(&system, Strategy::BreadthFirst, Inclusion::Zone, None);
    assert_eq!(outcome.statistics.discrete, 2);
    assert_eq!(outcome.statistics.explored, 2);
}

#[test]
fn limits_end_a_search_without_a_verdict() {
    let (network, goal) = fischer(6, 2, 2);
    let system = system(&network, &goal);
    let limited = |limits| {
        let config = Config {
            limits,
            ..Config::default()
        };
        let outcome = search(&system, &config, &mut Blind, &mut |_| {}).expect("no fault");
        (outcome.verdict, outcome.statistics)
    };
    let (verdict, statistics) = limited(Limits {
        states: Some(100),
        ..Limits::default()
    });
    assert_eq!(
        (verdict, statistics.explored),
        (Verdict::Unknown(StopReason::States), 100)
    );
    let memory = Some(100_000);
    let (verdict, statistics) = limited(Limits {
        memory,
        ..Limits::default()
    });
    assert_eq!(verdict, Verdict::Unknown(StopReason::Memory));
    assert!(statistics.memory < 1_000_000);
    let flag = std::sync::atomic::AtomicBool::new(true);
    let (verdict, _) = limited(Limits {
        cancel: Some(&flag),
        ..Limits::default()
    });
    assert_eq!(verdict, Verdict::Unknown(StopReason::Cancelled));
    let timeout = Some(std::time::Duration::ZERO);
    let (verdict, _) = limited(Limits {
        timeout,
        ..Limits::default()
    });
    assert_eq!(verdict, Verdict::Unknown(StopReason::Timeout));
}

/// A fault ends the search and says how it is reached.
#[test]
fn a_fault_comes_with_its_path() {
    let mut model = Model::default();
    let n = model.int("n", 0, 2, 0);
    let p = model.process("P", 2);
    let more = Expr::binary(BinaryOp::Add, Expr::load(n), Expr::Const(1));
    let add = model.assign(n, more);
    model.edge(p, 0, 1).update = vec![add.clone()];
    model.edge(p, 1, 0).update = vec![add];
    let system = System::new(&model.network, &Options::default()).expect("a network that compiles");
    let failure = search(&system, &Config::default(), &mut Blind, &mut |_| {})
        .err()
        .expect("a fault");
    assert_eq!(failure.trace.transitions.len(), 2);
    model.network.out_of_range = OutOfRange::Disable;
    let system = System::new(&model.network, &Options::default()).expect("a network that compiles");
    let outcome = run(&system, Strategy::BreadthFirst, Inclusion::Zone, None);
    assert_eq!(
        outcome.statistics.discrete, 3,
        "the edge does not exist where it would fail"
    );
}

#[test]
fn counts_of_deterministic_searches_are_exact() {
    let (network, goal) = fischer(4, 2, 2);
    for (extrapolation, inclusion, expected) in [
        (Extrapolation::LuPlus, Inclusion::Zone, (268, 220, 220)),
        (Extrapolation::M, Inclusion::None, (1169, 1169, 220)),
    ] {
        let demand = Demand {
            formulas: &[&goal],
            ..Demand::default()
        };
        let options = Options {
            extrapolation,
            demand,
            ..Options::default()
        };
        let system = System::new(&network, &options).expect("a network that compiles");
        let s = run(&system, Strategy::BreadthFirst, inclusion, None).statistics;
        assert_eq!(
            (s.explored, s.stored, s.discrete),
            expected,
            "{extrapolation:?} {inclusion:?}"
        );
    }
}

/// A large zone that is found deep must not push out a small one that waits at less depth: breadth first promises
/// shortest traces. In this network the way of two transitions was lost to one of three.
#[test]
fn breadth_first_keeps_a_shallow_state_that_waits() {
    let (network, queries) = generate(100_113, &Profile::everything());
    let graph = RegionGraph::build(&network, &queries, 4000).expect("a small network");
    let goal = Formula::Data(Expr::At(ProcessId(1), LocationId(1)));
    let system = system(&network, &goal);
    let (strategy, goal_id) = (Strategy::BreadthFirst, Some(GoalId(0)));
    let outcome = run(&system, strategy, Inclusion::Zone, goal_id);
    let Verdict::Reachable(trace) = outcome.verdict else {
        panic!("{:?}", outcome.verdict);
    };
    assert_eq!(graph.distance(&goal), Ok(Some(2)));
    assert_eq!(trace.transitions.len(), 2);
}
