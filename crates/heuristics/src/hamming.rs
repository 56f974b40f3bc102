//! The Hamming distance to the goal (Yang and Dill: Validation with Guided Search of the State Space, DAC 1998).
//!
//! Yang and Dill count the bits that differ from the target state. A goal here names locations and conditions on data, so
//! what is counted are the processes that are not where the goal wants them and the conditions that do not hold. It is
//! not admissible: one transition can change several at once.

use merkhet_network::Network;
use merkhet_network::code::{CodeId, Machine, Program, ProgramBuilder};

use crate::DEAD_END;
use crate::goal::Goal;

/// The counter for one goal.
pub struct Hamming {
    program: Program,
    machine: Machine,
    disjuncts: Vec<Disjunct>,
}

struct Disjunct {
    /// Process index and for each of its locations whether it will do.
    locations: Vec<(usize, Vec<bool>)>,
    data: Vec<CodeId>,
}

impl Hamming {
    /// Compiles the goal.
    pub fn new(network: &Network, goal: &Goal) -> Hamming {
        let mut builder = ProgramBuilder::new(network);
        let disjuncts = goal
            .disjuncts
            .iter()
            .map(|conjunct| Disjunct {
                locations: conjunct
                    .locations
                    .iter()
                    .map(|(process, targets)| {
                        let mut good = vec![false; network.process(*process).locations.len()];
                        targets
                            .iter()
                            .for_each(|target| good[target.index()] = true);
                        (process.index(), good)
                    })
                    .collect(),
                data: conjunct
                    .data
                    .iter()
                    .map(|condition| builder.expression(condition))
                    .collect(),
            })
            .collect();
        let program = builder.finish();
        Hamming {
            machine: Machine::new(&program),
            program,
            disjuncts,
        }
    }

    /// The count for the disjunct that is nearest; a condition that cannot be evaluated does not hold.
    pub fn estimate(&mut self, memory: &[i32]) -> u32 {
        let Hamming {
            program,
            machine,
            disjuncts,
        } = self;
        let known = memory.len().min(machine.memory.len());
        machine.memory[..known].copy_from_slice(&memory[..known]);
        let count = |disjunct: &Disjunct| {
            let elsewhere = disjunct
                .locations
                .iter()
                .filter(|(process, good)| !good[memory[*process] as usize])
                .count();
            let unmet = disjunct
                .data
                .iter()
                .filter(|code| matches!(machine.evaluate(program, **code), Ok(0) | Err(_)))
                .count();
            (elsewhere + unmet) as u32
        };
        disjuncts.iter().map(count).min().unwrap_or(DEAD_END)
    }
}
