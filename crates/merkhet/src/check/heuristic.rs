//! The estimates by name.

use std::time::{Duration, Instant};

use merkhet_explore::{Blind, Cached, Estimate, Heuristic, HeuristicFacts, Preference};
use merkhet_heuristics::causal;
use merkhet_heuristics::distance::{Combination, Distance};
use merkhet_heuristics::hamming::Hamming;
use merkhet_heuristics::pa::{self, PredicateAbstraction};
use merkhet_heuristics::{DEAD_END, Goal, atg};
use merkhet_network::{EdgeId, Formula, Network, ProcessId};
use merkhet_semantics::{EdgeIndex, State, Successor, System};
use merkhet_zones::bound::Bound;

use super::causal::ByCausalGraph;
use super::clocks::WithClocks;
use super::context::ByContext;
use super::useless::ByTransition;
use crate::config::{Config, Limits, Prune};
use crate::failure::Failure;
use crate::memory::thread_time;
use crate::report::Databases;

/// The processor time of this thread from now on; that of the clock where the system does not tell.
struct Measure {
    start: Instant,
    clock: Option<Duration>,
}

impl Measure {
    fn start() -> Measure {
        Measure {
            start: Instant::now(),
            clock: thread_time(),
        }
    }

    fn worked(&self) -> Duration {
        let both = self.clock.zip(thread_time());
        let worked = both.map(|(from, to)| to.saturating_sub(from));
        worked.unwrap_or(self.start.elapsed())
    }
}

/// A heuristic by name, prepared for a goal: what takes time is done once, however many threads search.
pub(crate) struct Prepared<'t> {
    name: &'t str,
    network: &'t Network,
    goal: &'t Formula,
    abstraction: Option<(PredicateAbstraction, bool)>,
    /// Which transitions are put off.
    prune: Option<Prune>,
    /// What it took, and what came of it.
    pub databases: Option<Databases>,
}

impl<'t> Prepared<'t> {
    /// Prepares the heuristic. Names were validated; an unknown one is blind.
    pub fn new(
        name: &'t str,
        network: &'t Network,
        goal: &'t Formula,
        config: &Config,
        limits: &Limits,
    ) -> Result<Self, Failure> {
        match pa::Options::parse(name) {
            Some(Ok(options)) => Prepared::abstraction(options, network, goal, config, limits),
            _ => Ok(Prepared {
                name,
                network,
                goal,
                abstraction: None,
                prune: config.prune,
                databases: None,
            }),
        }
    }

    /// Prepares pattern databases: saved ones, if the configuration has some.
    pub fn abstraction(
        options: pa::Options,
        network: &'t Network,
        goal: &'t Formula,
        config: &Config,
        limits: &Limits,
    ) -> Result<Self, Failure> {
        let Some(text) = &config.databases_in else {
            return Ok(Prepared::made(options, network, goal, config, limits));
        };
        let measure = Measure::start();
        let abstraction = PredicateAbstraction::saved(network, goal, options, text)
            .map_err(|error| Failure::NotPermitted(error.to_string()))?;
        Ok(Prepared::of(
            abstraction,
            options,
            network,
            goal,
            config,
            &measure,
        ))
    }

    /// Makes pattern databases.
    pub fn made(
        options: pa::Options,
        network: &'t Network,
        goal: &'t Formula,
        config: &Config,
        limits: &Limits,
    ) -> Self {
        let measure = Measure::start();
        // Half of the time is for the search.
        let stop = pa::Stop {
            deadline: (limits.timeout).map(|limit| measure.start + limit / 2),
            cancel: Some(&limits.cancel),
        };
        let abstraction = PredicateAbstraction::new(network, goal, options, stop);
        Prepared::of(abstraction, options, network, goal, config, &measure)
    }

    fn of(
        abstraction: PredicateAbstraction,
        options: pa::Options,
        network: &'t Network,
        goal: &'t Formula,
        config: &Config,
        measure: &Measure,
    ) -> Self {
        Prepared {
            name: "pa",
            network,
            goal,
            prune: config.prune,
            databases: Some(Databases {
                time: measure.worked(),
                bytes: abstraction.bytes() as u64,
                list: abstraction.summaries().to_vec(),
                text: (config.databases_out).then(|| abstraction.to_text(network, goal)),
            }),
            abstraction: Some((abstraction, options.is_admissible())),
        }
    }

    /// The heuristic for one search. `cache` is the number of entries of the table in front of one that is worth it and
    /// reads the discrete part only; 0 for none.
    pub fn make(&self, system: &System, cache: usize) -> Box<dyn Heuristic> {
        match self.prune {
            None => self.plain(system, cache),
            Some(Prune::Useless) => Box::new(ByTransition::new(self.guide(system))),
            Some(Prune::Context(levels)) => {
                let plain = self.plain(system, cache);
                Box::new(ByContext::new(self.network, system, plain, levels))
            }
        }
    }

