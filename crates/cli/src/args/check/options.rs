//! What the options of `merkhet check` may be.

use std::str::FromStr;

use clap::ValueEnum;

/// What sets of states are stored as.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Engine {
    /// Zones by discrete state: for clocks.
    Zones,
    /// Binary decision diagrams: for SMV models, and for networks without clocks or with closed bounds.
    Bdd,
}

/// How pattern databases are stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Patterns {
    /// A diagram for each distance.
    List,
    /// One multi-terminal diagram.
    Mtbdd,
}

/// What a pattern database keeps.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Abstraction {
    /// What the program finds.
    Auto,
    /// These variables.
    Keep(Vec<String>),
}

pub(super) fn parse_abstraction(text: &str) -> Result<Abstraction, String> {
    if text == "auto" {
        return Ok(Abstraction::Auto);
    }
    let names = text.strip_prefix("keep=").unwrap_or_default();
    let names: Vec<String> = names
        .split(',')
        .map(|name| name.trim().to_owned())
        .collect();
    if names.iter().any(String::is_empty) {
        return Err("expected keep=NAME,… with names of variables, or auto".into());
    }
    Ok(Abstraction::Keep(names))
}

/// Which of several states with the same estimate comes first.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Tie {
    /// The one that was found first.
    Fifo,
    /// The one that was found last.
    Lifo,
    /// Any, by the seed.
    Random,
    /// With greedy search, what a step of the way that the heuristic sees leads to; of several, the one that was found
    /// first.
    Preferred,
}

/// Which trace to show.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum TraceKind {
    /// None.
    None,
    /// The one found; that of --search auto, made shorter in a tenth of its work.
    Some,
    /// The one found, made shorter until a limit, or until nothing comes of it.
    Short,
    /// One with the fewest transitions.
    Shortest,
    /// One that takes the least time.
    Fastest,
}

/// The form of the report.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ReportFormat {
    /// Text for people.
    Human,
    /// One JSON object.
    Json,
    /// JUnit XML, a test case for each query.
    Junit,
}

/// How zones are made finitely many.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Extrapolation {
    /// Not at all; the search may not end.
    None,
    /// By the largest constants.
    M,
    /// By the largest constants, coarser.
    #[value(name = "m+")]
    MPlus,
    /// By lower and upper bounds.
    Lu,
    /// By lower and upper bounds, coarser.
    #[value(name = "lu+")]
    LuPlus,
}

/// When a stored zone covers a new one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Inclusion {
    /// When they are equal.
    None,
    /// When it includes the new one.
    Zone,
    /// When it simulates the new one by its lower and upper bounds.
    Alu,
    /// As alu while that makes more states superfluous than zone, else as zone.
    Adaptive,
}

/// Which transitions greedy search puts off.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Prune {
    /// Useless transitions: the estimate does not fall, or would fall as well without them.
    Useless,
    /// Transitions outside the interference context of the one before, by levels.
    Context(u32),
}

/// The levels of `--prune context`.
const LEVELS: u32 = 5;

impl FromStr for Prune {
    type Err = String;

    fn from_str(text: &str) -> Result<Prune, String> {
        match text.split_once(':').unwrap_or((text, "")) {
            ("useless", "") => Ok(Prune::Useless),
            ("context", "") => Ok(Prune::Context(LEVELS)),
            ("context", levels) => match levels.parse() {
                Ok(levels) if (1..=127).contains(&levels) => Ok(Prune::Context(levels)),
                _ => Err("the levels of `context` are a number from 1 to 127".into()),
            },
            _ => Err("known are `useless`, `context` and `context:LEVELS`".into()),
        }
    }
}

/// Which states that differ by a permutation of processes are one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Symmetry {
    /// All where nothing stands against it, which the report says otherwise.
    Full,
    /// None.
    None,
}

impl Symmetry {
    /// As the library has it.
    pub fn choice(self) -> bool {
        self == Symmetry::Full
    }
}

/// A transformation of the network that keeps the answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Reduction {
    /// Safe abstraction: processes that can always do what others ask of them.
    Safe,
    /// Cone of influence: what the query does not depend on.
    Coi,
    /// Nothing is removed.
    None,
}

impl Reduction {
    /// The reductions to make, in order.
    pub fn kinds(chosen: &[Reduction]) -> Vec<merkhet::ReductionKind> {
        let mut kinds = Vec::new();
        for reduction in chosen {
            let kind = match reduction {
                Reduction::Safe => merkhet::ReductionKind::Safe,
                Reduction::Coi => merkhet::ReductionKind::Influence,
                Reduction::None => continue,
            };
            if !kinds.contains(&kind) {
                kinds.push(kind);
            }
        }
        kinds
    }
}
