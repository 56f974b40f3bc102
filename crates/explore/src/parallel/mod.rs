//! The search with several threads.
//!
//! Each discrete state belongs to one thread, by a hash: that thread alone stores, compares and expands the states
//! with this discrete part. So every thread has a store and an open list of its own, the same as those of the search
//! with one thread, and nothing is locked while states are compared and expanded. A successor that belongs to another
//! thread is sent to it, in batches; a mailbox is locked only while a batch is put in or all are taken out.
//!
//! Handing states to each other is of no use while few of them wait: until then one thread works alone. What it has seen tells
//! how to divide states so that few travel, and is handed over.
//!
//! The order of expansion, and with it the number of states and the trace, differs from run to run; the verdict does
//! not. A search for a goal goes on after a failed evaluation until the goal is found or everything else has been seen.

mod batch;
mod cuts;
mod handed;
mod links;
mod owner;
mod remote;
mod shared;
mod worker;

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use merkhet_semantics::{EdgeIndex, Explorer, System};

use crate::heuristic::Heuristic;
use crate::limits::{Progress, Watch};
use crate::search::frontier::{Frontier, antichains};
use crate::search::{Budget, Config, Failure, Search, Status, Width};
use crate::statistics::Statistics;
use crate::store::{Inclusion, Store};
use crate::strategy::Strategy;
use crate::trace::SymbolicTrace;
use crate::tuning::{SPINS, THREADS_ENOUGH, THREADS_HANDED, THREADS_WASTE};
use crate::unfold::unfold;
use crate::verdict::{Completeness, StopReason, Verdict};
use cuts::SAMPLE;
use handed::Handed;
use links::{GlobalId, Links};
use owner::Owners;
pub use remote::{
    ClusterFailure, ClusterOutcome, Exchange, Lost, MOST_PROCESSES, PartKeeper,
    Share as ProcessShare, search_in_cluster,
};
use shared::{Padded, Shared};
use worker::{Begin, Worker};

/// The stack of a thread, in bytes.
const STACK: usize = 16 << 20;

/// Makes the heuristic of one thread.
pub type MakeHeuristic<'a> = dyn Fn() -> Box<dyn Heuristic> + Sync + 'a;

/// The result of a search with several threads.
pub struct ParallelOutcome {
    /// What was found.
    pub verdict: Verdict,
    /// What it took, all threads together.
    pub statistics: Statistics,
    /// The states seen, by thread.
    pub stores: Vec<Store>,
    /// The number of states that each thread expanded.
    pub shares: Vec<u64>,
}

/// As [`search_in_parallel`], but with one thread as long as fewer states wait than several could share: they would hand
/// each other every single one. When there are enough, all threads go on from there.
pub fn search_with_threads(
    system: &System,
    config: &Config<'_>,
    threads: usize,
    make: &MakeHeuristic<'_>,
    observe: &mut dyn FnMut(&Progress),
) -> Result<ParallelOutcome, Box<Failure>> {
    // Least time has an order of its own, which several threads do not keep.
    let alone = Config {
        strategy: single(config.strategy),
        ..*config
    };
    let width = Width {
        waiting: config.count(&THREADS_ENOUGH) as usize * threads,
        expanded_per_waiting: config.count(&THREADS_WASTE),
        seen: SAMPLE as u64,
    };
    let watch = Watch::new(config.limits);
    let mut guide = make();
    let mut search = Search::new(system, &alone, guide.as_mut());
    let begun = match search.advance(Budget::until_wide(width), observe) {
        Status::BudgetSpent if config.bitstate.is_none() => Some(search.frontier.unfinished()),
        // It begins again: there the others go on after a fault, until the goal is found.
        Status::BudgetSpent | Status::Fault => None,
        Status::Found | Status::Exhausted | Status::Limit(_) | Status::Refused => {
            let outcome = search.outcome()?;
            return Ok(ParallelOutcome {
                verdict: outcome.verdict,
                shares: vec![outcome.statistics.explored],
                statistics: outcome.statistics,
                stores: vec![outcome.store],
            });
        }
    };
    let threads = threads.clamp(1, MOST_THREADS);
    let config = &together(config, begun.as_ref().map(|begun| &begun.store));
    let owners = Owners::new(
        system,
        config,
        threads,
        begun.as_ref().map(|begun| &begun.store),
    );
    let most = config.count(&THREADS_HANDED) as usize;
    let few = begun.filter(|begun| begun.store.len() <= most);
    let handed = few.and_then(|begun| Handed::new(begun, &owners, threads));
    go_on(system, config, owners, handed, &watch, make, observe)
}

