//! One local problem: figure 4, the modified Dijkstra algorithm with contexts.
//!
//! The paper keeps one context for each value: where the predecessors are when it is first reached, each brought there the
//! cheapest way. That may spoil a later step, or miss every way there is. Section 6 proposes larger local problems. Here
//! they are made by keeping several contexts for each value, and by bringing one predecessor at a time elsewhere than the
//! cheapest place: with enough contexts, the whole subsystem of a part and its predecessors is searched.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::DEAD_END;
use crate::causal::costs::Costs;
use crate::causal::model::{Model, Need, VertexModel};

/// With several contexts, needs that more pairs of values meet are met the cheapest way only.
const MOST_CHOICES: u32 = 8;
/// No entry.
const NONE: u32 = u32::MAX;

/// A row that is being made.
#[derive(Default)]
pub(in crate::causal) struct Work {
    /// For each value, its cost.
    pub costs: Vec<u32>,
    /// For each value, the entry with that cost.
    reached: Vec<u32>,
    /// For each value, how many of its entries have been taken from the queue, and the last one.
    taken: Vec<(u32, u32)>,
    entries: Vec<Entry>,
    /// For each entry, the values of the predecessors.
    contexts: Vec<u16>,
    /// The context that a step would leave.
    next: Vec<u16>,
    queue: BinaryHeap<Reverse<(u32, u16, u32)>>,
}

/// A value that is reached in some way.
#[derive(Clone, Copy)]
struct Entry {
    /// The entry before it on its way, and the step between them.
    by: (u32, u32),
    /// The entry of the same value that was taken before it.
    before: u32,
}

impl Work {
    pub fn new(vertex: &VertexModel) -> Work {
        let size = vertex.size as usize;
        Work {
            costs: vec![0; size],
            reached: vec![NONE; size],
            taken: vec![(0, NONE); size],
            next: vec![0; vertex.predecessors.len()],
            ..Work::default()
        }
    }

    fn clear(&mut self) {
        self.costs.fill(DEAD_END);
        self.reached.fill(NONE);
        self.taken.fill((0, NONE));
        self.entries.clear();
        self.contexts.clear();
        self.queue.clear();
    }

    fn context(&self, entry: u32) -> &[u16] {
        let width = self.next.len();
        &self.contexts[entry as usize * width..][..width]
    }

    /// Adds an entry for a value, with the next context.
    fn push(&mut self, value: u16, cost: u32, by: (u32, u32)) {
        let number = self.entries.len() as u32;
        self.entries.push(Entry { by, before: NONE });
        self.contexts.extend_from_slice(&self.next);
        if cost < self.costs[value as usize] {
            self.costs[value as usize] = cost;
            self.reached[value as usize] = number;
        }
        self.queue.push(Reverse((cost, value, number)));
    }

    /// Whether an entry from the queue is to be looked at: its value was not yet taken with the same context, nor with
    /// as many as are kept.
    fn take(&mut self, value: u16, entry: u32, most: u32) -> bool {
        let (count, last) = self.taken[value as usize];
        if count >= most {
            return false;
        }
        let mut other = last;
        while other != NONE {
            if self.context(other) == self.context(entry) {
                return false;
            }
            other = self.entries[other as usize].before;
        }
        self.entries[entry as usize].before = last;
        self.taken[value as usize] = (count + 1, entry);
        true
    }

    /// The first step on the way to a value.
    pub fn first_step(&self, to: u16) -> Option<u32> {
        let mut at = self.reached[to as usize];
        let mut step = None;
        while let Some(entry) = self.entries.get(at as usize) {
            if entry.by.0 == NONE {
                return step;
            }
            step = Some(entry.by.1);
            at = entry.by.0;
        }
        None
    }
}

impl Costs {
    /// Fills the part's work with the costs from a value. Steps ask for rows of parts that come before this one in the
    /// total order only, so that its own work stays untouched.
    pub(in crate::causal) fn compute(&mut self, model: &Model, vertex: u32, from: u16) {
        let mut work = std::mem::take(&mut self.works[vertex as usize]);
        let part = &model.vertices[vertex as usize];
        let most = self.contexts;
        work.clear();
        for (slot, predecessor) in part.predecessors.iter().enumerate() {
            work.next[slot] = self.values[*predecessor as usize];
        }
        work.push(from, 0, (NONE, NONE));
        while let Some(Reverse((cost, at, entry))) = work.queue.pop() {
            if !work.take(at, entry, most) {
                continue;
            }
            let (first, last) = part.steps[at as usize];
            for number in first..last {
                let step = &model.steps[number as usize];
                // With one context, only what is cheaper than anything before counts.
                let known = match most {
                    1 => work.costs[step.to as usize],
                    _ => DEAD_END,
                };
                if work.taken[step.to as usize].0 >= most || cost + 1 >= known {
                    continue;
                }
                let way = Way {
                    entry,
                    step: number,
                    cost: cost + 1,
                    limit: known - cost - 1,
                };
                self.offer(model, part, &mut work, way, None);
                if most > 1 {
                    self.offer_others(model, part, &mut work, way);
                }
            }
        }
        self.works[vertex as usize] = work;
    }

    /// Takes a step, the predecessors brought where they are needed: the cheapest way, or one need by a given pair.
    fn offer(
        &mut self,
        model: &Model,
        part: &VertexModel,
        work: &mut Work,
        way: Way,
        choice: Option<(u32, u32)>,
    ) {
        let width = work.next.len();
        let start = way.entry as usize * width;
        let step = &model.steps[way.step as usize];
        work.next
            .copy_from_slice(&work.contexts[start..start + width]);
        let (needs, next) = (step.needs, &mut work.next);
        let set_up = self.set_up(model, &part.predecessors, needs, next, way.limit, choice);
        if set_up < way.limit {
            let cost = way.cost.saturating_add(set_up);
            work.push(step.to, cost, (way.entry, way.step));
        }
    }

    /// Takes a step in every other way that meets one of its needs by another pair of values.
    fn offer_others(&mut self, model: &Model, part: &VertexModel, work: &mut Work, way: Way) {
        let (first_need, last_need) = model.steps[way.step as usize].needs;
        for number in first_need..last_need {
            let Need::Pairs { first, last, .. } = model.needs[number as usize] else {
                continue;
            };
            if (2..=MOST_CHOICES).contains(&(last - first)) {
                for pair in first..last {
                    self.offer(model, part, work, way, Some((number, pair)));
                }
            }
        }
    }

    /// The cost of bringing the predecessors to where a step needs them (lines 14 to 18), as far as it is below a limit;
    /// the context becomes the one that the step leaves. A choice is a need and the pair of values to meet it by.
    fn set_up(
        &mut self,
        model: &Model,
        predecessors: &[u32],
        needs: (u32, u32),
        context: &mut [u16],
        limit: u32,
        choice: Option<(u32, u32)>,
    ) -> u32 {
        let mut total = 0u32;
        for number in needs.0..needs.1 {
            let (slot, mut first, mut last) = match model.needs[number as usize] {
                Need::Set { slot, after } => {
                    context[slot as usize] = after;
                    continue;
                }
                Need::Pairs { slot, first, last } => (slot, first, last),
            };
            if let Some((need, pair)) = choice
                && need == number
            {
                (first, last) = (pair, pair + 1);
            }
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
        total
    }
}

/// A step from an entry.
#[derive(Clone, Copy)]
struct Way {
    entry: u32,
    step: u32,
    /// The cost with the step, without what it needs.
    cost: u32,
    /// What it needs must cost less.
    limit: u32,
}
