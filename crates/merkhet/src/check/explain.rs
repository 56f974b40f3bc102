//! What a heuristic sees: its value at the start, the abstract solution there, and its values along a run.

use std::ops::ControlFlow;

use merkhet_analysis::Demand;
use merkhet_explore::{self as search, Estimate, Heuristic, Verdict};
pub use merkhet_heuristics::Part;
use merkhet_heuristics::atg::{self, EdgeRef};
use merkhet_heuristics::{Explained, HeuristicSpec};
use merkhet_network::print::Labels;
use merkhet_network::{Network, Query, QueryKind};
use merkhet_semantics::{EdgeIndex, Explorer, GoalId, Options, State, System};

use super::not;
use super::reach::{limits, prepare};
use super::schedule::Guide;
use crate::config::{Config, Order};
use crate::failure::Failure;
use crate::report::Summary;
use crate::search::SearchSpec;

/// What a heuristic sees.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Explanation {
    /// Its name.
    pub heuristic: String,
    /// Its value at the start; `None` says that the goal cannot be reached.
    pub start: Option<u32>,
    /// The pattern databases, where it has some.
    pub databases: Vec<Summary>,
    /// How the parts make the value.
    pub rule: &'static str,
    /// What the value at the start is made of.
    pub parts: Vec<Part>,
    /// The abstract solution at the start, first steps first; empty where there is none.
    pub solution: Vec<SolutionStep>,
    /// What clocks add to it, if the heuristic looks at them.
    pub clocks: Option<ClockPart>,
    /// The values along a run to the goal, the start included; only that if no run was found.
    pub run: Vec<Point>,
    /// Why there is no run.
    pub remark: Option<String>,
}

/// What clocks ask for at the start.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ClockPart {
    /// The time until the goal, at least, beyond what may pass in the state itself; `None` says that it cannot be
    /// reached.
    pub time: Option<u64>,
    /// The processes that must move for that time to pass, with the least number of moves.
    pub moves: Vec<(String, u32)>,
}

/// A step of the abstract solution.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SolutionStep {
    /// The layer that it leads to.
    pub layer: u16,
    /// How often it is taken.
    pub times: u32,
    /// Its edges, in words.
    pub edges: Vec<String>,
}

/// A state of a run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Point {
    /// The transition that leads to it, in words; nothing for the start.
    pub transition: Vec<String>,
    /// The value there; `None` is a dead end.
    pub value: Option<u32>,
}

/// Explains a heuristic for a query about reachability: that of the configuration or, if it names none, the one that its
/// search follows (h^U, if it follows none). The run is the one that a check with this configuration takes.
pub fn explain(network: &Network, query: &Query, config: &Config) -> Result<Explanation, Failure> {
    // Values can be shown along the run of a search, too, that follows no heuristic.
    let mut search = config.clone();
    if config.search.is_some_and(SearchSpec::is_blind) {
        search.heuristic = None;
    }
    search
        .validate()
        .map_err(|error| Failure::NotPermitted(error.to_string()))?;
    let goal = match &query.kind {
        QueryKind::Possibly(formula) => formula.clone(),
        QueryKind::Invariantly(formula) => not(formula),
        _ => {
            let message = "only queries about reachability (E<> and A[]) have a distance to a goal";
            return Err(Failure::NotPermitted(message.into()));
        }
    };
    let formulas = [&goal];
    let options = Options {
        demand: Demand {
            formulas: &formulas,
            ..Demand::default()
        },
        ..Options::default()
    };
    let system = System::new(network, &options).map_err(Failure::too_large)?;
    let guide = Guide::new(config, config.order(), 1, Some(&goal));
    let upper = || HeuristicSpec::of(&atg::UPPER);
    let followed = config.heuristic.clone().or(guide.heuristic);
    let spec = followed.unwrap_or_else(upper);
    let prepared = prepare(&spec, network, &goal, config, &config.limits)?;
    let mut heuristic = prepared.make(&system, 0);
    let mut explorer = Explorer::new(&system);
    let start = successors(&mut explorer, None)?;
    let Some((memory, zone)) = start.first() else {
        return Err(Failure::NotPermitted(
            "the model has no initial state".into(),
        ));
    };
    let value = estimate(heuristic.as_mut(), memory, zone);
    let Explained {
        rule,
        parts,
        solution,
        clocks,
    } = prepared.explain(State { memory, zone });
    let solution = solution.into_iter().map(|step| SolutionStep {
        layer: step.layer,
        times: step.times,
        edges: (step.edges.into_iter())
            .map(|edge| describe(network, edge))
            .collect(),
    });
    let moves = |(process, moves)| (network.process(process).name.clone(), moves);
    let mut explanation = Explanation {
        heuristic: spec.to_string(),
        start: value,
        databases: (prepared.databases).map_or(Vec::new(), |databases| databases.list),
        rule,
        parts,
        solution: solution.collect(),
        clocks: clocks.map(|part| ClockPart {
            time: part.time,
            moves: part.moves.into_iter().map(moves).collect(),
        }),
        run: vec![Point {
            transition: Vec::new(),
            value,
        }],
        remark: None,
    };
    match find(&system, config, guide.strategy, heuristic.as_mut())? {
        Ok(transitions) => along(
            network,
            &system,
            heuristic.as_mut(),
            start,
            &transitions,
            &mut explanation.run,
        )?,
        Err(remark) => explanation.remark = Some(remark),
    }
    Ok(explanation)
}

