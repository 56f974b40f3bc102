//! What the edges of a network touch and with whom they synchronise.

use super::Limits;
use merkhet_network::footprint::{Footprint, Footprints};
use merkhet_network::{
    Address, ChannelKind, ClockConstraint, Edge, Expr, Formula, Invariant, LocationKind, Network,
    ProcessId, Region, Sync,
};

/// What an edge touches.
#[derive(Clone, Debug, Default)]
pub(super) struct EdgeFacts {
    /// By its guard: conditions and bounds of clock constraints too.
    pub guard: Footprint,
    /// By its updates.
    pub update: Footprint,
}

impl EdgeFacts {
    pub fn reads(&self, cell: Address) -> bool {
        self.guard.reads.contains(cell) || self.update.reads.contains(cell)
    }

    /// Whether it mentions where the process is (its own location aside).
    pub fn looks_at(&self, process: ProcessId) -> bool {
        self.guard.locations.contains(&process) || self.update.locations.contains(&process)
    }
}

/// The facts of a whole network.
pub(super) struct Facts<'n> {
    pub network: &'n Network,
    /// For each process, for each edge.
    pub edges: Vec<Vec<EdgeFacts>>,
    /// What some invariant or rate reads.
    pub invariants: Footprint,
    pub limits: Limits,
}

impl<'n> Facts<'n> {
    pub fn new(network: &'n Network, limits: Limits) -> Facts<'n> {
        let mut prints = Footprints::new(network);
        let mut invariants = Footprint::default();
        let mut edges = Vec::new();
        for process in &network.processes {
            for location in &process.locations {
                invariants.extend(&of_invariant(&mut prints, &location.invariant));
            }
            edges.push(
                process
                    .edges
                    .iter()
                    .map(|edge| of_edge(&mut prints, edge))
                    .collect(),
            );
        }
        Facts {
            network,
            edges,
            invariants,
            limits,
        }
    }

    /// All edges with their processes and facts.
    pub fn all(&self) -> impl Iterator<Item = (ProcessId, &'n Edge, &EdgeFacts)> {
        self.network
            .processes
            .iter()
            .zip(&self.edges)
            .enumerate()
            .flat_map(|(process, (edges, facts))| {
                let with_process = move |(edge, facts)| (ProcessId::from(process), edge, facts);
                edges.edges.iter().zip(facts).map(with_process)
            })
    }

    /// Whether the edge starts at a committed location.
    pub fn committed(&self, process: ProcessId, edge: &Edge) -> bool {
        self.network.location(process, edge.source).kind == LocationKind::Committed
    }

    /// The edges of other processes that may take part in a transition with this one.
    pub fn partners(
        &self,
        process: ProcessId,
        edge: &Edge,
    ) -> impl Iterator<Item = (ProcessId, &'n Edge, &EdgeFacts)> {
        let sync = edge.sync;
        self.all().filter(move |(other, candidate, _)| {
            *other != process && self.joins(process, sync, *other, candidate.sync)
        })
    }

    fn joins(&self, one: ProcessId, sync: Sync, other: ProcessId, its: Sync) -> bool {
        match (sync, its) {
            (Sync::Send(channel), Sync::Receive(same))
            | (Sync::Receive(channel), Sync::Send(same)) => channel == same,
            (Sync::Receive(channel), Sync::Receive(same)) => {
                channel == same
                    && self.network.channels[channel.index()].kind == ChannelKind::Broadcast
            }
            (Sync::Event(event), Sync::Event(its)) => self.network.vectors.iter().any(|vector| {
                let takes = |process, event| {
                    vector
                        .participants
                        .iter()
                        .any(|part| part.process == process && part.event == event)
                };
                takes(one, event) && takes(other, its)
            }),
            _ => false,
        }
    }

    /// Whether others go on without this edge where it is not enabled: then being enabled more often forbids them
    /// something.
    pub fn optional(&self, process: ProcessId, sync: Sync) -> bool {
        match sync {
            Sync::Internal | Sync::Send(_) => false,
            Sync::Receive(channel) => {
                self.network.channels[channel.index()].kind == ChannelKind::Broadcast
            }
            Sync::Event(event) => self.network.vectors.iter().any(|vector| {
                let mut parts = vector.participants.iter();
                parts.any(|part| part.process == process && part.event == event && part.weak)
            }),
        }
    }

    /// Whether no time passes while the edge is enabled.
    pub fn urgent(&self, sync: Sync) -> bool {
        match sync {
            Sync::Send(channel) | Sync::Receive(channel) => {
                self.network.channels[channel.index()].urgent
            }
            Sync::Internal | Sync::Event(_) => false,
        }
    }
}

fn of_edge(prints: &mut Footprints<'_>, edge: &Edge) -> EdgeFacts {
    let mut guard = Footprint::default();
    if let Some(data) = &edge.guard.data {
        guard.extend(&prints.expr(data));
    }
    for constraint in &edge.guard.clocks {
        guard.extend(&of_constraint(prints, constraint));
    }
    EdgeFacts {
        guard,
        update: prints.stmts(&edge.update),
    }
}

/// What a constraint reads; its clocks count as read.
pub(super) fn of_constraint(
    prints: &mut Footprints<'_>,
    constraint: &ClockConstraint,
) -> Footprint {
    let mut found = prints.expr(&constraint.bound);
    if let Some(condition) = &constraint.condition {
        found.extend(&prints.expr(condition));
    }
    found
        .clocks_read
        .extend(constraint.left.iter().chain(&constraint.right));
    found.extend(&Footprint::default()); // sorts
    found
}

/// What an invariant reads.
pub(super) fn of_invariant(prints: &mut Footprints<'_>, invariant: &Invariant) -> Footprint {
    let mut found = Footprint::default();
    if let Some(data) = &invariant.data {
        found.extend(&prints.expr(data));
    }
    for constraint in &invariant.clocks {
        found.extend(&of_constraint(prints, constraint));
    }
    for rate in &invariant.rates {
        found.extend(&prints.expr(&rate.value));
        found.clocks_read.push(rate.clock);
    }
    found.extend(&Footprint::default());
    found
}

/// What a formula reads.
pub(super) fn of_formula(prints: &mut Footprints<'_>, formula: &Formula) -> Footprint {
    let mut found = Footprint::default();
    match formula {
        Formula::Data(expr) => found.extend(&prints.expr(expr)),
        Formula::Clock(constraint) => found.extend(&of_constraint(prints, constraint)),
        Formula::Deadlock => {}
        Formula::Not(inner) => found.extend(&of_formula(prints, inner)),
        Formula::And(parts) | Formula::Or(parts) => {
            for part in parts {
                found.extend(&of_formula(prints, part));
            }
        }
    }
    found
}

/// Whether an invariant asks for nothing.
pub(super) fn is_empty(invariant: &Invariant) -> bool {
    invariant
        .data
        .as_ref()
        .is_none_or(|data| *data == Expr::TRUE)
        && invariant.clocks.is_empty()
        && invariant.rates.is_empty()
}

/// Whether a footprint touches only this cell of what lasts (and locals and constants).
pub(super) fn only(found: &Footprint, cell: Address) -> bool {
    let lasting = |address: &Address| matches!(address.region, Region::State | Region::Meta);
    let mut cells = found.reads.iter().chain(found.writes.iter());
    found.clocks_set.is_empty()
        && found.clocks_read.is_empty()
        && found.locations.is_empty()
        && cells.all(|address| !lasting(&address) || address == cell)
}
