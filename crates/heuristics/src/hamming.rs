//! The Hamming distance to the goal (Yang and Dill: Validation with Guided Search of the State Space, DAC 1998).
//!
//! Yang and Dill count the bits that differ from the target state. A goal here names locations and conditions on data, so
//! what is counted are the processes that are not where the goal wants them and the conditions that do not hold. It is
//! not admissible: one transition can change several at once.

use merkhet_explore::{Estimate, Estimates, HeuristicFacts, Unguided, Unranked};
use merkhet_network::Network;
use merkhet_network::code::{CodeId, Machine, Program, ProgramBuilder};
use merkhet_semantics::State;

use crate::entry::{Build, Entry};
use crate::goal::Goal;
use crate::{DEAD_END, as_estimate};

/// `hamming`.
pub static ENTRY: Entry = Entry {
    name: "hamming",
    summary: "the number of processes and conditions that are not as the goal wants them",
    description: "Counts the processes that are not where the goal wants them and the conditions on data that do not hold: the \
                  cheapest estimate that there is. It does not see how far away a location is.",
    variants: &[],
    options: &[],
    facts: HeuristicFacts {
        admissible: false,
        consistent: false,
        safe_dead_ends: true,
    },
    inadmissible_with: None,
    citation: "Yang, Dill 1998",
    databases: false,
    build: Build::Plain(|problem, _| {
        let goal = problem.disjunctive_goal();
        Box::new(Hamming::new(problem.network, &goal))
    }),
};

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
    pub fn value(&mut self, memory: &[i32]) -> u32 {
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

impl Estimates for Hamming {
    fn facts(&self) -> HeuristicFacts {
        ENTRY.facts
    }

    fn estimate(&mut self, state: State<'_>) -> Estimate {
        as_estimate(self.value(state.memory))
    }

    fn size(&self) -> usize {
        1
    }
}

impl Unguided for Hamming {}

impl Unranked for Hamming {}
