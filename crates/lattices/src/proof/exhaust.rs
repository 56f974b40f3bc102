//! Trying all pairs of comparable elements, where the cells that a piece of code touches have few values.
//!
//! What the code does not touch does not matter to it and is left as it is. So the pairs over what it touches stand for
//! all pairs of states.

use merkhet_network::code::{ClockUpdate, CodeId, Machine, Program, ProgramBuilder};
use merkhet_network::footprint::{Footprint, Footprints};
use merkhet_network::{Expr, Network, Region, Stmt};

use super::relation::Relations;
use super::value::Polarity;
use crate::order::Orders;
use Polarity::{Falls, Fixed, Rises, Unknown};

/// Pairs for one guard, update or formula.
const MOST_PAIRS: usize = 1 << 16;

/// Pairs for one model.
const MOST_PAIRS_IN_ALL: usize = 1 << 22;

/// Tries pairs, as many as there may be.
pub(super) struct Exhaust<'n> {
    network: &'n Network,
    relations: &'n Relations,
    orders: Orders<'n>,
    left: usize,
}

/// The cells that are tried: for each its slot in the memory and its pairs of values.
struct Domain {
    slots: Vec<usize>,
    pairs: Vec<Vec<(i32, i32)>>,
    /// The lattice variables that are compared as wholes.
    opaque: Vec<usize>,
}

/// What came of running a guard and an update.
enum Run {
    /// The guard does not hold.
    Disabled,
    /// An evaluation went wrong.
    Fault,
    Done(Vec<i32>, Vec<ClockUpdate>),
}

/// Takes a smaller and a larger memory; says whether to go on.
type Visit<'v, S> = &'v mut dyn FnMut(&mut S, &[i32], &[i32]) -> bool;

