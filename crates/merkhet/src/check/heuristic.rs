//! The estimates by name.

use std::time::Instant;

use merkhet_heuristics::causal::CausalGraphHeuristic;
use merkhet_heuristics::distance::{Combination, Distance};
use merkhet_heuristics::pa::{self, PredicateAbstraction};
use merkhet_heuristics::{DEAD_END, Goal, atg};
use merkhet_network::{Formula, Network};
use merkhet_search::{Blind, Estimate, Heuristic, HeuristicFacts};
use merkhet_semantics::State;

use crate::config::Config;
use crate::memory::thread_time;
use crate::report::{Databases, Failure};

/// A heuristic by name, prepared for a goal: what takes time is done once, however many threads search.
pub(crate) struct Prepared<'t> {
    name: &'t str,
    network: &'t Network,
    goal: &'t Formula,
    abstraction: Option<(PredicateAbstraction, bool)>,
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
    ) -> Result<Self, Failure> {
        match pa::Options::parse(name) {
            Some(Ok(options)) => Prepared::abstraction(options, network, goal, config),
            _ => Ok(Prepared {
                name,
                network,
                goal,
                abstraction: None,
                databases: None,
            }),
        }
    }

    /// Prepares pattern databases.
    pub fn abstraction(
        options: pa::Options,
        network: &'t Network,
        goal: &'t Formula,
        config: &Config,
    ) -> Result<Self, Failure> {
        let mut prepared = Prepared {
            name: "pa",
            network,
            goal,
            abstraction: None,
            databases: None,
        };
        prepared.abstract_goal(options, config)?;
        Ok(prepared)
    }

    fn abstract_goal(&mut self, options: pa::Options, config: &Config) -> Result<(), Failure> {
        let (start, clock) = (Instant::now(), thread_time());
        // Half of the time is for the search.
        let stop = pa::Stop {
            deadline: config.limits.timeout.map(|limit| start + limit / 2),
            cancel: Some(&config.limits.cancel),
        };
        let (network, goal) = (self.network, self.goal);
        let abstraction = match &config.databases_in {
            None => PredicateAbstraction::new(network, goal, options, stop),
            Some(text) => PredicateAbstraction::saved(network, goal, options, text)
                .map_err(|error| Failure::NotPermitted(error.to_string()))?,
        };
        let worked = clock
            .zip(thread_time())
            .map(|(from, to)| to.saturating_sub(from));
        self.databases = Some(Databases {
            time: worked.unwrap_or(start.elapsed()),
            bytes: abstraction.bytes() as u64,
            list: abstraction.summaries().to_vec(),
            text: (config.databases_out).then(|| abstraction.to_text(network, goal)),
        });
        self.abstraction = Some((abstraction, options.is_admissible()));
        Ok(())
    }

    /// The heuristic for one search.
    pub fn make(&self) -> Box<dyn Heuristic> {
        match &self.abstraction {
            Some((abstraction, admissible)) => {
                Box::new(ByAbstraction(abstraction.clone(), *admissible))
            }
            None => make(self.name, self.network, self.goal),
        }
    }
}

fn make(name: &str, network: &Network, goal: &Formula) -> Box<dyn Heuristic> {
    let goal = Goal::of(network, goal);
    match name {
        "dl" => Box::new(ByDistance(
            Distance::new(network, &goal, Combination::Maximum),
            true,
        )),
        "du" => Box::new(ByDistance(
            Distance::new(network, &goal, Combination::Sum),
            false,
        )),
        "hl" => Box::new(ByGraph {
            graph: atg::Graph::new(network, &goal),
            upper: false,
        }),
        "hu" => Box::new(ByGraph {
            graph: atg::Graph::new(network, &goal),
            upper: true,
        }),
        "hcg" => Box::new(ByCausalGraph(CausalGraphHeuristic::new(network, &goal))),
        _ => Box::new(Blind),
    }
}

fn estimate(value: u32) -> Estimate {
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

struct ByCausalGraph(CausalGraphHeuristic);

impl Heuristic for ByCausalGraph {
    /// Nothing is guaranteed: a way may be missed, so that an infinite estimate proves nothing.
    fn facts(&self) -> HeuristicFacts {
        HeuristicFacts::default()
    }

    fn estimate(&mut self, state: State<'_>) -> Estimate {
        estimate(self.0.estimate(state.memory))
    }
}

struct ByGraph {
    graph: atg::Graph,
    upper: bool,
}

impl Heuristic for ByGraph {
    fn facts(&self) -> HeuristicFacts {
        HeuristicFacts {
            admissible: !self.upper,
            consistent: false,
            safe_dead_ends: true,
        }
    }

    fn estimate(&mut self, state: State<'_>) -> Estimate {
        let value = if self.upper {
            self.graph.upper(state.memory)
        } else {
            self.graph.lower(state.memory)
        };
        estimate(value)
    }
}

struct ByAbstraction(PredicateAbstraction, bool);

impl Heuristic for ByAbstraction {
    fn facts(&self) -> HeuristicFacts {
        HeuristicFacts {
            admissible: self.1,
            consistent: false,
            safe_dead_ends: true,
        }
    }

    fn estimate(&mut self, state: State<'_>) -> Estimate {
        estimate(self.0.estimate(state.memory, state.zone))
    }
}
