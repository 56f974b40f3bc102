//! Groups of parts that have nothing to do with each other.
//!
//! Section 3's remark: where the causal graph falls into several weakly connected components, a goal that is a
//! conjunction can be reached if each component can reach its part of it; the runs follow one after the other. Time
//! would tie the components together, and committed locations and priorities do too, so that the remark holds for
//! networks without them only. Here parts belong together where some transition touches both, which is a little coarser
//! than the causal graph.

use merkhet_network::footprint::{Footprint, Footprints};
use merkhet_network::{ChannelId, Expr, Formula, LocationKind, Network, ProcessId, Region, Sync};

/// The groups of a network's processes and cells.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Groups {
    /// For each process the number of its group.
    pub processes: Vec<u32>,
    /// For each cell of the state likewise.
    pub cells: Vec<u32>,
}

impl Groups {
    /// The groups, if the network is of a kind where they are independent and there are several.
    pub fn of(network: &Network) -> Option<Groups> {
        if !is_untimed(network) {
            return None;
        }
        let processes = network.processes.len();
        let mut sets = Sets::new(processes + network.state_cells.len());
        let mut prints = Footprints::new(network);
        for process in network.process_ids() {
            let owner = network.process(process);
            let mut found = Footprint::default();
            for edge in &owner.edges {
                found.extend(&prints.stmts(&edge.update));
                if let Some(data) = &edge.guard.data {
                    found.extend(&prints.expr(data));
                }
            }
            for location in &owner.locations {
                if let Some(data) = &location.invariant.data {
                    found.extend(&prints.expr(data));
                }
            }
            sets.join_all(process.index(), touched(&found, processes)?);
        }
        for channel in (0..network.channels.len()).map(ChannelId::from) {
            sets.join_those(
                network,
                |sync| matches!(sync, Sync::Send(c) | Sync::Receive(c) if c == channel),
            );
        }
        for vector in &network.vectors {
            let first = vector.participants.first()?.process.index();
            let others = vector.participants.iter();
            sets.join_all(first, others.map(|part| part.process.index()).collect());
        }
        let of = |vertex: usize, sets: &mut Sets| sets.root(vertex) as u32;
        let groups = Groups {
            processes: (0..processes).map(|p| of(p, &mut sets)).collect(),
            cells: (processes..processes + network.state_cells.len())
                .map(|cell| of(cell, &mut sets))
                .collect(),
        };
        let several = groups.processes.iter().any(|g| *g != groups.processes[0]);
        several.then_some(groups)
    }

    /// The parts of a goal that belong to each group, if the goal (or its negation) is a conjunction over several.
    pub fn split(&self, network: &Network, goal: &Formula) -> Option<Vec<(u32, Formula)>> {
        let mut parts = Vec::new();
        conjuncts(goal, true, &mut parts);
        let mut prints = Footprints::new(network);
        let mut split: Vec<(u32, Vec<Formula>)> = Vec::new();
        for part in parts {
            let group = self.group_of(&mut prints, &part)?;
            match split.iter_mut().find(|(known, _)| *known == group) {
                Some((_, formulas)) => formulas.push(part),
                None => split.push((group, vec![part])),
            }
        }
        let joined = |(group, formulas)| (group, Formula::And(formulas));
        (split.len() > 1).then(|| split.into_iter().map(joined).collect())
    }

    fn group_of(&self, prints: &mut Footprints<'_>, formula: &Formula) -> Option<u32> {
        let mut found = Footprint::default();
        collect(prints, formula, &mut found)?;
        let vertices = touched(&found, self.processes.len())?;
        let group = |vertex: &usize| match vertex.checked_sub(self.processes.len()) {
            Some(cell) => self.cells[cell],
            None => self.processes[*vertex],
        };
        let first = group(vertices.first()?);
        vertices.iter().all(|v| group(v) == first).then_some(first)
    }
}

fn is_untimed(network: &Network) -> bool {
    let plain = |process: &merkhet_network::Process| {
        process.locations.iter().all(|location| {
            location.kind == LocationKind::Normal
                && location.invariant.clocks.is_empty()
                && location.invariant.rates.is_empty()
        }) && process
            .edges
            .iter()
            .all(|edge| edge.guard.clocks.is_empty())
    };
    network.processes.iter().all(plain)
        && !network.has_priorities()
        && network.before_update.is_empty()
        && network.after_update.is_empty()
        && network.lattice_variables.is_empty()
}

/// The vertices that code touches; `None` if it touches `meta` variables, which belong to nobody.
fn touched(found: &Footprint, processes: usize) -> Option<Vec<usize>> {
    let mut vertices: Vec<usize> = found.locations.iter().map(|p| p.index()).collect();
    for cell in found.reads.iter().chain(found.writes.iter()) {
        match cell.region {
            Region::State => vertices.push(processes + cell.offset as usize),
            Region::Meta => return None,
            Region::Constant | Region::Local => {}
        }
    }
    Some(vertices)
}

fn collect(prints: &mut Footprints<'_>, formula: &Formula, found: &mut Footprint) -> Option<()> {
    match formula {
        Formula::Data(expr) => found.extend(&prints.expr(expr)),
        Formula::Clock(_) | Formula::Deadlock => return None,
        Formula::Not(inner) => collect(prints, inner, found)?,
        Formula::And(parts) | Formula::Or(parts) => {
            for part in parts {
                collect(prints, part, found)?;
            }
        }
    }
    Some(())
}

fn conjuncts(formula: &Formula, positive: bool, into: &mut Vec<Formula>) {
    match (formula, positive) {
        (Formula::Not(inner), _) => conjuncts(inner, !positive, into),
        (Formula::And(parts), true) | (Formula::Or(parts), false) => {
            parts
                .iter()
                .for_each(|part| conjuncts(part, positive, into));
        }
        (Formula::Data(Expr::And(parts)), true) | (Formula::Data(Expr::Or(parts)), false) => {
            for part in parts {
                conjuncts(&Formula::Data(part.clone()), positive, into);
            }
        }
        (other, true) => into.push(other.clone()),
        (other, false) => into.push(Formula::Not(Box::new(other.clone()))),
    }
}

/// Disjoint sets.
struct Sets(Vec<usize>);

impl Sets {
    fn new(count: usize) -> Sets {
        Sets((0..count).collect())
    }

    fn root(&mut self, mut vertex: usize) -> usize {
        while self.0[vertex] != vertex {
            self.0[vertex] = self.0[self.0[vertex]];
            vertex = self.0[vertex];
        }
        vertex
    }

    fn join_all(&mut self, first: usize, others: Vec<usize>) {
        for other in others {
            let (one, other) = (self.root(first), self.root(other));
            self.0[one.max(other)] = one.min(other);
        }
    }

    fn join_those(&mut self, network: &Network, takes_part: impl Fn(Sync) -> bool) {
        let takes_part = |process: &ProcessId| {
            let mut edges = network.process(*process).edges.iter();
            edges.any(|edge| takes_part(edge.sync))
        };
        let members: Vec<usize> = network
            .process_ids()
            .filter(takes_part)
            .map(ProcessId::index)
            .collect();
        if let Some(first) = members.first() {
            self.join_all(*first, members.clone());
        }
    }
}
