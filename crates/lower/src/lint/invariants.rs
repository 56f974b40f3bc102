//! Invariants that nothing satisfies.

use super::facts::Facts;
use merkhet_network::Invariant;
use merkhet_syntax::Diagnostic;
use std::collections::BTreeMap;

/// A location whose invariant contradicts itself in every process of its template.
pub fn unsatisfiable(facts: &Facts<'_>, out: &mut Vec<Diagnostic>) {
    // Whether there is a process in which it can hold, and where it stands.
    let mut found: BTreeMap<(u32, u32), (bool, &str, Option<&Invariant>)> = BTreeMap::new();
    for process in &facts.lowered.network.processes {
        for location in &process.locations {
            let contradicts = contradicts(&location.invariant);
            let sites = location.invariant.clocks.first();
            let Some(span) = sites.and_then(|first| facts.span(first.site)) else {
                continue;
            };
            let entry = (found.entry((span.start, span.end))).or_insert((
                true,
                location.name.as_str(),
                None,
            ));
            entry.0 &= contradicts;
            entry.2.get_or_insert(&location.invariant);
        }
    }
    for (contradicts, name, invariant) in found.into_values() {
        let first = invariant.and_then(|invariant| invariant.clocks.first());
        let Some(span) = first.and_then(|first| facts.span(first.site)) else {
            continue;
        };
        if contradicts {
            let message = format!("no values of the clocks satisfy the invariant of `{name}`");
            out.push(Diagnostic::warning(
                "unsatisfiable-invariant",
                message,
                span,
            ));
        }
    }
}

/// Whether the constraints with known bounds contradict each other: there is a negative cycle among the differences of clocks.
fn contradicts(invariant: &Invariant) -> bool {
    if (invariant.data.as_ref()).is_some_and(|data| data.as_const() == Some(0)) {
        return true;
    }
    // `left - right <= bound`; node 0 stands for the number 0. A strict bound is a little less, by so little that all of
    // them together do not make up for 1.
    let unit = invariant.clocks.len() as i64 + 1;
    let mut clocks: Vec<u32> = Vec::new();
    let mut arcs: Vec<(usize, usize, i64)> = Vec::new();
    for constraint in invariant
        .clocks
        .iter()
        .filter(|one| one.condition.is_none())
    {
        let Some(bound) = constraint.bound.as_const() else {
            continue;
        };
        let mut node = |clock: Option<merkhet_network::ClockId>| {
            let Some(clock) = clock else { return 0 };
            let known = clocks.iter().position(|one| *one == clock.0);
            known.map_or_else(
                || {
                    clocks.push(clock.0);
                    clocks.len()
                },
                |at| at + 1,
            )
        };
        let (left, right) = (node(constraint.left), node(constraint.right));
        let weight = unit * i64::from(bound) - i64::from(constraint.strict);
        arcs.push((right, left, weight));
    }
    // Clocks are never negative.
    arcs.extend((1..=clocks.len()).map(|clock| (clock, 0, 0)));
    let mut distance = vec![0_i64; clocks.len() + 1];
    for _ in 0..=clocks.len() {
        let mut changed = false;
        for &(from, to, weight) in &arcs {
            if distance[from] + weight < distance[to] {
                distance[to] = distance[from] + weight;
                changed = true;
            }
        }
        if !changed {
            return false;
        }
    }
    true
}
