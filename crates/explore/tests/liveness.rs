//! Maximal runs against the region graph, on random networks.

use merkhet_analysis::Demand;
use merkhet_explore::liveness::{Found, Liveness};
use merkhet_explore::{Limits, Watch};
use merkhet_network::{Formula, Network, QueryKind};
use merkhet_semantics::{Extrapolation, GoalId, Options, System};
use merkhet_testing::{Answer, Obstacle, Profile, RegionGraph, generate};

fn not(formula: &Formula) -> Formula {
    Formula::Not(Box::new(formula.clone()))
}

/// Whether a maximal run was found; `None` if a fault ended the search.
fn run(network: &Network, trigger: Option<&Formula>, keep: &Formula) -> Option<bool> {
    let formulas: Vec<&Formula> = std::iter::once(keep).chain(trigger).collect();
    let demand = Demand {
        formulas: &formulas,
        symmetric: true,
        exact: &[],
    };
    let options = Options {
        extrapolation: Extrapolation::M,
        demand,
        ..Options::default()
    };
    let system = System::new(network, &options).expect("small networks compile");
    let task = Liveness {
        keep: GoalId(0),
        trigger: trigger.map(|_| GoalId(1)),
    };
    let outcome = task
        .search(&system, Watch::new(Limits::default()), &mut |_| {})
        .ok()?;
    Some(matches!(outcome.found, Found::Run(_)))
}

fn check(profile: &Profile, seeds: std::ops::Range<u64>) -> usize {
    let mut decided = 0;
    for seed in seeds {
        let (network, queries) = generate(seed, profile);
        for query in &queries {
            let found = match &query.kind {
                QueryKind::PotentiallyAlways(keep) => run(&network, None, keep),
                QueryKind::Eventually(p) => run(&network, None, &not(p)).map(|found| !found),
                QueryKind::LeadsTo(p, q) => {
                    let trigger = Formula::And(vec![p.clone(), not(q)]);
                    run(&network, Some(&trigger), &not(q)).map(|found| !found)
                }
                _ => continue,
            };
            let oracle = RegionGraph::build(&network, std::slice::from_ref(query), 20_000)
                .and_then(|graph| graph.answer(query, 20_000));
            match (found, oracle) {
                (Some(found), Ok(answer)) => {
                    assert_eq!(
                        Answer::Verdict(found),
                        answer,
                        "seed {seed}, query {:?}",
                        query.kind
                    );
                    decided += 1;
                }
                (None, Err(Obstacle::Fault))
                | (_, Err(Obstacle::TooLarge | Obstacle::Unsupported(_))) => {}
                (found, oracle) => panic!("seed {seed}: {found:?} against {oracle:?}"),
            }
        }
    }
    decided
}

#[test]
fn agrees_with_the_region_graph() {
    assert!(check(&Profile::default(), 0..150) > 300);
}

#[test]
fn agrees_on_timed_networks() {
    assert!(check(&Profile::timed(), 1000..1080) > 100);
}

#[test]
fn agrees_with_differences_of_clocks() {
    assert!(check(&Profile::diagonal(), 2000..2080) > 100);
}

#[test]
fn agrees_with_everything() {
    assert!(check(&Profile::everything(), 3000..3100) > 100);
}
