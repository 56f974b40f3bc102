//! Runs the stages of a schedule, one after the other, until the query is decided.

use std::sync::atomic::Ordering;
use std::time::Instant;

use merkhet_explore::{Keeper, Progress};
use merkhet_network::{Network, Query};

use super::schedule::{Budget, Engine, Ran, Schedule, Stage, Standing, Subject, When};
use super::{Task, declared, reduced, remarks};
use crate::config::{Config, Limits};
use crate::failure::Failure;
use crate::report::{Answer, Reduced, Report};
use crate::why::{Grounds, Remark};

/// A query on its way to an answer.
pub(super) struct Ladder<'a> {
    network: &'a Network,
    query: &'a Query,
    config: &'a Config,
    /// What the query may use up, from `start` on.
    limits: &'a Limits,
    start: Instant,
    schedule: Schedule,
    /// What answers the query without a search, in the whole network and in the reduced one.
    grounds: [Option<Grounds>; 2],
    explored: u64,
    ran: Vec<Ran>,
}

impl<'a> Ladder<'a> {
    pub fn new(
        network: &'a Network,
        query: &'a Query,
        config: &'a Config,
        limits: &'a Limits,
        checkpointed: bool,
    ) -> Result<Ladder<'a>, Failure> {
        let start = Instant::now();
        let schedule = Schedule::of(network, query, config, checkpointed)?;
        // It is asked before the search, since there is no time left when a limit has ended that.
        let foresee = |network| declared::foresee(network, query, config, limits.timeout);
        let whole = foresee(network);
        let reduced = schedule.reduction.as_ref().filter(|_| whole.is_none());
        let reduced = reduced.and_then(|reduction| foresee(&reduction.network));
        Ok(Ladder {
            network,
            query,
            config,
            limits,
            start,
            schedule,
            grounds: [whole, reduced],
            explored: 0,
            ran: Vec::new(),
        })
    }

    /// Runs the stages.
    pub fn climb(
        mut self,
        observe: &mut dyn FnMut(&Progress),
        mut keeper: Option<&mut dyn Keeper>,
    ) -> Result<Report, Failure> {
        let mut standing = Standing::Nothing;
        while let Some(stage) = self.schedule.next(&standing) {
            let Some(limits) = self.limits_of(&stage, &standing) else {
                break;
            };
            let begun = Instant::now();
            let keeper: Option<&mut dyn Keeper> = match &mut keeper {
                Some(keeper) => Some(*keeper),
                None => None,
            };
            let result = self.run(&stage, &limits, &standing, observe, keeper);
            self.note(&stage, &limits, begun, &result);
            standing = self.after(&stage, standing, result)?;
        }
        match standing {
            Standing::Report(report) => {
                let mut report = remarks::without_end(self.network, self.query, *report);
                report.figures.explored = self.explored;
                report.figures.time = self.start.elapsed();
                report.schedule = self.ran;
                Ok(report)
            }
            Standing::Fault(mut fault, _) => {
                if let Some(figures) = fault.figures_mut() {
                    figures.explored = self.explored;
                }
                Err(fault)
            }
            Standing::Nothing => Err(Failure::Internal("no stage was run".into())),
        }
    }

    /// What a stage may use up; `None` where nothing is left.
    fn limits_of(&self, stage: &Stage, standing: &Standing) -> Option<Limits> {
        let mut limits = self.limits.clone();
        limits.timeout = (limits.timeout).map(|time| time.saturating_sub(self.start.elapsed()));
        if stage.is_counted() {
            limits.states = (limits.states).map(|states| states.saturating_sub(self.explored));
        }
        let first = matches!(standing, Standing::Nothing);
        let over = limits.timeout.is_some_and(|time| time.is_zero())
            || limits.states == Some(0)
            || limits.cancel.load(Ordering::Relaxed);
        if over && !first {
            return None;
        }
        if let Some(most) = stage.budget.after(self.explored) {
            limits.states = Some(limits.states.map_or(most, |left| left.min(most)));
        }
        Some(limits)
    }

    fn run<'r>(
        &'r self,
        stage: &'r Stage,
        limits: &'r Limits,
        standing: &'r Standing,
        observe: &'r mut dyn FnMut(&Progress),
        keeper: Option<&'r mut (dyn Keeper + 'r)>,
    ) -> Result<Report, Failure> {
        let reduction = match stage.subject {
            Subject::Reduced => self.schedule.reduction.as_ref(),
            Subject::Whole => None,
        };
        let network = reduction.map_or(self.network, |reduction| &reduction.network);
        let mut task = Task {
            network,
            query: self.query,
            config: self.config,
            stage,
            limits,
            observe,
            known: match standing {
                Standing::Report(report) => Some(report),
                _ => None,
            },
            keeper,
        };
        let result = match task.run() {
            Err(failure) => remarks::unconfirmed(network, &stage.guide, failure),
            decided => decided,
        };
        let result = result.map(|report| remarks::without_meta(network, self.query, report));
        match reduction {
            Some(reduction) => reduced::carried_back(self.network, self.query, reduction, result),
            None => result,
        }
    }

    /// Writes down what a stage did.
    fn note(
        &mut self,
        stage: &Stage,
        limits: &Limits,
        begun: Instant,
        result: &Result<Report, Failure>,
    ) {
        let (explored, ended) = match result {
            Ok(report) => (
                report.figures.explored,
                match &report.answer {
                    Answer::Unknown(why) => why.to_string(),
                    _ if stage.engine == Engine::Shorten => {
                        report.found_by.clone().unwrap_or_default()
                    }
                    _ => "decided".to_string(),
                },
            ),
            Err(failure) => (
                failure.figures().map_or(0, |figures| figures.explored),
                failure.to_string(),
            ),
        };
        if stage.is_counted() {
            self.explored += explored;
        }
        self.ran.push(Ran {
            stage: stage.name,
            engine: stage.engine.to_string(),
            guide: stage.guide.to_string(),
            threads: stage.threads,
            budget: limits.states,
            explored,
            ended,
            time: begun.elapsed(),
        });
    }

    /// How things stand after a stage.
    fn after(
        &mut self,
        stage: &Stage,
        standing: Standing,
        result: Result<Report, Failure>,
    ) -> Result<Standing, Failure> {
        let after_fault = matches!(stage.when, When::Fault(_) | When::AnyFault);
        match (result, standing) {
            (Ok(report), Standing::Report(mut known)) if stage.engine == Engine::Shorten => {
                if report.trace.is_some() {
                    known.trace = report.trace;
                }
                Ok(Standing::Report(known))
            }
            (Ok(report), Standing::Report(mut known)) if !stage.is_counted() => {
                known.confirm(report);
                Ok(Standing::Report(known))
            }
            // Without a certificate it says no more than what is known.
            (Ok(report), Standing::Report(known))
                if stage.when == When::Uncertified && report.answer.is_unknown() =>
            {
                Ok(Standing::Report(known))
            }
            (Err(_), Standing::Report(known)) if matches!(stage.engine, Engine::Confirm(_)) => {
                Ok(Standing::Report(known))
            }
            // Walks that find nothing show nothing, and models that they cannot take are no worse for that.
            (
                Ok(Report {
                    answer: Answer::Unknown(_),
                    ..
                })
                | Err(_),
                Standing::Report(known),
            ) if stage.engine == Engine::Walks => Ok(Standing::Report(known)),
            (Ok(mut report), standing) => {
                if let Answer::Unknown(why) = &report.answer {
                    self.schedule.restart(stage, why);
                }
                let grounds = self.grounds[0].or(match stage.subject {
                    Subject::Whole => None,
                    Subject::Reduced => self.grounds[1],
                });
                report = declared::settle(self.query, grounds, report);
                if let Standing::Report(before) = &standing {
                    report.figures.work += before.figures.work;
                }
                match (standing, stage.restart) {
                    (fault @ Standing::Fault(..), _)
                        if after_fault && report.answer.is_unknown() =>
                    {
                        return Ok(fault);
                    }
                    (Standing::Report(before), Some(_)) => {
                        report.figures.transitions += before.figures.transitions;
                    }
                    _ => {}
                }
                if !stage.is_counted() {
                    self.explored += report.figures.explored;
                }
                self.complete(stage, &mut report);
                Ok(Standing::Report(report.into()))
            }
            (Err(failure), fault @ Standing::Fault(..)) if after_fault => {
                // A run that is found close to the start counts, and nothing else does. The way to the fault that breadth
                // first meets is shorter.
                let shorter = matches!(failure, Failure::Fault { trace: Some(_), .. });
                if matches!(stage.engine, Engine::Runs(_)) {
                    self.schedule.end();
                }
                Ok(match shorter {
                    true => Standing::Fault(failure, stage.subject),
                    false => fault,
                })
            }
            (Err(failure), _) if failure.figures().is_some() => {
                Ok(Standing::Fault(failure, stage.subject))
            }
            (Err(failure), _) => Err(failure),
        }
    }

    /// Says what is to be said of a report besides.
    fn complete(&self, stage: &Stage, report: &mut Report) {
        if matches!(stage.engine, Engine::Zones | Engine::Portfolio) {
            report.or_else_remark(self.schedule.explicit.clone().map(Remark::Explicit));
        }
        if let Some(remark) = &self.schedule.not_reduced {
            report.reduced = Some(Reduced {
                removed: Vec::new(),
                remark: Some(remark.clone()),
                trace_length: None,
            });
        }
    }
}

impl Budget {
    /// The states that may be expanded after a number of them.
    fn after(self, explored: u64) -> Option<u64> {
        match self {
            Budget::Rest => None,
            Budget::States(states) => Some(states),
            Budget::Together(states) => Some(states.saturating_sub(explored)),
            Budget::Times(factor, plus) => {
                Some(explored.saturating_mul(factor).saturating_add(plus))
            }
        }
    }
}

impl Stage {
    /// Whether its states are counted among those of the query: what only confirms an answer is beside it, and looks close
    /// to the start after a fault count where they decide.
    fn is_counted(&self) -> bool {
        !matches!(
            self.engine,
            Engine::Certificate | Engine::Confirm(_) | Engine::Runs(Some(_)) | Engine::Shorten
        )
    }
}

impl Report {
    /// Takes the certificate of a proof, or the run to a goal that only joins had reached.
    fn confirm(&mut self, by: Report) {
        if let Some(certificate) = by.certificate {
            self.certificate = Some(certificate);
            self.remarks
                .retain(|remark| *remark != Remark::NoCertificate);
        }
        if self.answer.is_unknown() && !by.answer.is_unknown() {
            self.answer = by.answer;
            self.trace = by.trace;
            self.remarks = by.remarks;
        }
    }
}
