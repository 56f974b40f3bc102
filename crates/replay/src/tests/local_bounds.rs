//! Certificates with bounds for each discrete state: right ones are accepted, and lowered ones never prove a falsehood.

use std::collections::HashMap;

use merkhet_network::{Formula, LocationId, Network, QueryKind};
use merkhet_testing::{Answer, Profile, Random, RegionGraph, generate};

use super::seeds;
use crate::certificates::certificate::{Certificate, ClockBounds, EXACT, Entry, UNCOMPARED};
use crate::certificates::federation::{Federation, time_successors};
use crate::certificates::simulation::{ALWAYS, Levels, NEVER, covers};
use crate::certificates::situation::Situation;
use crate::certificates::zone::Zone;
use crate::certify;
use crate::condition::Condition;
use crate::rules::{Atom, Discrete, Rules};
use crate::tests::certificates::matrix;

const LIMIT: usize = 4_000;

type Bounds = HashMap<Discrete, Levels>;

/// Explores with covering by the given bounds (a symmetric 12 where none are given).
fn explore<'n>(rules: Rules<'n>, bounds: &Bounds) -> Option<HashMap<Discrete, Vec<Zone>>> {
    let dimension = rules.dimension();
    let default = Levels {
        lower: vec![12; dimension],
        upper: vec![12; dimension],
    };
    let mut found: HashMap<Discrete, Vec<Zone>> = HashMap::new();
    let mut waiting = vec![(rules.initial(), Zone::origin(dimension))];
    let mut count = 0;
    while let Some((state, zone)) = waiting.pop() {
        count += 1;
        if count > 2_000 {
            return None;
        }
        let situation = Situation::new(rules, state.clone()).ok()??;
        let later = if situation.frozen {
            Federation::from(zone)
        } else {
            time_successors(&zone, &situation.hurry())
        };
        for zone in later.constrain_all(&situation.atoms).zones {
            let levels = bounds.get(&state).unwrap_or(&default);
            let known = found.entry(state.clone()).or_default();
            if known.iter().any(|own| covers(own, &zone, levels)) {
                continue;
            }
            known.push(zone.clone());
            for index in 0..situation.moves.len() {
                let here = Federation::from(zone.clone());
                if let Some((set, next)) = situation.possible(index, &here).ok()? {
                    let zones = set.zones.iter().map(|zone| zone.assign(&next.clocks));
                    waiting.extend(zones.map(|zone| (next.state.clone(), zone)));
                }
            }
        }
    }
    Some(found)
}

/// Raises a bound where a constraint asks for it.
fn raise(levels: &mut Levels, atom: Atom) {
    match (atom.left, atom.right) {
        (0, 0) => {}
        (0, clock) => levels.lower[clock] = levels.lower[clock].max(-atom.bound),
        (clock, 0) => levels.upper[clock] = levels.upper[clock].max(atom.bound),
        (left, right) => {
            for clock in [left, right] {
                levels.lower[clock] = ALWAYS;
                levels.upper[clock] = ALWAYS;
            }
        }
    }
}

/// The least bounds for a set of discrete states and a bad condition, by iteration.
fn least_bounds(rules: Rules<'_>, states: &[Discrete], bad: (&Formula, bool)) -> Option<Bounds> {
    let dimension = rules.dimension();
    let priorities = rules.network.has_priorities();
    let mut bounds = Bounds::new();
    let mut situations = Vec::new();
    for state in states {
        let situation = Situation::new(rules, state.clone()).ok()??;
        let mut levels = Levels {
            lower: vec![NEVER; dimension],
            upper: vec![NEVER; dimension],
        };
        let condition = Condition::of(rules, state, bad.0, bad.1);
        let mut atoms = situation.atoms.clone();
        condition.atoms(&mut atoms);
        let negated = |conjunction: &[Atom]| -> Vec<Atom> {
            conjunction.iter().map(|atom| atom.negated()).collect()
        };
        for conjunction in &situation.urgent {
            atoms.extend(conjunction);
            atoms.extend(negated(conjunction));
        }
        for candidate in &situation.moves {
            atoms.extend(&candidate.guard);
            if priorities {
                atoms.extend(negated(&candidate.guard));
            }
            for conjunction in &candidate.excluded {
                atoms.extend(conjunction);
                atoms.extend(negated(conjunction));
            }
        }
        let here = Federation::from(situation.invariant.clone());
        for index in 0..situation.moves.len() {
            if let Some((_, next)) = situation.existing(index, &here).ok()? {
                atoms.extend(&next.entry);
                if priorities {
                    atoms.extend(negated(&next.entry));
                }
            }
        }
        atoms.iter().for_each(|atom| raise(&mut levels, *atom));
        if condition.asks_deadlock() {
            equalise(&mut levels);
        }
        bounds.insert(state.clone(), levels);
        situations.push((situation, condition.asks_deadlock()));
    }
    loop {
        let before = bounds.clone();
        for (situation, symmetric) in &situations {
            let here = Federation::from(situation.invariant.clone());
            for index in 0..situation.moves.len() {
                let Some((_, next)) = situation.existing(index, &here).ok()? else {
                    continue;
                };
                let Some(target) = bounds.get(&next.state).cloned() else {
                    continue;
                };
                let levels = bounds.get_mut(&situation.state)?;
                for (clock, value) in next.clocks.iter().enumerate() {
                    if let Some(source) = value.source {
                        let (to, from) = (clock + 1, source.index() + 1);
                        levels.lower[from] = levels.lower[from].max(target.lower[to]);
                        levels.upper[from] = levels.upper[from].max(target.upper[to]);
                    }
                }
                if *symmetric {
                    equalise(levels);
                }
            }
        }
        if bounds == before {
            return Some(bounds);
        }
    }
}

