//! The Hamming distance to the goal (Yang and Dill: Validation with Guided Search of the State Space, DAC 1998).
//!
//! Yang and Dill count the bits that differ from the target state. A goal here names locations and conditions on data, so
//! what is counted are the processes that are not where the goal wants them and the conditions that do not hold. It is
//! not admissible: one transition can change several at once.

use merkhet_explore::{Estimate, Estimates, Heuristic, HeuristicFacts, Unguided, Unranked};
use merkhet_network::Network;
use merkhet_network::code::{CodeId, Machine, Program, ProgramBuilder};
use merkhet_network::print::Labels;
use merkhet_semantics::{State, System};

use crate::choice::{Make, Problem};
use crate::entry::{Build, Entry};
use crate::explanation::{Explained, Part, SUM, location_of, nearest, one_of};
use crate::goal::{Conjunct, Goal};
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
    build: Build::Plain(&Counted),
};

struct Counted;

impl Make for Counted {
    fn make(&self, problem: &Problem<'_>, _: &System, _: usize) -> Box<dyn Heuristic> {
        let goal = problem.disjunctive_goal();
        Box::new(Hamming::new(problem.network, &goal))
    }

    /// What is not as the goal wants it, for the way to meet the goal of which the least is missing.
    fn explain(&self, problem: &Problem<'_>, state: State<'_>) -> Explained {
        let Problem { network, goal, .. } = *problem;
        let missing = |conjunct: &Conjunct| {
            let parts = missing(network, conjunct, state.memory);
            (parts.len() as u32, parts)
        };
        let part = |what| Part {
            what,
            value: Some(1),
            counts: true,
        };
        let (_, parts) = nearest(network, goal, missing).unwrap_or_default();
        Explained {
            rule: SUM,
            parts: parts.into_iter().map(part).collect(),
            ..Explained::default()
        }
    }
}

/// What is not as a conjunct wants it, in words.
fn missing(network: &Network, conjunct: &Conjunct, memory: &[i32]) -> Vec<String> {
    let alone = |locations, data| Goal {
        disjuncts: vec![Conjunct {
            locations,
            data,
            clocks: Vec::new(),
        }],
    };
    let unmet = |goal: Goal| Hamming::new(network, &goal).value(memory) > 0;
    let mut parts = Vec::new();
    for (process, targets) in &conjunct.locations {
        if unmet(alone(vec![(*process, targets.clone())], Vec::new())) {
            parts.push(format!(
                "{} is at {}, not at {}",
                network.process(*process).name,
                location_of(network, *process, memory),
                one_of(network, *process, targets)
            ));
        }
    }
    let labels = Labels::new(network);
    for condition in &conjunct.data {
        if unmet(alone(Vec::new(), vec![condition.clone()])) {
            parts.push(format!("{} does not hold", labels.expr(condition)));
        }
    }
    parts
}

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
