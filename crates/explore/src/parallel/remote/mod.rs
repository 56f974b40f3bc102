//! The search with several processes: the one of threads, whose owners send each other bytes ([`exchange::Exchange`]).
//!
//! Before the others come in, every process does the same: the search with one thread, until enough states wait. All have seen
//! the same then, so that each takes its share of it without any state being sent. They compare digests first, and begin
//! with nothing if one differs: preparing a heuristic may depend on time.
//!
//! A search with a limit of its own ends where one process tells the first one, which tells all. *Exhausted* is what the exchange
//! says when no process is at work and no packet is on its way; that, and that no process has left anything out, makes a proof.

mod exchange;
mod kept;
mod link;
mod wire;
mod words;

use merkhet_semantics::{EdgeIndex, Explorer, System};

pub use exchange::{Exchange, Lost, Share};
pub use kept::Keeper as PartKeeper;
use link::Link;
use words::{Ended, Word};

use super::cuts::SAMPLE;
use super::handed::Handed;
use super::links::{GlobalId, Links};
use super::owner::Owners;
use super::worker::{Begin, Worker};
use super::{MakeHeuristic, single, together};
use crate::limits::{Progress, Watch};
use crate::search::frontier::{Frontier, antichains};
use crate::search::{Budget, Config, Failure, Search, Status, Width};
use crate::statistics::Statistics;
use crate::store::{StateId, Store};
use crate::trace::SymbolicTrace;
use crate::tuning::{CLUSTER_WINDOW, THREADS_ENOUGH, THREADS_HANDED, THREADS_WASTE};
use crate::unfold::unfold;
use crate::verdict::{Completeness, StopReason, Verdict};

/// More processes do not take part in one search.
pub const MOST_PROCESSES: usize = 1024;

/// The result of a search with several processes, as one of them sees it.
pub struct ClusterOutcome {
    /// What was found, in the process that reports.
    pub verdict: Option<Verdict>,
    /// Whether everything was seen, which all processes know.
    pub exhausted: bool,
    /// What it took: in the process that reports that of all, in others their own.
    pub statistics: Statistics,
    /// By process, in the one that reports.
    pub shares: Vec<Share>,
    /// The states that this process has seen.
    pub store: Option<Store>,
}

/// Why a search with several processes has no result.
pub enum ClusterFailure {
    /// The model goes wrong; in the process that reports, with the run to where it does.
    Fault(Option<Box<Failure>>),
    /// A process cannot be reached any more.
    Lost(Lost),
    /// What was written down cannot be read.
    Unreadable(std::io::Error),
}

impl From<Lost> for ClusterFailure {
    fn from(lost: Lost) -> ClusterFailure {
        ClusterFailure::Lost(lost)
    }
}