fn equalise(levels: &mut Levels) {
    for row in 0..levels.lower.len() {
        let most = levels.lower[row].max(levels.upper[row]);
        (levels.lower[row], levels.upper[row]) = (most, most);
    }
}

fn certificate(
    network: &Network,
    found: &HashMap<Discrete, Vec<Zone>>,
    bounds: &Bounds,
) -> Certificate {
    let mut certificate = Certificate::new(network, "");
    let narrow = |levels: &[i64]| -> Vec<i32> {
        let level = |level: &i64| match *level {
            NEVER => UNCOMPARED,
            ALWAYS => EXACT,
            value => value as i32,
        };
        levels[1..].iter().map(level).collect()
    };
    for (state, zones) in found {
        let Some(levels) = bounds.get(state) else {
            continue;
        };
        certificate.bounds.push(ClockBounds {
            lower: narrow(&levels.lower),
            upper: narrow(&levels.upper),
        });
        certificate.entries.push(Entry {
            locations: state.locations.iter().map(|at: &LocationId| at.0).collect(),
            cells: state.cells.clone(),
            tops: None,
            bounds: Some(certificate.bounds.len() as u32 - 1),
            zones: zones.iter().map(matrix).collect(),
        });
    }
    certificate
}

/// How many right certificates were accepted, and how many lowered ones refused.
fn check(seed: u64, profile: &Profile) -> [usize; 2] {
    let mut count = [0, 0];
    let (network, queries) = generate(seed, profile);
    let Ok(graph) = RegionGraph::build(&network, &queries, LIMIT) else {
        return count;
    };
    let rules = Rules { network: &network };
    let Some(first) = explore(rules, &Bounds::new()) else {
        return count;
    };
    let mut states: Vec<Discrete> = first.into_keys().collect();
    states.sort_by(|a, b| (&a.locations, &a.cells).cmp(&(&b.locations, &b.cells)));
    let mut random = Random::new(seed);
    for asked in &queries {
        let (formula, positive) = match &asked.kind {
            QueryKind::Possibly(formula) => (formula, true),
            QueryKind::Invariantly(formula) => (formula, false),
            _ => continue,
        };
        let proof = graph.answer(asked, LIMIT).expect("answer") == Answer::Verdict(!positive);
        let Some(bounds) = least_bounds(rules, &states, (formula, positive)) else {
            continue;
        };
        let Some(found) = explore(rules, &bounds) else {
            continue;
        };
        let right = certify(&network, asked, &certificate(&network, &found, &bounds));
        assert_eq!(
            right.is_ok(),
            proof,
            "seed {seed}: {right:?} {:?}",
            asked.kind
        );
        count[0] += usize::from(proof);
        for _ in 0..4 {
            let mut lowered = bounds.clone();
            for _ in 0..1 + random.below(4) {
                lower(&mut lowered, &states, &mut random);
            }
            let Some(found) = explore(rules, &lowered) else {
                continue;
            };
            let judged = certify(&network, asked, &certificate(&network, &found, &lowered));
            assert!(proof || judged.is_err(), "seed {seed}: {:?}", asked.kind);
            count[1] += usize::from(judged.is_err());
        }
    }
    count
}

fn lower(bounds: &mut Bounds, states: &[Discrete], random: &mut Random) {
    let state = &states[random.below(states.len())];
    let Some(levels) = bounds.get_mut(state) else {
        return;
    };
    let row = random.below(levels.lower.len());
    let value = [NEVER, NEVER, 0, 1][random.below(4)];
    if random.chance(60) {
        levels.lower[row] = levels.lower[row].min(value);
    }
    if random.chance(60) {
        levels.upper[row] = levels.upper[row].min(value);
    }
}

#[test]
fn bounds_for_each_state_are_checked() {
    let mut total = [0, 0];
    for (offset, profile) in [Profile::timed(), Profile::default(), Profile::everything()]
        .iter()
        .enumerate()
    {
        for seed in 0..seeds(60) {
            let count = check(seed + 40_000 * offset as u64, profile);
            total = [total[0] + count[0], total[1] + count[1]];
        }
    }
    assert!(
        total[0] > 60 && total[1] > 60,
        "accepted and refused: {total:?}"
    );
}
