//! One way to check a network written by hand.

use merkhet_analysis::Demand;
use merkhet_explore::{Blind, Config, Inclusion, Outcome, Strategy, Verdict, concretise, search};
use merkhet_network::{Formula, Network, Query, QueryKind, SiteId, Trace};
use merkhet_semantics::{Extrapolation, GoalId, Options, System};

/// Whether a formula can be reached: all abstractions must agree, and the judge must accept every trace. The shortest
/// trace is returned.
pub fn reach(network: &Network, goal: &Formula) -> Option<Trace> {
    let mut verdict = None;
    let mut shortest = None;
    for (extrapolation, inclusion) in [
        (Extrapolation::M, Inclusion::None),
        (Extrapolation::MPlus, Inclusion::Zone),
        (Extrapolation::Lu, Inclusion::Zone),
        (Extrapolation::LuPlus, Inclusion::Zone),
        (Extrapolation::LuPlus, Inclusion::Alu),
        (Extrapolation::None, Inclusion::Alu),
    ] {
        let demand = Demand {
            formulas: &[goal],
            ..Demand::default()
        };
        let options = Options {
            extrapolation,
            demand,
            ..Options::default()
        };
        let system = System::new(network, &options).expect("a network that compiles");
        if extrapolation == Extrapolation::None && !system.permits_simulation() {
            continue;
        }
        for strategy in [Strategy::BreadthFirst, Strategy::DepthFirst] {
            let outcome = run(&system, strategy, inclusion, Some(GoalId(0)));
            let found = match outcome.verdict {
                Verdict::Reachable(trace) => {
                    let trace = concretise(&system, &trace).expect("a run");
                    let query = Query {
                        text: String::new(),
                        comment: String::new(),
                        kind: QueryKind::Possibly(goal.clone()),
                        site: SiteId::NONE,
                    };
                    merkhet_replay::judge_trace(network, &query, &trace)
                        .unwrap_or_else(|rejection| panic!("{rejection:?}: {trace:?}"));
                    if strategy == Strategy::BreadthFirst {
                        shortest = Some(trace);
                    }
                    true
                }
                Verdict::Unreachable(_) => false,
                Verdict::Unknown(reason) => panic!("{reason:?}"),
            };
            let context = format!("{extrapolation:?} {inclusion:?} {strategy:?}");
            assert_eq!(*verdict.get_or_insert(found), found, "{context}");
        }
    }
    shortest
}

pub fn run(
    system: &System,
    strategy: Strategy,
    inclusion: Inclusion,
    goal: Option<GoalId>,
) -> Outcome {
    let config = Config {
        strategy,
        inclusion,
        goal,
        ..Config::default()
    };
    search(system, &config, &mut Blind, &mut |_| {}).expect("no fault")
}

/// The total time of a run, in units of 1/scale, and the scale.
pub fn duration(trace: &Trace) -> (i64, i64) {
    let delays = trace.steps.iter().map(|step| step.delay).sum::<i64>();
    (delays + trace.last_delay, trace.scale)
}
