//! Maximal runs: `E[]`, `A<>` and `-->`.

use std::time::Instant;

use merkhet_analysis::Demand;
use merkhet_explore::liveness::{Found, Liveness, Outcome};
use merkhet_explore::{StopReason, Watch};
use merkhet_network::Formula;
use merkhet_semantics::{Extrapolation, GoalId, Options};

use super::Task;
use super::evidence::{self, Evidence};
use super::reach::limits;
use crate::config::{Phase, TraceKind};
use crate::failure::Failure;
use crate::memory::peak_bytes;
use crate::report::{Answer, Figures, Report};

impl Task<'_> {
    /// Searches for a maximal run with `keep` all along. `wanted` tells whether finding one is good.
    pub(super) fn maximal_run(
        &mut self,
        trigger: Option<&Formula>,
        keep: &Formula,
        wanted: bool,
        deepest: Option<usize>,
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
            tuning: Some(&self.config.tuning),
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
        let watch = Watch::since(start, limits(self.limits, 1));
        let outcome = match deepest {
            None => task.prove(&system, watch, self.observe),
            Some(deepest) => task
                .search_within(&system, deepest, watch, self.observe)
                .map(|outcome| (outcome, None)),
        };
        let (outcome, proof) = outcome.map_err(|failure| Failure::Fault {
            message: failure.fault.to_string(),
            site: (self.network.site(failure.fault.site).cloned()).map(Box::new),
            trace: None,
            figures: Some(Box::new(figures(&failure.until_then, start))),
            limit: failure.fault.kind.is_limit(),
        })?;
        let mut report = Report::new(Answer::of(!wanted), "dfs");
        self.enter(match outcome.found {
            Found::Stopped(_) => Phase::Ending,
            _ => Phase::Evidence,
        });
        match &outcome.found {
            // What lies deeper was not seen.
            Found::None if deepest.is_some() => {
                report.answer = Answer::Unknown(StopReason::Incomplete.into());
            }
            Found::None => {
                if let (true, Some(proof)) = (self.config.certificate, proof) {
                    let made = evidence::ranking(self.network, self.query, &system, proof);
                    report.certificate = Some(made);
                }
            }
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
