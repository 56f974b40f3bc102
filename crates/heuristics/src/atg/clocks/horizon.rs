//! How many edges a process must take so that time can pass.
//!
//! Take a process and a clock z that it alone sets. While the process is at a location with invariant `z ≤ k`, at most k
//! time units have passed since the last reset of z. So the longest time since now-last-reset in which n edges suffice is
//!
//! > F(0, l) = k(l),  F(n, l) = max of F(n − 1, l), and over edges l → m: k(l) + F(n − 1, m) if it resets z, F(n − 1, m) if not
//!
//! where an upper bound of z in the edge's guard counts like k(l). At an urgent or committed location no time passes: k is
//! the largest value that z can have on arrival. Data and partners do not count, except for variables that this process
//! alone writes, and only constants: their values are a part of what is called location above. All this
//! over-approximates what the process can do, so that fewer edges than the table says never suffice.

use merkhet_network::{ClockId, LocationKind, Network, ProcessId, Sync};
use merkhet_zones::bound::constant;

use super::facts::ClockFacts;
use crate::tuning::{GRAPH_EDGES, GRAPH_PLACES};
use merkhet_network::tuning::Tuning;

/// Any time.
const FOREVER: i32 = i32::MAX;

/// An edge of a process, as far as it is compiled.
pub(in crate::atg) struct HorizonEdge {
    pub edge: merkhet_network::EdgeId,
    pub source: u32,
    pub target: u32,
    /// Permitted values of cells.
    pub masks: Vec<(u32, u64)>,
    /// What it sets cells to.
    pub sets: Vec<(u32, i32)>,
}

/// A process.
pub(in crate::atg) struct HorizonInput {
    pub process: ProcessId,
    pub edges: Vec<HorizonEdge>,
    /// The cells that it alone writes, by constants only: number, lowest and highest value.
    pub own: Vec<(u32, i32, i32)>,
}

/// A coordinate of a node: a cell of a state's memory.
#[derive(Clone, Copy, Debug)]
struct Coordinate {
    at: usize,
    cell: u32,
    low: i32,
    size: usize,
    stride: usize,
}

/// The table of a process and a clock.
#[derive(Clone, Debug)]
pub(in crate::atg) struct Horizon {
    pub process: ProcessId,
    /// The clock's row in zones.
    pub row: usize,
    coordinates: Vec<Coordinate>,
    /// The entries for each node: F for 0, 1, … edges.
    entries: usize,
    table: Vec<i32>,
    /// Whether more edges would not change anything.
    complete: bool,
}

struct Arc {
    from: usize,
    to: usize,
    /// Resets the clock, which is at most this then, to the second value.
    reset: Option<(i32, i32)>,
}

impl Horizon {
    /// The tables that say something.
    pub fn all(facts: &ClockFacts<'_>, inputs: &[HorizonInput], tuning: &Tuning) -> Vec<Horizon> {
        let of = |input: &HorizonInput| -> Vec<Horizon> {
            let clocks = facts.network().clock_ids();
            let measuring = clocks.filter(|clock| facts.measures(input.process, *clock));
            measuring
                .filter_map(|clock| Horizon::new(facts, input, clock, tuning))
                .collect()
        };
        inputs.iter().flat_map(of).collect()
    }

    fn new(
        facts: &ClockFacts<'_>,
        input: &HorizonInput,
        clock: ClockId,
        tuning: &Tuning,
    ) -> Option<Horizon> {
        let network = facts.network();
        let bounds = invariants(facts, input.process, clock);
        if bounds.iter().all(|bound| *bound == FOREVER) {
            return None;
        }
        let coordinates = coordinates(network, input, tuning.count(&GRAPH_PLACES));
        let nodes = coordinates.last().map_or(1, |last| last.stride * last.size);
        let arcs = arcs(facts, input, clock, &coordinates, nodes);
        let longest = longest_stays(network, input.process, &bounds, &coordinates, &arcs, nodes);
        let mut horizon = Horizon {
            process: input.process,
            row: clock.index() + 1,
            coordinates,
            entries: 0,
            table: Vec::new(),
            complete: false,
        };
        horizon.fill(&longest, &arcs, tuning.count(&GRAPH_EDGES));
        // Useful if some place does not let time pass for ever.
        longest
            .iter()
            .any(|stay| *stay != FOREVER)
            .then_some(horizon)
    }