/// A run to the goal, or why there is none.
fn find(
    system: &System,
    config: &Config,
    strategy: search::Strategy,
    heuristic: &mut dyn Heuristic,
) -> Result<Result<Vec<Vec<EdgeIndex>>, String>, Failure> {
    if let Order::Walk(_) = config.order() {
        let remark = "walks store no states whose estimates could be explained";
        return Err(Failure::NotPermitted(remark.to_owned()));
    }
    let config = search::Config {
        strategy,
        goal: Some(GoalId(0)),
        seed: config.seed,
        limits: limits(&config.limits, 1),
        ..search::Config::default()
    };
    let outcome = search::search(system, &config, heuristic, &mut |_| {})
        .map_err(|failure| Failure::NotPermitted(failure.fault.to_string()))?;
    Ok(match outcome.verdict {
        Verdict::Reachable(trace) => Ok(trace.transitions),
        Verdict::Unreachable(_) => Err("the goal cannot be reached".into()),
        Verdict::Unknown(reason) => Err(reason.to_string()),
    })
}

type Discrete = (Vec<i32>, Vec<merkhet_zones::bound::Bound>);

/// The states that a transition leads to (several where zones split), or the initial ones.
fn successors(
    explorer: &mut Explorer<'_>,
    from: Option<(&Discrete, &[EdgeIndex])>,
) -> Result<Vec<Discrete>, Failure> {
    let mut states = Vec::new();
    let mut sink = |successor: merkhet_semantics::Successor<'_>| {
        states.push((
            successor.state.memory.to_vec(),
            successor.state.zone.to_vec(),
        ));
        ControlFlow::Continue(())
    };
    let flow = match from {
        None => explorer.initial(&mut sink),
        Some(((memory, zone), edges)) => explorer.follow(State { memory, zone }, edges, &mut sink),
    };
    let _ = flow.map_err(|fault| Failure::NotPermitted(fault.to_string()))?;
    Ok(states)
}

fn along(
    network: &Network,
    system: &System,
    guide: &mut dyn Heuristic,
    mut states: Vec<Discrete>,
    transitions: &[Vec<EdgeIndex>],
    run: &mut Vec<Point>,
) -> Result<(), Failure> {
    let mut explorer = Explorer::new(system);
    for edges in transitions {
        let mut next = Vec::new();
        for state in &states {
            next.extend(successors(&mut explorer, Some((state, edges)))?);
        }
        // The pieces of a split zone have the same discrete part: a few of them will do.
        next.truncate(16);
        let value = next
            .first()
            .and_then(|(memory, zone)| estimate(guide, memory, zone));
        let words = edges.iter().map(|edge| {
            let (process, edge) = system.edge(*edge);
            describe(network, EdgeRef { process, edge })
        });
        run.push(Point {
            transition: words.collect(),
            value,
        });
        states = next;
    }
    Ok(())
}

fn estimate(
    guide: &mut dyn Heuristic,
    memory: &[i32],
    zone: &[merkhet_zones::bound::Bound],
) -> Option<u32> {
    match guide.estimate(State { memory, zone }) {
        Estimate::Finite(value) => Some(value),
        Estimate::DeadEnd => None,
    }
}

/// `P: idle → busy, sync go!, guard n < 3, update n := n + 1`.
fn describe(network: &Network, at: EdgeRef) -> String {
    let process = network.process(at.process);
    let edge = network.edge(at.process, at.edge);
    let labels = Labels::new(network);
    let name = |location: merkhet_network::LocationId| &process.locations[location.index()].name;
    let mut text = format!(
        "{}: {} → {}",
        process.name,
        name(edge.source),
        name(edge.target)
    );
    for (kind, label) in [
        ("sync", labels.sync(edge)),
        ("guard", labels.guard(edge)),
        ("update", labels.update(edge)),
    ] {
        if !label.is_empty() {
            text += &format!(", {kind} {label}");
        }
    }
    text
}
