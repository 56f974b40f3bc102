//! Conjunctive partitions: clusters and the order in which they are multiplied, so that variables
//! are quantified as soon as no later cluster mentions them.
//!
//! The order is greedy, in the spirit of Ranjan, Aziz, Brayton, Plessier, Pixley: "Efficient BDD
//! algorithms for FSM synthesis and verification" (IWLS 1995): prefer the conjunct that lets most
//! variables go and brings fewest new ones.

use crate::bdd::{Bdd, Bit, Diagrams};
use crate::limits::Stop;
use std::collections::BTreeSet;

/// Clusters in the order of multiplication, each with the variables that go after it.
pub(super) struct Schedule {
    /// Variables that no cluster mentions: they go first.
    pub(super) before: Bdd,
    pub(super) steps: Vec<(Bdd, Bdd)>,
}

/// Joins conjuncts, similar supports first, while the results stay small.
pub(super) fn cluster(
    diagrams: &Diagrams,
    parts: Vec<Bdd>,
    limit: usize,
) -> Result<Vec<Bdd>, Stop> {
    let mut sorted: Vec<(Vec<Bit>, Bdd)> = parts
        .into_iter()
        .map(|part| (diagrams.support(&part), part))
        .collect();
    // By the lowest bit, then the next: neighbours in the order of the diagrams meet.
    sorted.sort_by(|a, b| a.0.cmp(&b.0));
    let mut clusters: Vec<Bdd> = Vec::new();
    for (_, part) in sorted {
        if let Some(last) = clusters.last_mut()
            && diagrams.size(last) + diagrams.size(&part) <= limit
        {
            let joined = diagrams.and(last, &part)?;
            if diagrams.size(&joined) <= limit {
                *last = joined;
                continue;
            }
        }
        clusters.push(part);
    }
    Ok(clusters)
}

/// Orders clusters for early quantification of the given variables.
pub(super) fn schedule(
    diagrams: &Diagrams,
    clusters: &[Bdd],
    quantified: &[Bit],
) -> Result<Schedule, Stop> {
    let quantified: BTreeSet<Bit> = quantified.iter().copied().collect();
    let supports: Vec<BTreeSet<Bit>> = clusters
        .iter()
        .map(|part| diagrams.support(part).into_iter().collect())
        .collect();
    let mentioned: BTreeSet<Bit> = supports.iter().flatten().copied().collect();
    let before = diagrams.cube(quantified.difference(&mentioned).copied())?;
    let mut rest: Vec<usize> = (0..clusters.len()).collect();
    let mut present: BTreeSet<Bit> = BTreeSet::new();
    let mut steps = Vec::with_capacity(clusters.len());
    while !rest.is_empty() {
        let (position, gone) = best(&rest, &supports, &quantified, &present);
        let chosen = rest.remove(position);
        present.extend(&supports[chosen]);
        present.retain(|bit| !gone.contains(bit));
        steps.push((clusters[chosen].clone(), diagrams.cube(gone)?));
    }
    Ok(Schedule { before, steps })
}

/// The position in `rest` of the best next cluster, and the variables that then go.
fn best(
    rest: &[usize],
    supports: &[BTreeSet<Bit>],
    quantified: &BTreeSet<Bit>,
    present: &BTreeSet<Bit>,
) -> (usize, BTreeSet<Bit>) {
    let mut uses: rustc_hash::FxHashMap<Bit, u32> = rustc_hash::FxHashMap::default();
    for &index in rest {
        for &bit in &supports[index] {
            *uses.entry(bit).or_default() += 1;
        }
    }
    let mut best: Option<(i64, usize, BTreeSet<Bit>)> = None;
    for (position, &index) in rest.iter().enumerate() {
        let gone: BTreeSet<Bit> = supports[index]
            .iter()
            .filter(|bit| quantified.contains(bit) && uses.get(bit) == Some(&1))
            .copied()
            .collect();
        let new = supports[index]
            .iter()
            .filter(|bit| !quantified.contains(bit) && !present.contains(bit))
            .count();
        let score = 2 * gone.len() as i64 - new as i64;
        if best.as_ref().is_none_or(|(most, ..)| score > *most) {
            best = Some((score, position, gone));
        }
    }
    best.map(|(_, position, gone)| (position, gone))
        .unwrap_or_default()
}