    /// Edges beyond `most` are not told apart.
    fn fill(&mut self, longest: &[i32], arcs: &[Arc], most: usize) {
        let mut rows: Vec<Vec<i32>> = vec![longest.to_vec()];
        while rows.len() <= most && !self.complete {
            let last = &rows[rows.len() - 1];
            let mut next = last.clone();
            for arc in arcs {
                let time = match arc.reset {
                    // What the clock is set to, if not 0, would only shorten the time.
                    Some((bound, _)) => {
                        let taken = longest[arc.from].min(bound);
                        match (taken, last[arc.to]) {
                            (FOREVER, _) | (_, FOREVER) => FOREVER,
                            (taken, then) => taken.saturating_add(then),
                        }
                    }
                    None => last[arc.to],
                };
                next[arc.from] = next[arc.from].max(time);
            }
            self.complete = next == *last;
            rows.push(next);
        }
        self.entries = rows.len();
        self.table = (0..longest.len())
            .flat_map(|node| rows.iter().map(move |row| row[node]))
            .collect();
    }

    /// Whether it depends on this cell of a state's memory.
    pub fn reads(&self, cell: usize) -> bool {
        self.coordinates.iter().any(|one| one.at == cell)
    }

    /// The fewest edges that the process takes before `time` has passed since the last reset of the clock; `None` if it
    /// never lets so much pass.
    pub fn moves(&self, memory: &[i32], time: i64) -> Option<u32> {
        let mut node = 0;
        for coordinate in &self.coordinates {
            let value = (memory[coordinate.at] - coordinate.low) as usize;
            if value >= coordinate.size {
                return Some(0);
            }
            node += value * coordinate.stride;
        }
        let row = &self.table[node * self.entries..(node + 1) * self.entries];
        let moves = row.partition_point(|longest| i64::from(*longest) < time);
        let never = moves == row.len() && self.complete;
        (!never).then_some(moves as u32)
    }
}

/// By location, the bound of the clock in its invariant.
fn invariants(facts: &ClockFacts<'_>, process: ProcessId, clock: ClockId) -> Vec<i32> {
    let locations = &facts.network().process(process).locations;
    let bound = |constraints| {
        let uppers = facts.upper_of(constraints);
        let uppers = uppers.filter(|(known, _)| *known == clock);
        uppers.map(|(_, bound)| constant(bound)).min()
    };
    let bounds = locations.iter().map(|one| bound(&one.invariant.clocks));
    bounds.map(|bound| bound.unwrap_or(FOREVER)).collect()
}

/// The location, and the process's own variables as far as there is room.
fn coordinates(network: &Network, input: &HorizonInput, most: usize) -> Vec<Coordinate> {
    let mut nodes = network.process(input.process).locations.len();
    let mut coordinates = vec![Coordinate {
        at: input.process.index(),
        cell: u32::MAX,
        low: 0,
        size: nodes,
        stride: 1,
    }];
    for (cell, low, high) in &input.own {
        let size = (high - low) as usize + 1;
        if nodes * size <= most {
            coordinates.push(Coordinate {
                at: network.processes.len() + *cell as usize,
                cell: *cell,
                low: *low,
                size,
                stride: nodes,
            });
            nodes *= size;
        }
    }
    coordinates
}

fn arcs(
    facts: &ClockFacts<'_>,
    input: &HorizonInput,
    clock: ClockId,
    coordinates: &[Coordinate],
    nodes: usize,
) -> Vec<Arc> {
    let mut arcs = Vec::new();
    for edge in &input.edges {
        let source = facts.edge(input.process, edge.edge);
        let resets = facts.resets(source);
        let set = resets.iter().find(|(set, _)| *set == clock);
        let mut guards = facts.upper_of(&source.guard.clocks);
        let bound = guards.find(|(known, _)| *known == clock);
        let bound = bound.map_or(FOREVER, |(_, bound)| constant(bound));
        for from in (0..nodes).filter(|node| permits(edge, coordinates, *node)) {
            let to = target(edge, coordinates, from);
            let reset = set.map(|(_, value)| (bound, *value));
            arcs.extend(to.map(|to| Arc { from, to, reset }));
        }
    }
    arcs
}

