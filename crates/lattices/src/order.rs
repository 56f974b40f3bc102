//! Comparing and joining the lattice elements of states.

use std::ops::Range;

use merkhet_network::code::{CodeId, Fault, Layout, Machine, Program, ProgramBuilder};
use merkhet_network::{Expr, LatticeType, Native, Network, SiteId, Stmt};

use crate::index::{FACTS, Signature};
use crate::proof::{Polarity, cell_by_cell};

/// A lattice does not keep its laws, or its code goes wrong.
#[derive(Clone, PartialEq, Debug)]
pub struct Broken {
    /// What is wrong, in a sentence that names the lattice.
    pub message: String,
    /// Where it stands in the source.
    pub site: SiteId,
}

/// How two cells compare in elements of which one is below the other.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Sense {
    Up,
    Down,
    Equal,
    Any,
}

/// How the elements of one lattice are compared and joined.
struct Order {
    /// Where elements compare exactly if all their cells do: cells that compare the same way, side by side.
    runs: Option<Vec<(Range<usize>, Sense)>>,
    /// The lattice's own comparison.
    leq: Own,
    join: Own,
}

/// What a lattice does itself.
enum Own {
    /// Nothing: it goes cell by cell.
    Cells,
    Native(Native),
    Code(CodeId),
}

/// A lattice variable within a state.
pub(crate) struct Slot {
    /// Its cells in the memory of a state.
    pub cells: Range<usize>,
    /// Its lattice.
    pub lattice: usize,
}

/// One of these cells is as far from the least end of its range as this, or farther.
struct Fact {
    cells: Range<usize>,
    up: bool,
    from: i32,
    number: usize,
}

/// The orders of a network's lattices, ready to run.
pub(crate) struct Orders<'n> {
    pub network: &'n Network,
    pub slots: Vec<Slot>,
    orders: Vec<Order>,
    /// Cells of all lattice variables that go cell by cell.
    runs: Vec<(Range<usize>, Sense)>,
    /// The other lattice variables.
    others: Vec<usize>,
    joinable: Vec<Option<CodeId>>,
    /// Where the two elements go: slots of the machine's memory.
    places: Vec<(usize, usize)>,
    program: Program,
    machine: Machine,
    pub uses_strategies: bool,
    facts: Vec<Fact>,
}

