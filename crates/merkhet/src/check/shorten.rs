//! Making the run that shows an answer shorter.
//!
//! What is found first may be a hundred times as long as it needs to be: depth first and walks go where chance takes them.
//! The work that this may take is counted in steps, so that a run can be repeated: a tenth of what the search has taken
//! (`--trace some`), or as much as the limits leave (`--trace short`), until ten times the work of the last success has
//! brought nothing. Each run that comes out is judged; one that the judge refuses is not reported.

use std::sync::atomic::Ordering;
use std::time::Instant;

use merkhet_analysis::Demand;
use merkhet_explore::{Allowance, Statistics, concretise, nearby};
use merkhet_network::{Ending, Formula, Network, Query, QueryKind, Step, Trace, Transition};
use merkhet_replay::{Replayed, judge_trace};
use merkhet_semantics::{Extrapolation, GoalId, Options, System};
use merkhet_walks::{Model, Purse, Shortener, TAKEN};

use super::schedule::Ran;
use super::{Task, not};
use crate::config::{Config, Limits, Phase, TraceKind};
use crate::failure::Failure;
use crate::memory::resident_bytes;
use crate::report::Report;
use crate::tuning;

/// Transitions below which nothing is tried.
const FEWEST: usize = 2;

/// What came of shortening a run.
pub(super) struct Shortened {
    /// The shorter run, if there is one.
    pub run: Option<Box<Replayed>>,
    /// What was done, in words.
    pub words: String,
}

/// Whether there is a run to be made shorter: of a state, by transitions.
pub(super) fn is_worthwhile(report: &Report) -> bool {
    let longer = |run: &Replayed| run.ending == Ending::State && run.steps.len() >= FEWEST;
    !report.answer.is_unknown() && report.trace.as_ref().is_some_and(longer)
}

impl Task<'_> {
    /// Makes the run of what is known shorter.
    pub(super) fn shorten(&mut self, goal: &Formula) -> Result<Report, Failure> {
        let Some(known) = self.known else {
            return Err(Failure::Internal("there is no run to be shortened".into()));
        };
        let short = shortened(
            self.network,
            self.query,
            goal,
            self.config,
            self.limits,
            known,
        )?;
        let mut report = Report::new(known.answer.clone(), known.search.clone());
        report.trace = short.run.map(|run| *run);
        report.found_by = Some(short.words);
        Ok(report)
    }
}

/// Makes the run that walks have found shorter, and writes down that it did.
pub(super) fn after_walks(
    network: &Network,
    query: &Query,
    config: &Config,
    mut report: Report,
) -> Result<Report, Failure> {
    if config.trace != TraceKind::Short || !is_worthwhile(&report) {
        return Ok(report);
    }
    let goal = match &query.kind {
        QueryKind::Possibly(goal) => goal.clone(),
        QueryKind::Invariantly(formula) => not(formula),
        _ => return Ok(report),
    };
    let begun = Instant::now();
    let mut limits = config.limits.clone();
    limits.timeout = (limits.timeout).map(|limit| limit.saturating_sub(report.figures.time));
    let short = shortened(network, query, &goal, config, &limits, &report)?;
    if let Some(run) = short.run {
        report.trace = Some(*run);
    }
    report.schedule.push(Ran {
        stage: "shorten",
        engine: "shorter runs".into(),
        guide: "none".into(),
        threads: 1,
        budget: None,
        explored: 0,
        ended: short.words,
        time: begun.elapsed(),
    });
    Ok(report)
}

/// The work of a search, in steps of walks.
pub(super) fn work(network: &Network, statistics: &Statistics) -> u64 {
    statistics.generated.saturating_mul(weight(network)) / SUCCESSORS
}

/// What a successor costs, which goes with the square of the clocks.
fn weight(network: &Network) -> u64 {
    let rows = network.clocks.len() as u64 + 1;
    let cells = (network.processes.len() + network.state_cells.len()) as u64;
    (rows * rows + cells).div_ceil(ENTRIES)
}

/// Entries of a zone, and cells, that take as long as a successor without clocks.
const ENTRIES: u64 = 64;
/// Such successors that take as long as a step.
const SUCCESSORS: u64 = 3;

/// What may be spent.
struct Account<'a> {
    limits: &'a Limits,
    start: Instant,
    /// For the present turn, counted as purses are.
    turn: u64,
    spent: u64,
    /// Steps after which it is over if nothing has come of them, as a multiple of those at the last success.
    most: u64,
    patience: Option<u64>,
}

