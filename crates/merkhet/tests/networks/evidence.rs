//! Damaged evidence: what the judge and the checker of certificates must not accept.

use std::collections::BTreeSet;

use merkhet::network::{
    EdgeId, Ending, Network, ProcessId, Query, QueryKind, Step, Trace, Transition,
};
use merkhet::replay::{self, Certificate, End, Entry, Replayed};
use merkhet_testing::{Discrete, Random, is_run};

/// The trace that was judged. Loops and the like are claims beyond the steps, which the sampling oracle does not know.
fn trace_of(run: &Replayed) -> Option<Trace> {
    let steps = run.steps.iter().map(|step| {
        let edges = (step.edges.iter().map(|taken| (taken.process, taken.edge))).collect();
        Some(Step {
            delay: i64::try_from(step.delay).ok()?,
            transition: Transition { edges },
        })
    });
    Some(Trace {
        scale: run.scale,
        steps: steps.collect::<Option<_>>()?,
        last_delay: i64::try_from(run.last_delay).ok()?,
        ending: Ending::State,
    })
}

/// Compares the judge with the sampling oracle on a trace and on damaged copies of it; says how many were rejected.
pub fn damaged_traces(network: &Network, run: &Replayed, seed: u64) -> Result<u64, String> {
    let Some(trace) = trace_of(run) else {
        return Ok(0);
    };
    // The oracle looks at every half unit: too many of them would take too long.
    let units: i64 = trace.steps.iter().map(|step| step.delay).sum::<i64>() + trace.last_delay;
    if units > 5_000 {
        return Ok(0);
    }
    if is_run(network, &trace) == Ok(false) {
        return Err(format!("the oracle rejects an accepted trace: {trace:?}"));
    }
    let explore = Query {
        text: String::new(),
        comment: String::new(),
        kind: QueryKind::Explore,
        site: merkhet::network::SiteId::NONE,
    };
    let mut random = Random::new(seed);
    let mut rejected = 0;
    for _ in 0..4 {
        let mutant = damage(&trace, &mut random);
        let Ok(expected) = is_run(network, &mutant) else {
            continue;
        };
        let judged = replay::judge_trace(network, &explore, &mutant);
        if judged.is_ok() != expected {
            return Err(format!(
                "a damaged trace is judged wrongly (a run: {expected}): {mutant:?}"
            ));
        }
        rejected += u64::from(!expected);
    }
    Ok(rejected)
}

fn damage(trace: &Trace, random: &mut Random) -> Trace {
    let mut mutant = trace.clone();
    let index = random.below(mutant.steps.len());
    let scale = trace.scale.min(1_000) as usize;
    let shift = random.below(4 * scale + 1) as i64 - 2 * scale as i64;
    let Some(step) = mutant.steps.get_mut(index) else {
        mutant.last_delay += shift;
        return mutant;
    };
    match random.below(7) {
        0 | 1 => step.delay += shift,
        2 => mutant.last_delay += shift,
        3 => drop(mutant.steps.remove(index)),
        4 => step.transition.edges.reverse(),
        5 => drop(step.transition.edges.pop()),
        _ => {
            let process = ProcessId::from(random.below(4));
            step.transition.edges = vec![(process, EdgeId::from(random.below(5)))];
        }
    }
    mutant
}

/// A certificate without a state that can be reached must be rejected; says how many were.
pub fn damaged_certificates(
    network: &Network,
    query: &Query,
    certificate: &Certificate,
    reachable: &BTreeSet<Discrete>,
    seed: u64,
) -> Result<u64, String> {
    let mut random = Random::new(seed);
    let mut rejected = 0;
    for _ in 0..3 {
        let index = random.below(certificate.entries.len());
        let Some(entry) = certificate.entries.get(index) else {
            return Ok(rejected);
        };
        let is_entry = |state: &&Discrete| {
            let locations = state.locations.iter().map(|location| location.0);
            locations.eq(entry.locations.iter().copied()) && state.cells == entry.cells
        };
        if !reachable.iter().any(|state| is_entry(&state)) {
            continue;
        }
        let mut hollow = certificate.clone();
        match random.below(2) {
            0 => drop(hollow.entries.remove(index)),
            _ => hollow.entries[index].zones.clear(),
        }
        if replay::certify(network, query, &hollow).is_ok() {
            return Err(format!(
                "a certificate without the reachable {entry:?} is accepted"
            ));
        }
        rejected += 1;
    }
    Ok(rejected)
}

