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

/// A search.
struct Job<'a> {
    system: System,
    config: Config<'a>,
    query: Option<&'a Query>,
}

type Outcome = Result<ClusterOutcome, ClusterFailure>;

/// The results of searches with several processes, one after the other in one session: those of the process that reports.
fn together(jobs: &[Job<'_>], count: usize) -> Vec<Outcome> {
    let outcomes = threads(count, |session| {
        let numbered = (1..).zip(jobs);
        let search = |(number, job): (u64, &Job<'_>)| {
            let (system, config) = (&job.system, &job.config);
            search_in_cluster(system, config, &blind, session, None, number, &mut |_| {})
        };
        numbered.map(search).collect::<Vec<Outcome>>()
    });
    let known = |outcome: &Outcome| outcome.as_ref().ok().map(|outcome| outcome.exhausted);
    let mut outcomes = outcomes.into_iter();
    let first = outcomes.next().expect("the process that reports");
    for others in outcomes {
        assert!(first.iter().map(known).eq(others.iter().map(known)));
    }
    first
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
    let mut jobs = Vec::new();
    for extrapolation in [Extrapolation::M, Extrapolation::LuPlus] {
        jobs.push(Job {
            system: system(network, None, extrapolation),
            config,
            query: None,
        });
    }
    for query in queries {
        let Some(goal) = goal(query) else { continue };
        jobs.push(Job {
            system: system(network, Some(&goal), Extrapolation::LuPlus),
            config: Config {
                goal: Some(GoalId(0)),
                ..config
            },
            query: Some(query),
        });
    }
    let outcomes = together(&jobs, count);
    assert_eq!(outcomes.len(), jobs.len());
    for (number, (job, many)) in jobs.iter().zip(outcomes).enumerate() {
        let context = format!("seed {seed} {strategy:?} {count} processes, search {number}");
        let one = search(&job.system, &job.config, &mut Blind, &mut |_| {});
        compared.verdicts += match job.query {
            None => everything(&job.system, number == 0, one, many, &context, compared),
            Some(query) => usize::from(goals(network, query, job, one, many, &context)),
        };
    }
}

/// Compares full exploration.
fn everything(
    system: &System,
    monotone: bool,
    one: Result<merkhet_explore::Outcome, Box<merkhet_explore::Failure>>,
    many: Outcome,
    context: &str,
    compared: &mut Compared,
) -> usize {
    match (one, many) {
        (Ok(one), Ok(many)) => {
            let verdict = many.verdict.expect("a verdict");
            let limited = Summary::Unknown(StopReason::States);
            let (first, second) = (summary(&one.verdict), summary(&verdict));
            if first == limited || second == limited {
                return 0;
            }
            assert_eq!(first, second, "{context}");
            let (one, many) = (one.statistics, many.statistics);
            assert_eq!(one.discrete, many.discrete, "{context}");
            let same = one.stored == many.stored;
            // A* keeps what is deeper: its store is not that of largest zones.
            if monotone && !system.over_approximate() && !context.contains("AStar") {
                assert!(same, "{context}: {} and {}", one.stored, many.stored);
                compared.counts += 1;
            }
            compared.other_counts += usize::from(!same && !monotone);
        }
        (Err(_), Err(ClusterFailure::Fault(Some(failure)))) => {
            concretise(system, &failure.trace).expect("the failing state is reached");
        }
        _ => panic!("{context}: one has a fault, the other has none"),
    }
    1
}

/// Compares searches for a goal; whether they have come to verdicts.
fn goals(
    network: &Network,
    query: &Query,
    job: &Job<'_>,
    one: Result<merkhet_explore::Outcome, Box<merkhet_explore::Failure>>,
    many: Outcome,
    context: &str,
) -> bool {
    let length = |verdict: &Verdict| match verdict {
        Verdict::Reachable(trace) => Some(trace.transitions.len()),
        _ => None,
    };
    let (one, shortest) = match one {
        Ok(outcome) => (summary(&outcome.verdict), length(&outcome.verdict)),
        Err(_) => (Summary::Fault, None),
    };
    let many = match many {
        Ok(outcome) => {
            let verdict = outcome.verdict.expect("a verdict");
            if let Verdict::Reachable(trace) = &verdict
                && !job.system.over_approximate()
            {
                let run = concretise(&job.system, trace).expect("a run");
                merkhet_replay::judge_trace(network, query, &run).expect("a run that is one");
            }
            if job.config.strategy == Strategy::AStar && one == Summary::Reachable {
                assert_eq!(length(&verdict), shortest, "{context}: {:?}", query.kind);
            }
            summary(&verdict)
        }
        Err(ClusterFailure::Fault(Some(_))) => Summary::Fault,
        Err(_) => panic!("{context}: a connection between threads is lost"),
    };
    let limited = Summary::Unknown(StopReason::States);
    if one == limited || many == limited {
        return false;
    }
    // After a fault, several go on to look for the goal.
    let agree = one == many || (one, many) == (Summary::Fault, Summary::Reachable);
    assert!(agree, "{context}: {:?}", query.kind);
    true
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
