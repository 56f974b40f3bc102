//! Safe abstraction of an automaton.
//!
//! The automaton moves between its locations by edges that touch nothing else, and what it does together with others
//! are loops. Where its moves lead from every location to every other, it may as well be everywhere at once: in the
//! smaller network all loops are at one location.

use merkhet_network::code::{Machine, ProgramBuilder};
use merkhet_network::{Edge, EdgeId, Expr, LocationKind, Network, ProcessId, Region, Sync};

use super::facts::{EdgeFacts, Facts, is_empty};
use super::layer::{Layer, Move, Origin};
use super::{Kind, Part, Removed};

/// Merges the locations of a process if that is safe.
pub(super) fn remove(facts: &Facts<'_>, process: ProcessId) -> Option<(Network, Layer, Removed)> {
    let network = facts.network;
    let owner = network.process(process);
    let quiet = owner
        .locations
        .iter()
        .all(|location| location.kind == LocationKind::Normal && is_empty(&location.invariant));
    if owner.locations.len() < 2 || !quiet || facts.invariants.locations.contains(&process) {
        return None;
    }
    if facts.all().any(|(_, _, edge)| edge.looks_at(process)) {
        return None;
    }
    let own = &facts.edges[process.index()];
    let mut moves = Vec::new();
    for (index, edge) in owner.edges.iter().enumerate() {
        if edge.source == edge.target {
            continue;
        }
        if !is_free(network, edge, &own[index])? {
            continue;
        }
        moves.push(Move {
            process,
            edge: EdgeId::from(index),
            location: edge.source,
            from: edge.source.0 as i32,
            to: edge.target.0 as i32,
        });
    }
    let reached = connected(&moves, owner.initial.0 as i32)?;
    let here = |edge: &Edge| reached.contains(&(edge.source.0 as i32));
    let loops_can_wait = owner
        .edges
        .iter()
        .filter(|edge| edge.source == edge.target && here(edge))
        .all(|edge| can_wait(facts, process, edge));
    if !loops_can_wait {
        return None;
    }
    let mut smaller = network.clone();
    let mut origins: Vec<Vec<Origin>> = network
        .processes
        .iter()
        .map(|other| keep_all(other.edges.len()))
        .collect();
    let merged = &mut smaller.processes[process.index()];
    merged.edges.clear();
    origins[process.index()].clear();
    for (index, edge) in owner.edges.iter().enumerate() {
        if edge.source == edge.target && here(edge) {
            let mut edge = edge.clone();
            let need = Some(edge.source.0 as i32);
            (edge.source, edge.target) = (owner.initial, owner.initial);
            merged.edges.push(edge);
            let edge = EdgeId::from(index);
            origins[process.index()].push(Origin { edge, need });
        }
    }
    let mut layer = Layer::new(network, origins);
    layer.moves = moves;
    layer.initial = owner.initial.0 as i32;
    let removed = Removed {
        kind: Kind::Safe,
        part: Part::Process,
        name: owner.name.clone(),
        reason: format!(
            "it can go from any of its {} locations to any other at any time, and that changes nothing else",
            reached.len()
        ),
    };
    Some((smaller, layer, removed))
}

pub(super) fn keep_all(edges: usize) -> Vec<Origin> {
    let keep = |index| Origin {
        edge: EdgeId::from(index),
        need: None,
    };
    (0..edges).map(keep).collect()
}

/// Whether a proper edge moves its process alone and always: `Some(false)` if it can never be taken, `None` if it is
/// neither.
fn is_free(network: &Network, edge: &Edge, facts: &EdgeFacts) -> Option<bool> {
    let touches = |cells: &merkhet_network::footprint::CellSet| {
        cells
            .iter()
            .any(|cell| matches!(cell.region, Region::State | Region::Meta))
    };
    let alone = edge.sync == Sync::Internal
        && edge.guard.clocks.is_empty()
        && !facts.update.has_effects()
        && !touches(&facts.guard.reads)
        && !touches(&facts.update.reads)
        && facts.guard.locations.is_empty()
        && facts.update.locations.is_empty();
    if !alone {
        return None;
    }
    if edge
        .guard
        .data
        .as_ref()
        .is_none_or(|data| *data == Expr::TRUE)
        && edge.update.is_empty()
    {
        return Some(true);
    }
    let mut builder = ProgramBuilder::new(network);
    let guard = edge
        .guard
        .data
        .as_ref()
        .map(|data| builder.expression(data));
    let update = builder.statements(&edge.update);
    let program = builder.finish();
    let mut machine = Machine::new(&program);
    if let Some(guard) = guard
        && !machine.holds(&program, guard).ok()?
    {
        return Some(false);
    }
    machine.run(&program, update).ok().map(|()| true)
}

/// Whether the process can get to the loop before it is taken, and being able to take it more often forbids others
/// nothing; see the same question for readers of variables.
fn can_wait(facts: &Facts<'_>, process: ProcessId, edge: &Edge) -> bool {
    !facts.urgent(edge.sync)
        && !facts.optional(process, edge.sync)
        && facts
            .partners(process, edge)
            .all(|(other, partner, _)| !facts.committed(other, partner))
}

/// The locations that can be reached, if there are several and each can be reached from each.
fn connected(moves: &[Move], initial: i32) -> Option<Vec<i32>> {
    let closure = |forward: bool| {
        let mut reached = vec![initial];
        let mut next = 0;
        while next < reached.len() {
            for taken in moves {
                let (from, to) = match forward {
                    true => (taken.from, taken.to),
                    false => (taken.to, taken.from),
                };
                if from == reached[next] && !reached.contains(&to) {
                    reached.push(to);
                }
            }
            next += 1;
        }
        reached
    };
    let reached = closure(true);
    let back = closure(false);
    (reached.len() > 1 && reached.iter().all(|location| back.contains(location))).then_some(reached)
}
