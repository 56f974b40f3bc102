//! How the specifications of a finite system are to be checked.

use merkhet_symbolic::check::{Options, TraceKind as PathKind};
use merkhet_symbolic::guided::{Abstraction, Guidance, Representation};
use merkhet_symbolic::limits::{Limits as DiagramLimits, Progress};
use merkhet_symbolic::order::Order;
use std::sync::Arc;
use std::time::Duration;

use crate::config::{ConfigError, Limits, Spec, TraceKind};

/// The searches for invariants.
pub const SMV_SEARCHES: &[Spec] = &[
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

/// Diagrams with fewer nodes are not worth a better order of variables.
const REORDER_AT: usize = 1 << 14;

/// Memory for the diagrams where the user gives no limit and the system does not tell what it has.
const DEFAULT_MEMORY: u64 = 4 << 30;

/// How the specifications of a finite system are to be checked.
#[derive(Clone, Debug)]
pub struct SmvOptions {
    /// One of [`SMV_SEARCHES`]; `None` is `auto`, or `guided` if an abstraction is given.
    pub search: Option<String>,
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
    /// The trace.
    pub trace: TraceKind,
    /// Limits; the number of states is not one of them.
    pub limits: Limits,
}

impl Default for SmvOptions {
    fn default() -> SmvOptions {
        SmvOptions {
            search: None,
            order: None,
            reorder: false,
            keep: Vec::new(),
            budget: Duration::from_secs(60),
            multi_terminal: false,
            trace: TraceKind::Some,
            limits: Limits::default(),
        }
    }
}

impl SmvOptions {
    /// The name of the search that runs.
    pub fn search_name(&self) -> &str {
        match &self.search {
            Some(name) => name,
            None if !self.keep.is_empty() => "guided",
            None => "auto",
        }
    }

    pub(crate) fn resolve(&self, progress: &Arc<Progress>) -> Result<Options, ConfigError> {
        let guided = || Guidance::On {
            abstraction: match self.keep.is_empty() {
                true => Abstraction::Automatic,
                false => Abstraction::Keep(self.keep.clone()),
            },
            budget: self.budget,
            representation: match self.multi_terminal {
                true => Representation::MultiTerminal,
                false => Representation::Layers,
            },
        };
        let guidance = match self.search_name() {
            "auto" if self.trace == TraceKind::Shortest => Guidance::BreadthFirst,
            "auto" => Guidance::Off,
            "bfs" => Guidance::BreadthFirst,
            "guided" | "astar" => guided(),
            other => {
                return Err(ConfigError {
                    option: "search",
                    given: other.into(),
                    known: SMV_SEARCHES.iter().map(|spec| spec.name).collect(),
                    remark: None,
                });
            }
        };
        let bytes = self.limits.memory.unwrap_or_else(default_memory);
        Ok(Options {
            limits: DiagramLimits {
                cancel: Arc::clone(&self.limits.cancel),
                deadline: None,
                memory_bytes: usize::try_from(bytes).unwrap_or(usize::MAX),
                progress: Arc::clone(progress),
            },
            order: self.order.clone().map_or(Order::Structure, Order::File),
            reorder: self.reorder.then_some(REORDER_AT),
            guidance,
            timeout: self.limits.timeout,
            trace: match self.trace {
                TraceKind::None => PathKind::None,
                TraceKind::Some => PathKind::Some,
                TraceKind::Shortest | TraceKind::Fastest => PathKind::Shortest,
            },
            ..Options::default()
        })
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
