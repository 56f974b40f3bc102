//! Maximal runs: `E[]`, `A<>` and `-->`.

use std::time::Instant;

use merkhet_analysis::Demand;
use merkhet_explore::liveness::{Found, Liveness, Outcome};
use merkhet_explore::{Limits, StopReason, Watch};
use merkhet_network::Formula;
use merkhet_semantics::{Extrapolation, GoalId, Options, System};

use super::Task;
use super::evidence::{self, Evidence};
use super::reach::limits;
use crate::config::{Phase, TraceKind};
use crate::failure::Failure;
use crate::memory::peak_bytes;
use crate::report::{Answer, Figures, Report};

/// The most states of one look for a run close to the start.
const MOST_SHALLOW: u64 = 50_000;

impl Task<'_> {
    /// Searches for a maximal run with `keep` all along. `wanted` tells whether finding one is good.
    pub(super) fn maximal_run(
        &mut self,
        trigger: Option<&Formula>,
        keep: &Formula,
        wanted: bool,
    ) -> Result<Report, Failure> {
        let start = Instant::now();
        let formulas: Vec<&Formula> = std::iter::once(keep).chain(trigger).collect();
        let demand = Demand {
            formulas: &formulas,
            symmetric: true,
            exact: &[],
        };
        // Inclusion of abstracted zones is no argument for a cycle: maximal constants it must be (see the search).
        let options = Options {
            extrapolation: Extrapolation::M,
            demand,
            forget_dead: self.config.forgets_dead(),
            ..Options::default()
        };
        let system = self.system(&options)?;
        if !system.permits_deadlock() {
            let message = "liveness cannot be decided for a model with stopwatches: its zones are over-approximated";
            return Err(Failure::Undecidable(message.into()));
        }
        let task = Liveness {
            keep: GoalId(0),
            trigger: trigger.map(|_| GoalId(1)),
        };
        let watch = Watch::since(start, limits(self.config));
        let outcome = match task.search(&system, watch, self.observe) {
            Ok(outcome) => outcome,
            Err(failure) => match self.shallow_run(&task, &system, start) {
                Some(outcome) => outcome,
                None => {
                    return Err(Failure::Fault {
                        message: failure.fault.to_string(),
                        site: (self.network.site(failure.fault.site).cloned()).map(Box::new),
                        trace: None,
                        figures: Some(Box::new(figures(&failure.until_then, start))),
                        limit: failure.fault.kind.is_limit(),
                    });
                }
            },
        };
        let mut report = Report::new(Answer::of(!wanted), "dfs");
        self.enter(match outcome.found {
            Found::Stopped(_) => Phase::Ending,
            _ => Phase::Evidence,
        });
        match &outcome.found {
            Found::None => {}
            Found::Stopped(reason) => report.answer = Answer::Unknown((*reason).into()),
            Found::Run(run) => {
                match evidence::maximal(self.network, self.query, &system, run, &task)? {
                    Evidence::Accepted(replayed) => {
                        report.answer = Answer::of(wanted);
                        report.trace = (self.config.trace != TraceKind::None).then_some(*replayed);
                    }
                    Evidence::Unconfirmed(why) => report.answer = Answer::Unknown(why),
                }
            }
        }
        report.figures = figures(&outcome, start);
        Ok(report)
    }

    /// Depth first has met a fault of the model: looks for a run closer to the start, first very close, then further.
    /// That run is one whatever goes wrong elsewhere.
    fn shallow_run(&mut self, task: &Liveness, system: &System, start: Instant) -> Option<Outcome> {
        let asked = limits(self.config);
        for deepest in [16, 64, 256, 1024, 4096] {
            let limits = Limits {
                states: Some(
                    asked
                        .states
                        .map_or(MOST_SHALLOW, |most| most.min(MOST_SHALLOW)),
                ),
                ..asked
            };
            let watch = Watch::since(start, limits);
            match task.search_within(system, deepest, watch, self.observe) {
                Ok(outcome) if matches!(outcome.found, Found::Run(_)) => return Some(outcome),
                Ok(Outcome {
                    found: Found::Stopped(StopReason::States),
                    ..
                }) if asked.states.is_none_or(|most| most > MOST_SHALLOW) => {}
                Ok(Outcome {
                    found: Found::None, ..
                }) => {}
                _ => break,
            }
        }
        None
    }
}

fn figures(outcome: &Outcome, start: Instant) -> Figures {
    Figures {
        explored: outcome.explored,
        stored: outcome.stored,
        transitions: outcome.transitions,
        discrete: 0,
        time: start.elapsed(),
        peak_memory: peak_bytes(),
        ..Figures::default()
    }
}
