//! Fischer's protocol: mutual exclusion with every search, inclusion and extrapolation.

mod support;

use merkhet_analysis::Demand;
use merkhet_search::{Blind, Config, Inclusion, Strategy, TieBreak, Verdict, search};
use merkhet_semantics::{Extrapolation, GoalId, Options, System};
use support::fischer;

const STRATEGIES: [Strategy; 7] = [
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
