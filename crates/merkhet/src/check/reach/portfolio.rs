//! Several searches for one goal side by side, each with an abstraction of its own.
//!
//! Smaus and Hoffmann (section 5.4) propose it, since no way to choose predicates is good everywhere. Any search that
//! comes to an end decides, so that the verdict does not depend on which is first; explored states and trace do.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::time::{Duration, Instant};

use merkhet_explore::{self as search, Progress, Verdict};
use merkhet_heuristics::HeuristicSpec;
use merkhet_network::{Formula, Network};
use merkhet_semantics::System;

use super::{Outcome, prepare};
use crate::check::Task;
use crate::config::{Config, Limits};
use crate::failure::Failure;
use crate::report::Databases;

/// Polling interval for cancellation.
const PACE: Duration = Duration::from_millis(20);

/// What a search side by side with others says.
enum Message {
    Progress(Progress),
    Ended(usize, Result<Box<Ended>, NotEnded>),
}

/// Why a search has no result.
enum NotEnded {
    /// Its heuristic could not be prepared.
    Unprepared(Failure),
    /// It met a fault.
    Fault(Box<search::Failure>),
}

/// What came of one search.
struct Ended {
    outcome: search::Outcome,
    databases: Option<Databases>,
}

/// A search side by side with others.
struct Lane<'t> {
    network: &'t Network,
    goal: &'t Formula,
    system: &'t System,
    config: &'t Config,
    limits: &'t Limits,
    search: search::Config<'t>,
    start: Instant,
}

impl Lane<'_> {
    fn run(
        &self,
        spec: &HeuristicSpec,
        observe: &mut dyn FnMut(&Progress),
    ) -> Result<Box<Ended>, NotEnded> {
        let mut prepared = prepare(spec, self.network, self.goal, self.config, self.limits)
            .map_err(NotEnded::Unprepared)?;
        let mut search = self.search;
        search.limits.timeout =
            (search.limits.timeout).map(|limit| limit.saturating_sub(self.start.elapsed()));
        let mut guide = prepared.make(self.system, 0);
        let outcome = search::search(self.system, &search, guide.as_mut(), observe)
            .map_err(NotEnded::Fault)?;
        let databases = prepared.databases.take();
        Ok(Box::new(Ended { outcome, databases }))
    }
}

impl Task<'_> {
    /// Runs one search in each thread, with different abstractions; the first that decides ends the others.
    pub(super) fn run_portfolio(
        &mut self,
        system: &System,
        config: &search::Config<'_>,
        goal: &Formula,
        spec: &HeuristicSpec,
    ) -> Result<Outcome, Failure> {
        let threads = self.stage.threads;
        let enough = Arc::new(AtomicBool::new(false));
        let limits = Limits {
            cancel: Arc::clone(&enough),
            ..self.limits.clone()
        };
        let mut search = *config;
        search.limits.cancel = Some(&enough);
        search.limits.memory = search.limits.memory.map(|bytes| bytes / threads);
        let lane = Lane {
            network: self.network,
            goal,
            system,
            config: self.config,
            limits: &limits,
            search,
            start: Instant::now(),
        };
        let (sender, receiver) = mpsc::channel();
        let (lane, ended) = (&lane, &enough);
        let (number, result) = std::thread::scope(|scope| {
            for number in 0..threads {
                let sender = sender.clone();
                let spec = variation(spec, number);
                scope.spawn(move || report_to(&sender, number, lane, &spec));
            }
            drop(sender);
            self.first_decision(&receiver, ended)
        })?;
        let found = *result.map_err(|failure| match failure {
            NotEnded::Unprepared(failure) => failure,
            NotEnded::Fault(failure) => self.fault(system, &failure),
        })?;
        Ok(Outcome {
            verdict: found.outcome.verdict,
            statistics: found.outcome.statistics,
            stores: vec![found.outcome.store],
            databases: found.databases,
            walked: None,
            steps: 0,
            run: Some(format!(
                "search {} of {threads}, with {}",
                number + 1,
                variation(spec, number)
            )),
        })
    }

    /// The first search that decides. A fault is reported only if no search decides, and a limit only if none meets a
    /// fault: so the answer does not depend on which is faster.
    #[allow(clippy::type_complexity)] // one place
    fn first_decision(
        &mut self,
        receiver: &Receiver<Message>,
        enough: &AtomicBool,
    ) -> Result<(usize, Result<Box<Ended>, NotEnded>), Failure> {
        let mut best: Option<(u8, usize, Result<Box<Ended>, NotEnded>)> = None;
        loop {
            if self.limits.cancel.load(Ordering::Relaxed) {
                enough.store(true, Ordering::Relaxed);
            }
            match receiver.recv_timeout(PACE) {
                Ok(Message::Progress(progress)) => (self.observe)(&progress),
                Ok(Message::Ended(number, result)) => {
                    let rank = match &result {
                        Ok(ended) if !matches!(ended.outcome.verdict, Verdict::Unknown(_)) => 0,
                        Err(_) => 1,
                        Ok(_) => 2,
                    };
                    let decided = matches!(&best, Some((0, ..)));
                    let better =
                        (best.as_ref()).is_none_or(|(other, at, _)| (rank, number) < (*other, *at));
                    if better && !decided {
                        best = Some((rank, number, result));
                    }
                    if rank == 0 {
                        enough.store(true, Ordering::Relaxed);
                    }
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => break,
            }
        }
        let none = || Failure::Internal("no search came to an end".into());
        best.map(|(_, number, result)| (number, result))
            .ok_or_else(none)
    }
}

/// The heuristic of one of the searches.
fn variation(spec: &HeuristicSpec, number: usize) -> HeuristicSpec {
    spec.variation(number as u32)
        .unwrap_or_else(|| spec.clone())
}

/// Runs a search and reports what came of it; of the first one, also how far it is.
fn report_to(sender: &Sender<Message>, number: usize, lane: &Lane<'_>, spec: &HeuristicSpec) {
    let mut observe = |progress: &Progress| {
        if number == 0 {
            let _ = sender.send(Message::Progress(*progress));
        }
    };
    let result = lane.run(spec, &mut observe);
    let _ = sender.send(Message::Ended(number, result));
}
