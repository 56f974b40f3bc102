//! Full symmetry: processes that may change their places with each other.
//!
//! C. N. Ip and D. L. Dill ("Better verification through symmetry", FMSD 9, 1996) ask the author for a type of scalars that
//! may be assigned, compared for equality and used as indices only; M. Hendriks, G. Behrmann, K. G. Larsen, P. Niebert and
//! F. Vaandrager ("Adding symmetry reduction to UPPAAL", FORMATS 2003) carry that over to timed automata. Here nobody is asked:
//! the network is instantiated, and what is interchangeable is found in it.
//!
//! 1. `types` finds which cells and constants may hold ids: what is assigned to each other or compared for equality has one
//!    type, and what is calculated with, ordered, or used as a truth value holds plain numbers.
//! 2. `pairs` lays two processes of the same form side by side. Where one has a cell, a clock, a channel or a constant and the
//!    other has another, the two would change places. A constant of a type that holds plain numbers cannot.
//! 3. `verify` is what the soundness rests on; it trusts nothing of this but the types. It prints the whole network, and the
//!    formulas that are asked for, once as they are and once with everything in its new place, and compares the texts.
//!    Equal texts mean that the exchange is an automorphism of the transition system.
//!
//! Exchanges of one process with each of several others generate all permutations of these. So a [`Family`] is a list of
//! processes, and what goes with each of them.

mod commute;
mod pairs;
mod types;
mod verify;

use std::collections::BTreeMap;

use merkhet_network::{Address, ClockId, Expr, Formula, Network, ProcessId, Region};

use pairs::Pairs;
use types::Types;
use verify::Verifier;

/// What can be permuted in a network.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Symmetry {
    /// Independent of each other: each has its own processes.
    pub families: Vec<Family>,
    /// For processes of the same form that cannot change places, why.
    pub obstacles: Vec<Obstacle>,
}

/// Why two processes cannot change places.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Obstacle {
    /// The one.
    pub first: ProcessId,
    /// The other.
    pub second: ProcessId,
    /// What stands against it.
    pub reason: String,
}

/// Members that can be permuted in every way, with what goes with each. Each list has an entry for each member.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Family {
    /// Processes.
    pub processes: Vec<Vec<ProcessId>>,
    /// Cells of the state, meta ones included.
    pub cells: Vec<Vec<Address>>,
    /// Clocks.
    pub clocks: Vec<Vec<ClockId>>,
    /// Ids.
    pub ids: Vec<Ids>,
}

/// A type of ids.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ids {
    /// The values that stand for the members. Others stand for themselves.
    pub values: Vec<i32>,
    /// The cells of the state that hold such values.
    pub cells: Vec<Address>,
}

impl Family {
    /// The number of members.
    pub fn members(&self) -> usize {
        self.processes[0].len()
    }
}

/// Work above this, in characters that would be compared, is not begun.
const MOST_WORK: usize = 20_000_000;

/// Members that go with no other one before the rest is given up: where all are different, that many comparisons of each with each
/// say so.
const MOST_ALONE: usize = 24;

impl Symmetry {
    /// What can be permuted without changing the transition system, the formulas, or the values of the expressions.
    pub fn find(network: &Network, formulas: &[&Formula], expressions: &[&Expr]) -> Symmetry {
        let mut symmetry = Symmetry::default();
        if !network.lattice_variables.is_empty() || !expressions.is_empty() {
            return symmetry;
        }
        let groups = groups(network);
        let members: usize = groups.iter().map(Vec::len).sum();
        if groups.is_empty() {
            return symmetry;
        }
        let Some(types) = Types::of(network, formulas) else {
            return symmetry;
        };
        let verifier = Verifier::new(network, formulas);
        if verifier.size().saturating_mul(members) > MOST_WORK {
            symmetry.obstacles.push(Obstacle {
                first: groups[0][0],
                second: groups[0][1],
                reason: "the network is too large for the comparison".into(),
            });
            return symmetry;
        }
        let mut taken = vec![false; groups.len()];
        for (at, group) in groups.iter().enumerate() {
            if taken[at] {
                continue;
            }
            // Each member alone, or with the processes of other forms that there are as many of.
            let alike = |other: &usize| {
                *other != at && !taken[*other] && groups[*other].len() == group.len()
            };
            let others: Vec<usize> = (0..groups.len()).filter(alike).collect();
            let mut lanes = vec![group.clone()];
            let mut found = families(&types, &verifier, &lanes);
            if found.0.is_empty() && !others.is_empty() {
                lanes.extend(others.iter().map(|other| groups[*other].clone()));
                let together = families(&types, &verifier, &lanes);
                if !together.0.is_empty() {
                    others.iter().for_each(|other| taken[*other] = true);
                    found = together;
                }
            }
            symmetry.families.extend(found.0);
            symmetry.obstacles.extend(found.1);
        }
        symmetry
    }

