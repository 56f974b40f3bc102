//! Making the run that shows an answer shorter.
//!
//! What is found first may be a hundred times as long as it needs to be: depth first and walks go where chance takes them.
//! The work that this may take is counted in steps, so that a run can be repeated: a tenth of what the search has taken
//! (`--trace some`), or as much as the limits leave (`--trace short`), until ten times the work of the last success has
//! brought nothing. Each run that comes out is judged; one that the judge refuses is not reported.

mod account;
mod search;

use std::time::Instant;

use merkhet_explore::Statistics;
use merkhet_network::{Ending, Formula, Network, Query, QueryKind, Step, Trace, Transition};
use merkhet_replay::Replayed;
use merkhet_walks::TAKEN;

use self::account::Account;
use self::search::Search;
use super::schedule::Ran;
use super::{Task, not};
use crate::config::{Config, Limits, Phase, TraceKind};
use crate::failure::Failure;
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
    let mut search = Search::new(network, query, goal, config, trace);
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
