//! What a stage is: who does the work, in which order, for how long, and when.

use std::fmt;
use std::time::{Duration, Instant};

use merkhet_lattices::Update;

use super::Guide;
use crate::config::Config;
use crate::report::{Answer, Report};
use crate::search::WalkSpec;
use crate::why::Why;

/// What does the work of a stage.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Engine {
    /// Zones by discrete state, until the goal is found.
    Zones,
    /// One such search in each thread, with an abstraction of its own; the first that decides ends the others. Smaus and
    /// Hoffmann (section 5.4) propose it, since no way to choose predicates is good everywhere.
    Portfolio,
    /// Everything once more, for the certificate of a proof.
    Certificate,
    /// Random walks on concrete states.
    Walks,
    /// Lattice elements that are covered or joined.
    Elements(Elements),
    /// A goal that only joins reach is looked for without joins.
    Confirm(Elements),
    /// Maximal runs, of a limited number of transitions where a depth is given.
    Runs(Option<usize>),
    /// Ranges of values.
    Values,
    /// Shorter runs to a goal that was found.
    Shorten,
}

/// How lattice elements are covered or joined.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Elements {
    pub update: Update,
    /// Nobody asked for an update: joining and covering take turns.
    pub turns: bool,
    /// If something stands against a proof that it is right, its "no" is for this reason no verdict.
    pub assumed: Option<Why>,
    /// Whether larger elements can do what smaller ones can is tested along the way.
    pub test: bool,
}

impl fmt::Display for Engine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Engine::Zones => "zones",
            Engine::Portfolio => "portfolio",
            Engine::Certificate => "certificate",
            Engine::Walks => "walks",
            Engine::Elements(_) => "lattice elements",
            Engine::Confirm(_) => "lattice elements without joins",
            Engine::Runs(_) => "maximal runs",
            Engine::Values => "values",
            Engine::Shorten => "shorter runs",
        })
    }
}

/// The network that a stage searches.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Subject {
    Whole,
    Reduced,
}

/// The states that a stage may expand, beside the limits of the query.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Budget {
    /// Everything that the query has left.
    Rest,
    /// This number of states.
    States(u64),
    /// This number of states together with all stages before.
    Together(u64),
    /// A multiple of the states of the stages before, and a number more.
    Times(u64, u64),
}

/// When a stage is run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum When {
    /// At the beginning.
    First,
    /// The query is not decided.
    Undecided,
    /// Only joins reach the goal.
    Inconclusive,
    /// What was found may not be there: zones of stopwatches are over-approximated.
    MayHold,
    /// An evaluation failed in this network.
    Fault(Subject),
    /// An evaluation failed in any of the networks.
    AnyFault,
    /// The query is not decided, or an evaluation failed.
    Open,
    /// The query is decided, but the certificate for it is missing.
    Uncertified,
    /// A run shows the answer, and a shorter one may.
    Shown,
}

/// Searches that start anew after some states, each time with twice as many.
///
/// Where a search loses its way depends on chance: on the order of states with the same estimate, or on the predicates of
/// an abstraction. Starting anew is cheap next to going on in the wrong place (Kupferschmid et al. 2006, section 7). The
/// last run is as long as it needs to be, so that nothing is lost.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Restart {
    /// The runs before this one.
    pub round: u32,
    /// The states of this one.
    pub states: u64,
}

/// A part of the work.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Stage {
    /// What it is for.
    pub name: &'static str,
    pub engine: Engine,
    pub subject: Subject,
    pub guide: Guide,
    pub threads: usize,
    /// Others look beside it.
    pub company: bool,
    pub budget: Budget,
    pub restart: Option<Restart>,
    pub when: When,
    /// It only looks whether the answer is near; what the query is decided by otherwise comes after it.
    pub glance: bool,
}

/// A stage that was run.
#[derive(Clone, PartialEq, Debug)]
pub struct Ran {
    /// What it was for.
    pub stage: &'static str,
    /// What did the work.
    pub engine: String,
    /// The order of expansion and the heuristic.
    pub guide: String,
    /// The threads.
    pub threads: usize,
    /// The states that it might expand; `None` for any number.
    pub budget: Option<u64>,
    /// The states that it expanded.
    pub explored: u64,
    /// Why it ended, in words.
    pub ended: String,
    /// The time that it took.
    pub time: Duration,
}

impl Ran {
    /// A stage that everything was decided by.
    pub(crate) fn of(stage: &Stage, report: &Report, begun: Instant) -> Ran {
        Ran {
            stage: stage.name,
            engine: stage.engine.to_string(),
            guide: stage.guide.to_string(),
            threads: stage.threads,
            budget: None,
            explored: report.figures.explored,
            ended: match &report.answer {
                Answer::Unknown(why) => why.to_string(),
                _ => "decided".to_string(),
            },
            time: begun.elapsed(),
        }
    }

    /// Walks that were asked for by name.
    pub(crate) fn walks(spec: WalkSpec, config: &Config, report: &Report) -> Ran {
        Ran {
            stage: "search",
            engine: Engine::Walks.to_string(),
            guide: spec.to_string(),
            threads: 1,
            budget: config.limits.states,
            explored: report.figures.explored,
            ended: match &report.answer {
                Answer::Unknown(why) => why.to_string(),
                _ => "decided".to_string(),
            },
            time: report.figures.time,
        }
    }
}
