//! Searches that the caller takes part in: with a heuristic of its own, or with a run that it has found.
//!
//! Both rest on nothing that the caller says: estimates only choose the order of a complete search, and a run is judged like
//! any other.

use std::time::Instant;

use merkhet_analysis::Demand;
use merkhet_explore::{
    self as search, Estimate, Estimates, HeuristicFacts, Inclusion, Progress, Strategy,
    SymbolicTrace, Unguided, Unranked, Verdict,
};
use merkhet_network::{Formula, Network, Query, QueryKind, Transition};
use merkhet_semantics::{Extrapolation, GoalId, Options, State, System};

use super::evidence::{self, Evidence};
use super::reach::{figures, limits};
use super::{not, prepare};
use crate::config::{Config, Order, Phase};
use crate::explore::SymbolicState;
use crate::failure::Failure;
use crate::report::{Answer, Report};

/// The caller's estimates.
struct Asked<'d> {
    distance: &'d mut dyn FnMut(&SymbolicState) -> u32,
    processes: usize,
    dimension: usize,
}

impl Estimates for Asked<'_> {
    /// Nothing that the caller says is relied on.
    fn facts(&self) -> HeuristicFacts {
        HeuristicFacts::default()
    }

    fn estimate(&mut self, state: State<'_>) -> Estimate {
        let state = SymbolicState::of(state, self.processes, self.dimension);
        Estimate::Finite((self.distance)(&state))
    }

    fn size(&self) -> usize {
        1
    }
}

impl Unguided for Asked<'_> {}

impl Unranked for Asked<'_> {}

/// What a query about reachability looks for, and whether finding it is good.
fn goal_of(query: &Query) -> Result<(Formula, bool), Failure> {
    match &query.kind {
        QueryKind::Possibly(formula) => Ok((formula.clone(), true)),
        QueryKind::Invariantly(formula) => Ok((not(formula), false)),
        _ => Err(Failure::NotPermitted(
            "only queries about reachability (E<> and A[]) have a goal to be led to".into(),
        )),
    }
}

fn system(network: &Network, goal: &Formula, config: &Config) -> Result<System, Failure> {
    let formulas = [goal];
    let options = Options {
        extrapolation: config.extrapolation.unwrap_or(Extrapolation::LuPlus),
        demand: Demand {
            formulas: &formulas,
            ..Demand::default()
        },
        tuning: Some(&config.tuning),
        ..Options::default()
    };
    let system = System::new(network, &options).map_err(Failure::too_large)?;
    if merkhet_analysis::mentions_deadlock(goal) && !system.permits_deadlock() {
        return Err(Failure::Undecidable(
            "deadlock cannot be asked of a model with stopwatches".into(),
        ));
    }
    Ok(system)
}

/// Decides a query about reachability by a search that follows the caller's estimates of the distance to the goal. They need
/// not be right: what is far away comes late, and nothing is left out. `greedy`, `astar` and `wastar` can follow them.
pub fn check_guided(
    network: &Network,
    query: &Query,
    config: &Config,
    distance: &mut dyn FnMut(&SymbolicState) -> u32,
    observe: &mut dyn FnMut(&Progress),
) -> Result<Report, Failure> {
    prepare(network, config)?;
    let (goal, wanted) = goal_of(query)?;
    let strategy = match config.order() {
        Order::Auto => Strategy::Greedy(config.tie_break()),
        Order::Fixed(
            strategy @ (Strategy::Greedy(_) | Strategy::AStar | Strategy::WeightedAStar { .. }),
        ) => strategy,
        _ => {
            return Err(Failure::NotPermitted(
                "greedy, astar and wastar:W follow a heuristic that is not the program's own"
                    .into(),
            ));
        }
    };
    let start = Instant::now();
    let system = system(network, &goal, config)?;
    let search_config = search::Config {
        strategy,
        inclusion: config.inclusion.unwrap_or(Inclusion::Zone),
        goal: Some(GoalId(0)),
        seed: config.seed,
        bitstate: None,
        limits: limits(&config.limits, 1),
        tuning: Some(&config.tuning),
    };
    let mut asked = Asked {
        distance,
        processes: network.processes.len(),
        dimension: system.dimension(),
    };
    config.limits.phase.enter(Phase::Searching);
    let outcome = search::search(&system, &search_config, &mut asked, observe)
        .map_err(|failure| Failure::of(network, &failure.fault))?;
    config.limits.phase.enter(Phase::Evidence);
    let name = config
        .search
        .map_or("greedy".into(), |search| search.to_string());
    let mut report = Report {
        figures: figures(&outcome.statistics, start),
        ..Report::new(Answer::of(!wanted), name)
    };
    match outcome.verdict {
        Verdict::Unreachable(_) => {}
        Verdict::Unknown(reason) => report.be_unknown(reason.into()),
        Verdict::Reachable(trace) => shown(network, query, &system, &trace, wanted, &mut report)?,
    }
    Ok(report)
}

/// Has a run judged that the caller has found, symbolically: whether it shows the answer to a query about reachability.
/// Where it does not, the answer stays unknown, and nothing is said.
pub fn check_run(
    network: &Network,
    query: &Query,
    config: &Config,
    run: &[Transition],
) -> Result<Option<Report>, Failure> {
    prepare(network, config)?;
    let (goal, wanted) = goal_of(query)?;
    let exact = Config {
        extrapolation: Some(Extrapolation::None),
        ..config.clone()
    };
    let system = system(network, &goal, &exact)?;
    let known = |&(process, edge): &(merkhet_network::ProcessId, merkhet_network::EdgeId)| {
        (network.processes.get(process.index()))
            .is_some_and(|process| edge.index() < process.edges.len())
    };
    if !run.iter().flat_map(|one| &one.edges).all(known) {
        return Err(Failure::NotPermitted(
            "the run takes an edge that is none".into(),
        ));
    }
    let index = |&(process, edge): &_| system.edge_index(process, edge);
    let trace = SymbolicTrace {
        transitions: (run.iter())
            .map(|one| one.edges.iter().map(index).collect())
            .collect(),
        goal: Some(GoalId(0)),
    };
    let mut report = Report::new(Answer::of(!wanted), "run");
    // A run of the caller may be none, and may lead elsewhere.
    let Ok(found) = merkhet_explore::concretise(&system, &trace) else {
        return Ok(None);
    };
    match merkhet_replay::judge_trace(network, query, &found) {
        Ok(replayed) => {
            report.answer = Answer::of(wanted);
            report.trace = Some(replayed);
            Ok(Some(report))
        }
        Err(_) => Ok(None),
    }
}

fn shown(
    network: &Network,
    query: &Query,
    system: &System,
    trace: &SymbolicTrace,
    wanted: bool,
    report: &mut Report,
) -> Result<(), Failure> {
    match evidence::concrete(network, query, system, trace)? {
        Evidence::Accepted(run) => {
            report.answer = Answer::of(wanted);
            report.trace = Some(*run);
        }
        Evidence::Unconfirmed(why) => report.be_unknown(why),
    }
    Ok(())
}
