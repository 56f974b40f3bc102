//! Fischer's protocol: mutual exclusion with every search, inclusion and extrapolation.

mod support;

use merkhet_analysis::Demand;
use merkhet_explore::{
    Blind, Budget, Config, Inclusion, Search, Status, Strategy, TieBreak, Verdict, search,
};
use merkhet_semantics::{Extrapolation, GoalId, Options, System};
use support::fischer;

const STRATEGIES: [Strategy; 8] = [
    Strategy::Auto(TieBreak::Fifo),
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

#[test]
fn mutual_exclusion_depends_on_the_delays() {
    for (request, wait, reachable) in [(2, 2, false), (3, 2, true), (2, 1, true), (1, 2, false)] {
        let (network, goal) = fischer(3, request, wait);
        for extrapolation in [
            Extrapolation::M,
            Extrapolation::MPlus,
            Extrapolation::Lu,
            Extrapolation::LuPlus,
            Extrapolation::None,
        ] {
            let options = Options {
                extrapolation,
                demand: Demand {
                    formulas: &[&goal],
                    ..Demand::default()
                },
                ..Options::default()
            };
            let system = System::new(&network, &options).unwrap();
            for strategy in STRATEGIES {
                for inclusion in [Inclusion::None, Inclusion::Zone, Inclusion::Alu] {
                    if extrapolation == Extrapolation::None && inclusion != Inclusion::Alu {
                        continue;
                    }
                    let config = Config {
                        strategy,
                        inclusion,
                        goal: Some(GoalId(0)),
                        ..Config::default()
                    };
                    let outcome = search(&system, &config, &mut Blind, &mut |_| {}).unwrap();
                    let found = matches!(outcome.verdict, Verdict::Reachable(_));
                    let context =
                        format!("{request} {wait} {extrapolation:?} {strategy:?} {inclusion:?}");
                    assert_eq!(found, reachable, "{context}");
                    assert!(
                        found || matches!(outcome.verdict, Verdict::Unreachable(_)),
                        "{context}"
                    );
                }
            }
        }
    }
}

/// Looks into the depth have a small share of the work, and the store of the proof stays as the largest zones first make
/// it; a run can be repeated, and limits hold for both together.
#[test]
fn scouts_leave_the_proof_alone() {
    let (network, goal) = fischer(6, 2, 2);
    let options = Options {
        demand: Demand {
            formulas: &[&goal],
            ..Demand::default()
        },
        ..Options::default()
    };
    let system = System::new(&network, &options).unwrap();
    let run = |strategy, states| {
        let mut config = Config {
            strategy,
            goal: Some(GoalId(0)),
            seed: 7,
            ..Config::default()
        };
        config.limits.states = states;
        let outcome = search(&system, &config, &mut Blind, &mut |_| {}).unwrap();
        let statistics = outcome.statistics;
        (outcome.verdict, statistics.explored, statistics.stored)
    };
    let auto = Strategy::Auto(TieBreak::Fifo);
    let (_, largest, kept) = run(Strategy::LargestFirst, None);
    let (verdict, explored, stored) = run(auto, None);
    assert!(matches!(verdict, Verdict::Unreachable(_)));
    assert_eq!(stored, kept);
    assert!(explored > largest, "{explored}, {largest}: nobody looked");
    // A seventh for the looks, and the first one.
    assert!(
        explored < largest + largest / 7 + 300,
        "{explored}, {largest}"
    );
    assert_eq!(run(auto, None), (verdict, explored, stored));
    for limit in [0, 1, 100, 256, 700, 1234, explored - 1] {
        let (verdict, explored, _) = run(auto, Some(limit));
        assert!(matches!(verdict, Verdict::Unknown(_)), "{limit}");
        assert_eq!(explored, limit);
    }
}

/// A search that comes back after every few states sees the same states in the same order.
#[test]
fn a_search_in_slices_is_the_same_search() {
    for (request, wait) in [(2, 2), (3, 2)] {
        let (network, goal) = fischer(4, request, wait);
        let options = Options {
            demand: Demand {
                formulas: &[&goal],
                ..Demand::default()
            },
            ..Options::default()
        };
        let system = System::new(&network, &options).unwrap();
        for strategy in &STRATEGIES[1..] {
            let config = Config {
                strategy: *strategy,
                goal: Some(GoalId(0)),
                ..Config::default()
            };
            let whole = search(&system, &config, &mut Blind, &mut |_| {}).unwrap();
            let mut blind = Blind;
            let mut sliced = Search::new(&system, &config, &mut blind);
            let mut slices = 0;
            let status = loop {
                match sliced.advance(Budget::expansions(7), &mut |_| {}) {
                    Status::BudgetSpent => slices += 1,
                    status => break status,
                }
            };
            let found = matches!(whole.verdict, Verdict::Reachable(_));
            let expected = if found {
                Status::Found
            } else {
                Status::Exhausted
            };
            assert_eq!(status, expected, "{strategy:?}");
            let sliced = sliced.outcome().unwrap();
            assert_eq!(sliced.verdict, whole.verdict, "{strategy:?}");
            assert_eq!(sliced.statistics.explored, whole.statistics.explored);
            assert_eq!(sliced.statistics.generated, whole.statistics.generated);
            assert!(slices > 0, "{strategy:?}");
        }
    }
}