/// Attempts to prove that there is no maximal run where there is one: zones that the network has, in orders that look like
/// ranks. Says how many were rejected, which must be all.
pub fn forged_rankings(
    network: &Network,
    query: &Query,
    material: &[Certificate],
    seed: u64,
) -> Result<u64, String> {
    let mut random = Random::new(seed);
    let mut rejected = 0;
    for known in material {
        let own = |entries: &[Entry]| -> Vec<Entry> {
            let exact = entries.iter().map(|entry| Entry {
                bounds: None,
                ..entry.clone()
            });
            exact.filter(|entry| entry.tops.is_none()).collect()
        };
        let (ranked, entries) = (own(&known.ranked), own(&known.entries));
        let mut shuffled = [ranked.clone(), entries.clone()].concat();
        for at in (1..shuffled.len()).rev() {
            shuffled.swap(at, random.below(at + 1));
        }
        let mut wide = shuffled.clone();
        for entry in &mut wide {
            let zones = entry.zones.iter_mut();
            zones.for_each(|zone| zone.iter_mut().for_each(|bound| *bound = replay::INFINITY));
        }
        let forgeries = [
            ranked.clone(),
            ranked.iter().rev().cloned().collect(),
            // Moves may go from each copy to the one before, but not for ever.
            times(&shuffled, 4),
            times(&wide, 3),
            shuffled,
        ];
        for ranked in forgeries {
            let forgery = Certificate {
                entries: entries.clone(),
                ranked,
                ..known.clone()
            };
            if replay::certify(network, query, &forgery).is_ok() {
                let kind = &query.kind;
                return Err(format!(
                    "a forged ranking is accepted for {kind:?}: {forgery:?}"
                ));
            }
            rejected += 1;
        }
    }
    Ok(rejected)
}

/// A list some times over.
fn times(entries: &[Entry], times: usize) -> Vec<Entry> {
    (0..times).flat_map(|_| entries.iter().cloned()).collect()
}

/// Mutates a certificate that is right into ones for the same right claim; only that nothing panics counts, and that a
/// missing start is noticed. Says how many were rejected.
pub fn damaged_rankings(
    network: &Network,
    query: &Query,
    certificate: &Certificate,
    seed: u64,
) -> Result<u64, String> {
    let mut random = Random::new(seed);
    let mut rejected = 0;
    let number = certificate.ranked.len();
    if number == 0 {
        return Ok(0);
    }
    for _ in 0..6 {
        let mut mutant = certificate.clone();
        let (one, other) = (random.below(number), random.below(number));
        match random.below(5) {
            0 => drop(mutant.ranked.remove(one)),
            1 => mutant.ranked.swap(one, other),
            2 => mutant.ranked[one].zones.clear(),
            3 => {
                for bound in mutant.ranked[one].zones.iter_mut().flatten() {
                    *bound = bound.saturating_add(random.below(5) as i32 - 2);
                }
            }
            _ => mutant.ranked[one]
                .cells
                .iter_mut()
                .for_each(|cell| *cell ^= 1),
        }
        rejected += u64::from(replay::certify(network, query, &mutant).is_err());
    }
    let empty = Certificate {
        ranked: Vec::new(),
        ..certificate.clone()
    };
    if matches!(query.kind, QueryKind::LeadsTo(..)) {
        return Ok(rejected);
    }
    // Without any ranks only a formula that does not hold at the start is proved.
    let initial = certificate.ranked.iter().any(|entry| {
        let at = network.processes.iter().map(|process| process.initial.0);
        let cells = network.state_cells.iter().map(|cell| cell.initial);
        at.eq(entry.locations.iter().copied()) && cells.eq(entry.cells.iter().copied())
    });
    if replay::certify(network, query, &empty).is_ok() && initial && number == 1 {
        return Err(format!(
            "a ranking without its only zone is accepted for {:?}",
            query.kind
        ));
    }
    Ok(rejected + 1)
}

/// Other ends than those of the range must be rejected; says how many were.
pub fn forged_ends(
    network: &Network,
    query: &Query,
    certificate: &Certificate,
) -> Result<u64, String> {
    let mut rejected = 0;
    for (index, ends) in certificate.ends.iter().enumerate() {
        for (is_high, end) in [(false, ends.low), (true, ends.high)] {
            let (value, other) = match end {
                None => continue,
                Some(End::Reached(value)) => (value, End::NotReached(value)),
                Some(End::NotReached(value)) => (value, End::Reached(value)),
            };
            let near = [-2, -1, 1, 2].map(|by| value + by);
            let reached = near.iter().map(|value| End::Reached(*value));
            let not = near.iter().map(|value| End::NotReached(*value));
            for claim in reached.chain(not).chain([other]).map(Some).chain([None]) {
                let mut forgery = certificate.clone();
                match is_high {
                    true => forgery.ends[index].high = claim,
                    false => forgery.ends[index].low = claim,
                }
                if replay::certify(network, query, &forgery).is_ok() {
                    let (kind, known) = (&query.kind, &certificate.ends);
                    return Err(format!("{claim:?} is accepted for {kind:?}: {known:?}"));
                }
                rejected += 1;
            }
        }
    }
    Ok(rejected)
}