/// Searches a system together with other processes that do the same. `search` is the number of this search, which grows from one
/// to the next; `observe` is called now and then in the process that reports.
pub fn search_in_cluster(
    system: &System,
    config: &Config<'_>,
    make: &MakeHeuristic<'_>,
    exchange: &mut dyn Exchange,
    mut keeper: Option<&mut dyn PartKeeper>,
    search: u64,
    observe: &mut dyn FnMut(&Progress),
) -> Result<ClusterOutcome, ClusterFailure> {
    let (number, count) = (exchange.number(), exchange.processes());
    let config = &together(config, None);
    let own = Config {
        strategy: single(config.strategy),
        ..*config
    };
    let watch = Watch::new(config.limits);
    let resumed = match keeper.as_deref_mut() {
        Some(keeper) => kept::Resumed::of(count, keeper)?,
        None => None,
    };
    let alone = match resumed {
        Some(_) => Alone::default(),
        None => Alone::search(system, &own, count, make, &watch, observe),
    };
    let owners = match &resumed {
        Some(resumed) => resumed.owners(system, &own, count),
        None => Owners::new(
            system,
            &own,
            count,
            alone.begun.as_ref().map(|begun| &begun.store),
        ),
    };
    exchange.begin();
    let keeper: Option<&mut dyn PartKeeper> = match &mut keeper {
        Some(keeper) => Some(&mut **keeper),
        None => None,
    };
    let numbers = (search, config.count(&CLUSTER_WINDOW));
    let mut link = Link::new(exchange, observe, keeper, watch, owners, numbers);
    let agreed = resumed.is_some() || agree(&link, alone.digest(&link.owners))?;
    if let (true, Some(outcome)) = (agreed, alone.decided) {
        link.drain();
        return Ok(outcome_alone(outcome, &link, number)?);
    }
    let mut handed = None;
    if agreed && let Some(begun) = alone.begun {
        let most = config.count(&THREADS_HANDED) as usize;
        let few = (begun.store.len() <= most).then_some(begun);
        handed = few.and_then(|begun| Handed::new(begun, &link.owners, count));
    } else if resumed.is_none() {
        link.owners = Owners::new(system, &own, count, None);
    }
    let mut heuristic = make();
    let own = Config {
        seed: own.seed.wrapping_add(number as u64),
        ..own
    };
    let tester = Explorer::new(system).cancelled_by(link.cancellation());
    let frontier = Frontier::new(tester, antichains(system, &own), &own, heuristic.as_mut());
    let mut worker = Worker::new(system, &own, frontier, &link, number);
    let begin = match (handed, resumed) {
        (Some(handed), _) => {
            worker.origins = handed.take_over(system, &mut worker.frontier, number);
            Begin::Filled
        }
        (None, Some(resumed)) => {
            worker.origins =
                resumed.take_over(system, &link.owners, &mut worker.frontier, number)?;
            Begin::Filled
        }
        (None, None) if number == 0 => Begin::First,
        (None, None) => Begin::Empty,
    };
    worker.run(begin);
    let Worker {
        mut frontier,
        origins,
        ..
    } = worker;
    let statistics = frontier.finish();
    let pruned = frontier.unsafe_pruning;
    let store = std::mem::replace(&mut frontier.store, antichains(system, &own));
    drop(frontier);
    link.drain();
    if let Some(lost) = link.lost.borrow().clone() {
        return Err(lost.into());
    }
    let mine = Mine {
        store,
        origins,
        statistics,
        pruned,
    };
    match number {
        0 => conclude(system, config, &link, mine),
        _ => Ok(serve(&link, mine)?),
    }
}

/// What this process has.
struct Mine {
    store: Store,
    origins: Vec<u16>,
    statistics: Statistics,
    pruned: bool,
}

impl Mine {
    /// The way to a state, as far back as it lies here.
    fn way(&self, number: usize, mut at: StateId) -> (Vec<Vec<EdgeIndex>>, Option<GlobalId>) {
        let mut transitions = Vec::new();
        loop {
            let Some((parent, edges)) = self.store.parent(at) else {
                return (transitions, None);
            };
            transitions.push(edges);
            let owner = self.origins[at.0 as usize];
            if usize::from(owner) != number {
                return (transitions, Some(GlobalId { owner, id: parent }));
            }
            at = parent;
        }
    }
}

/// The part that every process does alone.
#[derive(Default)]
struct Alone {
    begun: Option<crate::search::frontier::Unfinished>,
    decided: Option<crate::search::Outcome>,
}

impl Alone {
    fn search(
        system: &System,
        config: &Config<'_>,
        count: usize,
        make: &MakeHeuristic<'_>,
        watch: &Watch<'_>,
        observe: &mut dyn FnMut(&Progress),
    ) -> Alone {
        let width = Width {
            waiting: config.count(&THREADS_ENOUGH) as usize * count,
            expanded_per_waiting: config.count(&THREADS_WASTE),
            seen: SAMPLE as u64,
        };
        let mut guide = make();
        let alone = Config {
            limits: watch.rest(0),
            ..*config
        };
        let mut search = Search::new(system, &alone, guide.as_mut());
        match search.advance(Budget::until_wide(width), observe) {
            Status::BudgetSpent => Alone {
                begun: Some(search.frontier.unfinished()),
                decided: None,
            },
            Status::Found | Status::Exhausted => Alone {
                begun: None,
                decided: search.outcome().ok(),
            },
            // Limits are for all, and after a fault the others go on.
            Status::Fault | Status::Limit(_) | Status::Refused => Alone::default(),
        }
    }

