//! Where a state space falls into parts of equal size with few transitions between them.
//!
//! What one thread has seen before the others come in says which bits of the packed locations to look at: the parity of a
//! few of them divides the states. One process whose locations fall into two halves with few edges between them already
//! makes a good division, if it is in either half equally often; if it is not, the parity with that of a second one is closer
//! to even (the deviations from even are multiplied, as those of independent bits are), at the price of the second one's
//! crossings. Parities are linear, so that a bit more is one column of the sample more: thousands of divisions are compared in
//! a fraction of a millisecond.

use merkhet_semantics::System;

use crate::key::Packer;
use crate::search::Config;
use crate::store::{StateId, Store};
use crate::tuning;

/// Words of states in a sample.
const WORDS: usize = 16;

/// The states of a sample.
pub(super) const SAMPLE: usize = WORDS * 64;

/// Each part of the sample, by age, is to be divided evenly: the threads need work at any time, and what holds from part to
/// part is likely to go on.
const PARTS: usize = 4;

/// Most bits that are looked at: of models with more, evenly spread ones.
const BITS: usize = 128;

/// How divisions are looked for.
pub(super) struct Ways {
    /// What a transition from one thread to another costs, as a share of the time that a transition takes.
    crossing: f64,
    /// No division is used that is further from even than this, over the parts of the sample.
    uneven: f64,
    /// Divisions that are tried further, bit by bit.
    beam: usize,
    /// The most bits.
    deepest: u64,
}

impl Ways {
    pub fn of(config: &Config<'_>) -> Ways {
        let share = |tunable| config.count(tunable) as f64 / 1000.0;
        Ways {
            crossing: share(&tuning::CUTS_CROSSING),
            uneven: share(&tuning::CUTS_UNEVEN),
            beam: config.count(&tuning::CUTS_BEAM) as usize,
            deepest: config.count(&tuning::CUTS_DEEPEST),
        }
    }
}

/// For each state of the sample a bit: of the state, and whether it differs from that of the state's parent.
#[derive(Clone, Copy)]
struct Column {
    states: [u64; WORDS],
    steps: [u64; WORDS],
}

impl Column {
    const EMPTY: Column = Column {
        states: [0; WORDS],
        steps: [0; WORDS],
    };

    /// The parity.
    fn with(&self, other: &Column) -> Column {
        let mut both = *self;
        for word in 0..WORDS {
            both.states[word] ^= other.states[word];
            both.steps[word] ^= other.steps[word];
        }
        both
    }

    /// How far the division is from even: 0, or up to a half.
    fn unevenness(&self) -> f64 {
        let part = |words: &[u64]| {
            let ones: u32 = words.iter().map(|word| word.count_ones()).sum();
            f64::from(ones) / (words.len() * 64) as f64 - 0.5
        };
        let parts = self.states.chunks(WORDS / PARTS).map(part);
        (parts.map(|off| off * off).sum::<f64>() / PARTS as f64).sqrt()
    }

    /// The share of steps that cross it.
    fn crossings(&self) -> f64 {
        let crossing: u32 = self.steps.iter().map(|word| word.count_ones()).sum();
        f64::from(crossing) / SAMPLE as f64
    }
}

/// A division: the bits whose parity makes it, as a set of the bits that are looked at.
#[derive(Clone, Copy)]
struct Division {
    bits: u128,
    column: Column,
    cost: f64,
}

/// Divisions of the states, each by the parity of the packed key under a mask; all together divide evenly what the
/// store has seen. Nothing if it has seen too little, or if there are none.
pub(super) fn cuts(
    system: &System,
    store: &Store,
    count: usize,
    ways: &Ways,
) -> Option<Vec<Vec<u64>>> {
    if store.len() < SAMPLE {
        return None;
    }
    let places = places(system);
    let columns = columns(store, &places);
    let mut found: Vec<Division> = Vec::new();
    while found.len() < count {
        found.push(best(&columns, &found, ways)?);
    }
    let words = Packer::new(system).words();
    let mask = |division: Division| {
        let mut mask = vec![0; words];
        for (index, (word, shift)) in places.iter().enumerate() {
            mask[*word] |= ((division.bits >> index & 1) as u64) << shift;
        }
        mask
    };
    Some(found.into_iter().map(mask).collect())
}

/// Words and positions of the bits of locations.
fn places(system: &System) -> Vec<(usize, u32)> {
    let processes = system.processes();
    let mask = Packer::new(system).mask(|cell| cell < processes);
    let all = mask.iter().enumerate().flat_map(|(word, mask)| {
        let set = (0..u64::BITS).filter(move |shift| mask >> shift & 1 != 0);
        set.map(move |shift| (word, shift))
    });
    let all: Vec<_> = all.collect();
    let step = all.len().div_ceil(BITS).max(1);
    all.into_iter().step_by(step).collect()
}

/// The sample, by bit.
fn columns(store: &Store, places: &[(usize, u32)]) -> Vec<Column> {
    let mut columns = vec![Column::EMPTY; places.len()];
    for index in 0..SAMPLE {
        let id = StateId((index * store.len() / SAMPLE) as u32);
        let key = store.key(id);
        let before = store.key(store.predecessor(id).unwrap_or(id));
        for ((word, shift), column) in places.iter().zip(&mut columns) {
            let (now, before) = (key[*word] >> shift & 1, before[*word] >> shift & 1);
            column.states[index / 64] |= now << (index % 64);
            column.steps[index / 64] |= (now ^ before) << (index % 64);
        }
    }
    columns
}

/// The best division that is even within the classes of those found before.
fn best(columns: &[Column], found: &[Division], ways: &Ways) -> Option<Division> {
    let unevenness = |column: &Column| {
        let with = |other: &Division| column.with(&other.column).unevenness();
        found.iter().map(with).fold(column.unevenness(), f64::max)
    };
    let mut beam = vec![Division {
        bits: 0,
        column: Column::EMPTY,
        cost: f64::INFINITY,
    }];
    let mut best: Option<Division> = None;
    for _ in 0..ways.deepest {
        let mut longer: Vec<Division> = Vec::new();
        for division in &beam {
            for (bit, column) in columns.iter().enumerate() {
                let bits = division.bits | 1 << bit;
                if bits == division.bits || longer.iter().any(|other| other.bits == bits) {
                    continue;
                }
                let column = division.column.with(column);
                let cost = unevenness(&column) + ways.crossing * column.crossings();
                longer.push(Division { bits, column, cost });
                longer.sort_by(|one, other| one.cost.total_cmp(&other.cost));
                longer.truncate(ways.beam);
            }
        }
        let first = longer.first()?;
        if best.is_none_or(|best| first.cost < best.cost) {
            best = Some(*first);
        }
        beam = longer;
    }
    best.filter(|best| unevenness(&best.column) <= ways.uneven)
}
