//! Evidence: concrete runs that the judge has accepted, and certificates.

use std::collections::{BTreeMap, HashMap};
use std::hash::{BuildHasher, RandomState};

use merkhet_analysis::{ClockBounds, Demand};
use merkhet_explore::liveness::{Liveness, MaximalRun, Proof};
use merkhet_explore::{
    self as search, NotConcrete, NotFastest, Store, SymbolicTrace, Target, Throughout, concretise,
    concretise_to,
};
use merkhet_network::{Ending, Formula, LocationId, Network, Query, QueryKind, SiteId, Trace};
use merkhet_replay::{self as replay, Certificate, Entry, Replayed, judge_trace};
use merkhet_semantics::{State, System};
use merkhet_zones::bound::{Bound, INFINITY};

use super::Task;
use super::reach::limits;

use crate::failure::Failure;
use crate::why::{NoLeastTime, Remark, Why};

/// What became of a run that the search found.
pub(crate) enum Evidence {
    /// The judge accepts it.
    Accepted(Box<Replayed>),
    /// It could not be confirmed.
    Unconfirmed(Why),
}

/// Makes a path to a state of interest concrete.
pub(crate) fn concrete(
    network: &Network,
    query: &Query,
    system: &System,
    trace: &SymbolicTrace,
) -> Result<Evidence, Failure> {
    judged(network, query, system, concretise(system, trace))
}

/// A run to a state of interest that takes the least time, and a remark on that time.
pub(crate) fn fastest(
    task: &mut Task<'_>,
    system: &System,
    trace: &SymbolicTrace,
    goal: &Formula,
) -> Result<(Option<Box<Replayed>>, Remark), Failure> {
    let unknown = |why| Ok((None, Remark::NoLeastTime(why)));
    let Ok(known) = concretise(system, trace) else {
        return unknown(NoLeastTime::Unconfirmed);
    };
    let config = search::Config {
        limits: limits(task.limits, 1),
        ..search::Config::default()
    };
    let found = match search::fastest(task.network, goal, &known, &config, task.observe) {
        Ok(found) => found,
        Err(NotFastest::Stopped(reason)) => return unknown(NoLeastTime::Limit(reason)),
        Err(NotFastest::TooLong) => return unknown(NoLeastTime::TooLong),
        Err(NotFastest::Failure(failure)) => return Err(task.fault(system, &failure)),
        Err(NotFastest::NotConcrete(_)) => return unknown(NoLeastTime::NotConcrete),
        Err(NotFastest::Compile(error)) => {
            return unknown(NoLeastTime::TooLarge(error.to_string()));
        }
        Err(NotFastest::Contradiction) => return unknown(NoLeastTime::Contradiction),
    };
    let run = judge_trace(task.network, task.query, &found.trace)
        .map_err(|r| internal(&r.to_string()))?;
    let remark = Remark::LeastTime {
        time: found.time,
        exceeded: found.exceeded,
    };
    Ok((Some(Box::new(run)), remark))
}

/// Makes a maximal run concrete.
pub(crate) fn maximal(
    network: &Network,
    query: &Query,
    system: &System,
    run: &MaximalRun,
    task: &Liveness,
) -> Result<Evidence, Failure> {
    let throughout = Throughout {
        keep: task.keep,
        from: run.holds_from,
        trigger: task.trigger,
    };
    let target = Target {
        throughout: Some(throughout),
        ..Target::default()
    };
    let Ending::Loop(start) = run.ending else {
        let target = Target {
            zones: run.last.as_ref(),
            ..target
        };
        let trace = concretise_to(system, &run.transitions, target);
        let trace = trace.map(|trace| Trace {
            ending: run.ending,
            ..trace
        });
        return judged(network, query, system, trace);
    };
    // A state that can go round many times lies where it can go round for ever: the set of states that can do m rounds
    // shrinks with m, but only finitely often. The first round may be no part of the loop: the run may come to its
    // state in a way of its own, as where the formula holds only from some moment in that state on.
    let mut rejected = None;
    let loop_length = run.transitions.len() - start;
    for rounds in [2usize, 4, 16, 64] {
        let mut transitions = run.transitions.clone();
        for _ in 1..rounds {
            transitions.extend_from_slice(&run.transitions[start..]);
        }
        let trace = match concretise_to(system, &transitions, target) {
            Ok(trace) => trace,
            Err(error) => return judged(network, query, system, Err(error)),
        };
        for unrolled in 0..rounds.min(4) - 1 {
            let further = unrolled * loop_length;
            let lasso = Trace {
                scale: trace.scale,
                steps: trace.steps[..run.transitions.len() + further].to_vec(),
                last_delay: 0,
                ending: Ending::Loop(start + further),
            };
            match judge_trace(network, query, &lasso) {
                Ok(replayed) => return Ok(Evidence::Accepted(Box::new(replayed))),
                Err(rejection) => rejected = Some(rejection.to_string()),
            }
        }
    }
    Err(internal(&rejected.unwrap_or_default()))
}

