//! Evaluating conditions and updates for given values of a few cells.

use merkhet_network::code::{CodeId, Machine, Program};

/// A machine that is set back before every use.
pub(in crate::causal) struct Trial {
    program: Program,
    machine: Machine,
    initial: Vec<i32>,
    first_cell: usize,
}

/// An evaluation that takes longer has no value.
const FUEL: u64 = 10_000;

impl Trial {
    pub fn new(program: Program) -> Trial {
        let mut machine = Machine::new(&program);
        machine.fuel = FUEL;
        Trial {
            initial: machine.memory.clone(),
            first_cell: program.layout().state.start,
            program,
            machine,
        }
    }

    /// Gives a cell a value for the next evaluations.
    pub fn set(&mut self, cell: u32, value: i32) {
        self.machine.memory[self.first_cell + cell as usize] = value;
    }

    /// Whether a condition holds; false if it fails.
    pub fn holds(&mut self, code: CodeId) -> bool {
        self.machine.holds(&self.program, code).unwrap_or(false)
    }

    /// Runs statements; false if they fail.
    pub fn run(&mut self, code: CodeId) -> bool {
        self.machine.clock_updates.clear();
        self.machine.run(&self.program, code).is_ok()
    }

    /// The value of a cell.
    pub fn get(&self, cell: u32) -> i32 {
        self.machine.memory[self.first_cell + cell as usize]
    }

    /// Forgets everything.
    pub fn reset(&mut self) {
        self.machine.memory.copy_from_slice(&self.initial);
    }
}
