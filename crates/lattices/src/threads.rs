//! Covering and joining with several threads, and joining with one of them beside.
//!
//! Each discrete state belongs to one thread, by a hash, as in the search of zones with several threads: that thread alone
//! compares, covers and joins the configurations with this discrete part, so that nothing is locked while elements are
//! compared, and what is covered or joined is the same as with one thread but for the order in which configurations come.
//! What another thread owns is sent to it in batches.
//!
//! At the end the configurations of all threads are put together, and what a goal means that joins have reached is decided
//! as with one thread. Refinement takes configurations back with all that was derived from them, which several threads
//! would have to stop for; so it has one thread of its own, and the others cover meanwhile.

mod batch;
mod shared;
mod worker;

use std::sync::atomic::Ordering;
use std::time::Duration;

use merkhet_explore::{
    Heuristic, Limits, MakeHeuristic, Progress, StateId, Statistics, StopReason, Strategy, Watch,
};
use merkhet_network::Network;
use merkhet_semantics::{Fault, System};

use crate::refine::Next;
use crate::run::{Configurations, Failure, Options, Outcome, Run, Verdict};
use crate::store::Store;
use crate::update::Update;
use shared::{Ending, Shared};
use worker::Work;

/// More threads are not begun.
const MOST_THREADS: usize = 1024;

/// The stack of a thread, in bytes.
const STACK: usize = 16 << 20;

/// A configuration of some thread: while several threads work, stores keep these as parents.
#[derive(Clone, Copy, Debug)]
pub(crate) struct GlobalId(pub u32);

impl GlobalId {
    pub fn new(thread: usize, id: StateId, threads: usize) -> GlobalId {
        GlobalId(id.0 * threads as u32 + thread as u32)
    }

    /// Its thread, and its number there.
    pub fn parts(self, threads: usize) -> (usize, u32) {
        let threads = threads as u32;
        ((self.0 % threads) as usize, self.0 / threads)
    }

    /// A thread may store fewer configurations than this.
    pub fn most(threads: usize) -> usize {
        (u32::MAX as usize / threads) / 2
    }
}

/// What a thread leaves behind.
pub(crate) struct Share {
    store: Store,
    statistics: Statistics,
    joins: u64,
    pairs: u64,
    unsafe_pruning: bool,
}