    /// Whether nothing can be permuted.
    pub fn is_trivial(&self) -> bool {
        self.families.is_empty()
    }
}

/// Processes of the same form, two at least.
fn groups(network: &Network) -> Vec<Vec<ProcessId>> {
    let mut groups: BTreeMap<String, Vec<ProcessId>> = BTreeMap::new();
    for id in network.process_ids() {
        let process = network.process(id);
        let mut form = format!("{} {}", process.initial.0, process.priority);
        for location in &process.locations {
            form += &format!(" {:?}", location.kind);
        }
        for edge in &process.edges {
            let sync = match edge.sync {
                merkhet_network::Sync::Internal => 'i',
                merkhet_network::Sync::Send(_) => 's',
                merkhet_network::Sync::Receive(_) => 'r',
                merkhet_network::Sync::Event(_) => 'e',
            };
            let (from, to) = (edge.source.0, edge.target.0);
            let (clocks, updates) = (edge.guard.clocks.len(), edge.update.len());
            form += &format!(" {from}-{to}{sync}{clocks},{updates}");
        }
        groups.entry(form).or_default().push(id);
    }
    let mut groups: Vec<_> = (groups.into_values())
        .filter(|group| group.len() > 1)
        .collect();
    groups.sort();
    groups
}

/// What was found among some processes.
type Found = (Vec<Family>, Vec<Obstacle>);

/// The families among members: `lanes` has a list of processes for each of their parts.
fn families(types: &Types, verifier: &Verifier<'_>, lanes: &[Vec<ProcessId>]) -> Found {
    let mut types = types.clone();
    // Laying members side by side makes types one; what was verified before that does not count.
    for _ in 0..4 {
        let before = types.unions();
        let found = classes(&mut types, verifier, lanes);
        if types.unions() == before {
            return found;
        }
    }
    (Vec::new(), Vec::new())
}

fn classes(types: &mut Types, verifier: &Verifier<'_>, lanes: &[Vec<ProcessId>]) -> Found {
    let part =
        |member: usize| -> Vec<ProcessId> { lanes.iter().map(|lane| lane[member]).collect() };
    let mut classes: Vec<(usize, Vec<(usize, Pairs)>)> = Vec::new();
    let mut obstacles = Vec::new();
    'members: for member in 0..lanes[0].len() {
        for (first, rest) in &mut classes {
            let pairs = Pairs::of(verifier.network(), types, &part(*first), &part(member));
            let result = pairs.and_then(|pairs| {
                verifier.check(types, &pairs)?;
                let others = rest.iter().map(|(_, other)| other);
                match others.clone().all(|other| other.is_alike(&pairs)) {
                    true => Ok(pairs),
                    false => {
                        Err("more than one member goes with a cell, a clock or an id".to_string())
                    }
                }
            });
            match result {
                Ok(pairs) => {
                    rest.push((member, pairs));
                    continue 'members;
                }
                Err(reason) if obstacles.is_empty() => obstacles.push(Obstacle {
                    first: lanes[0][*first],
                    second: lanes[0][member],
                    reason,
                }),
                Err(_) => {}
            }
        }
        classes.push((member, Vec::new()));
        if classes.len() >= MOST_ALONE && classes.iter().all(|(_, rest)| rest.is_empty()) {
            break;
        }
    }
    let families = (classes.into_iter())
        .filter(|(_, rest)| !rest.is_empty())
        .map(|(first, rest)| family(verifier.network(), types, lanes, first, &rest))
        .collect();
    (families, obstacles)
}

fn family(
    network: &Network,
    types: &Types,
    lanes: &[Vec<ProcessId>],
    first: usize,
    rest: &[(usize, Pairs)],
) -> Family {
    let numbers = || std::iter::once(first).chain(rest.iter().map(|(member, _)| *member));
    let of_state = |cell: &Address| matches!(cell.region, Region::State | Region::Meta);
    let leader = &rest[0].1;
    let cells = (leader.own_cells().filter(of_state))
        .map(|cell| {
            let others = rest.iter().map(|(_, pairs)| pairs.cell(cell));
            std::iter::once(cell).chain(others).collect()
        })
        .collect();
    let clocks = (leader.own_clocks())
        .map(|clock| {
            let others = rest.iter().map(|(_, pairs)| pairs.clock(clock));
            std::iter::once(clock).chain(others).collect()
        })
        .collect();
    let ids = (leader.values())
        .map(|(class, own, _)| {
            let others = rest.iter().map(|(_, pairs)| pairs.value(class, own));
            Ids {
                values: std::iter::once(own).chain(others).collect(),
                cells: types.cells_of(network, class),
            }
        })
        .collect();
    Family {
        processes: (lanes.iter())
            .map(|lane| numbers().map(|member| lane[member]).collect())
            .collect(),
        cells,
        clocks,
        ids,
    }
}
