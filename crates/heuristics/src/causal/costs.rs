//! Figure 4: the modified Dijkstra algorithm with contexts, top-down.
//!
//! What it costs to get a part from a value depends on that value and, through the contexts, on the values of its
//! ancestors in the state. Rows of costs are kept in a table for each part under a hash of just these, and are found
//! again for all states that agree on them. (A collision of 64-bit hashes would give a wrong estimate, not a wrong
//! verdict.)

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::model::{Model, Need};
use crate::DEAD_END;

/// The entries of all tables together.
const ENTRIES: usize = 1 << 21;

pub(super) struct Costs {
    /// The value of each part in the state, from 0.
    values: Vec<u16>,
    /// For each part: a hash of its ancestors' values, and for which state it was made.
    hashes: Vec<(u64, u32)>,
    state: u32,
    tables: Vec<Table>,
    works: Vec<Work>,
}

/// The rows of one part.
#[derive(Default)]
struct Table {
    keys: Vec<u64>,
    costs: Vec<u32>,
    size: usize,
}

/// A row that is being made.
#[derive(Default)]
struct Work {
    costs: Vec<u32>,
    done: Vec<bool>,
    /// For each value, the values of the predecessors when it is reached.
    contexts: Vec<u16>,
    /// For each value, the value before it on its way and the step between them.
    by: Vec<(u16, u32)>,
    /// The context that a step would leave.
    next: Vec<u16>,
    queue: BinaryHeap<Reverse<(u32, u16)>>,
}

/// A finished row: the part and where its costs start. Good until the next row of the part is asked for.
#[derive(Clone, Copy)]
pub(super) struct Row {
    vertex: u32,
    start: usize,
}

