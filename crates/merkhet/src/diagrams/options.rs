//! How questions are decided by decision diagrams.

use merkhet_symbolic::check::{Options, TraceKind as PathKind};
use merkhet_symbolic::guided::{Abstraction, Guidance, Representation};
use merkhet_symbolic::limits::{Limits as DiagramLimits, Progress};
use merkhet_symbolic::order::Order;
use std::fmt;
use std::str::FromStr;
use std::sync::Arc;
use std::time::Duration;

use crate::config::{Config, ConfigError, Spec, TraceKind};
use crate::memory;

/// The searches for invariants.
pub const DIAGRAM_SEARCHES: &[Spec] = &[
    Spec {
        name: "auto",
        summary: "all reachable states by saturation, then a shortest trace if that does not take long",
        facts: "complete",
        citation: "Ciardo, Lüttgen, Siminiceanu 2001",
    },
    Spec {
        name: "bfs",
        summary: "breadth first, layer by layer (InvarCheck)",
        facts: "complete; shortest traces",
        citation: "Qian, Nymeyer 2004",
    },
    Spec {
        name: "guided",
        summary: "A* over sets of states with symbolic pattern databases (GuidedInvarCheck)",
        facts: "complete; shortest traces",
        citation: "Qian, Nymeyer 2004",
    },
];

/// One of [`DIAGRAM_SEARCHES`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum DiagramSearch {
    /// `auto`.
    #[default]
    Auto,
    /// `bfs`.
    BreadthFirst,
    /// `guided`.
    Guided,
}

impl FromStr for DiagramSearch {
    type Err = ConfigError;

    fn from_str(name: &str) -> Result<DiagramSearch, ConfigError> {
        match name {
            "auto" => Ok(DiagramSearch::Auto),
            "bfs" => Ok(DiagramSearch::BreadthFirst),
            "guided" | "astar" => Ok(DiagramSearch::Guided),
            other => Err(ConfigError {
                option: "search",
                given: other.into(),
                known: DIAGRAM_SEARCHES.iter().map(|spec| spec.name).collect(),
                remark: None,
            }),
        }
    }
}

impl fmt::Display for DiagramSearch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            DiagramSearch::Auto => "auto",
            DiagramSearch::BreadthFirst => "bfs",
            DiagramSearch::Guided => "guided",
        })
    }
}

/// Diagrams with fewer nodes are not worth a better order of variables.
const REORDER_AT: usize = 1 << 14;

/// Memory for the diagrams where the user gives no limit and the system does not tell what it has.
const DEFAULT_MEMORY: u64 = 4 << 30;

/// How questions are decided by decision diagrams.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct DiagramOptions {
    /// The search for invariants; `None` is `auto`, or `guided` if an abstraction is given.
    pub search: Option<DiagramSearch>,
    /// The text of an order file.
    pub order: Option<String>,
    /// Look for a better order of variables when diagrams grow.
    pub reorder: bool,
    /// What pattern databases keep, a list of names for each; empty: the program chooses.
    pub keep: Vec<Vec<String>>,
    /// The time for building pattern databases.
    pub budget: Duration,
    /// Pattern databases as multi-terminal diagrams instead of lists of diagrams.
    pub multi_terminal: bool,
}

impl Default for DiagramOptions {
    fn default() -> DiagramOptions {
        DiagramOptions {
            search: None,
            order: None,
            reorder: false,
            keep: Vec::new(),
            budget: Duration::from_secs(60),
            multi_terminal: false,
        }
    }
}

impl DiagramOptions {
    /// The search that runs.
    pub fn search(&self) -> DiagramSearch {
        match self.search {
            Some(search) => search,
            None if !self.keep.is_empty() => DiagramSearch::Guided,
            None => DiagramSearch::Auto,
        }
    }

    fn guidance(&self, trace: TraceKind) -> Guidance {
        match self.search() {
            DiagramSearch::Auto if trace == TraceKind::Shortest => Guidance::BreadthFirst,
            DiagramSearch::Auto => Guidance::Off,
            DiagramSearch::BreadthFirst => Guidance::BreadthFirst,
            DiagramSearch::Guided => Guidance::On {
                abstraction: match self.keep.is_empty() {
                    true => Abstraction::Automatic,
                    false => Abstraction::Keep(self.keep.clone()),
                },
                budget: self.budget,
                representation: match self.multi_terminal {
                    true => Representation::MultiTerminal,
                    false => Representation::Layers,
                },
            },
        }
    }

    /// What the engine is told.
    pub(crate) fn resolve(&self, config: &Config) -> Options {
        let bytes = match config.limits.memory {
            Some(limit) => memory::for_states(limit),
            None => default_memory(),
        };
        Options {
            limits: DiagramLimits {
                cancel: Arc::clone(&config.limits.cancel),
                deadline: None,
                memory_bytes: usize::try_from(bytes).unwrap_or(usize::MAX),
                progress: Arc::<Progress>::default(),
            },
            order: self.order.clone().map_or(Order::Structure, Order::File),
            reorder: self.reorder.then_some(REORDER_AT),
            guidance: self.guidance(config.trace),
            timeout: config.limits.timeout,
            trace: match config.trace {
                TraceKind::None => PathKind::None,
                TraceKind::Some => PathKind::Some,
                TraceKind::Shortest | TraceKind::Fastest => PathKind::Shortest,
            },
            ..Options::default()
        }
    }
}

impl Config {
    /// The first option that means nothing to decision diagrams, of those that are given.
    pub fn meaningless_to_diagrams(&self) -> Option<&'static str> {
        let given = [
            (self.search.is_some(), "--search"),
            (self.heuristic.is_some(), "--heuristic"),
            (self.threads > 1, "--threads"),
            (self.extrapolation.is_some(), "--extrapolation"),
            (self.inclusion.is_some(), "--inclusion"),
            (self.bitstate, "--bitstate"),
            (self.reduce.is_some(), "--reduce"),
            (self.limits.states.is_some(), "--max-states"),
            (self.certificate, "--certificate"),
            (self.trace == TraceKind::Fastest, "--trace fastest"),
            (self.prune.is_some(), "--prune"),
            (self.restarts.is_some(), "--restarts"),
            (self.tie.is_some(), "--tie"),
            (self.heuristic_cache.is_some(), "--heuristic-cache"),
            (self.keep_dead, "--keep-dead-variables"),
            (self.databases_in.is_some(), "--pdb-in"),
            (self.databases_out, "--pdb-out"),
            (self.lattice.is_some(), "--lattice"),
            (self.check_monotone, "--check-monotone"),
        ];
        let first = given.into_iter().find(|(given, _)| *given);
        first.map(|(_, option)| option)
    }
}

/// Three quarters of the memory that is free now.
fn default_memory() -> u64 {
    let text = std::fs::read_to_string("/proc/meminfo").unwrap_or_default();
    let available = text.lines().find_map(|line| {
        let kibibytes = line
            .strip_prefix("MemAvailable:")?
            .trim()
            .strip_suffix("kB")?;
        kibibytes.trim().parse::<u64>().ok()
    });
    available.map_or(DEFAULT_MEMORY, |kibibytes| {
        kibibytes.saturating_mul(1024) / 4 * 3
    })
}
