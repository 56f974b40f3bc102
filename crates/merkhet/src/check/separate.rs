//! Goals over parts of a network that have nothing to do with each other: each part is searched alone.

use std::time::Instant;

use merkhet_analysis::causal::Groups;
use merkhet_analysis::reduce::Kind;
use merkhet_explore::Progress;
use merkhet_network::{Ending, Formula, Network, Query, QueryKind, Step, Trace, Transition};
use merkhet_replay::judge_trace;

use super::ladder::Ladder;
use super::{declared, schedule};
use crate::config::{Config, TraceKind};
use crate::failure::Failure;
use crate::report::{Answer, Report};
use crate::why::Remark;

/// A query that falls into parts.
pub(super) struct Parts {
    groups: Groups,
    /// The group of each goal.
    goals: Vec<(u32, Formula)>,
    wanted: bool,
}

impl Parts {
    /// The parts, where there are several and that was asked for. They come before other reductions: what is left of each
    /// goal depends on less.
    pub fn of(network: &Network, query: &Query, config: &Config) -> Option<Parts> {
        let asked = schedule::reductions(config).contains(&Kind::Influence);
        if !asked || config.trace == TraceKind::Shortest {
            return None;
        }
        let (goal, wanted) = match &query.kind {
            QueryKind::Possibly(goal) => (goal.clone(), true),
            QueryKind::Invariantly(formula) => (super::not(formula), false),
            _ => return None,
        };
        let groups = Groups::of(network)?;
        let goals = groups.split(network, &goal)?;
        Some(Parts {
            groups,
            goals,
            wanted,
        })
    }

    /// Searches the parts one by one, until one is not found.
    pub fn one_by_one(
        self,
        network: &Network,
        query: &Query,
        config: &Config,
        observe: &mut dyn FnMut(&Progress),
    ) -> Result<Report, Failure> {
        let grounds = declared::foresee(network, query, config, config.limits.timeout);
        let count = self.goals.len();
        let mut steps: Vec<Step> = Vec::new();
        let mut whole: Option<Report> = None;
        let start = Instant::now();
        // The limits are for all parts together.
        let mut limits = config.limits.clone();
        for (group, goal) in self.goals {
            let part = Query {
                kind: QueryKind::Possibly(goal),
                ..query.clone()
            };
            let before = whole.as_ref().map_or(0, |whole| whole.figures.explored);
            let ladder = Ladder::new(network, &part, config, &limits, false)?;
            let mut report = ladder.climb(observe, None).map_err(|mut fault| {
                if let Some(figures) = fault.figures_mut() {
                    figures.explored += before;
                }
                fault
            })?;
            let explored = report.figures.explored;
            limits.states = limits.states.map(|left| left.saturating_sub(explored));
            let left = |all: std::time::Duration| all.saturating_sub(start.elapsed());
            limits.timeout = config.limits.timeout.map(left);
            if let Some(mut before) = whole.take() {
                let sum = &mut report.figures;
                sum.explored += before.figures.explored;
                sum.stored += before.figures.stored;
                sum.transitions += before.figures.transitions;
                sum.discrete += before.figures.discrete;
                sum.time += before.figures.time;
                before.schedule.append(&mut report.schedule);
                report.schedule = before.schedule;
            }
            let run = report.trace.take();
            for step in run.iter().flat_map(|run| &run.steps) {
                // Others may have moved too; this group does not need them to.
                let own = |process: usize| self.groups.processes[process] == group;
                if step.edges.iter().all(|taken| own(taken.process.index())) {
                    let edges = step.edges.iter().map(|taken| (taken.process, taken.edge));
                    let transition = Transition {
                        edges: edges.collect(),
                    };
                    steps.push(Step {
                        delay: 0,
                        transition,
                    });
                }
            }
            let found = report.answer == Answer::Satisfied;
            whole = Some(report);
            if !found {
                break;
            }
        }
        let Some(mut report) = whole else {
            return Err(Failure::Internal("a goal without parts".into()));
        };
        report.or_else_remark(Some(Remark::IndependentParts(count)));
        if report.answer == Answer::Satisfied && config.trace != TraceKind::None {
            let trace = Trace {
                scale: 1,
                steps,
                last_delay: 0,
                ending: Ending::State,
            };
            let run = judge_trace(network, query, &trace);
            report.trace = Some(run.map_err(|rejection| {
                Failure::Internal(format!(
                    "runs of independent parts do not fit together: {rejection}"
                ))
            })?);
        }
        if let (Some(found), false) = (report.answer.holds(), self.wanted) {
            report.answer = Answer::of(!found);
        }
        Ok(declared::settle(query, grounds, report))
    }
}