/// Explores a network with lattice variables with several threads: by the update of the options, or with `Cegar` by
/// refinement in one thread while the others cover. `make` makes the heuristic of one thread.
pub fn explore_with_threads(
    network: &Network,
    system: &System,
    options: &Options<'_>,
    threads: usize,
    make: &MakeHeuristic<'_>,
    observe: &mut dyn FnMut(&Progress),
) -> Result<(Update, Outcome), Box<Failure>> {
    let refines = options.update == Update::Cegar;
    let workers = threads
        .clamp(1, MOST_THREADS)
        .saturating_sub(usize::from(refines))
        .max(1);
    let divided = match refines {
        true => Options {
            update: Update::Cover,
            strategy: Strategy::BreadthFirst,
            ..*options
        },
        false => *options,
    };
    let watch = Watch::new(options.limits);
    let shared = Shared::new(workers, options.limits.states);
    let (shares, refined) = std::thread::scope(|scope| {
        let shared = &shared;
        let spawn = |work: Box<dyn FnOnce() -> Option<Share> + Send>| {
            let thread = std::thread::Builder::new().stack_size(STACK);
            let worker = thread.spawn_scoped(scope, work);
            // The system has no room for it.
            (worker.map_err(|_| shared.stop(StopReason::Memory))).ok()
        };
        let workers: Vec<_> = (0..workers)
            .map(|number| {
                let work = Work {
                    network,
                    system,
                    options: divided,
                    shared,
                    number,
                };
                // Without company nothing but covering is guided.
                spawn(Box::new(move || {
                    let mut blind = merkhet_explore::Blind;
                    let mut guide = (!refines).then(make);
                    let guide: &mut dyn Heuristic = match &mut guide {
                        Some(guide) => guide.as_mut(),
                        None => &mut blind,
                    };
                    Some(work.run(guide))
                }))
            })
            .collect();
        let refining = refines.then(|| {
            let thread = std::thread::Builder::new().stack_size(STACK);
            thread.spawn_scoped(scope, move || {
                let mut guide = make();
                refine(network, system, options, shared, guide.as_mut())
            })
        });
        until_the_end(shared, &watch, observe);
        let refined = match refining {
            Some(Ok(thread)) => {
                (thread.join()).unwrap_or_else(|panic| std::panic::resume_unwind(panic))
            }
            _ => None,
        };
        let shares = workers.into_iter().flatten().map(|thread| thread.join());
        let shares: Vec<Share> = shares
            .filter_map(|share| share.unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
            .collect();
        (shares, refined)
    });
    conclude(network, system, &divided, &shared, shares, refined, &watch)
}

/// What came of refinement beside covering.
type Refined = (Result<Verdict, Box<Failure>>, Outcome);

/// Joins and refines, until it or somebody else has an answer.
fn refine(
    network: &Network,
    system: &System,
    options: &Options<'_>,
    shared: &Shared,
    heuristic: &mut dyn Heuristic,
) -> Option<Refined> {
    let alone = Options {
        limits: Limits {
            cancel: Some(&shared.alone_ended),
            ..Limits::default()
        },
        ..*options
    };
    let _guard = shared.guard();
    let mut run = Run::new(network, system, &alone, heuristic);
    let verdict = loop {
        let Some(budget) = shared.allowance() else {
            break Ok(None);
        };
        let before = run.explored();
        let verdict = run.advance(merkhet_explore::Budget::expansions(budget), &mut |_| {});
        shared.give_back(budget.saturating_sub(run.explored() - before));
        let bytes = run.seen().store.bytes();
        shared.alone_bytes.store(bytes, Ordering::Relaxed);
        match verdict {
            Ok(None) => {}
            Ok(Some(Verdict::Unknown(_))) => break Ok(None),
            decided => break decided,
        }
        if shared.alone_ended.load(Ordering::Relaxed) {
            break Ok(None);
        }
    };
    let decided = match verdict {
        Ok(None) => Ok(Verdict::Unknown(StopReason::Cancelled)),
        Ok(Some(verdict)) => Ok(verdict),
        Err(failure) => Err(failure),
    };
    let undecided = matches!(decided, Ok(Verdict::Unknown(_)));
    if !undecided {
        shared.ends_alone();
    }
    let mut outcome = run.outcome(Verdict::Unknown(StopReason::Cancelled));
    if undecided {
        outcome.store.release();
        shared.alone_bytes.store(0, Ordering::Relaxed);
    }
    Some((decided, outcome))
}

/// Looks at the limits now and then.
fn until_the_end(shared: &Shared, watch: &Watch<'_>, observe: &mut dyn FnMut(&Progress)) {
    const INTERVAL: Duration = Duration::from_millis(5);
    /// Intervals between two reports to the caller.
    const OBSERVE: u32 = 10;
    let mut looks = 0u32;
    while !shared.ended() {
        std::thread::park_timeout(INTERVAL);
        if shared.ended() {
            return;
        }
        match watch.look(|| shared.bytes()) {
            // Where there is no room for both, covering is the one that cannot lead astray.
            Some(StopReason::Memory) if shared.leave_alone() => {}
            Some(reason) => return shared.stop(reason),
            None => {}
        }
        looks += 1;
        if looks.is_multiple_of(OBSERVE) {
            observe(&shared.progress(watch.elapsed()));
        }
    }
}

/// Puts the shares together, and decides what was found.
fn conclude(
    network: &Network,
    system: &System,
    options: &Options<'_>,
    shared: &Shared,
    shares: Vec<Share>,
    refined: Option<Refined>,
    watch: &Watch<'_>,
) -> Result<(Update, Outcome), Box<Failure>> {
    let ending = shared.ending();
    let mut statistics = Statistics::default();
    for share in &shares {
        statistics.add(&share.statistics);
    }
    let joins: u64 = shares.iter().map(|share| share.joins).sum();
    let pairs: u64 = shares.iter().map(|share| share.pairs).sum();
    let unsafe_pruning = shares.iter().any(|share| share.unsafe_pruning);
    statistics.elapsed = watch.elapsed();
    if let Some((Ok(Verdict::Unknown(_)), other)) = &refined {
        statistics.explored += other.statistics.explored;
        statistics.generated += other.statistics.generated;
        statistics.memory += other.statistics.memory;
    }
    let (others, splits) = match &refined {
        Some((_, other)) => (
            (other.joins, other.refinements, other.tests),
            other.splits.clone(),
        ),
        None => ((0, 0, 0), Vec::new()),
    };
    if let Some((verdict, mut outcome)) = refined
        && !matches!(verdict, Ok(Verdict::Unknown(_)))
    {
        outcome.verdict = verdict?;
        outcome.statistics.explored += statistics.explored;
        outcome.statistics.generated += statistics.generated;
        outcome.statistics.memory += statistics.memory;
        // Joining without a join is covering.
        let update = match outcome.joins {
            0 => Update::Cover,
            _ => Update::Cegar,
        };
        return Ok((update, outcome));
    }
    let stores = shares.into_iter().map(|share| share.store).collect();
    let cancellation = watch.cancellation();
    let mut seen = Configurations::new(network, system, options, cancellation);
    let (store, offsets) = Store::merged(system, &seen.orders, stores);
    let id = |global: GlobalId| {
        let (thread, number) = global.parts(offsets.len());
        StateId(offsets[thread] + number)
    };
    seen.store = store;
    seen.joins = joins;
    let verdict = match ending {
        Ending::Broken(broken) => return Err(Box::new(Failure::Broken(broken))),
        Ending::Found(found) => verdict(seen.judge(id(found))?),
        Ending::Fault(fault, at) => verdict(judged_fault(&mut seen, at.map(id), fault)?),
        Ending::Limit(reason) => Verdict::Unknown(reason),
        Ending::Exhausted if unsafe_pruning => Verdict::Unknown(StopReason::Incomplete),
        Ending::Exhausted => Verdict::Unreachable,
    };
    let outcome = Outcome {
        verdict,
        statistics,
        joins: joins + others.0,
        refinements: others.1,
        splits: seen.refinement.splits.into_iter().chain(splits).collect(),
        pairs,
        tests: others.2,
        store: seen.store,
    };
    Ok((options.update, outcome))
}

fn judged_fault(
    seen: &mut Configurations<'_>,
    at: Option<StateId>,
    fault: Fault,
) -> Result<Next, Box<Failure>> {
    seen.expanding = at;
    seen.judge_fault(at, fault)
}

/// Updates that take nothing back always come to a verdict.
fn verdict(next: Next) -> Verdict {
    match next {
        Next::Verdict(verdict) => verdict,
        Next::Anew | Next::Again(_) => Verdict::Unknown(StopReason::Incomplete),
    }
}