/// The run to a state in which an evaluation fails, if it can be made concrete. Where zones are over-approximated the
/// evaluation must also fail for the judge, when it looks at the transitions from the end of the run.
pub(crate) fn to_fault(
    network: &Network,
    system: &System,
    trace: &SymbolicTrace,
) -> Option<Replayed> {
    let nothing = Query {
        text: String::new(),
        comment: String::new(),
        kind: QueryKind::Explore,
        site: SiteId::NONE,
    };
    let trace = concretise(system, trace).ok()?;
    if system.over_approximate() {
        let stuck = Query {
            kind: QueryKind::Possibly(Formula::Deadlock),
            ..nothing.clone()
        };
        if !judge_trace(network, &stuck, &trace).err()?.fault {
            return None;
        }
    }
    judge_trace(network, &nothing, &trace).ok()
}

fn judged(
    network: &Network,
    query: &Query,
    system: &System,
    trace: Result<Trace, NotConcrete>,
) -> Result<Evidence, Failure> {
    let trace = match trace {
        Ok(trace) => trace,
        Err(NotConcrete::Unconfirmed) => return Ok(Evidence::Unconfirmed(Why::MayHold)),
        Err(NotConcrete::TooManyParts) => {
            return Ok(Evidence::Unconfirmed(Why::TooManyParts));
        }
        Err(NotConcrete::Infeasible) => {
            return Err(internal("the run that was found cannot be followed"));
        }
        Err(NotConcrete::Fault(fault)) => {
            return Err(Failure::of(network, &fault));
        }
    };
    match judge_trace(network, query, &trace) {
        Ok(replayed) => Ok(Evidence::Accepted(Box::new(replayed))),
        Err(_) if system.over_approximate() => Ok(Evidence::Unconfirmed(Why::MayHold)),
        Err(rejection) => Err(internal(&rejection.to_string())),
    }
}

/// Boxes of more cells than this in all are not written.
const MOST_CELLS: usize = 1 << 27;

fn internal(reason: &str) -> Failure {
    Failure::Internal(format!("the judge does not accept the trace: {reason}"))
}

/// The states of an exhausted search as an inductive invariant.
pub(crate) fn certificate(
    network: &Network,
    query: &Query,
    goal: &Formula,
    system: &System,
    stores: &[Store],
) -> Certificate {
    let mut certificate = Certificate::new(network, &query.text);
    let bounds = ClockBounds::new(
        network,
        &Demand {
            formulas: &[goal],
            ..Demand::default()
        },
    );
    let n = system.dimension();
    let mut memory = vec![0; system.cells().len()];
    let mut zone = vec![0; n * n];
    let processes = network.processes.len();
    // By hash of the discrete part: the parts themselves are in the certificate, which may be most of the memory.
    let mut entries: HashMap<u64, Vec<u32>> = HashMap::new();
    let hasher = RandomState::new();
    let mut known: BTreeMap<(Vec<i32>, Vec<i32>), u32> = BTreeMap::new();
    let states = stores
        .iter()
        .flat_map(|store| store.live_states().map(move |id| (store, id)));
    for (store, id) in states {
        store.load(id, &mut memory, &mut zone);
        let key = &memory[..system.key_cells()];
        let alike = entries.entry(hasher.hash_one(key)).or_default();
        let known_entry = (alike.iter()).find(|at| is_at(&certificate.entries[**at as usize], key));
        let at = match known_entry {
            Some(at) => *at as usize,
            None => {
                let locations: Vec<LocationId> = key[..processes]
                    .iter()
                    .map(|l| LocationId(*l as u32))
                    .collect();
                let mut row = (vec![0; n - 1], vec![0; n - 1]);
                bounds.of_vector(&locations, &mut row.0, &mut row.1);
                let simulated = system.permits_simulation().then(|| {
                    *known.entry(row).or_insert_with_key(|(lower, upper)| {
                        let (lower, upper) = (lower.clone(), upper.clone());
                        certificate
                            .bounds
                            .push(replay::ClockBounds { lower, upper });
                        certificate.bounds.len() as u32 - 1
                    })
                });
                certificate.entries.push(Entry {
                    locations: locations.iter().map(|location| location.0).collect(),
                    cells: key[processes..].to_vec(),
                    tops: None,
                    bounds: simulated,
                    zones: Vec::new(),
                });
                let at = certificate.entries.len() - 1;
                alike.push(at as u32);
                at
            }
        };
        certificate.entries[at]
            .zones
            .push(zone.iter().map(bound).collect());
    }
    certificate
}

