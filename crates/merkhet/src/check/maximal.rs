//! Maximal runs: `E[]`, `A<>` and `-->`.

use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use merkhet_analysis::Demand;
use merkhet_explore::liveness::{Found, Liveness, Outcome};
use merkhet_explore::{Progress, StopReason};
use merkhet_network::Formula;
use merkhet_semantics::{Extrapolation, GoalId, Options, Pace, Patience};

use super::Task;
use super::evidence::{self, Evidence};
use crate::config::{Limits, Phase, TraceKind};
use crate::failure::Failure;
use crate::memory::{for_states, peak_bytes};
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
        let mut reason = None;
        let outcome = {
            let patience = patience(self.limits, start);
            let mut stop = self.watch(start, &mut reason);
            match deepest {
                None => task.search(&system, patience, &mut stop),
                Some(deepest) => task.search_within(&system, deepest, patience, &mut stop),
            }
        };
        let outcome = outcome.map_err(|failure| Failure::Fault {
            message: failure.fault.to_string(),
            site: (self.network.site(failure.fault.site).cloned()).map(Box::new),
            trace: None,
            figures: Some(Box::new(figures(&failure.until_then, start))),
            limit: failure.fault.kind.is_limit(),
        })?;
        let mut report = Report::new(Answer::of(!wanted), "dfs");
        self.enter(match outcome.found {
            Found::Stopped => Phase::Ending,
            _ => Phase::Evidence,
        });
        match &outcome.found {
            // What lies deeper was not seen.
            Found::None if deepest.is_some() => {
                report.answer = Answer::Unknown(StopReason::Incomplete.into());
            }
            Found::None => {}
            Found::Stopped => {
                let reason = reason.unwrap_or(self.why_ended());
                report.answer = Answer::Unknown(reason.into());
            }
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

    /// Why work in the middle of something was ended.
    fn why_ended(&self) -> StopReason {
        match self.limits.cancel.load(Ordering::Relaxed) {
            true => StopReason::Cancelled,
            false => StopReason::Timeout,
        }
    }

    /// Watches the limits for a search that asks before each expansion, and reports progress.
    pub(super) fn watch<'w>(
        &'w mut self,
        start: Instant,
        reason: &'w mut Option<StopReason>,
    ) -> impl FnMut(u64, usize) -> bool + 'w {
        let limits = self.limits;
        let memory = limits.memory.map(for_states);
        let observe = &mut *self.observe;
        let mut calls = 0u32;
        let mut pace = Pace::default();
        move |explored, bytes| {
            calls += 1;
            let over = limits.states.is_some_and(|limit| explored >= limit);
            let found = if over {
                Some(StopReason::States)
            } else if !pace.due() {
                None
            } else if limits.cancel.load(Ordering::Relaxed) {
                Some(StopReason::Cancelled)
            } else if limits.timeout.is_some_and(|limit| start.elapsed() >= limit) {
                Some(StopReason::Timeout)
            } else if memory.is_some_and(|limit| bytes as u64 >= limit) {
                Some(StopReason::Memory)
            } else {
                None
            };
            if calls.is_multiple_of(4096) {
                observe(&Progress {
                    expanded: explored,
                    stored: explored,
                    waiting: 0,
                    memory: bytes as u64,
                    depth: 0,
                    best_estimate: None,
                    elapsed: start.elapsed().max(Duration::from_nanos(1)),
                });
            }
            *reason = reason.or(found);
            found.is_some()
        }
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

/// The limits for work within one expansion.
fn patience(limits: &Limits, start: Instant) -> Patience<'_> {
    let deadline = (limits.timeout).and_then(|limit| start.checked_add(limit));
    Patience::until(deadline, Some(&limits.cancel))
}
