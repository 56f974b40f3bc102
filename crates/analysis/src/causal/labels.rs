//! The labels of a network: its transitions, with what they affect and restrict.
//!
//! The paper's processes synchronise over global labels. Here a label is a transition: an edge alone, or the edges that
//! synchronise. It affects the automata that change their location and the variables that are written; it restricts
//! the automata that have other locations and the variables that are read (a copied value counts as read: there is one
//! label for each of its values).

use std::collections::BTreeSet;

use merkhet_network::footprint::{CellSet, Footprint, Footprints};
use merkhet_network::{ChannelId, Edge, Network, ProcessId, Region, Sync};

use super::Numbers;

/// What a transition does to the vertices; ascending.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Roles {
    /// Variables that it may change.
    pub affects: BTreeSet<u32>,
    /// Variables that it asks something of.
    pub restricts: BTreeSet<u32>,
}

impl Roles {
    fn extend(&mut self, other: &Roles) {
        self.affects.extend(&other.affects);
        self.restricts.extend(&other.restricts);
    }

    fn together(parts: &[&Roles]) -> Roles {
        let mut all = Roles::default();
        parts.iter().for_each(|part| all.extend(part));
        all
    }
}

/// More combinations of edges than this count as one transition with the roles of all.
const MOST_COMBINATIONS: usize = 1 << 14;

/// Calls `visit` with the roles of each transition and the number of transitions that have them.
pub(super) fn for_each(network: &Network, numbers: &Numbers, visit: &mut dyn FnMut(&Roles, u64)) {
    let mut prints = Footprints::new(network);
    let around = around(network, numbers, &mut prints);
    let mut edges: Vec<(ProcessId, &Edge, Roles)> = Vec::new();
    for process in network.process_ids() {
        for edge in &network.process(process).edges {
            let mut roles = of_edge(network, numbers, &mut prints, process, edge);
            roles.extend(&around);
            edges.push((process, edge, roles));
        }
    }
    for (_, _, roles) in edges
        .iter()
        .filter(|(_, edge, _)| edge.sync == Sync::Internal)
    {
        visit(roles, 1);
    }
    for channel in (0..network.channels.len()).map(ChannelId::from) {
        let with = |sync: Sync| edges.iter().filter(move |(_, edge, _)| edge.sync == sync);
        let sends: Vec<_> = with(Sync::Send(channel)).collect();
        let receives: Vec<_> = with(Sync::Receive(channel)).collect();
        pairs(&sends, &receives, visit);
        if network.channels[channel.index()].kind == merkhet_network::ChannelKind::Broadcast {
            sends.iter().for_each(|(_, _, roles)| visit(roles, 1));
        }
    }
    for vector in &network.vectors {
        let parts = vector.participants.iter().map(|part| {
            edges
                .iter()
                .filter(|(process, edge, _)| {
                    *process == part.process && edge.sync == Sync::Event(part.event)
                })
                .map(|(_, _, roles)| roles)
                .collect()
        });
        combinations(&parts.collect::<Vec<Vec<&Roles>>>(), visit);
    }
}

type Sided<'a> = &'a (ProcessId, &'a Edge, Roles);

fn pairs(sends: &[Sided<'_>], receives: &[Sided<'_>], visit: &mut dyn FnMut(&Roles, u64)) {
    if sends.len() * receives.len() > MOST_COMBINATIONS {
        let all: Vec<&Roles> = sends.iter().chain(receives).map(|(_, _, r)| r).collect();
        return visit(&Roles::together(&all), 1);
    }
    for (sender, _, sent) in sends {
        for (_, _, received) in receives.iter().filter(|(process, ..)| process != sender) {
            visit(&Roles::together(&[sent, received]), 1);
        }
    }
}

/// All ways to choose one edge of each participant; one that has none is left out.
fn combinations(parts: &[Vec<&Roles>], visit: &mut dyn FnMut(&Roles, u64)) {
    let parts: Vec<&Vec<&Roles>> = parts.iter().filter(|part| !part.is_empty()).collect();
    let count = parts
        .iter()
        .fold(1usize, |count, part| count.saturating_mul(part.len()));
    if parts.is_empty() {
        return;
    }
    if count > MOST_COMBINATIONS {
        let all: Vec<&Roles> = parts.iter().flat_map(|part| part.iter().copied()).collect();
        return visit(&Roles::together(&all), 1);
    }
    for number in 0..count {
        let mut rest = number;
        let chosen: Vec<&Roles> = parts
            .iter()
            .map(|part| {
                let one = part[rest % part.len()];
                rest /= part.len();
                one
            })
            .collect();
        visit(&Roles::together(&chosen), 1);
    }
}

fn of_edge(
    network: &Network,
    numbers: &Numbers,
    prints: &mut Footprints<'_>,
    process: ProcessId,
    edge: &Edge,
) -> Roles {
    let mut roles = Roles::default();
    if network.process(process).locations.len() > 1 {
        roles.restricts.insert(numbers.process(process));
    }
    if edge.source != edge.target {
        roles.affects.insert(numbers.process(process));
    }
    let mut found = prints.stmts(&edge.update);
    let conditions = edge.guard.clocks.iter();
    let conditions =
        conditions.flat_map(|clock| clock.condition.iter().chain(std::iter::once(&clock.bound)));
    for expr in edge.guard.data.iter().chain(conditions) {
        found.extend(&prints.expr(expr));
    }
    add(&mut roles, numbers, &found);
    roles
}

/// What runs around every transition.
fn around(network: &Network, numbers: &Numbers, prints: &mut Footprints<'_>) -> Roles {
    let mut roles = Roles::default();
    for code in [&network.before_update, &network.after_update] {
        add(&mut roles, numbers, &prints.stmts(code));
    }
    roles
}

fn add(roles: &mut Roles, numbers: &Numbers, found: &Footprint) {
    let vertices = |cells: &CellSet, into: &mut BTreeSet<u32>| {
        let states = cells.iter().filter(|cell| cell.region == Region::State);
        into.extend(states.map(|cell| numbers.cell(cell.offset)));
    };
    vertices(&found.writes, &mut roles.affects);
    vertices(&found.reads, &mut roles.restricts);
    let looked_at = found.locations.iter();
    roles
        .restricts
        .extend(looked_at.map(|process| numbers.process(*process)));
}
