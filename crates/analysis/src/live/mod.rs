//! Live variables: where the value of a cell may still be read before it is written anew.
//!
//! A cell is dead at a location of a process if on every way from there the process writes it before it reads it (the
//! textbook's backward analysis; for networks: Bozga, Fernandez, Ghirvu, "State space reduction based on live variables
//! analysis", SAS 1999). A cell that is dead at the locations of *all* processes is read by none of them before it was
//! written by that one or by a partner in the same transition, whatever the others do in between: states that differ in
//! such cells only are bisimilar, and an exploration may give the cell a fixed value. What a formula, a measure or the
//! code around every update reads is live everywhere.
//!
//! The value of a write that is never read is still computed, so that its faults are found.

mod flow;
mod meta;
mod partners;

use merkhet_network::{
    ClockConstraint, Edge, Expr, Formula, Location, Network, Process, Region, Tuning,
};

use crate::tuning;

pub use meta::{lasting_meta, reads_meta};

use flow::{Cells, Flow, Flows};
use partners::Partners;

/// The cells that are dead somewhere, and where each of them is live.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct LiveCells {
    /// Offsets in [`merkhet_network::Region::State`], ascending.
    cells: Vec<u32>,
    /// By process and location: a bit for each of `cells`.
    live: Vec<Vec<Box<[u64]>>>,
}

impl LiveCells {
    /// Analyses a network for formulas and expressions that are asked of its states. Nothing is dead in a model with
    /// lattice variables: these are joined and covered, not overwritten.
    pub fn new(
        network: &Network,
        formulas: &[&Formula],
        expressions: &[&Expr],
        tuning: &Tuning,
    ) -> LiveCells {
        let most_bits = tuning.count(&tuning::LIVE_BITS);
        let locations: usize = network.processes.iter().map(|p| p.locations.len()).sum();
        let count = network.state_cells.len();
        if !network.lattice_variables.is_empty() || count.saturating_mul(locations) > most_bits {
            return LiveCells::default();
        }
        let mut flows = Flows::new(network, Region::State);
        let always = read_anywhere(network, &mut flows, formulas, expressions);
        let partners = Partners::new(network, &mut flows);
        let by_process: Vec<Vec<Vec<u64>>> = (network.processes.iter())
            .map(|process| by_location(process, count, &mut flows, &partners))
            .collect();
        let dead_somewhere = |cell: &u32| {
            let live_at = |location: &Vec<u64>| contains(location, *cell);
            !always.contains(cell) && !by_process.iter().any(|p| p.iter().all(live_at))
        };
        let cells: Vec<u32> = (0..count as u32).filter(dead_somewhere).collect();
        let compact = |location: &Vec<u64>| {
            let mut bits = vec![0; cells.len().div_ceil(64)].into_boxed_slice();
            for (index, cell) in cells.iter().enumerate() {
                if contains(location, *cell) {
                    bits[index / 64] |= 1 << (index % 64);
                }
            }
            bits
        };
        let live = (by_process.iter())
            .map(|process| process.iter().map(compact).collect())
            .collect();
        LiveCells { cells, live }
    }

    /// The cells that are dead somewhere, as offsets in [`merkhet_network::Region::State`], ascending.
    pub fn cells(&self) -> &[u32] {
        &self.cells
    }

    /// By process and location, which of [`LiveCells::cells`] are live, as a bit set.
    pub fn live(&self) -> &[Vec<Box<[u64]>>] {
        &self.live
    }
}

fn contains(bits: &[u64], cell: u32) -> bool {
    bits[cell as usize / 64] >> (cell % 64) & 1 == 1
}

/// What is live whatever the locations.
fn read_anywhere(
    network: &Network,
    flows: &mut Flows<'_>,
    formulas: &[&Formula],
    expressions: &[&Expr],
) -> Cells {
    let mut found = flows.all_reads(&network.before_update);
    found.append(&mut flows.all_reads(&network.after_update));
    for expression in expressions {
        found.append(&mut flows.reads(expression));
    }
    for formula in formulas {
        formula_reads(formula, flows, &mut found);
    }
    found
}

fn formula_reads(formula: &Formula, flows: &mut Flows<'_>, found: &mut Cells) {
    match formula {
        Formula::Data(expr) => found.append(&mut flows.reads(expr)),
        Formula::Clock(constraint) => constraint_reads(constraint, flows, found),
        Formula::Deadlock => {}
        Formula::Not(inner) => formula_reads(inner, flows, found),
        Formula::And(parts) | Formula::Or(parts) => {
            for part in parts {
                formula_reads(part, flows, found);
            }
        }
    }
}

fn constraint_reads(constraint: &ClockConstraint, flows: &mut Flows<'_>, found: &mut Cells) {
    for expr in constraint.condition.iter().chain([&constraint.bound]) {
        found.append(&mut flows.reads(expr));
    }
}

fn invariant_reads(location: &Location, flows: &mut Flows<'_>, found: &mut Cells) {
    let invariant = &location.invariant;
    let rates = invariant.rates.iter().map(|rate| &rate.value);
    for expr in invariant.data.iter().chain(rates) {
        found.append(&mut flows.reads(expr));
    }
    for constraint in &invariant.clocks {
        constraint_reads(constraint, flows, found);
    }
}

fn guard_reads(edge: &Edge, flows: &mut Flows<'_>, found: &mut Cells) {
    if let Some(expr) = &edge.guard.data {
        found.append(&mut flows.reads(expr));
    }
    for constraint in &edge.guard.clocks {
        constraint_reads(constraint, flows, found);
    }
}

/// The cells that are live at each location of a process: the least fixed point of
/// `live(l) = read(invariant of l) ∪ ⋃ over edges from l: read(guard) ∪ exposed ∪ (live(target) ∖ definite)`.
/// What the partners of a synchronisation write counts too ([`Partners`]).
fn by_location(
    process: &Process,
    count: usize,
    flows: &mut Flows<'_>,
    partners: &Partners,
) -> Vec<Vec<u64>> {
    let mut live = vec![vec![0u64; count.div_ceil(64)]; process.locations.len()];
    let add = |bits: &mut Vec<u64>, cells: &Cells| {
        for cell in cells {
            bits[*cell as usize / 64] |= 1 << (cell % 64);
        }
    };
    for (location, bits) in process.locations.iter().zip(&mut live) {
        let mut found = Cells::new();
        invariant_reads(location, flows, &mut found);
        add(bits, &found);
    }
    let mut into: Vec<Vec<(usize, Cells)>> = vec![Vec::new(); process.locations.len()];
    for edge in &process.edges {
        let mut found = Cells::new();
        guard_reads(edge, flows, &mut found);
        let Flow { exposed, definite } = partners.flow(edge, flows);
        found.extend(exposed);
        add(&mut live[edge.source.index()], &found);
        into[edge.target.index()].push((edge.source.index(), definite));
    }
    let mut waiting: Vec<usize> = (0..live.len()).collect();
    while let Some(target) = waiting.pop() {
        for (source, definite) in &into[target] {
            if *source != target && hand_on(&mut live, *source, target, definite) {
                waiting.push(*source);
            }
        }
    }
    live
}

/// Adds what is live at the target and not written on the way; says whether that was new.
fn hand_on(live: &mut [Vec<u64>], source: usize, target: usize, definite: &Cells) -> bool {
    let mut passed = live[target].clone();
    for cell in definite {
        passed[*cell as usize / 64] &= !(1 << (cell % 64));
    }
    let mut changed = false;
    for (word, more) in live[source].iter_mut().zip(passed) {
        changed |= more & !*word != 0;
        *word |= more;
    }
    changed
}
