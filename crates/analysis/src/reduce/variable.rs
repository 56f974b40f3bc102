//! Safe abstraction of a variable.
//!
//! The processes that drive a variable do so by loops that touch nothing else. Where those loops lead from every value
//! to every other, whoever reads the variable may as well choose the value that it likes: in the smaller network each
//! reading edge becomes one copy for each value.

use std::collections::BTreeMap;

use merkhet_network::code::{FaultKind, Machine, ProgramBuilder};
use merkhet_network::footprint::Footprints;
use merkhet_network::{Address, Edge, EdgeId, Network, OutOfRange, ProcessId, Region, Sync};

use super::facts::{Facts, only};
use super::layer::{Layer, Move, Origin};
use super::substitute::{self, Substituted};
use super::{Kind, Part, Removed};

/// The cells that some loop drives, ascending: those that may be removed.
pub(super) fn candidates(facts: &Facts<'_>) -> Vec<Address> {
    let mut cells: Vec<Address> = facts
        .all()
        .filter(|(_, edge, _)| is_loop(edge))
        .filter_map(|(_, _, facts)| {
            let mut written = facts
                .update
                .writes
                .iter()
                .filter(|cell| cell.region == Region::State);
            let first = written.next()?;
            written.next().is_none().then_some(first)
        })
        // A part of an element cannot go alone.
        .filter(|cell| !facts.network.is_in_lattice(*cell))
        .collect();
    cells.sort_unstable();
    cells.dedup();
    cells
}

/// Removes a variable if that is safe.
pub(super) fn remove(facts: &Facts<'_>, cell: Address) -> Option<(Network, Layer, Removed)> {
    let network = facts.network;
    let known = network.state_cells[cell.offset as usize];
    let size = i64::from(known.high) - i64::from(known.low) + 1;
    if size > facts.limits.values || facts.invariants.reads.contains(cell) {
        return None;
    }
    let independent = facts
        .all()
        .all(|(_, edge, facts)| !facts.update.writes.contains(cell) || drives(edge, facts, cell));
    if !independent || !readers_can_wait(facts, cell) {
        return None;
    }
    let moves = moves(facts, cell)?;
    let values = connected(network, &moves, known.initial)?;
    let (mut smaller, origins) = split(facts, cell, &values)?;
    let kept = &mut smaller.state_cells[cell.offset as usize];
    (kept.low, kept.high) = (kept.initial, kept.initial);
    let mut layer = Layer::new(network, origins);
    layer.moves = moves;
    layer.initial = known.initial;
    let mut drivers: Vec<&str> = layer
        .moves
        .iter()
        .map(|taken| network.process(taken.process).name.as_str())
        .collect();
    drivers.dedup();
    let removed = Removed {
        kind: Kind::Safe,
        part: Part::Variable,
        name: network.cell_name(cell),
        reason: format!(
            "{} can set it to any of its {} values at any time, and that changes nothing else",
            drivers.join(", "),
            values.len()
        ),
    };
    Some((smaller, layer, removed))
}

fn is_loop(edge: &Edge) -> bool {
    edge.sync == Sync::Internal && edge.source == edge.target && edge.guard.clocks.is_empty()
}

/// Whether the edge touches nothing but the variable.
fn drives(edge: &Edge, facts: &super::facts::EdgeFacts, cell: Address) -> bool {
    is_loop(edge) && only(&facts.guard, cell) && only(&facts.update, cell)
}

/// Whether the variable can be given a value before every edge that reads it, and being able to take such an edge more
/// often forbids others nothing.
///
/// * A committed location stops the drivers, so that nobody who reads may take part in a transition from one.
/// * An urgent channel stops time when the edge is enabled; a broadcast's receiver must take part when it is.
/// * Two edges of one transition must not choose different values.
fn readers_can_wait(facts: &Facts<'_>, cell: Address) -> bool {
    facts.all().all(|(process, edge, own)| {
        if !own.reads(cell) || drives(edge, own, cell) {
            return true;
        }
        let must_take_part = facts.optional(process, edge.sync) && own.guard.reads.contains(cell);
        let cannot_wait =
            facts.urgent(edge.sync) || must_take_part || facts.committed(process, edge);
        !cannot_wait
            && facts
                .partners(process, edge)
                .all(|(other, partner, its)| !its.reads(cell) && !facts.committed(other, partner))
    })
}

