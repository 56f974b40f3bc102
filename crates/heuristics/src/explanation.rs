//! What a heuristic sees in a state, for people.

use merkhet_network::{Formula, LocationId, Network, ProcessId};

use crate::Goal;
use crate::atg::EdgeRef;
use crate::goal::Conjunct;

/// What a heuristic sees in a state.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Explained {
    /// How the parts make the value.
    pub rule: &'static str,
    /// What the value is made of.
    pub parts: Vec<Part>,
    /// The abstract solution, first steps first; empty where there is none.
    pub solution: Vec<SolutionStep>,
    /// What clocks add to it, if the heuristic looks at them.
    pub clocks: Option<ClockPart>,
}

/// A part of a value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Part {
    /// What it is, in words.
    pub what: String,
    /// Its own value; `None` is infinite.
    pub value: Option<u32>,
    /// Whether the whole value would be another without it.
    pub counts: bool,
}

/// A step of the abstract solution.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SolutionStep {
    /// The layer that it leads to.
    pub layer: u16,
    /// How often it is taken.
    pub times: u32,
    /// Its edges.
    pub edges: Vec<EdgeRef>,
}

/// What clocks ask for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ClockPart {
    /// The time until the goal, at least, beyond what may pass in the state itself; `None` says that it cannot be
    /// reached.
    pub time: Option<u64>,
    /// The processes that must move for that time to pass, with the least number of moves.
    pub moves: Vec<(ProcessId, u32)>,
}

/// The parts are added up.
pub const SUM: &str = "the sum of";
/// The largest part counts.
pub const MAXIMUM: &str = "the largest of";

/// A value that may be infinite.
pub fn finite(value: u32) -> Option<u32> {
    (value != crate::DEAD_END).then_some(value)
}

/// `a`, `a or b`, `a, b or c`, and `a, b, c or 4 more` of many.
pub fn one_of(network: &Network, process: ProcessId, locations: &[LocationId]) -> String {
    const SHOWN: usize = 3;
    let process = network.process(process);
    let name = |location: &LocationId| process.locations[location.index()].name.clone();
    let mut names: Vec<String> = locations.iter().take(SHOWN).map(name).collect();
    if locations.len() > SHOWN + 1 {
        names.push(format!("{} more", locations.len() - SHOWN));
    } else {
        names.extend(locations.iter().skip(SHOWN).map(name));
    }
    match names.split_last() {
        Some((last, [])) => last.clone(),
        Some((last, others)) => format!("{} or {last}", others.join(", ")),
        None => "nowhere".into(),
    }
}

/// The name of the location at which a process is.
pub fn location_of(network: &Network, process: ProcessId, memory: &[i32]) -> String {
    let at = memory.get(process.index()).copied().unwrap_or_default();
    let location = network.process(process).locations.get(at as usize);
    location.map_or_else(String::new, |location| location.name.clone())
}

/// The way to meet the goal for which a function is smallest, with what the function says of it.
pub fn nearest<T>(
    network: &Network,
    goal: &Formula,
    mut of: impl FnMut(&Conjunct) -> (u32, T),
) -> Option<(u32, T)> {
    let goal = Goal::of(network, goal);
    let all = goal.disjuncts.iter().map(&mut of);
    all.min_by_key(|(value, _)| *value)
}