impl Account<'_> {
    fn stops(&self) -> bool {
        let limits = self.limits;
        limits.cancel.load(Ordering::Relaxed)
            || limits
                .timeout
                .is_some_and(|limit| self.start.elapsed() >= limit)
            || limits.memory.is_some_and(|limit| resident_bytes() >= limit)
    }

    /// What is left for a turn.
    fn left(&self) -> u64 {
        self.most.saturating_sub(self.spent).min(self.turn)
    }

    /// Lends a purse.
    fn spend<T>(&mut self, spend: impl FnOnce(&mut Purse<'_>) -> T) -> T {
        let before = self.left();
        let mut stopped = false;
        let account = &*self;
        let mut stop = || {
            stopped |= account.stops();
            stopped
        };
        let mut purse = Purse {
            left: before,
            stop: &mut stop,
        };
        let result = spend(&mut purse);
        let left = purse.left;
        self.spent += before - left;
        if stopped {
            self.most = self.spent;
        }
        result
    }

    /// A shorter run was found: more may be.
    fn succeed(&mut self) {
        if let Some(patience) = self.patience {
            self.most = self.most.max(self.spent.saturating_mul(patience));
        }
    }
}

/// Shortens a run within what the configuration permits after so much work.
fn shortened(
    network: &Network,
    query: &Query,
    goal: &Formula,
    config: &Config,
    limits: &Limits,
    known: &Report,
) -> Result<Shortened, Failure> {
    let Some(run) = &known.trace else {
        return Err(Failure::Internal("there is no run to be shortened".into()));
    };
    limits.phase.enter(Phase::Shortening);
    let count = |tunable| config.tuning.count(tunable) as u64;
    let length = run.steps.len();
    // What making a run concrete, judging and showing it takes goes with its length.
    let least =
        count(&tuning::SHORTEN_LEAST).max(length as u64 * count(&tuning::SHORTEN_TRANSITION));
    let always = config.trace == TraceKind::Short;
    let mut account = Account {
        limits,
        start: Instant::now(),
        turn: u64::MAX,
        spent: 0,
        most: TAKEN
            * match always {
                true => count(&tuning::SHORTEN_SHORT).max(least),
                false => least.max(known.figures.work / count(&tuning::SHORTEN_SHARE).max(1)),
            },
        patience: always.then(|| count(&tuning::SHORTEN_PATIENCE)),
    };
    let Some(trace) = plain(run) else {
        return Ok(Shortened {
            run: None,
            words: "its times are too large".into(),
        });
    };
    let mut search = Search {
        network,
        query,
        goal,
        config,
        best: None,
        trace,
        refused: None,
        complete: false,
        zones: true,
    };
    search.run(&mut account);
    if let Some(refusal) = &search.refused {
        // The run that was found stays; but nothing should ever be refused.
        if cfg!(debug_assertions) {
            return Err(Failure::Internal(format!(
                "the judge does not accept a shortened run: {refusal}"
            )));
        }
    }
    let proved = match search.complete {
        true => ", and there is no shorter run",
        false => "",
    };
    Ok(Shortened {
        words: format!(
            "{length} -> {} transitions in {} steps{proved}",
            search.length(),
            account.spent / TAKEN
        ),
        run: search.best,
    })
}

/// The ways of shortening, in turns.
struct Search<'a> {
    network: &'a Network,
    query: &'a Query,
    goal: &'a Formula,
    config: &'a Config,
    best: Option<Box<Replayed>>,
    trace: Trace,
    refused: Option<String>,
    /// No shorter run exists.
    complete: bool,
    /// Zones can be searched, and did not fail so far.
    zones: bool,
}

