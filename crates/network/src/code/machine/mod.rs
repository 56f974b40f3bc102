//! Machines: memory and registers to run code in.

pub mod arithmetic;
pub(crate) mod fault;
pub(crate) mod instruction;
pub(crate) mod layout;
pub(crate) mod program;
pub(crate) mod run;
pub(crate) mod verify;

use crate::code::compile::quick::Quick;
use crate::code::machine::fault::Fault;
use crate::code::machine::program::{CodeId, Program};
use crate::ids::ClockId;

/// The number of steps that one evaluation may take unless it is told otherwise.
pub const DEFAULT_FUEL: u64 = 10_000_000;

/// What statements do to clocks, in the order of execution.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ClockUpdate {
    /// A clock gets a value, which is within `0..=MAX_CLOCK_CONSTANT`.
    Set {
        /// The clock.
        clock: ClockId,
        /// Its value.
        value: i32,
    },
    /// A clock gets another one's value plus a constant.
    Copy {
        /// The clock that changes.
        target: ClockId,
        /// The clock that is read.
        source: ClockId,
        /// What is added.
        offset: i32,
    },
}

/// Memory and registers to run code in.
///
/// The caller fills the locations, state and meta ranges of the memory ([`super::Layout`]) and reads them back; the rest
/// is the machine's own. After a fault the changeable part of the memory holds what had been done until then.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Machine {
    /// The flat memory.
    pub memory: Vec<i32>,
    /// Clock updates of the runs so far; the caller empties it.
    pub clock_updates: Vec<ClockUpdate>,
    /// The number of steps that each evaluation may take: about one for each instruction.
    pub fuel: u64,
    /// The steps of the last evaluation that came to an end or took too many.
    pub used: u64,
    pub(super) returns: Vec<u32>,
}

impl Machine {
    /// A machine in the initial state.
    pub fn new(program: &Program) -> Machine {
        Machine {
            memory: program.initial_memory().to_vec(),
            clock_updates: Vec::with_capacity(16),
            fuel: DEFAULT_FUEL,
            used: 0,
            returns: vec![0; program.functions.len()],
        }
    }

    /// The value of an expression.
    #[inline]
    pub fn evaluate(&mut self, program: &Program, code: CodeId) -> Result<i32, Fault> {
        let entry = program.entries[code.index()];
        let memory = &mut self.memory;
        Ok(match entry.quick {
            Quick::Constant(value) => value,
            Quick::Cell(slot) => memory[slot as usize],
            Quick::CellEqual(slot, value) => i32::from(memory[slot as usize] == value),
            Quick::CellNotEqual(slot, value) => i32::from(memory[slot as usize] != value),
            Quick::CellLess(slot, value) => i32::from(memory[slot as usize] < value),
            Quick::CellNotLess(slot, value) => i32::from(memory[slot as usize] >= value),
            Quick::Set(slot, value) => {
                memory[slot as usize] = value;
                0
            }
            Quick::Code => return run::execute(self, program, entry.start),
        })
    }

    /// Whether an expression is non-zero.
    #[inline]
    pub fn holds(&mut self, program: &Program, code: CodeId) -> Result<bool, Fault> {
        Ok(self.evaluate(program, code)? != 0)
    }

    /// Runs statements.
    #[inline]
    pub fn run(&mut self, program: &Program, code: CodeId) -> Result<(), Fault> {
        self.evaluate(program, code).map(|_| ())
    }
}