/// What the drivers do, value by value; `None` if one of them can fail.
fn moves(facts: &Facts<'_>, cell: Address) -> Option<Vec<Move>> {
    let network = facts.network;
    let known = network.state_cells[cell.offset as usize];
    let mut builder = ProgramBuilder::new(network);
    let mut codes = Vec::new();
    for (process, owner) in network.processes.iter().enumerate() {
        for (index, edge) in owner.edges.iter().enumerate() {
            let own = &facts.edges[process][index];
            if own.update.writes.contains(cell) {
                let guard = edge
                    .guard
                    .data
                    .as_ref()
                    .map(|data| builder.expression(data));
                let update = builder.statements(&edge.update);
                codes.push((
                    ProcessId::from(process),
                    EdgeId::from(index),
                    edge.source,
                    guard,
                    update,
                ));
            }
        }
    }
    let program = builder.finish();
    let slot = program.layout().address(cell);
    let mut machine = Machine::new(&program);
    let mut moves = Vec::new();
    for from in known.low..=known.high {
        for (process, edge, location, guard, update) in &codes {
            machine.memory[slot] = from;
            if let Some(guard) = guard
                && !machine.holds(&program, *guard).ok()?
            {
                continue;
            }
            match machine.run(&program, *update) {
                Ok(()) => {}
                Err(fault)
                    if network.out_of_range == OutOfRange::Disable
                        && matches!(fault.kind, FaultKind::OutOfRange { .. }) =>
                {
                    continue;
                }
                Err(_) => return None,
            }
            let to = machine.memory[slot];
            if to != from {
                moves.push(Move {
                    process: *process,
                    edge: *edge,
                    location: *location,
                    from,
                    to,
                });
            }
        }
    }
    Some(moves)
}

/// The values that can be reached, if each can be reached from each, wherever the drivers are.
fn connected(network: &Network, moves: &[Move], initial: i32) -> Option<Vec<i32>> {
    // A change counts if some process can make it from each of its locations.
    let mut places: BTreeMap<(ProcessId, i32, i32), Vec<u32>> = BTreeMap::new();
    for taken in moves {
        let key = (taken.process, taken.from, taken.to);
        places.entry(key).or_default().push(taken.location.0);
    }
    let mut steps = Vec::new();
    for ((process, from, to), mut locations) in places {
        locations.sort_unstable();
        locations.dedup();
        if locations.len() == network.process(process).locations.len() {
            steps.push((from, to));
        }
    }
    // Where a driver can go besides, from some of its locations, must lead back too.
    let all: Vec<(i32, i32)> = moves.iter().map(|taken| (taken.from, taken.to)).collect();
    let values = closure(&all, initial, |(from, to)| (from, to));
    let forward = closure(&steps, initial, |(from, to)| (from, to));
    let backward = closure(&steps, initial, |(from, to)| (to, from));
    (values.len() > 1 && values == forward && values.iter().all(|v| backward.contains(v)))
        .then_some(values)
}

fn closure(
    steps: &[(i32, i32)],
    initial: i32,
    direction: impl Fn((i32, i32)) -> (i32, i32),
) -> Vec<i32> {
    let mut reached = vec![initial];
    let mut next = 0;
    while next < reached.len() {
        for step in steps {
            let (from, to) = direction(*step);
            if from == reached[next] && !reached.contains(&to) {
                reached.push(to);
            }
        }
        next += 1;
    }
    reached.sort_unstable();
    reached
}

/// The network without the drivers' loops and with a copy of each reading edge for each value. `None` if the variable
/// is read in a way that cannot be replaced (through functions or run-time indices) or the copies are too many.
fn split(facts: &Facts<'_>, cell: Address, values: &[i32]) -> Option<(Network, Vec<Vec<Origin>>)> {
    let mut smaller = facts.network.clone();
    let mut prints = Footprints::new(facts.network);
    let mut all_origins = Vec::new();
    let mut total = 0;
    for (process, owner) in facts.network.processes.iter().enumerate() {
        let mut edges: Vec<Edge> = Vec::new();
        let mut origins = Vec::new();
        for (index, edge) in owner.edges.iter().enumerate() {
            let own = &facts.edges[process][index];
            if own.update.writes.contains(cell) {
                continue;
            }
            let origin = EdgeId::from(index);
            if !own.reads(cell) {
                edges.push(edge.clone());
                origins.push(Origin {
                    edge: origin,
                    need: None,
                });
                continue;
            }
            let first = edges.len();
            for value in values {
                match substitute::edge(facts.network, &mut prints, edge, cell, *value) {
                    Substituted::StillRead => return None,
                    Substituted::Never => {}
                    Substituted::Edge(copy) if edges[first..].contains(&copy) => {}
                    Substituted::Edge(copy) => {
                        edges.push(*copy);
                        origins.push(Origin {
                            edge: origin,
                            need: Some(*value),
                        });
                    }
                }
            }
            total += edges.len() - first;
            if total > facts.limits.copies {
                return None;
            }
        }
        smaller.processes[process].edges = edges;
        all_origins.push(origins);
    }
    Some((smaller, all_origins))
}
