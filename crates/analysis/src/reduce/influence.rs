//! The cone of influence: what the query does not depend on is left out.
//!
//! The textbook's cone (Clarke, Grumberg, Peled: Model Checking) follows data and synchronisation. Here time comes in:
//! a process with an invariant, an urgent or committed location or an urgent channel can stop the others, so that it
//! always counts. A process that stays takes with it whoever synchronises with it, receivers of its broadcasts
//! included. What could fail stays too, because a failure is an answer of its own.

use merkhet_network::footprint::{Footprint, Footprints};
use merkhet_network::{
    Address, ClockId, Edge, Formula, LocationKind, Network, ProcessId, Region, Stmt,
};

use super::facts::{EdgeFacts, Facts, is_empty, of_formula};
use super::faults::cannot_fail;
use super::layer::Layer;
use super::process::keep_all;
use super::{Kind, Part, Reduction, Removed};

/// Removes all that the formula does not depend on.
pub(super) fn reduce(reduction: &mut Reduction, formula: &Formula) {
    let network = &reduction.network;
    let facts = Facts::new(network, reduction.limits);
    let cone = Cone::of(&facts, formula);
    if let Some((smaller, layer, removed)) = cone.cut(&facts) {
        reduction.push(smaller, layer, removed);
    }
}

/// What counts.
struct Cone {
    processes: Vec<bool>,
    cells: Vec<bool>,
    clocks: Vec<bool>,
    /// For each process, for each edge: whether it cannot fail, whatever the state.
    sure: Vec<Vec<bool>>,
    changed: bool,
}

impl Cone {
    fn of(facts: &Facts<'_>, formula: &Formula) -> Cone {
        let network = facts.network;
        let mut cone = Cone {
            processes: vec![false; network.processes.len()],
            cells: vec![false; network.state_cells.len()],
            clocks: vec![false; network.clocks.len()],
            sure: sure(facts),
            changed: true,
        };
        cone.read(&of_formula(&mut Footprints::new(network), formula));
        cone.read(&facts.invariants);
        for process in network.process_ids() {
            if can_stop_others(facts, process) {
                cone.process(process);
            }
        }
        let mut prints = Footprints::new(network);
        // A joining strategy may be any function of the state; it should be the same one in the smaller network.
        for test in network.lattices.iter().filter_map(|l| l.joinable.as_ref()) {
            cone.read(&prints.expr(test));
        }
        while std::mem::take(&mut cone.changed) {
            cone.complete_elements(network);
            for process in network.process_ids() {
                let edges = network.process(process).edges.iter();
                let all = edges.zip(&facts.edges[process.index()]).enumerate();
                for (index, (edge, own)) in all {
                    if cone.processes[process.index()] {
                        let sure = cone.sure[process.index()][index];
                        cone.edge(facts, &mut prints, process, edge, own, sure);
                    } else if cone.is_written(&own.update) {
                        cone.process(process);
                    }
                }
            }
        }
        cone
    }

    fn process(&mut self, process: ProcessId) {
        self.changed |= !std::mem::replace(&mut self.processes[process.index()], true);
    }

    fn cell(&mut self, cell: Address) {
        if cell.region == Region::State {
            self.changed |= !std::mem::replace(&mut self.cells[cell.offset as usize], true);
        }
    }

    fn clock(&mut self, clock: ClockId) {
        self.changed |= !std::mem::replace(&mut self.clocks[clock.index()], true);
    }

    /// Elements of lattices are compared and joined as wholes.
    fn complete_elements(&mut self, network: &Network) {
        for variable in &network.lattice_variables {
            let cells = network.lattice_cells(variable);
            if self.cells[cells.clone()].contains(&true) {
                self.changed |= self.cells[cells.clone()].contains(&false);
                self.cells[cells].fill(true);
            }
        }
    }

    fn read(&mut self, found: &Footprint) {
        found.reads.iter().for_each(|cell| self.cell(cell));
        found
            .clocks_read
            .iter()
            .for_each(|clock| self.clock(*clock));
        found
            .locations
            .iter()
            .for_each(|process| self.process(*process));
    }

    /// Whether code changes something that counts; `meta` variables always do.
    fn is_written(&self, found: &Footprint) -> bool {
        let counts = |cell: Address| match cell.region {
            Region::State => self.cells[cell.offset as usize],
            Region::Meta => true,
            Region::Constant | Region::Local => false,
        };
        found.writes.iter().any(counts)
            || found
                .clocks_set
                .iter()
                .any(|clock| self.clocks[clock.index()])
    }

