//! Graph distances d^L and d^U (Edelkamp, Lluch-Lafuente, Leue: HSF-SPIN, SPIN 2001).
//!
//! For each process the number of edges from its location to a target location, with guards and synchronisation
//! ignored. d^L is the maximum over the processes and admissible: one transition moves a process by one edge. d^U is
//! the sum; it is not admissible, because a synchronisation moves two processes at once. Both are infinite only where
//! some process cannot reach a target in its own graph, so that their dead ends are safe.

use std::collections::VecDeque;

use merkhet_explore::{Estimate, Estimates, Heuristic, HeuristicFacts, Unguided, Unranked};
use merkhet_network::{LocationId, Network, Process, ProcessId};
use merkhet_semantics::{State, System};

use crate::choice::{Make, Problem};
use crate::entry::{Build, Entry};
use crate::explanation::{
    Explained, MAXIMUM as LARGEST, Part, SUM as ADDED, finite, location_of, nearest, one_of,
};
use crate::goal::{Conjunct, Goal};
use crate::{DEAD_END, as_estimate, combine_max, combine_sum};

/// `dl`.
pub static MAXIMUM: Entry = Entry {
    name: "dl",
    summary: "d^L: the largest graph distance of a process to its target",
    description: "For each process that the goal constrains, the number of edges from its location to the target in its own \
                  graph, without guards and synchronisation; the largest of them. It is a table look-up, and it never exceeds \
                  the distance, because a transition moves a process by one edge.",
    variants: &[],
    options: &[],
    facts: HeuristicFacts {
        admissible: true,
        consistent: true,
        safe_dead_ends: true,
    },
    inadmissible_with: None,
    citation: "Edelkamp, Lluch-Lafuente, Leue 2001",
    databases: false,
    build: Build::Plain(&Combination::Maximum),
};

/// `du`.
pub static SUM: Entry = Entry {
    name: "du",
    summary: "d^U: the sum of the processes' graph distances",
    description: "The distances of dl, added up: it tells more states apart, and exceeds the distance where processes move together.",
    variants: &[],
    options: &[],
    facts: HeuristicFacts {
        admissible: false,
        consistent: false,
        safe_dead_ends: true,
    },
    inadmissible_with: None,
    citation: "Edelkamp, Lluch-Lafuente, Leue 2001",
    databases: false,
    build: Build::Plain(&Combination::Sum),
};

/// How the processes' distances are put together.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Combination {
    /// d^L.
    Maximum,
    /// d^U.
    Sum,
}

/// The locations that a process may be at.
type Targets = (ProcessId, Vec<LocationId>);

impl Make for Combination {
    fn make(&self, problem: &Problem<'_>, _: &System, _: usize) -> Box<dyn Heuristic> {
        let goal = problem.disjunctive_goal();
        Box::new(Distance::new(problem.network, &goal, *self))
    }

    /// The distances of the processes, for the way to meet the goal that is nearest.
    fn explain(&self, problem: &Problem<'_>, state: State<'_>) -> Explained {
        let Problem { network, goal, .. } = *problem;
        let of = |conjunct: &Conjunct| {
            let alone = Goal {
                disjuncts: vec![conjunct.clone()],
            };
            let tables = Distance::new(network, &alone, *self);
            let value = tables.value(state.memory);
            let part = |((process, targets), (_, table)): (&Targets, &(usize, Vec<u32>))| {
                let distance = table[state.memory[process.index()] as usize];
                Part {
                    what: format!(
                        "{}: {} → {}",
                        network.process(*process).name,
                        location_of(network, *process, state.memory),
                        one_of(network, *process, targets)
                    ),
                    value: finite(distance),
                    counts: match self {
                        Combination::Maximum => distance == value,
                        Combination::Sum => distance > 0,
                    },
                }
            };
            let processes = conjunct.locations.iter().zip(&tables.disjuncts[0]);
            (value, processes.map(part).collect())
        };
        let (_, parts) = nearest(network, goal, of).unwrap_or_default();
        Explained {
            rule: match self {
                Combination::Maximum => LARGEST,
                Combination::Sum => ADDED,
            },
            parts,
            ..Explained::default()
        }
    }
}

/// The distance tables of a goal.
pub struct Distance {
    combination: Combination,
    /// For each disjunct: process index and the distance from each of its locations.
    disjuncts: Vec<Vec<(usize, Vec<u32>)>>,
}

impl Distance {
    /// Computes the tables.
    pub fn new(network: &Network, goal: &Goal, combination: Combination) -> Distance {
        let disjuncts = goal
            .disjuncts
            .iter()
            .map(|conjunct| {
                let tables = conjunct.locations.iter().map(|(process, targets)| {
                    let targets = targets.iter().map(|location| location.index());
                    (
                        process.index(),
                        backward_distances(network.process(*process), targets),
                    )
                });
                tables.collect()
            })
            .collect();
        Distance {
            combination,
            disjuncts,
        }
    }

    /// The estimate for a state whose memory starts with the processes' locations.
    pub fn value(&self, memory: &[i32]) -> u32 {
        let combine = match self.combination {
            Combination::Maximum => combine_max,
            Combination::Sum => combine_sum,
        };
        let of = |tables: &Vec<(usize, Vec<u32>)>| {
            let distances = tables
                .iter()
                .map(|(process, table)| table[memory[*process] as usize]);
            distances.fold(0, combine)
        };
        self.disjuncts.iter().map(of).min().unwrap_or(DEAD_END)
    }
}

impl Estimates for Distance {
    fn facts(&self) -> HeuristicFacts {
        match self.combination {
            Combination::Maximum => MAXIMUM.facts,
            Combination::Sum => SUM.facts,
        }
    }

    fn estimate(&mut self, state: State<'_>) -> Estimate {
        as_estimate(self.value(state.memory))
    }

    fn size(&self) -> usize {
        1
    }
}

impl Unguided for Distance {}

impl Unranked for Distance {}

fn backward_distances(process: &Process, targets: impl Iterator<Item = usize>) -> Vec<u32> {
    let mut distance = vec![DEAD_END; process.locations.len()];
    let mut queue = VecDeque::new();
    for target in targets {
        distance[target] = 0;
        queue.push_back(target);
    }
    let mut sources = vec![Vec::new(); process.locations.len()];
    for edge in &process.edges {
        sources[edge.target.index()].push(edge.source.index());
    }
    while let Some(at) = queue.pop_front() {
        for source in sources[at].iter().copied() {
            if distance[source] == DEAD_END {
                distance[source] = distance[at] + 1;
                queue.push_back(source);
            }
        }
    }
    distance
}