    fn plain(&self, system: &System, cache: usize) -> Box<dyn Heuristic> {
        match &self.abstraction {
            Some(abstraction) => Box::new(ByAbstraction::new(self.network, system, abstraction)),
            None => {
                if let Some(options) = with_clocks(self.name) {
                    let by = WithClocks::new(self.network, system, self.goal, options, cache);
                    return Box::new(by);
                }
                let heuristic = plain(self.name, self.network, system, self.goal);
                match cache {
                    entries if entries > 0 && heuristic.size() > 1 => {
                        Box::new(Cached::new(system, heuristic, entries))
                    }
                    _ => heuristic,
                }
            }
        }
    }
}

impl Prepared<'_> {
    fn guide(&self, system: &System) -> Box<dyn Guide> {
        let graph = |upper| {
            let goal = Goal::of(self.network, self.goal);
            let graph = atg::Graph::edge_by_edge(self.network, &goal);
            let options = atg::Options {
                upper,
                clocks: false,
            };
            ByGraph::new(self.network, system, graph, options)
        };
        match (&self.abstraction, self.name) {
            (Some(abstraction), _) => {
                let by = ByAbstraction::new(self.network, system, abstraction);
                Box::new(Plain(Box::new(by)))
            }
            (None, name) => match atg::Options::parse(name) {
                Some(Ok(options)) if !options.clocks => Box::new(graph(options.upper)),
                _ => Box::new(Plain(plain(name, self.network, system, self.goal))),
            },
        }
    }
}

/// A heuristic that may be able to do without a transition.
pub(crate) trait Guide: Heuristic {
    /// The estimate for a successor if the transition that led to it could not be taken again; `None` if that cannot be
    /// told apart.
    fn without(&mut self, _successor: &Successor<'_>) -> Option<Estimate> {
        None
    }
}

/// One that is not.
struct Plain(Box<dyn Heuristic>);

impl Guide for Plain {}

impl Heuristic for Plain {
    fn facts(&self) -> HeuristicFacts {
        self.0.facts()
    }

    fn estimate(&mut self, state: State<'_>) -> Estimate {
        self.0.estimate(state)
    }
}

impl Guide for ByGraph {
    fn without(&mut self, successor: &Successor<'_>) -> Option<Estimate> {
        let edge = |edge: &EdgeIndex| self.edges[edge.index()];
        let edges: Vec<atg::EdgeRef> = successor.edges.iter().map(edge).collect();
        let memory = successor.state.memory;
        let value = if self.options.upper {
            self.graph.upper_without(memory, &edges)
        } else {
            self.graph.lower_without(memory, &edges)
        };
        Some(estimate(value))
    }
}

/// The options of a name that is one of h^L or h^U with clocks.
fn with_clocks(name: &str) -> Option<atg::Options> {
    let options = atg::Options::parse(name)?.ok()?;
    options.clocks.then_some(options)
}

fn plain(name: &str, network: &Network, system: &System, formula: &Formula) -> Box<dyn Heuristic> {
    if let Some(options) = with_clocks(name) {
        return Box::new(WithClocks::new(network, system, formula, options, 0));
    }
    if let Some(Ok(options)) = atg::Options::parse(name) {
        let graph = graph(network, formula, options);
        return Box::new(ByGraph::new(network, system, graph, options));
    }
    let goal = Goal::of(network, formula);
    match name {
        "dl" => Box::new(ByDistance(
            Distance::new(network, &goal, Combination::Maximum),
            true,
        )),
        "du" => Box::new(ByDistance(
            Distance::new(network, &goal, Combination::Sum),
            false,
        )),
        "hamming" => Box::new(ByHamming(Hamming::new(network, &goal))),
        name => match causal::Options::parse(name) {
            Some(Ok(options)) => Box::new(ByCausalGraph::new(network, system, &goal, options)),
            _ => Box::new(Blind),
        },
    }
}

/// The graph of an estimate.
pub(crate) fn graph(network: &Network, goal: &Formula, options: atg::Options) -> atg::Graph {
    match options.clocks {
        true => atg::Graph::with_clocks(network, &Goal::with_clocks(network, goal)),
        false => atg::Graph::new(network, &Goal::of(network, goal)),
    }
}

pub(super) fn estimate(value: u32) -> Estimate {
    if value == DEAD_END {
        Estimate::DeadEnd
    } else {
        Estimate::Finite(value)
    }
}

struct ByDistance(Distance, bool);

impl Heuristic for ByDistance {
    fn facts(&self) -> HeuristicFacts {
        HeuristicFacts {
            admissible: self.1,
            consistent: self.1,
            safe_dead_ends: true,
        }
    }

    fn estimate(&mut self, state: State<'_>) -> Estimate {
        estimate(self.0.estimate(state.memory))
    }
}

struct ByHamming(Hamming);

impl Heuristic for ByHamming {
    fn facts(&self) -> HeuristicFacts {
        HeuristicFacts {
            admissible: false,
            consistent: false,
            safe_dead_ends: true,
        }
    }

    fn estimate(&mut self, state: State<'_>) -> Estimate {
        estimate(self.0.estimate(state.memory))
    }
}

