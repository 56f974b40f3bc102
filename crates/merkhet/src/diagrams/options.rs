//! How questions are decided by decision diagrams.

use merkhet_symbolic::bdd::Reordering;
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
use crate::tuning;

/// The searches for invariants.
pub const DIAGRAM_SEARCHES: &[Spec] = &[
    Spec {
        name: "auto",
        summary: "bfs, guided with databases that are built quickly, saturation and bmc in turns, until one comes to its end",
        facts: "complete; shortest traces where bfs, guided or bmc can afford them",
        citation: "",
    },
    Spec {
        name: "saturation",
        summary: "all reachable states by saturation, then a shortest trace if that does not take long",
        facts: "complete",
        citation: "Ciardo, Lüttgen, Siminiceanu 2001",
    },
    Spec {
        name: "bmc",
        summary: "bounded model checking and induction over steps by a SAT solver, without diagrams",
        facts: "complete, though induction may need as many steps as there are states; shortest traces",
        citation: "Biere, Cimatti, Clarke, Zhu 1999; Sheeran, Singh, Stålmarck 2000",
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
    /// `saturation`.
    Saturation,
    /// `bmc`.
    Clauses,
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
            "saturation" => Ok(DiagramSearch::Saturation),
            "bmc" => Ok(DiagramSearch::Clauses),
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
            DiagramSearch::Saturation => "saturation",
            DiagramSearch::Clauses => "bmc",
            DiagramSearch::BreadthFirst => "bfs",
            DiagramSearch::Guided => "guided",
        })
    }
}

/// Memory for the diagrams where the user gives no limit and the system does not tell what it has.
const DEFAULT_MEMORY: u64 = 4 << 30;

/// How questions are decided by decision diagrams.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct DiagramOptions {
    /// The search for invariants; `None` is `auto`, or `guided` if an abstraction is given.
    pub search: Option<DiagramSearch>,
    /// The text of an order file.
    pub order: Option<String>,
    /// Look for a better order of variables as soon as diagrams grow, instead of when they are very large.
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

    fn guidance(&self) -> Guidance {
        match self.search() {
            DiagramSearch::Auto => Guidance::Schedule,
            DiagramSearch::Saturation => Guidance::Off,
            DiagramSearch::Clauses => Guidance::Clauses,
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
            // Tables of nodes that grow stand beside the old ones for a moment.
            Some(limit) => memory::for_states(limit) / 4 * 3,
            None => default_memory(),
        };
        let tuning = &config.tuning;
        Options {
            limits: DiagramLimits {
                cancel: Arc::clone(&config.limits.cancel),
                deadline: None,
                memory_bytes: usize::try_from(bytes).unwrap_or(usize::MAX),
                progress: Arc::<Progress>::default(),
            },
            order: self.order.clone().map_or(Order::Structure, Order::File),
            reorder: match self.reorder {
                true => Reordering::At(tuning.count(&tuning::REORDER_AT)),
                // The user's own order is kept.
                false if self.order.is_some() => Reordering::Never,
                false => Reordering::InUse(tuning.count(&tuning::REORDER_IN_USE)),
            },
            guidance: self.guidance(),
            turns: tuning::turns(tuning),
            certificate: config.certificate,
            timeout: config.limits.timeout,
            trace: match config.trace {
                TraceKind::None => PathKind::None,
                TraceKind::Some => PathKind::Some,
                TraceKind::Short | TraceKind::Shortest | TraceKind::Fastest => PathKind::Shortest,
            },
            ..Options::default()
        }
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
