//! Searches that start anew after some states, each time with twice as many.
//!
//! Where a search loses its way depends on chance: on the order of states with the same estimate, or on the predicates of
//! an abstraction. Starting anew is cheap next to going on in the wrong place (Kupferschmid et al. 2006, section 7). The
//! last run is as long as it needs to be, so that nothing is lost.

use std::time::Instant;

use merkhet_explore::{self as search, StopReason, Verdict};
use merkhet_heuristics::HeuristicSpec;
use merkhet_network::Formula;
use merkhet_semantics::System;

use super::Task;
use super::reach::{Outcome, prepare};
use crate::config::{Config, Phase};
use crate::failure::Failure;

/// What changes from run to run.
pub(super) enum Restarts<'t> {
    /// The predicates of an abstraction.
    Abstraction(&'t HeuristicSpec, u64),
    /// The seed only.
    Seed(&'t HeuristicSpec, u64),
}

impl<'t> Restarts<'t> {
    /// What was asked for, with the states of the first run.
    pub fn of(heuristic: &'t HeuristicSpec, config: &Config) -> Option<Restarts<'t>> {
        let states = config.restarts.or_else(|| heuristic.restart())?;
        Some(match heuristic.variation(0) {
            Some(_) => Restarts::Abstraction(heuristic, states),
            None => Restarts::Seed(heuristic, states),
        })
    }

    fn states(&self) -> u64 {
        match self {
            Restarts::Abstraction(_, states) | Restarts::Seed(_, states) => *states,
        }
    }
}

impl Task<'_> {
    /// Runs the search again and again, each time with twice as many states.
    pub(super) fn run_with_restarts(
        &mut self,
        system: &System,
        config: &search::Config<'_>,
        goal: &Formula,
        restarts: Restarts<'_>,
    ) -> Result<Outcome, Failure> {
        if self.keeper.is_some() || self.config.threads > 1 {
            return Err(Failure::NotPermitted(
                "restarts go with one thread and without --checkpoint".into(),
            ));
        }
        let start = Instant::now();
        let mut states = restarts.states().max(1);
        let (mut explored, mut generated, mut round) = (0, 0, 0);
        loop {
            self.enter(Phase::Heuristic);
            let (network, mut config) = (self.network, *config);
            let mut prepared = match restarts {
                Restarts::Abstraction(spec, _) => {
                    let varied = spec.variation(round).unwrap_or_else(|| spec.clone());
                    prepare(&varied, network, goal, self.config)?
                }
                Restarts::Seed(spec, _) => {
                    config.seed = config.seed.wrapping_add(u64::from(round));
                    prepare(spec, network, goal, self.config)?
                }
            };
            let limit = config.limits.states;
            let left = limit.map(|limit| limit.saturating_sub(explored));
            config.limits.states = Some(left.map_or(states, |left| left.min(states)));
            config.limits.timeout =
                (config.limits.timeout).map(|limit| limit.saturating_sub(start.elapsed()));
            let cache = match restarts {
                Restarts::Abstraction(..) => 0,
                Restarts::Seed(..) => self.config.cache_entries(),
            };
            let guide = prepared.make(system, cache);
            self.enter(Phase::Searching);
            let outcome = search::search(system, &config, { guide }.as_mut(), self.observe);
            let mut outcome = outcome.map_err(|failure| self.fault(system, &failure))?;
            explored += outcome.statistics.explored;
            generated += outcome.statistics.generated;
            let more = left.is_none_or(|left| left > states);
            if more && matches!(outcome.verdict, Verdict::Unknown(StopReason::States)) {
                states = states.saturating_mul(2);
                round += 1;
                continue;
            }
            outcome.statistics.explored = explored;
            outcome.statistics.generated = generated;
            return Ok(Outcome {
                verdict: outcome.verdict,
                statistics: outcome.statistics,
                stores: vec![outcome.store],
                databases: prepared.databases.take(),
                run: Some(match restarts {
                    Restarts::Abstraction(..) => format!("abstraction {}", round + 1),
                    Restarts::Seed(..) => format!("run {} with seed {}", round + 1, config.seed),
                }),
            });
        }
    }
}