/// What a search for maximal runs has left for good, in this order, as a proof that there is none.
pub(crate) fn ranking(
    network: &Network,
    query: &Query,
    system: &System,
    mut proof: Proof,
) -> Certificate {
    let mut certificate = Certificate::new(network, &query.text);
    let processes = network.processes.len();
    let cells = system.key_cells();
    let entry = |state: State<'_>| Entry {
        locations: (state.memory[..processes].iter())
            .map(|location| *location as u32)
            .collect(),
        cells: state.memory[processes..cells].to_vec(),
        tops: None,
        // The zones are compared as they are.
        bounds: None,
        zones: vec![state.zone.iter().map(bound).collect()],
    };
    let mut known: HashMap<(Vec<u32>, Vec<i32>), usize> = HashMap::new();
    proof.for_each_reached(system, &mut |state| {
        let Entry {
            locations,
            cells,
            zones,
            ..
        } = entry(state);
        let entries = &mut certificate.entries;
        let at = *known
            .entry((locations, cells))
            .or_insert_with_key(|(locations, cells)| {
                entries.push(Entry {
                    locations: locations.clone(),
                    cells: cells.clone(),
                    tops: None,
                    bounds: None,
                    zones: Vec::new(),
                });
                entries.len() - 1
            });
        entries[at].zones.extend(zones);
    });
    proof.for_each_ranked(&mut |state| certificate.ranked.push(entry(state)));
    certificate
}

/// A bound of a zone as certificates write it.
fn bound(bound: &Bound) -> i32 {
    match *bound {
        INFINITY => replay::INFINITY,
        known => known,
    }
}

/// The elements of an exhausted search by covering or joining as boxes that hold all that is below them, if the judge
/// accepts them.
pub(crate) fn boxes(
    network: &Network,
    query: &Query,
    outcome: &merkhet_lattices::Outcome,
) -> Result<Certificate, String> {
    let mut certificate = Certificate::new(network, &query.text);
    let mut below = merkhet_lattices::proof::Below::new(network);
    let processes = network.processes.len();
    let cells = processes..processes + network.state_cells.len();
    let mut complete = true;
    outcome.for_each(&mut |state| {
        let Some(boxes) = below
            .boxes(&state.memory[cells.clone()])
            .filter(|_| complete)
        else {
            complete = false;
            return;
        };
        let locations: Vec<u32> = (state.memory[..processes].iter())
            .map(|location| *location as u32)
            .collect();
        let entry = |bound: &i32| match *bound {
            INFINITY => replay::INFINITY,
            bound => bound,
        };
        let zones: Vec<Vec<i32>> = match network.clocks.is_empty() {
            true => Vec::new(),
            false => vec![state.zone.iter().map(entry).collect()],
        };
        for (low, high) in boxes {
            certificate.entries.push(Entry {
                locations: locations.clone(),
                cells: low,
                tops: Some(high),
                bounds: None,
                zones: zones.clone(),
            });
        }
        let each = network.state_cells.len() + state.zone.len();
        complete = certificate.entries.len() * each < MOST_CELLS;
    });
    if !complete {
        return Err("there are too many".into());
    }
    match replay::certify(network, query, &certificate) {
        Ok(()) => Ok(certificate),
        Err(refusal) => Err(refusal.to_string()),
    }
}

/// Whether an entry is for a discrete part, given as locations and cells.
fn is_at(entry: &Entry, key: &[i32]) -> bool {
    let (locations, cells) = key.split_at(entry.locations.len());
    let mut pairs = entry.locations.iter().zip(locations);
    pairs.all(|(known, location)| *known == *location as u32) && entry.cells == cells
}

/// A concrete run, accepted by the judge: it was made step by step, so that a rejection is an error of the program.
pub(super) fn accepted(
    network: &Network,
    query: &Query,
    trace: &Trace,
) -> Result<Replayed, Failure> {
    judge_trace(network, query, trace).map_err(|rejection| {
        Failure::Internal(format!("the judge does not accept the trace: {rejection}"))
    })
}