/// More threads are not begun.
const MOST_THREADS: usize = 1024;

/// The strategy of each thread.
fn single(strategy: Strategy) -> Strategy {
    match strategy {
        Strategy::LeastTime(_) => Strategy::BreadthFirst,
        strategy => strategy,
    }
}

/// Zones travel with their signatures, which all threads have to make in one way: as one of them did at last that was alone.
fn together<'c>(config: &Config<'c>, begun: Option<&Store>) -> Config<'c> {
    let inclusion = match config.inclusion {
        Inclusion::Adaptive if begun.is_none_or(Store::by_simulation) => Inclusion::Alu,
        Inclusion::Adaptive => Inclusion::Zone,
        inclusion => inclusion,
    };
    Config {
        inclusion,
        ..*config
    }
}

/// Searches a system with several threads. `observe` is called now and then, by the calling thread.
///
/// [`Strategy::AStar`] with an admissible heuristic finds a shortest trace, as with one thread; [`Strategy::LeastTime`] is
/// breadth first here.
pub fn search_in_parallel(
    system: &System,
    config: &Config<'_>,
    threads: usize,
    make: &MakeHeuristic<'_>,
    observe: &mut dyn FnMut(&Progress),
) -> Result<ParallelOutcome, Box<Failure>> {
    let threads = threads.clamp(1, MOST_THREADS);
    let watch = Watch::new(config.limits);
    let config = &together(config, None);
    let owners = Owners::new(system, config, threads, None);
    go_on(system, config, owners, None, &watch, make, observe)
}

/// Searches with as many threads as own states, from the beginning or from what is handed to them.
fn go_on(
    system: &System,
    config: &Config<'_>,
    owners: Owners,
    handed: Option<Handed>,
    watch: &Watch<'_>,
    make: &MakeHeuristic<'_>,
    observe: &mut dyn FnMut(&Progress),
) -> Result<ParallelOutcome, Box<Failure>> {
    let threads = owners.count();
    let expanded = (handed.as_ref()).map_or(0, |handed| handed.statistics().explored);
    let shared = Shared::new(owners, expanded, config.count(&SPINS));
    let handed = handed.map(Arc::new);
    let shares: Vec<Share> = std::thread::scope(|scope| {
        let mut workers = Vec::with_capacity(threads);
        for number in 0..threads {
            let shared = &shared;
            let thread = std::thread::Builder::new().stack_size(STACK);
            let handed = handed.clone();
            let work = move || work(system, config, number, shared, handed, make);
            match thread.spawn_scoped(scope, work) {
                Ok(worker) => workers.push(worker),
                // The system has no room for it.
                Err(_) => shared.stop(StopReason::Memory),
            }
        }
        // The last one to take its share drops it.
        drop(handed);
        observe_until_the_end(&shared, watch, observe);
        let joined = workers.into_iter().map(|worker| worker.join());
        joined
            .map(|share| share.unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
            .collect()
    });
    conclude(system, config, shared, shares, watch)
}

/// What a thread leaves behind.
struct Share {
    store: Store,
    /// By state, the thread that owns its parent.
    origins: Vec<u16>,
    statistics: Statistics,
    unsafe_pruning: bool,
}

/// The life of one thread.
fn work(
    system: &System,
    config: &Config<'_>,
    number: usize,
    shared: &Shared,
    handed: Option<Arc<Handed>>,
    make: &MakeHeuristic<'_>,
) -> Share {
    /// Ends the others if this thread panics, so that its panic comes to light.
    struct Guard<'a>(&'a Shared);
    impl Drop for Guard<'_> {
        fn drop(&mut self) {
            if std::thread::panicking() {
                self.0.end();
            }
        }
    }
    let _guard = Guard(shared);
    let mut heuristic = make();
    let threads = shared.threads();
    let own = Config {
        strategy: single(config.strategy),
        seed: config.seed.wrapping_add(number as u64),
        // All tables together are as large as the one that was asked for.
        bitstate: config
            .bitstate
            .map(|bits| bits.saturating_sub(threads.next_power_of_two().ilog2())),
        ..*config
    };
    let tester = Explorer::new(system).cancelled_by(shared.cancellation());
    let frontier = Frontier::new(tester, antichains(system, &own), &own, heuristic.as_mut());
    let mut worker = Worker::new(system, &own, frontier, shared, number);
    let begin = match handed {
        Some(handed) => {
            worker.origins = handed.take_over(system, &mut worker.frontier, number);
            Begin::Filled
        }
        None if number == 0 => Begin::First,
        None => Begin::Empty,
    };
    worker.run(begin);
    let Worker {
        mut frontier,
        origins,
        ..
    } = worker;
    Share {
        origins,
        statistics: frontier.finish(),
        store: frontier.store,
        unsafe_pruning: frontier.unsafe_pruning,
    }
}

