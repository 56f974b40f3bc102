//! Comparing and joining the lattice elements of states.

use std::ops::Range;
use std::sync::Arc;

use merkhet_network::code::{CodeId, Fault, Layout, Machine, Program, ProgramBuilder};
use merkhet_network::{Direction, Expr, LatticeType, Native, Network, SiteId, Stmt};

/// A lattice does not keep its laws, or its code goes wrong.
#[derive(Clone, PartialEq, Debug)]
pub struct Broken {
    /// What is wrong, in a sentence that names the lattice.
    pub message: String,
    /// Where it stands in the source.
    pub site: SiteId,
}

/// How the elements of one lattice are compared and joined.
enum Kind {
    Cellwise(Arc<[Direction]>),
    Native(Native),
    Code { leq: CodeId, join: CodeId },
}

/// A lattice variable within a state.
pub(crate) struct Slot {
    /// Its cells in the memory of a state.
    pub cells: Range<usize>,
    /// Its lattice.
    pub lattice: usize,
}

/// The orders of a network's lattices, ready to run.
pub(crate) struct Orders<'n> {
    pub network: &'n Network,
    pub slots: Vec<Slot>,
    kinds: Vec<Kind>,
    joinable: Vec<Option<CodeId>>,
    /// Where the two elements go: slots of the machine's memory.
    places: Vec<(usize, usize)>,
    program: Program,
    machine: Machine,
    pub uses_strategies: bool,
    /// For signatures: cells of orders that go cell by cell, and the end of the range that is least.
    facts: Vec<(usize, Direction, i32)>,
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
        let kinds: Vec<Kind> = (network.lattices.iter())
            .map(|lattice| match (&lattice.native, &lattice.cellwise) {
                (Some(native), _) => Kind::Native(native.clone()),
                (None, Some(directions)) => Kind::Cellwise(directions.clone()),
                (None, None) => Kind::Code {
                    leq: builder.expression(&lattice.leq),
                    join: builder.statements(&lattice.join),
                },
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
        let mut facts = Vec::new();
        for slot in &slots {
            let directions = match &kinds[slot.lattice] {
                Kind::Cellwise(directions) => &directions[..],
                Kind::Native(_) | Kind::Code { .. } => &[],
            };
            for (cell, direction) in slot.cells.clone().zip(directions) {
                let known = &network.state_cells[cell - layout.state.start];
                let least = match direction {
                    Direction::Up => known.low,
                    Direction::Down => known.high,
                };
                facts.push((cell, *direction, least));
            }
        }
        let program = builder.finish();
        let machine = Machine::new(&program);
        Orders {
            network,
            slots,
            kinds,
            uses_strategies: joinable.iter().any(Option::is_some),
            joinable,
            places,
            program,
            machine,
            facts,
        }
    }

    /// A set of 64 facts about the elements of a state that larger elements keep: an element can only be below another one
    /// that has all facts of its own. Each fact is that some of the cells are not at the least end of their range.
    pub fn signature(&self, memory: &[i32]) -> u64 {
        let mut facts = 0;
        for (index, (cell, direction, least)) in self.facts.iter().enumerate() {
            let raised = match direction {
                Direction::Up => memory[*cell] > *least,
                Direction::Down => memory[*cell] < *least,
            };
            facts |= u64::from(raised) << (index % 64);
        }
        facts
    }

    /// Whether all lattice variables of a state are below those of another one.
    pub fn leq(&mut self, small: &[i32], large: &[i32]) -> Result<bool, Broken> {
        for index in 0..self.slots.len() {
            let Slot { cells, lattice } = &self.slots[index];
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
        if small == large {
            return Ok(true);
        }
        self.element_leq_asked(lattice, small, large)
    }

    /// Compares elements, asking the lattice's code for equal ones too.
    pub fn element_leq_asked(
        &mut self,
        lattice: usize,
        small: &[i32],
        large: &[i32],
    ) -> Result<bool, Broken> {
        match &self.kinds[lattice] {
            Kind::Cellwise(directions) => Ok(cellwise_leq(directions, small, large)),
            Kind::Native(native) => Ok(native.0.leq(small, large)),
            Kind::Code { leq, .. } => {
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
        match &self.kinds[lattice] {
            Kind::Cellwise(directions) => {
                for ((into, other), direction) in into.iter_mut().zip(other).zip(&**directions) {
                    *into = match direction {
                        Direction::Up => (*into).max(*other),
                        Direction::Down => (*into).min(*other),
                    };
                }
            }
            Kind::Native(native) => native.0.join(into, other),
            Kind::Code { join, .. } => {
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

fn cellwise_leq(directions: &[Direction], small: &[i32], large: &[i32]) -> bool {
    let cells = small.iter().zip(large).zip(directions);
    cells
        .into_iter()
        .all(|((small, large), direction)| match direction {
            Direction::Up => small <= large,
            Direction::Down => small >= large,
        })
}