    /// What must be the same everywhere for it to be used; 0 where there is nothing.
    fn digest(&self, owners: &Owners) -> u64 {
        let mut digest = Digest::default();
        let (store, kind) = match (&self.begun, &self.decided) {
            (Some(begun), _) => (&begun.store, 1),
            (_, Some(outcome)) => (&outcome.store, 2),
            _ => return 0,
        };
        digest.add(kind);
        digest.add(store.len() as u64);
        owners.words().iter().for_each(|word| digest.add(*word));
        for id in (0..store.len() as u32).map(StateId) {
            store.key(id).iter().for_each(|word| digest.add(*word));
            digest.add(u64::from(store.is_removed(id)));
        }
        if let Some(begun) = &self.begun {
            for ((first, second), state) in begun.open.entries() {
                let numbers = [first, second.into(), state.0.into()];
                numbers.iter().for_each(|number| digest.add(*number));
            }
        }
        digest.0.max(1)
    }
}

struct Digest(u64);

impl Default for Digest {
    fn default() -> Digest {
        Digest(0xcbf2_9ce4_8422_2325)
    }
}

impl Digest {
    fn add(&mut self, number: u64) {
        self.0 = (self.0 ^ number).wrapping_mul(0x0000_0100_0000_01b3);
        self.0 ^= self.0 >> 29;
    }
}

/// Whether all processes have seen the same before the others come in.
fn agree(link: &Link<'_>, digest: u64) -> Result<bool, Lost> {
    if !link.is_first() {
        link.tell_one(0, &Word::Begun(digest));
        return link.expect(|_, word| match word {
            Word::Agreed(yes) => Some(*yes),
            _ => None,
        });
    }
    let mut all = digest != 0;
    for _ in 1..link.owners.count() {
        all &= digest
            == link.expect(|_, word| match word {
                Word::Begun(digest) => Some(*digest),
                _ => None,
            })?;
    }
    link.tell_all(&Word::Agreed(all));
    Ok(all)
}

/// All have found out the same alone.
fn outcome_alone(
    outcome: crate::search::Outcome,
    link: &Link<'_>,
    number: usize,
) -> Result<ClusterOutcome, Lost> {
    // Nobody goes on to the next search before all know that this one is over.
    match number {
        0 => link.tell_all(&Word::Done(Ended::Undecided)),
        _ => drop(link.expect(done)?),
    }
    // Words are on their way until the next turn.
    link.turn(std::time::Duration::ZERO);
    let statistics = outcome.statistics;
    let mut shares = vec![Share::default(); link.owners.count()];
    shares[0] = Share {
        explored: statistics.explored,
        stored: statistics.stored,
        generated: statistics.generated,
        memory: statistics.memory,
        depth: statistics.max_depth,
        best_estimate: statistics.best_estimate,
        ..Share::default()
    };
    Ok(ClusterOutcome {
        exhausted: matches!(outcome.verdict, Verdict::Unreachable(_)),
        verdict: (number == 0).then_some(outcome.verdict),
        statistics,
        shares,
        store: (number == 0).then_some(outcome.store),
    })
}

fn done(_: usize, word: &Word) -> Option<Ended> {
    match word {
        Word::Done(how) => Some(*how),
        _ => None,
    }
}