/// h^L or h^U; with clocks, what the layers say.
pub(super) struct ByGraph {
    graph: atg::Graph,
    options: atg::Options,
    /// By index, the edge.
    edges: Vec<atg::EdgeRef>,
    preferences: Preferences,
}

impl ByGraph {
    pub(super) fn new(
        network: &Network,
        system: &System,
        graph: atg::Graph,
        options: atg::Options,
    ) -> ByGraph {
        ByGraph {
            graph,
            options,
            edges: (0..system.edge_count())
                .map(|index| system.edge(EdgeIndex(index as u32)))
                .map(|(process, edge)| atg::EdgeRef { process, edge })
                .collect(),
            preferences: Preferences::new(network, system),
        }
    }
}

/// The edges on the way to the goal that a heuristic sees from a state.
struct Preferences {
    /// By process, the index of its first edge.
    first_edge: Vec<u32>,
    /// By edge, its place on the way.
    of_edge: Vec<Preference>,
    /// Those that have one.
    marked: Vec<u32>,
}

impl Preferences {
    fn new(network: &Network, system: &System) -> Preferences {
        let first_edge = network
            .process_ids()
            .map(|process| system.edge_index(process, EdgeId(0)).0);
        Preferences {
            first_edge: first_edge.collect(),
            of_edge: vec![Preference::None; system.edge_count()],
            marked: Vec::new(),
        }
    }

    fn clear(&mut self) {
        for edge in self.marked.drain(..) {
            self.of_edge[edge as usize] = Preference::None;
        }
    }

    /// An edge is on the way, perhaps at its beginning.
    fn mark(&mut self, first: bool, process: ProcessId, edge: EdgeId) {
        let index = self.first_edge[process.index()] + edge.0;
        let preference = match first {
            true => Preference::First,
            false => Preference::Planned,
        };
        let known = &mut self.of_edge[index as usize];
        if *known == Preference::None {
            self.marked.push(index);
        }
        *known = preference.max(*known);
    }

    /// First, if all edges are of first steps; planned, if some edge is of a step.
    fn of(&self, edges: &[EdgeIndex]) -> Preference {
        let of = |edge: &EdgeIndex| self.of_edge[edge.0 as usize];
        match edges.iter().map(of).min() {
            Some(Preference::First) => Preference::First,
            _ if edges.iter().any(|edge| of(edge) > Preference::None) => Preference::Planned,
            _ => Preference::None,
        }
    }
}

impl Heuristic for ByGraph {
    fn facts(&self) -> HeuristicFacts {
        HeuristicFacts {
            admissible: !self.options.upper,
            consistent: false,
            safe_dead_ends: true,
        }
    }

    fn estimate(&mut self, state: State<'_>) -> Estimate {
        let value = if self.options.upper {
            self.graph.length_in(state.memory, state.zone)
        } else {
            self.graph.layer_in(state.memory, state.zone)
        };
        estimate(value)
    }

    fn prepare(&mut self, state: State<'_>) {
        self.preferences.clear();
        if self.graph.length_in(state.memory, state.zone) == DEAD_END {
            return;
        }
        for (first, edge) in self.graph.planned() {
            self.preferences.mark(first, edge.process, edge.edge);
        }
    }

    fn preference(&self, edges: &[EdgeIndex]) -> Preference {
        self.preferences.of(edges)
    }

    fn size(&self) -> usize {
        self.graph.size().max(2)
    }

    fn reads(&self, cell: usize) -> bool {
        self.graph.reads(cell)
    }

    fn zone_words(&self) -> usize {
        self.graph.threshold_words()
    }

    fn zone_key(&self, zone: &[Bound], words: &mut [u64]) {
        self.graph.zone_key(zone, words);
    }
}

struct ByAbstraction {
    abstraction: PredicateAbstraction,
    admissible: bool,
    preferences: Preferences,
}

impl ByAbstraction {
    fn new(
        network: &Network,
        system: &System,
        (abstraction, admissible): &(PredicateAbstraction, bool),
    ) -> ByAbstraction {
        ByAbstraction {
            abstraction: abstraction.clone(),
            admissible: *admissible,
            preferences: Preferences::new(network, system),
        }
    }
}

impl Heuristic for ByAbstraction {
    fn facts(&self) -> HeuristicFacts {
        HeuristicFacts {
            admissible: self.admissible,
            consistent: false,
            safe_dead_ends: true,
        }
    }

    fn estimate(&mut self, state: State<'_>) -> Estimate {
        estimate(self.abstraction.estimate(state.memory, state.zone))
    }

    fn prepare(&mut self, state: State<'_>) {
        let preferences = &mut self.preferences;
        preferences.clear();
        let see = |first: bool, edges: &[(ProcessId, EdgeId)]| {
            for (process, edge) in edges {
                preferences.mark(first, *process, *edge);
            }
        };
        self.abstraction.ways(state.memory, state.zone, see);
    }

    fn preference(&self, edges: &[EdgeIndex]) -> Preference {
        self.preferences.of(edges)
    }
}
