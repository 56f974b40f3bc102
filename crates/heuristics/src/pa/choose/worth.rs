//! Which predicates pay for themselves: measured by the spread of the estimates.
//!
//! A predicate can double the number of abstract states. It is worth that only if it tells states apart: a sample of
//! states, from random walks, is looked up with the predicate and without it. If no estimate falls without it, then the
//! predicate goes, and refinement has room for others.

use std::ops::ControlFlow;

use merkhet_analysis::Demand;
use merkhet_network::tuning::Tuning;
use merkhet_network::{Formula, Network};
use merkhet_semantics::{Explorer, Options, State, Successor, System};
use merkhet_zones::bound::Bound;
use rustc_hash::FxHashMap;

use crate::pa::database::Database;
use crate::pa::lookup::Lookup;
use crate::pa::predicate::Predicate;
use crate::pa::slots::Slots;
use crate::tuning::{STEPS, TOLERANCE, WALKS};

type Concrete = (Vec<i32>, Vec<Bound>);

/// Random numbers (SplitMix64).
#[derive(Clone, Copy)]
pub struct Random(pub u64);

impl Random {
    /// A number below the limit.
    pub fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((u128::from(z ^ (z >> 31)) * limit as u128) >> 64) as usize
    }
}

/// States that a search may meet.
pub struct Sample {
    states: Vec<Concrete>,
    dimension: usize,
    /// Estimates may fall by one part in this number, all together.
    tolerance: u64,
}

impl Sample {
    /// Walks at random. Where a walk cannot go on, it ends.
    pub fn new(network: &Network, goal: &Formula, random: &mut Random, tuning: &Tuning) -> Sample {
        let mut sample = Sample {
            states: Vec::new(),
            dimension: network.dimension(),
            tolerance: tuning.count(&TOLERANCE) as u64,
        };
        let formulas = [goal];
        let options = Options {
            demand: Demand {
                formulas: &formulas,
                ..Demand::default()
            },
            ..Options::default()
        };
        let Ok(system) = System::new(network, &options) else {
            return sample;
        };
        let mut explorer = Explorer::new(&system);
        for _ in 0..tuning.count(&WALKS) {
            let mut at = step(&mut explorer, None, random);
            for _ in 0..tuning.count(&STEPS) {
                let Some(state) = at else {
                    break;
                };
                at = step(&mut explorer, Some(&state), random);
                sample.states.push(state);
            }
        }
        sample
    }

    /// The literals that the states allow, each set once with how often it is met.
    fn questions(&self, lookup: &mut Lookup) -> Vec<(Vec<u64>, u64)> {
        let mut counts: FxHashMap<Vec<u64>, u64> = FxHashMap::default();
        for (memory, zone) in &self.states {
            let n = zone.len().isqrt().max(self.dimension);
            lookup.abstraction(memory, zone, n);
            *counts.entry(lookup.allowed().to_vec()).or_default() += 1;
        }
        let mut questions: Vec<_> = counts.into_iter().collect();
        questions.sort();
        questions
    }

    /// The sum of all estimates.
    fn spread(&self, lookup: &mut Lookup) -> u64 {
        let questions = self.questions(lookup);
        let counted = questions.iter().map(|(allowed, times)| {
            let value = value(&mut lookup.database, allowed);
            value * times
        });
        counted.sum()
    }

    /// The predicates of a database that none of the first `kept` is, and without which no estimate falls.
    pub fn worthless(
        &self,
        slots: &Slots,
        database: Database,
        kept: &[Predicate],
    ) -> Vec<Predicate> {
        let mut lookup = Lookup::new(slots, database);
        let mut questions = self.questions(&mut lookup);
        let values: Vec<u64> = (questions.iter())
            .map(|(allowed, _)| value(&mut lookup.database, allowed))
            .collect();
        let predicates = lookup.database.predicates.clone();
        let mut found = Vec::new();
        // The last ones were added last: they refine what the others began.
        for (number, predicate) in predicates.iter().enumerate().rev() {
            if kept.contains(predicate) {
                continue;
            }
            let open = |allowed: &[u64]| {
                let mut more = allowed.to_vec();
                let half = more.len() / 2;
                more[number / 64] |= 1 << (number % 64);
                more[half + number / 64] |= 1 << (number % 64);
                more
            };
            let same = (questions.iter().zip(&values))
                .all(|((allowed, _), known)| value(&mut lookup.database, &open(allowed)) == *known);
            if same {
                found.push(predicate.clone());
                (questions.iter_mut()).for_each(|(allowed, _)| *allowed = open(allowed));
            }
        }
        found
    }

    /// Whether the estimates of a database are about as large as those of another one.
    pub fn is_as_good(&self, slots: &Slots, database: Database, other: Database) -> bool {
        let ours = self.spread(&mut Lookup::new(slots, database));
        let others = self.spread(&mut Lookup::new(slots, other));
        ours + others / self.tolerance >= others
    }
}

fn value(database: &mut Database, allowed: &[u64]) -> u64 {
    let layers = database.layers() as u32;
    database.distance(allowed).min(layers + 1).into()
}

/// One of the successors, or one of the initial states.
fn step(
    explorer: &mut Explorer<'_>,
    from: Option<&Concrete>,
    random: &mut Random,
) -> Option<Concrete> {
    let mut found = Vec::new();
    let mut sink = |successor: Successor<'_>| {
        let state = successor.state;
        found.push((state.memory.to_vec(), state.zone.to_vec()));
        ControlFlow::Continue(())
    };
    let flow = match from {
        None => explorer.initial(&mut sink),
        Some((memory, zone)) => explorer.successors(State { memory, zone }, &mut sink),
    };
    let _ = flow.ok()?;
    match found.len() {
        0 => None,
        count => Some(found.swap_remove(random.below(count))),
    }
}