impl Search<'_> {
    /// Takes turns until nothing is left; each round without success gives the next one twice as much. Where no way goes, as
    /// with stopwatches whose run has moments that are none of the walks' ticks, it ends at once.
    fn run(&mut self, account: &mut Account<'_>) {
        account.turn = (account.most / ROUNDS).max(1);
        while account.left() > 0 && self.refused.is_none() && !self.complete {
            let (before, spent) = (self.length(), account.spent);
            self.leave_out(account);
            self.near(account);
            if self.length() == before && !self.complete {
                self.walk(account);
            }
            match self.length() < before {
                true => account.succeed(),
                false if account.spent == spent => break,
                false => account.turn = account.turn.saturating_mul(2),
            }
        }
    }

    fn length(&self) -> usize {
        self.trace.steps.len()
    }

    /// On concrete states: leaves out what is not needed.
    fn leave_out(&mut self, account: &mut Account<'_>) {
        self.concrete(account, |shortener, purse| {
            shortener.leave_out(purse);
        });
    }

    /// On concrete states: walks.
    fn walk(&mut self, account: &mut Account<'_>) {
        self.concrete(account, |shortener, purse| {
            shortener.walk_anew(purse);
        });
    }

    fn concrete(
        &mut self,
        account: &mut Account<'_>,
        shorten: impl FnOnce(&mut Shortener<'_>, &mut Purse<'_>),
    ) {
        if account.left() == 0 || self.refused.is_some() {
            return;
        }
        let Ok(model) = Model::with_ticks(self.network, Some(self.goal), self.trace.scale) else {
            return;
        };
        let seed = self.config.seed.wrapping_add(account.spent);
        let Some(mut shortener) = Shortener::new(&model, &self.trace, seed) else {
            return;
        };
        account.spend(|purse| shorten(&mut shortener, purse));
        if shortener.length() < self.length() {
            self.judge(shortener.trace());
        }
    }

    /// On zones: looks for shorter ways near the run.
    fn near(&mut self, account: &mut Account<'_>) {
        if !self.zones || account.left() == 0 || self.refused.is_some() {
            return;
        }
        let found = account.spend(|purse| self.nearby(purse));
        match found {
            Some(Some(trace)) => self.judge(trace),
            Some(None) => {}
            None => self.zones = false,
        }
    }

    /// A shorter run near the best one; `None` if zones say nothing about this network.
    fn nearby(&mut self, purse: &mut Purse<'_>) -> Option<Option<Trace>> {
        let formulas = [self.goal];
        let options = Options {
            extrapolation: self.config.extrapolation.unwrap_or(Extrapolation::LuPlus),
            demand: Demand {
                formulas: &formulas,
                ..Demand::default()
            },
            forget_dead: self.config.forgets_dead(),
            tuning: Some(&self.config.tuning),
            ..Options::default()
        };
        let rows = self.network.clocks.len() + 1;
        if rows * rows * size_of::<i32>() * self.length() > NEARBY_BYTES {
            return None;
        }
        let system = System::new(self.network, &options).ok()?;
        if system.over_approximate() {
            return None;
        }
        let weight = (weight(self.network) * TAKEN).div_ceil(SUCCESSORS);
        let known = (self.trace.steps.iter())
            .map(|step| {
                let edges = step.transition.edges.iter();
                edges
                    .map(|(process, edge)| system.edge_index(*process, *edge))
                    .collect()
            })
            .collect::<Vec<_>>();
        let mut allowance = Allowance {
            successors: purse.left / weight,
            bytes: NEARBY_BYTES,
            stop: &mut *purse.stop,
        };
        let found = nearby(&system, GoalId(0), &known, &mut allowance).ok()?;
        purse.left = purse.left.saturating_sub(found.successors * weight);
        self.complete = found.complete;
        let Some(shorter) = found.shorter else {
            return Some(None);
        };
        Some(Some(concretise(&system, &shorter).ok()?))
    }

    /// Takes a shorter run if the judge does.
    fn judge(&mut self, trace: Trace) {
        match judge_trace(self.network, self.query, &trace) {
            Ok(run) => {
                self.best = Some(Box::new(run));
                self.trace = trace;
            }
            Err(rejection) => self.refused = Some(rejection.to_string()),
        }
    }
}

/// The memory that states near a run may take.
const NEARBY_BYTES: usize = 1 << 27;
/// The part of what may be spent that the first turn gets.
const ROUNDS: u64 = 4;

/// A judged run as the judge takes it; `None` if its times are too large.
fn plain(run: &Replayed) -> Option<Trace> {
    let time = |time: i128| i64::try_from(time).ok();
    let steps = run.steps.iter().map(|step| {
        let edges = step.edges.iter().map(|taken| (taken.process, taken.edge));
        Some(Step {
            delay: time(step.delay)?,
            transition: Transition {
                edges: edges.collect(),
            },
        })
    });
    Some(Trace {
        scale: run.scale,
        steps: steps.collect::<Option<Vec<Step>>>()?,
        last_delay: time(run.last_delay)?,
        ending: run.ending,
    })
}