impl<'n> Exhaust<'n> {
    pub fn new(network: &'n Network, relations: &'n Relations) -> Exhaust<'n> {
        let layout = merkhet_network::code::Layout::of(network);
        Exhaust {
            network,
            relations,
            orders: Orders::new(network, &layout),
            left: MOST_PAIRS_IN_ALL,
        }
    }

    /// How the truth of a condition changes when elements grow.
    pub fn condition(&mut self, expr: &Expr) -> Polarity {
        let footprint = Footprints::new(self.network).expr(expr);
        let Some(domain) = self.domain(&footprint) else {
            return Unknown;
        };
        let mut builder = ProgramBuilder::new(self.network);
        let code = builder.expression(expr);
        let program = builder.finish();
        let mut machine = Machine::new(&program);
        let (mut rises, mut falls) = (true, true);
        let complete = self.each(&domain, &program, &mut |_, small, large| {
            let mut truth = |memory: &[i32]| {
                machine.memory.copy_from_slice(memory);
                machine.holds(&program, code).ok()
            };
            if let (Some(small), Some(large)) = (truth(small), truth(large)) {
                rises &= small <= large;
                falls &= small >= large;
            }
            rises || falls
        });
        match (complete, rises, falls) {
            (true, true, true) => Fixed,
            (true, true, false) => Rises,
            (true, false, true) => Falls,
            _ => Unknown,
        }
    }

    /// Whether what a smaller element can do by a guard and an update, a larger one can do too, with a larger result;
    /// where `stays` is given, also whether it may be left out because nothing would change.
    pub fn step(&mut self, guard: Option<&Expr>, update: &[Stmt], stays: bool) -> bool {
        let mut footprint = Footprints::new(self.network).stmts(update);
        if let Some(guard) = guard {
            footprint.extend(&Footprints::new(self.network).expr(guard));
        }
        let Some(domain) = self.domain(&footprint) else {
            return false;
        };
        let mut builder = ProgramBuilder::new(self.network);
        let guard = guard.map(|guard| builder.expression(guard));
        let update = builder.statements(update);
        let program = builder.finish();
        let mut machine = Machine::new(&program);
        let mut kept = true;
        let complete = self.each(&domain, &program, &mut |this, small, large| {
            let few = run(&mut machine, &program, guard, update, small);
            let Run::Done(few, clocks) = few else {
                return true;
            };
            kept = match run(&mut machine, &program, guard, update, large) {
                Run::Fault => true,
                Run::Done(many, same) => clocks == same && this.below(&few, &many),
                Run::Disabled => stays && clocks.is_empty() && this.below(&few, large),
            };
            kept
        });
        complete && kept
    }

    /// Whether one memory is below another one.
    fn below(&mut self, small: &[i32], large: &[i32]) -> bool {
        let start = self.network.processes.len();
        let cells = small[start..].iter().zip(&large[start..]);
        let single = (cells.enumerate().take(self.network.state_cells.len()))
            .all(|(cell, (a, b))| fits(self.relations.of(cell), *a, *b));
        single && self.orders.leq(small, large).unwrap_or(false)
    }

    fn domain(&mut self, footprint: &Footprint) -> Option<Domain> {
        let network = self.network;
        let layout = merkhet_network::code::Layout::of(network);
        let mut cells = std::collections::BTreeSet::new();
        let mut opaque = Vec::new();
        for cell in footprint.reads.iter().chain(footprint.writes.iter()) {
            match cell.region {
                Region::State => {
                    cells.insert(cell.offset as usize);
                    if let Some(variable) = self.relations.opaque(cell.offset as usize) {
                        let whole = &network.lattice_variables[variable];
                        cells.extend(network.lattice_cells(whole));
                        opaque.push(variable);
                    }
                }
                Region::Meta => return None,
                Region::Constant | Region::Local => {}
            }
        }
        opaque.sort_unstable();
        opaque.dedup();
        let mut domain = Domain {
            slots: Vec::new(),
            pairs: Vec::new(),
            opaque,
        };
        let mut total = 1usize;
        for process in &footprint.locations {
            let locations = network.process(*process).locations.len() as i32;
            domain.slots.push(layout.location(*process));
            domain.pairs.push((0..locations).map(|k| (k, k)).collect());
        }
        for cell in cells {
            let known = &network.state_cells[cell];
            let count = i64::from(known.high) - i64::from(known.low) + 1;
            if count > MOST_PAIRS as i64 {
                return None;
            }
            let relation = self.relations.of(cell);
            let others = |a: i32| match relation {
                Fixed => a..=a,
                Rises => a..=known.high,
                Falls => known.low..=a,
                Unknown => known.low..=known.high,
            };
            let values = known.low..=known.high;
            let sizes = values.clone().map(|a| others(a).count()).sum::<usize>();
            total = total.checked_mul(sizes).filter(|all| *all <= MOST_PAIRS)?;
            domain.slots.push(layout.state.start + cell);
            domain.pairs.push(
                values
                    .flat_map(|a| others(a).map(move |b| (a, b)))
                    .collect(),
            );
        }
        let all: usize = domain.pairs.iter().map(Vec::len).product();
        if all > MOST_PAIRS.min(self.left) {
            return None;
        }
        self.left -= all;
        Some(domain)
    }

    /// Hands on all pairs of memories, the smaller one first, until told to stop; says whether an order could always be
    /// asked.
    fn each(&mut self, domain: &Domain, program: &Program, visit: Visit<'_, Self>) -> bool {
        let mut small = Machine::new(program).memory;
        let mut large = small.clone();
        let mut at = vec![0usize; domain.slots.len()];
        loop {
            for ((slot, pairs), at) in domain.slots.iter().zip(&domain.pairs).zip(&at) {
                (small[*slot], large[*slot]) = pairs[*at];
            }
            let mut related = true;
            for variable in &domain.opaque {
                let slot = &self.orders.slots[*variable];
                let (cells, lattice) = (slot.cells.clone(), slot.lattice);
                let below =
                    (self.orders).element_leq(lattice, &small[cells.clone()], &large[cells]);
                match below {
                    Ok(below) => related &= below,
                    Err(_) => return false,
                }
            }
            if related && !visit(self, &small, &large) {
                return true;
            }
            let Some(next) = (0..at.len()).find(|&k| at[k] + 1 < domain.pairs[k].len()) else {
                return true;
            };
            at[next] += 1;
            at[..next].fill(0);
        }
    }
}

fn fits(relation: Polarity, small: i32, large: i32) -> bool {
    match relation {
        Fixed => small == large,
        Rises => small <= large,
        Falls => small >= large,
        Unknown => true,
    }
}

fn run(
    machine: &mut Machine,
    program: &Program,
    guard: Option<CodeId>,
    update: CodeId,
    memory: &[i32],
) -> Run {
    machine.memory.copy_from_slice(memory);
    machine.clock_updates.clear();
    match guard.map(|guard| machine.holds(program, guard)) {
        Some(Ok(false)) => return Run::Disabled,
        Some(Err(_)) => return Run::Fault,
        _ => {}
    }
    match machine.run(program, update) {
        Err(_) => Run::Fault,
        Ok(()) => Run::Done(machine.memory.clone(), machine.clock_updates.clone()),
    }
}
