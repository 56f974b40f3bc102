//! Looking up search states: the vector of a state, and its distance in a database.
//!
//! Locations and variables of a search state have one value each, so their predicates are true or false: a table for
//! each slot gives the bits of all its predicates at once. A clock predicate is true, false or open for a zone; where it
//! is open the least distance of all compatible vectors counts, so that the value never exceeds that of any valuation
//! in the zone. Values are remembered by vector: a search meets few different ones.

use merkhet_zones::bound::Bound;
use rustc_hash::FxHashMap;

use crate::pa::clocks::ClockRegression;
use crate::pa::database::Database;
use crate::pa::linear::Linear;
use crate::pa::predicate::Predicate;
use crate::pa::slots::Slots;

/// Most values that are remembered before the memory starts anew.
const MOST_REMEMBERED: usize = 1 << 16;
/// What a remembered value takes besides its vector: a place in a table that may be half empty, and an allocation.
const OVERHEAD: usize = 80;

/// A database ready for use.
#[derive(Clone)]
pub struct Lookup {
    /// The database.
    pub database: Database,
    tables: Vec<Table>,
    general: Vec<(usize, Linear, bool)>,
    clocks: ClockRegression,
    /// True bits of predicates that are not about clocks.
    certain: Vec<u64>,
    vector: Vec<u64>,
    allowed: Vec<u64>,
    remembered: FxHashMap<Box<[u64]>, Option<u32>>,
    /// Most values that may be remembered.
    most: usize,
}

/// The true bits for each value of a slot.
#[derive(Clone)]
struct Table {
    slot: usize,
    low: i32,
    bits: Vec<u64>,
}

impl Lookup {
    /// Prepares a database.
    pub fn new(slots: &Slots, database: Database) -> Lookup {
        let half = crate::pa::vector::words(database.predicates.len());
        let mut tables: Vec<Table> = Vec::new();
        let mut general = Vec::new();
        let mut certain = vec![0u64; half];
        for (number, predicate) in database.predicates.iter().enumerate() {
            if !predicate.is_clock() {
                certain[number / 64] |= 1 << (number % 64);
            }
            match predicate {
                Predicate::Values { slot, mask } => {
                    let table = table(&mut tables, slots, *slot, half);
                    for (value, bits) in table.bits.chunks_exact_mut(half).enumerate() {
                        bits[number / 64] |= (mask >> value & 1) << (number % 64);
                    }
                }
                Predicate::AtMost(form) => general.push((number, form.clone(), false)),
                Predicate::Zero(form) => general.push((number, form.clone(), true)),
                Predicate::Clock { .. } => {}
            }
        }
        Lookup {
            clocks: ClockRegression::new(&database.predicates),
            database,
            tables,
            general,
            certain,
            vector: vec![0; 2 * half],
            allowed: vec![0; 2 * half],
            remembered: FxHashMap::default(),
            most: MOST_REMEMBERED,
        }
    }

    /// Limits the bytes of remembered values.
    pub fn remember_at_most(&mut self, bytes: usize) {
        let each = self.vector.len() * 8 + OVERHEAD;
        self.most = (bytes / each).min(MOST_REMEMBERED);
        self.remembered = FxHashMap::default();
    }

    /// The memory of the values that are remembered, in bytes.
    pub fn remembered_bytes(&self) -> usize {
        self.remembered.len() * (self.vector.len() * 8 + OVERHEAD)
    }

    /// The vector of a search state; valid until the next call.
    pub fn abstraction(&mut self, memory: &[i32], zone: &[Bound], n: usize) -> &[u64] {
        let half = self.certain.len();
        self.vector.fill(0);
        for table in &self.tables {
            let at = (memory[table.slot] - table.low) as usize * half;
            for (word, bits) in self.vector.iter_mut().zip(&table.bits[at..at + half]) {
                *word |= bits;
            }
        }
        for (number, form, zero) in &self.general {
            let terms = form.terms.iter();
            let sum: i64 = terms
                .map(|(slot, by)| by * i64::from(memory[*slot as usize]))
                .sum();
            let value = sum + form.constant;
            let holds = if *zero { value == 0 } else { value <= 0 };
            self.vector[number / 64] |= u64::from(holds) << (number % 64);
        }
        let (truths, falses) = self.vector.split_at_mut(half);
        for ((truth, falsehood), certain) in truths.iter().zip(falses).zip(&self.certain) {
            *falsehood = certain & !truth;
        }
        self.clocks.abstraction(zone, n, &mut self.vector);
        &self.vector
    }

    /// The literals that the last abstraction affirms or leaves open.
    pub fn allowed(&mut self) -> &[u64] {
        self.allow();
        &self.allowed
    }

    fn allow(&mut self) {
        let half = self.certain.len();
        for at in 0..half {
            self.allowed[at] = !self.vector[half + at];
            self.allowed[half + at] = !self.vector[at];
        }
    }

    /// The distance of a search state.
    pub fn distance(&mut self, memory: &[i32], zone: &[Bound], n: usize) -> u32 {
        let nearest = self.nearest(memory, zone, n);
        self.database.distance_of(nearest)
    }

    /// The number of the vector that a search state's distance comes from.
    pub fn nearest(&mut self, memory: &[i32], zone: &[Bound], n: usize) -> Option<usize> {
        self.abstraction(memory, zone, n);
        if let Some(known) = self.remembered.get(&self.vector[..]) {
            return known.map(|at| at as usize);
        }
        self.allow();
        let nearest = self.database.nearest(&self.allowed);
        if self.remembered.len() >= self.most {
            self.remembered.clear();
        }
        if self.most > 0 {
            let known = nearest.map(|at| at as u32);
            self.remembered.insert(self.vector.as_slice().into(), known);
        }
        nearest
    }

    /// The memory of the database and of the tables that abstract states, in bytes.
    pub fn bytes(&self) -> usize {
        let tables: usize = self.tables.iter().map(|table| table.bits.len() * 8).sum();
        self.database.bytes() + tables
    }
}

fn table<'t>(tables: &'t mut Vec<Table>, slots: &Slots, slot: u32, half: usize) -> &'t mut Table {
    let at = match tables.iter().position(|table| table.slot == slot as usize) {
        Some(at) => at,
        None => {
            let (low, high) = slots.range(slot);
            tables.push(Table {
                slot: slot as usize,
                low: low as i32,
                bits: vec![0; (high - low + 1) as usize * half],
            });
            tables.len() - 1
        }
    };
    &mut tables[at]
}
