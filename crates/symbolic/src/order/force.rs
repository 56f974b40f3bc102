//! FORCE: an order with short spans (Aloul, Markov, Sakallah: "FORCE: a fast and easy-to-implement
//! variable-ordering heuristic", GLSVLSI 2003).
//!
//! Every constraint is an edge between its variables. Each round puts every variable at the
//! average of the centres of its edges; the best round (shortest total span) wins.

use crate::system::{System, VariableId};
use rustc_hash::FxHashSet;

/// Rounds after which no order improves much.
const MAX_ROUNDS: usize = 200;

/// An order in which variables that occur in one constraint stand near each other.
pub(super) fn structural_order(system: &System) -> Vec<VariableId> {
    let edges = edges(system);
    let declared: Vec<VariableId> = system.variable_ids().collect();
    let mut best = declared.clone();
    let mut least = total_span(&declared, &edges);
    for start in [declared.clone(), depth_first(system, &edges)] {
        let mut order = start;
        let mut stale = 0;
        for _ in 0..MAX_ROUNDS {
            let span = total_span(&order, &edges);
            if span < least {
                least = span;
                best = order.clone();
                stale = 0;
            } else {
                stale += 1;
                if stale > 20 {
                    break;
                }
            }
            order = round(&order, &edges);
        }
    }
    best
}

/// The sets of variables that occur together.
fn edges(system: &System) -> Vec<Vec<VariableId>> {
    let mut edges = FxHashSet::default();
    for event in crate::relation::event_supports(system) {
        if event.len() > 1 {
            edges.insert(event);
        }
    }
    for &id in system.invariants.iter().chain(&system.initial) {
        let support = system.support(&[id]).current;
        if support.len() > 1 {
            edges.insert(support.into_iter().collect());
        }
    }
    let mut edges: Vec<Vec<VariableId>> = edges.into_iter().collect();
    edges.sort(); // the same order on every run
    edges
}

fn positions(order: &[VariableId]) -> Vec<f64> {
    let mut positions = vec![0.0; order.len()];
    for (position, id) in order.iter().enumerate() {
        positions[id.index()] = position as f64;
    }
    positions
}

fn total_span(order: &[VariableId], edges: &[Vec<VariableId>]) -> f64 {
    let positions = positions(order);
    let span = |edge: &Vec<VariableId>| {
        let mut low = f64::INFINITY;
        let mut high = f64::NEG_INFINITY;
        for id in edge {
            low = low.min(positions[id.index()]);
            high = high.max(positions[id.index()]);
        }
        high - low
    };
    edges.iter().map(span).sum()
}

fn round(order: &[VariableId], edges: &[Vec<VariableId>]) -> Vec<VariableId> {
    let positions = positions(order);
    let mut sums = vec![(0.0, 0u32); order.len()];
    for edge in edges {
        let centre = edge.iter().map(|id| positions[id.index()]).sum::<f64>() / edge.len() as f64;
        for id in edge {
            sums[id.index()].0 += centre;
            sums[id.index()].1 += 1;
        }
    }
    let mut placed: Vec<(f64, VariableId)> = order
        .iter()
        .map(|&id| match sums[id.index()] {
            (_, 0) => (positions[id.index()], id),
            (sum, count) => (sum / f64::from(count), id),
        })
        .collect();
    placed.sort_by(|a, b| a.0.total_cmp(&b.0)); // stable: ties keep their order
    placed.into_iter().map(|(_, id)| id).collect()
}

/// Neighbours first: a walk through the graph of constraints, from the first variable.
fn depth_first(system: &System, edges: &[Vec<VariableId>]) -> Vec<VariableId> {
    let mut of_variable: Vec<Vec<usize>> = vec![Vec::new(); system.variables.len()];
    for (index, edge) in edges.iter().enumerate() {
        for id in edge {
            of_variable[id.index()].push(index);
        }
    }
    let mut seen = vec![false; system.variables.len()];
    let mut order = Vec::new();
    for root in system.variable_ids() {
        let mut stack = vec![root];
        while let Some(id) = stack.pop() {
            if std::mem::replace(&mut seen[id.index()], true) {
                continue;
            }
            order.push(id);
            let mut neighbours: Vec<&Vec<VariableId>> = of_variable[id.index()]
                .iter()
                .map(|&index| &edges[index])
                .collect();
            // Small constraints bind closest: they are visited first, so pushed last.
            neighbours.sort_by_key(|edge| std::cmp::Reverse(edge.len()));
            for edge in neighbours {
                stack.extend(edge.iter().rev().filter(|next| !seen[next.index()]));
            }
        }
    }
    order
}
