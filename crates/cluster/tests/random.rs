//! Several processes see what one does, on random networks: verdicts, runs, lengths of shortest runs, and with zones whose
//! enlargement keeps inclusion also the number of states. The processes are threads here, which send each other the same bytes.

use std::time::Duration;

use merkhet_analysis::Demand;
use merkhet_cluster::threads;
use merkhet_explore::{
    Blind, ClusterFailure, ClusterOutcome, Config, Heuristic, Inclusion, Limits, StopReason,
    Strategy, TieBreak, Verdict, concretise, search, search_in_cluster,
};
use merkhet_network::{Formula, Network, Query, QueryKind};
use merkhet_semantics::{Extrapolation, GoalId, Options, System};
use merkhet_testing::{Profile, generate};

fn setting(name: &str, default: u64) -> u64 {
    let set = std::env::var(name).ok().and_then(|text| text.parse().ok());
    set.unwrap_or(default)
}

const STRATEGIES: [Strategy; 6] = [
    Strategy::LargestFirst,
    Strategy::BreadthFirst,
    Strategy::DepthFirst,
    Strategy::RandomDepthFirst,
    Strategy::Greedy(TieBreak::Fifo),
    Strategy::AStar,
];

fn system(network: &Network, goal: Option<&Formula>, extrapolation: Extrapolation) -> System {
    let formulas: Vec<&Formula> = goal.into_iter().collect();
    let options = Options {
        extrapolation,
        demand: Demand {
            formulas: &formulas,
            ..Demand::default()
        },
        ..Options::default()
    };
    System::new(network, &options).expect("a network that compiles")
}

fn goal(query: &Query) -> Option<Formula> {
    match &query.kind {
        QueryKind::Possibly(p) => Some(p.clone()),
        QueryKind::Invariantly(p) => Some(Formula::Not(Box::new(p.clone()))),
        _ => None,
    }
}

fn blind() -> Box<dyn Heuristic> {
    Box::new(Blind)
}

/// The result of a search with several processes: that of the one that reports.
fn together(
    system: &System,
    config: &Config<'_>,
    count: usize,
) -> Result<ClusterOutcome, ClusterFailure> {
    let mut outcomes = threads(count, |session| {
        search_in_cluster(system, config, &blind, session, None, 1, &mut |_| {})
    });
    let known = |outcome: &Result<ClusterOutcome, ClusterFailure>| match outcome {
        Ok(outcome) => Some(outcome.exhausted),
        Err(_) => None,
    };
    let first = known(&outcomes[0]);
    assert!(outcomes.iter().all(|outcome| known(outcome) == first));
    outcomes.swap_remove(0)
}

#[derive(PartialEq, Debug)]
enum Summary {
    Reachable,
    Unreachable,
    Unknown(StopReason),
    Fault,
}

fn summary(verdict: &Verdict) -> Summary {
    match verdict {
        Verdict::Reachable(_) => Summary::Reachable,
        Verdict::Unreachable(_) => Summary::Unreachable,
        Verdict::Unknown(reason) => Summary::Unknown(*reason),
    }
}

/// What was compared.
#[derive(Default, Debug)]
struct Compared {
    verdicts: usize,
    counts: usize,
    /// With an enlargement that does not keep inclusion, the number of stored states may depend on the order.
    other_counts: usize,
}

fn check(network: &Network, queries: &[Query], seed: u64, compared: &mut Compared) {
    let strategy = STRATEGIES[seed as usize % STRATEGIES.len()];
    let count = [2, 3, 5][seed as usize / 2 % 3];
    let config = Config {
        strategy,
        inclusion: Inclusion::Zone,
        seed,
        limits: Limits {
            states: Some(20_000),
            timeout: Some(Duration::from_secs(60)),
            ..Limits::default()
        },
        ..Config::default()
    };
    let context = format!("seed {seed} {strategy:?} {count} processes");
    for extrapolation in [Extrapolation::M, Extrapolation::LuPlus] {
        let everything = system(network, None, extrapolation);
        let one = search(&everything, &config, &mut Blind, &mut |_| {});
        let many = together(&everything, &config, count);
        match (one, many) {
            (Ok(one), Ok(many)) => {
                let verdict = many.verdict.expect("a verdict");
                let limited = Summary::Unknown(StopReason::States);
                let (first, second) = (summary(&one.verdict), summary(&verdict));
                if first == limited || second == limited {
                    continue;
                }
                assert_eq!(first, second, "{context}");
                let (one, many) = (one.statistics, many.statistics);
                assert_eq!(one.discrete, many.discrete, "{context}");
                // A* keeps what is deeper.
                let same = one.stored == many.stored || strategy == Strategy::AStar;
                if extrapolation == Extrapolation::M && !everything.over_approximate() {
                    assert!(same, "{context}: {} and {}", one.stored, many.stored);
                }
                compared.counts += 1;
                compared.other_counts += usize::from(!same);
            }
            (Err(_), Err(ClusterFailure::Fault(Some(failure)))) => {
                concretise(&everything, &failure.trace).expect("the failing state is reached");
            }
            _ => panic!("{context}: one has a fault, the other has none"),
        }
    }
    for query in queries {
        let Some(goal) = goal(query) else { continue };
        let system = system(network, Some(&goal), Extrapolation::LuPlus);
        let config = Config {
            goal: Some(GoalId(0)),
            ..config
        };
        let length = |verdict: &Verdict| match verdict {
            Verdict::Reachable(trace) => Some(trace.transitions.len()),
            _ => None,
        };
        let (one, shortest) = match search(&system, &config, &mut Blind, &mut |_| {}) {
            Ok(outcome) => (summary(&outcome.verdict), length(&outcome.verdict)),
            Err(_) => (Summary::Fault, None),
        };
        let many = match together(&system, &config, count) {
            Ok(outcome) => {
                let verdict = outcome.verdict.expect("a verdict");
                if let Verdict::Reachable(trace) = &verdict
                    && !system.over_approximate()
                {
                    let run = concretise(&system, trace).expect("a run");
                    merkhet_replay::judge_trace(network, query, &run).expect("a run that is one");
                }
                if strategy == Strategy::AStar && one == Summary::Reachable {
                    assert_eq!(length(&verdict), shortest, "{context}: {:?}", query.kind);
                }
                summary(&verdict)
            }
            Err(ClusterFailure::Fault(Some(_))) => Summary::Fault,
            Err(_) => panic!("{context}: a connection between threads is lost"),
        };
        let limited = Summary::Unknown(StopReason::States);
        if one == limited || many == limited {
            continue;
        }
        // After a fault, several go on to look for the goal.
        let agree = one == many || (one, many) == (Summary::Fault, Summary::Reachable);
        assert!(agree, "{context}: {:?}", query.kind);
        compared.verdicts += 1;
    }
}

#[test]
fn random_networks_have_one_verdict() {
    let networks = setting("MERKHET_NETWORKS", 40);
    let first = setting("MERKHET_SEED", 0);
    let profiles = [
        Profile::default(),
        Profile::timed(),
        Profile::diagonal(),
        Profile::everything(),
    ];
    let mut compared = Compared::default();
    for profile in &profiles {
        for seed in first..first + networks {
            let (network, queries) = generate(seed, profile);
            check(&network, &queries, seed, &mut compared);
        }
    }
    println!("{compared:?}");
    assert!(compared.verdicts > 0 && compared.counts > 0);
}