/// Answers questions until the first process has what it needs.
fn serve(link: &Link<'_>, mine: Mine) -> Result<ClusterOutcome, ClusterFailure> {
    let (statistics, number) = (mine.statistics, link.exchange.borrow().number());
    let did = Word::Did(
        Box::new(statistics),
        link.share(),
        mine.pruned,
        link.cut.get(),
    );
    link.tell_one(0, &did);
    let ended = loop {
        let asked = link.expect(|_, word| match word {
            Word::Ask(_) | Word::Done(_) => Some(word.clone()),
            _ => None,
        })?;
        match asked {
            Word::Ask(state) if (state.0 as usize) < mine.store.len() => {
                let (transitions, from) = mine.way(number, state);
                link.tell_one(0, &Word::Way(transitions, from));
            }
            Word::Done(how) => break how,
            _ => {}
        }
    };
    if ended == Ended::Fault {
        return Err(ClusterFailure::Fault(None));
    }
    Ok(ClusterOutcome {
        verdict: None,
        exhausted: ended == Ended::Exhausted,
        statistics,
        shares: Vec::new(),
        store: Some(mine.store),
    })
}

/// Puts the shares together, in the process that reports.
fn conclude(
    system: &System,
    config: &Config<'_>,
    link: &Link<'_>,
    mine: Mine,
) -> Result<ClusterOutcome, ClusterFailure> {
    let mut statistics = mine.statistics;
    let mut pruned = mine.pruned;
    let mut cut = link.cut.get();
    let count = link.owners.count();
    let mut shares = vec![Share::default(); count];
    shares[0] = link.share();
    for _ in 1..count {
        let (from, other, share, unsafely, broken) = link.expect(|from, word| match word {
            Word::Did(statistics, share, pruned, cut) => {
                Some((from, **statistics, *share, *pruned, *cut))
            }
            _ => None,
        })?;
        statistics.add(&other);
        statistics.estimates += other.estimates;
        shares[from] = share;
        pruned |= unsafely;
        cut = cut.or(broken);
    }
    statistics.elapsed = link.watch.elapsed();
    link.exchange.borrow_mut().observe(&shares);
    let ending = link.ending.take();
    let result = if let Some((found, _)) = ending.found {
        let path = SymbolicTrace {
            transitions: path(link, &mine, Some(found))?,
            goal: config.goal,
        };
        Ok(Verdict::Reachable(unfold(system, path)))
    } else if let Some((fault, _, at)) = ending.fault {
        let path = SymbolicTrace {
            transitions: path(link, &mine, at)?,
            goal: None,
        };
        Err(Box::new(Failure {
            fault,
            trace: unfold(system, path),
            statistics,
        }))
    } else if let Some(reason) = ending.reason.or(cut) {
        Ok(Verdict::Unknown(reason))
    } else if pruned {
        Ok(Verdict::Unknown(StopReason::Incomplete))
    } else {
        let expanded = statistics.explored;
        Ok(Verdict::Unreachable(Completeness::exhausted(expanded)))
    };
    let how = match &result {
        Ok(Verdict::Reachable(_)) => Ended::Reached,
        Ok(Verdict::Unreachable(_)) => Ended::Exhausted,
        Ok(Verdict::Unknown(_)) => Ended::Undecided,
        Err(_) => Ended::Fault,
    };
    link.tell_all(&Word::Done(how));
    link.turn(std::time::Duration::ZERO);
    let verdict = result.map_err(|failure| ClusterFailure::Fault(Some(failure)))?;
    Ok(ClusterOutcome {
        exhausted: how == Ended::Exhausted,
        verdict: Some(verdict),
        statistics,
        shares,
        store: Some(mine.store),
    })
}

/// The transitions by which a state was found, asked for where they are known.
fn path(
    link: &Link<'_>,
    mine: &Mine,
    state: Option<GlobalId>,
) -> Result<Vec<Vec<EdgeIndex>>, Lost> {
    let mut all = Vec::new();
    let mut at = state;
    while let Some(GlobalId { owner, id }) = at {
        let (transitions, before) = match usize::from(owner) {
            0 => mine.way(0, id),
            owner => {
                link.tell_one(owner, &Word::Ask(id));
                link.expect(|from, word| match word {
                    Word::Way(transitions, before) if from == owner => {
                        Some((transitions.clone(), *before))
                    }
                    _ => None,
                })?
            }
        };
        all.extend(transitions);
        at = before;
    }
    all.reverse();
    Ok(all)
}