fn permits(edge: &HorizonEdge, coordinates: &[Coordinate], node: usize) -> bool {
    coordinates.iter().all(|coordinate| {
        let value = node / coordinate.stride % coordinate.size;
        match coordinate.cell {
            u32::MAX => value == edge.source as usize,
            cell => {
                let mut masks = edge.masks.iter().filter(|(known, _)| *known == cell);
                masks.all(|(_, mask)| mask & (1 << value) != 0)
            }
        }
    })
}

/// Where the edge leads; nothing if it sets a variable outside its range, which no run survives.
fn target(edge: &HorizonEdge, coordinates: &[Coordinate], from: usize) -> Option<usize> {
    let mut to = 0;
    for coordinate in coordinates {
        let value = match coordinate.cell {
            u32::MAX => edge.target as usize,
            cell => {
                let last = edge.sets.iter().rfind(|(known, _)| *known == cell);
                match last {
                    Some((_, value)) => usize::try_from(value - coordinate.low).ok()?,
                    None => from / coordinate.stride % coordinate.size,
                }
            }
        };
        if value >= coordinate.size {
            return None;
        }
        to += value * coordinate.stride;
    }
    Some(to)
}

/// By node, the largest value that the clock can have there.
fn longest_stays(
    network: &Network,
    process: ProcessId,
    bounds: &[i32],
    coordinates: &[Coordinate],
    arcs: &[Arc],
    nodes: usize,
) -> Vec<i32> {
    let locations = &network.process(process).locations;
    let location = |node: usize| node % coordinates[0].size;
    let normal = |node: usize| locations[location(node)].kind == LocationKind::Normal;
    let mut longest: Vec<i32> = (0..nodes)
        .map(|node| match normal(node) {
            true => bounds[location(node)],
            false => 0,
        })
        .collect();
    loop {
        let mut changed = false;
        for arc in arcs.iter().filter(|arc| !normal(arc.to)) {
            let arrival = match arc.reset {
                Some((_, value)) => value,
                None => longest[arc.from],
            };
            let arrival = arrival.min(bounds[location(arc.to)]);
            if arrival > longest[arc.to] {
                longest[arc.to] = arrival;
                changed = true;
            }
        }
        if !changed {
            return longest;
        }
    }
}

/// By table, a number that it shares with those whose processes may move in one transition, directly or through others that
/// have a table.
pub(super) fn groups(network: &Network, horizons: &[Horizon]) -> Vec<usize> {
    let mut groups: Vec<usize> = (0..horizons.len()).collect();
    for left in 0..horizons.len() {
        for right in 0..left {
            let (p, q) = (horizons[left].process, horizons[right].process);
            if groups[left] != groups[right] && (p == q || move_together(network, p, q)) {
                let (from, to) = (groups[left], groups[right]);
                groups
                    .iter_mut()
                    .filter(|one| **one == from)
                    .for_each(|one| *one = to);
            }
        }
    }
    groups
}

fn move_together(network: &Network, p: ProcessId, q: ProcessId) -> bool {
    let syncs = |process| network.process(process).edges.iter().map(|edge| edge.sync);
    let channels = |process| -> std::collections::BTreeSet<u32> {
        let channel = |sync| match sync {
            Sync::Send(channel) | Sync::Receive(channel) => Some(channel.0),
            Sync::Internal | Sync::Event(_) => None,
        };
        syncs(process).filter_map(channel).collect()
    };
    let takes_part = |process| {
        move |vector: &&merkhet_network::SyncVector| {
            let mut participants = vector.participants.iter();
            participants.any(|one| one.process == process)
        }
    };
    let mut vectors = network.vectors.iter().filter(takes_part(p));
    vectors.any(|vector| takes_part(q)(&vector)) || !channels(p).is_disjoint(&channels(q))
}