impl Costs {
    pub fn new(model: &Model) -> Costs {
        let total: usize = model
            .vertices
            .iter()
            .map(|vertex| vertex.size as usize)
            .sum();
        let rows = (ENTRIES / total.max(1)).clamp(1, 4096).next_power_of_two();
        let table = |vertex: &super::model::VertexModel| {
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
        let work = |vertex: &super::model::VertexModel| Work {
            costs: vec![0; vertex.size as usize],
            done: vec![false; vertex.size as usize],
            contexts: vec![0; vertex.size as usize * vertex.predecessors.len()],
            by: vec![(0, 0); vertex.size as usize],
            next: vec![0; vertex.predecessors.len()],
            queue: BinaryHeap::new(),
        };
        Costs {
            values: vec![0; model.vertices.len()],
            hashes: vec![(0, 0); model.vertices.len()],
            state: 0,
            tables: model.vertices.iter().map(table).collect(),
            works: model.vertices.iter().map(work).collect(),
        }
    }

    /// Turns to another state.
    pub fn begin(&mut self, model: &Model, memory: &[i32]) {
        self.state = self.state.wrapping_add(1);
        model.read(memory, &mut self.values);
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

    fn hash(&mut self, model: &Model, vertex: u32) -> u64 {
        let (known, state) = self.hashes[vertex as usize];
        if state == self.state {
            return known;
        }
        let mut hash = 0u64;
        for ancestor in &model.vertices[vertex as usize].ancestors {
            let value = u64::from(self.values[*ancestor as usize]);
            hash ^= mix((u64::from(*ancestor) << 16) | value);
        }
        self.hashes[vertex as usize] = (hash, self.state);
        hash
    }

    /// The costs of getting a part from a value to all others.
    pub fn row(&mut self, model: &Model, vertex: u32, from: u16) -> Row {
        let hash = self.hash(model, vertex);
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

    /// Fills the part's work with the costs from a value. Steps ask for rows of parts that come before this one in the
    /// total order only, so that its own work stays untouched.
    fn compute(&mut self, model: &Model, vertex: u32, from: u16) {
        let mut work = std::mem::take(&mut self.works[vertex as usize]);
        let part = &model.vertices[vertex as usize];
        let width = part.predecessors.len();
        work.costs.fill(DEAD_END);
        work.done.fill(false);
        work.queue.clear();
        work.costs[from as usize] = 0;
        for (slot, predecessor) in part.predecessors.iter().enumerate() {
            work.contexts[from as usize * width + slot] = self.values[*predecessor as usize];
        }
        work.queue.push(Reverse((0, from)));
        while let Some(Reverse((cost, at))) = work.queue.pop() {
            if std::mem::replace(&mut work.done[at as usize], true) {
                continue;
            }
            let (first, last) = part.steps[at as usize];
            for number in first..last {
                let step = &model.steps[number as usize];
                let known = work.costs[step.to as usize];
                if work.done[step.to as usize] || cost + 1 >= known {
                    continue;
                }
                let context = at as usize * width;
                let (needs, next) = (step.needs, &mut work.next);
                next.copy_from_slice(&work.contexts[context..context + width]);
                let set_up = self.set_up(model, &part.predecessors, needs, next, known - cost - 1);
                let target = cost + 1 + set_up.min(DEAD_END - cost - 1);
                if target < known {
                    work.costs[step.to as usize] = target;
                    work.by[step.to as usize] = (at, number);
                    let context = step.to as usize * width;
                    work.contexts[context..context + width].copy_from_slice(&work.next);
                    work.queue.push(Reverse((target, step.to)));
                }
            }
        }
        self.works[vertex as usize] = work;
    }

    /// The steps that the way of a part to a value begins with, as far as they can be taken now: its own first step, or
    /// what has to happen before that (Helmert: The Fast Downward planning system, JAIR 2006, section 5.2.3).
    pub fn first_steps(&mut self, model: &Model, vertex: u32, to: u16, steps: &mut Vec<u32>) {
        let mut asked = vec![(vertex, to)];
        let mut next = 0;
        while next < asked.len() {
            let (vertex, to) = asked[next];
            next += 1;
            let Some(step) = self.first_step(model, vertex, to) else {
                continue;
            };
            let (first, last) = model.steps[step as usize].needs;
            let before = asked.len();
            let mut met = true;
            for need in &model.needs[first as usize..last as usize] {
                let Need::Pairs { slot, first, last } = *need else {
                    continue;
                };
                let part = model.vertices[vertex as usize].predecessors[slot as usize];
                let pairs = &model.pairs[first as usize..last as usize];
                let at = self.value(part);
                if pairs.iter().any(|(value, _)| *value == at) {
                    continue;
                }
                met = false;
                let row = self.row(model, part, at);
                let cheapest = pairs.iter().map(|pair| pair.0);
                if let Some(value) = cheapest.min_by_key(|value| self.at(row, *value))
                    && !asked[..before].contains(&(part, value))
                {
                    asked.push((part, value));
                }
            }
            if met {
                steps.push(step);
            }
        }
    }

    /// The first step of a part on its way from its value in the state to another one.
    fn first_step(&mut self, model: &Model, vertex: u32, to: u16) -> Option<u32> {
        let from = self.value(vertex);
        self.compute(model, vertex, from);
        let work = &self.works[vertex as usize];
        if from == to || work.costs[to as usize] == DEAD_END {
            return None;
        }
        let mut at = to;
        loop {
            let (before, step) = work.by[at as usize];
            if before == from {
                return Some(step);
            }
            at = before;
        }
    }

    /// The cost of bringing the predecessors to where a step needs them (lines 14 to 18), as far as it is below a limit;
    /// the context becomes the one that the step leaves.
    fn set_up(
        &mut self,
        model: &Model,
        predecessors: &[u32],
        needs: (u32, u32),
        context: &mut [u16],
        limit: u32,
    ) -> u32 {
        let mut total = 0u32;
        for need in &model.needs[needs.0 as usize..needs.1 as usize] {
            match *need {
                Need::Set { slot, after } => context[slot as usize] = after,
                Need::Pairs { slot, first, last } => {
                    let pairs = &model.pairs[first as usize..last as usize];
                    let at = context[slot as usize];
                    if let Some((_, after)) = pairs.iter().find(|(before, _)| *before == at) {
                        context[slot as usize] = *after;
                        continue;
                    }
                    let row = self.row(model, predecessors[slot as usize], at);
                    let mut best = DEAD_END;
                    for (before, after) in pairs {
                        let cost = self.at(row, *before);
                        if cost < best {
                            best = cost;
                            context[slot as usize] = *after;
                        }
                    }
                    total = total.saturating_add(best);
                    if total >= limit {
                        return DEAD_END;
                    }
                }
            }
        }
        total
    }
}

const SPREAD: u64 = 0x9e37_79b9_7f4a_7c15;

#[inline]
fn mix(value: u64) -> u64 {
    let mut z = value.wrapping_add(SPREAD);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}