impl<'n> Orders<'n> {
    pub fn new(network: &'n Network, layout: &Layout) -> Orders<'n> {
        let mut builder = ProgramBuilder::new(network);
        let places = (network.lattices.iter())
            .map(|lattice| {
                let layout = builder.layout();
                (layout.address(lattice.left), layout.address(lattice.right))
            })
            .collect();
        let orders: Vec<Order> = (network.lattices.iter())
            .map(|lattice| {
                let (leq, join) = match (&lattice.native, &lattice.cellwise) {
                    (Some(native), _) => (Own::Native(native.clone()), Own::Native(native.clone())),
                    (None, Some(_)) => (Own::Cells, Own::Cells),
                    (None, None) => (
                        Own::Code(builder.expression(&lattice.leq)),
                        Own::Code(builder.statements(&lattice.join)),
                    ),
                };
                Order {
                    runs: cell_by_cell(network, lattice).map(|cells| runs(&cells)),
                    leq,
                    join,
                }
            })
            .collect();
        let joinable: Vec<Option<CodeId>> = (network.lattices.iter())
            .map(|lattice| {
                lattice
                    .joinable
                    .as_ref()
                    .map(|test| builder.expression(test))
            })
            .collect();
        let slots = network.lattice_variables.iter().map(|variable| {
            let start = layout.state.start + variable.base as usize;
            let lattice = variable.lattice as usize;
            Slot {
                cells: start..start + network.lattices[lattice].cells(),
                lattice,
            }
        });
        let slots: Vec<Slot> = slots.collect();
        let (mut all, mut others) = (Vec::new(), Vec::new());
        for (index, slot) in slots.iter().enumerate() {
            match &orders[slot.lattice].runs {
                Some(runs) => {
                    let start = slot.cells.start;
                    for (cells, sense) in runs {
                        put_run(&mut all, start + cells.start..start + cells.end, *sense);
                    }
                }
                None => others.push(index),
            }
        }
        let range = |cell: usize| {
            let known = &network.state_cells[cell - layout.state.start];
            (known.low, known.high)
        };
        let program = builder.finish();
        let machine = Machine::new(&program);
        Orders {
            network,
            slots,
            orders,
            facts: facts(&all, range),
            runs: all,
            others,
            uses_strategies: joinable.iter().any(Option::is_some),
            joinable,
            places,
            program,
            machine,
        }
    }

    /// Facts about the elements of a state that larger elements keep: an element can only be below another one that has
    /// all facts of its own.
    pub fn signature(&self, memory: &[i32]) -> Signature {
        let mut signature = Signature::default();
        for fact in &self.facts {
            let cells = &memory[fact.cells.clone()];
            let holds = match fact.up {
                true => cells.iter().any(|cell| *cell >= fact.from),
                false => cells.iter().any(|cell| *cell <= fact.from),
            };
            if holds {
                signature.set(fact.number);
            }
        }
        signature
    }

    /// Whether all lattice variables of a state are below those of another one.
    pub fn leq(&mut self, small: &[i32], large: &[i32]) -> Result<bool, Broken> {
        if !runs_leq(&self.runs, small, large) {
            return Ok(false);
        }
        for at in 0..self.others.len() {
            let Slot { cells, lattice } = &self.slots[self.others[at]];
            let (lattice, cells) = (*lattice, cells.clone());
            if !self.element_leq(lattice, &small[cells.clone()], &large[cells])? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Whether an element is below another one.
    pub fn element_leq(
        &mut self,
        lattice: usize,
        small: &[i32],
        large: &[i32],
    ) -> Result<bool, Broken> {
        match &self.orders[lattice].runs {
            _ if small == large => Ok(true),
            Some(runs) => Ok(runs_leq(runs, small, large)),
            None => self.element_leq_asked(lattice, small, large),
        }
    }

    /// Compares elements by the lattice's own code, equal ones too.
    pub fn element_leq_asked(
        &mut self,
        lattice: usize,
        small: &[i32],
        large: &[i32],
    ) -> Result<bool, Broken> {
        let order = &self.orders[lattice];
        match &order.leq {
            Own::Cells => {
                Ok((order.runs.as_ref()).is_some_and(|runs| runs_leq(runs, small, large)))
            }
            Own::Native(native) => Ok(native.0.leq(small, large)),
            Own::Code(leq) => {
                let leq = *leq;
                self.put(lattice, small, large);
                let result = self.machine.holds(&self.program, leq);
                result.map_err(|fault| self.fault(lattice, "leq", fault))
            }
        }
    }

    /// Replaces the elements of a state by their joins with those of another one.
    pub fn join(&mut self, into: &mut [i32], other: &[i32]) -> Result<(), Broken> {
        for index in 0..self.slots.len() {
            let Slot { cells, lattice } = &self.slots[index];
            let (lattice, cells) = (*lattice, cells.clone());
            self.element_join(lattice, &mut into[cells.clone()], &other[cells])?;
        }
        Ok(())
    }

    /// Replaces an element by its join with another one.
    pub fn element_join(
        &mut self,
        lattice: usize,
        into: &mut [i32],
        other: &[i32],
    ) -> Result<(), Broken> {
        let order = &self.orders[lattice];
        match &order.join {
            Own::Cells => {
                for (cells, sense) in order.runs.iter().flatten() {
                    let pairs = into[cells.clone()].iter_mut().zip(&other[cells.clone()]);
                    match sense {
                        Sense::Down => pairs.for_each(|(into, other)| *into = (*into).min(*other)),
                        _ => pairs.for_each(|(into, other)| *into = (*into).max(*other)),
                    }
                }
            }
            Own::Native(native) => native.0.join(into, other),
            Own::Code(join) => {
                let join = *join;
                self.put(lattice, into, other);
                let result = self.machine.run(&self.program, join);
                result.map_err(|fault| self.fault(lattice, "join", fault))?;
                let left = self.places[lattice].0;
                into.copy_from_slice(&self.machine.memory[left..left + into.len()]);
            }
        }
        Ok(())
    }

    /// Whether the model permits the elements of two configurations of one discrete state to be joined.
    pub fn joinable(&mut self, one: &[i32], other: &[i32]) -> Result<bool, Broken> {
        for index in 0..self.slots.len() {
            let Slot { cells, lattice } = &self.slots[index];
            let (lattice, cells) = (*lattice, cells.clone());
            let Some(test) = self.joinable[lattice] else {
                continue;
            };
            self.machine.memory[..one.len()].copy_from_slice(one);
            self.put(lattice, &one[cells.clone()], &other[cells]);
            let result = self.machine.holds(&self.program, test);
            if !result.map_err(|fault| self.fault(lattice, "joinable", fault))? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    pub fn lattice(&self, lattice: usize) -> &'n LatticeType {
        &self.network.lattices[lattice]
    }

    /// Where `leq` stands.
    pub fn leq_site(&self, lattice: usize) -> SiteId {
        match &self.lattice(lattice).leq {
            Expr::Call { site, .. } => *site,
            _ => SiteId::NONE,
        }
    }

    /// Where `join` stands.
    pub fn join_site(&self, lattice: usize) -> SiteId {
        match &self.lattice(lattice).join[..] {
            [Stmt::Evaluate(Expr::Call { site, .. })] => *site,
            _ => SiteId::NONE,
        }
    }

    fn put(&mut self, lattice: usize, left: &[i32], right: &[i32]) {
        let (first, second) = self.places[lattice];
        self.machine.memory[first..first + left.len()].copy_from_slice(left);
        self.machine.memory[second..second + right.len()].copy_from_slice(right);
    }

    fn fault(&self, lattice: usize, operation: &str, fault: Fault) -> Broken {
        let name = &self.lattice(lattice).name;
        Broken {
            message: format!("`{operation}` of the lattice `{name}` goes wrong: {fault}"),
            site: fault.site,
        }
    }
}

/// Cells side by side that compare the same way.
fn runs(cells: &[Polarity]) -> Vec<(Range<usize>, Sense)> {
    let mut runs = Vec::new();
    for (cell, polarity) in cells.iter().enumerate() {
        let sense = match polarity {
            Polarity::Rises => Sense::Up,
            Polarity::Falls => Sense::Down,
            Polarity::Fixed => Sense::Equal,
            Polarity::Unknown => Sense::Any,
        };
        put_run(&mut runs, cell..cell + 1, sense);
    }
    runs
}

fn put_run(runs: &mut Vec<(Range<usize>, Sense)>, cells: Range<usize>, sense: Sense) {
    match runs.last_mut() {
        Some((last, same)) if last.end == cells.start && *same == sense => last.end = cells.end,
        _ => runs.push((cells, sense)),
    }
}

fn runs_leq(runs: &[(Range<usize>, Sense)], small: &[i32], large: &[i32]) -> bool {
    runs.iter().all(|(cells, sense)| {
        let (small, large) = (&small[cells.clone()], &large[cells.clone()]);
        match sense {
            Sense::Up => all(small, large, |a, b| a <= b),
            Sense::Down => all(small, large, |a, b| a >= b),
            Sense::Equal => small == large,
            Sense::Any => true,
        }
    })
}

/// Without a jump after each cell: elements may have thousands.
fn all(small: &[i32], large: &[i32], test: impl Fn(i32, i32) -> bool) -> bool {
    let parts = small.chunks(32).zip(large.chunks(32));
    parts.into_iter().all(|(small, large)| {
        let cells = small.iter().zip(large);
        cells.fold(true, |all, (a, b)| all & test(*a, *b))
    })
}

/// Facts of cells that rise or fall: a cell has several if there are few cells, and cells share one if there are many.
fn facts(runs: &[(Range<usize>, Sense)], range: impl Fn(usize) -> (i32, i32)) -> Vec<Fact> {
    let ordered = || (runs.iter()).filter(|(_, sense)| matches!(sense, Sense::Up | Sense::Down));
    let count: usize = ordered().map(|(cells, _)| cells.len()).sum();
    let each = (FACTS / count.max(1)) as i64;
    let shared = count.div_ceil(FACTS);
    let mut facts: Vec<Fact> = Vec::new();
    for (cells, sense) in ordered() {
        let up = *sense == Sense::Up;
        for cell in cells.clone() {
            let (low, high) = range(cell);
            let length = i64::from(high) - i64::from(low);
            let steps = length.min(each.max(1));
            for step in 0..steps {
                let distance = 1 + step * length / steps;
                let from = match up {
                    true => i64::from(low) + distance,
                    false => i64::from(high) - distance,
                } as i32;
                let joins = |last: &&mut Fact| {
                    last.cells.end == cell
                        && last.cells.len() < shared
                        && last.up == up
                        && last.from == from
                };
                match facts.last_mut().filter(joins) {
                    Some(last) => last.cells.end += 1,
                    None => facts.push(Fact {
                        cells: cell..cell + 1,
                        up,
                        from,
                        number: facts.len() % FACTS,
                    }),
                }
            }
        }
    }
    facts
}
