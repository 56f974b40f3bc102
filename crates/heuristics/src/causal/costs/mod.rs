//! The costs of all parts, top-down and memoised.
//!
//! What it costs to get a part from a value depends on that value and, through the contexts, on the values of its
//! ancestors in the state. Rows of costs are kept in a table for each part under a hash of just these, and are found
//! again for all states that agree on them. (A collision of 64-bit hashes would give a wrong estimate, not a wrong
//! verdict.)

pub(in crate::causal) mod begin;
pub(in crate::causal) mod dynamic;
pub(in crate::causal) mod local;

use crate::causal::local::Work;
use crate::causal::model::{Model, VertexModel};

pub(in crate::causal) struct Costs {
    /// The value of each part in the state, from 0.
    pub(in crate::causal) values: Vec<u16>,
    /// For each part: a hash of its ancestors' values.
    hashes: Vec<u64>,
    /// For each part, those whose ancestor it is.
    descendants: Vec<Vec<u32>>,
    /// How many contexts a value keeps.
    pub(in crate::causal) contexts: u32,
    /// The values of the state that comes next.
    next: Vec<u16>,
    tables: Vec<Table>,
    pub(in crate::causal) works: Vec<Work>,
}

/// The rows of one part.
#[derive(Default)]
struct Table {
    keys: Vec<u64>,
    costs: Vec<u32>,
    size: usize,
}

/// A finished row: the part and where its costs start. Good until the next row of the part is asked for.
#[derive(Clone, Copy)]
pub(in crate::causal) struct Row {
    vertex: u32,
    start: usize,
}

impl Costs {
    /// Each value keeps a number of contexts; `entries` is for all tables together.
    pub fn new(model: &Model, contexts: u32, entries: usize) -> Costs {
        let mut descendants = vec![Vec::new(); model.vertices.len()];
        for (number, vertex) in model.vertices.iter().enumerate() {
            for ancestor in &vertex.ancestors {
                descendants[*ancestor as usize].push(number as u32);
            }
        }
        let total: usize = model
            .vertices
            .iter()
            .map(|vertex| vertex.size as usize)
            .sum();
        let rows = (entries / total.max(1)).clamp(1, 4096).next_power_of_two();
        let table = |vertex: &VertexModel| {
            let size = vertex.size as usize;
            // Without ancestors there is one row for each value.
            let rows = match (size, vertex.ancestors.is_empty()) {
                (0, _) => 0,
                (_, true) => size.next_power_of_two(),
                (_, false) => rows.max(size.next_power_of_two()),
            };
            Table {
                keys: vec![0; rows],
                costs: vec![0; rows * size],
                size,
            }
        };
        Costs {
            values: vec![0; model.vertices.len()],
            hashes: model.vertices.iter().map(first_hash).collect(),
            descendants,
            contexts: contexts.max(1),
            next: vec![0; model.vertices.len()],
            tables: model.vertices.iter().map(table).collect(),
            works: model.vertices.iter().map(Work::new).collect(),
        }
    }

    /// Turns to another state. States that are looked at one after the other mostly differ in a few parts: the hashes
    /// follow those.
    pub fn begin(&mut self, model: &Model, memory: &[i32]) {
        model.read(memory, &mut self.next);
        for (part, descendants) in self.descendants.iter().enumerate() {
            let (known, next) = (self.values[part], self.next[part]);
            if known != next {
                let change = mark(part, known) ^ mark(part, next);
                for descendant in descendants {
                    self.hashes[*descendant as usize] ^= change;
                }
            }
        }
        self.values.copy_from_slice(&self.next);
    }

    /// The value of a part in the state.
    pub fn value(&self, vertex: u32) -> u16 {
        self.values[vertex as usize]
    }

    /// The cost of a value in a row.
    #[inline]
    pub fn at(&self, row: Row, value: u16) -> u32 {
        self.tables[row.vertex as usize].costs[row.start + value as usize]
    }

    /// The costs of getting a part from a value to all others.
    pub fn row(&mut self, model: &Model, vertex: u32, from: u16) -> Row {
        let hash = self.hashes[vertex as usize];
        let key = mix(hash ^ (u64::from(from) + 1).wrapping_mul(SPREAD)) | 1;
        let table = &self.tables[vertex as usize];
        let free = model.vertices[vertex as usize].ancestors.is_empty();
        let at = if free {
            usize::from(from)
        } else {
            (key >> 20) as usize & (table.keys.len() - 1)
        };
        let start = at * table.size;
        let row = Row { vertex, start };
        if table.keys[at] != key {
            self.compute(model, vertex, from);
            let table = &mut self.tables[vertex as usize];
            table.keys[at] = key;
            table.costs[start..start + table.size]
                .copy_from_slice(&self.works[vertex as usize].costs);
        }
        row
    }
}

/// What a part's value contributes to the hashes of its descendants.
#[inline]
fn mark(part: usize, value: u16) -> u64 {
    mix(((part as u64) << 16) | u64::from(value))
}

/// The hash where every ancestor has its first value.
fn first_hash(vertex: &VertexModel) -> u64 {
    let ancestors = vertex.ancestors.iter();
    ancestors.fold(0, |hash, ancestor| hash ^ mark(*ancestor as usize, 0))
}

const SPREAD: u64 = 0x9e37_79b9_7f4a_7c15;

#[inline]
fn mix(value: u64) -> u64 {
    let mut z = value.wrapping_add(SPREAD);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}