    /// An edge of a process that counts.
    fn edge(
        &mut self,
        facts: &Facts<'_>,
        prints: &mut Footprints<'_>,
        process: ProcessId,
        edge: &Edge,
        own: &EdgeFacts,
        sure: bool,
    ) {
        self.read(&own.guard);
        for (other, ..) in facts.partners(process, edge) {
            self.process(other);
        }
        for statement in &edge.update {
            let found = prints.stmts(std::slice::from_ref(statement));
            if self.is_written(&found) || !is_plain(statement) || !sure {
                self.read(&found);
                found.writes.iter().for_each(|cell| self.cell(cell));
                found.clocks_set.iter().for_each(|clock| self.clock(*clock));
            }
        }
    }

    /// The network without what does not count; `None` if everything does.
    fn cut(&self, facts: &Facts<'_>) -> Option<(Network, Layer, Vec<Removed>)> {
        let network = facts.network;
        let mut smaller = network.clone();
        let mut removed = Vec::new();
        let mut origins = Vec::new();
        let mut prints = Footprints::new(network);
        let remove = |part, name: &str, reason: &str| Removed {
            kind: Kind::Influence,
            part,
            name: name.to_string(),
            reason: reason.to_string(),
        };
        for process in network.process_ids() {
            let kept = &mut smaller.processes[process.index()];
            if self.processes[process.index()] {
                for edge in &mut kept.edges {
                    let counts = |statement: &Stmt| {
                        !is_plain(statement)
                            || self.is_written(&prints.stmts(std::slice::from_ref(statement)))
                    };
                    edge.update.retain(counts);
                }
            } else if !kept.edges.is_empty() {
                kept.edges.clear();
                let reason = "nothing that the query depends on depends on it, and it cannot stop time or others";
                removed.push(remove(Part::Process, &kept.name, reason));
            }
            origins.push(keep_all(kept.edges.len()));
        }
        let unread = "nothing that the query depends on reads it";
        let written: Footprint = written(facts);
        for (offset, cell) in smaller.state_cells.iter_mut().enumerate() {
            let region = Region::State;
            let offset = offset as u32;
            let address = Address { region, offset };
            if !self.cells[offset as usize] && written.writes.contains(address) {
                (cell.low, cell.high) = (cell.initial, cell.initial);
                removed.push(remove(Part::Variable, &network.cell_name(address), unread));
            }
        }
        (smaller.lattice_variables).retain(|variable| self.cells[variable.base as usize]);
        for clock in network.clock_ids() {
            if !self.clocks[clock.index()] {
                let name = &network.clocks[clock.index()].name;
                removed.push(remove(Part::Clock, name, unread));
            }
        }
        (!removed.is_empty()).then(|| (smaller, Layer::new(network, origins), removed))
    }
}

fn sure(facts: &Facts<'_>) -> Vec<Vec<bool>> {
    let of_process = |process: ProcessId| {
        let edges = facts.network.process(process).edges.iter();
        edges
            .zip(&facts.edges[process.index()])
            .map(|(edge, own)| {
                cannot_fail(facts.network, edge, own, true, facts.limits.combinations)
            })
            .collect()
    };
    facts.network.process_ids().map(of_process).collect()
}

fn written(facts: &Facts<'_>) -> Footprint {
    let mut all = Footprint::default();
    for (_, _, edge) in facts.all() {
        all.writes.extend(&edge.update.writes);
    }
    all
}

/// Whether a statement may be left out where its target does not count: one cell or clock gets a value.
fn is_plain(statement: &Stmt) -> bool {
    match statement {
        Stmt::Assign { target, .. } => target
            .fixed()
            .is_some_and(|cell| cell.region == Region::State),
        Stmt::Reset { clock, .. } => clock.indices.is_empty(),
        Stmt::CopyClock { .. } => true,
        _ => false,
    }
}

/// Whether a process can keep time from passing or others from moving, or can fail.
fn can_stop_others(facts: &Facts<'_>, process: ProcessId) -> bool {
    let owner = facts.network.process(process);
    let special = owner
        .locations
        .iter()
        .any(|location| location.kind != LocationKind::Normal || !is_empty(&location.invariant));
    special
        || owner.edges.iter().any(|edge| facts.urgent(edge.sync))
        || owner
            .edges
            .iter()
            .zip(&facts.edges[process.index()])
            .any(|(edge, own)| {
                let disabling = facts.network.out_of_range == merkhet_network::OutOfRange::Fault;
                !cannot_fail(
                    facts.network,
                    edge,
                    own,
                    disabling,
                    facts.limits.combinations,
                )
            })
}
