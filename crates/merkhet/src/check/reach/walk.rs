//! Reachability by walks: nothing is stored, and what is not found may be there.

use std::time::Instant;

use merkhet_explore::{Beside, Progress, StopReason};
use merkhet_network::{Formula, Network, Query, QueryKind, Trace};
use merkhet_walks::{Depths, Lane, Model, Policy, Settings, Walker};

use crate::check::{evidence, not};
use crate::config::{Config, Limits, Phase, TraceKind};
use crate::failure::Failure;
use crate::memory::{for_states, peak_bytes, resident_bytes};
use crate::report::{Answer, Figures, Report};
use crate::search::{WalkKind, WalkSpec};
use crate::tuning;
use crate::why::{Remark, Why};

/// Steps between two looks at the limits: less than a millisecond on most models.
const STRIDE: u64 = 1 << 10;

/// Looks for a run to what the query asks for. The answer is unknown where none is found within the limits.
pub(in crate::check) fn check(
    network: &Network,
    query: &Query,
    config: &Config,
    limits: &Limits,
    spec: WalkSpec,
    observe: &mut dyn FnMut(&Progress),
) -> Result<Report, Failure> {
    let start = Instant::now();
    let (goal, wanted) = goal(query)?;
    let model = Model::new(network, Some(&goal))
        .map_err(|error| Failure::Undecidable(error.to_string()))?
        .tuned(&config.tuning);
    let settings = Settings {
        lanes: lanes(spec),
        depth: spec.depth.map(u64::from),
        seed: config.seed,
    };
    let unlimited = limits.states.is_none() && limits.timeout.is_none();
    let most = match limits.states {
        None if unlimited => config.tuning.count(&tuning::WALK_STEPS) as u64,
        states => states.unwrap_or(u64::MAX),
    };
    let mut walker = Walker::new(&model, settings).map_err(|fault| Failure::of(network, &fault))?;
    limits.phase.enter(Phase::Searching);
    let mut watch = Watch {
        limits,
        most,
        start,
        told: start,
        observe,
    };
    let outcome = loop {
        if let Some(reason) = watch.stop(&walker) {
            break Err(reason);
        }
        let left = most - walker.statistics().steps;
        if let Some(trace) = walker.advance(STRIDE.min(left)) {
            break Ok(trace);
        }
    };
    let statistics = walker.statistics();
    let mut report = Report::new(Answer::of(wanted), spec.to_string());
    match outcome {
        Ok(trace) => {
            limits.phase.enter(Phase::Evidence);
            let run = evidence::accepted(network, query, &trace)?;
            report.trace = (config.trace != TraceKind::None).then_some(run);
        }
        Err(StopReason::States) if unlimited => {
            report.answer = Answer::Unknown(Why::NothingWalked(statistics.steps));
        }
        Err(reason) => report.answer = Answer::Unknown(Why::Limit(reason)),
    }
    if let Some(fault) = walker.first_fault() {
        let fault = fault.describe(network);
        report.remarks.push(Remark::FaultOnTheWay(fault));
    }
    report.figures = Figures {
        explored: statistics.steps,
        transitions: statistics.steps,
        work: walker.work(),
        time: start.elapsed(),
        peak_memory: peak_bytes(),
        ..Figures::default()
    };
    Ok(report)
}

/// What is named is as published; what is not keeps looking near the start, and goes where the goal is nearer.
fn lanes(spec: WalkSpec) -> Vec<Lane> {
    let free = |policy, depths| Lane::Free { policy, depths };
    match spec.kind {
        Some(WalkKind::Free(policy)) => vec![free(policy, Depths::Doubling)],
        Some(WalkKind::Guided) => vec![Lane::Guided],
        None => vec![
            Lane::Guided,
            free(Policy::Ret, Depths::Doubling),
            free(Policy::Ret, Depths::Luby),
            free(Policy::Rlc, Depths::Doubling),
        ],
    }
}

/// Walks in turns with the automatic search.
pub(super) struct Companion<'m> {
    walker: Walker<'m>,
    found: Option<Trace>,
}

impl<'m> Companion<'m> {
    /// Walks through a model; `None` if its initial state cannot be evaluated, which is for the search to say.
    pub fn new(model: &'m Model, seed: u64) -> Option<Companion<'m>> {
        let settings = Settings {
            lanes: lanes(WalkSpec::default()),
            depth: None,
            seed,
        };
        let walker = Walker::new(model, settings).ok()?;
        Some(Companion {
            walker,
            found: None,
        })
    }

    /// The work, in steps, and the run to the goal, if there is one.
    pub fn finish(self) -> (u64, Option<Trace>) {
        (self.walker.work(), self.found)
    }
}

impl Beside for Companion<'_> {
    fn advance(&mut self, work: u64) -> bool {
        /// Steps between two looks at the account.
        const FEW: u64 = 64;
        let end = self.walker.cost().saturating_add(work);
        while self.found.is_none() && self.walker.cost() < end {
            self.found = self.walker.advance(FEW);
        }
        self.found.is_some()
    }

    fn work(&self) -> u64 {
        self.walker.cost()
    }

    fn progress(&self) -> u64 {
        self.walker.progress()
    }

    fn figures(&self) -> (u64, usize) {
        // Its steps are no states.
        (0, self.walker.bytes())
    }

    /// More than all the others: they store nothing, and find what lies deep in very large state spaces.
    fn weight(&self) -> u64 {
        4
    }

    fn is_over(&self) -> bool {
        false
    }
}

/// What is looked for, and whether finding it is good.
fn goal(query: &Query) -> Result<(Formula, bool), Failure> {
    match &query.kind {
        QueryKind::Possibly(goal) => Ok((goal.clone(), true)),
        QueryKind::Invariantly(formula) => Ok((not(formula), false)),
        _ => Err(Failure::NotPermitted(
            "walks look for a state: they are for E<> and A[] only".to_owned(),
        )),
    }
}

/// The limits, and whoever watches.
struct Watch<'a> {
    limits: &'a Limits,
    /// The steps after which they end.
    most: u64,
    start: Instant,
    told: Instant,
    observe: &'a mut dyn FnMut(&Progress),
}

impl Watch<'_> {
    /// Why the walks must end here, if they must.
    fn stop(&mut self, walker: &Walker<'_>) -> Option<StopReason> {
        /// Time between two reports, and between two looks at the memory.
        const PERIOD: std::time::Duration = std::time::Duration::from_millis(50);
        let limits = self.limits;
        let steps = walker.statistics().steps;
        if limits.cancel.load(std::sync::atomic::Ordering::Relaxed) {
            return Some(StopReason::Cancelled);
        }
        if steps >= self.most {
            return Some(StopReason::States);
        }
        let now = Instant::now();
        let elapsed = now - self.start;
        if limits.timeout.is_some_and(|limit| elapsed >= limit) {
            return Some(StopReason::Timeout);
        }
        if now - self.told < PERIOD {
            return None;
        }
        self.told = now;
        let memory = walker.bytes();
        (self.observe)(&Progress {
            explored: steps,
            memory: memory as u64,
            depth: walker.statistics().depth.min(u32::MAX.into()) as u32,
            elapsed,
            ..Progress::default()
        });
        let used = (limits.memory)
            .is_some_and(|limit| memory as u64 >= for_states(limit) || resident_bytes() >= limit);
        used.then_some(StopReason::Memory)
    }
}
