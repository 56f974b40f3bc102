//! The order of expansion that a wish amounts to.

use std::fmt;

use merkhet_explore::Strategy;
use merkhet_heuristics::{HeuristicSpec, atg, hamming};
use merkhet_network::Formula;

use super::Restart;
use crate::config::{Config, Order, TraceKind};

/// The order of expansion, with the names that the report gives.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Guide {
    pub strategy: Strategy,
    pub search: String,
    pub heuristic: Option<HeuristicSpec>,
}

impl fmt::Display for Guide {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.heuristic {
            Some(heuristic) => write!(f, "{} with {heuristic}", self.search),
            None => f.write_str(&self.search),
        }
    }
}

impl Guide {
    /// An order without a heuristic.
    pub fn named(strategy: Strategy, name: &str) -> Guide {
        Guide {
            strategy,
            search: name.into(),
            heuristic: None,
        }
    }

    /// Whether a search starts anew: as was asked for, or as its heuristic wants.
    pub(in crate::check) fn restart(&self, config: &Config) -> Option<Restart> {
        let states = match (&self.heuristic, self.strategy) {
            (Some(spec), _) => config.restarts.or_else(|| spec.restart())?,
            (None, Strategy::RandomDepthFirst) => config.restarts?,
            _ => return None,
        };
        Some(Restart {
            round: 0,
            states: states.max(1),
        })
    }

    /// What the order of a search that is written down amounts to.
    pub fn written_down(config: &Config, goal: Option<&Formula>) -> Guide {
        let order = match (config.order(), &config.heuristic) {
            // Its queues are not written down; breadth first is what it amounts to without them.
            (Order::Auto, None) => Order::Fixed(Strategy::BreadthFirst),
            (order, _) => order,
        };
        Guide::new(config, order, 1, goal)
    }

    /// What an order amounts to with a number of threads; without a goal there is nothing to be guided to.
    pub fn new(config: &Config, order: Order, threads: usize, goal: Option<&Formula>) -> Guide {
        let guided = config.heuristic.clone().filter(|_| goal.is_some());
        let greedy = |heuristic: Option<HeuristicSpec>| Guide {
            heuristic,
            ..Guide::named(Strategy::Greedy(config.tie_break()), "greedy")
        };
        let upper = || Some(HeuristicSpec::of(&atg::UPPER));
        let strategy = match order {
            // Walks are made before anybody makes a schedule.
            Order::Auto | Order::Walk(_) => {
                return match guided {
                    Some(_) if config.trace == TraceKind::Shortest => Guide {
                        heuristic: guided,
                        ..Guide::named(Strategy::AStar, "astar")
                    },
                    Some(_) => greedy(guided),
                    None if goal.is_none() => Guide::named(Strategy::LargestFirst, "largest"),
                    // Only greedy search puts transitions off.
                    None if config.prune.is_some() => greedy(upper()),
                    None if config.permits_guidance(threads) => Guide {
                        heuristic: upper(),
                        ..Guide::named(Strategy::Auto(config.tie.unwrap_or_default()), "auto")
                    },
                    None => Guide::named(Strategy::BreadthFirst, "bfs"),
                };
            }
            Order::Fixed(strategy) => strategy,
        };
        let heuristic = match strategy {
            _ if goal.is_none() => None,
            Strategy::Greedy(_) | Strategy::Preferred(_) | Strategy::Auto(_) => {
                guided.or_else(upper)
            }
            Strategy::Novelty(_) => guided.or_else(|| Some(HeuristicSpec::of(&hamming::ENTRY))),
            Strategy::AStar | Strategy::WeightedAStar { .. } => {
                guided.or_else(|| Some(HeuristicSpec::of(&atg::LOWER)))
            }
            _ => None,
        };
        // A stage may have another order than the one that was asked for.
        let search = match order == config.order() {
            true => config.search.unwrap_or_default().to_string(),
            false => "bfs".to_string(),
        };
        Guide {
            strategy,
            search,
            heuristic,
        }
    }
}