/// Looks at the limits now and then.
fn observe_until_the_end(shared: &Shared, watch: &Watch<'_>, observe: &mut dyn FnMut(&Progress)) {
    const INTERVAL: Duration = Duration::from_millis(5);
    /// Intervals between two reports to the caller.
    const OBSERVE: u32 = 10;
    let mut looks = 0;
    while !shared.ended() {
        std::thread::park_timeout(INTERVAL);
        if shared.ended() {
            return;
        }
        if let Some(reason) = watch.look(|| shared.bytes()) {
            return shared.stop(reason);
        }
        looks += 1;
        if looks % OBSERVE == 0 {
            observe(&progress(shared, watch));
        }
    }
}

fn progress(shared: &Shared, watch: &Watch<'_>) -> Progress {
    let mut sum = Progress {
        memory: shared.bytes() as u64,
        elapsed: watch.start.elapsed(),
        ..Progress::default()
    };
    for Padded(counts) in &shared.counts {
        let relaxed = Ordering::Relaxed;
        sum.explored += counts.explored.load(relaxed);
        sum.stored += counts.stored.load(relaxed);
        sum.waiting += counts.waiting.load(relaxed);
        sum.depth = sum.depth.max(counts.depth.load(relaxed));
        let best = counts.best_estimate.load(relaxed).checked_sub(1);
        let best = best.map(|best| best as u32);
        sum.best_estimate = [sum.best_estimate, best].into_iter().flatten().min();
    }
    sum
}

/// Puts the shares together.
fn conclude(
    system: &System,
    config: &Config<'_>,
    shared: Shared,
    shares: Vec<Share>,
    watch: &Watch<'_>,
) -> Result<ParallelOutcome, Box<Failure>> {
    let ending = shared.ending();
    let mut statistics = Statistics::default();
    for share in &shares {
        statistics.add(&share.statistics);
    }
    statistics.elapsed = watch.start.elapsed();
    let unsafe_pruning = shares.iter().any(|share| share.unsafe_pruning);
    let way = |at| path(&shares, at);
    let verdict = if let Some(found) = ending.found {
        let path = SymbolicTrace {
            transitions: way(Some(found)),
            goal: config.goal,
        };
        Verdict::Reachable(unfold(system, path))
    } else if let Some((fault, _, at)) = ending.fault {
        let path = SymbolicTrace {
            transitions: way(at),
            goal: None,
        };
        return Err(Box::new(Failure {
            fault,
            trace: unfold(system, path),
            statistics,
        }));
    } else if let Some(reason) = ending.reason {
        Verdict::Unknown(reason)
    } else if unsafe_pruning {
        Verdict::Unknown(StopReason::Incomplete)
    } else {
        Verdict::Unreachable(Completeness::exhausted(statistics.explored))
    };
    let (stores, shares) = (shares.into_iter())
        .map(|share| (share.store, share.statistics.explored))
        .unzip();
    Ok(ParallelOutcome {
        verdict,
        statistics,
        stores,
        shares,
    })
}

/// The transitions by which a state was found.
fn path(shares: &[Share], state: Option<GlobalId>) -> Vec<Vec<EdgeIndex>> {
    let mut transitions = Vec::new();
    let mut at = state;
    while let Some(GlobalId { owner, id }) = at {
        let share = &shares[usize::from(owner)];
        at = share.store.parent(id).map(|(parent, edges)| {
            transitions.push(edges);
            GlobalId::new(share.origins[id.0 as usize].into(), parent)
        });
    }
    transitions.reverse();
    transitions
}
